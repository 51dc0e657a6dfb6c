// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// edge is what the gate of a router sees at a clock edge.
type edge struct {
	blocked       uint32
	now           seen
	valid         uint32 // outputs that are valid
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
	program := programOf(p)
	a := runOf(p, 1, program)
	b := NewRouter(&wrong, RouterNode(p))
	if m.reset != nil {
		m.reset(b)
	}
	step := m.step
	if step == nil {
		step = rightStep
	}
	var is Outputs
	cycles := length(program)
	for cycle := range cycles {
		is, a.out = Outputs{}, Outputs{}
		a.evaluate()
		b.Evaluate(a.in, &is)
		if is != a.out {
			return cycle
		}
		g, before := b.gate, b.control
		e := edge{b.blocked(), b.seen(), b.valid, a.in.LocalValid, g.open()}
		e.valid |= b.local * localOutput
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

// programs holds the programs of router traces that have been written.
var programs sync.Map

// programOf is the program of the router trace of a plan.
func programOf(p *plan.Plan) []segment {
	program, ok := programs.Load(p)
	if !ok {
		program, _ = programs.LoadOrStore(p, newProgram(p))
	}
	return program.([]segment)
}

// traceLength is the length of that trace.
func traceLength(p *plan.Plan) int { return length(programOf(p)) }

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
		require.Equal(t, traceLength(p), firstDifference(p, mutant{}), "%v", r)
	}
}

// A gate that comes out of reset in another state must show in the trace, a wrong balance
// in the opening. (Where deliveries do not pay, it only shows whether it is negative. That
// the balance was 8 quotas in a cycle before does not show because nothing was delivered
// then, what steady is only where no standstill comes before the memory, and what filled is
// only where the first window is low.)
func TestRouterTraceShowsWrongResetsOfTheGate(t *testing.T) {
	t.Parallel()
	for _, r := range mutated {
		p := newPlan(t, r)
		first := programOf(p)[0].cycles
		right := resetGate()
		wrong := map[string]func(*gate){
			"closed":            func(g *gate) { g.balance = -1 },
			"an injection seen": func(g *gate) { g.seen.injected = true },
		}
		if costReachable(p) {
			wrong["open once"] = func(g *gate) { g.balance = 0 }
			wrong["one too low"] = func(g *gate) { g.balance-- }
			wrong["one too high"] = func(g *gate) { g.balance++ }
		}
		for name, change := range wrong {
			g := right
			change(&g)
			if name == "an injection seen" && !costReachable(p) {
				continue
			}
			require.Less(t, firstDifference(p, mutant{reset: func(b *Router) { b.gate = g }}), first, "%v: %s", r, name)
		}
		wrong = map[string]func(*gate){
			"armed":   func(g *gate) { g.armed = true },
			"level 1": func(g *gate) { g.level = 1 },
			"level 2": func(g *gate) { g.level = 2 },
			"level 3": func(g *gate) { g.level = 3 },
			"level 4": func(g *gate) { g.level = 4 },
		}
		if costReachable(p) {
			wrong["twice the quota"] = func(g *gate) { g.quota *= 2 }
			wrong["half the quota"] = func(g *gate) { g.quota /= 2 }
			wrong["growing"] = func(g *gate) { g.growth = 1 }
			wrong["late"] = func(g *gate) { g.late = 1 }
			wrong["late, and one more"] = func(g *gate) { g.late = 2 }
		}
		for name, change := range wrong {
			g := right
			change(&g)
			assert.Less(t, firstDifference(p, mutant{reset: func(b *Router) { b.gate = g }}), traceLength(p), "%v: %s", r, name)
		}
		for bit := range timeBits(p) {
			wrong := func(b *Router) { b.gate.time = 1 << bit }
			assert.Less(t, firstDifference(p, mutant{reset: wrong}), traceLength(p), "%v: bit %d of the time", r, bit)
		}
	}
}

// The trace ends far from the state after reset: a second run of it shows what a
// reset has left alone.
func TestRouterTraceShowsAResetThatLeavesSomethingOfTheGate(t *testing.T) {
	for _, r := range mutated {
		p := newPlan(t, r)
		a := runOf(p, 1, programOf(p))
		for range traceLength(p) {
			a.evaluate()
			a.step()
		}
		end := a.router.gate
		for name, leave := range map[string]func(g *gate){
			"time":    func(g *gate) { g.time = end.time },
			"balance": func(g *gate) { g.balance = end.balance },
			"quota":   func(g *gate) { g.quota = end.quota },
			"level":   func(g *gate) { g.level = end.level },
		} {
			cycle := firstDifference(p, mutant{reset: func(b *Router) { leave(&b.gate) }})
			assert.Less(t, cycle, traceLength(p), "%v: %s", r, name)
		}
	}
}

