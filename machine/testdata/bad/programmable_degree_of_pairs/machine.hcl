machine "pair" {
  dimension "x" {
    m   = 2
    rho = 1
  }
  router {
    kind           = "programmable"
    max_dimensions = 1
    max_degree     = 1
  }
}
