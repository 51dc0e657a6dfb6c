machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  router {
    stages = "2"
  }
}
