# SPDX-License-Identifier: Apache-2.0
#
# The ring of 8 nodes of examples/board: bytes, each with the address of its source.

machine "ring8" {
  dimension "x" {
    m   = 8
    rho = 1
  }
  message {
    payload_bits = 8
    source_id    = true
  }
}
