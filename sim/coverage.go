// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
)

// Event is one situation of a router and how often a run met it.
type Event struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Coverage counts, for one router, every situation that its rules distinguish
// and that the machine makes possible: each position of each arbiter's pointer,
// each kind of conflict, both sides of the bubble rule, the gate's limits, each
// legal weight and each malformed header field per port.
type Coverage struct {
	Events []Event `json:"events"`
	index  map[eventKey]int
	shape  *shape
}

// eventKey names an event: its kind, the port or dimension, and a value.
type eventKey struct {
	kind     string
	at, what int
}

// Missing lists the names of the events that never happened.
func (c *Coverage) Missing() []string {
	var names []string
	for _, e := range c.Events {
		if e.Count == 0 {
			names = append(names, e.Name)
		}
	}
	return names
}

func (c *Coverage) add(kind string, at, what int, format string, args ...any) {
	c.index[eventKey{kind, at, what}] = len(c.Events)
	c.Events = append(c.Events, Event{Name: fmt.Sprintf(format, args...)})
}

// hit counts an event if it is one of those the machine makes possible.
func (c *Coverage) hit(kind string, at, what int) {
	if i, ok := c.index[eventKey{kind, at, what}]; ok {
		c.Events[i].Count++
	}
}

func (c *Coverage) hitIf(happened bool, kind string, at, what int) {
	if happened {
		c.hit(kind, at, what)
	}
}

// manyValues bounds the fields of which every malformed value is an event.
const manyValues = 64

func newCoverage(p *plan.Plan) *Coverage {
	c := &Coverage{index: map[eventKey]int{}, shape: newShape(p)}
	for i, q := range p.Ports {
		c.addPort(p, i, &q)
	}
	for j, d := range p.Dims {
		c.add("group at", j, 0, "group %d: pointer at the local input", d.Index)
		c.add("group selects", j, 0, "group %d: local input selected", d.Index)
		for _, s := range d.Sources {
			c.add("group at", j, s+1, "group %d: pointer at link %02d", d.Index, s)
			c.add("group selects", j, s+1, "group %d: link %02d selected", d.Index, s)
			c.add("group bad", j, s+1, "group %d: malformed message of link %02d selected", d.Index, s)
		}
		if len(d.Sources) > 0 {
			c.add("group conflict", j, 0, "group %d: local input and a link ask", d.Index)
		}
		if len(d.Entered) > 1 {
			c.add("group partial", j, 0, "group %d: taken by some ports in an earlier cycle", d.Index)
			for _, q := range d.Entered {
				c.add("group last", j, q, "group %d: port %02d takes last", d.Index, q)
			}
		}
	}
	c.add("delivery full", 0, 0, "delivery: asked for while its queue is full")
	c.add("delivery stalled", 0, 0, "delivery: receiver not ready")
	c.add("inputs blocked", 0, 0, "all link inputs valid, none ready")
	c.add("gate shut", 0, 0, "gate: closed while a message is on offer")
	c.add("gate both", 0, 0, "gate: injection and delivery in one cycle")
	c.add("gate full", 0, 0, "gate: delivery at the cap")
	c.add("gate zero", 0, 0, "gate: balance 0 or less than one injection above it")
	c.add("gate quiet shut", 0, 0, "gate: refilled by silence while closed")
	c.add("gate quiet inject", 0, 0, "gate: injection while quiet")
	c.add("gate quiet deliver", 0, 0, "gate: delivery ends quiet")
	c.add("gate near quiet", 0, 0, "gate: delivery in the last cycle before quiet")
	if p.Gate.Cap <= 256 {
		c.add("gate opens", 0, 0, "gate: opened by a delivery")
	}
	return c
}

// addPort adds the events of one port.
func (c *Coverage) addPort(p *plan.Plan, i int, q *plan.Port) {
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
	c.add("delivery at", 0, i, "delivery: pointer at link %02d", i)
	c.add("delivery selects", 0, i, "delivery: link %02d selected", i)
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
	group, transfer := q.First > 0, len(q.TransferFrom) > 0
	if group {
		c.add("enter", i, 0, "port %02d: group enters", i)
		c.add("ring at", i, 0, "port %02d: pointer at the group", i)
		c.add("continue over group", i, 0, "port %02d: continue goes before the group", i)
		if len(p.Dims[q.Dimension-1].Sources) > 0 {
			c.add("enter bad", i, 0, "port %02d: malformed message of the group selected", i)
		}
	}
	if group || transfer {
		c.add("bubble one", i, 0, "port %02d: entering waits with one free slot", i)
		c.add("bubble two", i, 0, "port %02d: entering with exactly two free slots", i)
	}
	for x := range q.TransferFrom {
		c.add("enter", i, x+1, "port %02d: transfer of distance %d enters", i, x+1)
		c.add("enter bad", i, x+1, "port %02d: malformed transfer of distance %d selected", i, x+1)
		if group || len(q.TransferFrom) > 1 {
			c.add("ring at", i, x+1, "port %02d: pointer at distance %d", i, x+1)
		}
	}
	if transfer {
		c.add("continue over transfer", i, 0, "port %02d: continue goes before a transfer", i)
	}
	if group && transfer {
		c.add("group or transfer", i, 0, "port %02d: group and a transfer ask", i)
	}
	if len(q.TransferFrom) > 1 {
		c.add("two transfers", i, 0, "port %02d: two transfers ask", i)
	}
}

