machine "tiny" {
  dimension "x" {
    m   = 5
    rho = 2
  }
  router {
    kind = "programmable"
  }
}
