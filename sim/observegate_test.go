// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/hcgen/hcgen/gen/plan"
)

// gateWatch is what the events of the gate need to know of earlier cycles.
type gateWatch struct {
	run    [2 * maxDegree]int // by output, as in masks of them: cycles for which it has been blocked
	loaded uint32             // S when it was loaded
	others uint32             // outputs blocked since there was none
	moved  bool               // some of S when it was loaded have moved
	filled bool               // the cycle before filled the balance,
	closed bool               // of a gate at which a message waited
	quiet  int                // cycles at this level without a message
}

// Events of the gate.
const (
	gateShut       = "closed while a message is on offer"
	gateBoth       = "injection and delivery in one cycle"
	gateBackToBack = "injection in the cycle after one, which is not paid yet"
	gateAsked      = "open at a negative balance for a message that has asked, and goes on waiting"
	gateOpens      = "opened by a delivery for a message on offer"
	gateFills      = "opened by a low window for a message on offer"
	gateLimit      = "a delivery that is not earned"
	gateFillsMore  = "a balance filled that has more bits than the quota"
	gateLateEarn   = "a delivery earned at 8 quotas"

	gateShrunk   = "a standstill after some of its outputs have moved"
	gateNearly   = "an output blocked for as long as there is no standstill"
	gateDisarmed = "a standstill disarms it"
	gateCrowded  = "a standstill does not disarm it because there are enough messages"
	gateAgain    = "a window that is low but ends no frame, because the one before has filled the balance"

	gateTrusted = "a silence right after two slow windows leaves level 0"
	gateNeeded  = "a window right after two slow ones with a standstill, and next to no message"

	gateFalse   = "a false silence raises level 0"
	gateHeld    = "a frame is shorter, and the quota does not grow"
	gateSecond  = "a second frame is shorter, and the quota grows"
	gateNotPast = "a window of level 1 with enough messages to lower it, but a standstill"

	gateLong     = "a long frame ends and leaves a part of the balance"
	gateLongDebt = "a long frame ends with a debt"
	gateLongPays = "a long frame ends in a cycle that pays and earns"
	gateLate     = "the quota begins anew because a frame is late"
)

