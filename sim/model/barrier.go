// SPDX-License-Identifier: Apache-2.0

package model

// barrier is the barrier of a router (docs/barrier.md).
type barrier struct {
	// Registers.
	pace    uint8
	phase   int
	release bool

	tick bool // wire of the cycle evaluated: pace and phase advance
}

// decide finds whether the barrier advances: it does not hold, and no neighbour is behind.
func (b *barrier) decide(x *rules, arrive bool, linkPace uint64) {
	holds := b.phase == 0 && !(arrive && !b.release)
	b.tick = x.plan.Machine.Barrier && !holds && !x.behind(b.pace, linkPace)
}

// step is the clock edge.
func (b *barrier) step(x *rules) {
	if b.tick {
		b.pace = (b.pace + 1) & paceMask
		b.phase = (b.phase + 1) % (x.plan.Machine.Graph.Diameter() + 1)
	}
	b.release = b.tick && b.phase == 0
}
