// SPDX-License-Identifier: Apache-2.0

package sim

// rise lets the level rise to level 1 at a cycle that ends a window, and leaves a debt:
// an output is blocked from the window before on.
func (b *script) rise(o, at int) {
	from := at - 1<<b.standstill(0)
	b.spend(from - 1)
	b.put(o, from-1)
	b.block(o, from, at)
	b.owe(o, from+2)
}

// rising is the time that a rise takes before its cycle.
func (b *script) rising() int { return 1<<b.standstill(0) + spending(b.plan) + 1 }

// almostHigher blocks an output for as long as the level does not rise above one: it
// rises to it when a window of that level ends.
func (b *script) almostHigher(level int) {
	o, window := entered(b.plan), 1<<b.standstill(level)
	at := ending(b.standstill(level), b.time+b.climbing(level))
	to := at + 2*window - 1
	b.climbBy(o, level, at)
	b.block(o, at, to)
	b.end(b.fall(level, to+margin))
}

// climb raises the level from 0, each time after the shortest time, and leaves a debt.
func (b *script) climb(level int) {
	at := ending(b.standstill(level-1), b.time+b.climbing(level))
	b.climbBy(b.plan.Degree, level, at)
	b.end(at + margin)
}

// climbing is the time that a climb takes before its last cycle.
func (b *script) climbing(level int) int {
	cycles := b.rising()
	for level--; level > 0; level-- {
		cycles += 1<<b.standstill(level) + 1<<b.standstill(level-1)
	}
	return cycles
}

// climbBy is a climb by an output, whose last cycle ends a window of the level below.
func (b *script) climbBy(o, level, at int) {
	first := at
	for level--; level > 0; level-- {
		// it rises when the last window but one of the level below ends before that
		// of this level begins
		first -= 1<<b.standstill(level) + 1<<b.standstill(level-1)
	}
	b.rise(o, first)
	b.block(o, first, at)
}

// levels raises the level to the top, stays blocked there until another standstill,
// and brings the level down by silences, each as short as it may be, and before it the
// longest time without one.
func (b *script) levels() {
	o, top := entered(b.plan), b.plan.Gate.TopLevel
	window, still := 1<<b.silence(top), 1<<b.standstill(top)
	climb := 1<<b.standstill(top-1) + 2*still // its last cycle is so long before the calm
	at := ending(b.silence(top), b.time+b.climbing(top)+climb)
	b.climbBy(o, top, at-climb)
	b.block(o, at-climb+1, at-still) // by the next message
	b.disturb(at - 1)
	at += 2 * window
	b.disturb(at - 2)
	for level := top; level > 0; level-- {
		end := at + 1<<b.silence(level)
		b.disturb(end - 1)
		b.offer(end-show, end+1)
		if level == 1 {
			b.offer(end+1, end+3)
			b.end(end + 3 + margin)
			return
		}
		at = b.shut(end + 1)
		if level-1 == 1 {
			b.offer(end+1, at) // the last one waits
		}
		at = ending(b.silence(level-1), at)
		b.disturb(at - 1)
		at += 2 << b.silence(level-1)
		b.disturb(at - 2)
	}
}

// sink raises the level to 2. Then nothing happens until the silences of all levels
// are over, each beginning with the end of the one before. (From the top level that
// would take long.)
func (b *script) sink() {
	const level = 2
	at := ending(b.silence(level), b.time+b.climbing(level)+1<<b.standstill(1))
	b.climbBy(b.plan.Degree, level, at-1<<b.standstill(1))
	b.end(b.fall(level, at-margin))
}
