# SPDX-License-Identifier: Apache-2.0
#
# The ring of 8 nodes of examples/packets: messages to single nodes, closed with tlast.

machine "ring8" {
  dimension "x" {
    m   = 8
    rho = 1
  }
  message {
    payload_bits = 32
    source_id    = true
    destination  = true
    last         = true
  }
}
