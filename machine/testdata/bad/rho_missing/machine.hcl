machine "torus" {
  dimension "x" {
    m = 4
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
