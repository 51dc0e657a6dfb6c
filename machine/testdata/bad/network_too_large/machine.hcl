machine "torus" {
  dimension "x" {
    m   = 33
    rho = 1
  }
  dimension "y" {
    m   = 32
    rho = 1
  }
  network = true
}
