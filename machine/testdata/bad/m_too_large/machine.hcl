machine "torus" {
  dimension "x" {
    m   = 65537
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
