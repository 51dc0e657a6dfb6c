machine "torus" {
  network = true
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 3
    rho = 1
  }
  message {
    payload_bits = 32
    source_id    = false
    destination  = true
    last         = false
  }
  router {
    barrier = false
  }
}

traffic "corner" {
  cycles = 52
  broadcast {
    sources = [[0, 0], [2, 3]]
  }
  send {
    from = [0, 0]
    to   = [2, 3]
    last = false
  }
  send {
    from = [2, 3]
    to   = [2, "*"]
  }
}

traffic "storm" {
  cycles = 1000
  random {
    rate       = 0.3
    stall      = 0.2
    seed       = 1
    pattern    = "uniform"
    broadcasts = 0.2
  }
}

traffic "rows" {
  cycles = 1000
  random {
    rate       = 0.3
    stall      = 0.2
    pattern    = "rows"
    broadcasts = 0.2
  }
}
