// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
)

// everyMachine calls visit with all lists of rings of at most the given number of nodes, in every order.
func everyMachine(most int, visit func(rings)) {
	var grow func(r rings, nodes int)
	grow = func(r rings, nodes int) {
		if len(r) > 0 {
			visit(append(rings(nil), r...))
		}
		for m := 2; nodes*m <= most; m++ {
			for rho := 1; rho <= m/2; rho++ {
				grow(append(r, [2]int{m, rho}), nodes*m)
			}
		}
	}
	grow(nil, 1)
}

// everyDestination calls visit with all destinations of a machine.
func everyDestination(p *plan.Plan, visit func(hypercycle.Destination)) {
	to := make(hypercycle.Destination, len(p.Dims))
	var choose func(i int)
	choose = func(i int) {
		if i == len(to) {
			visit(append(hypercycle.Destination(nil), to...))
			return
		}
		for digit := hypercycle.All; digit < p.Dims[i].M; digit++ {
			to[i] = digit
			choose(i + 1)
		}
	}
	choose(0)
}

// Every message alone in the network reaches each node of its set once and no other, in as many steps as the distance
// of the farthest node. The machines are all of up to 16 nodes, in a short run of up to 12.
func TestEveryDestinationFromEverySource(t *testing.T) {
	machines, messages := 0, 0
	everyMachine(map[bool]int{false: 16, true: 12}[testing.Short()], func(r rings) {
		machines++
		p := newPlan(t, r, variants[machines%len(variants)].With(destination(), preference(preferences[machines%3]))...)
		for source := range p.Nodes {
			everyDestination(p, func(to hypercycle.Destination) {
				if p.Machine.Graph.Farthest(to, source) > 0 {
					messages++
					checkSingle(t, p, source, to)
				}
			})
		}
	})
	t.Logf("%d messages on %d machines", messages, machines)
}

func TestDestinationsOfLargerMachines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range append([]rings{{{15, 2}, {15, 2}}, {{5, 1}, {5, 1}, {5, 1}}, {{16, 1}, {2, 1}}, {{14, 6}, {3, 1}}, {{20, 3}, {10, 5}}, {{2, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1}}}, corner...) {
		for i := range 30 {
			p := newPlan(t, r, variants[i%len(variants)].With(destination(), preference(preferences[i%3]))...)
			source := random.IntN(p.Nodes)
			to := make(hypercycle.Destination, len(p.Dims))
			for j := range to {
				to[j] = random.IntN(p.Dims[j].M+p.Dims[j].M/2+1) - p.Dims[j].M/2 - 1
				to[j] = max(to[j], hypercycle.All)
			}
			if p.Machine.Graph.Farthest(to, source) > 0 {
				checkSingle(t, p, source, to)
			}
		}
	}
}

func checkSingle(t *testing.T, p *plan.Plan, source int, to hypercycle.Destination) {
	t.Helper()
	where := fmt.Sprintf("%v %s from %d to %v", p.Dims, p.Machine.Preference, source, to)
	got := Single(p, source, to)
	g := p.Machine.Graph
	seen := make([]int, p.Nodes)
	for _, d := range got.Deliveries {
		seen[d.Node]++
		if to.Unicast() {
			require.Equal(t, g.Distance(source, d.Node), d.Step, where)
		}
		require.Equal(t, g.Neighbor(d.Parent, d.Port), d.Node, where)
	}
	for node := range p.Nodes {
		require.Equal(t, bit(g.Contains(to, source, node)), seen[node], "%s: node %d", where, node)
	}
	require.Equal(t, g.Farthest(to, source), got.Steps, where)
	require.Equal(t, p.Stages*got.Steps+1, got.Cycles, where)
	if to.Unicast() {
		require.Equal(t, got.Steps, got.Messages, where)
	}
}
