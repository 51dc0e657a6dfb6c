// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/fit"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// The constants of the estimate are the least squares of relative errors over the
// routers measured for that, and the error of each router, of further ones too, is below a bound.
// With -v it prints the fit.
func TestCostIsFittedToMeasuredRouters(t *testing.T) {
	for _, c := range []struct {
		column      string
		destination bool
		most        float64 // error of a router in percent
	}{{"lut4", false, 10}, {"destination_lut4", true, 13}} {
		t.Run(c.column, func(t *testing.T) { fits(t, c.column, c.destination, c.most) })
	}
}

func fits(t *testing.T, column string, destination bool, most float64) {
	type router struct {
		name string
		plan *plan.Plan
		lut4 float64
	}
	measured := map[string][]router{}
	for _, row := range fit.Table(t, "testdata/measured.csv") {
		bare, err := machine.Bare(fit.Rings(t, row["m"], row["rho"])...)
		require.NoError(t, err)
		bare.Destination = destination
		measured[row["use"]] = append(measured[row["use"]], router{row["m"] + " / " + row["rho"], plan.New(bare), fit.Number(t, row[column])})
	}
	require.Len(t, measured, 2)
	var x [][]float64
	var y []float64
	for _, r := range measured["fit"] {
		x, y = append(x, parts(r.plan)), append(y, r.lut4)
	}
	c := fit.LeastSquares(x, y)
	t.Logf("constants %.2f, those of the estimate %.2f", c, costs[destination])
	assert.InDeltaSlice(t, c, costs[destination], 0.006, "the estimate has other constants")
	page, err := os.ReadFile("../../docs/explore.md")
	require.NoError(t, err)
	formula := fmt.Sprintf("LUT4 = %.2f b + %.2f r + %.2f e + %.2f c", c[0], c[1], c[2], c[3])
	if destination {
		formula += fmt.Sprintf(" + %.2f c f", c[4])
	}
	assert.Contains(t, string(page), formula+"\n")
	assert.Len(t, measured["fit"], 44)
	assert.Len(t, measured["check"], 10)

	for use, routers := range measured {
		squares := 0.0
		for _, r := range routers {
			off := 100 * (estimate(r.plan)/r.lut4 - 1)
			squares += off * off
			t.Logf("%-5s  %-32s measured %4.0f  estimated %4.0f  %+5.1f %%  parts %v", use, r.name, r.lut4, estimate(r.plan), off, parts(r.plan))
			assert.Less(t, math.Abs(off), most, r.name)
		}
		t.Logf("%s: %d routers, error %.1f %% (root mean square)", use, len(routers), math.Sqrt(squares/float64(len(routers))))
	}
}

// The constants for hc_packets are the least squares of relative errors over the measured modules of that shape.
func TestCostOfPacketsIsFittedToMeasuredModules(t *testing.T) {
	var x [][]float64
	var y []float64
	for _, row := range fit.Table(t, "testdata/packets.csv") {
		if row["depth_bits"] == "2" && row["width"] == "32" && row["packets"] == "4" {
			x, y = append(x, []float64{1, fit.Number(t, row["sources"])}), append(y, fit.Number(t, row["lut4"]))
		}
	}
	require.Len(t, y, 15)
	c := fit.LeastSquares(x, y)
	assert.InDeltaSlice(t, c, packetsCost, 0.006, "the estimate has other constants")
	page, err := os.ReadFile("../../docs/explore.md")
	require.NoError(t, err)
	assert.Contains(t, string(page), fmt.Sprintf("LUT4 = %.2f + %.2f N\n", c[0], c[1]))
	for i := range y {
		off := 100 * (float64(PacketsCost(int(x[i][1])))/y[i] - 1)
		t.Logf("%3.0f sources  measured %4.0f  %+5.1f %%", x[i][1], y[i], off)
		assert.Less(t, math.Abs(off), 5.0, "%.0f sources", x[i][1])
	}
}

