# SPDX-License-Identifier: Apache-2.0
#
# The smallest machine: two nodes, one link, a payload of one bit (D = 1).
# It tests vectors of width 1.

machine "onebit" {
  dimension "x" {
    m   = 2
    rho = 1
  }
  message {
    payload_bits = 1
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0]]
  }
  broadcast {
    sources = [[0], [1]]
    at      = [10, 10]
  }
  broadcast {
    sources = [[1]]
    at      = 60
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

synthesis "hx8k" {
  family    = "ice40"
  device    = "hx8k"
  package   = "ct256"
  clock_mhz = 100
  seeds     = [1, 2, 3]
}
