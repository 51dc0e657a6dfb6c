// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// The steps that drills are made of.

const margin = 8 // for what takes a few cycles

// debt injects until the gate is closed for good, if it is open.
func (b *script) debt() {
	if b.gate().armed && b.gate().shorter {
		b.next() // or the silence would be false
	}
	if n := b.affordable(b.gate().balance); n > 0 {
		b.end(b.spread(b.time, n+1, 2, b.offer) + 3) // the last one goes before the one before it is paid
	}
}

// affordable is how many injections a balance lets through if each is paid before the
// next.
func (b *script) affordable(balance int64) int {
	if balance < 0 {
		return 0
	}
	return int(balance)/b.plan.Gate.Cost + 1
}

// hear lets the gate hear so many messages: deliveries, and at the end as many injections
// as leave a debt, all by row or spread.
func (b *script) hear(n int, note func(at, n, last int, note func(from, to int)) int) {
	b.end(b.time + 2 - b.lag()) // what has been heard is counted before more is
	g := b.gate()
	sends := 0
	for i := range n + 1 {
		earned := min(int64(n-i), max(savedQuotas*g.quota+1-g.balance, 0)) // the limit acts one cycle late
		if k := b.affordable(g.balance + earned); i == k || k > 0 && i == k+1 {
			sends = i
			break
		}
	}
	at := note(b.soon(), n-sends, 1, b.deliveries) + 2 // the last delivery is paid
	b.end(note(at, sends, 2, b.offer) + 2)             // the last injection goes before the one before it is paid
}

// deliver delivers so many messages, and returns the cycle after the last has come in.
// Above level 0 it does not lower the level.
func (b *script) deliver(n int) int { return b.spread(b.soon(), n, 1, b.deliveries) }

// deliveries delivers a message in each of these cycles.
func (b *script) deliveries(from, to int) { b.feed(0, from, to) }

// row notes so many messages from a cycle on, one in each, and returns the cycle after the
// last.
func (b *script) row(at, n, _ int, note func(from, to int)) int {
	note(at, at+n)
	return at + n
}

// spread notes so many messages from a cycle on, one in a cycle, and returns the cycle after
// the last. Above level 0 it leaves out some cycles of each window, so that they do not
// lower the level; at the end at least so many follow each other.
func (b *script) spread(at, n, last int, note func(from, to int)) int {
	g := b.gate()
	heard := int(g.heard)
	for g.level > 0 && n > 0 {
		bits := g.window(&b.plan.Gate)
		end := ending(bits, at)
		room := end - at - margin/2
		if g.level == 1 { // what comes in the first part of a window is too little
			room -= 1<<bits - b.many()
			if b.plan.Deliveries > 1 { // in the cycles that have passed and those to come there may be several
				room = min(room, b.many()-heard-2*margin)
			}
		} else {
			room = min(room, b.many()-heard-margin)
		}
		some := min(n, max(room, 0))
		if n > some && n-some < last {
			some = max(n-last, 0)
		}
		note(at, at+some)
		if n -= some; n == 0 {
			return at + some
		}
		at, heard = end+1, 0
	}
	return b.row(at, n, last, note)
}

// settle waits until what has been heard is counted.
func (b *script) settle() { b.end(b.time + 2) }

// hearTo hears messages until so many have been in this window of the level.
func (b *script) hearTo(n int) {
	b.settle()
	b.hear(b.toWindow(n)(), b.row)
}

// hearFrame hears messages until so many have been in this frame.
func (b *script) hearFrame(n int) {
	b.settle()
	b.hear(b.toFrame(n)(), b.spread)
}

func (b *script) toWindow(n int) func() int {
	return func() int { return max(n-int(b.gate().heard), 0) }
}

func (b *script) toFrame(n int) func() int {
	return func() int { return max(n-int(b.gate().frame), 0) }
}

