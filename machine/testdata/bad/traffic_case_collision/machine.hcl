machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}

traffic "Storm" {
  cycles = 9
  random {
    rate = 1
  }
}

traffic "storm" {
  cycles = 9
  random {
    rate = 1
  }
}
