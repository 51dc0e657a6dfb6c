// SPDX-License-Identifier: Apache-2.0

package hypercycle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
)

// checkMulticast compares a tree with the set of its destination: the message is delivered exactly once to each
// node of the set and to no other, over existing links, one per step, in order of the dimensions, and in time.
func checkMulticast(g *hypercycle.Graph, source int, d hypercycle.Destination, p hypercycle.Preference) error {
	t := g.Multicast(source, d, p)
	messages, last := 0, 0
	for v := range g.Nodes() {
		if want := g.Contains(d, source, v); t.Delivers[v] != want {
			return fmt.Errorf("node %d: delivered %t, in the set %t", v, t.Delivers[v], want)
		}
		parent, step := int(t.Parent[v]), int(t.Step[v])
		if parent < 0 {
			if step != 0 || t.Port[v] != -1 || t.Delivers[v] {
				return fmt.Errorf("node %d receives from nobody", v)
			}
			continue
		}
		messages++
		if g.Neighbor(parent, int(t.Port[v])) != v {
			return fmt.Errorf("node %d: port %d of %d does not lead to it", v, t.Port[v], parent)
		}
		if parent != source && t.Parent[parent] < 0 || step != int(t.Step[parent])+1 {
			return fmt.Errorf("node %d: step %d after step %d of %d", v, step, t.Step[parent], parent)
		}
		if parent != source {
			to, from := g.Ports()[t.Port[v]], g.Ports()[t.Port[parent]]
			if to.Dimension > from.Dimension || to.Dimension == from.Dimension && (to.Direction != from.Direction || to.Distance != g.Dimension(to.Dimension).Rho) {
				return fmt.Errorf("node %d: port %+v after port %+v", v, to, from)
			}
		}
		if t.Delivers[v] {
			last = max(last, step)
			want := 0
			for i := 1; i <= g.Rank(); i++ {
				offset := g.Digit(v, i) - g.Digit(source, i)
				if d[i-1] == hypercycle.All {
					want += g.Dimension(i).Arrival(p, offset)
				} else {
					want += g.Dimension(i).Distance(offset)
				}
			}
			if step != want || d.Unicast() && step != g.Distance(source, v) {
				return fmt.Errorf("node %d: step %d, its digits say %d", v, step, want)
			}
		} else if !slices.Contains(t.Parent, int32(v)) {
			return fmt.Errorf("node %d receives for nothing", v)
		}
	}
	if messages != t.Messages || last != t.Steps || last != g.Farthest(d, source) {
		return fmt.Errorf("%d messages, last delivery in step %d, farthest node %d; the tree says %d and %d", messages, last, g.Farthest(d, source), t.Messages, t.Steps)
	}
	return nil
}

// everyDestination calls visit with each destination of a graph. The slice is reused.
func everyDestination(g *hypercycle.Graph, visit func(hypercycle.Destination)) {
	d := make(hypercycle.Destination, g.Rank())
	var digits func(i int)
	digits = func(i int) {
		if i > g.Rank() {
			visit(d)
			return
		}
		for digit := hypercycle.All; digit < g.Dimension(i).M; digit++ {
			d[i-1] = digit
			digits(i + 1)
		}
	}
	digits(1)
}

// everyMachine calls visit with every machine of up to the given number of nodes and four dimensions, in every order of these.
func everyMachine(nodes int, visit func(dims []hypercycle.Dimension)) {
	var dims []hypercycle.Dimension
	var extend func(limit int)
	extend = func(limit int) {
		if len(dims) > 0 {
			visit(dims)
		}
		if len(dims) == 4 {
			return
		}
		for m := 2; m <= limit; m++ {
			for rho := 1; rho <= m/2; rho++ {
				dims = append(dims, hypercycle.Dimension{M: m, Rho: rho})
				extend(limit / m)
				dims = dims[:len(dims)-1]
			}
		}
	}
	extend(nodes)
}

func TestEveryMulticastOnEverySmallMachine(t *testing.T) {
	machines := 0
	everyMachine(16, func(dims []hypercycle.Dimension) {
		machines++
		g := mustNew(t, dims...)
		for source := range g.Nodes() {
			everyDestination(g, func(d hypercycle.Destination) {
				for _, p := range preferences {
					require.NoError(t, checkMulticast(g, source, d, p), "%v, %v: from %d to %v", dims, p, source, d)
				}
			})
		}
	})
	assert.Equal(t, 64+44+10+1, machines, "of one to four dimensions")
}

func TestMulticastOnLargerMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := anyMachine(t, 256)
		g, err := hypercycle.New(dims...)
		require.NoError(t, err)
		p := anyPreference(t)
		for range 20 {
			d := make(hypercycle.Destination, g.Rank())
			for i := range d {
				d[i] = rapid.IntRange(hypercycle.All, g.Dimension(i+1).M-1).Draw(t, "digit")
				if rapid.Bool().Draw(t, "all") {
					d[i] = hypercycle.All
				}
			}
			source := anyNode(t, g, "source")
			require.NoError(t, checkMulticast(g, source, d, p), "%v, %v: from %d to %v", dims, p, source, d)
		}
	})
}

