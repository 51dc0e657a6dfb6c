# SPDX-License-Identifier: Apache-2.0
#
# A plain ring of 8 nodes, each linked to its two neighbours (D = 4).
# It is the smallest machine on which plain backpressure deadlocks under load.

variable "payload_bits" {
  type        = number
  default     = 32
  description = "width of a message's payload in bits"
}

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

machine "ring8" {
  dimension "x" {
    m   = 8
    rho = 1
  }
  message {
    payload_bits = var.payload_bits
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
    sources = [[0]]
  }
  broadcast {
    sources = [[3], [7]]
    at      = [10, 10]
  }
  broadcast {
    sources = [[0], [2], [4], [6]]
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
