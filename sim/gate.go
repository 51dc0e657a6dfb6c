// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// gate is the self-clocked injection gate of a router.
type gate struct {
	balance int32  // b, -2 Cost..Cap
	level   uint8  // e, level of congestion, 0..TopLevel
	still   uint32 // S, outputs that have not moved for length cycles
	length  uint32 // c, of a silence or of a standstill, in cycles
	waited  uint32 // w, cycles at an open gate; from the patience on delivery pauses
	seen    seen   // in the cycle before
}

// seen is what a gate observes of a cycle and acts upon at the end of the next
// one. After reset nothing has been seen.
type seen struct {
	calm      bool // no link input, no link output and not the local output is valid
	quiet     bool // the local output is not valid and no link output is blocked
	waits     bool // the local input is valid, the gate open, and the handshake does not complete
	injected  bool // the local input completes a handshake
	delivered bool // the local output completes a handshake
}

// idle is a cycle with nothing valid and nothing on offer.
var idle = seen{calm: true, quiet: true}

// localOutput is the bit of the local output in a mask of outputs; bit p stands
// for link output p.
const localOutput uint32 = 1 << maxDegree

// resetGate is the gate after reset.
func resetGate(k *plan.Gate) gate { return gate{balance: int32(k.Cap)} }

// open tells whether the local input may ask. One that has asked may go on: some
// of its copies may have been made.
func (g *gate) open() bool { return g.balance >= 0 || g.seen.waits }

// pauses tells whether nothing may be written to the delivery queue.
func (g *gate) pauses(k *plan.Gate) bool { return g.waited>>k.PatienceBits != 0 }

// pauseEnd is the wait, in cycles, with which a pause is over.
func pauseEnd(k *plan.Gate) uint32 { return 1<<k.PatienceBits + 1<<k.PauseBits }

// silence is how many cycles of a silence must have passed so that one more
// refills the balance and lowers the level.
func (g *gate) silence(k *plan.Gate) uint32 {
	return 1 << k.SilenceBits << (int(g.level) * k.ScaleBits)
}

// standstill is how many cycles of a standstill must have passed so that one more
// raises the level.
func (g *gate) standstill(k *plan.Gate) uint32 {
	return 1 << k.StandstillBits << (int(g.level) * k.ScaleBits)
}

// forgives tells whether the cycle leaves no debt.
func (g *gate) forgives() bool { return g.level == 0 && g.seen.quiet }

// step is the clock edge of a cycle in which the given outputs are blocked and
// the rest is as seen.
func (g *gate) step(k *plan.Gate, blocked uint32, now seen) {
	before := *g

	if before.seen.injected {
		g.balance -= int32(k.Cost)
	}
	if before.seen.delivered && before.balance < int32(k.Cap) {
		g.balance++
	}
	if before.forgives() {
		g.balance = max(g.balance, 0)
	}

	switch {
	case before.seen.calm && before.length == before.silence(k):
		g.length = 0
		g.lower()
		g.balance = int32(k.Cap)
	case before.still != 0 && before.length == before.standstill(k):
		g.length = 0
		if int(g.level) < k.TopLevel {
			g.level++
		}
	case before.still != 0 || before.seen.calm && blocked == 0:
		g.length++
	default:
		g.length = 0
	}

	g.still = blocked
	if before.still != 0 {
		g.still &= before.still
	}

	switch {
	case before.pauses(k):
		if g.waited++; g.waited == pauseEnd(k) {
			g.waited = 0
		}
	case before.seen.waits:
		g.waited++
	default:
		g.waited = 0
	}

	g.seen = now
}

// lower lowers the level unless it is 0.
func (g *gate) lower() {
	if g.level > 0 {
		g.level--
	}
}

// skip is n clock edges at once, all of idle cycles.
func (g *gate) skip(k *plan.Gate, n int) {
	if n <= 0 {
		return
	}
	g.step(k, 0, idle) // acts upon the cycle before
	n--

	if n > 0 && g.forgives() {
		g.balance = max(g.balance, 0)
	}
	if g.pauses(k) && n < int(pauseEnd(k)-g.waited) {
		g.waited += uint32(n)
	} else if n > 0 {
		g.waited = 0
	}
	// silences end, at every level above 0 at most one
	for left := int(g.silence(k) - g.length); n > left; left = int(g.silence(k)) {
		n -= left + 1
		g.length = 0
		g.balance = int32(k.Cap)
		if g.level == 0 {
			n %= int(g.silence(k)) + 1
		}
		g.lower()
	}
	g.length += uint32(n)
}
