# SPDX-License-Identifier: Apache-2.0
#
# A 4x4 torus whose rows are far apart: a link between rows has 3 registers on the way. It has destinations and a barrier.

machine "rows4x4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
    link {
      kind      = "wires"
      registers = 3
    }
  }
  message {
    payload_bits = 16
    source_id    = true
    destination  = true
  }
  router {
    barrier = true
  }
}
