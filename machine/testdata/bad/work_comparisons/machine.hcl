locals {
  row  = range(1000)
  list = concat(local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row, local.row)
}

machine "torus" {
  dimension "x" {
    m   = length([for i in local.list : local.list == local.list ? 1 : 0])
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