// observe counts the events of a cycle that has been evaluated and not stepped.
// It works from the wires and the registers, with rules of its own where the
// router's decision is not kept.
func (c *Coverage) observe(r *Router, in *Inputs, out *Outputs) {
	s := c.shape
	var bad, going uint32
	for i := in.LinkValid; i != 0; i &= i - 1 {
		p := bits.TrailingZeros32(i)
		m, ps := &in.Link[p], &s.ports[p]
		switch {
		case m.WD != ps.wd:
			bad |= 1 << p
			c.hit("bad wd", p, int(m.WD))
		case m.WC == 0 || m.WC > ps.d:
			bad |= 1 << p
			c.hit("bad wc", p, int(m.WC))
		default:
			c.hit("weight", p, int(m.WC))
		}
		if m.WC > 1 && ps.continues && r.continued>>p&1 == 0 {
			going |= 1 << p
		}
		c.hitIf(out.LinkReady>>p&1 == 0, "input waits", p, 0)
	}
	c.hitIf(in.LinkValid == 1<<s.degree-1 && out.LinkReady == 0, "inputs blocked", 0, 0)

	asking := in.LinkValid << 1
	if in.LocalValid && r.gate.open() {
		asking |= 1
	}
	groupAsks := c.observeGroups(r, asking, bad)
	for p := 0; p < s.degree; p++ {
		c.observePort(r, p, in.LinkReady>>p&1 != 0, groupAsks, going, bad)
	}
	if req := in.LinkValid &^ r.delivered; req != 0 {
		sel := int(pick(req, r.deliverAt))
		c.hit("delivery at", 0, int(r.deliverAt)%s.degree)
		c.hit("delivery selects", 0, sel)
		c.hitIf(bad>>sel&1 != 0, "delivery bad", 0, sel)
		c.hitIf(r.count[delivery] == plan.QueueDepth, "delivery full", 0, 0)
	}
	c.hitIf(out.LocalValid && !in.LocalReady, "delivery stalled", 0, 0)
	c.observeGate(r, in.LocalValid, out.LocalReady, out.LocalValid && in.LocalReady)
}

// observeGroups returns the ring ports that their group asks.
func (c *Coverage) observeGroups(r *Router, asking, bad uint32) (ringAsked uint32) {
	s := c.shape
	for j := range s.groups {
		g := &s.groups[j]
		req := asking & g.requesters &^ r.groupMade[j]
		if req == 0 {
			continue
		}
		// a pointer beyond or between the requesters stands for the next one
		c.hit("group at", j, int(pick(g.requesters, r.groupAt[j])))
		sel := pick(req, r.groupAt[j])
		c.hit("group selects", j, int(sel))
		c.hitIf(bad<<1>>sel&1 != 0, "group bad", j, int(sel))
		c.hitIf(req&1 != 0 && req != 1, "group conflict", j, 0)
		taken := r.taken & g.entered
		c.hitIf(taken != 0, "group partial", j, 0)
		if missing := g.entered &^ taken; taken != 0 && missing&(missing-1) == 0 {
			c.hit("group last", j, bits.TrailingZeros32(missing))
		}
		ringAsked |= g.entered &^ taken & s.ring
	}
	return ringAsked
}

// observePort counts the events of one output port.
func (c *Coverage) observePort(r *Router, p int, ready bool, groupAsks, going, bad uint32) {
	s := c.shape
	ps := &s.ports[p]
	free := ps.depth - r.count[p]
	written, valid := r.written>>p&1 != 0, r.valid>>p&1 != 0
	c.hitIf(free == 0, "full", p, 0)
	c.hitIf(written && valid && ready, "through", p, 0)
	c.hitIf(valid && !ready, "stalled", p, 0)
	if s.ring>>p&1 == 0 {
		c.hitIf(written && free == 1, "last slot", p, 0)
		return
	}
	from := uint32(1) << ps.continueFrom
	transfers := (going & ps.transfers) >> ps.transferBase
	group := groupAsks>>p&1 != 0
	if going&from != 0 {
		c.hitIf(bad&from != 0, "continue bad", p, 0)
		c.hitIf(written, "continue", p, 0)
		c.hitIf(written && free == 1, "continue last", p, 0)
		c.hitIf(free == 0, "continue full", p, 0)
		c.hitIf(group, "continue over group", p, 0)
		c.hitIf(transfers != 0, "continue over transfer", p, 0)
	}
	req := transfers << 1
	if group {
		req |= 1
	}
	if req == 0 {
		return
	}
	c.hitIf(group && transfers != 0, "group or transfer", p, 0)
	c.hitIf(transfers&(transfers-1) != 0, "two transfers", p, 0)
	c.hit("ring at", p, int(r.ringAt[p]))
	sel := pick(req, r.ringAt[p])
	if going&from != 0 {
		return
	}
	c.hitIf(free == 1, "bubble one", p, 0)
	if written {
		c.hit("enter", p, int(sel))
		c.hitIf(free == 2, "bubble two", p, 0)
	} else if free >= 2 {
		c.hit("enter bad", p, int(sel)) // nothing else can stop it
	}
}

func (c *Coverage) observeGate(r *Router, offered, injected, delivered bool) {
	g, k := &r.gate, &c.shape.plan.Gate
	last := uint32(1)<<k.QuietBits - 1
	c.hitIf(offered && !g.open(), "gate shut", 0, 0)
	c.hitIf(injected && delivered, "gate both", 0, 0)
	c.hitIf(delivered && g.balance == int32(k.Cap), "gate full", 0, 0)
	c.hitIf(injected && g.balance < int32(k.Cost), "gate zero", 0, 0)
	c.hitIf(g.quiet && !g.open(), "gate quiet shut", 0, 0)
	c.hitIf(g.quiet && injected, "gate quiet inject", 0, 0)
	c.hitIf(g.quiet && delivered, "gate quiet deliver", 0, 0)
	c.hitIf(!g.quiet && g.silent == last && delivered, "gate near quiet", 0, 0)
	c.hitIf(delivered && g.balance == -1 && !g.quiet, "gate opens", 0, 0)
}
