// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// Drills of silences in doubt, which end a frame that is shorter than one before though the
// quota has grown since. At level 0.

// message lets a window of level 0 end that is not low by one message.
func (b *script) message() {
	b.settle()
	b.end(b.deliver(b.toWindow(int(b.gate().low(&b.plan.Gate)))()))
	b.next()
}

// falseSilences shows that a window that is not low, for whatever reason, tells that the silence before it was
// false, if that has ended a shorter frame; by which numbers frames are compared; and that the quota grows after a second
// shorter frame, with which the next ones are compared.
func (b *script) falseSilences() {
	if !longReachable(b.plan) { // then there has been one
		return
	}
	if b.gate().grown == 0 {
		b.frame(mediumFrame)
	}
	b.shorter(0, b.message) // the quota begins anew
	b.compare(0, b.message)
	b.compare(1, b.message)
	b.compare(2, func() { b.hold(b.plan.Degree) })
	if comparable(b.plan) {
		b.frameUpTo(mediumFrame)
		for range 2 { // frames; the second has no messages
			for !b.gate().armed {
				b.next()
			}
			b.next()
		}
		b.probe()
		b.shorter(0, b.message)
		b.frame(mediumFrame)
		b.frame(mediumFrame - 1)
		b.frame(mediumFrame - 1)
		b.frame(mediumFrame/2 - 1)
		b.shorter(0, b.message)
	}
	b.compare(3, func() { b.stand(b.plan.Degree); b.next() })
}

// comparable tells whether frames of few hundreds of messages are in reach with quotas of as many injections.
func comparable(p *plan.Plan) bool {
	return longReachable(p) && costReachable(p) && p.Gate.Cost > 2
}

// comparableBy tells whether a frame of one message less than that number can be shorter: the frame before it,
// in which the level falls, has a few more messages than are needed for that.
func comparableBy(p *plan.Plan, number int) bool {
	return comparable(p) && manyAtOne<<p.Gate.ScaleBits+2*p.Gate.Cost+8*margin < 2*int(frameLengths[number])
}

// compare shows that a frame of one message less than that number is shorter than one of as many, after
// which the quota does not grow, and the silence is false after the first or the second.
func (b *script) compare(number int, disturb func()) {
	if !comparableBy(b.plan, number) {
		return
	}
	length := int(frameLengths[number])
	b.frame(length)
	if number == len(frameLengths)-1 {
		b.frame(length) // is not shorter
	}
	if number%2 == 0 {
		b.frame(length - 1)
	}
	b.shorter(length-1, disturb)
}

// shorter lets a frame of so many messages end and, if it is shorter, shows that the silence was false.
func (b *script) shorter(messages int, disturb func()) {
	b.avoid(b.toFrame(messages))
	b.hearFrame(messages)
	for !b.gate().armed {
		b.next()
	}
	if !b.gate().shorter {
		b.next()
		b.probe()
		return
	}
	if disturb(); b.gate().slow { // the next window would be, too, with any message
		b.next()
	} else { // it is not to be low
		b.end(b.row(b.soon(), 1, 1, b.deliveries) + 2)
	}
	b.closed()
	b.raised()
	b.descend() // from 2, if what was on offer has come in two windows, with few messages in each
	b.silence()
}

// fallNotPast shows that as many messages as lower level 1 do not where an output has stood still.
func (b *script) fallNotPast() {
	b.climb()
	b.busy()
	at := ending(plan.StandstillBits, b.soon()+margin)
	end := b.window()
	b.feed(0, b.soon(), end-margin)
	b.block(b.plan.Degree, at, at+1<<plan.StandstillBits)
	b.end(end + 1)
	b.debt()
	b.raised()
	b.fall()
	b.silence()
}
