// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

var preferences = []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced}

func newPlan(t testing.TB, p hypercycle.Preference, dims ...hypercycle.Dimension) *plan.Plan {
	t.Helper()
	m, err := machine.Bare(dims...)
	require.NoError(t, err)
	m.Preference = p
	return plan.New(m)
}

// samples are machines with every kind of port: antipodes, ring ports with and
// without an entering weight, short links that transfer, dimensions without rings.
var samples = [][]hypercycle.Dimension{
	{{M: 2, Rho: 1}},
	{{M: 6, Rho: 2}},
	{{M: 15, Rho: 3}},
	{{M: 4, Rho: 1}, {M: 4, Rho: 1}},
	{{M: 6, Rho: 2}, {M: 5, Rho: 1}},
	{{M: 5, Rho: 2}, {M: 6, Rho: 3}, {M: 3, Rho: 1}},
	{{M: 2, Rho: 1}, {M: 9, Rho: 2}, {M: 2, Rho: 1}, {M: 8, Rho: 3}},
}

// The share of the range that runs with all tests: the smaller machines in every
// order from every node, and one in some thousand of the larger ones.
func TestShareOfTheRange(t *testing.T) {
	const every = 4001
	var c Checker
	var dims [MaxRank]hypercycle.Dimension
	var s Count
	drawn := 0
	i := 0
	for m, ok := first(), true; ok; m, ok = m.next() {
		if m.nodes() <= AllSources || i%every == 0 {
			count, err := c.Machine(m.dimensions(dims[:0]), m.source())
			require.NoError(t, err)
			s.Add(count)
			drawn++
		}
		i++
	}
	assert.Equal(t, drawn, s.Machines)
	assert.Equal(t, 5973, s.AllSources)
	assert.Greater(t, s.Machines, s.AllSources+Machines/every-100)
	assert.Greater(t, s.Multisets, 700)
	assert.Equal(t, 7, s.LargestWC)
}

// The executed broadcasts equal those of the library.
func TestTreesAreThoseOfTheLibrary(t *testing.T) {
	var c Checker
	for _, dims := range samples {
		for _, p := range preferences {
			made := newPlan(t, p, dims...)
			source := made.Nodes * 2 / 3
			messages, err := c.Broadcast(made, source)
			require.NoError(t, err)
			tree := made.Machine.Graph.Broadcast(source, p)
			require.Equal(t, tree.Messages, messages)
			for n := range made.Nodes {
				node := c.node(n)
				require.Equal(t, n, c.number(node))
				low, high := c.low[node&0xff], c.high[node>>8]
				assert.Equal(t, int(tree.Step[n]), int(low.step+high.step))
				in := low.in
				if in == atSource {
					in = high.in
				}
				if n == source {
					assert.Equal(t, atSource, int(in))
				} else {
					assert.Equal(t, made.Ports[tree.Port[n]].Opposite, int(in))
				}
			}
		}
	}
}

// The checker detects every constant of a plan that is changed by hand.
func TestEveryBrokenWeightIsNoticed(t *testing.T) {
	var c Checker
	broken := 0
	for _, dims := range samples {
		for _, p := range preferences {
			ports := len(newPlan(t, p, dims...).Ports)
			for i := range ports {
				for _, change := range []int{-2, -1, +1, +2} {
					made := newPlan(t, p, dims...)
					made.Ports[i].First += change
					name := fmt.Sprintf("%v %s: weight of port %d %+d", dims, p, i, change)
					if made.Ports[i].First < 0 || made.Ports[i].First-change == 0 {
						continue // no weight, or a port that nothing enters
					}
					_, err := c.Broadcast(made, 1)
					require.Error(t, err, name)
					broken++
				}
			}
		}
	}
	assert.Greater(t, broken, 300)
}

