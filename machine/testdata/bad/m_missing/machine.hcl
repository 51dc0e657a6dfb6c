machine "torus" {
  dimension "x" {
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
