// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/traffic"
)

// mutant is a router with a flaw. Each function may be nil.
type mutant struct {
	name   string
	reset  func(b *Router)                 // changes the router after reset
	inputs func(b *Router, in *sim.Inputs) // changes the inputs of the router in a cycle
	before func(b *Router)                 // acts before the clock edge
	after  func(b *Router)                 // acts after the clock edge; the wires are those of the ended cycle
}

// firstDifference drives a router and a mutant of it with the router trace and returns the first
// cycle in which an output differs, or the length of the trace. The inputs are those of the trace and do
// not depend on the mutant.
func firstDifference(p *plan.Plan, m *mutant) int {
	a, b := newRouterRun(p, 1), NewRouter(ownPlan(p), traffic.RouterNode(p))
	if m.reset != nil {
		m.reset(b)
	}
	var is sim.Outputs
	for cycle := range traffic.RouterCycles(p) {
		is, a.out = sim.Outputs{}, sim.Outputs{}
		a.evaluate()
		in := *a.in
		if m.inputs != nil {
			m.inputs(b, &in)
		}
		b.Evaluate(&in, &is)
		if is != a.out {
			return cycle
		}
		if m.before != nil {
			m.before(b)
		}
		b.Step()
		if m.after != nil {
			m.after(b)
		}
		a.step()
	}
	return traffic.RouterCycles(p)
}

// ownPlan copies a plan, so that a mutant may change its ports.
func ownPlan(p *plan.Plan) *plan.Plan {
	own := *p
	own.Ports = slices.Clone(p.Ports)
	return &own
}

// mutants is a list of flaws of the router of a machine.
type mutants struct {
	plan *plan.Plan
	list []mutant
}

func (x *mutants) add(m mutant, format string, args ...any) {
	m.name = fmt.Sprintf(format, args...)
	x.list = append(x.list, m)
}

// flaw adds a router with wrong rules.
func (x *mutants) flaw(wrong flaw, format string, args ...any) {
	x.add(mutant{reset: func(b *Router) { wrong(b.rules) }}, format, args...)
}

// line adds a router in which a line of the contract is switched off at a place.
func (x *mutants) line(line string, place int) {
	x.flaw(offAt(line, place), "not at %d: %s", place, line)
}

// reset adds a router that differs after reset.
func (x *mutants) reset(change func(b *Router), format string, args ...any) {
	x.add(mutant{reset: change}, format, args...)
}

// after adds a router whose registers are changed after each clock edge.
func (x *mutants) after(change func(b *Router), format string, args ...any) {
	x.add(mutant{after: change}, format, args...)
}

// mutantsOf lists flaws of the router of a machine without destinations.
func mutantsOf(p *plan.Plan) []mutant {
	x := &mutants{plan: p}
	x.slots()
	for i := range p.Ports {
		x.input(i)
		x.output(i)
	}
	x.line("a delivery register whose message leaves is free", 0)
	x.line("a delivery register that keeps its message is not free", 0)
	if len(p.Dims) > 1 {
		x.line("the local input waits for every group", 0)
	}
	x.trees()
	x.clock()
	return x.list
}

// slots adds flaws of the FIFOs.
func (x *mutants) slots() {
	capacity := func(change int) func(b *Router) {
		return func(b *Router) {
			for p := range b.outputs {
				b.inputs[linkInput(p)].capacity += change
			}
		}
	}
	x.reset(capacity(1), "a slot more")
	if x.plan.InputSlots > 1 {
		x.reset(capacity(-1), "a slot less")
	}
}

// input adds flaws of the link input of port i.
func (x *mutants) input(i int) {
	p, q, k := x.plan, &x.plan.Ports[i], linkInput(i)
	x.reset(func(b *Router) { b.inputs[k].bypass = !b.inputs[k].bypass }, "input %d has the other way past its slots", i)
	if q.D+1 < 1<<p.WcBits {
		x.reset(func(b *Router) { b.plan.Ports[i].D++ }, "input %d: larger legal weights", i)
	}
	x.reset(func(b *Router) { b.plan.Ports[i].D-- }, "input %d: smaller legal weights", i)
	x.after(func(b *Router) { b.errors.header &^= 1 << i }, "input %d: no header_error", i)
	var errors uint32
	x.add(mutant{
		before: func(b *Router) { errors = b.errors.header },
		after:  func(b *Router) { b.errors.header |= errors & (1 << i) },
	}, "input %d: header_error stays", i)
	if p.InputSlots > 1 {
		x.after(func(b *Router) {
			if in := &b.inputs[k]; len(in.slots) > 1 && in.arrives {
				in.slots[0], in.slots[1] = in.slots[1], in.slots[0]
			}
		}, "input %d: the second message overtakes the first", i)
		x.reset(func(b *Router) { b.inputs[k].capacity = 1 }, "input %d: ready only if its slots are empty", i)
	}
	if p.Stages == 1 && contended(p, q) {
		x.line("a malformed message requests", i)
	}
	if p.Stages == 1 {
		x.line("no target takes a malformed message", i)
	}
	x.line("a head is done in the cycle of its last copies", k)
	if q.Dimension > 1 || q.D > 1 { // the input has targets other than delivery
		x.after(func(b *Router) {
			if in := &b.inputs[k]; in.done {
				in.served[deliveryTarget] = in.taken[deliveryTarget]
			}
		}, "input %d: a head that is done stays delivered", i)
		x.after(func(b *Router) { b.inputs[k].served[deliveryTarget] = false }, "input %d: delivered twice", i)
	}
	if q.D > 1 {
		x.reset(func(b *Router) { b.inputs[k].continues = false }, "input %d does not continue", i)
		x.after(func(b *Router) { b.inputs[k].served[q.Dimension] = false }, "input %d: continued twice", i)
	}
}

