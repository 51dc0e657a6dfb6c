# SPDX-License-Identifier: Apache-2.0
#
# The binary 3-cube: three dimensions of one hop, no ring ports, groups under each other.

machine "cube" {
  dimension "a" {
    m   = 2
    rho = 1
  }
  dimension "b" {
    m   = 2
    rho = 1
  }
  dimension "c" {
    m   = 2
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
