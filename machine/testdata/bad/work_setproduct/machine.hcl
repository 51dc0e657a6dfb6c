machine "torus" {
  dimension "x" {
    m   = length(setproduct(range(1000), range(1000), range(1000)))
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
