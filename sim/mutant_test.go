// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
)

// wrong is a flaw of what a router decides, at the ports or link inputs of a mask.
type wrong struct {
	flaw string
	at   uint32
}

// evaluate is a copy of router.evaluate with the flaw.
func (w wrong) evaluate(r *router, offers uint32) {
	s := r.shape
	r.comes, r.leaves = r.linkValid&^r.full, r.valid&r.linkReady
	r.enters, r.continues, r.transfers, r.delivers, r.done = 0, 0, 0, 0, 0
	present := r.queued | r.linkValid&s.wayPast
	if present|offers == 0 {
		return
	}
	free, malformed := ^r.valid|r.linkReady, r.malformed&^r.queued&present
	popLocal, local, was := r.popLocal, r.local, *r
	switch w.flaw {
	case "a malformed message asks for nothing":
		present &^= malformed & w.at
	case "a malformed message is not told apart":
		malformed &^= w.at
	case "loads only an empty output":
		free &^= r.valid & w.at
	case "loads an output that holds a message":
		free |= w.at
	case "delivers only into an empty register":
		r.popLocal = 0
	case "delivers into a register that holds a message":
		r.local = 0
	}
	a := asks{
		asking: present<<1 | offers,
		bad:    malformed << 1,
		going:  present & r.toContinue() &^ r.continued,
	}
	onward := s.across(a.going & s.ring)
	a.enterable = free &^ onward
	r.continues = onward & free &^ s.across(a.bad>>1&s.ring)
	switch w.flaw {
	case "no bubble rule":
		a.enterable |= free & w.at
		r.continues &^= w.at
	case "enters although a malformed message asks to continue":
		a.enterable |= free & s.across(a.bad>>1&s.ring) & w.at
	case "does not enter where a message could":
		a.enterable &^= s.ring & w.at & s.across(present&s.ring)
	}
	a.passes = s.across(r.continues)
	for j := range s.groups {
		g := &s.groups[j]
		if asking := a.asking & g.requesters &^ r.group[j].made; asking|a.going&g.transfers != 0 {
			r.enterDimension(&a, g, &r.group[j], asking)
		}
	}
	if w.flaw == "no bubble rule" {
		r.continues |= onward & free &^ s.across(a.bad>>1&s.ring) & w.at &^ (r.enters | r.transfers)
		a.passes |= s.across(r.continues)
	}
	undelivered := present &^ r.delivered
	if w.flaw == "delivers the lowest first" && undelivered != 0 {
		r.deliverTurn = 0
	}
	r.deliver(&a, undelivered)
	r.popLocal, r.local = popLocal, local
	r.done = a.asking &^ (a.waiting | a.bad | (a.going&^a.passes|undelivered&^r.delivers)<<1)
	switch w.flaw {
	case "is done a cycle late":
		late := uint32(0)
		for p := range s.degree {
			late |= was.missing(p) << p
		}
		r.done &^= late & w.at << 1
	case "the local input is done although a group is missing":
		if offers != 0 && a.asking&^a.waiting&1 == 0 {
			for j := range s.groups {
				r.done |= r.group[j].made & 1
			}
		}
	}
	r.copied(&a)
}

// missing is 1 if a copy of the message of link input p has not been made, else 0.
func (r *router) missing(p int) uint32 {
	missing := ^r.delivered >> p & 1
	for j := range r.shape.groups {
		missing |= (r.shape.groups[j].requesters &^ r.group[j].made) >> (p + 1) & 1
	}
	return missing
}

// mutant is a router with a flaw; what is nil is right.
type mutant struct {
	name     string
	reset    func(b *Router) // the state after reset, or the shape
	evaluate func(r *router, offers uint32)
	after    func(b *Router, before *Router) // the clock edge, from the state before and what was decided
	clock    func(c *weakClock)
}

// firstDifference drives a router and a mutant of it with the router trace and returns the first
// cycle in which an output differs, or the length of the trace. The inputs are those of the trace, whatever
// the mutant does.
func firstDifference(p *plan.Plan, m *mutant) int {
	a, b := newRouterRun(p, 1), NewRouter(p, RouterNode(p))
	if m.reset != nil {
		m.reset(b)
	}
	c := weakClock{credit: plan.Refill, open: true, read: make([]uint8, p.Degree)}
	evaluate := m.evaluate
	if evaluate == nil {
		evaluate = (*router).evaluate
	}
	var is Outputs
	for cycle := range RouterCycles(p) {
		is, a.out = Outputs{}, Outputs{}
		a.evaluate()
		offers := b.drive(a.in)
		evaluate(&b.next, offers)
		b.show(&is)
		if is != a.out {
			return cycle
		}
		before := *b
		b.Step()
		if m.after != nil {
			m.after(b, &before)
		}
		if m.clock != nil {
			c.offered, c.injected = a.in.LocalValid, is.LocalReady
			for q := range c.read {
				c.read[q] = uint8(a.in.LinkPace>>(plan.PaceBits*q)) & paceMask
			}
			m.clock(&c)
			c.late = c.injected
			b.clock = clock{pace: c.pace, credit: uint8(all(c.open) & 1)}
		}
		a.step()
	}
	return RouterCycles(p)
}