// output adds flaws of the link output of port i.
func (x *mutants) output(i int) {
	p, q := x.plan, &x.plan.Ports[i]
	if q.Fed {
		x.line("an output whose message leaves is free", i)
		x.line("an output that keeps its message is not free", i)
	}
	if q.First > 0 {
		x.reset(func(b *Router) { b.plan.Ports[i].First ^= 1 }, "port %d: another weight on entering", i)
		if len(p.Dims[q.Dimension-1].Entered) > 1 {
			x.after(func(b *Router) { b.groups[q.Dimension-1].sent[i] = false }, "port %d: the group forgets that it has sent", i)
		}
	}
	if q.Ring && (q.First > 0 || len(q.TransferFrom) > 0) {
		x.line("the bubble rule", i)
		x.line("a head that does not request lets entrants in", i)
		if p.Stages == 1 {
			x.line("a malformed message keeps entrants out", i)
		}
	}
	if holdsClock(p, q) {
		x.marks(i)
	}
	for _, from := range q.TransferFrom {
		x.line("a message of a shorter link requests to transfer", from)
	}
	requesters := len(q.TransferFrom)
	if q.First > 0 {
		requesters++
	}
	if len(q.TransferFrom) > 0 && requesters > 1 {
		x.ringArbiter(i, len(q.TransferFrom), requesters)
	}
}

// holdsClock reports whether a port can hold the clock: messages of links are among its entrants. A message of the local
// input does not need the marks. Two ticks raise the credit to its maximum, so the next tick waits until it has been injected.
func holdsClock(p *plan.Plan, q *plan.Port) bool {
	return q.Ring && (len(q.TransferFrom) > 0 || q.First > 0 && q.Dimension < len(p.Dims))
}

// A port without entrants from links never holds the clock.
func TestMessagesOfTheLocalInputHoldNoClock(t *testing.T) {
	if !inWeakenedModel(t) {
		return
	}
	tried := 0
	for _, r := range mutated {
		for _, options := range [][]option{nil, {destination()}} {
			p := newPlan(t, r, options...)
			for i := range p.Ports {
				if q := &p.Ports[i]; !q.Ring || holdsClock(p, q) {
					continue
				}
				tried++
				unmarked := offAt("a message of the local input is an entrant", i)
				require.Equal(t, traffic.RouterCycles(p), firstDifference(p, &mutant{reset: func(b *Router) { unmarked(b.rules) }}), "%v, port %d", r, i)
			}
		}
	}
	require.Positive(t, tried)
}

// marks adds flaws of the marks of a ring port.
func (x *mutants) marks(i int) {
	for _, line := range []string{
		"a blocked port does not pass", "a tick counts only with a pass", "an entry clears the marks",
		"the first tick does not hold the clock", "the second tick holds the clock", "the clock is held",
	} {
		x.line(line, i)
	}
	if len(x.plan.Ports[i].TransferFrom) > 0 {
		x.line("a message that transfers is an entrant", i)
	}
	if x.plan.Stages == 1 && x.plan.Ports[i].Dimension < len(x.plan.Dims) { // otherwise two passes beside such entrants are rare
		x.line("a malformed message is no entrant", i)
	}
	x.after(func(b *Router) { b.outputs[i].marks.passed = false }, "port %d: only a pass in the cycle of a tick counts", i)
	x.after(func(b *Router) {
		if m := &b.outputs[i].marks; b.clock.tick && m.waiting {
			m.passed = m.passed || m.passes
		}
	}, "port %d: a pass in the cycle of a tick counts in the next one, too", i)
}

// ringArbiter adds flaws of the arbiter of a ring port.
func (x *mutants) ringArbiter(i, shorter, requesters int) {
	for sel := requesters - 1; sel > 0; sel-- {
		pointer := shorter + 1 - sel
		x.reset(func(b *Router) { b.outputs[i].arbiter.pointer = pointer }, "arbiter %d: pointer of %d after reset", i, pointer)
	}
	x.after(func(b *Router) { b.outputs[i].arbiter.pointer = 0 }, "arbiter %d: no pointer", i)
	pointer := 0
	x.add(mutant{
		before: func(b *Router) { pointer = b.outputs[i].arbiter.pointer },
		after: func(b *Router) {
			if o := &b.outputs[i]; o.arbiter.pointer != pointer && o.takes != enters && o.takes != transfers {
				o.arbiter.pointer++
			}
		},
	}, "arbiter %d: the pointer moves although nothing is completed", i)
}

