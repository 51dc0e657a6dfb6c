# SPDX-License-Identifier: Apache-2.0
#
# The 4x4 torus of examples/stream: words of 16 bits, each with the address of its source.

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
    payload_bits = 16
    source_id    = true
  }
}
