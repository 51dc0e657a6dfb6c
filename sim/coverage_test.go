// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/plan"
)

// coverage counts in how many cycles of a router trace each situation occurs that there is.
type coverage struct {
	plan  *plan.Plan
	shape *shape
	index map[string]int
	names []string
	count []int
	nodes [][]treeNode // by tree: of the groups, then of delivery
}

// treeNode is a node of a tree arbiter: the requesters of its halves, and its bit of the state.
type treeNode struct {
	lower, upper uint32
	bit          tree
}

// nodesOf lists the nodes of the tree arbiter of these requesters, the largest first.
func nodesOf(requesters uint32) (nodes []treeNode) {
	add := func(lower, upper uint32, bit int) {
		if lower != 0 && upper != 0 {
			nodes = append(nodes, treeNode{lower: lower, upper: upper, bit: 1 << bit})
		}
	}
	add(requesters&1, requesters&^1, 0)
	for w := maxDegree / 2; w > 0; w /= 2 {
		half := uint32(1)<<w - 1
		for first := 0; first < maxDegree; first += 2 * w {
			lower := half << (first + 1) // bit p+1 is link p
			add(requesters&lower, requesters&(lower<<w), first+w)
		}
	}
	return nodes
}

// manyValues is the number of values of a header field that are tried one by one.
const manyValues = 16

func (c *coverage) add(format string, args ...any) {
	name := fmt.Sprintf(format, args...)
	c.index[name] = len(c.names)
	c.names = append(c.names, name)
	c.count = append(c.count, 0)
}

// hit counts a situation that there is; a name that is not on the list is ignored.
func (c *coverage) hit(when bool, format string, args ...any) {
	if !when {
		return
	}
	if i, ok := c.index[fmt.Sprintf(format, args...)]; ok {
		c.count[i]++
	}
}

func newCoverage(p *plan.Plan) *coverage {
	c := &coverage{plan: p, shape: newShape(p), index: map[string]int{}}
	s := c.shape
	past := p.Stages == 1
	for i, q := range p.Ports {
		c.addInput(i, &q)
		if !q.Fed {
			continue
		}
		c.add("output %d is blocked", i)
		kinds := map[string]bool{"enters": c.entered(&q), "continues": q.Ring, "transfers": len(q.TransferFrom) > 0}
		for _, kind := range []string{"enters", "continues", "transfers"} {
			if kinds[kind] {
				c.add("output %d, empty, loads one that %s", i, kind)
				c.add("output %d, read, loads one that %s", i, kind)
				c.add("one that %s waits for output %d", kind, i)
			}
		}
		if q.Ring && (kinds["enters"] || kinds["transfers"]) {
			c.add("the bubble rule holds somebody back at output %d", i)
			if past {
				c.add("a malformed message that asks to continue holds somebody back at output %d", i)
			}
		}
		if kinds["transfers"] {
			c.addRing(i, &q)
		}
	}
	for j, g := range s.groups {
		c.addTree(fmt.Sprintf("group %d", j+1), g.requesters, past)
		everyone := c.everyone(j)
		for v := everyone; v != 0 && everyone&(everyone-1) != 0; v &= v - 1 {
			c.add("group %d has reached all ports but %d", j+1, lowest(v))
			c.add("group %d has reached port %d and not all", j+1, lowest(v))
		}
	}
	if !s.perPort {
		c.addTree("delivery", (1<<p.Degree-1)<<1, past)
		c.addDelivery("delivery")
	}
	for rest := range 2*s.unit + 1 {
		if name := "a tick with rest " + c.restName(rest); c.index[name] == 0 {
			c.add("%s", name)
		}
	}
	for pace := range 1 << plan.PaceBits {
		c.add("a tick at pace %d", pace)
	}
	for i := range p.Ports {
		c.add("the neighbour on port %d alone is behind", i)
		c.add("the neighbour on port %d is ahead", i)
	}
	for _, name := range []string{
		"done with the largest rest because nothing is offered", "not done with the largest rest", "held although nothing is offered",
		"offered and not open", "handshake and tick", "handshake and no tick",
		"the local input is ready at once",
	} {
		c.add("%s", name)
	}
	if s.address == nil {
		c.add("handshake with credit 1")
		c.add("handshake with credit 2")
	} else {
		c.addAddressed()
	}
	if len(s.groups) > 1 || bits.OnesCount32(s.groups[0].entered) > 1 {
		c.add("a message that has started waits")
	}
	return c
}

