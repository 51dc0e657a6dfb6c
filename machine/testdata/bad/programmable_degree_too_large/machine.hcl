machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 5
    rho = 2
  }
  router {
    kind           = "programmable"
    max_degree     = 17
  }
}
