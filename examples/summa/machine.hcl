# SPDX-License-Identifier: Apache-2.0
#
# The 4x4 torus of examples/summa: messages to rows and columns, closed with tlast, and a barrier.

machine "torus4x4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 32
    source_id    = true
    destination  = true
    last         = true
  }
  router {
    barrier = true
  }
}
