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

traffic "t" {
  cycles = 9
  dynamic "broadcast" {
    for_each = range(1000)
    content {
      sources = [for i in range(1000): [broadcast.value - broadcast.value, 0]]
    }
  }
}
