# SPDX-License-Identifier: Apache-2.0
#
# The product (6,2)x(5,1): a circulant with long links times a plain ring, 30 nodes (D = 4).
# With the balanced preference every node is served at its graph distance.

machine "k6x5" {
  dimension "x" {
    m   = 5
    rho = 1
  }
  dimension "y" {
    m   = 6
    rho = 2
  }
  router {
    preference = "balanced"
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0, 0], [5, 4]]
    at      = [0, 10]
  }
  broadcast {
    sources = [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]]
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

# Saturation: every node always has a message and every receiver is always ready.
traffic "overload" {
  cycles = 2000
  random {
    rate = 1
  }
}

# Node (0,0) always has a message. The broadcast of node (0,1) arrives while node (1,2) stalls. Messages of the stream pass it
# in two ticks of a router, whose clock is held until it enters its ring.
traffic "held" {
  cycles = 200
  random {
    sources = [[0, 0]]
    rate    = 1
  }
  broadcast {
    sources = [[0, 1]]
    at      = 56
  }
  stall {
    receivers = [[1, 2]]
    at        = 50
    cycles    = 10
  }
}

synthesis "hx8k" {
  family    = "ice40"
  device    = "hx8k"
  package   = "ct256"
  clock_mhz = 80
  seeds     = [1, 2, 3]
}
