machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 5
    rho = 1
  }
  message {
    last = 1
  }
}

traffic "t" {
  cycles = 100
  broadcast {
    sources = [[0, 0]]
    last    = true
  }
}
