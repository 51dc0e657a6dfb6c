machine "torus" {
  dimension "x" {
    m   = maxx(2, 4)
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