// mutants lists flaws of the router of a machine.
func mutants(p *plan.Plan) (list []mutant) {
	s := newShape(p)
	add := func(m mutant, format string, args ...any) {
		m.name = fmt.Sprintf(format, args...)
		list = append(list, m)
	}
	shaped := func(change func(*shape), format string, args ...any) {
		add(mutant{reset: func(b *Router) {
			changed := *b.shape
			changed.groups = append([]groupShape(nil), changed.groups...)
			change(&changed)
			b.shape = &changed
		}}, format, args...)
	}
	decided := func(flaw string, at uint32) {
		add(mutant{evaluate: wrong{flaw, at}.evaluate}, "%s at %b", flaw, at)
	}

	// slots and the way past them
	shaped(func(s *shape) { s.slots++ }, "a slot more")
	if s.slots > 1 {
		shaped(func(s *shape) { s.slots-- }, "a slot less")
	}
	for i, q := range p.Ports {
		bit := uint32(1) << i
		shaped(func(s *shape) { s.wayPast ^= bit }, "input %d has the other way past its slots", i)
		if q.D+1 < 1<<p.WcBits {
			shaped(func(s *shape) { s.ports[i].d++ }, "input %d: larger legal weights", i)
		}
		shaped(func(s *shape) { s.ports[i].d-- }, "input %d: smaller legal weights", i)
		add(mutant{after: func(b, _ *Router) { b.dropped &^= bit }}, "input %d: no header_error", i)
		add(mutant{after: func(b, before *Router) { b.dropped = b.dropped&^bit | before.dropped&bit | b.dropped&bit }}, "input %d: header_error stays", i)
		if s.slots > 1 {
			add(mutant{after: func(b, before *Router) {
				if b.count[i] > 1 && before.next.comes&bit != 0 {
					places, head := 1<<s.placeBits-1, int(b.head.at(i+1, s.placeBits))
					at := (i + 1) << s.placeBits
					b.slots[at|head], b.slots[at|(head+1)&places] = b.slots[at|(head+1)&places], b.slots[at|head]
				}
			}}, "input %d: the second message overtakes the first", i)
			add(mutant{after: func(b, _ *Router) { b.full |= b.queued & bit }}, "input %d: ready only if its slots are empty", i)
		}
		if p.Stages == 1 && contended(p, &q) {
			decided("a malformed message asks for nothing", bit)
		}
		if p.Stages == 1 {
			decided("a malformed message is not told apart", bit)
		}
		decided("is done a cycle late", bit)
		others := q.Dimension > 1 || q.D > 1
		if others {
			add(mutant{after: func(b, before *Router) { b.delivered |= before.next.delivers & bit }}, "input %d: what is done stays delivered", i)
			add(mutant{after: func(b, _ *Router) { b.delivered &^= bit }}, "input %d: delivered twice", i)
		}
		if q.D > 1 {
			shaped(func(s *shape) { s.continues &^= bit }, "input %d does not continue", i)
			add(mutant{after: func(b, _ *Router) { b.continued &^= bit }}, "input %d: continued twice", i)
		}
		if q.Fed {
			decided("loads only an empty output", bit)
			decided("loads an output that holds a message", bit)
		}
		if q.First > 0 {
			shaped(func(s *shape) { s.ports[i].first ^= 1 }, "port %d: another weight on entering", i)
			if len(p.Dims[q.Dimension-1].Entered) > 1 {
				add(mutant{after: func(b, _ *Router) { b.carried &^= bit }}, "port %d: the group forgets it", i)
			}
		}
		if q.Ring && (q.First > 0 || len(q.TransferFrom) > 0) {
			decided("no bubble rule", bit)
			decided("does not enter where a message could", bit)
			if p.Stages == 1 {
				decided("enters although a malformed message asks to continue", bit)
			}
		}
		for _, from := range q.TransferFrom {
			shaped(func(s *shape) {
				s.ports[i].transfers &^= 1 << from
			}, "port %d: input %d does not transfer", i, from)
		}
		requesters := len(q.TransferFrom)
		if q.First > 0 {
			requesters++
		}
		if len(q.TransferFrom) > 0 && requesters > 1 {
			for sel := requesters - 1; sel > 0; sel-- {
				whose := turn(len(q.TransferFrom) + 1 - sel)
				add(mutant{reset: func(b *Router) { b.ringTurn[i] = whose }}, "arbiter %d: turn of %d after reset", i, whose)
			}
			add(mutant{after: func(b, before *Router) { b.ringTurn[i] = before.ringTurn[i] }}, "arbiter %d: no turns", i)
			add(mutant{after: func(b, before *Router) {
				if b.ringTurn[i] != before.ringTurn[i] && (before.next.enters|before.next.transfers)&bit == 0 {
					b.ringTurn[i]++
				}
			}}, "arbiter %d: the turn passes although nothing is completed", i)
		}
	}
	decided("delivers only into an empty register", 0)
	decided("delivers into a register that holds a message", 0)
	if len(s.groups) > 1 {
		decided("the local input is done although a group is missing", 0)
	}
	list = append(list, treeMutants(s)...)
	for _, line := range []string{
		"an injection costs nothing", "the last link is not read", "nobody is behind", "the cap is 3", "always done", "the refill is 2",
		"credit without a tick", "always open", "those who offer nothing wait", "there is no refill",
	} {
		add(mutant{clock: weakened(line)}, "clock: %s", line)
	}
	for i := range p.Ports {
		right := weakened("")
		add(mutant{clock: func(c *weakClock) {
			c.read[i] = c.pace
			right(c)
		}}, "clock: link %d is not read", i)
		add(mutant{clock: func(c *weakClock) {
			if c.read[i] == (c.pace+1)&paceMask {
				c.read[i] = (c.pace - 1) & paceMask
			}
			right(c)
		}}, "clock: link %d holds it when it is ahead", i)
	}
	if p.Stages == 1 { // with two the first tick comes before the first message
		add(mutant{reset: func(b *Router) { b.clock.credit = 2 }}, "clock: reset to credit 2")
	}
	add(mutant{reset: func(b *Router) { b.clock.credit = 0 }}, "clock: reset to credit 0")
	add(mutant{reset: func(b *Router) { b.clock.pace = 1 }}, "clock: reset to pace 1")
	return list
}

