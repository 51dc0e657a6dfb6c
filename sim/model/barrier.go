// SPDX-License-Identifier: Apache-2.0

package model

import "github.com/hcgen/hcgen/plan"

const barrierPaceMask = 1<<plan.BarrierPaceBits - 1

// barrier is the barrier of a router (docs/barrier.md; with registers on links docs/links.md, "Barrier").
type barrier struct {
	// Registers.
	pace    uint8
	phase   int
	release bool
	wait    int // cycles until the clock may advance: 0 if the number of the cycle is a multiple of the period

	tick bool // wire of the cycle evaluated: pace and phase advance
}

// decide finds whether the barrier advances: the period has passed, it does not hold, and no neighbour is behind.
func (b *barrier) decide(x *rules, arrive bool, linkPace []uint8) {
	holds := b.phase == 0 && !(arrive && !b.release)
	b.tick = x.plan.Machine.Barrier && b.wait == 0 && !holds && !x.behind(linkPace, (b.pace-1)&barrierPaceMask)
}

// step is the clock edge.
func (b *barrier) step(x *rules) {
	if b.tick {
		b.pace = (b.pace + 1) & barrierPaceMask
		b.phase = (b.phase + 1) % (x.plan.Machine.Graph.Diameter() + 1)
	}
	b.release = b.tick && b.phase == 0
	if b.wait--; b.wait < 0 {
		b.wait = x.plan.BarrierPeriod() - 1
	}
}
