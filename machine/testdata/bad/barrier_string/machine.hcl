machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 5
    rho = 1
  }
  router {
    barrier = "yes"
  }
}
