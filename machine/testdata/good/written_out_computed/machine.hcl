variable "side" {
  type        = number
  description = "given on the command line"
}

variable "preference" {
  default = "clockwise"
}

variable "rings" {
  type = list(object({ m = number, rho = number }))
}

locals {
  payload = local.half * 2 # refers to what comes later
  half    = abs(-8)
}

locals {
  letters = ["x", "y"]
  seeds   = concat([local.half - 1], [for s in range(8, 20) : s if s < 9])
}

machine "torus" {
  dynamic "dimension" {
    for_each = var.rings
    labels   = [local.letters[dimension.key]]
    content {
      m   = dimension.value.m
      rho = dimension.value.rho
    }
  }
  message {
    payload_bits = local.payload
    source_id    = length(var.rings) == 2
  }
  router {
    preference = lower(var.preference)
    fifo_depth = local.half - 3
  }
}

dynamic "traffic" {
  for_each = ["corner"]
  iterator = load
  labels   = [load.value]
  content {
    cycles = sum([10, 20, 20])
    dynamic "broadcast" {
      for_each = [
        { sources = [[0, 0], [5, var.side - 1]], at = [7, 0] },
        { sources = [for i in range(1, 3) : [i, i]], at = 7 },
        { sources = [[var.side, 0]], at = 0 },
      ]
      content {
        sources = broadcast.value.sources
        at      = broadcast.value.at
      }
    }
    random {
      rate  = 1 / 4
      stall = try(local.letters[9], 0.5)
      seed  = pow(3, 2)
    }
  }
}

synthesis "fast" {
  device    = format("up%dk", 5)
  package   = join("", ["sg", "48"])
  clock_mhz = 25 / 2
  seeds     = local.seeds
}
