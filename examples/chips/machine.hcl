# SPDX-License-Identifier: Apache-2.0
#
# The ring of six of examples/chips: words of 16 bits, each with the address of its source. The
# routers are wired by hand, so no network is generated.

machine "ring6" {
  network = false
  dimension "x" {
    m   = 6
    rho = 1
  }
  message {
    payload_bits = 16
    source_id    = true
  }
}
