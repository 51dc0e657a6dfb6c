machine "torus" {
  dimension "x" {
    m   = max()
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
