machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 6
    rho = 2
  }
  message {
    payload_bits = 16
    source_id    = true
  }
  router {
    kind       = "specialized"
    preference = "balanced"
    fifo_depth = 5
  }
}

traffic "corner" {
  cycles = 50
  broadcast {
    sources = [[0, 0], [5, 3]]
    at      = [7, 0]
  }
  broadcast {
    sources = [[1, 1], [2, 2]]
    at      = 7
  }
  broadcast {
    sources = [[4, 0]]
  }
  random {
    rate  = 0.25
    stall = 0.5
    seed  = 9
  }
}

synthesis "fast" {
  family    = "ice40"
  device    = "up5k"
  package   = "sg48"
  clock_mhz = 12.5
  seeds     = [7, 8]
}
