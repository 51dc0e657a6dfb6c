// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// climb raises the level from 0 to 1, by three windows with a standstill: what comes in the
// third would be low without it.
func (b *script) climb() {
	b.doubt()
	b.slowly()
}

// doubt lets two windows of level 0 be slow.
func (b *script) doubt() {
	b.beforeClimb()
	b.slowly()
	b.slowly()
}

// slowly lets a window of level 0 be slow.
func (b *script) slowly() {
	if b.window()-b.time > 3*margin { // in a short window there is no time for it
		b.deepen()
	}
	b.stand(b.plan.Degree)
	b.next()
}

// climbBarely raises it with as many messages in the second window as it can have, and in the third
// with as many as keep it from being low.
func (b *script) climbBarely() {
	b.beforeClimb()
	b.stand(b.plan.Degree)
	b.standNext(int(b.gate().few(&b.plan.Gate)) - 1)
	b.settle()
	b.end(b.deliver(b.toWindow(int(b.gate().low(&b.plan.Gate)))()))
	b.next()
}

// raised shows that nothing fills the balance in two windows of level 0, and lets a window end that is not low.
func (b *script) raised() {
	b.end(b.time + 2<<b.plan.Gate.WindowBits + 1)
	b.closed()
	if b.gate().armed {
		b.stand(b.plan.Degree)
		b.next()
	}
	b.busy()
}

// trust shows by another silence that level 0 stays if one follows two slow windows, whatever comes next.
func (b *script) trust() {
	for again := true; again; again = b.spendInDoubt() {
		b.doubt()
		b.next()
	}
	b.hold(b.plan.Degree)
	b.fill()
}

// crowd lets level 0 rise with a window after two slow ones that has as many messages as are few, and stay with one more,
// which the next silence shows.
func (b *script) crowd() {
	few := int(b.gate().few(&b.plan.Gate))
	b.doubtAnd(few - 1)
	b.raised()
	b.fall()
	b.doubtAnd(few)
}

// doubtAnd lets two windows of level 0 be slow, and hears so many messages in the third. The first one comes in the last
// cycle of the second, in which it does not count.
func (b *script) doubtAnd(messages int) {
	b.beforeClimb()
	b.slowly()
	b.stand(b.plan.Degree)
	last := b.window()
	b.feed(0, last-1, last-1+messages)
	b.end(last + 1<<b.plan.Gate.WindowBits + 1)
}

// beforeClimb waits until three windows of level 0 are left before one of level 1: the rest of
// one would be low.
func (b *script) beforeClimb() {
	k := &b.plan.Gate
	b.fresh()
	last := func() bool {
		return (b.time>>k.WindowBits+3)%(1<<(k.RaisedBits+plan.LevelBits-k.WindowBits)) == 0
	}
	for tries := 0; !last() || b.gate().slow; tries++ {
		b.hold(b.plan.Degree)
		// each of these pays a message of the debt; and not always the same number of windows passes
		if b.gate().balance > -3 || tries%8 == 7 {
			b.fresh()
		}
	}
}

// busy lets a window above level 0 end that is neither low nor slow.
func (b *script) busy() {
	b.deepen()
	if b.window()-b.time < b.scale(fewAbove)+2*margin { // what is left of the window is too short
		b.next()
	}
	n := b.toWindow(b.scale(fewAbove))()
	if n == int(-b.gate().balance) {
		n++
	}
	b.hear(n, b.row)
	b.next()
}

// pass stays above level 0 without a standstill until a window of the memory ends.
func (b *script) pass() {
	for end := ending(b.gate().memory(&b.plan.Gate), b.time); b.time <= end; {
		b.busy()
	}
}

// slow lets a window end that is slow without a standstill, by so many messages, or by
// others if these would leave no debt.
func (b *script) slow(messages, others int) {
	b.settle()
	n := b.toWindow(messages)()
	if n == int(-b.gate().balance) {
		n = b.toWindow(others)()
	}
	b.hear(n, b.row)
	b.next()
}

// rise raises the level without a standstill.
func (b *script) rise() {
	few := b.scale(fewAbove)
	if int(-b.gate().balance) == few { // one message less would leave what the others pay
		b.slow(2, 1)
	} else {
		b.slow(1, 2)
	}
	b.slow(few-1, few-2)
}

// riseOn raises the level again, right after another rise.
func (b *script) riseOn() { b.slow(1, 2) }

// quiet shows that nothing fills the balance in two windows of the level below, and then
// lowers the level.
func (b *script) quiet() {
	bits := b.gate().window(&b.plan.Gate) - plan.LevelBits
	if b.window()-b.time < 5<<bits/2 {
		b.busy()
	}
	b.end(ending(bits, b.time-1) + 2<<bits + 1)
	b.closed()
	b.fall()
}

// many is how many messages in a window lower the level.
func (b *script) many() int { return b.scale(int(many(b.gate().level, b.gate().stood))) }

// fall lowers the level by many messages.
func (b *script) fall() {
	b.hearTo(b.many())
	b.next()
}

// descend lowers it to 0.
func (b *script) descend() {
	for b.gate().level > 0 {
		b.fall()
	}
}

// nearlyFall hears one message too few for that.
func (b *script) nearlyFall() {
	if b.window()-b.time < b.many()+margin { // what is left of the window is too short
		b.busy()
	}
	b.hearTo(b.many() - 1)
	b.next()
}

// climbAndFall raises the level to 1 and lowers it again, as soon as there are enough
// messages. How long a silence takes shows the level.
func (b *script) climbAndFall() {
	b.climbBarely()
	b.nearlyFall()
	b.silence()
	b.busy()
	b.fall()
	b.silence()
}

