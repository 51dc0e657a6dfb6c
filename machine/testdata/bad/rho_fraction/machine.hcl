machine "torus" {
  dimension "x" {
    m   = 8
    rho = 1.5
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
