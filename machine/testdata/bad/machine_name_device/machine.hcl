machine "Con" {
  dimension "x" {
    m   = 4
    rho = 1
  }
}
