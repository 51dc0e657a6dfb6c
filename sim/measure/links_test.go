// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// linked are machines with registers on links, by dimension.
var linked = []struct {
	r         rings
	registers []int
}{
	{rings{{2, 1}}, []int{1}},
	{rings{{8, 1}}, []int{3}},
	{rings{{5, 2}}, []int{64}},
	{rings{{4, 1}, {4, 1}}, []int{0, 3}},
	{rings{{6, 2}, {5, 1}}, []int{2, 1}},
	{rings{{2, 1}, {3, 1}, {4, 2}, {5, 1}}, []int{1, 0, 8, 2}},
}

// A broadcast alone follows the tree of the mathematics. To each node it takes, for each hop, the cycles of a router and the
// registers of the link, and a cycle for delivery.
func TestBroadcastWithRegistersTakesTheSumOverItsHops(t *testing.T) {
	for _, m := range linked {
		for _, v := range variants {
			p := newPlan(t, m.r, v.With(registers(m.registers...))...)
			source := p.Nodes / 3
			tree, got := p.Machine.Graph.Broadcast(source, p.Machine.Preference), Broadcast(p, source)
			require.Equal(t, tree.Steps, got.Steps, "%v", m)
			require.Equal(t, p.Nodes-1, got.Messages, "%v", m)
			require.Len(t, got.Deliveries, p.Nodes-1, "%v", m)
			last := 0
			for _, d := range got.Deliveries {
				cycles := 1
				for node := d.Node; node != source; node = int(tree.Parent[node]) {
					cycles += p.Stages + p.Ports[tree.Port[node]].Queue.Latency
				}
				require.Equal(t, cycles, d.Cycle, "%v: node %d", m, d.Node)
				require.Equal(t, int(tree.Step[d.Node]), d.Step, "%v: node %d", m, d.Node)
				require.Equal(t, int(tree.Parent[d.Node]), d.Parent, "%v: node %d", m, d.Node)
				require.Equal(t, int(tree.Port[d.Node]), d.Port, "%v: node %d", m, d.Node)
				last = max(last, cycles)
			}
			require.Equal(t, last, got.Cycles, "%v", m)
			sum := 1 // of the longest path, through every dimension
			for _, d := range p.Dims {
				sum += d.D * (p.Stages + d.Queue.Latency)
			}
			require.Equal(t, sum, got.Cycles, "%v", m)
		}
	}
}

// A message in the registers of a link counts as one in flight, and the network is not drained.
func TestMessagesInLinksAreInFlight(t *testing.T) {
	p := newPlan(t, rings{{2, 1}}, registers(8))
	r := NewRun(p, machine.Traffic{Sends: []machine.Send{{From: 0}}}, model.Options{})
	for r.Cycle() < 10 {
		if r.Cycle() > 0 {
			require.Equal(t, 1, r.Summary().InFlight, "cycle %d", r.Cycle())
			require.False(t, r.Drained(), "cycle %d", r.Cycle())
		}
		r.Step()
	}
	require.Equal(t, 1, r.Summary().InFlight, "on delivery")
	r.Step()
	require.Zero(t, r.Summary().InFlight)
	require.True(t, r.Drained())
}

// While a stream of messages to a node lasts, every message of other nodes to this node arrives soon, also with registers.
// Without the marks some message does not arrive.
func TestAStreamHoldsNoMessageWithRegisters(t *testing.T) {
	const cycles = 3000
	for _, m := range []struct {
		r         rings
		registers []int
	}{
		{rings{{4, 1}, {4, 1}}, []int{1}},
		{rings{{4, 1}, {4, 1}}, []int{2, 3}},
		{rings{{4, 1}, {4, 1}}, []int{8, 0}},
		{rings{{5, 1}, {6, 2}}, []int{1, 3}},
		{rings{{4, 1}, {3, 1}, {4, 1}}, []int{3, 1, 2}},
	} {
		p := newPlan(t, m.r, destination(), registers(m.registers...))
		to := p.Machine.Graph.To(p.Dims[0].M - 2) // two steps on from node 0, counterclockwise
		load := random(1, 0, 1)
		load.Random.Sources = []int{0}
		for v := range p.Nodes {
			if v != 0 && v != p.Dims[0].M-2 {
				load.Sends = append(load.Sends, machine.Send{From: v, To: to, At: 100 + 1500*v/p.Nodes})
			}
		}
		slices.SortFunc(load.Sends, func(a, b machine.Send) int { return a.At - b.At })
		run := func(o model.Options) Summary {
			r := NewRun(p, load, o)
			r.Nodes.Choose = func(int, int) traffic.Message { return traffic.Message{To: to} }
			for r.Cycle() < cycles {
				r.Step()
			}
			return r.Summary()
		}
		s, without := run(model.Options{}), run(model.Options{NoMarks: true})
		t.Logf("%v: %d cycles, without marks %d", m, s.MaxTimeUnderWay, without.MaxTimeUnderWay)
		require.Less(t, s.MaxTimeUnderWay, 300, "%v", m)
		require.LessOrEqual(t, s.MaxPassedTicks, 2, "%v", m)
		require.Greater(t, without.MaxTimeUnderWay, 1000, "%v", m)
	}
}

// Under adversarial and random loads that last, every message arrives within a time that the length of the run does not
// determine.
func TestTimesUnderWayWithRegistersDoNotGrow(t *testing.T) {
	cycles := 20000
	if testing.Short() {
		cycles = 4000
	}
	for _, m := range linked[:5] {
		p := newPlan(t, m.r, registers(m.registers...))
		for _, load := range []traffic.Load{
			{Rate: 1, Seed: 1},
			{Rate: 1, Slow: map[int]float64{0: 0.5}, Sources: []int{0, p.Nodes - 1}, Seed: 2},
			{Rate: 0.1, Stall: 0.3, Seed: 3},
		} {
			s := Saturate(p, load, model.Options{}, cycles)
			t.Logf("%v %+v: %d cycles", m, load, s.MaxTimeUnderWay)
			require.Less(t, s.MaxTimeUnderWay, 2000, "%v %+v", m, load)
			require.Positive(t, s.InjectionsMin)
		}
	}
}