// addGate adds the events of the gate.
func (c *coverage) addGate(p *plan.Plan) {
	for _, o := range drilled(p) {
		title, at := fmt.Sprintf("port %02d", o), o
		if q := o - p.Degree; q >= 0 {
			title, at = fmt.Sprintf("local output %02d", q), maxDegree+q
		}
		if slices.Contains(blockable(p), o) {
			c.add("before", at, 0, "%s: blocked alone in the cycle before a window ends that would be low", title)
		}
		c.add("stands", at, 0, "%s: the shortest standstill of it alone, in a window after a low one", title)
	}
	for n := 2; n <= p.Deliveries; n++ {
		c.add("together", n, 0, "gate: closed, %d deliveries in a cycle", n)
	}
	if n := undisturbing(p); p.Deliveries > 1 && costReachable(p) {
		c.add("together with", n, 0, "gate: %d deliveries in the cycle of an injection", n)
	}
	names := []string{gateShut, gateBoth, gateBackToBack, gateFills, gateFillsMore, gateNearly, gateDisarmed, gateCrowded, gateAgain, gateTrusted, gateNeeded, gateFalse, gateHeld, gateNotPast}
	if comparable(p) {
		names = append(names, gateSecond)
	}
	if besides(p) >= 0 {
		names = append(names, gateShrunk)
	}
	x := p.Gate.ScaleBits
	frames := []int{shortFrame - 1, shortFrame, mediumFrame - 1}
	if costReachable(p) {
		names = append(names, gateOpens, gateAsked, gateLimit, gateLateEarn)
		frames = append(frames, restartAbove-1, restartAbove)
	}
	if longReachable(p) {
		frames = append(frames, restartFrame-1, restartFrame)
		if costReachable(p) {
			names = append(names, gateLong, gateLongPays, gateLate)
		}
		if x == 0 && p.Gate.Cost > 2 {
			names = append(names, gateLongDebt)
		}
	}
	for _, name := range names {
		c.add(name, 0, 0, "gate: %s", name)
	}
	for _, m := range frames {
		c.add("frame", m, 0, "gate: a frame of %d messages", m)
	}
	few, low, enough := int(new(gate).few(&p.Gate)), int(new(gate).low(&p.Gate)), int(new(gate).enough(&p.Gate))
	c.add("low", 0, low-1, "gate: a low window of %d messages", low-1)
	c.add("low", 0, low, "gate: a window that is not low because of %d messages", low)
	c.add("stood", enough-1, 0, "gate: a window with a standstill after a low one, of %d messages", enough-1)
	c.add("stood", enough, 0, "gate: a window with a standstill after a low one, of %d messages", enough)
	c.add("third", low, 0, "gate: a window without a standstill after two slow ones, of %d messages", low)
	c.add("third", few-1, 0, "gate: a window without a standstill after two slow ones, of %d messages", few-1)
	c.add("third", few, 0, "gate: a window without a standstill after two slow ones, of %d messages", few)
	c.add("second", few-1, 0, "gate: a window with a standstill after a slow one, of %d messages", few-1)
	c.add("second", few, 0, "gate: a window with a standstill after a slow one, of %d messages", few)
	top := 3
	if x == 0 {
		top = 4
	}
	for level := 1; level <= top; level++ {
		c.add("rises", level, 0, "gate: level %d reached", level)
		c.add("falls", level, 0, "gate: level %d left because of many messages", level)
		if level < 3 {
			c.add("fills", level, 0, "gate: filled at level %d", level)
		}
		if level > 2 {
			c.add("quiet", level, 0, "gate: as long without a message at level %d as level %d takes to fill it", level, level-1)
		}
	}
	for level := uint8(1); level <= 3; level++ {
		enough := int(many(level, false)) << x
		c.add("many", int(level), enough-1, "gate: a window of level %d with %d messages", level, enough-1)
		if level < 3 {
			c.add("many", int(level), enough, "gate: a window of level %d with %d messages", level, enough)
		}
	}
	above := fewAbove << x
	c.add("slow", above-1, 0, "gate: level 2 reached because of %d messages without a standstill", above-1)
	c.add("remembers", 1, 0, "gate: a window of the memory of level 1 with a standstill")
	c.add("forgets", 1, 0, "gate: level 1 forgotten")
	if x == 0 {
		c.add("forgets", 2, 0, "gate: level 2 forgotten")
	}
}

// observeGate counts the events of the gate in a cycle.
func (c *coverage) observeGate(r *Router, in *Inputs) {
	g, k, w, now, blocked := &r.gate, &c.shape.plan.Gate, &c.gate, r.seen(), r.blocked()
	next := *g
	next.step(k, blocked, now)

	waitsShut := in.LocalValid && !g.open()
	c.hitIf(waitsShut, gateShut, 0, 0)
	c.hitIf(waitsShut && g.balance == -1 && next.balance == 0, gateOpens, 0, 0)
	c.hitIf(now.waits && g.balance < 0, gateAsked, 0, 0)
	c.hitIf(now.injected && now.delivered > 0, gateBoth, 0, 0)
	c.hitIf(g.seen.delivered > 1 && g.balance < 0 && !g.rich, "together", int(g.seen.delivered), 0)
	c.hitIf(g.seen.injected, "together with", int(g.seen.delivered), 0)
	c.hitIf(now.injected && g.seen.injected, gateBackToBack, 0, 0)
	c.hitIf(w.filled && w.closed && now.injected, gateFills, 0, 0)
	c.hitIf(g.seen.delivered > 0 && g.rich, gateLimit, 0, 0)
	c.hitIf(g.seen.delivered > 0 && !g.rich && g.balance >= savedQuotas*g.quota, gateLateEarn, 0, 0)
	w.filled, w.closed = g.armed && !next.armed, waitsShut

	if w.quiet++; now.injected || now.delivered > 0 || next.level != g.level {
		w.quiet = 0
	}
	c.hitIf(w.quiet == 2<<g.window(k)>>plan.LevelBits, "quiet", int(g.level), 0)

	c.observeStandstill(g, &next, k, blocked)
	if g.ends(g.window(k)) {
		c.observeWindow(g, &next, k)
	}
	if next.late == 1 && next.frame == 0 && g.frame >= longFrame {
		c.hitIf(g.balance >= 1<<k.CapBits, gateLong, 0, 0)
		c.hitIf(g.balance < 0, gateLongDebt, 0, 0)
		c.hitIf(g.seen.injected && g.seen.delivered > 0, gateLongPays, 0, 0)
	}
}

