// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
)

// wrongAddress is a copy of the rules of destinations in which one, by its name, is wrong. It acts upon a router on its own.
type wrongAddress struct {
	rule string
	plan *plan.Plan
}

// route is the copy of addressing.route.
func (w wrongAddress) route(node int, tdest uint64) (route uint64, unicast, legal bool) {
	unicast, legal = true, true
	nobody := true
	for i, f := range w.plan.Destination.Fields {
		digit, own := int(tdest>>f.TDestLow&(1<<f.DigitBits-1)), w.plan.Machine.Graph.Digit(node, i+1)
		m, rho := w.plan.Dims[i].M, w.plan.Dims[i].Rho
		flag, x := 0, 0
		if everyone := tdest>>(f.TDestLow+f.DigitBits)&1 != 0; everyone && w.rule != "all is a digit" {
			flag, unicast, nobody = 1, false, false
		} else {
			legal = legal && (digit < m || w.rule == "digits of m and more are legal")
			digit %= m
			nobody = nobody && digit == own
			x = min((digit-own+m)%m, (own-digit+m)%m)
			clockwise := (digit-own+m)%m == x
			if 2*x == m {
				clockwise = own%2 == 0 || 2*rho == m
				switch w.rule {
				case "antipodes are always clockwise":
					clockwise = true
				case "antipodes are clockwise from odd digits":
					clockwise = own%2 == 1 || 2*rho == m
				}
			}
			if !clockwise && x > 0 {
				flag = 1
			}
		}
		route |= (uint64(flag)<<f.DistanceBits | uint64(x)) << f.RouteLow
	}
	if w.rule == "a set of nobody is legal" {
		nobody = false
	}
	return route, unicast, legal && !nobody
}

// targets is the copy of addressing.targets.
func (w wrongAddress) targets(a *addressing, route uint64, i int) (targets uint32) {
	for j := i - 1; j >= 1; j-- {
		flag, x := a.field(route, j)
		switch {
		case x > 0:
			targets |= 1 << j
			if w.rule != "spreading goes on behind a distance" {
				if w.rule == "delivery on the way" && i <= len(a.dims) {
					targets |= 1
				}
				return targets
			}
		case flag == flagAll:
			targets |= 1 << j
			if w.rule == "spreading returns at all" {
				return targets
			}
		case w.rule == "stay is a target":
			targets |= 1 << j
		}
	}
	if i <= len(a.dims) || w.rule == "the local input delivers" {
		targets |= 1
	}
	return targets
}

// drive is the copy of Router.drive.
func (w wrongAddress) drive(r *Router, in *Inputs) (offers uint32) {
	r.drive(in)
	a := r.shape.address
	cost := r.shape.unit
	route, unicast, legal := w.route(r.node, in.LocalDest)
	if unicast && w.rule != "a message to one node costs a turn" {
		cost = plan.UnicastCost
	}
	if !unicast && w.rule == "every message costs 1" {
		cost = plan.UnicastCost
	}
	if w.rule == "a message to one node costs 2" && unicast {
		cost = 2 * plan.UnicastCost
	}
	r.slots[0].Route = route
	r.in.cost, r.in.illegal, r.in.offered = cost, in.LocalValid && !legal, in.LocalValid && legal
	if w.rule == "illegal destinations are offered to the pace" {
		r.in.offered = in.LocalValid
	}
	for v := in.LinkValid; v != 0; v &= v - 1 {
		p := lowest(v)
		m, ps := &in.Link[p], &r.shape.ports[p]
		wrong := a.malformed(m.Route, int(ps.wd))
		if w.rule == "distances are not checked" {
			wrong = false
		}
		r.malformed &^= 1 << p
		if m.WD != ps.wd || m.WC == 0 || m.WC > ps.d || wrong {
			r.malformed |= 1 << p
		}
	}
	r.next = r.router
	return all(r.in.offered && legal && r.clock.open(cost)) & 1
}

// spread is the copy of router.spread.
func (w wrongAddress) spread(r *router, s *asks) {
	address := r.shape.address
	for v := s.asking; v != 0; v &= v - 1 {
		who := bits.TrailingZeros32(v)
		m, from := r.message(who), len(address.dims)+1
		if who > 0 {
			from = int(r.shape.ports[who-1].wd)
			spreads := m.WC <= 1 || m.Spread
			switch w.rule {
			case "every message spreads on its way":
				spreads = true
			case "spread alone decides":
				spreads = m.Spread
			case "nothing spreads on its way":
				spreads = m.WC <= 1
			}
			if !spreads {
				continue
			}
		}
		targets := w.targets(address, m.Route, from)
		s.deliver |= targets & 1 << who >> 1
		for t := targets >> 1; t != 0; t &= t - 1 {
			s.wants[bits.TrailingZeros32(t)+1] |= 1 << who
		}
	}
}

