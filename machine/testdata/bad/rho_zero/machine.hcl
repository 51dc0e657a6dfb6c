machine "torus" {
  dimension "x" {
    m   = 4
    rho = 0
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
