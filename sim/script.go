// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"

	"github.com/hcgen/hcgen/gen/plan"
)

// script writes a program. All its times are cycles of the trace, which begins at
// the reset like the windows of the gate, so that a drill can meet their ends. A
// drill notes what is to happen when and then ends; the next one begins there.
type script struct {
	plan    *plan.Plan
	program []segment
	time    int   // first cycle after the program so far
	acts    []act // of the drill being written
	lines   int   // of the trace that the drills make, about
}

// act is something that happens in every cycle of a time.
type act struct {
	kind     actKind
	stream   int    // output or link input
	wc       uint32 // of the messages of an input
	least    int32  // balance from which the local input offers
	from, to int
}

type actKind uint8

const (
	actOffer   actKind = iota // the local input offers a message if it has none
	actBlock                  // an output is not ready
	actFeed                   // a link input sends well-formed messages of a weight,
	actPay                    // while the local input waits
	actDisturb                // a link input sends malformed messages
)

// act does what an act says in this cycle.
func (s *stimulus) act(a *act) {
	switch a.kind {
	case actOffer:
		if s.gate.balance >= a.least {
			s.rate[s.plan.Degree] = 1
		}
	case actBlock:
		s.manner[a.stream] = blocked
	case actPay, actFeed:
		if a.kind == actFeed || s.in.LocalValid {
			s.rate[a.stream], s.weight[a.stream] = 1, a.wc
		}
	case actDisturb:
		s.rate[a.stream], s.malformed = 1, 1
	}
}

// add adds a segment to the program.
func (b *script) add(s segment) {
	b.program = append(b.program, s)
	b.time += s.cycles
}

// end ends the drill in front of a cycle. It panics if the drill is timed into the past,
// also by one of its acts.
func (b *script) end(at int) {
	if at < b.time {
		panic(fmt.Sprintf("sim: a drill that begins in cycle %d ends in %d", b.time, at))
	}
	for _, a := range b.acts {
		if a.from < b.time {
			panic(fmt.Sprintf("sim: a drill that begins in cycle %d acts in %d", b.time, a.from))
		}
	}
	b.add(segment{kind: drill, cycles: at - b.time, acts: b.acts})
	b.acts = nil
}

func (b *script) note(a act) {
	if a.to > a.from {
		b.acts = append(b.acts, a)
		b.lines += a.to - a.from
	}
}

// ending is the first cycle from some cycle on that ends a window of 2^bits cycles.
func ending(bits, from int) int { return from | (1<<bits - 1) }

// offer lets the local input offer messages from a cycle on and before another.
func (b *script) offer(from, to int) {
	b.note(act{kind: actOffer, least: math.MinInt32, from: from, to: to})
}

// shut offers messages as long as the gate is open, so that it closes and none is
// left on offer, unless the debt is forgiven.
func (b *script) shut(from int) int {
	to := from + burst(b.plan) + 2
	b.note(act{kind: actOffer, from: from, to: to})
	return to + margin
}

// spend leaves a balance of 0 and an idle router in front of a cycle, at level 0.
func (b *script) spend(before int) {
	from := before - spending(b.plan)
	b.note(act{kind: actOffer, least: 1, from: from, to: before - margin})
	for at := from; at < before; at += 1<<b.silence(0) - 1 {
		b.disturb(at) // no silence refills it again
	}
}

// spending is how long a spending takes, in cycles.
func spending(p *plan.Plan) int { return burst(p) + 4 + margin }

// block makes the receiver of an output not ready.
func (b *script) block(output, from, to int) {
	b.note(act{kind: actBlock, stream: output, from: from, to: to})
}

// feed lets a link input send messages that are delivered and do not go on in
// their dimension.
func (b *script) feed(input, from, to int) {
	b.note(act{kind: actFeed, stream: input, wc: 1, from: from, to: to})
}

// pay delivers messages while the local input waits, for at most so long that the
// gate opens.
func (b *script) pay(from int) int {
	to := from + 2*b.plan.Gate.Cost + margin
	b.note(act{kind: actPay, wc: 1, from: from, to: to})
	return to + margin
}

// disturb makes one cycle not calm: a malformed message comes in and is dropped.
func (b *script) disturb(at int) {
	b.note(act{kind: actDisturb, from: at, to: at + 1})
}

// put sends one message to an output, which is valid in the next cycle: by a link
// input if the local input does not feed it.
func (b *script) put(output, at int) {
	if fedByLink(b.plan, output) {
		f := feedOf(b.plan, output)
		b.note(act{kind: actFeed, stream: f.input, wc: f.wc, from: at, to: at + 1})
		return
	}
	b.offer(at, at+1)
}

// stir keeps the router from being quiet without a standstill: messages are on the
// local output, which moves only at the ends of windows.
func (b *script) stir(from, to int) {
	b.feed(0, from-1, to-2)
	for from < to {
		end := min(to, ending(b.plan.Gate.StandstillBits, from))
		b.block(b.plan.Degree, from, end)
		from = end + 1
	}
}

// feed says what a link input sends.
type feed struct {
	input int
	wc    uint32
}

// feedOf returns what brings messages to a ring port or the local output from a link
// input.
func feedOf(p *plan.Plan, output int) feed {
	if output == p.Degree {
		return feed{0, 1} // of dimension 1: it is delivered and goes nowhere else
	}
	return feed{p.Ports[output].ContinueFrom, 2}
}

// fedByLink tells whether the local input does not feed an output that the gate
// watches: the local one, or a ring port that no message enters.
func fedByLink(p *plan.Plan, output int) bool {
	return output == p.Degree || p.Ports[output].First == 0
}

// watched are the outputs that the gate watches.
func watched(p *plan.Plan) (outputs []int) {
	for o, q := range p.Ports {
		if q.Depth > 0 {
			outputs = append(outputs, o)
		}
	}
	return append(outputs, p.Degree)
}

// entered is an output that the local input feeds, and no link input of weight 1.
func entered(p *plan.Plan) int {
	ports := p.Dims[len(p.Dims)-1].Entered
	return ports[len(ports)-1]
}

// burst is the largest number of injections that follow each other when nothing is
// forgiven: the last one is made before the one before it is paid.
func burst(p *plan.Plan) int { return p.Gate.Cap/p.Gate.Cost + 2 }
