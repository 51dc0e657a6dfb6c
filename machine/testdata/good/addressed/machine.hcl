machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 5
    rho = 2
  }
  message {
    payload_bits = 8
    destination  = true
    last         = true
  }
  router {
    barrier = true
  }
}

traffic "scheduled" {
  cycles = 200
  send {
    from = [2, 3]
    to   = [4, 0]
  }
  broadcast {
    sources = [[1, 1]]
    at      = 7
    last    = true
  }
  send {
    from = [[0, 0], [0, 1], [2, 0]]
    to   = [2, "*"]
    at   = [7, 9, 0]
  }
  send {
    from = [[0, 0]]
    to   = ["*", "*"]
    at   = 9
    last = true
  }
}

traffic "uniform" {
  cycles = 100
  random {
    rate       = 0.5
    broadcasts = 0.25
  }
}

traffic "broadcasts" {
  cycles = 100
  random {
    rate    = 0.5
    pattern = "broadcast"
  }
}

traffic "transpose" {
  cycles = 100
  random {
    rate    = 0.5
    pattern = "transpose"
  }
}

traffic "hotspot" {
  cycles = 100
  random {
    rate    = 0.5
    pattern = "hotspot"
  }
}

traffic "hot" {
  cycles = 100
  random {
    rate       = 0.5
    pattern    = "hotspot"
    hot        = [3, 2]
    share      = 0.75
    broadcasts = 0.125
  }
}

traffic "neighbour" {
  cycles = 100
  random {
    rate    = 0.5
    pattern = "neighbour"
  }
}

traffic "rows" {
  cycles = 100
  random {
    rate    = 0.5
    pattern = "rows"
  }
}
