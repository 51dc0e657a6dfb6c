// SPDX-License-Identifier: Apache-2.0

package hypercycle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
)

// anyMachine draws the rings of a machine of up to limit nodes. Degrees above those of routers are legal.
func anyMachine(t *rapid.T, limit int) []hypercycle.Dimension {
	return arbitrary.Rings(t, arbitrary.Limits{Nodes: limit, Degree: limit})
}

func anyPreference(t *rapid.T) hypercycle.Preference {
	return rapid.SampledFrom(preferences).Draw(t, "preference")
}

func anyNode(t *rapid.T, g *hypercycle.Graph, label string) int {
	return rapid.IntRange(0, g.Nodes()-1).Draw(t, label)
}

func TestAddressOfThePaper(t *testing.T) {
	g := mustNew(t, hypercycle.Dimension{M: 2, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 3, Rho: 1})
	node, err := g.Node(2, 3, 1)
	require.NoError(t, err)
	assert.Equal(t, 23, node, "(2 3 1) in radices 3, 4, 2")
	assert.Equal(t, []int{2, 3, 1}, g.Digits(23))
	assert.Equal(t, [3]int{1, 3, 2}, [3]int{g.Digit(23, 1), g.Digit(23, 2), g.Digit(23, 3)})
	assert.Equal(t, 3, g.Rank())
	assert.Equal(t, hypercycle.Dimension{M: 4, Rho: 1}, g.Dimension(2))
}

func TestDigitsAndNodeAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := anyMachine(t, 4096)
		g, err := hypercycle.New(dims...)
		require.NoError(t, err)
		var o oracle
		o.reset(dims)
		require.Equal(t, o.nodes, g.Nodes())
		for node := range g.Nodes() {
			digits := g.Digits(node)
			back, err := g.Node(digits...)
			if err != nil || back != node {
				t.Fatalf("node %d has digits %v, which are node %d, %v", node, digits, back, err)
			}
			for i := range dims {
				want := int(o.digit[i][node])
				if g.Digit(node, i+1) != want || digits[len(dims)-1-i] != want {
					t.Fatalf("node %d: digits %v, dimension %d has %d", node, digits, i+1, want)
				}
			}
		}
	})
}

// Ports are in the documented order, lead to the node of their direction and
// distance, are the two ends of a link, and together lead to exactly the
// neighbours of the definition.
func TestPortsAreTheLinksOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := anyMachine(t, 1024)
		g, err := hypercycle.New(dims...)
		require.NoError(t, err)
		var o oracle
		o.reset(dims)
		require.Equal(t, len(o.ports), g.Degree())
		require.Len(t, g.Ports(), g.Degree())
		for i, p := range g.Ports() {
			want := o.ports[i]
			require.Equal(t, hypercycle.Port{Index: i, Dimension: want.dim + 1, Direction: hypercycle.Direction(want.dir), Distance: want.dist}, p)
			require.Equal(t, i, g.PortIndex(p.Dimension, p.Direction, p.Distance), "PortIndex of %+v", p)
			opposite := g.Ports()[g.Opposite(i)]
			require.Equal(t, i, g.Opposite(opposite.Index), "Opposite of %+v is an involution", p)
			if 2*p.Distance == g.Dimension(p.Dimension).M {
				require.Equal(t, i, opposite.Index, "the antipode is its own opposite")
				require.Equal(t, i, g.PortIndex(p.Dimension, -p.Direction, p.Distance), "the antipode has one port")
			} else {
				require.Equal(t, [3]int{p.Dimension, -int(p.Direction), p.Distance},
					[3]int{opposite.Dimension, int(opposite.Direction), opposite.Distance})
			}
		}
		links := 0
		for node := range g.Nodes() {
			neighbors := map[int]bool{}
			for i := range dims {
				for _, step := range o.step[i][o.digit[i][node]] {
					neighbors[node+int(step)] = true
				}
			}
			if len(neighbors) != g.Degree() {
				t.Fatalf("node %d has %d neighbours, degree %d", node, len(neighbors), g.Degree())
			}
			for port := range g.Degree() {
				to := g.Neighbor(node, port)
				if !neighbors[to] {
					t.Fatalf("port %d of node %d leads to %d: no neighbour, or not the only port to it", port, node, to)
				}
				delete(neighbors, to)
				p := o.ports[port]
				if digit := (int(o.digit[p.dim][node]) + p.dir*p.dist + dims[p.dim].M) % dims[p.dim].M; g.Digit(to, p.dim+1) != digit {
					t.Fatalf("port %d of node %d leads to %d, whose digit should be %d", port, node, to, digit)
				}
				if back := g.Neighbor(to, g.Opposite(port)); back != node {
					t.Fatalf("port %d of node %d leads to %d, back to %d", port, node, to, back)
				}
				links += indicator(to > node)
			}
		}
		require.Equal(t, links, g.Links())
	})
}