func TestAMulticastToAllNodesIsTheBroadcast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, err := hypercycle.New(anyMachine(t, 256)...)
		require.NoError(t, err)
		p, source := anyPreference(t), anyNode(t, g, "source")
		tree := g.Multicast(source, hypercycle.Everywhere(g.Rank()), p)
		for v, delivers := range tree.Delivers {
			require.Equal(t, v != source, delivers)
		}
		tree.Delivers = nil
		require.Equal(t, g.Broadcast(source, p), tree)
	})
}

// Worked out by hand from docs/addressed-messages.md.
func TestMulticastsByHand(t *testing.T) {
	ring := hypercycle.Dimension{M: 4, Rho: 1}
	torus := mustNew(t, ring, ring)
	ports := func(tree *hypercycle.Tree) map[int]int32 {
		by := map[int]int32{}
		for v, port := range tree.Port {
			if port >= 0 {
				by[v] = port
			}
		}
		return by
	}
	// The row y = 2 from (0,0), 2 hops away: y first, clockwise because 0 is even, then x as a broadcast.
	tree := torus.Multicast(0, hypercycle.Destination{hypercycle.All, 2}, hypercycle.Clockwise)
	assert.Equal(t, map[int]int32{4: 2, 8: 2, 9: 0, 10: 0, 11: 1}, ports(tree))
	assert.Equal(t, []int32{0, 0, 0, 0, 1, 0, 0, 0, 2, 3, 4, 3, 0, 0, 0, 0}, tree.Step)
	assert.False(t, tree.Delivers[4], "it passes the message on")
	assert.True(t, tree.Delivers[8])
	// The column x = 3 from (0,1): the message enters y, and every node of that ring, the source included, sends it along x.
	tree = torus.Multicast(1, hypercycle.Destination{3, hypercycle.All}, hypercycle.Clockwise)
	assert.Equal(t, map[int]int32{5: 2, 9: 2, 13: 3, 0: 1, 3: 1, 4: 1, 7: 1, 8: 1, 11: 1, 12: 1, 15: 1}, ports(tree), "1 is odd: to its antipode counterclockwise")
	// An antipode half way round a ring of links of all lengths is one clockwise link away from an odd node.
	complete := mustNew(t, hypercycle.Dimension{M: 4, Rho: 2})
	tree = complete.Multicast(1, hypercycle.Destination{3}, hypercycle.Counterclockwise)
	assert.Equal(t, map[int]int32{3: 1}, ports(tree))
	// The short link first: 5 = 1 + 2 + 2.
	long := mustNew(t, hypercycle.Dimension{M: 11, Rho: 2})
	tree = long.Multicast(0, hypercycle.Destination{5}, hypercycle.Clockwise)
	assert.Equal(t, map[int]int32{1: 0, 3: 1, 5: 1}, ports(tree))
	// The empty set.
	tree = torus.Multicast(6, torus.To(6), hypercycle.Balanced)
	assert.Zero(t, tree.Messages)
	assert.Zero(t, tree.Steps)
	assert.Empty(t, ports(tree))
}

func TestMulticastPanicsOnWhatIsNotInTheGraph(t *testing.T) {
	g := mustNew(t, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 3, Rho: 1})
	for _, d := range []hypercycle.Destination{nil, {1}, {1, 3}, {4, 0}, {-2, 0}, {0, 0, 0}} {
		assert.Panics(t, func() { g.Multicast(0, d, hypercycle.Clockwise) }, "%v", d)
	}
	assert.Panics(t, func() { g.Multicast(12, g.To(0), hypercycle.Clockwise) })
	assert.Panics(t, func() { g.Multicast(-1, g.To(0), hypercycle.Clockwise) })
}

func TestDestinationsAsAddresses(t *testing.T) {
	g := mustNew(t, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 3, Rho: 1})
	d, err := g.Destination(2, hypercycle.All)
	require.NoError(t, err)
	assert.Equal(t, hypercycle.Destination{hypercycle.All, 2}, d)
	assert.Equal(t, "2,*", d.String())
	assert.Equal(t, d, g.Row(9))
	assert.Equal(t, hypercycle.Destination{1, 2}, g.To(9))
	for _, digits := range [][]int{{2}, {3, 0}, {0, 4}, {-2, 0}, {0, 0, 0}, {}} {
		_, err := g.Destination(digits...)
		assert.Error(t, err, "%v", digits)
	}
	everyDestination(g, func(d hypercycle.Destination) {
		unicast, nodes := 0, 0
		for v := range g.Nodes() {
			if g.Contains(d, -1, v) {
				nodes++
				unicast = v
			}
		}
		assert.Equal(t, nodes == 1, d.Unicast(), "%v", d)
		assert.Equal(t, nodes == g.Nodes(), d.Broadcast(), "%v", d)
		if d.Unicast() {
			assert.Equal(t, d, g.To(unicast))
		}
		for source := range g.Nodes() {
			assert.Equal(t, nodes == 1 && source == unicast, g.Nobody(d, source), "%v from %d", d, source)
			size := nodes
			if g.Contains(d, -1, source) {
				size--
			}
			assert.Equal(t, size, g.Size(d, source), "%v from %d", d, source)
		}
	})
	assert.True(t, hypercycle.Everywhere(3).Broadcast())
}