func TestEveryBrokenConstantIsNoticed(t *testing.T) {
	var c Checker
	g6x5 := []hypercycle.Dimension{{M: 6, Rho: 2}, {M: 5, Rho: 1}} // ports 0..3 and 4, 5
	for _, broken := range []struct {
		name  string
		apply func(p *plan.Plan)
		says  string
	}{
		{"a weight too small", func(p *plan.Plan) { p.Ports[4].First = 1 }, "want 29: 6 nodes never receive"},
		{"a weight too large", func(p *plan.Plan) { p.Ports[2].First = 2 }, "is reached a second time"},
		{"a weight above D", func(p *plan.Plan) { p.Ports[0].First = 3 }, "entered with weight 3, want 1..2"},
		{"weight 0 is sent", func(p *plan.Plan) { p.Ports[0].First = 0 }, "the header is malformed"},
		{"weights of two ports swapped", func(p *plan.Plan) { p.Ports[4].First, p.Ports[5].First = 1, 3 }, "entered with weight 3"},
		{"a port is not entered", func(p *plan.Plan) { p.Dims[0].Entered = p.Dims[0].Entered[1:] }, "never receive"},
		{"a port is entered that has no weight", func(p *plan.Plan) { p.Dims[0].Entered = append(p.Dims[0].Entered, 3) }, "is reached a second time"},
		{"a port is entered twice", func(p *plan.Plan) { p.Dims[1].Entered = append(p.Dims[1].Entered, 4) }, "is reached a second time"},
		{"a port that does not exist", func(p *plan.Plan) { p.Dims[1].Entered[0] = 6 }, "does not exist"},
		{"a lower dimension is not entered", func(p *plan.Plan) { p.Dims[0].Sources = p.Dims[0].Sources[1:] }, "never receive"},
		{"a dimension is entered from itself", func(p *plan.Plan) { p.Dims[1].Sources = []int{4} }, "is reached a second time"},
		{"an input that does not exist", func(p *plan.Plan) { p.Dims[1].Sources = []int{-1} }, "does not exist"},
		{"continued the wrong way", func(p *plan.Plan) {
			p.Ports[4].ContinueFrom, p.Ports[5].ContinueFrom = 4, 5
			p.Ports[4].ContinueTo, p.Ports[5].ContinueTo = 4, 5
		}, "is reached a second time"},
		{"not continued", func(p *plan.Plan) { p.Ports[4].Ring, p.Ports[5].ContinueTo = false, -1 }, "from where no message goes on"},
		{"sides disagree", func(p *plan.Plan) { p.Ports[5].ContinueTo = 5 }, "says the input"},
		{"not transferred", func(p *plan.Plan) { p.Ports[1].TransferFrom, p.Ports[2].ContinueTo = nil, -1 }, "from where no message goes on"},
		{"continues from two inputs", func(p *plan.Plan) { p.Ports[5].ContinueFrom = 5; p.Ports[4].TransferFrom = []int{5} }, "feeds another port too"},
		{"ports in another order", func(p *plan.Plan) { p.Ports[0], p.Ports[1] = p.Ports[1], p.Ports[0] }, "port 0 of the plan is number 1"},
		{"a distance", func(p *plan.Plan) { p.Ports[1].Distance = 1 }, "distance 1"},
		{"a link leads elsewhere", func(p *plan.Plan) { p.Ports[0].Opposite = 3 }, "opposite 3"},
		{"a limit of wc", func(p *plan.Plan) { p.Ports[0].D = 3 }, "allows weights up to 3"},
		{"wd too narrow", func(p *plan.Plan) { p.WdBits-- }, "wd has 1 bits, want 2"},
		{"wd too wide", func(p *plan.Plan) { p.WdBits++ }, "wd has 3 bits, want 2"},
		{"wc too narrow", func(p *plan.Plan) { p.WcBits-- }, "wc has 1 bits, want 2"},
		{"wc too wide", func(p *plan.Plan) { p.WcBits++ }, "wc has 3 bits, want 2"},
		{"a link too narrow", func(p *plan.Plan) { p.LinkBits-- }, "a link has"},
		{"nodes", func(p *plan.Plan) { p.Nodes++ }, "the plan has 31 nodes"},
		{"another preference's weights", func(p *plan.Plan) { p.Machine.Preference = hypercycle.Balanced }, "as the trees of its rings say"},
		{"another machine's links", func(p *plan.Plan) {
			p.Machine.Graph, _ = hypercycle.New(hypercycle.Dimension{M: 5, Rho: 1}, hypercycle.Dimension{M: 6, Rho: 2})
		}, "leads to node"},
	} {
		p := newPlan(t, hypercycle.Clockwise, g6x5...)
		_, err := c.Broadcast(p, 7)
		require.NoError(t, err)
		broken.apply(p)
		_, err = c.Broadcast(p, 7)
		require.ErrorContains(t, err, broken.says, broken.name)
	}
}

