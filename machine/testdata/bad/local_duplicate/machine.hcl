locals {
  a = 1
}

locals {
  a = 2
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
