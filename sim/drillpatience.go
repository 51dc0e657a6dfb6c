// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// settle waits until silences have lowered the level to 0, whatever it is and
// whatever is left on offer.
func (b *script) settle() {
	at := b.time + margin
	for level := b.plan.Gate.TopLevel; level >= 0; level-- {
		// what was on offer may go at the end of the first one
		at = ending(b.silence(level), at) + 1<<b.silence(level) + margin
	}
	b.end(at + margin)
}

// pauses blocks an output that has no room for a message of the local input, which
// waits. They leave the top level and a debt.
func (b *script) pauses() {
	p, o := b.plan, entered(b.plan)
	bits := p.Gate.PatienceBits
	patience, pause := 1<<bits, 1<<p.Gate.PauseBits
	paid := 2*p.Gate.Cost + 2*margin // cycles of deliveries that open the gate
	later := func(from int) int { return ending(bits, from) }

	// nothing on offer for as long: no pause
	at := later(b.time + 2*patience)
	b.feed(0, at+1, at+4)

	// Two fill the output, the third waits in the shortest time for a pause.
	at = later(at + 1)
	filled := at - 2 // first cycle of the blocked output
	b.offer(filled-1, filled+2)
	at += patience
	b.block(o, filled, at-2)
	b.feed(0, at-6, at+pause+paid)
	moved := at - 1

	// From one cycle later on, so that there is no pause at first; then two.
	at = later(at + pause + paid + margin)
	b.offer(at, at+1)
	at += patience
	b.feed(0, at-4, at+pause+4)
	at += patience
	b.feed(0, at-6, at+1)
	b.disturb(at + 4)
	// the one that comes first goes first, although it was the last one served
	b.feed(0, at+7, at+8)
	b.feed(p.Degree-1, at+9, at+10)
	at += patience
	b.block(o, moved, at+3)
	moved = at + 4 // it gets in during the pause, which goes on
	b.feed(0, at-4, at+pause+paid)

	// One cycle too short at the end, although the next one waits at once.
	at = later(at + pause + paid + margin)
	b.feed(0, at-2, at+4)
	at = later(at + 1 + margin)
	b.offer(at-1, at)
	at += patience
	b.block(o, moved, at-3)
	b.offer(at-2, at)
	b.block(o, at-2, at+pause+margin)
	b.feed(0, at-4, at+pause+margin)

	// A message waits for as long at a closed gate: no pause.
	closed := b.shut(at + pause + 3*margin)
	at = later(closed+1) + patience
	b.offer(closed, closed+1)
	for i := closed + 1<<b.silence(1); i < at; i += 1 << b.silence(1) {
		b.disturb(i) // no silence opens it
	}
	b.feed(0, at+1, at+pause)
	at = b.pay(at + 1)
	b.end(b.shut(at + pause))
}

// pauseAtLevel0 lets the local input wait for a ring port on which messages go on
// without end, until delivery pauses and they cannot leave their input. No output is
// blocked.
func (b *script) pauseAtLevel0() {
	p := b.plan
	ring := ringEntered(p)
	if ring < 0 {
		return
	}
	f := feedOf(p, ring)
	at := ending(p.Gate.PatienceBits, b.time+spending(p)+2*margin)
	end := at + 1<<p.Gate.PatienceBits + 1<<p.Gate.PauseBits + margin
	b.spend(at - margin)
	b.note(act{kind: actFeed, stream: f.input, wc: f.wc, from: at - margin, to: end})
	b.block(ring, at-6, at-1) // the queue is full, and then never has two free slots
	b.offer(at-1, at)
	b.end(end + 2*margin)
}

// ringEntered is a ring port that the local input feeds, -1 if there is none.
func ringEntered(p *plan.Plan) int {
	for o, q := range p.Ports {
		if q.Ring && q.First > 0 {
			return o
		}
	}
	return -1
}