func (c *coverage) addInput(i int, q *plan.Port) {
	p, s := c.plan, c.shape
	for wc := 1; wc <= q.D; wc++ {
		c.add("input %d gets weight %d", i, wc)
	}
	c.add("input %d gets weight 0", i)
	if 1<<p.WcBits <= manyValues {
		for wc := q.D + 1; wc < 1<<p.WcBits; wc++ {
			c.add("input %d gets weight %d", i, wc)
		}
	}
	if 1<<p.WdBits <= manyValues {
		for wd := range 1 << p.WdBits {
			if wd != q.Dimension {
				c.add("input %d gets dimension %d", i, wd)
			}
		}
	}
	others := q.Dimension > 1 || q.D > 1 // there are other targets than delivery
	c.add("input %d is full and a message waits", i)
	c.add("input %d is full, its message done and another waits", i)
	c.add("malformed at input %d while it is full", i)
	c.add("malformed at input %d, empty", i)
	for n := 1; n < int(s.slots); n++ {
		c.add("one comes to input %d behind %d", i, n)
	}
	if s.slots > 1 {
		c.add("malformed at input %d behind another", i)
		c.add("input %d gets one and loses one", i)
	}
	if p.Stages == 1 {
		c.add("one goes past the slots of input %d", i)
		c.add("one moves from the way past into a slot of input %d", i)
	}
	if others {
		c.add("delivered from input %d before other copies", i)
		c.add("delivered from input %d after other copies", i)
	}
	if q.D > 1 {
		c.add("continued from input %d before other copies", i)
		c.add("continued from input %d after other copies", i)
	}
	if s.perPort {
		c.addDelivery(fmt.Sprintf("delivery %d", i))
	}
}

func (c *coverage) addDelivery(name string) {
	c.add("%s is blocked", name)
	c.add("%s, empty, loads", name)
	c.add("%s, read, loads", name)
	c.add("somebody waits for %s", name)
}

// addTree adds the situations of a tree arbiter.
func (c *coverage) addTree(name string, requesters uint32, past bool) {
	c.nodes = append(c.nodes, nodesOf(requesters))
	for v := requesters; v != 0; v &= v - 1 {
		who := bits.TrailingZeros32(v)
		c.add("%s serves %d", name, who)
		c.add("%s keeps %d waiting", name, who)
		if who > 0 && past {
			c.add("%s selects malformed %d", name, who)
		}
	}
	for i := range nodesOf(requesters) {
		c.add("%s node %d, both halves, turn of the lower", name, i)
		c.add("%s node %d, both halves, turn of the upper", name, i)
	}
}

// addRing adds the situations of the arbiter of a ring port.
func (c *coverage) addRing(i int, q *plan.Port) {
	first := 0
	if !c.entered(q) {
		first = 1
	}
	for a := first; a <= len(q.TransferFrom); a++ {
		c.add("arbiter %d serves %d", i, a)
		c.add("arbiter %d keeps %d selected", i, a)
		if a > 0 && c.plan.Stages == 1 {
			c.add("arbiter %d selects malformed %d", i, a)
		}
		for b := first; b <= len(q.TransferFrom); b++ {
			if a != b {
				c.add("arbiter %d selects %d before %d", i, a, b)
			}
		}
	}
}

