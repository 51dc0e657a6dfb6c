# SPDX-License-Identifier: Apache-2.0
#
# The generalized hypercube GH(2,4): two dimensions that are complete graphs of 4 nodes (D = 2).
# Here 2 rho = m, so the antipode of each ring is reached by one link, not by two.

machine "gh2_4" {
  dimension "x" {
    m   = 4
    rho = 2
  }
  dimension "y" {
    m   = 4
    rho = 2
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0, 0], [3, 3]]
    at      = [0, 0]
  }
  broadcast {
    sources = [[0, 1], [1, 2], [2, 3], [3, 0]]
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
  clock_mhz = 90
  seeds     = [1, 2, 3]
}
