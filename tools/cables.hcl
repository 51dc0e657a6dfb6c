# SPDX-License-Identifier: Apache-2.0
#
# The machine of make campaign WHAT=chips: four chips in a ring, each with a row of four nodes.

machine "cables" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
    link {
      kind    = "chips"
      silence = 1024
    }
  }
  message {
    destination = true
  }
  router {
    barrier = true
  }
}