// observe counts the situations of a cycle that has been evaluated.
func (c *coverage) observe(r *Router, in *Inputs) {
	s, now, next := c.shape, &r.router, &r.next
	present := now.queued | now.linkValid&s.wayPast
	bad := now.malformed &^ now.queued & present
	offers := all(r.in.offered && r.clock.open(r.in.cost)) & 1
	asking := present<<1 | offers
	going := present & now.toContinue() &^ now.continued
	free := ^now.valid | now.linkReady
	onward := s.across(going & s.ring)
	wanted := asks{asking: asking}
	if s.address != nil {
		now.spread(&wanted)
		c.observeAddressed(r, in, &wanted, bad)
	}

	var pending uint32 // ports that their group asks with a good message
	var who [maxDegree]uint8
	for j := range s.groups {
		g := &s.groups[j]
		asks := asking & g.requesters &^ now.group[j].made
		if s.address != nil {
			asks &= wanted.wants[g.index]
		}
		if asks == 0 {
			continue
		}
		who[j] = now.group[j].turn.pick(asks)
		name := fmt.Sprintf("group %d", j+1)
		entered, everyone := g.entered, c.everyone(j)
		if s.address != nil {
			entered, _, _ = s.address.enter(now.message(int(who[j])).Route, g.index)
		}
		completed := (now.carried|next.enters)&entered == entered
		c.observeTree(name, c.nodes[j], asks, now.group[j].turn, who[j], completed, bad)
		for v := entered; entered == everyone && v != 0; v &= v - 1 {
			p := lowest(v)
			carried := now.carried & entered
			c.hit(carried == entered&^(1<<p), "group %d has reached all ports but %d", j+1, p)
			c.hit(carried>>p&1 != 0, "group %d has reached port %d and not all", j+1, p)
		}
		pending |= entered &^ now.carried &^ all(bad<<1>>who[j]&1 != 0)
	}
	for p := range s.degree {
		c.observeInput(r, p, present, bad, going)
		c.observeOutput(r, p, pending, going&^bad, going&bad, free, onward, who[s.ports[p].wd-1])
	}
	undelivered := present &^ now.delivered
	if s.address != nil {
		undelivered &= wanted.deliver
	}
	if !s.perPort && undelivered != 0 {
		sel := now.deliverTurn.pick(undelivered << 1)
		c.observeTree("delivery", c.nodes[len(s.groups)], undelivered<<1, now.deliverTurn, sel, next.delivers != 0, bad)
	}
	for q := range c.plan.Deliveries {
		name, asks, loads := "delivery", undelivered&^bad != 0, next.delivers != 0
		if s.perPort {
			name, asks, loads = fmt.Sprintf("delivery %d", q), undelivered&^bad>>q&1 != 0, next.delivers>>q&1 != 0
		}
		full, ready := now.local>>q&1 != 0, now.popLocal>>q&1 != 0
		c.hit(full && !ready, "%s is blocked", name)
		c.hit(full && !ready && asks, "somebody waits for %s", name)
		c.hit(!full && loads, "%s, empty, loads", name)
		c.hit(full && loads, "%s, read, loads", name)
	}
	c.observeClock(r, in, offers)
}

func (c *coverage) observeTree(name string, nodes []treeNode, asks uint32, t tree, who uint8, completed bool, bad uint32) {
	c.hit(completed, "%s serves %d", name, who)
	c.hit(!completed, "%s keeps %d waiting", name, who)
	c.hit(bad<<1>>who&1 != 0, "%s selects malformed %d", name, who)
	for i, n := range nodes {
		both := asks&n.lower != 0 && asks&n.upper != 0
		c.hit(both && t&n.bit == 0, "%s node %d, both halves, turn of the lower", name, i)
		c.hit(both && t&n.bit != 0, "%s node %d, both halves, turn of the upper", name, i)
	}
}

