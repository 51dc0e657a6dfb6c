# SPDX-License-Identifier: Apache-2.0
#
# The 4x4 torus of the ULX3S: a collective network that adds up one word of each node, without routers.

machine "torus4x4" {
  routers = false
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  collective "sum" {
    operation    = "all-reduce"
    operator     = "add"
    words        = "one"
    payload_bits = 16
  }
}

synthesis "ulx3s" {
  family    = "ecp5"
  clock_mhz = 25
}