// contended reports whether it makes a difference to others what the message of a link input asks for.
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
		others-- // itself
	}
	return others > 0
}

// treeMutants lists flaws of the trees of groups and of delivery.
func treeMutants(s *shape) (list []mutant) {
	add := func(m mutant, format string, args ...any) {
		m.name = fmt.Sprintf(format, args...)
		list = append(list, m)
	}
	turns := func(at int, requesters uint32, turn func(r *router) *tree) {
		for i, n := range nodesOf(requesters) {
			add(mutant{reset: func(b *Router) { *turn(&b.router) = n.bit }}, "tree %d node %d: turn after reset", at, i)
			add(mutant{after: func(b, before *Router) {
				*turn(&b.router) = *turn(&b.router)&^n.bit | *turn(&before.router)&n.bit
			}}, "tree %d node %d: no turns", at, i)
			add(mutant{after: func(b, before *Router) {
				if *turn(&before.router) != *turn(&before.next) {
					*turn(&b.router) ^= n.bit
				}
			}}, "tree %d node %d: the other turn", at, i)
		}
	}
	for j, g := range s.groups {
		turns(j, g.requesters, func(r *router) *tree { return &r.group[j].turn })
		for v := g.requesters; v != 0; v &= v - 1 {
			who := bits.TrailingZeros32(v)
			add(mutant{reset: func(b *Router) {
				changed := *b.shape
				changed.groups = append([]groupShape(nil), changed.groups...)
				changed.groups[j].requesters &^= 1 << who
				b.shape = &changed
			}}, "group %d does not hear %d", j+1, who)
			if who > 0 {
				add(mutant{after: func(b, _ *Router) { b.group[j].made &^= 1 << who }}, "group %d forgets that it served %d", j+1, who)
			}
		}
	}
	if !s.perPort {
		turns(len(s.groups), (1<<s.degree-1)<<1, func(r *router) *tree { return &r.deliverTurn })
	}
	return list
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

// Router traces notice wrong rules, at every port, input, arbiter and node; and not the right ones.
func TestRouterTracesShowWrongRules(t *testing.T) {
	t.Parallel()
	tried := 0
	for i, r := range mutated {
		for j, v := range variants {
			p := newPlan(t, r, v.with(preference(preferences[(i+j)%3]), fifoDepth(2+(i+j)%2))...)
			right := mutant{clock: weakened(""), evaluate: wrong{}.evaluate}
			require.Equal(t, RouterCycles(p), firstDifference(p, &right), "%v %s: the copies are right", r, v.name)
			for _, m := range mutants(p) {
				tried++
				assert.Less(t, firstDifference(p, &m), RouterCycles(p), "%v %s, fifo_depth %d: %s", r, v.name, p.Machine.FIFODepth, m.name)
			}
		}
	}
	require.Greater(t, tried, 2000)
}
