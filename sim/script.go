// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"github.com/hcgen/hcgen/gen/plan"
)

// script writes a program and runs it as it goes, so that a drill can begin with what the
// gate has come to. All its times are cycles of the trace, which begins at the reset like
// the windows of the gate. A drill notes what is to happen when and then ends; the next
// one begins there.
type script struct {
	plan    *plan.Plan
	run     *routerRun
	program []segment
	time    int   // first cycle after the program so far
	acts    []act // of the drill being written
	lines   int   // of the trace so far
}

// act is something that happens in every cycle of a time. Messages of link inputs have to
// be at the crossbar then.
type act struct {
	kind     actKind
	stream   int    // output or link input
	wc       uint32 // of the messages of an input
	from, to int
}

type actKind uint8

const (
	actOffer  actKind = iota // the local input offers a message if it has none
	actBlock                 // an output is not ready
	actFeed                  // a link input sends well-formed messages of a weight
	actMisfit                // or malformed ones, by their dimension
)

// act does what an act says in this cycle.
func (s *stimulus) act(a *act) {
	switch a.kind {
	case actOffer:
		s.rate[s.plan.Degree] = 1
	case actBlock:
		s.manner[a.stream] = blocked
	case actFeed:
		s.rate[a.stream], s.weight[a.stream] = 1, a.wc
	case actMisfit:
		s.rate[a.stream], s.weight[a.stream] = 1, a.wc
		s.misfits |= 1 << a.stream
	}
}

func newScript(p *plan.Plan) *script {
	// nothing of what a drill does is left to chance, so that any seed will do
	return &script{plan: p, run: runOf(p, 0, nil)}
}

// add adds a segment to the program without running it.
func (b *script) add(s segment) {
	b.program = append(b.program, s)
	b.time += s.cycles
}

// perform adds a segment and runs it.
func (b *script) perform(s segment) {
	b.add(s)
	b.run.stimulus.program = append(b.run.stimulus.program, s)
	for range s.cycles {
		b.run.evaluate()
		b.lines += b.run.lines()
		b.run.step()
	}
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
	acts := b.acts
	b.acts = nil
	b.perform(segment{kind: drill, cycles: at - b.time, acts: acts})
}

func (b *script) note(a act) {
	if a.kind == actFeed || a.kind == actMisfit {
		a.from, a.to = a.from-b.lag(), a.to-b.lag()
	}
	if a.to > a.from {
		b.acts = append(b.acts, a)
	}
}

// lag is how many cycles a message of a link takes to the crossbar.
func (b *script) lag() int { return b.plan.Stages - 1 }

// soon is the first cycle in which one that the drill sends can be there.
func (b *script) soon() int { return b.time + b.lag() }

// ending is the first cycle from some cycle on that ends a window of 2^bits cycles.
func ending(bits, from int) int { return from | (1<<bits - 1) }

// gate is the gate in front of the drill.
func (b *script) gate() *gate { return &b.run.router.gate }

// pending tells whether a message is on offer in front of the drill.
func (b *script) pending() bool { return b.run.stimulus.in.LocalValid }

// scale is a number of messages or cycles that grows with the windows of the machine.
func (b *script) scale(n int) int { return n << b.plan.Gate.ScaleBits }

// window is the cycle that ends the window of the level which the drill begins in.
func (b *script) window() int { return ending(b.gate().window(&b.plan.Gate), b.time) }

// offer lets the local input offer messages from a cycle on and before another.
func (b *script) offer(from, to int) {
	b.note(act{kind: actOffer, from: from, to: to})
}

// block makes the receiver of an output not ready.
func (b *script) block(output, from, to int) {
	b.note(act{kind: actBlock, stream: output, from: from, to: to})
}

// feed lets a link input send messages that are delivered and do not go on in
// their dimension.
func (b *script) feed(input, from, to int) {
	b.note(act{kind: actFeed, stream: input, wc: 1, from: from, to: to})
}

// put sends one message to an output, which is valid in the next cycle: by a link
// input if one can.
func (b *script) put(output, at int) {
	if f, ok := feedOf(b.plan, output); ok {
		b.note(act{kind: actFeed, stream: f.input, wc: f.wc, from: at, to: at + 1})
		return
	}
	b.offer(at, at+1)
}

// feed says what a link input sends.
type feed struct {
	input int
	wc    uint32
}

// feedOf returns what brings messages to an output from a link input, if anything does.
func feedOf(p *plan.Plan, output int) (feed, bool) {
	if output >= p.Degree {
		return feed{output - p.Degree, 1}, true // one of dimension 1 is delivered and goes nowhere else
	}
	switch q := &p.Ports[output]; {
	case q.Ring:
		return feed{q.ContinueFrom, 2}, true
	case len(p.Dims[q.Dimension-1].Sources) > 0:
		return feed{p.Dims[q.Dimension-1].Sources[0], 1}, true
	}
	return feed{}, false
}

// watched are the outputs that the gate watches.
func watched(p *plan.Plan) (outputs []int) {
	for o, q := range p.Ports {
		if q.Depth > 0 {
			outputs = append(outputs, o)
		}
	}
	for q := range p.Deliveries {
		outputs = append(outputs, p.Degree+q)
	}
	return outputs
}
