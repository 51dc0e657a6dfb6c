machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension {
    m   = 4
    rho = 1
  }
}
