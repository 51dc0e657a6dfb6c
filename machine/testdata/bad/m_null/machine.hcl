machine "torus" {
  dimension "x" {
    m   = null
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
