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

traffic "Alone" {
  cycles = 9
  random {
    rate = 1
  }
}
