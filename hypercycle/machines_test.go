// SPDX-License-Identifier: Apache-2.0

package hypercycle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// The range of the paper's prototype, which the tests cover.
const (
	prototypeRank   = 4
	prototypeRadix  = 15
	prototypeDegree = 16
)

// All machines up to exhaustiveNodes nodes are run; up to orderedNodes nodes in
// every order of their dimensions. A seeded sample represents larger machines.
const (
	exhaustiveNodes = 4096
	orderedNodes    = 512
	largeSample     = 200
)

// forEachMachine runs visit on every machine in the prototype's range, with
// sorted dimensions. The slice is reused.
func forEachMachine(visit func(dims []hypercycle.Dimension)) {
	var rings []hypercycle.Dimension
	for m := 2; m <= prototypeRadix; m++ {
		for rho := 1; rho <= m/2; rho++ {
			rings = append(rings, hypercycle.Dimension{M: m, Rho: rho})
		}
	}
	var dims []hypercycle.Dimension
	var extend func(first, degree int)
	extend = func(first, degree int) {
		for i := first; i < len(rings); i++ {
			if sum := degree + rings[i].Degree(); sum <= prototypeDegree {
				dims = append(dims, rings[i])
				visit(dims)
				if len(dims) < prototypeRank {
					extend(i, sum)
				}
				dims = dims[:len(dims)-1]
			}
		}
	}
	extend(0, 0)
}

// nodesOf is N = m_1 ... m_r.
func nodesOf(dims []hypercycle.Dimension) int {
	n := 1
	for _, d := range dims {
		n *= d.M
	}
	return n
}

// orders is the number of different orders of sorted dimensions.
func orders(dims []hypercycle.Dimension) int {
	n, same := 1, 1
	for i := 1; i < len(dims); i++ {
		same++
		if dims[i] != dims[i-1] {
			same = 1
		}
		n = n * (i + 1) / same
	}
	return n
}

// permutations calls visit with every different order of the sorted dims,
// starting with the given one. The slice is reused.
func permutations(dims []hypercycle.Dimension, visit func([]hypercycle.Dimension)) {
	less := func(a, b hypercycle.Dimension) bool { return a.M < b.M || a.M == b.M && a.Rho < b.Rho }
	p := slices.Clone(dims)
	for {
		visit(p)
		i := len(p) - 2
		for i >= 0 && !less(p[i], p[i+1]) {
			i--
		}
		if i < 0 {
			return
		}
		j := len(p) - 1
		for !less(p[i], p[j]) {
			j--
		}
		p[i], p[j] = p[j], p[i]
		slices.Reverse(p[i+1:])
	}
}

// checkMachine executes the broadcasts of all preferences from one source and
// checks each message by message. It compares the balanced broadcast and, if deep,
// every distance with breadth-first search. The tree of one preference is checked too.
func checkMachine(o *oracle, dims []hypercycle.Dimension, source int, tree hypercycle.Preference, deep bool) error {
	g, err := hypercycle.New(dims...)
	if err != nil {
		return err
	}
	o.reset(dims)
	diameter, sum := o.bfs(source)
	if g.Nodes() != o.nodes || g.Degree() != len(o.ports) || g.Diameter() != diameter || g.DistanceSum() != sum {
		return fmt.Errorf("N %d, degree %d, diameter %d, sum of distances %d; want %d, %d, %d, %d",
			g.Nodes(), g.Degree(), g.Diameter(), g.DistanceSum(), o.nodes, len(o.ports), diameter, sum)
	}
	if deep {
		for node, distance := range o.distance {
			if g.Distance(source, node) != int(distance) {
				return fmt.Errorf("distance from %d to %d: %d, want %d", source, node, g.Distance(source, node), distance)
			}
		}
	}
	punctual := true // with the paper's preferences no ring has late nodes
	for i, d := range dims {
		punctual = punctual && d.M > (2*o.diameters[i]-1)*d.Rho
	}
	for _, p := range preferences {
		if err := o.broadcast(g, source, p); err != nil {
			return fmt.Errorf("%s from %d: %w", p, source, err)
		}
		if p == tree {
			if err := o.tree(g.Broadcast(source, p), source); err != nil {
				return fmt.Errorf("%s from %d: tree: %w", p, source, err)
			}
		}
		if p == hypercycle.Balanced {
			if err := o.onTime(); err != nil {
				return fmt.Errorf("%s from %d: %w", p, source, err)
			}
		} else if late := o.late(); punctual != (late == 0) {
			return fmt.Errorf("%s from %d: %d late nodes", p, source, late)
		}
	}
	return nil
}

