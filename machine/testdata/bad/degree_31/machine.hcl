machine "torus" {
  dimension "x" {
    m   = 19
    rho = 9
  }
  dimension "y" {
    m   = 14
    rho = 7
  }
}