// observeStandstill counts the events of standstills.
func (c *coverage) observeStandstill(g, next *gate, k *plan.Gate, blocked uint32) {
	w := &c.gate
	const window = 1 << plan.StandstillBits
	ends := g.ends(plan.StandstillBits)
	stands := ends && g.still != 0
	for o := range w.run {
		if blocked>>o&1 != 0 {
			continue
		}
		alone := w.others == 1<<o
		c.hitIf(stands && alone && w.run[o] == window && g.armed && g.level == 0, "stands", o, 0)
		c.hitIf(!stands && !g.stood && w.run[o] == 2*window-2, gateNearly, 0, 0)
	}
	c.hitIf(stands && g.still != w.loaded, gateShrunk, 0, 0)
	if ends && !stands {
		w.loaded = next.still
	}
	if blocked == 0 {
		w.others = 0
	}
	w.others |= blocked
	for o := range w.run {
		if w.run[o]++; blocked>>o&1 == 0 {
			w.run[o] = 0
		}
	}
}

// observeWindow counts the events at the end of a window.
func (c *coverage) observeWindow(g, next *gate, k *plan.Gate) {
	x := k.ScaleBits
	level, heard := int(g.level), int(g.heard)
	stood := g.stood || g.still != 0
	disarmed := g.armed && heard < int(g.enough(k)) && stood
	c.hitIf(disarmed, gateDisarmed, 0, 0)
	c.hitIf(g.armed && stood && !disarmed, gateCrowded, 0, 0)
	c.hitIf(g.armed && stood && level == 0, "stood", heard, 0)
	c.hitIf(g.slow && stood && level == 0, "second", heard, 0)
	if g.doubt {
		c.hitIf(next.level == 0, gateTrusted, 0, 0)
		c.hitIf(stood && g.blocked == 0 && heard < int(g.low(k)), gateNeeded, 0, 0)
		c.hitIf(!stood && g.blocked == 0, "third", heard, 0)
	}
	if level == 0 && heard < int(g.low(k)) && !g.armed && !g.filled && !stood && g.blocked != 0 && g.blocked&(g.blocked-1) == 0 {
		c.hit("before", bits.TrailingZeros32(g.blocked), 0)
	}
	if g.armed && !next.armed && !disarmed {
		c.hit("fills", level, 0)
		c.hitIf(g.balance >= 2*g.quota, gateFillsMore, 0, 0)
	}
	c.hitIf(g.filled && !stood && g.blocked == 0 && heard < int(g.low(k)), gateAgain, 0, 0)
	if !g.armed && !g.filled && !stood && g.blocked == 0 && level == 0 {
		c.hit("low", 0, heard)
	}
	c.hitIf(g.armed && g.shorter && !next.filled && next.level > g.level, gateFalse, 0, 0)
	c.hitIf(level == 1 && stood && next.level == 1 && heard >= manyAtOne<<x, gateNotPast, 0, 0)
	if next.armed {
		c.hitIf(next.held, gateHeld, 0, 0)
		c.hitIf(next.shorter && !next.held && next.growth > 0, gateSecond, 0, 0)
		c.hitIf(g.late == 0, "frame", int(g.frame), 0)
		c.hitIf(g.late == 1 && (level == 0 && g.frame < restartFrame || level > 0 && g.frame < restartAbove), gateLate, 0, 0)
	}
	c.hit("many", level, heard)
	switch {
	case int(next.level) > level:
		c.hit("rises", int(next.level), 0)
		c.hitIf(!stood && level == 1, "slow", heard, 0)
	case int(next.level) < level && heard >= int(many(g.level, stood))<<x:
		c.hit("falls", level, 0)
	case int(next.level) < level:
		c.hit("forgets", level, 0)
	}
	c.hitIf(level > 0 && g.ends(g.memory(k)) && !g.steady && next.level > 0, "remembers", level, 0)
}