// evaluate is the copy of router.evaluate.
func (w wrongAddress) evaluate(r *router, offers uint32) {
	s := r.shape
	r.comes, r.leaves = r.linkValid&^r.full, r.valid&r.linkReady
	r.enters, r.continues, r.transfers, r.delivers, r.done = 0, 0, 0, 0, 0
	present := r.queued | r.linkValid&s.wayPast
	a := asks{asking: present<<1 | offers, bad: (r.malformed &^ r.queued & present) << 1, going: present & r.toContinue() &^ r.continued}
	free, onward := ^r.valid|r.linkReady, s.across(a.going&s.ring)
	a.enterable = free &^ onward
	r.continues = onward & free &^ s.across(a.bad>>1&s.ring)
	a.passes = s.across(r.continues)
	w.spread(r, &a)
	undelivered := present &^ r.delivered & a.deliver
	for j := range s.groups {
		g := &s.groups[j]
		if asking := a.asking & g.requesters &^ r.group[j].made & a.wants[g.index]; asking|a.going&g.transfers != 0 {
			r.enterDimension(&a, g, &r.group[j], asking)
		}
	}
	r.deliver(&a, undelivered)
	r.done = a.asking &^ (a.waiting | a.bad | (a.going&^a.passes|undelivered&^r.delivers)<<1)
	r.copied(&a)
}

// loaded changes the message that a link output has taken at a clock edge.
func (w wrongAddress) loaded(r *Router, before *router, p int) {
	m, enters := &r.register[p], before.enters>>p&1 != 0
	a := r.shape.address
	from := before.message(int(before.group[m.WD-1].who))
	flag, x := 0, 0
	if enters {
		flag, x = a.field(from.Route, int(m.WD))
	}
	switch w.rule {
	case "spread is set on entering":
		m.Spread = m.Spread || enters
	case "spread is lost on the way":
		m.Spread = m.Spread && enters
	case "spread is never set":
		m.Spread = false
	case "the fields of lower dimensions are lost on the way":
		m.Route &= uint64(all(enters)) | uint64(all(enters))<<32
	case "the field of the dimension is kept":
		if enters {
			m.Route |= from.Route & (a.dims[m.WD-1].mask << a.dims[m.WD-1].RouteLow)
		}
	case "a message to one node enters with the weight of a broadcast":
		if enters && x > 0 && r.shape.ports[p].first > 0 {
			m.WC = r.shape.ports[p].first
		}
	case "a message for all enters with weight 1":
		if enters && x == 0 && flag == flagAll {
			m.WC = 1
		}
	}
}

// step is the clock edge.
func (w wrongAddress) step(r *Router) {
	k, offered, linkPace := r.clock, r.in.offered, r.in.linkPace
	decided := r.next
	slots := append([]Message(nil), decided.slots...)
	r.Step()
	decided.slots = slots
	for v := decided.loads(); v != 0; v &= v - 1 {
		w.loaded(r, &decided, lowest(v))
	}
	if w.rule == "illegal destinations are not flagged" {
		r.illegal = false
	}
	cost := uint8(0)
	if decided.done&1 != 0 {
		cost = r.in.cost
	}
	r.clock = w.clock(k, linkPace, r.shape.degree, offered, cost)
}

// clock is the copy of clock.step.
func (w wrongAddress) clock(k clock, linkPace uint64, links int, offered bool, cost uint8) clock {
	unit, most := k.unit, 2*k.unit
	rest, served := k.credit-k.cost, k.served || k.cost > 0
	done := rest <= unit || served || !offered
	switch w.rule {
	case "served is ignored":
		done = rest <= unit || !offered
	case "done if served alone":
		done = served || !offered
	case "those who offer nothing wait":
		done = rest <= unit || served
	case "done with a rest of 31":
		done = rest < 2*unit || served || !offered
	case "done with less than 16 alone":
		done = rest < unit || served || !offered
	case "the cap is 48, and done up to 32":
		done = rest <= 2*unit || served || !offered
	case "always done":
		done = true
	}
	for p := range links {
		if pace := uint8(linkPace>>(plan.PaceBits*p)) & paceMask; pace == (k.pace-1)&paceMask && w.rule != "nobody is behind" {
			done = false
		}
	}
	k.credit, k.served, k.cost = rest, served, cost
	if w.rule == "an injection costs nothing" {
		k.cost = 0
	}
	switch w.rule {
	case "the cap is 31":
		most--
	case "the cap is 48", "the cap is 48, and done up to 32":
		most += unit
	case "the refill is 17":
		unit++
	case "the refill is 32":
		unit *= 2
	case "the refill is 8":
		unit /= 2
	}
	if done {
		k.pace = (k.pace + 1) & paceMask
		k.credit = min(rest+unit, most)
		k.served = served && w.rule == "served stays after a tick"
	} else if w.rule == "credit without a tick" {
		k.credit = min(rest+unit, most)
	}
	return k
}

