// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// edge is what the gate sees at a clock edge.
type edge struct {
	calm                bool
	blocked             uint32
	injected, delivered bool
}

// gateStep is the clock edge of a gate, right or wrong.
type gateStep func(g *gate, k plan.Gate, e edge)

func rightStep(g *gate, k plan.Gate, e edge) { g.step(&k, e.calm, e.blocked, e.injected, e.delivered) }

// firstDifference drives a router and a mutant of it with the router trace and
// returns the first cycle in which an output differs, or the length of the trace.
// The inputs are those of the trace, whatever the mutant does.
func firstDifference(p *plan.Plan, reset func(*Router), step gateStep) int {
	a, b, s := NewRouter(p, 0), NewRouter(p, 0), newStimulus(p, 1)
	reset(b)
	var is, want Outputs
	cycle, cycles := 0, RouterCycles(p)
	for cycle < cycles {
		if n := skippable(a, s); n > 0 {
			a.gate.skip(&p.Gate, n)
			for i := 0; i < n; i++ {
				step(&b.gate, p.Gate, edge{calm: true})
			}
			s.skip(n)
			cycle += n
			continue
		}
		in := s.drive()
		is, want = Outputs{}, Outputs{}
		a.Evaluate(in, &want)
		b.Evaluate(in, &is)
		if is != want {
			break
		}
		a.Step()
		g, e := b.gate, edge{b.calm(), b.blocked(), b.localReady, b.popLocal}
		b.Step()
		step(&g, p.Gate, e)
		b.gate = g
		s.taken(&want)
		cycle++
	}
	return cycle
}

func unchanged(*Router) {}

// mutated are the machines of the tests with mutants.
var mutated = []rings{
	{{2, 1}},
	{{3, 1}},
	{{4, 1}},
	{{8, 1}},
	{{4, 1}, {4, 1}},
	{{6, 2}, {5, 1}},
	{{15, 2}, {15, 2}},
	{{15, 1}, {15, 1}, {15, 1}, {15, 1}},
	{{17, 7}, {3, 1}},
	{{15, 2}, {15, 2}, {15, 2}, {15, 2}},
}

// A router without a change must not differ, or the tests below prove nothing.
func TestUnchangedRouterEqualsTheRouterTrace(t *testing.T) {
	for _, r := range mutated {
		p := newPlan(t, r)
		require.Equal(t, RouterCycles(p), firstDifference(p, unchanged, rightStep), "%v", r)
	}
}

// A gate that comes out of reset in another state must show in the trace, a wrong
// balance in the opening, before a calm cycle has refilled it.
func TestRouterTraceShowsWrongResetsOfTheGate(t *testing.T) {
	for _, r := range mutated {
		p := newPlan(t, r)
		first := newProgram(p)[0].cycles
		right := gate{balance: int32(p.Gate.Cap)}
		wrong := map[string]gate{
			"closed":             {balance: -1},
			"open once":          {balance: int32(p.Gate.Cost) - 1},
			"open three times":   {balance: int32(2 * p.Gate.Cost)},
			"held":               {balance: right.balance, hold: 1<<p.Gate.HoldBits - 1},
			"an epoch too short": {balance: right.balance, phase: 1},
		}
		if p.Gate.Cap <= openableCap {
			wrong["one too low"] = gate{balance: right.balance - 1}
			wrong["one too high"] = gate{balance: right.balance + 1}
		}
		for name, g := range wrong {
			cycle := firstDifference(p, func(b *Router) { b.gate = g }, rightStep)
			require.Less(t, cycle, RouterCycles(p), "%v: %s", r, name)
			if g.hold == 0 && g.phase == 0 {
				require.Less(t, cycle, first, "%v: %s", r, name)
			}
		}
	}
}

// Every arbiter must show its whole order after reset in the opening: with any two
// neighbours in it exchanged, or the order reversed, an output differs.
func TestRouterTraceShowsWrongResetsOfEveryArbiter(t *testing.T) {
	tried := 0
	for _, r := range mutated {
		p := newPlan(t, r)
		s := newShape(p)
		first := newProgram(p)[0].cycles
		try := func(name string, requesters uint32, at func(*Router) *order) {
			var who []uint8
			for v := requesters; v != 0; v &= v - 1 {
				who = append(who, uint8(bits.TrailingZeros32(v)))
			}
			for i := 1; i < len(who); i++ {
				tried++
				wrong := exchanged(resetOrder, who[i-1], who[i])
				cycle := firstDifference(p, func(b *Router) { *at(b) = wrong }, rightStep)
				require.Less(t, cycle, first, "%v: %s: %d before %d", r, name, who[i], who[i-1])
			}
			wrong := resetOrder
			for i, j := 0, len(who)-1; i < j; i, j = i+1, j-1 {
				wrong = exchanged(wrong, who[i], who[j])
			}
			if len(who) > 1 {
				cycle := firstDifference(p, func(b *Router) { *at(b) = wrong }, rightStep)
				require.Less(t, cycle, first, "%v: %s: reversed", r, name)
			}
		}
		for j := range s.groups {
			g := &s.groups[j]
			try(fmt.Sprintf("group %d", j+1), g.number(g.requesters), func(b *Router) *order { return &b.groupOrder[j] })
		}
		for v := s.ring; v != 0; v &= v - 1 {
			q := bits.TrailingZeros32(v)
			entrants := s.ports[q].transfers >> s.ports[q].transferBase << 1
			if s.ports[q].first > 0 {
				entrants |= 1
			}
			try(fmt.Sprintf("port %d", q), entrants, func(b *Router) *order { return &b.ringOrder[q] })
		}
		try("delivery", 1<<p.Degree-1, func(b *Router) *order { return &b.deliverOrder })
	}
	require.Greater(t, tried, 100)
}

