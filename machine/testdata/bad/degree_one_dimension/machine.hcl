machine "torus" {
  dimension "x" {
    m   = 40
    rho = 16
  }
}
