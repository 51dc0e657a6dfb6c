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
	a, b, s := NewRouter(p, 0), NewRouter(&wrong, 0), newStimulus(p, 1)
	if m.reset != nil {
		m.reset(b)
	}
	step := m.step
	if step == nil {
		step = rightStep
	}
	var is, want Outputs
	cycles := RouterCycles(p)
	for cycle := range cycles {
		in := s.drive()
		is, want = Outputs{}, Outputs{}
		a.Evaluate(in, &want)
		b.Evaluate(in, &is)
		if is != want {
			return cycle
		}
		a.Step()
		g, before := b.gate, b.control
		e := edge{b.blocked(), b.seen(), b.arrived, b.valid, b.count[delivery] > 0, b.offered, g.open()}
		b.Step()
		step(&g, &wrong.Gate, e)
		if m.after != nil {
			m.after(b, before)
		}
		b.gate = g
		s.taken(&want)
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
	for _, r := range mutated {
		p := newPlan(t, r)
		require.Equal(t, RouterCycles(p), firstDifference(p, mutant{}), "%v", r)
	}
}

// A gate that comes out of reset in another state must show in the trace, a wrong
// balance in the opening, before anything has refilled it.
func TestRouterTraceShowsWrongResetsOfTheGate(t *testing.T) {
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
			"pausing":           {balance: right, waited: 1 << p.Gate.PatienceBits},
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

// late lets c pass a value once more before it acts: a counter one too long.
func late(g *gate, value uint32) {
	const passed = 1 << 30
	switch g.length {
	case value:
		g.length |= passed
	case value + 1 | passed:
		g.length = value
	}
}

// Silences and standstills that are one cycle too long or too short, at any level,
// must show.
func TestRouterTraceShowsTimesOfTheGateThatAreOffByOne(t *testing.T) {
	for _, r := range mutated {
		p := newPlan(t, r)
		for level := range p.Gate.TopLevel + 1 {
			at := func(change func(g *gate, k *plan.Gate)) gateStep {
				return func(g *gate, k *plan.Gate, e edge) {
					if int(g.level) == level {
						change(g, k)
					}
					rightStep(g, k, e)
				}
			}
			wrong := map[string]gateStep{
				"short silence": at(func(g *gate, k *plan.Gate) {
					if g.seen.calm && g.length == g.silence(k)-1 {
						g.length++
					}
				}),
				"long silence": at(func(g *gate, k *plan.Gate) {
					if g.seen.calm {
						late(g, g.silence(k))
					}
				}),
			}
			if level < p.Gate.TopLevel {
				wrong["short standstill"] = at(func(g *gate, k *plan.Gate) {
					if !g.seen.calm && g.still != 0 && g.length == g.standstill(k)-1 {
						g.length++
					}
				})
				wrong["long standstill"] = at(func(g *gate, k *plan.Gate) {
					if !g.seen.calm && g.still != 0 {
						late(g, g.standstill(k))
					}
				})
			}
			for name, step := range wrong {
				require.Less(t, firstDifference(p, mutant{step: step}), RouterCycles(p), "%v: %s at level %d", r, name, level)
			}
		}
	}
}

// Wrong rules of the gate must show.
func TestRouterTraceShowsWrongRulesOfTheGate(t *testing.T) {
	// changed is right but for what happens after the edge, with the state before
	changed := func(after func(g *gate, k *plan.Gate, e edge, before gate)) gateStep {
		return func(g *gate, k *plan.Gate, e edge) {
			before := *g
			rightStep(g, k, e)
			after(g, k, e, before)
		}
	}
	// sees is right but for what is seen
	sees := func(wrong func(e *edge)) gateStep {
		return func(g *gate, k *plan.Gate, e edge) {
			wrong(&e)
			rightStep(g, k, e)
		}
	}
	// atOnce acts upon something in its own cycle
	atOnce := func(copy func(g *gate, now seen)) gateStep {
		return func(g *gate, k *plan.Gate, e edge) {
			copy(g, e.now)
			rightStep(g, k, e)
		}
	}
	refills := func(before *gate, k *plan.Gate) bool { return before.seen.calm && before.length == before.silence(k) }
	wrong := map[string]gateStep{
		"injections act at once": atOnce(func(g *gate, now seen) { g.seen.injected = now.injected }),
		"calm acts at once":      atOnce(func(g *gate, now seen) { g.seen.calm = now.calm }),
		"quiet acts at once":     atOnce(func(g *gate, now seen) { g.seen.quiet = now.quiet }),
		"always quiet":           sees(func(e *edge) { e.now.quiet = true }),
		"never quiet":            sees(func(e *edge) { e.now.quiet = false }),
		"always calm":            sees(func(e *edge) { e.now.calm = true }),
		"never calm":             sees(func(e *edge) { e.now.calm = false }),
		"calm without ready":     sees(func(e *edge) { e.now.calm = e.now.calm || e.now.quiet }),
		"blocked is valid":       sees(func(e *edge) { e.blocked = e.links }),
		"forgives at any level": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.seen.quiet {
				g.balance = max(g.balance, 0)
			}
		}),
		"forgives at level 1": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.seen.quiet && before.level == 1 {
				g.balance = max(g.balance, 0)
			}
		}),
		"forgives to an injection": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.forgives() && g.balance == 0 {
				g.balance = int32(k.Cost)
			}
		}),
		"a silence goes on after its refill": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if refills(&before, k) {
				g.length = before.length // and so refills again with the next cycle
			}
		}),
		"a silence does not refill": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if refills(&before, k) {
				g.balance = before.balance
			}
		}),
		"a silence at level 0 does not refill": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if refills(&before, k) && before.level == 0 {
				g.balance = max(before.balance, 0)
			}
		}),
		"a silence opens only": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if refills(&before, k) {
				g.balance = max(before.balance, 0)
			}
		}),
		"an injection with a refill is paid": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if refills(&before, k) && before.seen.injected {
				g.balance -= int32(k.Cost)
			}
		}),
		"the level does not rise": changed(func(g *gate, k *plan.Gate, e edge, before gate) { g.level = min(g.level, before.level) }),
		"the level rises to the top": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.level > before.level {
				g.level = uint8(k.TopLevel)
			}
		}),
		"the level does not fall": changed(func(g *gate, k *plan.Gate, e edge, before gate) { g.level = max(g.level, before.level) }),
		"the level falls to 0": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.level < before.level {
				g.level = 0
			}
		}),
		"the level wraps": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if int(before.level) == k.TopLevel && before.still != 0 && before.length == before.standstill(k) {
				g.level = 0
			}
		}),
		"a rise refills": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.level > before.level {
				g.balance = int32(k.Cap)
			}
		}),
		"c goes on at a rise": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.level > before.level {
				g.length = before.length + 1
			}
		}),
		"c goes on at a refill": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if refills(&before, k) && g.level > 0 {
				g.length = before.length + 1
			}
		}),
		"c goes on after a standstill": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.length == 0 && before.still == 0 && !before.seen.calm && e.blocked != 0 {
				g.length = before.length + 1
			}
		}),
		"c goes on from a silence": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.still == 0 && before.seen.calm && e.blocked != 0 && !refills(&before, k) {
				g.length = before.length + 1
			}
		}),
		"S is whatever is blocked": changed(func(g *gate, k *plan.Gate, e edge, before gate) { g.still = e.blocked }),
		"S is renewed at once": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.still == 0 {
				g.still = e.blocked
			}
		}),
		"S must not shrink": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.still&^e.blocked != 0 {
				g.still = 0
			}
		}),
		"S grows": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.still != 0 {
				g.still = e.blocked
			}
		}),
		"a message that has asked loses its turn": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			g.seen.waits = g.seen.waits && g.balance >= 0
		}),
		"open for any message that waits": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			g.seen.waits = e.offered && !e.now.injected
		}),
	}
	small := map[string]gateStep{ // with reachable caps
		"deliveries act at once": atOnce(func(g *gate, now seen) { g.seen.delivered = now.delivered }),
		"a delivery at one less than the cap does not count": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.seen.delivered && before.balance == int32(k.Cap)-1 && !refills(&before, k) {
				g.balance--
			}
		}),
		"a delivery at the cap counts": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.seen.delivered && before.balance == int32(k.Cap) && !refills(&before, k) {
				g.balance++
			}
		}),
		"a delivery with an injection at the cap counts": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.seen.delivered && before.seen.injected && before.balance == int32(k.Cap) && !refills(&before, k) {
				g.balance++
			}
		}),
		"a silence leaves one too few": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if refills(&before, k) {
				g.balance--
			}
		}),
		"a silence leaves one too many": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if refills(&before, k) {
				g.balance++
			}
		}),
		"a delivery with an injection does not count": func(g *gate, k *plan.Gate, e edge) {
			g.seen.delivered = g.seen.delivered && !g.seen.injected
			rightStep(g, k, e)
		},
		"deliveries do not count": sees(func(e *edge) { e.now.delivered = false }),
	}
	patient := map[string]gateStep{ // with reachable patiences
		"never pauses": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.pauses(k) {
				g.waited = 0
			}
		}),
		"patience one too short": func(g *gate, k *plan.Gate, e edge) {
			if g.waited == 1<<k.PatienceBits-2 && g.seen.waits {
				g.waited++
			}
			rightStep(g, k, e)
		},
		"patience one too long": func(g *gate, k *plan.Gate, e edge) {
			twice := uint32(1) << 30 // marks the cycle in which w does not rise
			if g.waited == 1 && g.seen.waits {
				rightStep(g, k, e)
				g.waited = 1 | twice
				return
			}
			if g.waited == 1|twice {
				g.waited = 1
			}
			rightStep(g, k, e)
		},
		"pause one too short": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if g.waited == pauseEnd(k)-1 {
				g.waited = 0
			}
		}),
		"pause one too long": func(g *gate, k *plan.Gate, e edge) {
			end, twice := pauseEnd(k)-1, uint32(1)<<30
			if g.waited == end {
				rightStep(g, k, e)
				g.waited = end | twice
				return
			}
			if g.waited == end|twice {
				g.waited = end
			}
			rightStep(g, k, e)
		},
		"an injection ends a pause": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.pauses(k) && before.seen.injected {
				g.waited = 0
			}
		}),
		"handshakes do not count": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			g.waited = patienceOf(before, k, before.seen.waits || before.seen.injected)
		}),
		"waiting acts at once": changed(func(g *gate, k *plan.Gate, e edge, before gate) { g.waited = patienceOf(before, k, e.now.waits) }),
		"counts at a closed gate": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			g.waited = patienceOf(before, k, e.offered && !e.now.injected)
		}),
		"counts without a message": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			g.waited = patienceOf(before, k, e.open && !e.now.injected)
		}),
		"counts on after a pause": changed(func(g *gate, k *plan.Gate, e edge, before gate) {
			if before.pauses(k) && !g.pauses(k) {
				g.waited = 1 << k.PatienceBits / 2
			}
		}),
	}
	for _, r := range mutated {
		p := newPlan(t, r)
		all := []map[string]gateStep{wrong}
		if capReachable(p) {
			all = append(all, small)
		}
		if patienceReachable(p) {
			all = append(all, patient)
		}
		for _, steps := range all {
			for name, step := range steps {
				if firstDifference(p, mutant{step: step}) == RouterCycles(p) {
					t.Errorf("%v: %s", r, name)
				}
			}
		}
		if !patienceReachable(p) || p.Degree == 1 {
			continue
		}
		still := func(b *Router, before control) {
			if b.gate.waited > 1<<p.Gate.PatienceBits {
				b.deliverOrder = before.deliverOrder
			}
		}
		require.Less(t, firstDifference(p, mutant{after: still}), RouterCycles(p), "%v: the arbiter of delivery stands still in a pause", r)
	}
}

// patienceOf is w at the end of a cycle if the local input was seen to wait or not.
func patienceOf(g gate, k *plan.Gate, waits bool) uint32 {
	g.seen.waits = waits
	g.step(k, 0, seen{})
	return g.waited
}
