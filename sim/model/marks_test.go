// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/traffic"
)

// unheld is the router without the rule of marks: its marks hold no clock.
var unheld flaw = func(x *rules) { x.options.NoMarks = true }

// arrivalsOf records the cycles of the deliveries of one message, by node.
func arrivalsOf(n *run, source int, seq uint32) map[int]int {
	at := map[int]int{}
	n.handed = func(node, _ int, m *sim.Message) {
		if int(m.Source) == source && m.Seq == seq {
			at[node] = n.cycle
		}
	}
	return at
}

// lasting is the number of cycles for which a stream lasts.
func lasting() int {
	if testing.Short() {
		return 2_000
	}
	return 20_000
}

// stream is traffic of nodes that always offer a message, and of the scheduled messages of others.
func stream(sends ...machine.Send) machine.Traffic {
	t := random(1, 0, 1)
	t.Sends = sends
	return t
}

// A stall of ten cycles and a stream: without the marks a broadcast does not reach two nodes while the stream lasts.
func TestAStreamDoesNotHoldABroadcast(t *testing.T) {
	for _, at := range []int{206, 207, 208} {
		reached := func(wrong flaw) map[int]int {
			load := stream(machine.Send{From: 1, At: at})
			load.Stalls = []machine.Stall{{Receivers: []int{6}, At: 200, Cycles: 10}}
			n := newRunFrom(newPlan(t, rings{{4, 1}, {4, 1}}), load, []int{0})
			wrong(n.rules)
			got := arrivalsOf(n, 1, 0)
			for n.Cycle() < lasting() {
				n.Step()
			}
			require.EqualValues(t, 1, n.injections[1])
			return got
		}
		without, with := reached(unheld), reached(right)
		require.Len(t, without, 13, "offered at %d", at)
		require.NotContains(t, without, 6)
		require.NotContains(t, without, 7)
		require.Len(t, with, 15, "offered at %d", at)
		for node, cycle := range with {
			require.Less(t, cycle, at+100, "node %d", node)
		}
	}
}

// A message to a node that another node floods, without any stall.
func TestAStreamDoesNotHoldAMessageToOneNode(t *testing.T) {
	delivered := func(wrong flaw) int {
		p := newPlan(t, rings{{4, 1}, {4, 1}}, destination())
		n := newRunFrom(p, stream(machine.Send{From: 13, To: p.Machine.Graph.To(2), At: 1000}), []int{0})
		wrong(n.rules)
		n.offers.Choose = func(int, int) traffic.Message { return traffic.Message{To: p.Machine.Graph.To(2)} }
		got := arrivalsOf(n, 13, 0)
		for n.Cycle() < lasting() {
			n.Step()
		}
		if cycle, ok := got[2]; ok {
			return cycle
		}
		return -1
	}
	require.Equal(t, -1, delivered(unheld))
	require.Positive(t, delivered(right))
	require.Less(t, delivered(right), 1200)
}

// The trace "held" of the example k6x5 reaches clocks that are held, in cycles in which they would tick: benches that compare it
// with RTL compare the rule of marks.
func TestTraceOfAnExampleHoldsClocks(t *testing.T) {
	m, _, diags := machine.Load("../../configs/k6x5.hcl", nil)
	require.False(t, diags.HasErrors(), diags.Error())
	at := slices.IndexFunc(m.Traffic, func(t machine.Traffic) bool { return t.Name == "held" })
	require.NotEqual(t, -1, at)
	run := func(ignored bool) (ticks, held int) {
		n := newRun(plan.New(m), m.Traffic[at])
		if ignored {
			n.options.NoMarks = true
		}
		w := newPassWatch(n)
		for n.Cycle() < m.Traffic[at].Cycles {
			n.Evaluate()
			if !ignored {
				require.NoError(t, w.cycle())
			}
			for _, r := range n.routers {
				ticks += int(bit(r.clock.tick))
			}
			n.finish()
		}
		return ticks, w.held
	}
	ticks, held := run(false)
	require.Positive(t, held)
	free, _ := run(true)
	require.Greater(t, free, ticks)
}

