locals {
  a = 1
}

machine "torus" {
  dimension "x" {
    m   = length(local)
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
