# SPDX-License-Identifier: Apache-2.0
#
# The 4x4 torus of examples/chips: each row is on a chip, and four chips are a ring of cables. A cable is five pins each way, four
# for data, so a word of 16 bits takes four cycles.

machine "rows" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
    link {
      kind      = "chips"
      word_bits = 16
      flight    = 8
      silence   = 1024
    }
  }
  router {
    barrier = true
  }
  message {
    payload_bits = 16
    source_id    = true
  }
}
