# SPDX-License-Identifier: Apache-2.0
#
# All corner cases in one machine: m = 2, m = 3 and a ring with 2 rho = m, 24 nodes (D = 3).
# Messages carry the address of their source, and the counterclockwise preference is used.

machine "mixed" {
  dimension "x" {
    m   = 2
    rho = 1
  }
  dimension "y" {
    m   = 3
    rho = 1
  }
  dimension "z" {
    m   = 4
    rho = 2
  }
  message {
    payload_bits = 8
    source_id    = true
  }
  router {
    preference = "counterclockwise"
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0, 0, 0], [3, 2, 1]]
    at      = [0, 10]
  }
  broadcast {
    sources = [[0, 0, 1], [1, 1, 0], [2, 2, 1], [3, 0, 0]]
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
