// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
)

// A broadcast alone is under way from its injection to its last delivery, D + 1 cycles later.
func TestTimeUnderWayOfABroadcastAlone(t *testing.T) {
	n := NewNetwork(newPlan(t, rings{{4, 1}, {4, 1}}), machine.Traffic{Sends: []machine.Send{{From: 3, At: 2}}})
	for n.Cycle() < 5 {
		n.Step()
	}
	s := n.Summary()
	require.Equal(t, 3, s.MaxTimeUnderWay, "so far")
	require.Equal(t, 1, s.Undelivered)
	require.Equal(t, &MessageID{Node: 3, Seq: 0}, s.Oldest)
	for n.Cycle() < 50 {
		n.Step()
	}
	s = n.Summary()
	require.Equal(t, 5, s.MaxTimeUnderWay)
	require.Zero(t, s.Undelivered)
	require.Nil(t, s.Oldest)
	require.Zero(t, s.MaxPassedTicks)
}

// A message is under way from its first copy, which may be long before its injection: here the receiver of node 1 in a
// machine of two dimensions stalls, and the output of node 0 towards it fills.
func TestTimeUnderWayBeginsWithTheFirstCopy(t *testing.T) {
	p := newPlan(t, rings{{2, 1}, {2, 1}}) // 3 receivers of a broadcast; port 0 of node 0 leads to node 1, port 1 to node 2
	traffic := stream()
	traffic.Stalls = []machine.Stall{{Receivers: []int{1}}} // forever
	n := newNetwork(p, traffic, []int{0})
	for n.Cycle() < 1000 {
		n.Step()
	}
	injected := n.count.injections[0]
	last := MessageID{Node: 0, Seq: injected}
	require.Contains(t, n.underWay.messages, last, "a message with a copy is under way before its injection")
	s := n.Summary()
	require.EqualValues(t, injected+1, s.Undelivered, "node 1 lacks every message")
	require.Equal(t, &MessageID{Node: 0, Seq: 0}, s.Oldest)
	require.Equal(t, 1000, s.MaxTimeUnderWay)
}

// The blocked broadcast shows in the figures of the run.
func TestAHeldBroadcastShowsInTheSummary(t *testing.T) {
	run := func(wrong flaw) Summary {
		traffic := stream(machine.Send{From: 1, At: 206})
		traffic.Stalls = []machine.Stall{{Receivers: []int{6}, At: 200, Cycles: 10}}
		n := newNetwork(newPlan(t, rings{{4, 1}, {4, 1}}), traffic, []int{0})
		wrong(n.rules)
		for n.Cycle() < 5000 {
			n.Step()
		}
		return n.Summary()
	}
	held, s := run(unheld), run(right)
	require.Equal(t, &MessageID{Node: 1, Seq: 0}, held.Oldest)
	require.Greater(t, held.MaxTimeUnderWay, 4700)
	require.Greater(t, held.MaxPassedTicks, 1000)
	require.Less(t, s.MaxTimeUnderWay, 100)
	require.Equal(t, 2, s.MaxPassedTicks)
}

// The figures agree with a record of all handshakes of random runs.
func TestTimesUnderWayAgreeWithHandshakes(t *testing.T) {
	for i, r := range corner {
		options := variants[i%len(variants)].with(fifoDepth(2 + i%3))
		if i%2 == 0 {
			options = append(options, destination())
		}
		p := newPlan(t, r, options...)
		n := NewNetwork(p, random(0.3, 0.5, int64(i)))
		if p.Destination != nil {
			n.offers.choose = mixed(p, 6, 2)
		}
		injected, offered, delivered := map[MessageID]int{}, map[MessageID]int{}, map[MessageID][]int{}
		n.handed = func(_, _ int32, m *Message) {
			id := MessageID{int(m.Source), m.Seq}
			delivered[id] = append(delivered[id], n.cycle)
		}
		for n.Cycle() < 500 {
			n.evaluate()
			for v, router := range n.routers {
				id := MessageID{v, n.count.injections[v]}
				if n.offers.on[v] {
					offered[id] = n.offers.start(int32(v), id.Seq)
				}
				if router.inputs[local].done && n.offers.on[v] {
					injected[id] = n.cycle
				}
			}
			n.commit()
		}
		s := n.Summary()
		least, most, undelivered := 0, 0, 0
		for id, start := range offered {
			set := p.Nodes - 1
			if p.Destination != nil {
				to := n.offers.sent(int32(id.Node), int(id.Seq)).to
				set = 0
				for v := range p.Nodes {
					set += int(bit(p.Machine.Graph.Contains(to, id.Node, v)))
				}
			}
			end := 500
			if len(delivered[id]) == set {
				end = delivered[id][set-1]
			}
			handshake, accepted := injected[id]
			if !accepted && n.underWay.messages[id] == nil {
				continue // without a copy
			}
			undelivered += int(bit(len(delivered[id]) < set))
			most = max(most, end-start)
			if accepted {
				least = max(least, end-handshake)
			}
		}
		require.Equal(t, undelivered, s.Undelivered, "%v", r)
		require.LessOrEqual(t, s.MaxTimeUnderWay, most, "%v", r)
		require.GreaterOrEqual(t, s.MaxTimeUnderWay, least, "%v", r)
	}
}
