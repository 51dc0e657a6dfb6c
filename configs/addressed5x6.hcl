# SPDX-License-Identifier: Apache-2.0
#
# The 30 nodes of k6x5 with messages that have a destination, and four slots per hop (D = 4).
# A ring of 5 has a single shortest path between two nodes. In a ring of 6 with long links, nodes opposite each other have two.

machine "addressed5x6" {
  dimension "x" {
    m   = 5
    rho = 1
  }
  dimension "y" {
    m   = 6
    rho = 2
  }
  message {
    payload_bits = 16
    destination  = true
  }
  router {
    fifo_depth = 4
  }
}

# Messages to a node, a row, a column and all nodes, some at the same time.
traffic "sets" {
  cycles = 80
  send {
    from = [[0, 0], [1, 0], [5, 4]]
    to   = [3, 2]
    at   = [0, 0, 10]
  }
  send {
    from = [4, 1]
    to   = [2, "*"]
    at   = 0
  }
  send {
    from = [2, 4]
    to   = ["*", 1]
    at   = 0
  }
  broadcast {
    sources = [[0, 0], [5, 4]]
    at      = 40
  }
}

# One message in ten is a broadcast, the others go to random nodes, and every receiver stalls at times.
traffic "mix" {
  cycles = 500
  random {
    rate       = 0.3
    stall      = 0.2
    broadcasts = 0.1
  }
}

synthesis "hx8k" {
  family    = "ice40"
  device    = "hx8k"
  package   = "ct256"
  clock_mhz = 55
  seeds     = [1, 2, 3]
}
