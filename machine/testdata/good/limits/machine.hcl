machine "cube16" {
  network = false
  dynamic "dimension" {
    for_each = range(16)
    labels   = ["d${dimension.value}"]
    content {
      m   = 2
      rho = 1
    }
  }
  message {
    payload_bits = 1024
  }
  router {
    fifo_depth = 16
  }
}

traffic "t" {
  cycles = 1000000
  broadcast {
    sources = [[for i in range(16) : 1]]
    at      = 999999
  }
  random {
    rate  = 1
    stall = 0.999
    seed  = 9223372036854775807
  }
}

synthesis "s" {
  clock_mhz = 1000
  seeds     = [0, 2147483647]
}