func TestDistancesAreThoseOfBreadthFirstSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := anyMachine(t, 4096)
		g, err := hypercycle.New(dims...)
		require.NoError(t, err)
		source := anyNode(t, g, "source")
		var o oracle
		o.reset(dims)
		largest, sum := o.bfs(source)
		require.Equal(t, largest, g.Diameter())
		require.Equal(t, sum, g.DistanceSum())
		require.Equal(t, float64(sum)/float64(o.nodes-1), g.AverageDistance())
		for node := range g.Nodes() {
			if want := int(o.distance[node]); g.Distance(source, node) != want || g.Distance(node, source) != want {
				t.Fatalf("distance of %d and %d: %d and back %d, want %d", source, node, g.Distance(source, node), g.Distance(node, source), want)
			}
		}
	})
}

// Also with degrees and radices beyond the prototype's.
func TestBroadcastOnAnyMachine(t *testing.T) {
	var o oracle
	rapid.Check(t, func(t *rapid.T) {
		dims := anyMachine(t, 4096)
		source := rapid.IntRange(0, nodesOf(dims)-1).Draw(t, "source")
		require.NoError(t, checkMachine(&o, dims, source, anyPreference(t), true))
	})
}

// Routers do not use addresses: the tree of a source is the tree of node 0, translated.
func TestTreesAreTranslationsOfEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := anyMachine(t, 2048)
		g, err := hypercycle.New(dims...)
		require.NoError(t, err)
		p, source := anyPreference(t), anyNode(t, g, "source")
		zero, moved := g.Broadcast(0, p), g.Broadcast(source, p)
		move := func(node int) int {
			digits := g.Digits(node)
			for j, x := range g.Digits(source) {
				digits[j] = (digits[j] + x) % dims[len(dims)-1-j].M
			}
			to, err := g.Node(digits...)
			require.NoError(t, err)
			return to
		}
		for node := range g.Nodes() {
			at := move(node)
			if moved.Step[at] != zero.Step[node] || moved.Port[at] != zero.Port[node] {
				t.Fatalf("node %d: step %d port %d, moved from %d: step %d port %d",
					at, moved.Step[at], moved.Port[at], node, zero.Step[node], zero.Port[node])
			}
			if node != 0 && int(moved.Parent[at]) != move(int(zero.Parent[node])) {
				t.Fatalf("node %d: parent %d, moved from %d: %d", at, moved.Parent[at], node, move(int(zero.Parent[node])))
			}
		}
	})
}

func TestPreferenceNames(t *testing.T) {
	assert.Equal(t, []string{"clockwise", "counterclockwise", "balanced"}, hypercycle.PreferenceNames())
	for i, name := range hypercycle.PreferenceNames() {
		p, ok := hypercycle.ParsePreference(name)
		assert.True(t, ok)
		assert.Equal(t, hypercycle.Preference(i), p)
		assert.Equal(t, name, p.String())
	}
	for _, name := range []string{"", "Clockwise", "cw"} {
		_, ok := hypercycle.ParsePreference(name)
		assert.False(t, ok, name)
	}
	hypercycle.PreferenceNames()[0] = "changed"
	assert.Equal(t, "clockwise", hypercycle.Clockwise.String(), "the list is the caller's")
	assert.Equal(t, "Preference(3)", hypercycle.Preference(3).String())
	assert.Equal(t, "Preference(-1)", hypercycle.Preference(-1).String())
	assert.Equal(t, "clockwise", hypercycle.CW.String())
	assert.Equal(t, "counterclockwise", hypercycle.CCW.String())
}