// wrongRules are wrong rules of destinations, and whether the router of a machine can show them.
var wrongRules = []struct {
	rule  string
	shown func(p *plan.Plan) bool
}{
	{"antipodes are always clockwise", oddAntipodes},
	{"antipodes are clockwise from odd digits", antipodes},
	{"all is a digit", everywhere},
	{"digits of m and more are legal", func(p *plan.Plan) bool {
		return has(p, func(d *plan.Dim, f plan.DestinationField) bool { return 1<<f.DigitBits > d.M })
	}},
	{"a set of nobody is legal", everywhere},
	{"spreading goes on behind a distance", several},
	{"spreading returns at all", several},
	{"delivery on the way", several},
	{"stay is a target", several},
	{"a message to one node costs a turn", everywhere},
	{"every message costs 1", everywhere},
	{"a message to one node costs 2", everywhere},
	{"illegal destinations are offered to the pace", everywhere},
	{"illegal destinations are not flagged", everywhere},
	{"distances are not checked", func(p *plan.Plan) bool {
		for _, f := range p.Destination.Fields[:len(p.Dims)-1] {
			if f.MaxDistance < 1<<f.DistanceBits-1 {
				return true
			}
		}
		return false
	}},
	{"every message spreads on its way", long},
	{"spread alone decides", everywhere},
	{"nothing spreads on its way", long},
	{"spread is set on entering", everywhere},
	{"spread is lost on the way", long},
	{"spread is never set", everywhere},
	{"the fields of lower dimensions are lost on the way", func(p *plan.Plan) bool {
		return p.Dims[len(p.Dims)-1].D > 1 && several(p)
	}},
	{"the field of the dimension is kept", everywhere},
	{"a message to one node enters with the weight of a broadcast", long},
	{"a message for all enters with weight 1", long},
	{"served is ignored", everywhere},
	{"done if served alone", everywhere},
	{"those who offer nothing wait", everywhere},
	{"done with a rest of 31", everywhere},
	{"done with less than 16 alone", everywhere},
	{"always done", everywhere},
	{"nobody is behind", everywhere},
	{"an injection costs nothing", everywhere},
	{"the cap is 31", everywhere},
	{"the cap is 48", everywhere},
	{"the refill is 17", everywhere},
	{"the refill is 8", everywhere},
	{"served stays after a tick", everywhere},
	{"credit without a tick", everywhere},
}

func everywhere(*plan.Plan) bool { return true }

func several(p *plan.Plan) bool { return len(p.Dims) > 1 }

func has(p *plan.Plan, is func(d *plan.Dim, f plan.DestinationField) bool) bool {
	for i := range p.Dims {
		if is(&p.Dims[i], p.Destination.Fields[i]) {
			return true
		}
	}
	return false
}

func long(p *plan.Plan) bool {
	return has(p, func(d *plan.Dim, _ plan.DestinationField) bool { return d.D > 1 })
}

func antipodes(p *plan.Plan) bool {
	return has(p, func(d *plan.Dim, _ plan.DestinationField) bool { return d.M%2 == 0 && 2*d.Rho < d.M })
}

// oddAntipodes tells whether the node of the router trace has an odd digit where direction matters.
func oddAntipodes(p *plan.Plan) bool {
	for i, d := range p.Dims {
		if d.M%2 == 0 && 2*d.Rho < d.M && p.Machine.Graph.Digit(RouterNode(p), i+1)%2 == 1 {
			return true
		}
	}
	return false
}

// firstWrongAddress is firstDifference of a router with a wrong rule of destinations.
func firstWrongAddress(p *plan.Plan, w wrongAddress) int {
	a, b := newRouterRun(p, 1), NewRouter(p, RouterNode(p))
	var is Outputs
	for cycle := range RouterCycles(p) {
		is, a.out = Outputs{}, Outputs{}
		a.evaluate()
		w.evaluate(&b.next, w.drive(b, a.in))
		b.show(&is)
		if is != a.out {
			return cycle
		}
		w.step(b)
		a.step()
	}
	return RouterCycles(p)
}

// Router traces notice wrong rules of destinations, and not the right ones.
func TestRouterTracesShowWrongRulesOfDestinations(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for i, r := range mutated {
		for j, v := range variants {
			p := newPlan(t, r, v.with(destination(), last(), sourceID(), preference(preferences[(i+j)%3]), fifoDepth(2+(i+j)%2))...)
			require.Equal(t, RouterCycles(p), firstWrongAddress(p, wrongAddress{"", p}), "%v %s: the copies are right", r, v.name)
			for _, m := range wrongRules {
				if m.shown(p) {
					shown[m.rule] = true
					assert.Less(t, firstWrongAddress(p, wrongAddress{m.rule, p}), RouterCycles(p), "%v %s: %s", r, v.name, m.rule)
				}
			}
		}
	}
	require.Len(t, shown, len(wrongRules))
}
