// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// Collective networks in a system with endpoints are linted and simulated, with vectors and without: Verilator 5.006 fails if another
// module contains the network that is its top.
func TestCollectiveNetworksBesideEndpoints(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "make", "verilator", "g++")
	_, out := harness.Generate(t, harness.Text(t, `machine "small" {
  dimension "x" {
    m   = 3
    rho = 1
  }
  endpoint {}
  collective "total" {
    operation = "total-exchange"
    vector    = 5
  }
  collective "sums" {
    operation = "reduce-scatter"
  }
}
`), nil)
	printed := harness.Make(t.Context(), t, out, "lint-verilator", "sim-total", "sim-sums", "sim-system")
	assert.Contains(t, printed, "verilator --lint-only -Wall: small_system\n")
	assert.Contains(t, printed, "PASS: small__total_network: ")
	assert.Contains(t, printed, "PASS: small__sums_network: ")
}
