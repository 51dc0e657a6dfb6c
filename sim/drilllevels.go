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

// almostTop blocks an output for as long as the level does not rise above 1: it
// rises to 1 when a window of level 1 ends.
func (b *script) almostTop() {
	o, window := entered(b.plan), 1<<b.standstill(1)
	at := ending(b.standstill(1), b.time+b.rising())
	to := at + 2*window - 1
	b.rise(o, at)
	b.block(o, at, to)
	b.end(b.fall(1, to+margin))
}

// climb raises the level to 1 or 2, each after the shortest time, and leaves a debt.
// It returns the cycle in which the level has risen for the last time.
func (b *script) climb(level int) int {
	at := b.climbBy(b.plan.Degree, level, ending(b.standstill(1), b.time+b.climbing()))
	b.end(at + margin)
	return at
}

// climbing is the time that a climb takes, at most.
func (b *script) climbing() int { return b.rising() + 1<<b.standstill(0) + 1<<b.standstill(1) }

// climbBy is a climb by an output that ends with a window of level 1.
func (b *script) climbBy(o, level, at int) int {
	if level == 1 {
		b.rise(o, at)
		return at
	}
	window := at - 1<<b.standstill(1)
	b.rise(o, window-1<<b.standstill(0))
	b.block(o, window-1<<b.standstill(0), at)
	return at
}

// levels raises the level to the top, stays blocked there until another standstill,
// and brings the level down by silences, each as short as it may be. Before it the
// longest time without one, but for the top level only where the memory is out of
// reach, which has the same (keep).
func (b *script) levels() {
	p, o, top := b.plan, entered(b.plan), b.plan.Gate.TopLevel
	window, still := 1<<b.silence(top), 1<<b.standstill(top)
	climb := 1<<b.standstill(1) + 2*still // its last cycle is so long before the silence
	at := ending(b.silence(top), b.time+b.climbing()+climb)
	b.climbBy(o, top, at-climb)
	b.block(o, at-climb, at-still)
	if memoryReachable(p) {
		b.disturb(at - 2)
	} else {
		b.disturb(at - 1)
		at += 2 * window
		b.disturb(at - 2)
	}
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

// sink raises the level to the top. Then nothing happens until the silences of all
// levels are over, each beginning with the end of the one before.
func (b *script) sink() {
	top := b.plan.Gate.TopLevel
	at := ending(b.silence(top), b.time+b.climbing()+1<<b.standstill(1))
	b.climbBy(b.plan.Degree, top, at-1<<b.standstill(1))
	b.end(b.fall(top, at-margin))
}
