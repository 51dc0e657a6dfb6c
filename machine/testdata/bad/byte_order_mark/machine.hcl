machine "ring" {
  dimension "x" {
    m   = 4
    rho = 9
  }
}