// probe shows what the balance is: it injects as many as it lets through and leaves one
// more on offer, which goes when deliveries have paid for it. If they cannot, nothing is
// left on offer. It waits no longer than it must: in a short window that would end a frame.
func (b *script) probe() {
	if !costReachable(b.plan) {
		b.debt()
		return
	}
	n := b.affordable(b.gate().balance)
	if n > 0 {
		n++ // the last one goes before the one before it is paid
	}
	b.end(b.spread(b.time, n+1, 3, b.offer) + margin/2)
	b.end(b.deliver(max(0, int(-b.gate().balance))) + margin/2)
}

// closed shows that nothing has filled the balance, by a message on offer. If deliveries
// cannot pay for it, it stays there until the next silence.
func (b *script) closed() {
	if costReachable(b.plan) {
		b.probe()
		return
	}
	b.offer(b.time, b.time+1)
	b.end(b.time + margin)
}

// stand lets an output stand still, for the shortest time, in the window that the drill
// begins in.
func (b *script) stand(outputs ...int) {
	at := ending(plan.StandstillBits, b.soon()+1)
	for _, o := range outputs {
		b.put(o, at-1)
		b.block(o, at, at+1<<plan.StandstillBits)
	}
	b.end(at + 1<<plan.StandstillBits + 1)
}

// next waits for the end of the window.
func (b *script) next() { b.end(b.window() + 1) }

// hold lets the window of level 0 end that is not low because an output is blocked in the
// cycle before; if it is too late for that, it just ends.
func (b *script) hold(output int) {
	end := b.window()
	if end-b.time < 2+b.lag() {
		b.next()
		return
	}
	b.put(output, end-2)
	b.block(output, end-1, end)
	b.end(end + 1)
}

// calm waits for the beginning of a window of level 0 in which a frame can end, and leaves a debt that a few deliveries do not pay.
func (b *script) calm() {
	b.descend()
	b.debt()
	for b.time%(1<<b.plan.Gate.WindowBits) != 0 || b.gate().armed || b.gate().filled {
		switch left := b.window() - b.time; {
		case b.gate().armed && b.gate().shorter: // what disarmed it would raise the level
			b.spendInDoubt()
		case b.gate().armed && left > 2<<plan.StandstillBits:
			b.stand(b.plan.Degree)
			b.next()
		case left >= 2+b.lag():
			b.hold(b.plan.Degree)
		default:
			b.next()
		}
	}
	b.deepen()
}

// fresh is calm right at the beginning of a window, if the debt is deep enough.
func (b *script) fresh() {
	b.calm()
	for tries := 0; tries < 2 && b.time%(1<<b.plan.Gate.WindowBits) > margin/2; tries++ {
		b.hold(b.plan.Degree)
		b.calm()
	}
}

// deepen leaves a debt that a few deliveries do not pay.
func (b *script) deepen() {
	b.settle()
	owed := int(-b.gate().balance)
	if owed >= 3 || owed >= 2*b.plan.Gate.Cost {
		return
	}
	if owed > 0 {
		b.feed(0, b.soon(), b.soon()+owed)
		b.end(b.soon() + owed + 3)
	}
	b.debt()
}

// avoid is calm with another debt than one that so many messages pay: no number of
// injections among them leaves one.
func (b *script) avoid(messages func() int) {
	b.fresh()
	for messages() == int(-b.gate().balance) {
		b.hold(b.plan.Degree)
		b.fresh()
		if n := messages(); n == int(-b.gate().balance) { // each that comes pays one
			b.end(b.deliver(max(n-2, 0)) + margin/2)
			b.fresh()
		}
	}
}

// earn leaves a balance of 0 at the beginning of a window of level 0.
func (b *script) earn() {
	b.calm()
	last := b.soon() + int(-b.gate().balance) - 1
	b.feed(0, b.soon(), last)
	end := ending(b.plan.Gate.WindowBits, last+margin)
	b.put(b.plan.Degree, end-2) // is delivered after it has been blocked
	b.block(b.plan.Degree, end-1, end)
	b.end(end + 1)
}

