machine "torus" {
  dimension "x" {
    m   = 1e999999999
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
