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
// and that the machine makes possible: for each arbiter of a ring port its turn after reset,
// every pair of requesters in both orders and its moves, for each node of a tree arbiter
// its turn after reset and which halves ask in whose turn, each kind of conflict, the
// gate's frames, windows, standstills, levels and memory, each legal weight and each
// malformed header field per port.
type coverage struct {
	events []event
	index  map[eventKey]int
	shape  *shape
	gate   gateWatch
	// unasked holds the ring ports whose arbiters nobody has asked since the reset.
	unasked map[int]bool
	// unselected holds the nodes of tree arbiters of which no half has been selected since then.
	unselected map[int]bool
}

// eventKey names an event: its kind, the port or dimension, and a value.
type eventKey struct {
	kind     string
	at, what int
}

// coverageOf counts the events of a run that the router trace shows.
func coverageOf(p *plan.Plan) *coverage {
	r, c := runOf(p, 1, programOf(p)), newCoverage(p)
	for range traceLength(p) {
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
	c := &coverage{index: map[eventKey]int{}, shape: newShape(p), unasked: map[int]bool{}, unselected: map[int]bool{}}
	for i, q := range p.Ports {
		c.addPort(p, i, &q)
	}
	c.addTrees()
	for j, d := range p.Dims {
		for _, s := range d.Sources {
			c.add("group bad", j, s+1, "group %d: malformed message of link %02d selected", d.Index, s)
		}
		if len(d.Entered) > 1 {
			c.add("group partial", j, 0, "group %d: taken by some ports in an earlier cycle", d.Index)
			for _, q := range d.Entered {
				c.add("group last", j, q, "group %d: port %02d takes last", d.Index, q)
			}
		}
	}
	if c.shape.perPort {
		for i := range p.Ports {
			c.addDelivery(p, i)
		}
	} else {
		c.add("delivery full", 0, 0, "delivery: asked for while its queue is full")
		c.add("delivery stalled", 0, 0, "delivery: receiver not ready")
	}
	c.add("inputs blocked", 0, 0, "all link inputs valid, none ready")
	if c.shape.queued {
		for i := range p.Ports {
			c.addInput(i)
		}
		c.add("queues full", 0, 0, "all queues of link inputs full, and all links valid")
	}
	c.addGate(p)
	return c
}

// addArbiter adds the events of the arbiter of a ring port whose requesters have these names,
// by number; an empty name stands for one that does not exist.
func (c *coverage) addArbiter(at int, names []string) {
	title := fmt.Sprintf("port %02d", at)
	n, can := 0, uint32(0)
	for a := range names {
		if names[a] == "" {
			continue
		}
		n++
		can |= 1 << a
		c.add("ring selects", at, a, "%s: %s selected", title, names[a])
		for b := range names {
			if a != b && names[b] != "" {
				c.add("ring before", at, a<<8|b, "%s: %s goes before %s", title, names[a], names[b])
			}
		}
	}
	if n > 1 {
		c.unasked[at] = true
		c.add("ring after reset", at, 0, "%s: is asked after reset by the first and the last", title)
		c.add("ring to front", at, 0, "%s: moves one from behind to the front", title)
		c.add("ring to end", at, 0, "%s: moves one from the front to the end", title)
	}
	if n > 2 {
		c.add("ring middle to end", at, 0, "%s: moves one from the middle to the end", title)
	}
}

// addDelivery adds the events of the delivery queue of one link.
func (c *coverage) addDelivery(p *plan.Plan, i int) {
	c.add("delivery stalled", i, 0, "delivery %02d: receiver not ready", i)
	c.add("delivery full", i, 0, "delivery %02d: asked for while its queue is full", i)
	c.add("delivery too early", i, 0, "delivery %02d: waits for a slot that gets free in this cycle", i)
	c.add("delivery last slot", i, 0, "delivery %02d: takes the last slot", i)
	c.add("delivery through", i, 0, "delivery %02d: written and read in one cycle", i)
	c.add("delivery missing", i, 0, "delivery %02d: the only copy that is missing waits", i)
	if p.Degree > 1 {
		c.add("delivery full alone", i, 0, "delivery %02d: asked for while its queue alone is full", i)
	}
	if p.Ports[i].Dimension > 1 || p.Ports[i].D > 1 { // there are other copies
		c.add("delivered first", i, 0, "delivery %02d: made before another copy", i)
		c.add("delivered last", i, 0, "delivery %02d: made with the last copy or after it", i)
	}
}

// addInput adds the events of the queue of one link input.
func (c *coverage) addInput(i int) {
	c.add("link waits", i, 0, "link %02d: not ready, its queue is full", i)
	c.add("link too early", i, 0, "link %02d: not ready, waits for a slot that gets free in this cycle", i)
	c.add("queue moves up", i, 0, "link %02d: the second message of the queue moves up", i)
	c.add("queue through", i, 0, "link %02d: one leaves the queue and one comes", i)
	c.add("queue fills", i, 0, "link %02d: one comes behind another", i)
	c.add("queue empties", i, 0, "link %02d: the only one leaves", i)
	c.add("bad behind good", i, 0, "link %02d: malformed behind a message that leaves", i)
	c.add("bad waits behind good", i, 0, "link %02d: malformed behind a message that waits", i)
	c.add("good behind bad", i, 0, "link %02d: a message comes as a malformed one leaves", i)
	c.add("bad behind bad", i, 0, "link %02d: malformed comes as another malformed one leaves", i)
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
		c.add("stalled", i, 0, "port %02d: receiver not ready", i)
	}
	if !q.Ring {
		if q.First > 0 {
			c.add("full", i, 0, "port %02d: queue full", i)
			c.add("through", i, 0, "port %02d: written and read in one cycle", i)
			c.add("last slot", i, 0, "port %02d: group takes the last slot", i)
		}
		return
	}
	c.add("continue no room", i, 0, "port %02d: continue waits for a slot", i)
	c.add("continue too early", i, 0, "port %02d: continue waits for a slot that gets free in this cycle", i)
	c.add("continue bad", i, 0, "port %02d: malformed message asks to continue", i)
	c.add("slot waits", i, continuing, "port %02d: %s waits", i, slotSource[continuing])
	c.add("takes", i, continuing, "port %02d: free, takes %s", i, slotSource[continuing])
	c.add("through", i, waitsOn, "port %02d: read, takes %s", i, slotSource[waitsOn])
	c.add("through", i, continuing, "port %02d: read, takes %s", i, slotSource[continuing])
	names := []string{""}
	group, transfer := q.First > 0, len(q.TransferFrom) > 0
	if group {
		names[0] = "group"
		if len(p.Dims[q.Dimension-1].Sources) > 0 {
			c.add("enter bad", i, 0, "port %02d: malformed message of the group selected", i)
		}
	}
	for x := range q.TransferFrom {
		names = append(names, fmt.Sprintf("distance %d", x+1))
		c.add("enter bad", i, x+1, "port %02d: malformed transfer of distance %d selected", i, x+1)
	}
	if group || transfer {
		c.addArbiter(i, names)
		c.addEnter(i)
	}
	if group && transfer || len(q.TransferFrom) > 1 {
		c.add("ring front under continue", i, 0, "port %02d: moves one from behind to the front while continue asks", i)
		c.add("ring end under continue", i, 0, "port %02d: moves one to the end while continue asks", i)
	}
}

// addEnter adds the events of the slots of a ring port that messages enter.
func (c *coverage) addEnter(i int) {
	c.add("full", i, 0, "port %02d: all slots full", i)
	c.add("enter no room", i, 0, "port %02d: entering waits for a slot", i)
	c.add("enter too early", i, 0, "port %02d: entering waits for a slot that gets free in this cycle", i)
	c.add("slot waits", i, entering, "port %02d: %s waits", i, slotSource[entering])
	c.add("both wait", i, 0, "port %02d: one continues and one enters in a cycle, and both wait", i)
	for in := waitsIn; in < slotSources; in++ {
		c.add("takes", i, in, "port %02d: free, takes %s", i, slotSource[in])
		c.add("through", i, in, "port %02d: read, takes %s", i, slotSource[in])
		c.add("bubble", i, in, "port %02d: takes nothing because a malformed message asks to continue, but %s stays", i, slotSource[in])
		for on := range waitsIn {
			c.add("slot before", i, on<<8|in, "port %02d: takes %s before %s", i, slotSource[on], slotSource[in])
		}
	}
}
