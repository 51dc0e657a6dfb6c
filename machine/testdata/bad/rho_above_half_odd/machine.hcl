machine "torus" {
  dimension "x" {
    m   = 7
    rho = 4
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
