# SPDX-License-Identifier: Apache-2.0
#
# The torus (4,1)x(3,1) with destinations, tlast, a barrier and errors of nodes: the fields of a destination, the
# part of them that a delivery has, and the cost of messages to single nodes.

machine "addressed" {
  node_errors = true
  dimension "x" {
    m   = 3
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits        = 8
    destination         = true
    deliver_destination = true
    last                = true
  }
  router {
    barrier = true
  }
}

# Every node sends at random and every receiver stalls at times.
traffic "storm" {
  cycles = 1000
  random {
    rate  = 0.3
    stall = 0.2
    seed  = 1
  }
}

# Saturation: every node always has a message and every receiver is always ready.
traffic "overload" {
  cycles = 2000
  random {
    rate = 1
  }
}
