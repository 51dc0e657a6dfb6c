machine "torus" {
  dimension "x" {
    m  = 4
    roh = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
