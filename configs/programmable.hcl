# SPDX-License-Identifier: Apache-2.0
#
# Programmable routers, configured over Wishbone as a (5,1)x(2,1) of 10 nodes (D = 3). They can be
# configured as any machine of up to 2 dimensions of 5 nodes and 6 ports.

machine "programmable" {
  dimension "x" {
    m   = 5
    rho = 1
  }
  dimension "y" {
    m   = 2
    rho = 1
  }
  message {
    payload_bits = 8
  }
  router {
    kind           = "programmable"
    config_bus     = "wishbone"
    max_dimensions = 2
    max_nodes      = 5
    max_degree     = 6
  }
}

traffic "storm" {
  cycles = 1000
  random {
    rate  = 0.3
    stall = 0.2
  }
}

synthesis "hx8k" {
  clock_mhz = 50
  seeds     = [1]
}