func TestNewRefuses(t *testing.T) {
	ring := func(m, rho int) hypercycle.Dimension { return hypercycle.Dimension{M: m, Rho: rho} }
	for _, c := range []struct {
		name string
		dims []hypercycle.Dimension
		want string
	}{
		{"nothing", nil, "a hypercycle needs at least one dimension"},
		{"one node", []hypercycle.Dimension{ring(1, 1)}, "dimension 1: m = 1: a ring needs at least 2 nodes"},
		{"negative m", []hypercycle.Dimension{ring(4, 1), ring(-3, 1)}, "dimension 2: m = -3: a ring needs at least 2 nodes"},
		{"rho 0", []hypercycle.Dimension{ring(4, 0)}, "dimension 1: rho = 0: with m = 4 it must lie in 1..2, half the ring"},
		{"rho above half", []hypercycle.Dimension{ring(5, 2), ring(5, 3)}, "dimension 2: rho = 3: with m = 5 it must lie in 1..2, half the ring"},
		{"m 3 rho 2", []hypercycle.Dimension{ring(3, 2)}, "dimension 1: rho = 2: with m = 3 it must lie in 1..1, half the ring"},
		{"one ring too large", []hypercycle.Dimension{ring(math.MaxInt32+1, 1)}, "dimension 1: more than 2147483647 nodes in all"},
		{"product too large", []hypercycle.Dimension{ring(1<<16, 1), ring(1<<15, 1)}, "dimension 2: more than 2147483647 nodes in all"},
		{"too many ports", []hypercycle.Dimension{ring(2, 1), ring(1<<17, 1<<15)}, "dimension 2: more than 65536 ports in all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := hypercycle.New(c.dims...)
			assert.EqualError(t, err, c.want)
			assert.Nil(t, g)
		})
	}
}

func TestNewAcceptsUpToTheLimits(t *testing.T) {
	g := mustNew(t, hypercycle.Dimension{M: math.MaxInt32, Rho: 1})
	assert.Equal(t, math.MaxInt32, g.Nodes())
	assert.Equal(t, math.MaxInt32-1, g.Neighbor(0, g.Opposite(0)), "the last node is next to the first")
	g = mustNew(t, hypercycle.Dimension{M: 1 << 17, Rho: 1 << 15})
	assert.Equal(t, hypercycle.MaxPorts, g.Degree())
}

// The list of rings belongs to the caller: changing it later must not change a graph.
func TestNewKeepsItsOwnRings(t *testing.T) {
	dims := []hypercycle.Dimension{{M: 4, Rho: 1}}
	g := mustNew(t, dims...)
	dims[0].M = 9
	assert.Equal(t, 4, g.Dimension(1).M)
}

func TestNodeRefuses(t *testing.T) {
	g := mustNew(t, hypercycle.Dimension{M: 2, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1})
	for _, c := range []struct {
		digits []int
		want   string
	}{
		{nil, "an address has one digit for each dimension: 2, not 0"},
		{[]int{1}, "an address has one digit for each dimension: 2, not 1"},
		{[]int{1, 1, 1}, "an address has one digit for each dimension: 2, not 3"},
		{[]int{4, 0}, "digit 4 of dimension 2 is outside 0..3"},
		{[]int{0, 2}, "digit 2 of dimension 1 is outside 0..1"},
		{[]int{-1, 0}, "digit -1 of dimension 2 is outside 0..3"},
	} {
		_, err := g.Node(c.digits...)
		assert.EqualError(t, err, c.want)
	}
}

func TestMisuseOfTheProgramPanics(t *testing.T) {
	g := mustNew(t, hypercycle.Dimension{M: 4, Rho: 2})
	for want, misuse := range map[string]func(){
		"hypercycle: source 4 is outside 0..3":             func() { g.Broadcast(4, hypercycle.Clockwise) },
		"hypercycle: source -1 is outside 0..3":            func() { g.Sends(-1, hypercycle.Clockwise, func(hypercycle.Send) {}) },
		"hypercycle: no such preference: 3":                func() { g.Weights(3) },
		"hypercycle: no dimension 2":                       func() { g.PortIndex(2, hypercycle.CW, 1) },
		"hypercycle: no dimension 0":                       func() { g.PortIndex(0, hypercycle.CW, 1) },
		"hypercycle: no link of distance 3 in dimension 1": func() { g.PortIndex(1, hypercycle.CW, 3) },
		"hypercycle: no link of distance 0 in dimension 1": func() { g.PortIndex(1, hypercycle.CCW, 0) },
	} {
		assert.PanicsWithValue(t, want, misuse)
	}
}
