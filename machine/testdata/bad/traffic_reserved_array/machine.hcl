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

traffic "array" {
  cycles = 9
  random {
    rate = 1
  }
}
