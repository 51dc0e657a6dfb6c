machine "a" {
  dynamic "dimension" {
    for_each = null
    labels   = ["x"]
    content {
      m   = 4
      rho = 1
    }
  }
}
