machine "torus" {
  dimension "x" {
    m   = true
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
