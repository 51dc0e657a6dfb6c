# SPDX-License-Identifier: Apache-2.0
#
# The product (6,2)x(2,1): messages that transfer from a short link to a ring port, a group
# of several ports above one of a single port, and source ids.

machine "transfers" {
  dimension "x" {
    m   = 2
    rho = 1
  }
  dimension "y" {
    m   = 6
    rho = 2
  }
  message {
    payload_bits = 8
    source_id    = true
  }
}

# Every node broadcasts at random and every receiver stalls at times.
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
