machine "torus" {
  dimension "x" {
    m   = 65536
    rho = 1
  }
  dimension "y" {
    m   = 32768
    rho = 1
  }
}
