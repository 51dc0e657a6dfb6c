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
	atCap    bool // a delivery at the cap has been since the last refill or forgiven debt,
	toCap    bool // at one less
	owedFor  int  // output because of which the last cycle forgave nothing; -1: none
	owedAt   bool // it forgave nothing because of the level

	calm    int   // length of a time of calm cycles
	refills int   // refills in it
	extra   bool  // a refill at level 0 counts
	without int32 // the balance without it

	run    [maxDegree + 1]int // by output: cycles for which it has been blocked
	turns  int                // cycles for which something has been blocked
	others uint32             // outputs blocked in this time
	loaded uint32             // S when it was loaded
	same   int                // cycles since the level changed, or there was a standstill

	fell uint32 // cycle in which the memory has lowered the level for the last time

	waits, shut, absent int    // cycles for which the local input has waited; been valid at a closed gate; not been valid
	paused              bool   // the cycle before paused
	again               bool   // the last window of the patience ended with a pause
	inPause             bool   // an injection has been in the pause
	last                bool   // a message waited in the last cycle of a pause
	short               bool   // a wait ended one cycle too early for a pause
	noPause             string // why the patience ended without a pause, for as long as one would last
}

func newGateWatch() gateWatch { return gateWatch{owedFor: -1} }

// observeGate counts the events of the gate in a cycle.
func (c *coverage) observeGate(r *Router, in *Inputs, bad uint32) {
	g, k, w, now := &r.gate, &c.shape.plan.Gate, &c.gate, r.seen()
	next := *g
	next.step(k, r.blocked(), now)

	waitsShut := in.LocalValid && !g.open()
	c.hitIf(waitsShut, gateShut, 0, 0)
	c.hitIf(waitsShut && !w.settled, gateReset, 0, 0)
	c.hitIf(waitsShut && g.balance == -1 && w.atCap, gateAtCap, 0, 0)
	c.hitIf(waitsShut && w.owedAt, gateOwes, 0, 0)
	c.hitIf(waitsShut && w.owedFor >= 0, "owes", w.owedFor, 0)
	c.hitIf(waitsShut && g.balance == -1 && g.seen.delivered, gateOpens, 0, 0)
	c.hitIf(now.waits && g.balance < 0, gateAsked, 0, 0)
	if now.injected {
		c.hitIf(now.delivered, gateBoth, 0, 0)
		c.hitIf(g.seen.injected, gateBackToBack, 0, 0)
		c.hitIf(w.opened && !w.settled, gateResetOpens, 0, 0)
		c.hitIf(g.balance == 0 && w.toCap, gateToCap, 0, 0)
		c.hitIf(w.extra && w.without < 0 && !g.seen.waits, gateRefill, 0, 0)
		c.hitIf(w.forgiven, gateForgives, 0, 0)
	}
	c.followBalance(g, k)
	c.followSilence(g, k)
	c.followStandstill(g, &next, k, r.blocked())
	c.followMemory(g, &next, k)
	c.followPatience(r, &next, in, bad)
	w.blocked = r.blocked()
}

// followBalance notes what the end of the cycle does to the balance.
func (c *coverage) followBalance(g *gate, k *plan.Gate) {
	w := &c.gate
	change := func(balance int32) int32 {
		if g.seen.delivered && balance < int32(k.Cap) {
			balance++
		}
		if g.seen.injected {
			balance -= int32(k.Cost)
		}
		return balance
	}
	result := change(g.balance)
	w.opened = w.opened || g.balance == -1 && result == 0
	w.atCap = w.atCap || g.seen.delivered && g.balance == int32(k.Cap)
	w.toCap = w.toCap || g.seen.delivered && g.balance == int32(k.Cap)-1
	w.without = change(w.without)
	w.forgiven = result < 0 && g.level == 0 && g.seen.quiet
	w.owedFor, w.owedAt = -1, result < 0 && g.seen.injected && g.seen.quiet && g.level > 0
	if result < 0 && g.seen.injected && !g.seen.quiet && g.level == 0 && w.blocked&(w.blocked-1) == 0 && w.blocked != 0 {
		w.owedFor = bits.TrailingZeros32(w.blocked)
	}
	if w.forgiven {
		w.settled, w.atCap, w.toCap, w.extra = true, false, false, false
	}
}

// followSilence notes silences, and times without one.
func (c *coverage) followSilence(g *gate, k *plan.Gate) {
	w, window := &c.gate, 1<<g.silence(k)
	refills := g.silent && g.ends(g.silence(k))
	if refills {
		c.hitIf(!g.seen.calm && w.calm == window, "silence", int(g.level), 0)
		c.hitIf(g.seen.injected, gateFree, 0, 0)
		c.hitIf(w.refills > 0 && g.level > 0, gateFollows, 0, 0)
		w.settled, w.atCap, w.toCap = true, false, false
		w.extra, w.without = g.level == 0, max(g.balance, 0)
		w.refills++
	}
	if g.seen.calm {
		w.calm++
		return
	}
	c.hitIf(w.calm == 2*window-2 && w.refills == 0, "short", int(g.level), 0)
	w.calm, w.refills = 0, 0
}

