// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// edge is what the gate of a router sees at a clock edge.
type edge struct {
	blocked       uint32
	now           seen
	inputs, links uint32 // link inputs and outputs that are valid
	local         bool   // the local output is valid
	offered, open bool   // the local input is valid, the gate open
}

// gateStep is the clock edge of a gate, right or wrong.
type gateStep func(g *gate, k *plan.Gate, e edge)

func rightStep(g *gate, k *plan.Gate, e edge) { g.step(k, e.blocked, e.now) }

// mutant says what is wrong with a router; what is nil is right.
type mutant struct {
	reset     func(b *Router)                 // the state after reset
	constants func(k *plan.Gate)              // of the gate
	step      gateStep                        // of the gate
	after     func(b *Router, before control) // the clock edge of the router, from its state before
}

// firstDifference drives a router and a mutant of it with the router trace and
// returns the first cycle in which an output differs, or the length of the trace.
// The inputs are those of the trace, whatever the mutant does.
func firstDifference(p *plan.Plan, m mutant) int {
	wrong := *p
	if m.constants != nil {
		m.constants(&wrong.Gate)
	}
	a := newRouterRun(p, 1)
	b := NewRouter(&wrong, RouterNode(p))
	if m.reset != nil {
		m.reset(b)
	}
	step := m.step
	if step == nil {
		step = rightStep
	}
	var is Outputs
	cycles := RouterCycles(p)
	for cycle := range cycles {
		is, a.out = Outputs{}, Outputs{}
		a.evaluate()
		b.Evaluate(a.in, &is)
		if is != a.out {
			return cycle
		}
		g, before := b.gate, b.control
		e := edge{b.blocked(), b.seen(), b.arrived, b.valid, b.count[delivery] > 0, b.offered, g.open()}
		b.Step()
		step(&g, &wrong.Gate, e)
		if m.after != nil {
			m.after(b, before)
		}
		b.gate = g
		a.step()
	}
	return cycles
}

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
	t.Parallel()
	for _, r := range mutated {
		p := newPlan(t, r)
		require.Equal(t, RouterCycles(p), firstDifference(p, mutant{}), "%v", r)
	}
}

// A gate that comes out of reset in another state must show in the trace, a wrong
// balance in the opening, before anything has refilled it.
func TestRouterTraceShowsWrongResetsOfTheGate(t *testing.T) {
	t.Parallel()
	for _, r := range mutated {
		p := newPlan(t, r)
		first := newProgram(p)[0].cycles
		right := int32(p.Gate.Cap)
		wrong := map[string]gate{
			"closed":            {balance: -1},
			"open once":         {balance: int32(p.Gate.Cost) / 2},
			"an injection less": {balance: right - int32(p.Gate.Cost)},
			"an injection more": {balance: right + int32(p.Gate.Cost)},
			"level 1":           {balance: right, level: 1},
			"level 2":           {balance: right, level: 2},
			"level 3":           {balance: right, level: 3},
			"pausing":           {balance: right, pausing: true},
			"an injection seen": {balance: right, seen: seen{injected: true}},
		}
		if capReachable(p) {
			wrong["one too low"] = gate{balance: right - 1}
			wrong["one too high"] = gate{balance: right + 1}
		}
		for name, g := range wrong {
			cycle := firstDifference(p, mutant{reset: func(b *Router) { b.gate = g }})
			assert.Less(t, cycle, RouterCycles(p), "%v: %s", r, name)
			if g.level == 0 && (capReachable(p) || !g.seen.injected) {
				require.Less(t, cycle, first, "%v: %s", r, name)
			}
		}
		for bit := range timeBits(p) {
			wrong := func(b *Router) { b.gate.time = 1 << bit }
			assert.Less(t, firstDifference(p, mutant{reset: wrong}), RouterCycles(p), "%v: bit %d of the time", r, bit)
		}
	}
}

// The trace ends far from the state after reset: a second run of it shows what a
// reset has left alone. (S, silent, steady and waited cannot be seen: before cycle 0
// nothing was calm, waiting or blocked, and what steady is only matters after a
// standstill, which clears it.)
func TestRouterTraceShowsAResetThatLeavesSomethingOfTheGate(t *testing.T) {
	for _, r := range mutated {
		p := newPlan(t, r)
		a := newRouterRun(p, 1)
		for range RouterCycles(p) {
			a.evaluate()
			a.step()
		}
		end := a.router.gate
		wrong := map[string]func(g *gate){
			"time":    func(g *gate) { g.time = end.time },
			"balance": func(g *gate) { g.balance = end.balance },
			"level":   func(g *gate) { g.level = end.level },
		}
		if patienceReachable(p) {
			wrong["pausing"] = func(g *gate) { g.pausing = end.pausing }
		}
		for name, leave := range wrong {
			cycle := firstDifference(p, mutant{reset: func(b *Router) { leave(&b.gate) }})
			require.Less(t, cycle, RouterCycles(p), "%v: %s", r, name)
		}
	}
}