// Messages for a receiver that stops forever stay blocked in the network. They do not slow down a row that they do not
// use: only passes mark a port, and a blocked message does not pass.
func TestAStoppedReceiverDoesNotHoldAnUntouchedRow(t *testing.T) {
	if !inWeakenedModel(t) {
		return
	}
	injected := func(wrong flaw, senders []int) int {
		p := newPlan(t, rings{{4, 1}, {4, 1}}, destination())
		g := p.Machine.Graph
		var sends []machine.Send
		for _, v := range senders {
			sends = append(sends, machine.Send{From: v, To: g.To(0)})
		}
		load := stream(sends...)
		load.Stalls = []machine.Stall{{Receivers: []int{0}}} // forever
		n := newRunFrom(p, load, []int{12})
		wrong(n.rules)
		n.offers.Choose = func(v, _ int) traffic.Message {
			if v == 12 {
				return traffic.Message{To: g.To(13)}
			}
			return traffic.Message{To: g.To(0)}
		}
		for n.Cycle() < 2000 {
			n.Step()
		}
		for _, v := range senders {
			require.EqualValues(t, 1, n.injections[v])
		}
		return n.injections[12]
	}
	for _, c := range []struct {
		line    string
		senders []int
	}{
		{"a tick counts only with a pass", []int{2, 4, 7, 11}},
		{"a blocked port does not pass", []int{2, 5, 6, 10, 11}},
	} {
		require.EqualValues(t, 2000, injected(right, c.senders), "%v", c.senders)
		require.Less(t, injected(off(c.line), c.senders), 100, "%s", c.line)
	}
}

// With few senders the marks cost nothing, because a port holds the clock only after passes in two ticks.
func TestMarksCostAFewSendersNothing(t *testing.T) {
	needs.Time(t) // the rates are measured in long runs
	if !inWeakenedModel(t) {
		return
	}
	for _, c := range []struct {
		options []option
		sources []int
		rate    float64 // accepted broadcasts per cycle
	}{
		{nil, []int{0, 2, 5}, 1},
		{[]option{perPort()}, []int{1, 3, 8, 14}, 2},
		{[]option{perPort()}, []int{3, 4, 5, 6}, 2},
	} {
		rate := func(wrong flaw) float64 {
			n := newRunFrom(newPlan(t, rings{{4, 1}, {4, 1}}, c.options...), stream(), c.sources)
			wrong(n.rules)
			for n.Cycle() < 10_000 {
				n.Step()
			}
			return float64(n.injected()) / 10_000
		}
		require.InDelta(t, c.rate, rate(right), 0.002, "%v", c.sources)
		require.InDelta(t, rate(unheld), rate(right), 1e-9, "%v", c.sources)
		require.Less(t, rate(off("the first tick does not hold the clock")), 0.98*c.rate, "%v", c.sources)
	}
}

// passWatch counts from wires alone, at each ring port of a network, the ticks of the router in which messages that
// continue have passed its entrants.
type passWatch struct {
	n      *run
	passed []bool // by node*degree + port: since the last tick
	ticks  []int  // likewise: ticks with a pass since the entrants began to wait
	most   int
	held   int // cycles of held clocks
}

func newPassWatch(n *run) *passWatch {
	ports := n.plan.Nodes * n.plan.Degree
	return &passWatch{n: n, passed: make([]bool, ports), ticks: make([]int, ports)}
}

// cycle checks a network that has been evaluated. It returns a contradiction of the theorem, if any.
func (w *passWatch) cycle() error {
	for v, r := range w.n.routers {
		marked := false // a port whose entrants have been passed in two ticks
		for p := range w.n.plan.Ports {
			at := v*w.n.plan.Degree + p
			marked = marked || w.ticks[at] == 2
			w.port(r, p, at)
			if w.ticks[at] > 2 {
				return fmt.Errorf("cycle %d: entrants of port %d of node %d have been passed in %d ticks", w.n.cycle, p, v, w.ticks[at])
			}
		}
		if !w.n.Idle(v) && r.isHeld() != marked {
			return fmt.Errorf("cycle %d: the clock of node %d is held: %v; a port has been passed in two ticks: %v", w.n.cycle, v, r.isHeld(), marked)
		}
		if marked {
			w.held++
		}
	}
	return nil
}

// port counts the passes of a port.
func (w *passWatch) port(r *Router, p, at int) {
	q := &w.n.plan.Ports[p]
	v := r.node
	if !q.Ring || w.n.Idle(v) {
		w.passed[at], w.ticks[at] = false, 0
		return
	}
	entrant := false
	if g := &r.groups[q.Dimension-1]; g.selected != none && g.weight[p] > 0 && !g.sent[p] {
		entrant = !r.inputs[g.selected].dropped
	}
	for _, from := range q.TransferFrom {
		i := &r.inputs[linkInput(from)]
		entrant = entrant || i.requests[q.Dimension] && !i.dropped
	}
	takes := r.outputs[p].takes
	switch {
	case !entrant || takes == enters || takes == transfers:
		w.passed[at], w.ticks[at] = false, 0
		return
	case takes == continues:
		w.passed[at] = true
	}
	if r.clock.tick {
		w.ticks[at] += int(bit(w.passed[at]))
		w.passed[at] = false
	}
	w.most = max(w.most, w.ticks[at])
}

