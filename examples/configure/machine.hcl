# SPDX-License-Identifier: Apache-2.0
#
# A ring of 4 programmable routers that can be configured as any ring of up to 4 nodes and 2
# ports. --var bus=axi4lite selects AXI4-Lite.

variable "bus" {
  type        = string
  default     = "wishbone"
  description = "configuration bus"
}

machine "ring4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 8
  }
  router {
    kind           = "programmable"
    config_bus     = var.bus
    max_dimensions = 1
    max_nodes      = 4
    max_degree     = 2
  }
}
