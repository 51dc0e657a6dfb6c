// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"github.com/hcgen/hcgen/gen/plan"
)

// event is one situation of a router and how often a run met it.
type event struct {
	name  string
	count int
}

// coverage counts, for one router, every situation that its rules distinguish
// and that the machine makes possible: for each arbiter its order after reset, every
// pair of requesters in both orders and its moves, each kind of conflict, the gate's
// limits, silences, standstills, memory and pauses, each legal weight and each
// malformed header field per port.
type coverage struct {
	events []event
	index  map[eventKey]int
	shape  *shape
	gate   gateWatch
	// unserved holds the arbiters that are still on the way through their order
	// after reset: the requesters that have not been served.
	unserved map[arbiterKey]uint32
}

// arbiterKey names an arbiter: its kind, and the port or dimension.
type arbiterKey struct {
	kind string
	at   int
}

// eventKey names an event: its kind, the port or dimension, and a value.
type eventKey struct {
	kind     string
	at, what int
}

// coverageOf counts the events of a run that the router trace shows.
func coverageOf(p *plan.Plan) *coverage {
	r, c := newRouterRun(p, 1), newCoverage(p)
	for range RouterCycles(p) {
		r.evaluate()
		c.observe(r.router, r.in, &r.out)
		r.step()
	}
	return c
}

// missing lists the names of the events that never happened.
func (c *coverage) missing() []string {
	var names []string
	for _, e := range c.events {
		if e.count == 0 {
			names = append(names, e.name)
		}
	}
	return names
}

func (c *coverage) add(kind string, at, what int, format string, args ...any) {
	c.index[eventKey{kind, at, what}] = len(c.events)
	c.events = append(c.events, event{name: fmt.Sprintf(format, args...)})
}

// hit counts an event if it is one of those the machine makes possible.
func (c *coverage) hit(kind string, at, what int) {
	if i, ok := c.index[eventKey{kind, at, what}]; ok {
		c.events[i].count++
	}
}

func (c *coverage) hitIf(happened bool, kind string, at, what int) {
	if happened {
		c.hit(kind, at, what)
	}
}

// manyValues bounds the fields of which every malformed value is an event.
const manyValues = 64

func newCoverage(p *plan.Plan) *coverage {
	c := &coverage{index: map[eventKey]int{}, shape: newShape(p), gate: newGateWatch(), unserved: map[arbiterKey]uint32{}}
	for i, q := range p.Ports {
		c.addPort(p, i, &q)
	}
	var links []string
	for i := range p.Ports {
		links = append(links, fmt.Sprintf("link %02d", i))
	}
	for j, d := range p.Dims {
		names := []string{"local input"}
		for _, s := range d.Sources {
			names = append(names, links[s])
			c.add("group bad", j, s+1, "group %d: malformed message of link %02d selected", d.Index, s)
		}
		c.addArbiter("group", j, fmt.Sprintf("group %d", d.Index), names)
		if len(d.Entered) > 1 {
			c.add("group partial", j, 0, "group %d: taken by some ports in an earlier cycle", d.Index)
			for _, q := range d.Entered {
				c.add("group last", j, q, "group %d: port %02d takes last", d.Index, q)
			}
		}
	}
	c.addArbiter("delivery", 0, "delivery", links)
	c.add("delivery full", 0, 0, "delivery: asked for while its queue is full")
	c.add("delivery stalled", 0, 0, "delivery: receiver not ready")
	c.add("inputs blocked", 0, 0, "all link inputs valid, none ready")
	c.addGate(p)
	return c
}

// addArbiter adds the events of an arbiter whose requesters have these names,
// by number; an empty name stands for one that does not exist.
func (c *coverage) addArbiter(kind string, at int, title string, names []string) {
	n, can := 0, uint32(0)
	for a := range names {
		if names[a] == "" {
			continue
		}
		n++
		can |= 1 << a
		c.add(kind+" selects", at, a, "%s: %s selected", title, names[a])
		for b := range names {
			if a != b && names[b] != "" {
				c.add(kind+" before", at, a<<8|b, "%s: %s goes before %s", title, names[a], names[b])
			}
		}
	}
	if n > 1 {
		c.unserved[arbiterKey{kind, at}] = can
		c.add(kind+" after reset", at, 0, "%s: serves all in its order after reset while those still to be served ask", title)
		c.add(kind+" to front", at, 0, "%s: moves one from behind to the front", title)
		c.add(kind+" to end", at, 0, "%s: moves one from the front to the end", title)
	}
	if n > 2 {
		c.add(kind+" middle to end", at, 0, "%s: moves one from the middle to the end", title)
	}
}

