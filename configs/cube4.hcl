# SPDX-License-Identifier: Apache-2.0
#
# The binary 4-cube: four dimensions of two nodes, 16 nodes with 4 links each (D = 4).
# Its routers have no ring ports, because every dimension is one hop.

variable "stages" {
  type        = number
  default     = 1
  description = "cycles per hop"
}

variable "delivery" {
  type        = string
  default     = "merged"
  description = "merged, or per_port"
}

machine "cube4" {
  dimension "a" {
    m   = 2
    rho = 1
  }
  dimension "b" {
    m   = 2
    rho = 1
  }
  dimension "c" {
    m   = 2
    rho = 1
  }
  dimension "d" {
    m   = 2
    rho = 1
  }
  router {
    stages   = var.stages
    delivery = var.delivery
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0, 0, 0, 0], [1, 1, 1, 1]]
    at      = [0, 0]
  }
  broadcast {
    sources = [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
    at      = 60
  }
}

# Every node broadcasts at random and every receiver stalls at times.
traffic "storm" {
  cycles = 1000
  random {
    rate  = 0.3
    stall = 0.2
    seed  = 1
  }
}

# Saturation: every node always has a message and every receiver is always ready.
traffic "overload" {
  cycles = 2000
  random {
    rate = 1
  }
}

synthesis "hx8k" {
  family    = "ice40"
  device    = "hx8k"
  package   = "ct256"
  clock_mhz = 100
  seeds     = [1, 2, 3]
}
