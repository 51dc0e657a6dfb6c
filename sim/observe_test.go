// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"
	"slices"
)

// observe counts the events of a cycle that has been evaluated and not stepped.
// It works from the wires, the registers and what they are about to become.
func (c *coverage) observe(r *Router, in *Inputs, out *Outputs) {
	s := c.shape
	var bad, going uint32
	valid, from := in.LinkValid, in.Link[:]
	if r.inputs != nil {
		valid, from = r.inputs.heads.valid, r.inputs.from[1:]
		c.observeInputs(r.inputs, r.ready, in)
	}
	for i := valid; i != 0; i &= i - 1 {
		p := bits.TrailingZeros32(i)
		m, ps := &from[p], &s.ports[p]
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
		if m.WC > 1 && s.continues>>p&1 != 0 && r.continued>>p&1 == 0 {
			going |= 1 << p
		}
		c.hitIf(r.ready>>p&1 == 0, "input waits", p, 0)
	}
	c.hitIf(valid == 1<<s.degree-1 && r.ready == 0, "inputs blocked", 0, 0)

	asking := valid << 1
	if in.LocalValid && r.gate.open() {
		asking |= 1
	}
	groupAsks, groupBad := c.observeGroups(r, asking, bad)
	for p := 0; p < s.degree; p++ {
		c.observePort(r, p, in.LinkReady>>p&1 != 0, groupAsks, groupBad, going, bad)
	}
	req := valid &^ r.delivered
	if s.perPort {
		for p := range s.degree {
			c.observeDelivery(r, p, going, req>>p&1 != 0, bad>>p&1 != 0, in.LocalReady>>p&1 != 0)
		}
	} else if req != 0 {
		sel := c.observeTree(len(s.groups), req<<1, r.deliverTurn, r.next.deliverTurn) - 1
		c.hitIf(bad>>sel&1 != 0, "delivery bad", 0, int(sel))
		c.hitIf(r.count[delivery] == s.deliveryDepth, "delivery full", 0, 0)
	}
	c.hitIf(!s.perPort && out.LocalValid&^in.LocalReady != 0, "delivery stalled", 0, 0)
	c.observeGate(r, in)
}

// observeDelivery counts the events of the delivery queue of link p, which its input asks or
// not.
func (c *coverage) observeDelivery(r *Router, p int, going uint32, asks, bad, ready bool) {
	count, bit := r.count[delivery+p], uint32(1)<<p
	full, written := count == r.shape.deliveryDepth, r.deliver&bit != 0
	c.hitIf(count > 0 && !ready, "delivery stalled", p, 0)
	c.hitIf(asks && bad, "delivery bad", 0, p)
	c.hitIf(asks && full && !ready, "delivery full", p, 0)
	c.hitIf(asks && full && !ready && r.localRoom == 1<<r.shape.degree-1-bit, "delivery full alone", p, 0)
	c.hitIf(asks && full && ready, "delivery too early", p, 0)
	c.hitIf(written && count == r.shape.deliveryDepth-1 && !ready, "delivery last slot", p, 0)
	c.hitIf(written && count > 0 && ready, "delivery through", p, 0)
	c.hitIf(written && r.ready&bit == 0, "delivered first", p, 0)
	c.hitIf(asks && !bad && written && r.ready&bit != 0 && r.delivered&bit == 0, "delivered last", p, 0)
	c.hitIf(asks && full && !bad && r.ready&bit == 0 && r.onlyDelivery(p, going), "delivery missing", p, 0)
}

// onlyDelivery tells whether the message of link input p has made all copies but the
// delivery before this cycle or makes them in it; more are the inputs whose messages still
// have to continue at its start.
func (r *Router) onlyDelivery(p int, more uint32) bool {
	bit := uint32(1) << p
	if more&bit != 0 && r.next.continued&bit == 0 {
		return false
	}
	for j := range r.shape.groups {
		g := &r.shape.groups[j]
		if g.requesters>>1&bit != 0 && r.next.group[j].made>>1&bit == 0 {
			return false
		}
	}
	return true
}

