// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/traffic"
)

// coverage counts the cycles of a router trace in which each possible situation occurs.
type coverage struct {
	plan  *plan.Plan
	rules *rules
	index map[string]int
	names []string
	count []int
	nodes [][]treeNode // by tree: of the groups, then of delivery

	linkPace []uint8 // in the cycle
}

// treeNode is a node of a tree arbiter: its number, and the requesters of its halves.
type treeNode struct {
	number       int
	lower, upper []int
}

// nodesOf lists the nodes of the tree arbiter of these requesters, the largest first.
func nodesOf(requesters []int) (nodes []treeNode) {
	among := func(first, width int) (some []int) {
		for _, who := range requesters {
			if first <= who && who < first+width {
				some = append(some, who)
			}
		}
		return some
	}
	add := func(number int, lower, upper []int) {
		if len(lower) > 0 && len(upper) > 0 {
			nodes = append(nodes, treeNode{number, lower, upper})
		}
	}
	add(linkInput(0), among(local, 1), among(linkInput(0), sim.MaskBits))
	for w := sim.MaskBits / 2; w > 0; w /= 2 {
		for first := linkInput(0); first < sim.MaskBits; first += 2 * w {
			add(first+w, among(first, w), among(first+w, w))
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

// hit counts a possible situation; a name that is not on the list is ignored.
func (c *coverage) hit(when bool, format string, args ...any) {
	if !when {
		return
	}
	if i, ok := c.index[fmt.Sprintf(format, args...)]; ok {
		c.count[i]++
	}
}

func newCoverage(p *plan.Plan) *coverage {
	c := &coverage{plan: p, rules: newRules(p, Options{}), index: map[string]int{}}
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
		if holdsClock(p, &q) {
			c.add("port %d holds a clock that would tick", i)
			c.add("an entrant clears the marks of port %d", i)
		}
	}
	for j, d := range p.Dims {
		requesters := []int{local}
		for _, q := range d.Sources {
			requesters = append(requesters, linkInput(q))
		}
		c.addTree(fmt.Sprintf("group %d", j+1), requesters, past)
		for _, q := range c.everyone(j) {
			if len(c.everyone(j)) > 1 {
				c.add("group %d has reached all ports but %d", j+1, q)
				c.add("group %d has reached port %d and not all", j+1, q)
			}
		}
	}
	if !p.PerPort() {
		var links []int
		for q := range p.Ports {
			links = append(links, linkInput(q))
		}
		c.addTree("delivery", links, past)
		c.addDelivery("delivery")
	}
	for rest := range c.rules.cap + 1 {
		if name := "a tick with rest " + c.restName(rest); c.index[name] == 0 {
			c.add("%s", name)
		}
	}
	for pace := range 1 << p.PaceBits {
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
	if p.Destination == nil {
		c.add("handshake with credit 1")
		c.add("handshake with credit 2")
	} else {
		c.addAddressed()
	}
	if len(p.Dims) > 1 || len(p.Dims[0].Entered) > 1 {
		c.add("a message that has started waits")
	}
	return c
}

func (c *coverage) addInput(i int, q *plan.Port) {
	p := c.plan
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
	others := q.Dimension > 1 || q.D > 1 // the input has targets other than delivery
	c.add("input %d is full and a message waits", i)
	c.add("input %d is full, its message done and another waits", i)
	c.add("malformed at input %d while it is full", i)
	c.add("malformed at input %d, empty", i)
	for n := 1; n < p.InputSlots; n++ {
		c.add("one comes to input %d behind %d", i, n)
	}
	if p.InputSlots > 1 {
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
	if p.PerPort() {
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
func (c *coverage) addTree(name string, requesters []int, past bool) {
	c.nodes = append(c.nodes, nodesOf(requesters))
	for _, who := range requesters {
		c.add("%s serves %d", name, who)
		c.add("%s keeps %d waiting", name, who)
		if who != local && past {
			c.add("%s selects malformed %d", name, who)
		}
	}
	for i := range nodesOf(requesters) {
		c.add("%s node %d, both halves, pointer to the lower", name, i)
		c.add("%s node %d, both halves, pointer to the upper", name, i)
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
func (c *coverage) observe(r *Router, in *sim.Inputs) {
	c.linkPace = in.LinkPace[:]
	for j := range r.groups {
		c.observeGroup(r, j)
	}
	for p := range r.outputs {
		c.observeInput(r, in, p)
		c.observeOutput(r, p)
	}
	if !c.plan.PerPort() && r.deliverySelected != none {
		c.observeTree(r, "delivery", c.nodes[len(r.groups)], r.deliveryRequests, &r.deliveryArbiter, r.deliverySelected, r.deliveries[0].takes)
	}
	for d := range r.deliveries {
		name, first, last := "delivery", 0, c.plan.Degree-1
		if c.plan.PerPort() {
			name, first, last = fmt.Sprintf("delivery %d", d), d, d
		}
		waits := false
		for p := first; p <= last; p++ {
			i := &r.inputs[linkInput(p)]
			waits = waits || i.requests[deliveryTarget] && i.wellFormed()
		}
		o := &r.deliveries[d]
		c.hit(o.valid && !o.leaves, "%s is blocked", name)
		c.hit(o.valid && !o.leaves && waits, "somebody waits for %s", name)
		c.hit(!o.valid && o.takes, "%s, empty, loads", name)
		c.hit(o.valid && o.takes, "%s, read, loads", name)
	}
	if c.plan.Destination != nil {
		c.observeAddressed(r, in)
	}
	c.observeClock(r, in)
}

func (c *coverage) observeGroup(r *Router, j int) {
	g := &r.groups[j]
	if g.selected == none {
		return
	}
	c.observeTree(r, fmt.Sprintf("group %d", j+1), c.nodes[j], g.requests, &g.arbiter, g.selected, g.completed)
	var entered []int
	sent := 0
	for p, weight := range g.weight {
		if weight > 0 {
			entered = append(entered, p)
			sent += int(bit(g.sent[p]))
		}
	}
	if !slices.Equal(entered, c.everyone(j)) {
		return
	}
	for _, p := range entered {
		c.hit(!g.sent[p] && sent == len(entered)-1, "group %d has reached all ports but %d", j+1, p)
		c.hit(g.sent[p], "group %d has reached port %d and not all", j+1, p)
	}
}

func (c *coverage) observeTree(r *Router, name string, nodes []treeNode, requests []bool, t *tree, who int, completed bool) {
	c.hit(completed, "%s serves %d", name, who)
	c.hit(!completed, "%s keeps %d waiting", name, who)
	c.hit(!r.inputs[who].wellFormed(), "%s selects malformed %d", name, who)
	asks := func(half []int) bool {
		return slices.ContainsFunc(half, func(who int) bool { return requests[who] })
	}
	for i, n := range nodes {
		both := asks(n.lower) && asks(n.upper)
		c.hit(both && !t.upper[n.number], "%s node %d, both halves, pointer to the lower", name, i)
		c.hit(both && t.upper[n.number], "%s node %d, both halves, pointer to the upper", name, i)
	}
}

func (c *coverage) observeInput(r *Router, in *sim.Inputs, p int) {
	i := &r.inputs[linkInput(p)]
	valid, full, queued := in.LinkValid>>p&1 != 0, !i.ready(), len(i.slots) > 0
	malformed := valid && r.isMalformed(p, &in.Link[p])
	if i.arrives {
		right := int(i.wire.WD) == i.dimension
		c.hit(right, "input %d gets weight %d", p, i.wire.WC)
		c.hit(!right, "input %d gets dimension %d", p, i.wire.WD)
	}
	c.hit(valid && full, "input %d is full and a message waits", p)
	c.hit(valid && full && i.done, "input %d is full, its message done and another waits", p)
	c.hit(malformed && full, "malformed at input %d while it is full", p)
	c.hit(malformed && !queued, "malformed at input %d, empty", p)
	c.hit(malformed && queued && !full, "malformed at input %d behind another", p)
	good := i.arrives && !malformed
	c.hit(good && queued, "one comes to input %d behind %d", p, len(i.slots))
	c.hit(good && queued && i.done, "input %d gets one and loses one", p)
	c.hit(good && !queued && i.done, "one goes past the slots of input %d", p)
	c.hit(good && !queued && !i.done, "one moves from the way past into a slot of input %d", p)
	if !i.wellFormed() {
		return
	}
	delivers, passes := i.taken[deliveryTarget], i.continues && i.taken[i.dimension]
	made := slices.Contains(i.served[1:], true) // a copy for a group, or the continuation
	c.hit(delivers && !i.done, "delivered from input %d before other copies", p)
	c.hit(delivers && i.done && made, "delivered from input %d after other copies", p)
	c.hit(passes && !i.done, "continued from input %d before other copies", p)
	c.hit(passes && i.done && (made || i.served[deliveryTarget]), "continued from input %d after other copies", p)
}

func (c *coverage) observeOutput(r *Router, p int) {
	o, q := &r.outputs[p], &c.plan.Ports[p]
	g := &r.groups[q.Dimension-1]
	free, onward := !o.valid || o.leaves, q.Ring && r.requestsToContinue(q.ContinueFrom)
	well := func(from int) bool { return r.requestsToContinue(from) && r.inputs[linkInput(from)].wellFormed() }
	c.hit(o.valid && !free, "output %d is blocked", p)
	for kind, of := range map[string]struct {
		asks bool
		way  way
	}{
		"enters":    {g.offers(p) && r.inputs[g.selected].wellFormed(), enters},
		"continues": {q.Ring && well(q.ContinueFrom), continues},
		"transfers": {slices.ContainsFunc(q.TransferFrom, well), transfers},
	} {
		c.hit(o.takes == of.way && !o.valid, "output %d, empty, loads one that %s", p, kind)
		c.hit(o.takes == of.way && o.valid, "output %d, read, loads one that %s", p, kind)
		c.hit(of.asks && !free, "one that %s waits for output %d", kind, p)
		held := of.asks && kind != "continues" && free && onward
		c.hit(held && o.takes == continues, "the bubble rule holds somebody back at output %d", p)
		c.hit(held && o.takes != continues, "a malformed message that asks to continue holds somebody back at output %d", p)
	}

	entered := o.takes == enters || o.takes == transfers
	c.hit(o.marks.twice && c.wouldTick(r), "port %d holds a clock that would tick", p)
	c.hit(o.marks.twice && entered, "an entrant clears the marks of port %d", p)

	requests := slices.Clone(o.requests)
	requests[0] = requests[0] && r.inputs[g.selected].wellFormed()
	sel := o.arbiter.Selects(requests)
	if len(q.TransferFrom) == 0 || sel == none {
		return
	}
	c.hit(entered, "arbiter %d serves %d", p, sel)
	c.hit(!entered, "arbiter %d keeps %d selected", p, sel)
	c.hit(sel > 0 && !well(q.TransferFrom[max(sel, 1)-1]), "arbiter %d selects malformed %d", p, sel)
	for other := range requests {
		c.hit(requests[other] && other != sel, "arbiter %d selects %d before %d", p, sel, other)
	}
}

// wouldTick reports whether the clock of the router would tick in this cycle without the marks.
func (c *coverage) wouldTick(r *Router) bool {
	k := *r.clock
	k.seen.held = false
	k.decide(c.rules, k.seen, c.linkPace)
	return k.tick
}

func (c *coverage) observeClock(r *Router, in *sim.Inputs) {
	k, offered, injected := r.clock, r.offer.legal, r.inputs[local].done
	rest := k.rest()
	done := rest <= c.rules.doneRest || !offered
	behind := 0
	last := 0
	for p := range c.plan.Ports {
		switch lead := c.rules.lead; (in.LinkPace[p] - k.pace) & c.rules.paceMask {
		case lead:
			c.hit(true, "the neighbour on port %d is ahead", p)
		case -lead & c.rules.paceMask:
			behind++
			last = p
		}
	}
	c.hit(k.tick, "a tick with rest %s", c.restName(rest))
	c.hit(k.tick, "a tick at pace %d", k.pace)
	c.hit(done && !k.seen.held && behind == 1, "the neighbour on port %d alone is behind", last)
	c.hit(k.tick && rest == c.rules.cap && !offered, "done with the largest rest because nothing is offered")
	c.hit(!done && rest == c.rules.cap && behind == 0, "not done with the largest rest")
	c.hit(!in.LocalValid && !k.seen.held && behind > 0, "held although nothing is offered")
	c.hit(offered && !k.mayStart(c.rules, r.offer.cost), "offered and not open")
	c.hit(injected, "handshake with credit %d", k.credit)
	c.hit(injected && k.tick, "handshake and tick")
	c.hit(injected && !k.tick, "handshake and no tick")
	started := slices.Contains(r.inputs[local].served, true)
	for j := range r.groups {
		g := &r.groups[j]
		started = started || g.selected == local && slices.Contains(g.sent, true)
	}
	c.hit(started && !injected, "a message that has started waits")
	c.hit(!started && injected, "the local input is ready at once")
}

// coverageOf runs the router trace of a machine.
func coverageOf(p *plan.Plan, seed int64) *coverage {
	c := newCoverage(p)
	run := newRouterRun(p, seed)
	for range traffic.RouterCycles(p) {
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
			name, p.Machine.FIFODepth, len(m), len(c.names), traffic.RouterCycles(p), m[:min(len(m), 12)])
	}
}

// A short run has one variant of each machine.
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
			if testing.Short() && j != i%len(variants) {
				continue
			}
			options := v.With(preference(preferences[(i+j)%3]), fifoDepth([]int{2, 2, 3, 5, 16}[(i+j)%5]))
			meetsAll(t, newPlan(t, r, options...), fmt.Sprint(r, " ", v.Name))
		}
	}
}

func TestRouterTracesOfRandomMachinesMeetEverySituation(t *testing.T) {
	t.Parallel()
	for seed := range map[bool]int{false: 40, true: 8}[testing.Short()] {
		rapid.Custom(func(rt *rapid.T) *plan.Plan {
			p := drawPlan(rt, 1<<16, payloadBits(8), registers(0))
			meetsAll(t, p, fmt.Sprint(p.Machine.Dimensions, p.Stages, p.Machine.Delivery, p.Machine.Preference))
			return p
		}).Example(seed)
	}
}