// adversarial are loads with few senders that always have a message, and receivers with single or long stalls.
func adversarial(nodes int, seed int64) traffic.Load {
	random := rand.New(rand.NewPCG(uint64(seed), uint64(nodes)))
	l := traffic.Load{Rate: 1, Seed: seed, Slow: map[int]float64{}}
	l.Sources = random.Perm(nodes)[:1+random.IntN(min(nodes, 4))]
	for range random.IntN(3) {
		l.Slow[random.IntN(nodes)] = []float64{0.1, 0.5, 0.9}[random.IntN(3)]
	}
	return l
}

// marked are machines for the rule of marks: with and without short links.
var marked = []rings{{{4, 1}, {4, 1}}, {{8, 1}}, {{5, 1}, {6, 2}}, {{9, 3}}, {{4, 1}, {9, 2}}}

// watchMarks runs networks with a flaw under adversarial loads. It returns the first contradiction of the theorem, and
// the most ticks in which entrants were passed. A short run has one variant of each machine.
func watchMarks(t *testing.T, wrong flaw) (most int, err error) {
	for i, r := range marked {
		for j, v := range variants {
			if testing.Short() && j != i%len(variants) {
				continue
			}
			for seed := range int64(6) {
				options := v.With(fifoDepth(2 + (i+j)%3))
				if seed >= 4 {
					options = append(options, registers(1+(i+j)%4, 3-(i+j)%4))
				}
				if seed%2 == 1 {
					options = append(options, destination())
				}
				p := newPlan(t, r, options...)
				n := newLoaded(p, adversarial(p.Nodes, seed+1))
				if p.Destination != nil {
					n.offers.Choose = mixed(p, 8, 1)
				}
				wrong(n.rules)
				w, fair := newPassWatch(n), newJudge(p)
				for n.Cycle() < 1000 {
					n.Evaluate()
					require.NoError(t, fair.network(n), "%v %s: cycle %d", r, v.Name, n.cycle)
					if err := w.cycle(); err != nil {
						return w.most, fmt.Errorf("%v %s: %w", r, v.Name, err)
					}
					n.finish()
				}
				most = max(most, w.most)
			}
		}
	}
	return most, nil
}

// Entrants are passed in at most two ticks of their router, and a clock is held only for an entrant that has been passed
// in two ticks.
func TestEntrantsArePassedInTwoTicksAtMost(t *testing.T) {
	most, err := watchMarks(t, right)
	require.NoError(t, err)
	require.Equal(t, 2, most, "the bound is reached")
}

func TestEveryLineOfTheRuleOfMarksIsNeeded(t *testing.T) {
	needs.Time(t)
	if !inWeakenedModel(t) {
		return
	}
	for _, line := range []string{
		"a message that transfers is an entrant",
		"a blocked port does not pass",
		"a tick counts only with a pass",
		"an entry clears the marks",
		"the first tick does not hold the clock",
		"the second tick holds the clock",
		"the clock is held",
	} {
		_, err := watchMarks(t, off(line))
		t.Log(line, ": ", err)
		require.Error(t, err, line)
	}
}

// A stream of malformed messages that request to enter does not hold the clock: they are not entrants, and do not pass.
func TestMalformedMessagesDoNotHoldTheClock(t *testing.T) {
	if !inWeakenedModel(t) {
		return
	}
	ticks := func(wrong flaw) (n int) {
		r := NewRouter(newPlan(t, rings{{4, 1}, {4, 1}}), 0) // ports: x cw, x ccw, y cw, y ccw
		wrong(r.rules)
		var out sim.Outputs
		for range 100 {
			in := sim.Inputs{LinkValid: 1<<0 | 1<<1 | 1<<2 | 1<<3, LinkReady: 0xf, LocalReady: 1}
			in.Link[0], in.Link[1] = sim.Message{WD: 1, WC: 2}, sim.Message{WD: 1, WC: 2} // continue in x
			in.Link[2], in.Link[3] = sim.Message{WD: 0, WC: 1}, sim.Message{WD: 0, WC: 1} // malformed: request to enter x
			for p := range 4 {
				in.LinkPace[p] = r.clock.pace
			}
			r.Evaluate(&in, &out)
			n += int(bit(r.clock.tick))
			r.Step()
		}
		return n
	}
	require.Equal(t, 100, ticks(right))
	require.Less(t, ticks(off("a malformed message is no entrant")), 10)
}
