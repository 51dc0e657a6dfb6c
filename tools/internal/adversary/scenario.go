// SPDX-License-Identifier: Apache-2.0

package adversary

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Limits of a scenario. Few streams and short stalls keep the backlog small, so that a message that is under way for
// long is held by others and not only queued behind them.
const (
	maxStreams = 4
	maxStalls  = 3
	maxVictims = 8
	maxStall   = 20 // cycles
)

// scenario is traffic that an adversary chooses: nodes that send without a pause, receivers that stall once, and single
// messages of other nodes.
type scenario struct {
	streams []message
	stalls  []machine.Stall
	victims []message
}

// message is a message of a node, or the first of a stream that lasts until the run ends.
type message struct {
	from int
	to   hypercycle.Destination // nil: all nodes
	at   int                    // cycle of the first offer
}

// draw returns a random scenario. Streams begin early, so that the clocks have moved apart when stalls and victims come.
func draw(p *plan.Plan, cycles int, r *rand.Rand) scenario {
	var s scenario
	for range 1 + r.IntN(2)*r.IntN(maxStreams) { // often one, because streams of several nodes make gaps for one another
		s.streams = append(s.streams, drawMessage(p, r, 0, cycles/10))
	}
	for range 1 + r.IntN(maxStalls) {
		s.stalls = append(s.stalls, drawStall(p, cycles, r))
	}
	for range 1 + r.IntN(maxVictims) {
		s.victims = append(s.victims, drawMessage(p, r, cycles/10, cycles/4))
	}
	return s
}

// drawMessage returns a message that is first offered in a cycle from, ..., to - 1.
func drawMessage(p *plan.Plan, r *rand.Rand, from, to int) message {
	m := message{from: r.IntN(p.Nodes), at: from + r.IntN(to-from)}
	if p.Destination != nil && r.IntN(4) > 0 {
		m.to = drawDestination(p, m.from, r)
	}
	return m
}

// drawDestination returns a random destination of a node: one node, or a row, plane or the like.
func drawDestination(p *plan.Plan, from int, r *rand.Rand) hypercycle.Destination {
	node := r.IntN(p.Nodes - 1)
	if node >= from {
		node++
	}
	to := hypercycle.Destination(slices.Clone(p.Machine.Graph.Digits(node)))
	slices.Reverse(to) // dimension 1 first
	if r.IntN(3) == 0 {
		to[r.IntN(len(to))] = hypercycle.All
	}
	return to
}

func drawStall(p *plan.Plan, cycles int, r *rand.Rand) machine.Stall {
	return machine.Stall{Receivers: []int{r.IntN(p.Nodes)}, At: cycles/10 + r.IntN(cycles/4), Cycles: 1 + r.IntN(maxStall)}
}

// change returns a slightly different scenario: a part begins some cycles earlier or later, lasts longer or shorter, or is
// drawn again.
func (s scenario) change(p *plan.Plan, cycles int, r *rand.Rand) scenario {
	c := scenario{slices.Clone(s.streams), slices.Clone(s.stalls), slices.Clone(s.victims)}
	near := func(at int) int { return min(max(at+r.IntN(11)-5, 0), cycles/2) }
	for range 1 + r.IntN(2) {
		stream, stall, victim := r.IntN(len(c.streams)), r.IntN(len(c.stalls)), r.IntN(len(c.victims))
		switch r.IntN(8) {
		case 0:
			c.streams[stream] = drawMessage(p, r, 0, cycles/10)
		case 1:
			c.streams[stream].at = near(c.streams[stream].at)
		case 2:
			c.stalls[stall] = drawStall(p, cycles, r)
		case 3:
			c.stalls[stall].At = near(c.stalls[stall].At)
		case 4:
			c.stalls[stall].Cycles = min(max(c.stalls[stall].Cycles+r.IntN(7)-3, 1), maxStall)
		case 5:
			c.victims[victim] = drawMessage(p, r, cycles/10, cycles/4)
		case 6:
			c.victims[victim].at = near(c.victims[victim].at)
		default:
			if len(c.streams) < maxStreams {
				c.streams = append(c.streams, drawMessage(p, r, 0, cycles/10))
			} else {
				c.streams = slices.Delete(c.streams, stream, stream+1)
			}
		}
	}
	return c
}

// traffic returns the scenario as a traffic block.
func (s scenario) traffic(cycles int) machine.Traffic {
	t := machine.Traffic{Name: "adversary", Cycles: cycles, Stalls: slices.Clone(s.stalls)}
	for _, m := range s.victims {
		t.Sends = append(t.Sends, machine.Send{From: m.from, To: m.to, At: m.at})
	}
	for _, m := range s.streams {
		for range cycles - m.at { // a node injects at most one message in a cycle
			t.Sends = append(t.Sends, machine.Send{From: m.from, To: m.to, At: m.at})
		}
	}
	slices.SortStableFunc(t.Sends, func(a, b machine.Send) int { return a.At - b.At })
	slices.SortStableFunc(t.Stalls, func(a, b machine.Stall) int { return a.At - b.At })
	return t
}

// String describes the scenario in a few lines.
func (s scenario) String() string {
	var b strings.Builder
	list := func(what string, messages []message) {
		for _, m := range messages {
			to := "all nodes"
			if m.to != nil {
				to = m.to.String()
			}
			fmt.Fprintf(&b, "  %s from node %d to %s at cycle %d\n", what, m.from, to, m.at)
		}
	}
	list("stream", s.streams)
	for _, stall := range s.stalls {
		fmt.Fprintf(&b, "  receiver %d stalls in cycles %d to %d\n", stall.Receivers[0], stall.At, stall.At+stall.Cycles-1)
	}
	list("message", s.victims)
	return b.String()
}