// addPort adds the events of one port.
func (c *coverage) addPort(p *plan.Plan, i int, q *plan.Port) {
	for wc := 1; wc <= q.D; wc++ {
		c.add("weight", i, wc, "link %02d: message of weight %d", i, wc)
	}
	if 1<<p.WdBits <= manyValues {
		for wd := 0; wd < 1<<p.WdBits; wd++ {
			if wd != q.Dimension {
				c.add("bad wd", i, wd, "link %02d: malformed, wd = %d", i, wd)
			}
		}
	}
	c.add("bad wc", i, 0, "link %02d: malformed, wc = 0", i)
	if 1<<p.WcBits <= manyValues {
		for wc := q.D + 1; wc < 1<<p.WcBits; wc++ {
			c.add("bad wc", i, wc, "link %02d: malformed, wc = %d", i, wc)
		}
	}
	c.add("delivery bad", 0, i, "delivery: malformed message of link %02d selected", i)
	c.add("input waits", i, 0, "link %02d: input not ready", i)
	if q.Depth > 0 {
		c.add("full", i, 0, "port %02d: queue full", i)
		c.add("through", i, 0, "port %02d: written and read in one cycle", i)
		c.add("stalled", i, 0, "port %02d: receiver not ready", i)
	}
	if !q.Ring {
		if q.First > 0 {
			c.add("last slot", i, 0, "port %02d: group takes the last slot", i)
		}
		return
	}
	c.add("continue", i, 0, "port %02d: continue written", i)
	c.add("continue last", i, 0, "port %02d: continue takes the last slot", i)
	c.add("continue full", i, 0, "port %02d: continue waits for a slot", i)
	c.add("continue bad", i, 0, "port %02d: malformed message asks to continue", i)
	names := []string{""}
	group, transfer := q.First > 0, len(q.TransferFrom) > 0
	if group {
		names[0] = "group"
		c.add("continue over group", i, 0, "port %02d: continue goes before the group although it had room too", i)
		if len(p.Dims[q.Dimension-1].Sources) > 0 {
			c.add("enter bad", i, 0, "port %02d: malformed message of the group selected", i)
		}
	}
	for x := range q.TransferFrom {
		names = append(names, fmt.Sprintf("distance %d", x+1))
		c.add("enter bad", i, x+1, "port %02d: malformed transfer of distance %d selected", i, x+1)
	}
	if transfer {
		c.add("continue over transfer", i, 0, "port %02d: continue goes before a transfer although it had room too", i)
	}
	if group || transfer {
		c.addArbiter("ring", i, fmt.Sprintf("port %02d", i), names)
		c.add("enter empty", i, 0, "port %02d: entering an empty queue", i)
		c.add("enter two", i, 0, "port %02d: entering with two free slots", i)
		c.add("enter one", i, 0, "port %02d: entering waits with one free slot while nothing continues", i)
		c.add("enter full", i, 0, "port %02d: entering waits with none while nothing continues", i)
		c.add("enter waits bad", i, 0, "port %02d: entering waits while a malformed message asks to continue", i)
	}
	if group && transfer || len(q.TransferFrom) > 1 {
		c.add("ring front under continue", i, 0, "port %02d: moves one from behind to the front while continue asks", i)
	}
}