// ready leaves a debt at the beginning of a window, or a balance that a message pays which
// only the local input can put to the output.
func (b *script) ready(output int) {
	if _, ok := feedOf(b.plan, output); ok {
		b.fresh()
	} else {
		b.earn()
	}
}

// fill lets a frame end with a low window, and the one after it fill the balance, for a
// message on offer.
func (b *script) fill() {
	for !b.gate().armed {
		b.next()
	}
	end := b.window()
	at := max(end-3, b.time)
	b.offer(at, at+1)
	b.end(end + margin/2)
}

// silence fills the balance and shows what it is.
func (b *script) silence() {
	b.fill()
	b.probe()
}

// frame is a frame of so many messages, if there have not been more, at level 0.
func (b *script) frame(messages int) {
	b.avoid(b.toFrame(messages))
	b.hearFrame(messages)
	b.silence()
}

// forget ends frames of few messages until those that follow are compared with none. A quota of
// more has to begin anew for that.
func (b *script) forget() {
	for b.gate().grown > 0 {
		if 2*b.affordable(b.gate().quota) >= int(frameLengths[0]) {
			b.shorter(0, b.message)
			return
		}
		for !b.gate().armed {
			b.next()
		}
		b.next()
		b.debt()
	}
}

// grow lets short frames end until one has filled the balance by so large a quota, or the
// largest.
func (b *script) grow(quota int64) {
	for b.gate().balance < min(quota, 1<<b.plan.Gate.QuotaBits)-1 {
		b.next()
	}
}

// frameUpTo hears messages until so many have been in the frame, which goes on.
func (b *script) frameUpTo(messages int) {
	b.avoid(b.toFrame(messages))
	b.hearFrame(messages)
}

// standAfter lets a window after a low one end in which so many messages are delivered, and
// then the delivery stands still.
func (b *script) standAfter(messages int) {
	for b.settle(); !b.arms(); b.settle() {
		b.next()
	}
	b.standNext(messages)
}

// standNext is that in the window of level 0 after this one, whatever this one is. The first
// message comes in the last cycle of this one, in which it does not count: so enough of them fit
// into the shortest windows.
func (b *script) standNext(messages int) {
	last := b.window()
	end, stands := last+1<<b.plan.Gate.WindowBits, 1<<plan.StandstillBits
	b.feed(0, last-1, last-1+messages)
	b.put(b.plan.Degree, end-stands-1)
	b.block(b.plan.Degree, end-stands, end)
	b.end(end + 1)
}

// arms tells whether the window of level 0 ends low if nothing happens but in its last cycles,
// and there is time to bring that about.
func (b *script) arms() bool {
	g := b.gate()
	return !g.armed && !g.filled && !g.stood && g.still == 0 && g.heard < g.low(&b.plan.Gate) && b.soon() < b.window()
}

// arm waits for a low window after which another one may follow that is not: one that ends a frame
// which is not shorter.
func (b *script) arm() {
	for !b.gate().armed || b.gate().shorter {
		b.spendInDoubt()
		b.lengthen()
		b.debt()
		b.next()
	}
}

// lengthen delivers messages until the frame would not be shorter.
func (b *script) lengthen() {
	if b.gate().grown > 0 {
		b.settle()
		b.end(b.deliver(b.missing()) + margin/2)
	}
}

// missing is how many messages the frame has too few not to be shorter.
func (b *script) missing() int {
	g := b.gate()
	if g.grown == 0 {
		return 0
	}
	return b.toFrame(int(frameLengths[g.grown-1]))()
}

// spendInDoubt tells whether the last window was low and ended a shorter frame, so that what kept the next one from being
// low would raise the level. Then it lets that one fill the balance, and spends it.
func (b *script) spendInDoubt() bool {
	if !b.gate().armed || !b.gate().shorter {
		return false
	}
	b.next()
	b.debt()
	return true
}
