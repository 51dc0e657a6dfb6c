// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// Drills of what the options bring: several deliveries in a cycle, delivery queues and queues
// of link inputs, one by one.

// burst lets so many link inputs, from one of them on, bring a delivery each in one cycle.
func (b *script) burst(n, first, at int) {
	for i := range n {
		input := (first + i) % b.plan.Degree
		b.feed(input, at, at+1)
	}
}

// spacing is how many cycles the copies of a burst take, and the deliveries. Above level 0 it is so
// many that the level does not fall.
func (b *script) spacing() int {
	cycles := len(b.plan.Dims[0].Sources) + 2
	if b.gate().level > 0 {
		cycles = max(cycles, b.plan.Degree+2)
	}
	return cycles
}

// bursts delivers so many messages: as many in a cycle as there are links, one less, and so
// on down to two, again and again.
func (b *script) bursts(n int) {
	at := b.soon()
	for i := 0; n > 0; i++ {
		some := min(n, b.plan.Degree-i%(b.plan.Degree-1))
		b.burst(some, 0, at)
		n -= some
		at += b.spacing()
	}
	b.end(at + 2)
}

// undisturbing is the number of link inputs, the first ones, whose messages are only
// delivered, so that an injection can be made meanwhile: those of dimension 1.
func undisturbing(p *plan.Plan) int { return p.Degree - len(p.Dims[0].Sources) }

// together lets the gate hear several deliveries in a cycle, at level 1: there no frame ends
// meanwhile.
func (b *script) together() {
	p := b.plan
	if p.Deliveries == 1 || !costReachable(p) {
		return
	}
	for b.gate().grown > 3 { // the frame at an edge would be shorter
		b.silence()
	}
	b.renew(restartAbove / 4)
	if int(b.gate().frame) > mediumFrame/2 {
		b.renew(2 * firstQuota)
	}
	// a frame at an edge, in windows of which none is slow
	b.busy()
	b.deepen()
	b.bursts(b.toFrame(mediumFrame)())
	b.silence()
	// each number of them, at a closed gate; each link is one of them
	for n := 2; n <= p.Degree; n++ {
		if b.gate().slow { // or the level might rise
			b.busy()
		}
		b.deepen()
		b.burst(n, n, b.soon()+1)
		b.end(b.soon() + 1 + b.spacing() + margin)
		b.probe()
	}
	// and some in the cycle of an injection
	b.deepen()
	b.end(b.deliver(int(-b.gate().balance)) + margin) // which opens the gate
	at := b.soon() + 1
	b.burst(undisturbing(p), 0, at)
	b.offer(at+1, at+2)
	b.end(at + b.spacing() + margin)
	b.probe()
	b.busy()
}

// notLowTogether lets several deliveries in a cycle keep a window from being low.
func (b *script) notLowTogether() {
	if b.plan.Deliveries == 1 {
		return
	}
	low := int(b.gate().low(&b.plan.Gate))
	b.avoid(b.toWindow(low))
	b.settle()
	b.bursts(b.toWindow(low)())
	b.next()
	b.closed()
}

// fillDeliveries fills the delivery queue of one link after the other, or that of all with the
// messages of one link after the other, and reads it while the next message waits for it.
func (b *script) fillDeliveries() {
	p := b.plan
	for q := range p.Degree {
		local := p.Degree + q%p.Deliveries
		at := b.soon() + 1
		full := at + p.DeliveryDepth + 2 // and the next one waits
		b.feed(q, at, full+3)
		b.block(local, at, full)
		b.block(local, full+1, full+3)
		b.end(full + p.DeliveryDepth + margin)
	}
}

// fillInputs fills the queue of one link input after the other, with a malformed message
// behind another that waits: for its delivery, and for a ring port if it can go on.
func (b *script) fillInputs() {
	p := b.plan
	if p.Stages == 1 {
		return
	}
	for input := range p.Degree {
		b.fillInput(feed{input, 1}, p.Degree+input%p.Deliveries, p.DeliveryDepth)
	}
	for o, q := range p.Ports {
		if q.Ring {
			f, _ := feedOf(p, o)
			b.fillInput(f, o, 2) // those that enter have a slot of their own
		}
	}
}

// fillInput fills the queue of a link input by blocking an output that has room for so many
// of its messages.
func (b *script) fillInput(f feed, output, room int) {
	at := b.soon() + 1
	second := at + room + 1 // the one before it is at the head and waits
	b.note(act{kind: actFeed, stream: f.input, wc: f.wc, from: at, to: second})
	b.note(act{kind: actMisfit, stream: f.input, wc: f.wc, from: second, to: second + 1})
	b.note(act{kind: actFeed, stream: f.input, wc: f.wc, from: second + 1, to: second + 2})
	b.block(output, at, second+3)
	b.end(second + 3 + room + margin)
}
