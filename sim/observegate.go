// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
)

// gateWatch is what the events of the gate need to know of earlier cycles.
type gateWatch struct {
	blocked uint32 // outputs blocked in the cycle before

	settled  bool // a refill or a forgiven debt has been since reset
	opened   bool // a delivery has opened the gate since reset
	forgiven bool // the last cycle forgave a debt
	refilled int  // level at which the last cycle refilled a closed gate; -1: none
	atCap    bool // a delivery at the cap has been since the last refill or forgiven debt,
	toCap    bool // at one less
	owedFor  int  // output because of which the last cycle forgave nothing; -1: none
	owedAt   bool // it forgave nothing because of the level

	run     [maxDegree + 1]int // by output: cycles for which it has been blocked
	first   uint32             // S when it began
	alone   bool               // since then nothing else was blocked
	raised  int                // output that has raised level 0 alone; -1: none
	shrunk  bool               // the level rose after some of S had moved
	topped  bool               // another standstill has passed at the top level
	near    int                // output whose standstill was one cycle too short; -1: none
	renewed bool               // an output was blocked for long enough, but S renewed meanwhile
	fresh   bool               // S began right after a silence longer than a standstill
	risen   bool               // and then raised level 0

	extra   bool  // a refill at level 0 counts
	without int32 // the balance without it
	short   bool  // a silence at level 0 was one cycle too short

	unbroken, shut, absent int  // cycles for which the local input was valid at an open gate, with or without handshakes; valid at a closed one; not valid
	inPause                bool // an injection has been in the pause
	last                   bool // a message waited in the last cycle of a pause
}

func newGateWatch() gateWatch {
	return gateWatch{refilled: -1, owedFor: -1, raised: -1, near: -1}
}

// observeGate counts the events of the gate in a cycle.
func (c *Coverage) observeGate(r *Router, offered bool) {
	g, k, w, now := &r.gate, &c.shape.plan.Gate, &c.gate, r.seen()
	waitsShut := offered && !g.open()
	c.hitIf(waitsShut, gateShut, 0, 0)
	c.hitIf(waitsShut && !w.settled, gateReset, 0, 0)
	c.hitIf(waitsShut && g.balance == -1 && w.atCap, gateAtCap, 0, 0)
	c.hitIf(waitsShut && w.owedAt, gateOwes, 0, 0)
	c.hitIf(waitsShut && w.owedFor >= 0, "owes", w.owedFor, 0)
	c.hitIf(waitsShut && w.short, gateShort, 0, 0)
	c.hitIf(waitsShut && g.balance == -1 && g.seen.delivered, gateOpens, 0, 0)
	c.hitIf(now.waits && g.balance < 0, gateAsked, 0, 0)
	if now.injected {
		c.hitIf(now.delivered, gateBoth, 0, 0)
		c.hitIf(g.seen.injected, gateBackToBack, 0, 0)
		c.hitIf(w.opened && !w.settled, gateResetOpens, 0, 0)
		c.hitIf(g.balance == 0 && w.toCap, gateToCap, 0, 0)
		c.hitIf(w.extra && w.without < 0 && !g.seen.waits, gateRefill, 0, 0)
		c.hitIf(w.refilled > 0, "silence", w.refilled, 0)
		if w.forgiven {
			c.hit(gateForgives, 0, 0)
			c.hitIf(w.near >= 0, "near", w.near, 0)
			c.hitIf(w.renewed, gateRenewed, 0, 0)
			w.near, w.renewed = -1, false
		}
	}
	c.followBalance(g, k)
	c.followSilence(g, k, waitsShut)
	c.followStandstill(g, k, r.blocked())
	w.blocked = r.blocked()
}

// followBalance notes what the end of the cycle does to the balance.
func (c *Coverage) followBalance(g *gate, k *plan.Gate) {
	w := &c.gate
	change := func(balance int32) int32 {
		if g.seen.injected {
			balance -= int32(k.Cost)
		}
		if g.seen.delivered && balance < int32(k.Cap) {
			balance++
		}
		return balance
	}
	result := change(g.balance)
	w.opened = w.opened || g.balance == -1 && result == 0
	w.atCap = w.atCap || g.seen.delivered && g.balance == int32(k.Cap)
	w.toCap = w.toCap || g.seen.delivered && g.balance == int32(k.Cap)-1
	w.without = change(w.without)
	w.forgiven = result < 0 && g.forgives()
	w.owedFor, w.owedAt = -1, result < 0 && g.seen.injected && g.seen.quiet && g.level > 0
	if result < 0 && g.seen.injected && !g.seen.quiet && g.level == 0 && w.blocked&(w.blocked-1) == 0 && w.blocked != 0 {
		w.owedFor = bits.TrailingZeros32(w.blocked)
	}
	if w.forgiven {
		w.settled, w.atCap, w.toCap, w.extra, w.short = true, false, false, false, false
	}
}