// Each check of an arrival detects a fault by itself.
func TestEveryCheckOfAnArrivalFails(t *testing.T) {
	p := newPlan(t, hypercycle.Balanced, samples[4]...)
	fresh := func() *Checker {
		c := &Checker{}
		_, err := c.Broadcast(p, 0)
		require.NoError(t, err)
		require.NoError(t, c.search())
		return c
	}
	c := fresh()
	c.low[c.node(8)].step++
	_, _, err := c.execute()
	require.ErrorContains(t, err, "node 8 receives in step 2 on port")
	require.ErrorContains(t, c.search(), "node 8 receives in step 3, but is at distance 2")

	c = fresh()
	c.low[c.node(8)].in = 0
	_, _, err = c.execute()
	require.ErrorContains(t, err, "node 8 receives in step 2 on port")

	c = fresh()
	c.ports[4].to[0] = c.ports[4].to[4] // one link leads back: a node is not found
	require.Error(t, c.search())

	pair := newPlan(t, hypercycle.Balanced, hypercycle.Dimension{M: 2, Rho: 1})
	c = &Checker{}
	_, err = c.Broadcast(pair, 0)
	require.NoError(t, err)
	c.ports[0].to[0] = 0
	require.ErrorContains(t, c.search(), "1 of 2 nodes are found")

	was := treeOf[2][1][hypercycle.Balanced]
	defer func() { treeOf[2][1][hypercycle.Balanced] = was }()
	longer := *was
	longer.diameter++
	treeOf[2][1][hypercycle.Balanced] = &longer
	pair.Ports[0].D++
	_, err = c.Broadcast(pair, 0)
	require.ErrorContains(t, err, "the last node receives in step 1, want 2, the diameter")

	c = fresh()
	c.largest--
	require.ErrorContains(t, c.fields(p), "the largest wc sent is 1, want 2")
}

// A fault names its place: here another step is expected in ring (3,1).
func TestFaultsNameTheMachine(t *testing.T) {
	was := treeOf[3][1][hypercycle.Counterclockwise]
	defer func() { treeOf[3][1][hypercycle.Counterclockwise] = was }()
	other := *was
	other.step[2] = 2
	treeOf[3][1][hypercycle.Counterclockwise] = &other
	var c Checker
	_, err := c.Machine([]hypercycle.Dimension{{M: 2, Rho: 1}, {M: 3, Rho: 1}}, 0)
	require.EqualError(t, err, "machine (2,1)x(3,1), counterclockwise, source 0: "+
		"node 4 receives in step 1 on port 1, want step 2 on port 1, as the trees of its rings say")
}

// Clockwise does not reach every node at its distance, which a search must detect.
func TestSearchSeesLateNodes(t *testing.T) {
	var c Checker
	_, err := c.Broadcast(newPlan(t, hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2}), 0)
	require.NoError(t, err)
	require.ErrorContains(t, c.search(), "node 4 receives in step 2, but is at distance 1")
}

func TestMachinesOutsideTheRangeAreRefused(t *testing.T) {
	var c Checker
	two := hypercycle.Dimension{M: 2, Rho: 1}
	for says, dims := range map[string][]hypercycle.Dimension{
		"5 dimensions":      {two, two, two, two, two},
		"m = 16":            {{M: 16, Rho: 1}},
		"degree 18":         {{M: 15, Rho: 5}, {M: 9, Rho: 4}},
		"at least 2 nodes":  {{M: 1, Rho: 1}},
		"at least one dime": {},
	} {
		_, err := c.Machine(dims, 0)
		require.ErrorContains(t, err, says)
	}
	_, err := c.Broadcast(newPlan(t, hypercycle.Clockwise, two), 2)
	require.ErrorContains(t, err, "source 2 is outside 0..1")
}