// exchanged is an order with the places of two requesters exchanged.
func exchanged(o order, a, b uint8) order {
	wrong := order(0)
	for place := 0; place < 64; place += 4 {
		who := uint8(o >> place & 15)
		switch who {
		case a:
			who = b
		case b:
			who = a
		}
		wrong |= order(who) << place
	}
	return wrong
}

// A gate that does not watch one of the outputs must show, whichever it is.
func TestRouterTraceShowsAGateThatDoesNotWatchAnOutput(t *testing.T) {
	for _, r := range mutated {
		for _, pref := range preferences {
			p := newPlan(t, r, preference(pref))
			watched := []int{maxDegree}
			for o, q := range p.Ports {
				if q.Depth > 0 {
					watched = append(watched, o)
				}
			}
			for _, o := range watched {
				cycle := firstDifference(p, unchanged, func(g *gate, k plan.Gate, e edge) {
					e.blocked &^= 1 << o
					rightStep(g, k, e)
				})
				require.Less(t, cycle, RouterCycles(p), "%v %s: output %d", r, pref, o)
			}
		}
	}
}

// Wrong constants and wrong rules of the gate must show.
func TestRouterTraceShowsWrongRulesOfTheGate(t *testing.T) {
	for _, r := range mutated {
		p := newPlan(t, r)
		with := func(change func(*plan.Gate)) gateStep {
			return func(g *gate, k plan.Gate, e edge) {
				change(&k)
				rightStep(g, k, e)
			}
		}
		wrong := map[string]gateStep{
			"half the hold":        with(func(k *plan.Gate) { k.HoldBits-- }),
			"half the epoch":       with(func(k *plan.Gate) { k.EpochBits-- }),
			"twice the epoch":      with(func(k *plan.Gate) { k.EpochBits++ }),
			"injections are free":  with(func(k *plan.Gate) { k.Cost = 0 }),
			"twice the cost":       with(func(k *plan.Gate) { k.Cost *= 2 }),
			"one epoch too short":  func(g *gate, k plan.Gate, e edge) { holdTo(g, k, e, 1<<k.HoldBits-2) },
			"one epoch too long":   func(g *gate, k plan.Gate, e edge) { holdTo(g, k, e, 1<<k.HoldBits) },
			"refills without calm": func(g *gate, k plan.Gate, e edge) { e.calm = true; rightStep(g, k, e) },
		}
		if p.Gate.Cap <= openableCap {
			wrong["a delivery at one less than the cap does not count"] = func(g *gate, k plan.Gate, e edge) {
				before, refill := g.balance, e.calm && g.hold == 0
				rightStep(g, k, e)
				if e.delivered && before == int32(k.Cap)-1 && !refill {
					g.balance--
				}
			}
			wrong["a delivery at the cap counts"] = func(g *gate, k plan.Gate, e edge) {
				before, refill := g.balance, e.calm && g.hold == 0
				rightStep(g, k, e)
				if e.delivered && before == int32(k.Cap) && !refill {
					g.balance++
				}
			}
			wrong["a delivery with an injection at the cap counts"] = func(g *gate, k plan.Gate, e edge) {
				before, refill := g.balance, e.calm && g.hold == 0
				rightStep(g, k, e)
				if e.delivered && e.injected && before == int32(k.Cap) && !refill {
					g.balance++
				}
			}
			wrong["a delivery with an injection does not count"] = func(g *gate, k plan.Gate, e edge) {
				e.delivered = e.delivered && !e.injected
				rightStep(g, k, e)
			}
		}
		for name, step := range wrong {
			require.Less(t, firstDifference(p, unchanged, step), RouterCycles(p), "%v: %s", r, name)
		}
	}
}

// holdTo is the clock edge of a gate that sets the hold count to another value.
func holdTo(g *gate, k plan.Gate, e edge, hold uint32) {
	stuck, last := g.watch(&k, e.blocked)
	rightStep(g, k, e)
	if last && stuck != 0 {
		g.hold = hold
	}
}
