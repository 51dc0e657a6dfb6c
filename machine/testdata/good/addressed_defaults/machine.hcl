machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 3
    rho = 1
  }
  message {
    destination = true
  }
}
