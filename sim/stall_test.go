// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// scheduledStalls overlap at node 6, and the stall of node 9 lasts to the end.
var scheduledStalls = []machine.Stall{
	{Receivers: []int{6}, At: 20, Cycles: 10},
	{Receivers: []int{3, 6}, At: 25, Cycles: 15},
	{Receivers: []int{6}, At: 60, Cycles: 1},
	{Receivers: []int{9}, At: 70},
}

// stalledBy is the definition of a stall block.
func stalledBy(v, cycle int) bool {
	switch v {
	case 3:
		return cycle >= 25 && cycle < 40
	case 6:
		return cycle >= 20 && cycle < 40 || cycle == 60
	case 9:
		return cycle >= 70
	}
	return false
}

// A receiver is ready unless a block or chance stalls it, on all of its streams; the order of the blocks does not matter.
func TestScheduledStallsAddUpWithRandomOnes(t *testing.T) {
	for _, v := range variants {
		for _, stall := range []float64{0, 0.4} {
			p := newPlan(t, rings{{4, 1}, {4, 1}}, v.options...)
			chance := newOffers(p, random(0.5, stall, 1), nil)
			traffic := random(0.5, stall, 1)
			traffic.Stalls = slices.Clone(scheduledStalls)
			slices.Reverse(traffic.Stalls)
			both := newOffers(p, traffic, nil)
			traffic.Random = nil
			scheduled := newOffers(p, traffic, nil)
			for cycle := range 200 {
				for node := range p.Nodes {
					for stream := range p.Deliveries {
						ready := !stalledBy(node, cycle)
						require.Equal(t, ready, scheduled.sinkReady(int32(node), stream, cycle) != 0, "node %d, cycle %d", node, cycle)
						ready = ready && chance.sinkReady(int32(node), stream, cycle) != 0
						require.Equal(t, ready, both.sinkReady(int32(node), stream, cycle) != 0, "node %d, cycle %d", node, cycle)
					}
				}
			}
		}
	}
}

// No message is delivered in a stall, and none is lost by it.
func TestStalledReceiversGetTheirMessagesLater(t *testing.T) {
	for _, v := range variants {
		p := newPlan(t, rings{{4, 1}, {4, 1}}, v.options...)
		traffic := random(0.5, 0, 1)
		traffic.Stalls = scheduledStalls
		n := NewNetwork(p, traffic)
		w := newWatch(t, n)
		check := n.handed
		n.handed = func(node, stream int32, m *Message) {
			require.False(t, n.cycle < 200 && stalledBy(int(node), n.cycle), "node %d, cycle %d", node, n.cycle)
			check(node, stream, m)
		}
		for n.Cycle() < 200 {
			n.Step()
		}
		n.offers.spans = nil // the stalls end with the traffic
		w.drain()
	}
}

// Network and node traces have ready 0 in a stall.
func TestTracesShowScheduledStalls(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}, perPort())
	traffic := random(0.5, 0, 1)
	traffic.Cycles, traffic.Stalls = 100, append(slices.Clone(scheduledStalls), machine.Stall{Receivers: []int{0}, At: 50, Cycles: 40})
	for node, write := range map[int]func(io.Writer, *plan.Plan, machine.Traffic, func(done, total int)) (Summary, error){
		allNodes: WriteNetworkTrace, 0: WriteNodeTrace,
	} {
		var trace bytes.Buffer
		_, err := write(&trace, p, traffic, nil)
		require.NoError(t, err)
		stalls := 0
		for _, l := range parse(t, p, trace.String(), traffic.Name, traffic.Cycles, node) {
			if strings.HasPrefix(l.stream, "m_local") {
				stalled := stalledBy(l.node, l.cycle) || l.node == 0 && l.cycle >= 50 && l.cycle < 90
				require.Equal(t, !stalled, l.ready, "%+v", l)
				if stalled {
					stalls++
				}
			}
		}
		require.Greater(t, stalls, 30)
	}
}

// Only the sources offer messages, both in a traffic block and in a load.
func TestRandomTrafficComesFromItsSources(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}, destination())
	traffic := random(1, 0, 1)
	all := offersOf(p, traffic, 5)
	traffic.Random.Sources = []int{2, 11}
	var want []offered
	for _, m := range all {
		if m.from == 2 || m.from == 11 {
			want = append(want, m)
		}
	}
	require.Equal(t, want, offersOf(p, traffic, 5))
	require.Len(t, want, 10)

	n := NewNetwork(newPlan(t, rings{{4, 1}, {4, 1}}), traffic)
	for n.Cycle() < 500 {
		n.Step()
	}
	require.Equal(t, 2, n.Summary().Sources)
	require.Equal(t, Saturate(n.plan, Load{Rate: 1, Seed: 1, Sources: []int{2, 11}}, 500), n.Summary())
}
