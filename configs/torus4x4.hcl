# SPDX-License-Identifier: Apache-2.0
#
# A 4x4 torus, the machine of the README: 16 nodes with 4 links each (D = 4).
# The width of its payload is a variable, so --var payload_bits=64 makes a wider one;
# --var stages=2 and --var delivery=per_port make other routers.

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

machine "torus4x4" {
  dimension "x" { # dimension 1, the lowest digit of an address
    m   = 4
    rho = 1
  }
  dimension "y" { # dimension 2
    m   = 4
    rho = 1
  }
  message {
    payload_bits = var.payload_bits
    source_id    = false
  }
  router {
    kind       = "specialized"
    preference = "clockwise"
    stages     = var.stages
    delivery   = var.delivery
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0, 0], [3, 2]]
    at      = [0, 10]
  }
  broadcast {
    sources = [[0, 0], [1, 1], [2, 2], [3, 3]]
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
