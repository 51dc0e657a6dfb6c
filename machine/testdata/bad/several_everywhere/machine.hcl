variable "rate" {
  type    = number
  default = "fast"
}

locals {
  side = local.sidee
}

machine "module" {
  dimension "x" {
    m   = 1
    rho = 1
  }
  dimension "y" {
    m   = local.side
    rho = 0
  }
  dimension "x" {
    m   = 6
    rho = 4
  }
  mesage {
  }
  router {
    preference = "clockwize"
  }
}

traffic "storm" {
  cycles = 0
  random {
    rate  = var.rate
    stall = 2
  }
  broadcast {
    sources = [[6, 0, 0], [0, 0]]
    at      = [1]
  }
}

synthesis "s" {
  device = "hx9k"
  seeds  = [1, 1, -1]
}