// observeInputs counts the events of the queues of link inputs, of which these heads leave.
func (c *coverage) observeInputs(i *inputQueues, leaves uint32, in *Inputs) {
	s := c.shape
	for p := range s.degree {
		bit := uint32(1) << p
		valid, full := i.heads.valid&bit != 0, i.heads.full&bit != 0
		comes, goes := in.LinkValid&bit != 0, leaves&bit != 0
		c.hitIf(full && comes && !goes, "link waits", p, 0)
		c.hitIf(full && comes && goes, "link too early", p, 0)
		c.hitIf(full && !comes && goes, "queue moves up", p, 0)
		c.hitIf(valid && !full && comes && goes, "queue through", p, 0)
		c.hitIf(valid && !full && comes && !goes, "queue fills", p, 0)
		c.hitIf(valid && !full && !comes && goes, "queue empties", p, 0)
		bad := i.heads.bad&bit != 0
		c.hitIf(full && goes && s.bad(p, &i.behind[p]), "bad behind good", p, 0)
		c.hitIf(full && !goes && s.bad(p, &i.behind[p]), "bad waits behind good", p, 0)
		c.hitIf(valid && bad && comes && !s.bad(p, &in.Link[p]), "good behind bad", p, 0)
		c.hitIf(valid && bad && comes && s.bad(p, &in.Link[p]), "bad behind bad", p, 0)
	}
	c.hitIf(i.heads.full == 1<<s.degree-1 && in.LinkValid == i.heads.full && leaves == 0, "queues full", 0, 0)
}

// bad tells whether a message on link input p is malformed.
func (s *shape) bad(p int, m *Message) bool {
	return m.WD != s.ports[p].wd || m.WC == 0 || m.WC > s.ports[p].d
}

// observeArbiter counts the events of the arbiter of a ring port in a cycle in which some of
// those that can ask do, from its turn before and after.
func (c *coverage) observeArbiter(at int, can, req uint32, was, is turn) {
	sel := was.pick(req)
	c.hit("ring selects", at, int(sel))
	for v := req &^ (1 << sel); v != 0; v &= v - 1 {
		c.hit("ring before", at, int(sel)<<8|bits.TrailingZeros32(v))
	}
	ahead, behind := neighbors(can, was, sel)
	completed := can&(can-1) != 0 && is == after(sel, true)
	c.observeReset(at, can, req)
	c.hitIf(!completed && ahead, "ring to front", at, 0)
	c.hitIf(completed && !ahead && behind, "ring to end", at, 0)
	c.hitIf(completed && ahead && behind, "ring middle to end", at, 0)
}

// observeReset looks at the first requests of the arbiter of a ring port after reset: if the first and the
// last of those that can ask do, the first is selected only in its turn after reset.
func (c *coverage) observeReset(at int, can, req uint32) {
	if c.unasked[at] {
		ends := can&-can | 1<<(bits.Len32(can)-1)
		c.hitIf(req&ends == ends, "ring after reset", at, 0)
		delete(c.unasked, at)
	}
}

// neighbors tells whether any of those that can ask is ahead of and behind who is selected, in
// the order that begins with whose turn it is.
func neighbors(can uint32, t turn, who uint8) (ahead, behind bool) {
	n := bits.Len32(can)
	for v := can &^ (1 << who); v != 0; v &= v - 1 {
		first := (bits.TrailingZeros32(v)-int(t)+n)%n < (int(who)-int(t)+n)%n
		ahead = ahead || first
		behind = behind || !first
	}
	return ahead, behind
}

// observeGroups returns the ring ports that their group asks, and those of them
// that it asks with a malformed message.
func (c *coverage) observeGroups(r *Router, asking, bad uint32) (ringAsked, badAsked uint32) {
	s := c.shape
	for j := range s.groups {
		g := &s.groups[j]
		req := asking & g.requesters &^ r.group[j].made
		if req == 0 {
			continue
		}
		sel := c.observeTree(j, req, r.group[j].turn, r.next.group[j].turn)
		taken := r.taken & g.entered
		c.hitIf(taken != 0, "group partial", j, 0)
		if missing := g.entered &^ taken; taken != 0 && missing&(missing-1) == 0 {
			c.hit("group last", j, bits.TrailingZeros32(missing))
		}
		asked := g.entered &^ taken & s.ring
		ringAsked |= asked
		if bad<<1>>sel&1 != 0 {
			c.hit("group bad", j, int(sel))
			badAsked |= asked
		}
	}
	return ringAsked, badAsked
}

