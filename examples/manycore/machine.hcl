# SPDX-License-Identifier: Apache-2.0
#
# The 4x4 torus of examples/manycore: processors with memories of 2 KiB, and a network that adds up a word of each.

machine "box" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  endpoint {
    bus          = "wishbone"
    address_bits = 11
  }
  collective "sum" {
    operation    = "all-reduce"
    operator     = "add"
    words        = "one"
    payload_bits = 32
  }
}
