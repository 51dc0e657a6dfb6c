machine "torus" {
  dimension "x" {
    m   = 8
    rho = 5
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
