machine "wide" {
  dimension "x" {
    m   = 1025
    rho = 1
  }
}
