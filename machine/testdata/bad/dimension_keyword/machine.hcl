machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "wire" {
    m   = 4
    rho = 1
  }
}