// frameAbove is a frame of so many messages above level 0.
func (b *script) frameAbove(messages int) {
	b.debt()
	b.hearFrame(messages)
	b.silence()
}

// long ends a long frame at level 1, if one is in reach, so that the quota begins anew in
// this frame. In the next ones it does not.
func (b *script) long() {
	if longReachable(b.plan) {
		if costReachable(b.plan) {
			b.busy() // and owes: what is on offer in the next silence is not to tell that it was false
			b.silence()
			for b.gate().quota > 4*firstQuota { // so that less may be earned than the frame has
				if b.gate().late == 0 {
					b.frameAbove(restartAbove)
				} else {
					b.unfilled()
					b.busy() // or two windows would be slow
				}
			}
			b.longExact()
		} else {
			b.settle()
			b.end(b.deliver(longFrame-int(b.gate().frame)+margin) + margin)
			b.probe()
		}
	} else if costReachable(b.plan) {
		b.busy() // the window before may have been slow
		b.renew(2 * firstQuota)
		b.end(b.deliver(mediumFrame) + margin) // as much is earned as so small a quota allows
	}
	// without injections, which are heard too; the last balance tells all that the quota was
	for _, messages := range []int{0, shortFrame - 1, shortFrame} {
		b.settle()
		b.end(b.deliver(b.toFrame(messages)()) + margin/2)
		for !b.gate().armed {
			b.next()
		}
		b.next()
		b.next() // low, but ends no frame
	}
	b.probe()
}

// longExact ends a long frame, by the first message and in the first cycle that may, with a
// balance that becomes one less than a multiple of twice the cap: both bits around the cap
// are lost or left. Later it would be more than that. In the same cycle an injection is
// paid.
func (b *script) longExact() {
	k := &b.plan.Gate
	twice := 2 << k.CapBits
	b.grow(int64(twice / 2))
	b.settle()
	limit := savedQuotas * int(b.gate().quota)
	b.end(b.deliver(min(limit, longFrame-int(b.gate().frame)-2*twice)) + margin)
	// it earns no more, but it is heard on; some injections are paid, and the rest is earned
	// last
	lost, rest := 0, 0
	for ok := false; !ok; {
		lost++
		left := int(b.gate().balance) - lost*k.Cost
		rest = twice + (twice-2-left)&(twice-1)
		ok = left+rest+k.Cost < limit
	}
	b.end(b.deliver(longFrame-int(b.gate().frame)-(lost-1)-rest) + margin)
	b.end(b.spread(b.time, lost-1, 2, b.offer) + 1 + margin)
	const last = 2 * margin // in one window
	b.end(b.deliver(rest-last) + margin)
	b.next()
	// all is counted in front of a multiple of 4 cycles, but for two deliveries and an
	// injection
	at := ending(plan.StandstillBits, b.time) + 3
	more := 2
	if k.Cost >= savedQuotas*firstQuota/2 {
		more += 3 // which are not earned any more
	}
	b.feed(0, at, at+last+more)
	b.offer(at+last+1, at+last+2)
	b.end(at + last + 2*margin)
	b.probe()
	// the frame is late, and one that would make the next one late
	b.end(b.deliver(max(b.toFrame(restartAbove)(), 2*savedQuotas*firstQuota)) + margin)
	b.probe()
}

// longDebt ends a long frame at level 1 with a debt, which stays.
func (b *script) longDebt() {
	b.frameAbove(mediumFrame) // after which those that follow would be shorter
	b.debt()
	b.hearFrame(longFrame)
	b.end(b.time + margin)
	b.probe()
	b.silence()
	b.silence()
}

// aboveFrames are frames above level 0 by which the quota grows, and by which it begins
// anew.
func (b *script) aboveFrames() {
	b.renew(restartAbove / 4)
	for int(b.gate().frame) > restartAbove*3/4 {
		b.silence()
	}
	b.frameAbove(restartAbove - 1)
	b.frameAbove(restartAbove)
	b.silence()
	b.silence()
}

// renew lets the quota begin anew, above level 0, if it is more than so many injections. None fills a
// balance meanwhile: that would be as many again.
func (b *script) renew(injections int) {
	for tries := 0; tries < 5 && (b.affordable(b.gate().quota) > injections || b.gate().late > 0); tries++ {
		if b.settle(); b.gate().late == 0 {
			b.end(b.deliver(max(b.toFrame(restartAbove)(), b.scale(fewAbove))) + margin/2)
		}
		b.unfilled()
		b.busy() // or two windows would be slow
	}
}

// forgotten waits for the end of a window of the memory that clears the level, and shows
// that it has.
func (b *script) forgotten() {
	if b.gate().level > 0 {
		b.pass()
	}
	b.silence()
}

// remembered waits for the end of a window of the memory in which there has been a
// standstill, if it has not been yet, and for a window to begin.
func (b *script) remembered() {
	if b.busy(); !b.gate().steady {
		b.pass()
	}
}

// lowLevels goes from level 1 to 3 and back, and forgets level 1.
func (b *script) lowLevels() {
	b.climb()
	b.raised()
	b.aboveFrames()
	b.remembered()
	b.rise()
	b.riseOn()
	b.nearlyFall()
	b.quiet()
	b.fill()
	b.debt()
	b.nearlyFall()
	b.fall()
	b.closed()
	if b.pending() { // it would be in each cycle of the memory
		b.silence()
	}
	b.nearlyStill()
	b.forgotten()
}

// highLevels goes from level 1 to 4 and back to 2, and forgets that.
func (b *script) highLevels() {
	b.climb()
	if longReachable(b.plan) {
		b.silence()
		b.longDebt()
	}
	b.remembered()
	b.rise()
	b.riseOn()
	b.riseOn()
	b.quiet()
	b.fall()
	b.forgotten()
}
