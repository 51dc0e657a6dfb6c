// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// slots brings the slots of a ring port into situations that random scenes hardly
// meet. Others are ready, so every message is taken in the cycle in which it comes. The
// gate must be open.
func (b *script) slots(ring int) {
	p := b.plan
	if !enteredAtAll(p, ring) {
		return
	}
	goesOn := func(at int) {
		f, _ := feedOf(p, ring)
		b.note(act{kind: actFeed, stream: f.input, wc: f.wc, from: at, to: at + 1})
	}
	malformed := func(at int) {
		f, _ := feedOf(p, ring)
		b.note(act{kind: actMisfit, stream: f.input, wc: f.wc, from: at, to: at + 1})
	}

	// One continues and one enters, and both wait. The first one goes, and then a
	// malformed message holds up the second.
	at := b.time + margin
	b.enter(ring, at)
	b.block(ring, at+1, at+2)
	goesOn(at + 1)
	b.enter(ring, at+1)
	malformed(at + 3)

	// One enters while one waits to continue.
	at += 2 * margin
	goesOn(at)
	b.block(ring, at+1, at+2)
	goesOn(at + 1)
	b.enter(ring, at+2)

	// One enters while a malformed message asks to continue.
	at += 2 * margin
	malformed(at)
	b.enter(ring, at)
	b.end(at + 2*margin)
}

// enter lets a message enter a ring port: by the local input only if it cannot come
// from a link.
func (b *script) enter(ring, at int) {
	q := &b.plan.Ports[ring]
	sources := b.plan.Dims[q.Dimension-1].Sources
	switch {
	case len(q.TransferFrom) > 0:
		b.note(act{kind: actFeed, stream: q.TransferFrom[0], wc: 2, from: at, to: at + 1})
	case len(sources) > 0:
		b.feed(sources[0], at, at+1)
	default:
		b.offer(at, at+1)
	}
}

// enteredAtAll tells whether any message enters a ring port.
func enteredAtAll(p *plan.Plan, ring int) bool {
	q := &p.Ports[ring]
	return q.First > 0 || len(q.TransferFrom) > 0
}
