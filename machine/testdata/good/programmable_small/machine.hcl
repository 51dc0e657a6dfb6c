machine "tiny" {
  dimension "x" {
    m   = 2
    rho = 1
  }
  router {
    kind           = "programmable"
    fifo_depth     = 2
    config_bus     = "axi4lite"
    max_dimensions = 2
    max_nodes      = 3
  }
}
