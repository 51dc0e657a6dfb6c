# SPDX-License-Identifier: Apache-2.0
#
# The paper's mixed-radix torus G(4,3): m_2 = 4, m_1 = 3, reach 1 in both (D = 3).
# It is the smallest machine with an odd and an even ring.

machine "g4_3" {
  dimension "x" {
    m   = 3
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0, 0], [3, 2]]
    at      = [0, 10]
  }
  broadcast {
    sources = [[0, 1], [1, 1], [2, 1], [3, 1]]
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