// The constants for a node of a collective network are the least squares of relative errors over the nodes measured for
// that, and the error of each node, of further ones too, is below a bound, or 20 LUT4: a node of a complete graph chooses nothing. With -v it prints the fit.
func TestCostOfCollectiveNodesIsFittedToMeasuredOnes(t *testing.T) {
	type node struct {
		name string
		plan *plan.Collective
		lut4 float64
	}
	measured := map[string][]node{}
	for _, row := range fit.Table(t, "testdata/collectives.csv") {
		bare, err := machine.Bare(fit.Rings(t, row["m"], row["rho"])...)
		require.NoError(t, err)
		p, err := plan.NewCollective(bare, CollectiveBlock(row["operation"]), schedule.ForNetwork)
		require.NoError(t, err)
		measured[row["use"]] = append(measured[row["use"]], node{row["operation"] + " on " + row["m"] + " / " + row["rho"], p, fit.Number(t, row["lut4"])})
	}
	require.Len(t, measured["fit"], 30)
	require.Len(t, measured["check"], 15)
	var x [][]float64
	var y []float64
	for _, n := range measured["fit"] {
		x, y = append(x, collectiveParts(n.plan)), append(y, n.lut4)
	}
	c := fit.LeastSquares(x, y)
	t.Logf("constants %.2f, those of the estimate %.2f", c, collectiveCost)
	assert.InDeltaSlice(t, c, collectiveCost, 0.006, "the estimate has other constants")
	page, err := os.ReadFile("../../docs/explore.md")
	require.NoError(t, err)
	assert.Contains(t, string(page), fmt.Sprintf("LUT4 = %.2f c + %.2f s + %.2f f + %.2f e\n", c[0], c[1], c[2], c[3]))
	worst, worstCopied := 0.0, 0.0
	for use, nodes := range measured {
		for _, n := range nodes {
			off := 100 * (collectiveEstimate(n.plan)/n.lut4 - 1)
			t.Logf("%-5s  %-32s measured %4.0f  estimated %4.0f  %+5.1f %%  parts %v", use, n.name, n.lut4, collectiveEstimate(n.plan), off, collectiveParts(n.plan))
			if math.Abs(collectiveEstimate(n.plan)-n.lut4) > 20 {
				worst = max(worst, math.Abs(off))
				if !n.plan.HasResult() {
					worstCopied = max(worstCopied, math.Abs(off))
				}
			}
		}
	}
	assert.Less(t, worst, 25.0)
	assert.Less(t, worstCopied, 21.0)
}

// Larger machines have no plan of a collective network, and the columns are there only if it was asked for.
func TestCollectiveNetworksOfSmallMachinesArePlanned(t *testing.T) {
	q := Query{Nodes: Range{63, 65}, Degree: Range{2, 2}, Dims: Range{1, 1}, Links: AllLinks, Collective: collective.TotalExchange}
	list, err := List(q)
	require.NoError(t, err)
	require.Len(t, list, 3)
	for _, m := range list {
		assert.Equal(t, m.Nodes <= MaxCollectiveNodes, m.Collective.Steps >= m.TotalExchange, m.String())
		assert.Equal(t, m.Nodes <= MaxCollectiveNodes, m.Collective.LUT4 > 0, m.String())
	}
	var table, text strings.Builder
	require.NoError(t, WriteTable(&table, Table{q, list}))
	require.NoError(t, WriteCSV(&text, Table{q, list}))
	assert.Contains(t, table.String(), "collective-steps  collective-cycles  ~collective-LUT4  collective-chunk  ~collective-clock  ~collective-time\n")
	assert.Regexp(t, `(?m)^.*\(65,1\).* -  +-  +-  +-  +-  +-$`, table.String())
	assert.Contains(t, text.String(), ",collective_steps,collective_cycles,collective_lut4,collective_chunk_bits,collective_estimated_mhz,collective_estimated_ns\n")

	q.Collective = ""
	list, err = List(q)
	require.NoError(t, err)
	text.Reset()
	require.NoError(t, WriteCSV(&text, Table{q, list}))
	assert.NotContains(t, text.String(), "collective")
}

// The page about hc_packets has measured figures.
func TestFiguresOfPacketsOnThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/using-the-network.md")
	require.NoError(t, err)
	measured := map[string]bool{}
	for _, row := range fit.Table(t, "testdata/packets.csv") {
		if row["packets"] == "4" {
			measured[fmt.Sprintf("| %s | %d | %s | %s | %s | %s |", row["sources"], 1<<int(fit.Number(t, row["depth_bits"])), row["width"], row["lut4"], row["ff"], row["block_ram"])] = true
		}
	}
	shown := regexp.MustCompile(`(?m)^\|( \d+ \|){6}$`).FindAllString(string(page), -1)
	assert.Len(t, shown, 4)
	for _, line := range shown {
		assert.True(t, measured[line], line)
	}
}
