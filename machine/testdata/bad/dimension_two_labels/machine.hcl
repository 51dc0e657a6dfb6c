machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" "z" {
    m   = 4
    rho = 1
  }
}
