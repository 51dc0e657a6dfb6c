machine "torus" {
  dimension "x" {
    m   = log(-1, 2)
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