func (c *coverage) observeInput(r *Router, p int, present, bad, going uint32) {
	now, next := &r.router, &r.next
	bit := uint32(1) << p
	valid, full, queued := now.linkValid&bit != 0, now.full&bit != 0, now.queued&bit != 0
	done, malformed := next.done>>1&bit != 0, now.malformed&bit != 0
	if valid && !full {
		m := &now.slots[(p+1)<<c.shape.placeBits|(int(now.head.at(p+1, c.shape.placeBits))+now.slotted(p))&(1<<c.shape.placeBits-1)]
		right := m.WD == c.shape.ports[p].wd
		c.hit(right, "input %d gets weight %d", p, m.WC)
		c.hit(!right, "input %d gets dimension %d", p, m.WD)
	}
	c.hit(valid && full, "input %d is full and a message waits", p)
	c.hit(valid && full && done, "input %d is full, its message done and another waits", p)
	c.hit(malformed && full, "malformed at input %d while it is full", p)
	c.hit(malformed && !queued, "malformed at input %d, empty", p)
	c.hit(malformed && queued && !full, "malformed at input %d behind another", p)
	good := valid && !full && !malformed
	c.hit(good && queued, "one comes to input %d behind %d", p, now.slotted(p))
	c.hit(good && queued && done, "input %d gets one and loses one", p)
	c.hit(good && !queued && done, "one goes past the slots of input %d", p)
	c.hit(good && !queued && !done, "one moves from the way past into a slot of input %d", p)
	if present&^bad&bit == 0 {
		return
	}
	delivers, passes := next.delivers&bit != 0, going&bit != 0 && (next.continued&bit != 0 || done)
	c.hit(delivers && !done, "delivered from input %d before other copies", p)
	c.hit(delivers && done && now.made(p), "delivered from input %d after other copies", p)
	c.hit(passes && !done, "continued from input %d before other copies", p)
	c.hit(passes && done && (now.made(p) || now.delivered&bit != 0), "continued from input %d after other copies", p)
}

// made reports whether a copy for a group or the continuation of the message of link input p has been made.
func (r *router) made(p int) bool {
	made := r.continued >> p & 1
	for j := range r.shape.groups {
		made |= r.group[j].made >> (p + 1) & 1
	}
	return made != 0
}

func (c *coverage) observeOutput(r *Router, p int, pending, going, badGoing, free, onward uint32, who uint8) {
	now, next, ps := &r.router, &r.next, &c.shape.ports[p]
	bit := uint32(1) << p
	valid := now.valid&bit != 0
	c.hit(valid && free&bit == 0, "output %d is blocked", p)
	transfers := (going & ps.transfers) >> ps.transferBase
	asks := map[string]bool{"enters": pending&bit != 0, "continues": c.shape.across(going&c.shape.ring)&bit != 0, "transfers": transfers != 0}
	loads := map[string]uint32{"enters": next.enters, "continues": next.continues, "transfers": next.transfers}
	for kind := range asks {
		c.hit(loads[kind]&bit != 0 && !valid, "output %d, empty, loads one that %s", p, kind)
		c.hit(loads[kind]&bit != 0 && valid, "output %d, read, loads one that %s", p, kind)
		c.hit(asks[kind] && free&bit == 0, "one that %s waits for output %d", kind, p)
	}
	held := free&onward&bit != 0 && (asks["enters"] || asks["transfers"])
	c.hit(held && next.continues&bit != 0, "the bubble rule holds somebody back at output %d", p)
	c.hit(held && next.continues&bit == 0, "a malformed message that asks to continue holds somebody back at output %d", p)

	requests := ((going|badGoing)&ps.transfers)>>ps.transferBase<<1 | pending>>p&1
	if ps.transfers == 0 || requests == 0 {
		return
	}
	sel := now.ringTurn[p].pick(requests)
	serves := (next.enters|next.transfers)&bit != 0
	c.hit(serves, "arbiter %d serves %d", p, sel)
	c.hit(!serves, "arbiter %d keeps %d selected", p, sel)
	c.hit(sel > 0 && badGoing>>(ps.transferBase+sel-1)&1 != 0, "arbiter %d selects malformed %d", p, sel)
	for v := requests &^ (1 << sel); v != 0; v &= v - 1 {
		c.hit(true, "arbiter %d selects %d before %d", p, sel, bits.TrailingZeros32(v))
	}
}

