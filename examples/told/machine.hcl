# SPDX-License-Identifier: Apache-2.0
#
# The ring of examples/told: programmable routers that can be any ring of up to 4 nodes and 2
# ports, wired as a ring of 4. --var bus=axi4lite makes those that are told over AXI4-Lite.

variable "bus" {
  type        = string
  default     = "wishbone"
  description = "bus over which the routers are told their machine"
}

machine "told" {
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