// addGate adds the events of the gate.
func (c *coverage) addGate(p *plan.Plan) {
	for i, q := range p.Ports {
		if q.Depth > 0 {
			c.addOutput(i, fmt.Sprintf("port %02d", i))
		}
	}
	c.addOutput(maxDegree, "local output")
	top := p.Gate.TopLevel
	for level := 0; level <= top; level++ {
		c.add("silence", level, 0, "gate: the shortest silence of level %d", level)
		c.add("short", level, 0, "gate: the longest calm without a silence at level %d", level)
		if level > 0 && level < top {
			c.add("rises", level, 0, "gate: the shortest standstill of level %d after a rise", level)
		}
		if level > 0 && level < top {
			c.add("almost", level, 0, "gate: an output alone blocked for as long as there is no standstill at level %d", level)
		}
	}
	for _, name := range []string{
		gateShut, gateBoth, gateBackToBack, gateAsked, gateReset, gateForgives, gateOwes, gateRefill, gateFree, gateFollows,
		gateTurns, gateShrunk, gateTop,
	} {
		c.add(name, 0, 0, "gate: %s", name)
	}
	if capReachable(p) {
		for _, name := range []string{gateOpens, gateResetOpens, gateAtCap, gateToCap} {
			c.add(name, 0, 0, "gate: %s", name)
		}
	}
	for level := 1; level <= rememberedLevel; level++ {
		c.add(memoryNot, level, 0, "gate: level %d: %s", level, memoryNot)
		if level == 1 || p.Nodes%2 == 0 {
			c.add(memoryFalls, level, 0, "gate: level %d: %s", level, memoryFalls)
		}
	}
	c.add(memoryRises, 1, 0, "gate: level 1: %s", memoryRises)
	c.add(memorySilence, 2, 0, "gate: level 2: %s", memorySilence)
	if p.Nodes%2 != 0 {
		c.add(memoryBoth, 2, 0, "gate: level 2: %s", memoryBoth)
	}
	c.add(memoryAgain, 1, 0, "gate: level 1: %s", memoryAgain)
	if patienceReachable(p) {
		for _, name := range []string{
			pauseBefore, pauseBegins, pauseBad, pauseInjected, pauseEnds, pauseExact, pauseAgain, pauseLate, pauseShort, pauseShut,
			pauseAbsent,
		} {
			c.add(name, 0, 0, "delivery: %s", name)
		}
		if ringEntered(p) >= 0 {
			c.add(pauseAtLevel0, 0, 0, "delivery: %s", pauseAtLevel0)
		}
	}
}

// addOutput adds the events of an output as the gate watches it.
func (c *coverage) addOutput(i int, title string) {
	c.add("owes", i, 0, "%s: blocked alone at level 0, so that a debt is not forgiven and a message on offer waits", title)
	c.add("near", i, 0, "%s: blocked alone for as long as there is no standstill at level 0", title)
	c.add("raised", i, 0, "%s: the shortest standstill of it alone at level 0", title)
}

// Events of the gate.
const (
	gateShut       = "closed while a message is on offer"
	gateBoth       = "injection and delivery in one cycle"
	gateBackToBack = "injection in the cycle after one, which is not paid yet"
	gateAsked      = "open at a negative balance for a message that has asked, and goes on waiting"
	gateReset      = "closed after reset before any refill or forgiven debt, with a message on offer"
	gateResetOpens = "opened after reset by deliveries alone, before any refill or forgiven debt, and then an injection"
	gateForgives   = "debt forgiven, and then an injection"
	gateOwes       = "debt not forgiven in a quiet router because of the level, and a message on offer waits"
	gateRefill     = "refilled by a silence at level 0, and an injection that would wait without it"
	gateFree       = "refilled by a silence in the cycle in which an injection would be paid"
	gateFollows    = "a silence above level 0 that begins when another one ends"
	gateTurns      = "outputs blocked in turn for a window of level 0, none of them through it"
	gateShrunk     = "a standstill after some of its outputs have moved"
	gateTop        = "another standstill at the highest level"
	gateOpens      = "opened by a delivery"
	gateAtCap      = "closed, but for a delivery at the cap that does not count, with a message on offer"
	gateToCap      = "open only because of a delivery at one less than the cap, and an injection"

	memoryNot     = "a window of the memory ends and does not lower the level, because of a standstill in it"
	memoryFalls   = "it falls at the end of a window of the memory"
	memoryBoth    = "it falls by one at the end of a window of the memory and of a silence"
	memoryRises   = "it rises at the end of a window of the memory that would lower it"
	memorySilence = "a silence ends with a window of the memory in which there has been a standstill"
	memoryAgain   = "it falls by the memory one window after the level above has"
)

// Events of pauses.
const (
	pauseBefore   = "written in the last cycle before a pause"
	pauseBegins   = "a message waits in the first cycle of a pause"
	pauseBad      = "a malformed message dropped in a pause"
	pauseInjected = "a message waits in a pause after the injection"
	pauseEnds     = "a message that waited in the last cycle of a pause written in the next"
	pauseExact    = "a pause after the shortest wait"
	pauseAgain    = "a pause in the next window of the patience"
	pauseLate     = "no pause, because the local input has waited from one cycle later on"
	pauseShort    = "no pause, because it has waited for one cycle less, although the next message waits"
	pauseShut     = "no pause although it has been valid for as long, at a closed gate"
	pauseAbsent   = "no pause although the gate has been open for as long, without a message on offer"
	pauseAtLevel0 = "a message waits in a pause at level 0"
)