// timeBits is how many bits of the time count in a trace.
func timeBits(p *plan.Plan) int {
	k := &p.Gate
	bits := k.MemoryBits + rememberedLevel*k.ScaleBits
	if patienceReachable(p) {
		bits = max(bits, k.PatienceBits)
	}
	return bits
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
				cycle := firstDifference(p, mutant{reset: func(b *Router) { *at(b) = wrong }})
				require.Less(t, cycle, first, "%v: %s: %d before %d", r, name, who[i], who[i-1])
			}
			wrong := resetOrder
			for i, j := 0, len(who)-1; i < j; i, j = i+1, j-1 {
				wrong = exchanged(wrong, who[i], who[j])
			}
			if len(who) > 1 {
				cycle := firstDifference(p, mutant{reset: func(b *Router) { *at(b) = wrong }})
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

// A gate that does not watch one of the outputs must show, whichever it is: for its
// standstills, or for whether the router is quiet.
func TestRouterTraceShowsAGateThatDoesNotWatchAnOutput(t *testing.T) {
	t.Parallel()
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
				bit := uint32(1) << o
				for name, step := range map[string]gateStep{
					"standstill": func(g *gate, k *plan.Gate, e edge) {
						e.blocked &^= bit
						rightStep(g, k, e)
					},
					"quiet": func(g *gate, k *plan.Gate, e edge) {
						e.now.quiet = e.blocked&^localOutput&^bit == 0 && (!e.local || bit == localOutput)
						rightStep(g, k, e)
					},
					"calm": func(g *gate, k *plan.Gate, e edge) {
						e.now.calm = e.inputs|e.links&^bit == 0 && (!e.local || bit == localOutput)
						rightStep(g, k, e)
					},
				} {
					require.Less(t, firstDifference(p, mutant{step: step}), RouterCycles(p), "%v %s: %s of output %d", r, pref, name, o)
				}
			}
			for input := range p.Ports {
				calm := func(g *gate, k *plan.Gate, e edge) {
					e.now.calm = e.inputs&^(1<<input)|e.links == 0 && !e.local
					rightStep(g, k, e)
				}
				require.Less(t, firstDifference(p, mutant{step: calm}), RouterCycles(p), "%v %s: calm with input %d", r, pref, input)
			}
		}
	}
}

// Wrong constants of the gate must show.
func TestRouterTraceShowsWrongConstantsOfTheGate(t *testing.T) {
	t.Parallel()
	for _, r := range mutated {
		p := newPlan(t, r)
		wrong := map[string]func(*plan.Gate){
			"twice the cost":         func(k *plan.Gate) { k.Cost *= 2 },
			"free injections":        func(k *plan.Gate) { k.Cost = 0 },
			"half the silence":       func(k *plan.Gate) { k.SilenceBits-- },
			"twice the silence":      func(k *plan.Gate) { k.SilenceBits++ },
			"half the standstill":    func(k *plan.Gate) { k.StandstillBits-- },
			"twice the standstill":   func(k *plan.Gate) { k.StandstillBits++ },
			"levels closer together": func(k *plan.Gate) { k.ScaleBits-- },
			"levels farther apart":   func(k *plan.Gate) { k.ScaleBits++ },
			"one level less":         func(k *plan.Gate) { k.TopLevel-- },
			"one level more":         func(k *plan.Gate) { k.TopLevel++ },
			"half the memory":        func(k *plan.Gate) { k.MemoryBits-- },
			"twice the memory":       func(k *plan.Gate) { k.MemoryBits++ },
		}
		if capReachable(p) {
			wrong["cost one too high"] = func(k *plan.Gate) { k.Cost++ }
			wrong["cost one too low"] = func(k *plan.Gate) { k.Cost-- }
			wrong["cap one too high"] = func(k *plan.Gate) { k.Cap++ }
			wrong["cap one too low"] = func(k *plan.Gate) { k.Cap-- }
		}
		if patienceReachable(p) {
			wrong["half the patience"] = func(k *plan.Gate) { k.PatienceBits-- }
			wrong["twice the patience"] = func(k *plan.Gate) { k.PatienceBits++ }
			wrong["half the pause"] = func(k *plan.Gate) { k.PauseBits-- }
			wrong["twice the pause"] = func(k *plan.Gate) { k.PauseBits++ }
		}
		for name, change := range wrong {
			require.Less(t, firstDifference(p, mutant{constants: change}), RouterCycles(p), "%v: %s", r, name)
		}
	}
}
