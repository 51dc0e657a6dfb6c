# SPDX-License-Identifier: Apache-2.0
#
# A 4x4 torus whose messages go to a node, a row, a column or all nodes, with tlast and a barrier (D = 4).

machine "addressed4x4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 16
    source_id    = true
    destination  = true
    last         = true
  }
  router {
    barrier = true
  }
}

# Messages to a node, a row, a column and all nodes, offered in the same cycles.
traffic "sets" {
  cycles = 80
  broadcast {
    sources = [[1, 1], [3, 3]]
    at      = 40
  }
  send {
    from = [[0, 0], [3, 3]]
    to   = [2, 2]
    at   = 0
  }
  send {
    from = [0, 1]
    to   = [2, "*"]
    at   = 0
    last = true
  }
  send {
    from = [1, 0]
    to   = ["*", 2]
    at   = 0
    last = true
  }
  send {
    from = [2, 0]
    to   = ["*", "*"]
    at   = 0
  }
  # The nodes of row 0 send to their row and those of column 0 to their column.
  send {
    from = [[0, 0], [0, 1], [0, 2], [0, 3]]
    to   = [0, "*"]
    at   = 40
  }
  send {
    from = [[0, 0], [1, 0], [2, 0], [3, 0]]
    to   = ["*", 0]
    at   = 40
  }
}

# Every node sends to random nodes and every receiver stalls at times.
traffic "uniform" {
  cycles = 500
  random {
    rate  = 0.4
    stall = 0.2
  }
}

# All nodes always send to their rows, as in an all-gather.
traffic "rows" {
  cycles = 300
  random {
    rate    = 1
    pattern = "rows"
  }
}

synthesis "hx8k" {
  family    = "ice40"
  device    = "hx8k"
  package   = "ct256"
  clock_mhz = 100
  seeds     = [1, 2, 3]
}
