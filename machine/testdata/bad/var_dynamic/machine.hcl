dynamic "variable" {
  for_each = [1]
  labels   = ["a"]
  content {
    default = 1
  }
}

machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
