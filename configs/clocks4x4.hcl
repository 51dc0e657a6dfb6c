# SPDX-License-Identifier: Apache-2.0
#
# A 4x4 torus in which each row has a clock of its own, for example one per chip or per board. It has destinations and a barrier.

machine "clocks4x4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
    link {
      kind = "clocks"
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
