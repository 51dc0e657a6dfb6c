locals {
  a = local.b + 1
  b = local.c + 1
  c = local.a + 1
}

machine "torus" {
  dimension "x" {
    m   = local.a
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