// followSilence notes refills, and silences that were too short for one.
func (c *Coverage) followSilence(g *gate, k *plan.Gate, waitsShut bool) {
	w := &c.gate
	w.refilled = -1
	if !g.seen.calm && g.still == 0 && g.length == g.silence(k) {
		c.hitIf(waitsShut, "short", int(g.level), 0)
		w.short = g.level == 0
	}
	if !g.seen.calm || g.length != g.silence(k) {
		return
	}
	if waitsShut {
		w.refilled = int(g.level)
		c.hitIf(g.level == 1 && w.raised >= 0, "raised", w.raised, 0)
		c.hitIf(g.level == 1 && w.shrunk, gateShrunk, 0, 0)
		c.hitIf(g.level == 1 && w.risen, gateFresh, 0, 0)
		c.hitIf(int(g.level) == k.TopLevel && w.topped, gateTop, 0, 0)
	}
	w.settled, w.atCap, w.toCap, w.short = true, false, false, false
	w.raised, w.shrunk, w.risen, w.topped = -1, false, false, false
	w.near, w.renewed = -1, false
	w.extra, w.without = g.level == 0, max(g.balance, 0)
}

// followStandstill notes how the level rises, and standstills that were too short
// for that.
func (c *Coverage) followStandstill(g *gate, k *plan.Gate, blocked uint32) {
	w := &c.gate
	if g.still == 0 {
		w.first, w.alone = blocked, true
		w.fresh = g.seen.calm && g.length > g.standstill(k)
	}
	w.alone = w.alone && blocked&^w.first == 0 && w.first&(w.first-1) == 0
	rises := g.still != 0 && g.length == g.standstill(k)
	if rises {
		w.near, w.renewed, w.run = -1, false, [maxDegree + 1]int{}
		w.shrunk = w.shrunk || g.level == 0 && g.still != w.first
		w.risen = w.risen || g.level == 0 && w.fresh
		w.fresh = false
		w.topped = w.topped || int(g.level) == k.TopLevel
		if g.level == 0 && w.alone {
			w.raised = bits.TrailingZeros32(w.first)
		}
		w.alone = false
	}
	if !rises && g.still != 0 && g.still&blocked == 0 && w.alone && g.level == 0 && g.length == g.standstill(k)-1 {
		w.near = bits.TrailingZeros32(g.still)
	}
	for o := range w.run {
		if blocked>>o&1 != 0 {
			w.run[o]++
			continue
		}
		if g.level == 0 && w.run[o] > int(g.standstill(k)) {
			w.renewed = true
		}
		w.run[o] = 0
	}
}

// observePause counts the events of pauses of delivery in a cycle.
func (c *Coverage) observePause(r *Router, in *Inputs, bad uint32) {
	g, k, w := &r.gate, &c.shape.plan.Gate, &c.gate
	patience, pause := 1<<k.PatienceBits, 1<<k.PauseBits
	would, selectedBad := false, false // be written but for the pause
	if req := in.LinkValid &^ r.delivered; req != 0 {
		sel, _ := r.deliverOrder.pick(req)
		selectedBad = bad>>sel&1 != 0
		would = !selectedBad && r.count[delivery] < plan.QueueDepth
	}
	at := int(g.waited) - patience // cycle of the pause, from 0
	if at >= 0 {
		c.hitIf(at == 0 && would, pauseBegins, 0, 0)
		c.hitIf(selectedBad, pauseBad, 0, 0)
		c.hitIf(w.inPause && would, pauseInjected, 0, 0)
		w.inPause = w.inPause || r.localReady
	} else {
		w.inPause = false
		c.hitIf(at == -1 && g.seen.waits && r.deliver, pauseBefore, 0, 0)
		c.hitIf(w.last && r.deliver, pauseEnds, 0, 0)
		within := func(cycles int) bool { return r.deliver && cycles > patience+1 && cycles < patience+pause-1 }
		c.hitIf(within(w.unbroken), pauseHandshake, 0, 0)
		c.hitIf(within(w.shut), pauseShut, 0, 0)
		c.hitIf(within(w.absent), pauseAbsent, 0, 0)
	}
	w.last = at == pause-1 && would

	count := func(n *int, more bool) {
		if *n++; !more {
			*n = 0
		}
	}
	count(&w.unbroken, in.LocalValid && g.open() && at < 0)
	count(&w.shut, in.LocalValid && !g.open())
	count(&w.absent, !in.LocalValid)
}
