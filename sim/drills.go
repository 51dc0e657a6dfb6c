// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// Drills bring the gate to the edges of its rules. What they lead to is seen by the
// injections: a message on offer goes in the cycle in which the gate opens, and how many
// follow it tells the balance. Most begin with a debt, in the first cycle of a window of
// the level (calm).

// frames drills level 0. Where deliveries do not pay for injections, only a large quota
// shows by how many of them follow each other.
func (b *script) frames() {
	p := b.plan
	long, crowd := longReachable(p), mediumFrame
	b.silence()
	if !long { // while the quota is small
		b.mediumFrames(crowd)
		b.notLowTogether()
	}
	if costReachable(p) {
		b.asked() // while frames are short: it leaves silences that would end shorter ones
		if long {
			crowd = restartFrame - 1
		}
	} else {
		b.grow(int64(p.Gate.Cost) / 4)
		b.frame(shortFrame - 1)
		b.frameUpTo(shortFrame)
		b.fill()
		b.asked()
		if long {
			b.frame(restartFrame - 1)
		}
	}
	if !long { // those that follow are to be compared with none
		b.forget()
	}
	b.disarmed()
	b.shrunk()
	b.blockedBefore()
	b.notLow()
	if long {
		b.frameUpTo(restartFrame)
		b.unfilled()
		b.unfilled()
		b.silence() // by which the quota begins anew
		b.mediumFrames(crowd)
		b.notLowTogether()
	}
}

// mediumFrames lets frames end by which the quota grows little, at the edges of low
// windows and of those that fill the balance.
func (b *script) mediumFrames(crowd int) {
	b.frame(mediumFrame - 1) // first: it would be shorter
	if !longReachable(b.plan) {
		if lengthOf(b.gate().frame) >= b.gate().grown { // what the quota allows is as long
			b.frame(int(frameLengths[len(frameLengths)-1]))
		}
		b.shorter(0, b.message) // or the quota would get so large that the trace would, too
	}
	b.low()
	b.empty()
	b.crowded(crowd)
	b.silence()
}

// stoodOnce shows by a silence that a standstill is over with its window.
func (b *script) stoodOnce() {
	b.calm()
	b.stand(b.plan.Degree)
	b.next()
	b.silence()
}

// notSlow lets a window with a standstill and enough messages end that is not the second of two that
// raise the level, as the next silence shows.
func (b *script) notSlow() {
	b.calm()
	b.stand(b.plan.Degree)
	b.standNext(int(b.gate().few(&b.plan.Gate)))
	b.hold(b.plan.Degree)
}

// unstood lets windows of level 0 with few messages end without a standstill, of which none is slow, as the next
// silence shows.
func (b *script) unstood() {
	b.calm()
	for range 3 {
		b.hearTo(int(b.gate().low(&b.plan.Gate)))
		b.next()
	}
	b.silence()
}

// drilled are the outputs of which single ones can be blocked by drills.
func drilled(p *plan.Plan) (outputs []int) {
	for _, o := range watched(p) {
		if _, ok := feedOf(p, o); ok || costReachable(p) {
			outputs = append(outputs, o)
		}
	}
	return outputs
}

// blockable are the outputs of which single ones can be blocked where a window would be low:
// a window of 16 cycles is not with two messages, but one has to pay for one that the local
// input alone puts to the output.
func blockable(p *plan.Plan) (outputs []int) {
	for _, o := range drilled(p) {
		if _, ok := feedOf(p, o); ok || p.Gate.WindowBits > plan.LeastBits {
			outputs = append(outputs, o)
		}
	}
	return outputs
}

// blockedBefore lets windows end that are not low because a single output is blocked in
// the cycle before.
func (b *script) blockedBefore() {
	b.fresh()
	for _, o := range blockable(b.plan) {
		b.ready(o)
		b.hold(o)
	}
	b.calm()
	b.closed()
}

// disarmed lets windows end after low ones that do not fill the balance because a single
// output has stood still.
func (b *script) disarmed() {
	for _, o := range drilled(b.plan) {
		for again := true; again; again = b.spendInDoubt() {
			b.calm() // so that no frame ends meanwhile
			b.lengthen()
			b.ready(o)
			b.next()
		}
		b.stand(o)
		b.next()
	}
	b.calm()
	b.closed()
}