// followStandstill notes standstills, and times without one.
func (c *coverage) followStandstill(g, next *gate, k *plan.Gate, blocked uint32) {
	w, window, level := &c.gate, 1<<g.standstill(k), int(g.level)
	alone := w.others&(w.others-1) == 0
	ends := g.ends(g.standstill(k))
	rises := ends && g.still != 0
	for o := range w.run {
		if blocked>>o&1 != 0 {
			continue
		}
		still := alone && w.others>>o&1 != 0
		exact := rises && still && w.run[o] == window
		almost := !rises && still && min(w.run[o], w.same) == 2*window-2
		c.hitIf(level == 0 && exact, "raised", o, 0)
		c.hitIf(level == 0 && almost, "near", o, 0)
		c.hitIf(level > 0 && rises && still && min(w.run[o], w.same) == window+window>>k.ScaleBits-1, "rises", level, 0)
		c.hitIf(level > 0 && almost, "almost", level, 0)
	}
	c.hitIf(rises && g.still != w.loaded && level == 0, gateShrunk, 0, 0)
	c.hitIf(rises && level == k.TopLevel, gateTop, 0, 0)
	c.hitIf(ends && !rises && level == 0 && w.turns >= window, gateTurns, 0, 0)

	if ends && !rises {
		w.loaded = next.still
	}
	if w.same++; rises || next.level != g.level {
		w.same = 0
	}
	if w.turns++; blocked == 0 {
		w.turns, w.others = 0, 0
	}
	w.others |= blocked
	for o := range w.run {
		if w.run[o]++; blocked>>o&1 == 0 {
			w.run[o] = 0
		}
	}
}

// followMemory notes what happens at the end of a window of the memory.
func (c *coverage) followMemory(g, next *gate, k *plan.Gate) {
	if g.level == 0 || !g.ends(g.memory(k)) {
		return
	}
	w, level := &c.gate, int(g.level)
	rises := g.still != 0 // it ends a window of a standstill as well
	c.hitIf(!g.steady && !rises && !g.silent, memoryNot, level, 0)
	c.hitIf(!g.steady && !rises && g.silent, memorySilence, level, 0)
	c.hitIf(g.steady && rises, memoryRises, level, 0)
	if !g.steady || rises {
		return
	}
	c.hitIf(g.silent, memoryBoth, level, 0)
	c.hitIf(!g.silent, memoryFalls, level, 0)
	c.hitIf(!g.silent && w.fell > 0 && g.time-w.fell == 1<<g.memory(k), memoryAgain, level, 0)
	w.fell = g.time
}

// followPatience notes pauses of delivery, and times without one.
func (c *coverage) followPatience(r *Router, next *gate, in *Inputs, bad uint32) {
	g, k, w := &r.gate, &c.shape.plan.Gate, &c.gate
	would, selectedBad := false, false // be written but for the pause
	if req := in.LinkValid &^ r.delivered; req != 0 {
		sel, _ := r.deliverOrder.pick(req)
		selectedBad = bad>>sel&1 != 0
		would = !selectedBad && r.count[delivery] < plan.QueueDepth
	}
	if g.pausing {
		c.hitIf(!w.paused && would, pauseBegins, 0, 0)
		c.hitIf(selectedBad, pauseBad, 0, 0)
		c.hitIf(w.inPause && would, pauseInjected, 0, 0)
		c.hitIf(would && g.level == 0, pauseAtLevel0, 0, 0)
		w.inPause = w.inPause || r.localReady
		w.noPause = ""
	} else {
		c.hitIf(next.pausing && r.deliver, pauseBefore, 0, 0)
		c.hitIf(w.last && r.deliver, pauseEnds, 0, 0)
		c.hitIf(w.noPause != "" && r.deliver, w.noPause, 0, 0)
		w.inPause = false
		if g.ends(k.PauseBits) {
			w.noPause = ""
		}
	}
	w.last = g.pausing && !next.pausing && would
	w.paused = g.pausing

	patience := 1 << k.PatienceBits
	ends := g.ends(k.PatienceBits)
	ended := !g.seen.waits && w.waits > 0
	c.hitIf(ends && next.pausing && ended && w.waits == patience, pauseExact, 0, 0)
	if g.seen.waits {
		w.waits++
	}
	if ends {
		c.hitIf(next.pausing && w.again, pauseAgain, 0, 0)
		w.again = next.pausing
		switch {
		case next.pausing:
		case w.waits == patience && !ended:
			w.noPause = pauseLate
		case w.shut > patience:
			w.noPause = pauseShut
		case w.absent > patience:
			w.noPause = pauseAbsent
		case w.short:
			w.noPause = pauseShort
		}
		w.short = false
	}
	if ended {
		w.short = w.waits == patience-1 && g.waited && g.left(k.PatienceBits) == 1
		w.waits = 0
	}
	count := func(n *int, more bool) {
		if *n++; !more {
			*n = 0
		}
	}
	count(&w.shut, in.LocalValid && !g.open())
	count(&w.absent, !in.LocalValid)
}
