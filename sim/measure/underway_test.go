// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// A broadcast alone is under way from its injection to its last delivery, D + 1 cycles later.
func TestTimeUnderWayOfABroadcastAlone(t *testing.T) {
	n := NewRun(newPlan(t, rings{{4, 1}, {4, 1}}), machine.Traffic{Sends: []machine.Send{{From: 3, At: 2}}}, model.Options{})
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
	load := random(1, 0, 1)
	load.Stalls = []machine.Stall{{Receivers: []int{1}}} // forever
	n := newRun(p, traffic.New(p, load, []int{0}), model.Options{})
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
	run := func(o model.Options) Summary {
		load := random(1, 0, 1)
		load.Sends = []machine.Send{{From: 1, At: 206}}
		load.Stalls = []machine.Stall{{Receivers: []int{6}, At: 200, Cycles: 10}}
		p := newPlan(t, rings{{4, 1}, {4, 1}})
		n := newRun(p, traffic.New(p, load, []int{0}), o)
		for n.Cycle() < 5000 {
			n.Step()
		}
		return n.Summary()
	}
	held, s := run(model.Options{NoMarks: true}), run(model.Options{})
	require.Equal(t, &MessageID{Node: 1, Seq: 0}, held.Oldest)
	require.Greater(t, held.MaxTimeUnderWay, 4700)
	require.Greater(t, held.MaxPassedTicks, 1000)
	require.Less(t, s.MaxTimeUnderWay, 100)
	require.Equal(t, 2, s.MaxPassedTicks)
}

// The figures agree with a record of all handshakes of random runs.
func TestTimesUnderWayAgreeWithHandshakes(t *testing.T) {
	for i, r := range corner {
		options := variants[i%len(variants)].With(fifoDepth(2 + i%3))
		if i%2 == 0 {
			options = append(options, destination())
		}
		p := newPlan(t, r, options...)
		load := random(0.3, 0.5, int64(i))
		if p.Destination != nil {
			load.Random.Pattern, load.Random.Broadcasts = machine.ToUniform, 0.3
		}
		n := NewRun(p, load, model.Options{})
		injected, offered, delivered := map[MessageID]int{}, map[MessageID]int{}, map[MessageID][]int{}
		for n.Cycle() < 500 {
			n.Network.Evaluate()
			for v := range p.Nodes {
				if !n.Nodes.Offering(v) {
					continue
				}
				id := MessageID{v, n.count.injections[v]}
				offered[id] = n.Nodes.Start(v, id.Seq)
				if n.Network.Router(v).Injects() {
					injected[id] = n.Cycle()
				}
			}
			for _, v := range n.Network.Evaluated() {
				for d := range p.Deliveries {
					if m := n.Network.Router(int(v)).Delivered(d); m != nil {
						id := MessageID{int(m.Source), m.Seq}
						delivered[id] = append(delivered[id], n.Cycle())
					}
				}
			}
			n.Finish()
		}
		s := n.Summary()
		least, most, undelivered := 0, 0, 0
		for id, start := range offered {
			set := p.Nodes - 1
			if p.Destination != nil {
				to := n.Nodes.Sent(id.Node, int(id.Seq)).To
				set = 0
				for v := range p.Nodes {
					set += bit(p.Machine.Graph.Contains(to, id.Node, v))
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
			undelivered += bit(len(delivered[id]) < set)
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
