// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// gate is the self-clocked injection gate of a router.
type gate struct {
	time    uint32 // t, cycles since reset, modulo a multiple of every window
	balance int32  // b, -2 Cost..Cap
	still   uint32 // S, outputs that have stood still since the last window's end
	level   uint8  // e, level of congestion, 0..TopLevel
	silent  bool   // calm since the last window's end
	steady  bool   // no standstill since the last window's end
	waited  bool   // the local input has waited since the last window's end
	pausing bool   // delivery pauses
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

// silence is the window, as a power of two of cycles, of which silences are at
// this level.
func (g *gate) silence(k *plan.Gate) int { return k.SilenceBits + int(g.level)*k.ScaleBits }

// standstill is the window, as a power of two of cycles, of which standstills are
// at this level.
func (g *gate) standstill(k *plan.Gate) int { return k.StandstillBits + int(g.level)*k.ScaleBits }

// memory is the window, as a power of two of cycles, of which the memory is at this
// level.
func (g *gate) memory(k *plan.Gate) int { return k.MemoryBits + int(g.level)*k.ScaleBits }

// left is how many cycles there are from this one to the one that ends a window
// of 2^bits cycles.
func (g *gate) left(bits int) uint32 { return ^g.time & (1<<uint(bits) - 1) }

// ends tells whether the cycle ends a window of 2^bits cycles.
func (g *gate) ends(bits int) bool { return g.left(bits) == 0 }

// step is the clock edge of a cycle in which the given outputs are blocked and
// the rest is as seen.
func (g *gate) step(k *plan.Gate, blocked uint32, now seen) {
	before := g.seen
	g.seen = now

	balance := g.balance
	if before.delivered && balance < int32(k.Cap) {
		balance++
	}
	if before.injected {
		balance -= int32(k.Cost)
	}
	if balance < 0 && before.quiet && g.level == 0 {
		balance = 0
	}
	g.balance = balance

	if g.ends(k.StandstillBits) { // the shortest window of all
		g.endWindow(k, blocked, before)
	} else {
		g.still &= blocked
		g.silent = g.silent && before.calm
		g.waited = g.waited && before.waits
	}
	g.time++
}

// endWindow is points 2 to 5 of the clock edge of a cycle that may end windows.
func (g *gate) endWindow(k *plan.Gate, blocked uint32, before seen) {
	// of the level at the start
	standstill, silence, memory := g.standstill(k), g.silence(k), g.memory(k)

	rises := false
	switch {
	case !g.ends(standstill):
		g.still &= blocked
	case g.still != 0:
		rises = true
		g.still = 0
	default:
		g.still = blocked
	}

	falls := false
	if g.ends(silence) {
		if g.silent {
			falls = true
			g.balance = int32(k.Cap)
		}
		g.silent = before.calm
	} else {
		g.silent = g.silent && before.calm
	}

	if g.level > 0 && g.ends(memory) {
		falls = falls || g.steady && !rises
		g.steady = true
	}
	if rises {
		g.steady = false
	}

	// nothing falls with a standstill: an output blocked two cycles before has ended the
	// silence
	switch {
	case rises:
		if int(g.level) < k.TopLevel {
			g.level++
		}
	case falls && g.level > 0:
		g.level--
	}

	if g.ends(k.PatienceBits) {
		g.pausing = g.waited
		g.waited = before.waits
	} else {
		g.waited = g.waited && before.waits
		g.pausing = g.pausing && !g.ends(k.PauseBits)
	}
}

// skip is n clock edges at once, all of idle cycles.
func (g *gate) skip(k *plan.Gate, n int) {
	// what the cycle before has left acts in the first; after the second nothing
	// is blocked and nothing waits
	for range min(n, 2) {
		g.step(k, 0, idle)
		n--
	}
	for n > 0 {
		// up to the next cycle that can end a silence or the memory; windows that do
		// not end do not matter but the pause
		rest := n
		switch {
		case g.level > 0:
			rest = int(min(g.left(g.silence(k)), g.left(g.memory(k))))
		case !g.silent || g.balance < int32(k.Cap):
			rest = int(g.left(g.silence(k)))
		}
		rest = min(rest, n)
		if rest > 0 && g.level == 0 {
			g.balance = max(g.balance, 0)
		}
		g.pausing = g.pausing && rest <= int(g.left(k.PauseBits))
		g.time += uint32(rest)
		if n -= rest; n > 0 {
			g.step(k, 0, idle)
			n--
		}
	}
}
