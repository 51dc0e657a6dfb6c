// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// gate is the self-clocked injection gate of a router.
type gate struct {
	balance int32  // -Cost..Cap; the gate is open if it is not negative
	hold    uint32 // the hold count h in epochs; calm cycles refill the balance only if it is 0
	phase   uint32 // cycles of the current epoch that are over, 0..2^EpochBits - 1
	stuck   uint32 // outputs that were valid and not ready in all of them; meaningless if phase is 0
}

// localOutput is the bit of the local output in a mask of outputs; bit p stands
// for link output p.
const localOutput uint32 = 1 << maxDegree

// open tells whether the local input may ask.
func (g *gate) open() bool { return g.balance >= 0 }

// watch returns the outputs that are stuck so far if those given are valid and
// not ready in this cycle, and whether this cycle is the last of its epoch.
func (g *gate) watch(k *plan.Gate, blocked uint32) (stuck uint32, last bool) {
	if g.phase > 0 {
		blocked &= g.stuck
	}
	return blocked, g.phase == 1<<k.EpochBits-1
}

// step is the clock edge of a cycle: calm or not, with the given outputs valid
// and not ready, and in which the local input and the local output completed a
// handshake or not.
func (g *gate) step(k *plan.Gate, calm bool, blocked uint32, injected, delivered bool) {
	before := g.balance
	if calm && g.hold == 0 {
		g.balance = int32(k.Cap)
	} else {
		if injected {
			g.balance -= int32(k.Cost)
		}
		if delivered && before < int32(k.Cap) {
			g.balance++
		}
	}
	stuck, last := g.watch(k, blocked)
	g.stuck = stuck
	g.phase++
	if !last {
		return
	}
	g.phase = 0
	switch {
	case stuck != 0:
		g.hold = 1<<k.HoldBits - 1
	case g.hold > 0:
		g.hold--
	}
}

// skip is n clock edges at once, all of calm cycles without a handshake.
func (g *gate) skip(k *plan.Gate, n int) {
	if n <= 0 {
		return
	}
	// the hold count reaches 0 at the end of the epoch hold epochs from now
	if n > int(g.hold)<<k.EpochBits-int(g.phase) || g.hold == 0 {
		g.balance = int32(k.Cap)
	}
	passed := int(g.phase) + n
	g.hold -= uint32(min(passed>>k.EpochBits, int(g.hold)))
	g.phase = uint32(passed & (1<<k.EpochBits - 1))
	g.stuck = 0
}
