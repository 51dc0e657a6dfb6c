machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 5
    rho = 1
  }
}

traffic "t" {
  cycles = 100
  random {
    rate = 0.5
  }
  stall {
    receivers = [[1, 2], [3, 4]]
  }
}
