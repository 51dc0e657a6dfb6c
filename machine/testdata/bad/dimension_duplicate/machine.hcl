machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "x" {
    m   = 4
    rho = 1
  }
}
