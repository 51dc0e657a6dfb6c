locals {
  row  = range(1000)
  list = concat(local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row)
}

machine "torus" {
  dimension "x" {
    m   = length(join(join("        ", local.row), local.list))
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
