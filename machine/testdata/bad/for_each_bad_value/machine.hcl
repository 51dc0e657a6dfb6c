machine "a" {
  dynamic "dimension" {
    for_each = [4, 1]
    labels   = ["x${dimension.key}"]
    content {
      m   = dimension.value
      rho = 1
    }
  }
}
