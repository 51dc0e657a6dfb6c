machine "torus" {
  dimension "x" {
    m   = 65536
    rho = 1
  }
  dimension "y" {
    m   = 2
    rho = 1
  }
  network = false
}

traffic "t" {
  cycles = 100
  random {
    rate = 1
  }
}
