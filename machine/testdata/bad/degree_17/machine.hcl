machine "torus" {
  dimension "x" {
    m   = 15
    rho = 5
  }
  dimension "y" {
    m   = 14
    rho = 4
  }
}
