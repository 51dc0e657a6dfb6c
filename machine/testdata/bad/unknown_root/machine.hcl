machine "torus" {
  dimension "x" {
    m   = side
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
