# SPDX-License-Identifier: Apache-2.0
#
# The paper's circulant C_6<1,2>: a ring of 6 nodes linked to the two nearest on both sides (D = 2).
# It is the smallest ring in which messages transfer from a short link onto a long one.

machine "c6_2" {
  dimension "x" {
    m   = 6
    rho = 2
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0]]
  }
  broadcast {
    sources = [[1], [4]]
    at      = [10, 10]
  }
  broadcast {
    sources = [[0], [2], [3], [5]]
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
