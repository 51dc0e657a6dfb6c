machine "torus" {
  dimension "x" {
    m   = length(format("%999999999d", 1))
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
