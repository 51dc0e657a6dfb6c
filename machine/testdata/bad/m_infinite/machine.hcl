machine "torus" {
  dimension "x" {
    m   = 1 / 0
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
