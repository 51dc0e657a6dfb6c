locals {
  side = 4
}

machine "torus" {
  dimension "x" {
    m   = local.sides
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
