locals {
  m = max("a")
}

machine "torus" {
  dimension "x" {
    m   = local.m
    rho = local.m
  }
  dimension "y" {
    m   = local.m + 1
    rho = 1
  }
  message {
    payload_bits = local.m
  }
}

traffic "t" {
  cycles = 100
  broadcast {
    sources = [[0, local.m], [9, 9]]
  }
}
