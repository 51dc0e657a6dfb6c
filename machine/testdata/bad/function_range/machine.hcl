machine "torus" {
  dimension "x" {
    m   = length(range(1e9))
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