// contended reports whether the requests of a link input's message can affect other messages.
func contended(p *plan.Plan, q *plan.Port) bool {
	if q.Dimension > 1 || p.Deliveries == 1 && p.Degree > 1 {
		return true
	}
	if q.ContinueTo < 0 {
		return false
	}
	to := p.Ports[q.ContinueTo]
	others := len(to.TransferFrom)
	if to.First > 0 {
		others++
	}
	if !q.Ring {
		others-- // without itself
	}
	return others > 0
}

// trees adds flaws of the groups and of the tree arbiters.
func (x *mutants) trees() {
	for j, d := range x.plan.Dims {
		requesters := []int{local}
		for _, q := range d.Sources {
			requesters = append(requesters, linkInput(q))
		}
		x.tree(j, requesters, func(b *Router) *tree { return &b.groups[j].arbiter })
		for _, k := range requesters {
			x.reset(func(b *Router) {
				g := &b.groups[j]
				g.requesters = slices.DeleteFunc(slices.Clone(g.requesters), func(other int) bool { return other == k })
			}, "group %d ignores input %d", j+1, k)
			if k != local {
				x.after(func(b *Router) { b.inputs[k].served[j+1] = false }, "group %d forgets that it served input %d", j+1, k)
			}
		}
	}
	if !x.plan.PerPort() {
		var links []int
		for p := range x.plan.Ports {
			links = append(links, linkInput(p))
		}
		x.tree(len(x.plan.Dims), links, func(b *Router) *tree { return &b.deliveryArbiter })
	}
}

// tree adds flaws of a tree arbiter.
func (x *mutants) tree(at int, requesters []int, of func(b *Router) *tree) {
	for _, n := range nodesOf(requesters) {
		x.reset(func(b *Router) { of(b).upper[n.number] = true }, "tree %d node %d: pointer after reset", at, n.number)
		x.after(func(b *Router) { of(b).upper[n.number] = false }, "tree %d node %d: no pointer", at, n.number)
		var pointers []bool
		x.add(mutant{
			before: func(b *Router) { pointers = append(pointers[:0], of(b).upper...) },
			after: func(b *Router) {
				if !slices.Equal(pointers, of(b).upper) {
					of(b).upper[n.number] = !of(b).upper[n.number]
				}
			},
		}, "tree %d node %d: the other pointer", at, n.number)
	}
}

// clock adds flaws of the pace.
func (x *mutants) clock() {
	for _, name := range slices.Sorted(maps.Keys(paceFlaws)) {
		x.flaw(paceFlaws[name], "clock: %s", name)
	}
	for i := range x.plan.Ports {
		x.flaw(offAt("a tick waits for the neighbour", i), "clock: link %d is not read", i)
		x.add(mutant{inputs: func(b *Router, in *sim.Inputs) {
			if in.LinkPace[i] == (b.clock.pace+b.lead)&b.paceMask {
				in.LinkPace[i] = b.before(b.clock.pace)
			}
		}}, "clock: link %d holds it when it is ahead", i)
	}
	x.flaw(func(x *rules) { x.lead-- }, "clock: the lead is one less")
	x.flaw(func(x *rules) { x.lead++ }, "clock: the lead is one more")
	if x.plan.Stages == 1 { // with two stages the first tick comes before the first message
		x.reset(func(b *Router) { b.clock.credit = 2 }, "clock: reset to credit 2")
	}
	x.reset(func(b *Router) { b.clock.credit = 0 }, "clock: reset to credit 0")
	x.reset(func(b *Router) { b.clock.pace = 1 }, "clock: reset to pace 1")
}

// mutated are the machines of the test with mutants.
var mutated = []rings{
	{{2, 1}},
	{{3, 1}},
	{{8, 1}},
	{{4, 1}, {4, 1}},
	{{6, 2}, {5, 1}},
	{{2, 1}, {3, 1}, {6, 3}},
	{{15, 2}, {15, 2}},
}

// Router traces detect wrong rules at every port, input, arbiter and node, and accept the correct rules. A short run has one
// variant of each machine.
func TestRouterTracesShowWrongRules(t *testing.T) {
	t.Parallel()
	if !inWeakenedModel(t) {
		return
	}
	tried := 0
	for i, r := range mutated {
		for j, v := range variants {
			if testing.Short() && j != i%len(variants) {
				continue
			}
			p := newPlan(t, r, v.With(preference(preferences[(i+j)%3]), fifoDepth(2+(i+j)%2))...)
			require.Equal(t, traffic.RouterCycles(p), firstDifference(p, &mutant{}), "%v %s", r, v.Name)
			for _, m := range mutantsOf(p) {
				tried++
				assert.Less(t, firstDifference(p, &m), traffic.RouterCycles(p), "%v %s, fifo_depth %d: %s", r, v.Name, p.Machine.FIFODepth, m.name)
			}
		}
	}
	t.Logf("%d mutants", tried)
	require.Greater(t, tried, map[bool]int{false: 2000, true: 200}[testing.Short()])
}