// observePort counts the events of one output port.
func (c *coverage) observePort(r *Router, p int, ready bool, groupAsks, groupBad, going, bad uint32) {
	s := c.shape
	ps := &s.ports[p]
	valid := r.valid>>p&1 != 0
	c.hitIf(valid && !ready, "stalled", p, 0)
	if s.ring>>p&1 == 0 {
		free, written := ps.depth-r.count[p], r.entering>>p&1 != 0
		c.hitIf(free == 0, "full", p, 0)
		c.hitIf(written && valid && ready, "through", p, 0)
		c.hitIf(written && free == 1, "last slot", p, 0)
		return
	}
	from := uint32(1) << ps.continueFrom
	transfers := (going & ps.transfers) >> ps.transferBase
	group := groupAsks>>p&1 != 0
	continues := going&from != 0
	c.hitIf(continues && bad&from != 0, "continue bad", p, 0)
	c.observeSlots(r, p, ready, continues)
	req := transfers << 1
	if group {
		req |= 1
	}
	if req == 0 {
		return
	}
	can := ps.transfers >> ps.transferBase << 1
	if ps.first > 0 {
		can |= 1
	}
	sel := r.ringTurn[p].pick(req)
	c.observeArbiter(p, can, req, r.ringTurn[p], r.next.ringTurn[p])
	if continues {
		ahead, behind := neighbors(can, r.ringTurn[p], sel)
		completed := r.entering>>p&1 != 0
		c.hitIf(ahead && !completed, "ring front under continue", p, 0)
		c.hitIf(behind && completed, "ring end under continue", p, 0)
	}
	if sel == 0 && groupBad>>p&1 != 0 || sel > 0 && bad>>(ps.transferBase+sel-1)&1 != 0 {
		c.hit("enter bad", p, int(sel))
		return
	}
	waits := r.waitsIn>>p&1 != 0
	leaves := (!valid || ready) && !continues && r.waitsOn>>p&1 == 0
	c.hitIf(waits && !leaves, "enter no room", p, 0)
	c.hitIf(waits && leaves, "enter too early", p, 0)
}

// Sources of an output slot.
const (
	waitsOn = iota
	continuing
	waitsIn
	entering
	slotSources
)

var slotSource = [slotSources]string{"the message that waits to continue", "the one that continues", "the message that waits to enter", "the one that enters"}

// observeSlots counts the events of the slots of a ring port.
func (c *coverage) observeSlots(r *Router, p int, ready, asked bool) {
	bit := uint32(1) << p
	valid := r.valid&bit != 0
	var there [slotSources]bool
	for i, ports := range [slotSources]uint32{r.waitsOn, r.continuing, r.waitsIn, r.entering} {
		there[i] = ports&bit != 0
	}
	c.hitIf(valid && there[waitsOn] && there[waitsIn], "full", p, 0)
	c.hitIf(asked && there[waitsOn] && (!valid || ready), "continue too early", p, 0)
	c.hitIf(asked && there[waitsOn] && valid && !ready, "continue no room", p, 0)
	if valid && !ready {
		c.hitIf(there[continuing], "slot waits", p, continuing)
		c.hitIf(there[entering], "slot waits", p, entering)
		c.hitIf(there[continuing] && there[entering], "both wait", p, 0)
		return
	}
	first := slices.Index(there[:], true)
	switch {
	case first < 0:
	case first >= waitsIn && asked:
		c.hit("bubble", p, first)
	case valid:
		c.hit("through", p, first)
	default:
		c.hit("takes", p, first)
	}
	for second := waitsIn; first >= 0 && first < waitsIn && second < slotSources; second++ {
		c.hitIf(there[second], "slot before", p, first<<8|second)
	}
}