func (c *coverage) observeClock(r *Router, in *Inputs, offers uint32) {
	k := &r.clock
	rest, injected := k.credit-k.cost, r.next.done&1 != 0
	most := 2 * k.unit
	done := rest <= k.unit || k.served || k.cost > 0 || !r.in.offered
	behind := 0
	last := 0
	for p := range c.shape.degree {
		switch (uint8(in.LinkPace>>(plan.PaceBits*p)) - k.pace) & paceMask {
		case 1:
			c.hit(true, "the neighbour on port %d is ahead", p)
		case paceMask:
			behind++
			last = p
		}
	}
	tick := done && behind == 0
	c.hit(tick, "a tick with rest %s", c.restName(rest))
	c.hit(tick, "a tick at pace %d", k.pace)
	c.hit(done && behind == 1, "the neighbour on port %d alone is behind", last)
	c.hit(tick && rest == most && !r.in.offered, "done with the largest rest because nothing is offered")
	c.hit(!done && behind == 0, "not done with the largest rest")
	c.hit(!in.LocalValid && behind > 0, "held although nothing is offered")
	c.hit(r.in.offered && !k.open(r.in.cost), "offered and not open")
	c.hit(injected, "handshake with credit %d", k.credit)
	c.hit(injected && tick, "handshake and tick")
	c.hit(injected && !tick, "handshake and no tick")
	started := false
	for j := range c.shape.groups {
		started = started || r.group[j].made&1 != 0 || offers != 0 && r.carried&c.shape.groups[j].entered != 0 && r.next.group[j].who == 0
	}
	c.hit(started && !injected, "a message that has started waits")
	c.hit(!started && injected, "the local input is ready at once")
}

// coverageOf runs the router trace of a machine.
func coverageOf(p *plan.Plan, seed int64) *coverage {
	c := newCoverage(p)
	run := newRouterRun(p, seed)
	for range RouterCycles(p) {
		run.evaluate()
		c.observe(run.router, run.in)
		run.step()
	}
	return c
}

// missing names the situations that never occur.
func (c *coverage) missing() (names []string) {
	for i, n := range c.count {
		if n == 0 {
			names = append(names, c.names[i])
		}
	}
	return names
}

func meetsAll(t *testing.T, p *plan.Plan, name string) {
	t.Helper()
	c := coverageOf(p, 1)
	if m := c.missing(); len(m) > 0 {
		assert.Fail(t, "situations are missing", "%s, fifo_depth %d: %d of %d in %d cycles: %q",
			name, p.Machine.FIFODepth, len(m), len(c.names), RouterCycles(p), m[:min(len(m), 12)])
	}
}

func TestRouterTracesMeetEverySituation(t *testing.T) {
	t.Parallel()
	machines := append([]rings{
		{{5, 1}, {5, 1}, {5, 1}},
		{{15, 1}, {15, 1}, {15, 1}, {15, 1}},
		{{15, 2}, {15, 2}, {15, 2}, {15, 2}},
		{{31, 8}},
		{{17, 7}, {3, 1}},
	}, corner...)
	for i, r := range machines {
		for j, v := range variants {
			options := v.with(preference(preferences[(i+j)%3]), fifoDepth([]int{2, 2, 3, 5, 16}[(i+j)%5]))
			meetsAll(t, newPlan(t, r, options...), fmt.Sprint(r, " ", v.name))
		}
	}
}

func TestRouterTracesOfRandomMachinesMeetEverySituation(t *testing.T) {
	t.Parallel()
	for seed := range 40 {
		rapid.Custom(func(rt *rapid.T) *plan.Plan {
			r, options := drawMachine(rt, 1<<16)
			p := newPlan(t, r, append(options, payloadBits(8))...)
			meetsAll(t, p, fmt.Sprint(r, p.Stages, p.Machine.Delivery, p.Machine.Preference))
			return p
		}).Example(seed)
	}
}
