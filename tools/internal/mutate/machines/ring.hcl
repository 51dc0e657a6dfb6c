# SPDX-License-Identifier: Apache-2.0
#
# A plain ring of 8 nodes: two ring ports, one dimension, a largest weight that is not all ones.

machine "ring" {
  dimension "x" {
    m   = 8
    rho = 1
  }
  message {
    payload_bits = 8
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
