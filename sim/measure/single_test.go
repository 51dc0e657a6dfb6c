// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// One broadcast alone must follow the tree of the mathematics, node by node,
// and take D + 1 cycles from every source.
func TestBroadcastFollowsTreeFromEverySource(t *testing.T) {
	machines := append([]rings{{{15, 2}, {15, 2}}, {{5, 1}, {5, 1}, {5, 1}}, {{16, 1}, {2, 1}}, {{14, 6}, {3, 1}}}, corner...)
	for _, r := range machines {
		for i, pref := range preferences {
			for j, v := range variants {
				p := newPlan(t, r, v.With(preference(pref))...)
				step := 1
				if j > 0 { // the result does not depend on the preference
					step = 1 + p.Nodes/4
				}
				for source := min(i*j, p.Nodes-1); source < p.Nodes; source += step {
					checkBroadcast(t, p, source, Broadcast(p, source))
				}
			}
		}
	}
}

// The largest machines of the prototype's range, both degrees.
func TestBroadcastOfLargestMachines(t *testing.T) {
	for _, r := range []rings{
		{{15, 1}, {15, 1}, {15, 1}, {15, 1}},
		{{15, 2}, {15, 2}, {15, 2}, {15, 2}},
	} {
		p := newPlan(t, r)
		source := p.Nodes / 3
		checkBroadcast(t, p, source, Broadcast(p, source))
	}
}

func checkBroadcast(t *testing.T, p *plan.Plan, source int, got Result) {
	t.Helper()
	r, pref := p.Dims, p.Machine.Preference
	tree := p.Machine.Graph.Broadcast(source, pref)
	require.Equal(t, tree.Steps, got.Steps, "%v %s", r, pref)
	require.Equal(t, p.Stages*p.Machine.Graph.Diameter()+1, got.Cycles, "%v %s", r, pref)
	require.Equal(t, p.Nodes-1, got.Messages)
	require.Len(t, got.Deliveries, p.Nodes-1)
	seen := make([]bool, p.Nodes)
	for i, d := range got.Deliveries {
		require.False(t, seen[d.Node], "node %d twice", d.Node)
		seen[d.Node] = true
		want := Delivery{Node: d.Node, Step: int(tree.Step[d.Node]), Parent: int(tree.Parent[d.Node]), Port: int(tree.Port[d.Node]), Cycle: p.Stages*int(tree.Step[d.Node]) + 1, Stream: "m_local"}
		if p.Machine.Delivery == machine.PerPort {
			want.Stream = fmt.Sprintf("m_local%02d", p.Machine.Graph.Opposite(want.Port))
		}
		if d != want {
			t.Fatalf("%v %s from %d: got %+v, want %+v", r, pref, source, d, want)
		}
		if i > 0 && (got.Deliveries[i-1].Cycle > d.Cycle || got.Deliveries[i-1].Cycle == d.Cycle && got.Deliveries[i-1].Node >= d.Node) {
			t.Fatalf("%v: deliveries are not sorted", r)
		}
	}
	require.False(t, seen[source])
}

// A network completes its messages in the cycle of the last delivery: one cycle after D + 1 for a broadcast that is offered
// in cycle 0, and one more for each further broadcast of the same node.
func TestCompleteCountsUpToTheLastDelivery(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}, destination())
	require.Equal(t, 6, Complete(p, machine.Traffic{Sends: []machine.Send{{From: 3}}}))
	require.Equal(t, 7, Complete(p, machine.Traffic{Sends: []machine.Send{{From: 3}, {From: 3}}}))
	require.Zero(t, Complete(p, machine.Traffic{}))
}