// timeBits is how many bits of the time count in a trace.
func timeBits(p *plan.Plan) int {
	if p.Gate.ScaleBits > 0 {
		return p.Gate.RaisedBits + plan.MemoryBits + plan.LevelBits
	}
	return p.Gate.RaisedBits + plan.MemoryBits + 2*plan.LevelBits
}

// Every arbiter must show whose turn it is after reset in the opening: if it is that of any other
// requester, or at a node of a tree of the other half, an output differs.
func TestRouterTraceShowsWrongResetsOfEveryArbiter(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, r := range mutated {
		p := newPlan(t, r)
		s := newShape(p)
		first := programOf(p)[0].cycles
		try := func(name string, reset func(*Router)) {
			tried++
			require.Less(t, firstDifference(p, mutant{reset: reset}), first, "%v: %s", r, name)
		}
		for at, requesters := range treesOf(s) {
			for _, n := range nodesOf(requesters) {
				try(fmt.Sprintf("%s: %v", treeTitle(s, at), &n), func(b *Router) { *turnsOf(&b.control, s, at) = n.bit })
			}
		}
		for v := s.ring; v != 0; v &= v - 1 {
			q := bits.TrailingZeros32(v)
			entrants := s.ports[q].transfers >> s.ports[q].transferBase << 1
			if s.ports[q].first > 0 {
				entrants |= 1
			}
			for v := entrants & (entrants - 1); v != 0; v &= v - 1 {
				wrong := turn(bits.TrailingZeros32(v))
				try(fmt.Sprintf("port %d: turn of %d", q, wrong), func(b *Router) { b.ringTurn[q] = wrong })
			}
		}
	}
	require.Greater(t, tried, 100)
}

// A gate that does not watch one of the outputs must show, whichever it is: for its
// standstills, or for windows that are not low.
func TestRouterTraceShowsAGateThatDoesNotWatchAnOutput(t *testing.T) {
	t.Parallel()
	for i, r := range mutated {
		plans := map[string]*plan.Plan{}
		for _, pref := range preferences {
			plans[pref.String()] = newPlan(t, r, preference(pref))
		}
		if v := variants[2+i%2]; i < 7 {
			plans[v.name] = newPlan(t, r, v.options...)
		}
		for variant, p := range plans {
			for _, o := range drilled(p) {
				bit := uint32(1) << o
				if o >= p.Degree {
					bit = localOutput << (o - p.Degree)
				}
				for name, step := range map[string]gateStep{
					"standstill": func(g *gate, k *plan.Gate, e edge) {
						g.step(k, e.blocked&^bit, e.now)
						g.blocked = e.blocked
					},
					"low": func(g *gate, k *plan.Gate, e edge) {
						g.step(k, e.blocked, e.now)
						g.blocked &^= bit
					},
				} {
					if name == "low" && !slices.Contains(blockable(p), o) {
						continue
					}
					assert.Less(t, firstDifference(p, mutant{step: step}), traceLength(p), "%v %s: %s of output %d", r, variant, name, o)
				}
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
			"free injections":  func(k *plan.Gate) { k.Cost = 0 },
			"half the window":  func(k *plan.Gate) { k.WindowBits-- },
			"twice the window": func(k *plan.Gate) { k.WindowBits++ },
			"another scale":    func(k *plan.Gate) { k.ScaleBits ^= 1 },
		}
		if costReachable(p) {
			wrong["twice the cost"] = func(k *plan.Gate) { k.Cost *= 2 }
			wrong["cost one too high"] = func(k *plan.Gate) { k.Cost++ }
			wrong["cost one too low"] = func(k *plan.Gate) { k.Cost-- }
			wrong["half the cap"] = func(k *plan.Gate) { k.CapBits-- }
			wrong["twice the cap"] = func(k *plan.Gate) { k.CapBits++ }
		}
		for name, change := range wrong {
			assert.Less(t, firstDifference(p, mutant{constants: change}), traceLength(p), "%v: %s", r, name)
		}
	}
}
