# SPDX-License-Identifier: Apache-2.0
#
# The 4x4 torus of examples/matvec: a collective network that adds up one word of each node, and routers, which
# are used for their barrier.

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
    payload_bits = 1
  }
  router {
    barrier = true
  }

  collective "sum" {
    operation    = "all-reduce"
    operator     = "add"
    words        = "one"
    payload_bits = 16
    chunk_bits   = 16  # whole words: a sum takes 5 cycles, and other parts of the design limit the clock
  }
}
