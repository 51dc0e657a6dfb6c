// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// far is a dimension whose links have registers, or none.
type far struct{ m, rho, registers int }

// Networks whose links have registers equal the model in every cycle, at both ends of each link: with slices, with credits, with
// both and with wires beside them; rings with and without a continuation, many ports, four dimensions, and every option.
func TestLinksWithRegistersEqualTheModel(t *testing.T) {
	const all = "source_id = true\ndestination = true\nlast = true\ndeliver_destination = true"
	for i, c := range []struct {
		name            string
		dimensions      []far
		message, router string
	}{
		{"ring of 3", []far{{3, 1, 3}}, "", ""},
		{"slices and credits", []far{{4, 1, 1}, {4, 1, 3}}, "", ""},
		{"rows", []far{{4, 1, 0}, {4, 1, 3}}, "destination = true", "barrier = true"},
		{"ring of 8", []far{{8, 1, 2}}, "", ""},
		{"pairs", []far{{2, 1, 4}, {3, 1, 1}}, "source_id = true", ""},
		{"long links", []far{{12, 3, 5}}, "", ""},
		{"one hop", []far{{4, 2, 3}, {4, 2, 1}}, "", ""},
		{"transfers", []far{{6, 3, 2}, {5, 2, 8}}, "", ""},
		{"degree of 16", []far{{17, 8, 1}}, "", ""},
		{"four dimensions", []far{{2, 1, 1}, {3, 1, 3}, {2, 1, 0}, {3, 1, 2}}, "", "barrier = true"},
		{"two stages", []far{{5, 1, 3}, {3, 1, 1}}, "", "stages = 2\nfifo_depth = 4\ndelivery = \"per_port\""},
		{"every option", []far{{5, 1, 1}, {4, 1, 3}}, all, "barrier = true\ndelivery = \"per_port\""},
		{"far apart", []far{{3, 1, 64}}, "", "barrier = true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if i > 0 {
				needs.Time(t)
			}
			var dimensions strings.Builder
			for k, d := range c.dimensions {
				fmt.Fprintf(&dimensions, "dimension \"d%d\" {\nm = %d\nrho = %d\nlink {\nkind = \"wires\"\nregisters = %d\n}\n}\n", k+1, d.m, d.rho, d.registers)
			}
			text := fmt.Sprintf("machine \"far\" {\n%smessage {\npayload_bits = 8\n%s\n}\nrouter {\n%s\n}\n}\n", dimensions.String(), c.message, c.router)
			_, out := harness.Generate(t, harness.Text(t, text), nil)
			printed := harness.Make(t.Context(), t, out, "lint", "sim", "JOBS=1")
			assert.Contains(t, printed, "PASS: far_router.router: ")
			assert.Contains(t, printed, "PASS: far_network.alone: ")
			assert.Contains(t, printed, "PASS: far_network.storm: ")
			assert.Contains(t, harness.Make(t.Context(), t, out, "free-run", "CYCLES=5000"), "PASS: far_network.free_run: ")
		})
	}
}
