// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// A network with several clocks is placed with a global buffer and registers of each clock, so that paths lead from one clock to
// another only between neighbours. The slowest clock is reported.
func TestNetworkWithSeveralClocksIsPlaced(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	text := "machine \"far\" {\ndimension \"x\" {\nm = 2\nrho = 1\n}\ndimension \"y\" {\nm = 5\nrho = 1\nlink {\nkind = \"clocks\"\n}\n}\n" +
		"message {\npayload_bits = 2\nsource_id = true\n}\nrouter {\nbarrier = true\n}\n}\n" +
		"synthesis \"hx8k\" {\ndevice = \"hx8k\"\npackage = \"ct256\"\nclock_mhz = 50\n}\n"
	_, out := harness.Generate(t, harness.Text(t, text), nil)
	printed := harness.Make(t.Context(), t, out, "synth", "PLACE=network", "SEEDS=3", "JOBS=1")
	slowest := regexp.MustCompile(`median (\S+), max \S+ MHz of the network, the slowest of its 5 clocks, over seeds 3;`).FindStringSubmatch(printed)
	require.NotNil(t, slowest, printed)
	assert.Regexp(t, `network +\d+ LUT4, \d+ FF, 20 BRAM\n`, printed)

	log, err := os.ReadFile(filepath.Join(out, "build", "synth-network", "hx8k", "seed3.log"))
	require.NoError(t, err)
	_, routed, found := strings.Cut(string(log), "Routing..") // figures after placement are not final
	require.True(t, found)
	frequencies := map[string]float64{}
	for _, clock := range regexp.MustCompile(`Max frequency for clock +'clk\[(\d)\]': +(\S+) MHz`).FindAllStringSubmatch(routed, -1) {
		frequencies[clock[1]], err = strconv.ParseFloat(clock[2], 64)
		require.NoError(t, err)
	}
	assert.Len(t, frequencies, 5)
	assert.Equal(t, slowest[1], fmt.Sprintf("%.2f", slices.Min(slices.Collect(maps.Values(frequencies)))))
	pairs := map[string]bool{}
	for _, path := range regexp.MustCompile(`Max delay posedge clk\[(\d)\] +-> posedge clk\[(\d)\]`).FindAllStringSubmatch(routed, -1) {
		pairs[path[1]+path[2]] = true
	}
	assert.ElementsMatch(t, []string{"01", "10", "12", "21", "23", "32", "34", "43", "40", "04"}, slices.Collect(maps.Keys(pairs)))
}
