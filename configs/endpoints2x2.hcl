# SPDX-License-Identifier: Apache-2.0
#
# Four processors, each with a memory of 2 KiB: the nodes of a 2x2 square have endpoints with a Wishbone bus in place of their streams.

machine "endpoints2x2" {
  dimension "x" {
    m   = 2
    rho = 1
  }
  dimension "y" {
    m   = 2
    rho = 1
  }
  endpoint {
    bus          = "wishbone"
    address_bits = 11
  }
}