// asked lets a message ask that the balance allows, which is paid for others before there
// is room for it.
func (b *script) asked() {
	entered := b.plan.Dims[len(b.plan.Dims)-1].Entered
	output := entered[len(entered)-1]
	fill := 2 // of a ring port, and of most others
	if q := &b.plan.Ports[output]; !q.Ring {
		fill = q.Depth
	}
	if !costReachable(b.plan) && b.affordable(b.gate().balance) < fill {
		return
	}
	for b.affordable(b.gate().balance) < fill { // the queue is deep
		b.fill()
	}
	spare := b.affordable(b.gate().balance) - fill
	if b.missing() > spare { // what pays in the end would tell that a silence before it was false
		b.lengthen()
		spare = b.affordable(b.gate().balance) - fill
	}
	b.offer(b.time, b.time+spare)
	at := b.time + spare + margin
	b.offer(at, at+fill+1)
	b.block(output, at, at+fill+margin-2)
	b.end(at + fill + 2*margin - 2)
	b.probe()
}

// overfill fills balances of more bits than the largest quota has, where injections cost too
// much for that to happen in other drills.
func (b *script) overfill() {
	for range 2 {
		b.end(b.deliver(1) + margin)
		for !b.gate().armed {
			b.next()
		}
		b.next()
	}
}

// notLow lets a window end that is not low by one message.
func (b *script) notLow() {
	low := int(b.gate().low(&b.plan.Gate))
	if low == 2*b.plan.Gate.Cost {
		// There is no other debt. The window after one that fills balances ends no frame.
		for !b.gate().filled {
			b.next()
		}
		b.next()
	} else {
		b.avoid(b.toWindow(low))
	}
	b.hearTo(low)
	b.next()
}

// low lets a window end that is low by one message, with as much earned as a small quota
// allows: the balance that is filled has more bits than that.
func (b *script) low() {
	b.calm()
	messages := max(mediumFrame, 2*savedQuotas*int(min(b.gate().quota, 4*firstQuota)))
	b.end(b.deliver(min(messages, b.toFrame(restartAbove*3/4)())) + margin/2) // or the next frame would be shorter
	for b.time%(1<<b.plan.Gate.WindowBits) != 0 {
		b.hold(b.plan.Degree)
	}
	b.settle()
	b.end(b.deliver(b.toWindow(int(b.gate().low(&b.plan.Gate)) - 1)()))
	b.next()
	b.next()
	b.probe()
}

// empty lets a window end with a standstill and a message too few to fill the balance,
// after a low one.
func (b *script) empty() {
	stuck := int(b.gate().enough(&b.plan.Gate)) - 1
	b.frameUpTo(mediumFrame)
	b.lengthen()
	b.avoid(func() int { return stuck })
	b.standAfter(stuck)
	b.settle() // what has stood still is earned
	b.closed()
}

// crowded lets one end that has enough.
func (b *script) crowded(frame int) {
	enough := int(b.gate().enough(&b.plan.Gate))
	b.frameUpTo(frame)
	b.lengthen()
	b.standAfter(enough)
	b.probe()
}

// unfilled lets a frame end with a low window, and an output stand still in the one after it, so
// that it does not fill the balance.
func (b *script) unfilled() {
	b.arm()
	b.stand(b.plan.Degree)
	b.next()
}

// nearlyStill blocks an output for as long as it does not stand still, and then two outputs in
// turn, at level 1. If one had stood still, the memory would not clear the level.
func (b *script) nearlyStill() {
	const window = 1 << plan.StandstillBits
	local := b.plan.Degree
	b.busy() // the window has room for what follows, and for the messages that make it not slow
	b.deepen()
	// it is blocked in the cycle before a window begins, moves in the next one, and is blocked again
	at := ending(plan.StandstillBits, b.soon()+2)
	b.put(local, at-2)
	b.put(local, at)
	b.block(local, at-1, at)
	b.block(local, at+1, at+2*window-1)
	b.end(at + 2*window)
	if link := besides(b.plan); link >= 0 {
		same := local // where what is put to the link is delivered, too
		if f, _ := feedOf(b.plan, link); b.plan.Deliveries > 1 {
			same += f.input
		}
		at := ending(plan.StandstillBits, b.soon()+1)
		b.put(link, at-1)
		b.put(same, at)
		b.block(link, at, at+window-1)
		b.block(same, at+1, at+2*window-1)
		b.end(at + 2*window)
	}
	b.busy()
}

// shrunk lets two outputs be blocked in the window after a low one, of which one moves and the
// other stands still.
func (b *script) shrunk() {
	link, local := besides(b.plan), b.plan.Degree
	if link < 0 {
		return
	}
	b.calm()
	b.arm()
	at := ending(plan.StandstillBits, b.soon()+1)
	b.put(link, at-1)
	b.put(local, at-1)
	b.block(link, at, at+2)
	b.block(local, at, at+1<<plan.StandstillBits)
	b.next()
	b.closed()
}

// besides is a link output to which another link input than the first brings messages; -1
// if there is none.
func besides(p *plan.Plan) int {
	for o, q := range p.Ports {
		if f, ok := feedOf(p, o); ok && f.input > 0 && q.Depth > 0 {
			return o
		}
	}
	return -1
}
