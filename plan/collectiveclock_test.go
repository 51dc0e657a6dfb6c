// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fit"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule"
)

// measuredNode is a line of testdata/nodeclocks.csv.
type measuredNode struct {
	name string
	plan *Collective
	mhz  float64
}

func measuredNodes(t *testing.T) map[string][]measuredNode {
	t.Helper()
	nodes := map[string][]measuredNode{}
	for _, row := range fit.Table(t, "testdata/nodeclocks.csv") {
		c := machine.Collective{
			Name: "net", Operation: row["operation"], Operator: row["operator"],
			PayloadBits: int(fit.Number(t, row["bits"])), ChunkBits: int(fit.Number(t, row["chunk"])),
		}
		if c.Operation == collective.AllReduceWord {
			c.Operation, c.OneWord = collective.AllReduce, true
		}
		p := collectiveOf(t, c, fit.Rings(t, row["m"], row["rho"])...)
		name := fmt.Sprintf("%s %s on %s / %s, %d bits in chunks of %d", row["operation"], row["operator"], row["m"], row["rho"], p.PayloadBits, p.Chunk)
		nodes[row["use"]] = append(nodes[row["use"]], measuredNode{name, p, fit.Number(t, row["mhz"])})
	}
	return nodes
}

// fitOf is the least squares of relative errors over nodes.
func fitOf(nodes []measuredNode) []float64 {
	var x [][]float64
	var y []float64
	for _, n := range nodes {
		path, _ := n.plan.slowest(n.plan.Chunk)
		counts := make([]float64, parts)
		for part, count := range path {
			counts[part] = float64(count)
		}
		x, y = append(x, counts), append(y, 1e6/n.mhz)
	}
	return fit.LeastSquares(x, y)
}

// fits reports whether the delays are those of a fit, rounded.
func fits(c []float64) bool {
	for i := range c {
		if !(math.Abs(c[i]-float64(delays[i])) <= 0.6) { // also NaN, of a fit of too few nodes
			return false
		}
	}
	return true
}

// The delays are the least squares over the nodes measured for that, and the error of each node, of further ones too, is below a
// bound. With -v it prints the fit.
func TestDelaysAreFittedToMeasuredNodes(t *testing.T) {
	measured := measuredNodes(t)
	c := fitOf(measured["fit"])
	t.Logf("delays %.1f, those of the estimate %d", c, delays)
	assert.True(t, fits(c), "the estimate has other delays: %d", delays)
	page, err := os.ReadFile("../docs/collective-networks.md")
	require.NoError(t, err)
	base := fmt.Sprintf("%d + %d L + ", delays[always], delays[perChoice])
	for _, line := range []string{
		fmt.Sprintf("| `add` | whole | %s%d K + %d c |\n", base, delays[perAdderOfWhole], delays[perAdderBitOfWhole]),
		fmt.Sprintf("| `add` | in chunks | %s%d K + %d c |\n", base, delays[perAdder], delays[perAdderBit]),
		fmt.Sprintf("| `min`, `max`, `signed_min`, `signed_max` | both | %s%d K + %d K c |\n", base, delays[perComparison], delays[perComparisonBit]),
		fmt.Sprintf("| `and`, `or`, `xor` | both | %s%d K |\n", base, delays[perGate]),
		fmt.Sprintf("The error of the clock is below %.0f %% ", clockError),
	} {
		assert.Contains(t, string(page), line)
	}
	for use, nodes := range measured {
		squares := 0.0
		for _, n := range nodes {
			path, delay := n.plan.slowest(n.plan.Chunk)
			off := 100 * (1e6/float64(delay)/n.mhz - 1)
			squares += off * off
			t.Logf("%-5s  %-72s measured %5.1f  estimated %5.1f MHz  %+5.1f %%  parts %v", use, n.name, n.mhz, 1e6/float64(delay), off, path)
			assert.Less(t, math.Abs(off), clockError, n.name)
		}
		t.Logf("%s: %d nodes, error %.1f %% (root mean square)", use, len(nodes), math.Sqrt(squares/float64(len(nodes))))
	}
}

// A wrong delay is found, whichever it is.
func TestAWrongDelayIsFound(t *testing.T) {
	nodes := measuredNodes(t)["fit"]
	right := delays
	defer func() { delays = right }()
	for i := range delays {
		delays = right
		delays[i] += 2 + delays[i]/20
		assert.False(t, fits(fitOf(nodes)), "part %d", i)
	}
}

// clockError is the error of the estimated clock of a measured node, in percent.
const clockError = 23.0

// hcgen chooses the widest of the chunks whose estimated time is the least of all chunks, or within 2 % of it.
func TestTheChosenChunkHasTheLeastEstimatedTime(t *testing.T) {
	square := func(m int) []hypercycle.Dimension { return []hypercycle.Dimension{{M: m, Rho: 1}, {M: m, Rho: 1}} }
	chosen := map[bool]int{}
	for _, rings := range [][]hypercycle.Dimension{{{M: 2, Rho: 1}}, {{M: 8, Rho: 1}}, square(4), square(8)} {
		m, err := machine.Bare(rings...)
		require.NoError(t, err)
		found := map[string]*collective.Streaming{}
		find := func(g *hypercycle.Graph, operation string, root int, given *collective.Schedule) (*collective.Streaming, int, error) {
			s, bound, err := found[operation], 0, error(nil)
			if s == nil {
				s, bound, err = schedule.ForNetwork(g, operation, root, given)
				found[operation] = s
			}
			return s, bound, err
		}
		for _, operator := range machine.Operators {
			for _, c := range []machine.Collective{{Operation: collective.ReduceScatter}, {Operation: collective.AllReduce}, {Operation: collective.AllReduce, OneWord: true}} {
				for _, bits := range []int{1, 2, 7, 32, 33, 512} {
					c.Name, c.Operator, c.PayloadBits, c.ChunkBits = "net", operator, bits, 0
					p, err := NewCollective(m, c, find)
					require.NoError(t, err)
					time := func(chunk int) int {
						_, delay := p.slowest(chunk)
						return (p.Period + 1 + (bits-1)/chunk) * delay
					}
					least := math.MaxInt
					for chunk := 1; chunk <= bits; chunk++ {
						least = min(least, time(chunk))
					}
					best := bits
					for float64(time(best)) > 1.02*float64(least) {
						best--
					}
					// Of the chunks with as many places, hcgen takes the narrowest.
					places := (bits + best - 1) / best
					best = (bits + places - 1) / places
					assert.Equal(t, best, p.Chunk, "%v", c)
					chosen[p.Skew > 0]++
				}
			}
		}
	}
	assert.Positive(t, chosen[true])
	assert.Positive(t, chosen[false])
}

// An operator of the user gets whole words, and other networks combine nothing: they have no estimate.
func TestNetworksWithoutAnEstimateHaveWholeWords(t *testing.T) {
	for _, c := range []machine.Collective{
		{Operation: collective.AllGather},
		{Operation: collective.AllReduce, Operator: "fp_adder", Latency: 3},
	} {
		c.Name, c.PayloadBits = "net", 32
		p := collectiveOf(t, c, hypercycle.Dimension{M: 8, Rho: 1})
		f := p.Figures()[0]
		assert.Equal(t, []int{32, 0, 0, 0}, []int{p.Chunk, p.Skew, f.MHz, f.NS})
		assert.Equal(t, p.Period+1, f.Cycles)
	}
}
