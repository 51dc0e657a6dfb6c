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
    max_dimensions = 2
    max_nodes      = 5
    max_degree     = 9
  }
}
