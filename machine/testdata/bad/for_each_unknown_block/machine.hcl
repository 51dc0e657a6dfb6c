machine "a" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dynamic "dimensions" {
    for_each = [4]
    content {
    }
  }
}