func machineName(dims []hypercycle.Dimension) string { return fmt.Sprintf("%v", dims) }

// shards runs the machines 0..n-1 in parallel parts, each with its own oracle.
func shards(t *testing.T, machines [][]hypercycle.Dimension, check func(o *oracle, index int, dims []hypercycle.Dimension) error) {
	const parts = 8
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			var o oracle
			for i := part; i < len(machines); i += parts {
				require.NoError(t, check(&o, i, machines[i]), machineName(machines[i]))
			}
		})
	}
}

func TestPrototypeCounts(t *testing.T) {
	var got [prototypeRank + 2][4]int // by rank, then the total: the columns of the table
	forEachMachine(func(dims []hypercycle.Dimension) {
		punctual := true
		for _, d := range dims {
			for x := range d.M {
				punctual = punctual && d.Arrival(hypercycle.Clockwise, x) == d.Distance(x)
			}
		}
		for _, row := range []int{len(dims), prototypeRank + 1} {
			got[row][0] += orders(dims)
			got[row][1]++
			if punctual {
				got[row][2] += orders(dims)
				got[row][3]++
			}
		}
	})
	rows := readFixture(t, "prototype_counts")
	require.Len(t, rows, prototypeRank+1)
	for i, row := range rows {
		assert.Equal(t, [4]int{row.int(t, "ordered"), row.int(t, "up_to_permutation"),
			row.int(t, "ordered_all_on_time"), row.int(t, "unordered_all_on_time")}, got[i+1], "r = %s", row["r"])
	}
}

// Every machine of the prototype's range with up to 4096 nodes executes its
// broadcasts, its dimensions in one seeded random order, from a random source.
// The order does not matter if a node's step is the sum of the ring arrivals of
// its digits, which is checked for every node;
// TestBroadcastInEveryOrder runs all orders of the smaller machines.
func TestBroadcastOnEveryMachine(t *testing.T) {
	var machines [][]hypercycle.Dimension
	forEachMachine(func(dims []hypercycle.Dimension) {
		if nodesOf(dims) <= exhaustiveNodes {
			machines = append(machines, slices.Clone(dims))
		}
	})
	require.Len(t, machines, 49490)
	shards(t, machines, func(o *oracle, i int, dims []hypercycle.Dimension) error {
		random := rand.New(rand.NewPCG(2, uint64(i)))
		random.Shuffle(len(dims), func(i, j int) { dims[i], dims[j] = dims[j], dims[i] })
		tree := preferences[i%len(preferences)]
		return checkMachine(o, dims, random.IntN(nodesOf(dims)), tree, nodesOf(dims) <= 1024)
	})
}

func TestBroadcastInEveryOrder(t *testing.T) {
	var machines [][]hypercycle.Dimension
	want := 0
	forEachMachine(func(dims []hypercycle.Dimension) {
		if nodesOf(dims) <= orderedNodes {
			want += orders(dims)
			permutations(dims, func(p []hypercycle.Dimension) { machines = append(machines, slices.Clone(p)) })
		}
	})
	require.Len(t, machines, want)
	shards(t, machines, func(o *oracle, i int, dims []hypercycle.Dimension) error {
		return checkMachine(o, dims, i%nodesOf(dims), preferences[i%len(preferences)], true)
	})
}

func TestBroadcastOnLargeMachines(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	cube := func(m, rho int) []hypercycle.Dimension {
		return slices.Repeat([]hypercycle.Dimension{{M: m, Rho: rho}}, prototypeRank)
	}
	machines := [][]hypercycle.Dimension{cube(prototypeRadix, 1), cube(prototypeRadix, 2)}
	seen := 0
	forEachMachine(func(dims []hypercycle.Dimension) {
		if nodesOf(dims) <= exhaustiveNodes {
			return
		}
		// reservoir sampling: every machine is kept with the same probability
		if seen++; len(machines) < largeSample {
			machines = append(machines, slices.Clone(dims))
		} else if i := 2 + random.IntN(seen); i < largeSample {
			machines[i] = slices.Clone(dims)
		}
	})
	require.Equal(t, 94277-49490, seen)
	require.Len(t, machines, largeSample)
	shards(t, machines, func(o *oracle, i int, dims []hypercycle.Dimension) error {
		random := rand.New(rand.NewPCG(4, uint64(i)))
		random.Shuffle(len(dims), func(i, j int) { dims[i], dims[j] = dims[j], dims[i] })
		return checkMachine(o, dims, random.IntN(nodesOf(dims)), preferences[i%len(preferences)], true)
	})
}
