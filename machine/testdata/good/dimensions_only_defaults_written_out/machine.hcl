machine "tiny" {
  network = true
  dimension "x" {
    m   = 5
    rho = 2
  }
  message {
    payload_bits = 32
    source_id    = false
  }
  router {
    kind       = "specialized"
    preference = "clockwise"
    fifo_depth = 2
  }
}

traffic "corner" {
  cycles = 44
  broadcast {
    sources = [[0], [4]]
  }
}

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
