# SPDX-License-Identifier: Apache-2.0
#
# A wide payload, 128 bits, on a small ring of 5 nodes (D = 2).
# --var payload_bits=1024 gives the widest payload, with a router larger than an HX8K.

variable "payload_bits" {
  type    = number
  default = 128
}

machine "wide" {
  dimension "x" {
    m   = 5
    rho = 1
  }
  message {
    payload_bits = var.payload_bits
  }
}

# Scheduled broadcasts, some at the same time.
traffic "corner" {
  cycles = 200
  broadcast {
    sources = [[0]]
  }
  broadcast {
    sources = [[1], [4]]
    at      = [10, 10]
  }
  broadcast {
    sources = [[0], [2], [3]]
    at      = 60
  }
}

# Every node broadcasts at random and every receiver stalls at times.
traffic "storm" {
  cycles = 200
  random {
    rate  = 0.3
    stall = 0.2
    seed  = 1
  }
}

synthesis "hx8k" {
  family    = "ice40"
  device    = "hx8k"
  package   = "ct256"
  clock_mhz = 100
  seeds     = [1, 2, 3]
}
