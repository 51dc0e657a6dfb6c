# SPDX-License-Identifier: Apache-2.0
#
# The largest degree: 15x15x15x15 with reach 2, so 16 links per node and 50,625 nodes (D = 16).
# Only the router is generated; the network would not fit into any device.

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

machine "degree16" {
  network = false

  dimension "w" {
    m   = 15
    rho = 2
  }
  dimension "x" {
    m   = 15
    rho = 2
  }
  dimension "y" {
    m   = 15
    rho = 2
  }
  dimension "z" {
    m   = 15
    rho = 2
  }
  message {
    payload_bits = 16
  }
  router {
    stages   = var.stages
    delivery = var.delivery
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 100
  broadcast {
    sources = [[0, 0, 0, 0], [14, 14, 14, 14]]
    at      = 0
  }
  broadcast {
    sources = [[7, 7, 7, 7], [0, 7, 0, 7], [1, 2, 3, 4]]
    at      = 20
  }
}

synthesis "hx8k" {
  family    = "ice40"
  device    = "hx8k"
  package   = "ct256"
  clock_mhz = 60
  seeds     = [1, 2, 3]
}
