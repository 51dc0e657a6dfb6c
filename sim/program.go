// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// segment is a part of the program of a stimulus.
type segment struct {
	kind   segmentKind
	cycles int
	acts   []act // of a drill
}

type segmentKind uint8

const (
	// scenes are random
	scenes segmentKind = iota
	// the opening shows the state after reset (opening.go)
	opening
	// a drill follows a time line (script.go)
	drill
)

// Cycles of the random scenes of a program.
const (
	sceneCycles  = 4000     // of a router with up to 4 ports,
	portCycles   = 600      // and so many more for each other port
	leastDivisor = 30       // a wide payload leaves at least this part of them
	traceBytes   = 11 << 20 // about, for the drills and the scenes of a wide payload
	frameBytes   = 8 << 20  // for drills of frames of thousands of messages
)

// newProgram returns the program of a router trace. A level that the memory is to clear
// must stand for many thousand cycles, which is most of it. On machines with long windows
// the memory of level 2 and the top level are out of reach.
func newProgram(p *plan.Plan) []segment {
	b := newScript(p)
	b.perform(segment{kind: opening, cycles: openingCycles(p)})
	b.probe()
	b.frames()
	b.falseSilences()
	b.lowLevels()
	b.climbAndFall()
	b.fallNotPast()
	if p.Gate.ScaleBits == 0 {
		b.highLevels()
	}
	b.climb()
	b.together()
	b.long()
	b.busy()
	b.fall()
	b.notSlow()
	b.unstood()
	b.crowd()
	b.trust()
	if longReachable(p) { // it injects what a quota allows
		b.stoodOnce()
	}
	b.grow(1 << p.Gate.QuotaBits) // so that the gate stays open in what follows
	if !costReachable(p) {
		b.overfill()
	}
	b.fillQueues()
	b.fillDeliveries()
	b.fillInputs()
	b.trees()
	for o, q := range p.Ports {
		if q.Ring {
			b.slots(o)
		}
	}
	b.scenes()
	b.last()
	return b.program
}

// longReachable tells whether frames of thousands of messages fit into a trace, a delivery
// being two lines.
func longReachable(p *plan.Plan) bool {
	return 2*(longFrame+2*restartFrame)*traceLine(p) <= frameBytes
}

// scenes adds the random scenes.
func (b *script) scenes() {
	cycles := sceneCycles + portCycles*max(0, b.plan.Degree-4)
	line := traceLine(b.plan)
	// less than two thirds of all streams are valid in a scene
	budget := max(0, traceBytes-line*b.lines) / (line * (b.plan.Degree + 1) * 4 / 3)
	b.add(segment{kind: scenes, cycles: min(cycles, max(budget, cycles/leastDivisor))})
}

// last leaves the gate far from its state after reset, so that a reset that follows has
// something to do.
func (b *script) last() {
	local := b.plan.Degree
	bits := b.plan.Gate.RaisedBits + plan.LevelBits         // of the window of level 1
	from := ending(bits, b.time) + 6<<(bits+plan.LevelBits) // so that frames end, and the quota grows
	to := from + 1<<bits + 3
	b.feed(0, from, to)
	b.block(local, from, to)
	acts := b.acts
	b.acts = nil
	b.add(segment{kind: drill, cycles: to - b.time, acts: acts})
}

// traceLine is about the length of a line of a trace in bytes.
func traceLine(p *plan.Plan) int {
	return 26 + (p.WdBits+p.WcBits+p.SourceBits+3)/4 + (p.PayloadBits+3)/4
}

// length is the number of cycles of a program.
func length(program []segment) (cycles int) {
	for _, s := range program {
		cycles += s.cycles
	}
	return cycles
}

// nextSegment starts the next segment of the program.
func (s *stimulus) nextSegment() {
	s.now = segment{kind: scenes, cycles: sceneCycles}
	if len(s.program) > 0 {
		s.now, s.program = s.program[0], s.program[1:]
	}
	s.passed, s.sceneLeft, s.injected, s.since = 0, 0, 0, 0
	s.flows = false
	s.settle()
}

// settle silences all sources and makes all receivers ready.
func (s *stimulus) settle() {
	s.malformed, s.far, s.full, s.sweep = 0, false, false, noSweep
	s.sources(0, 0)
	s.receivers(always, always)
}

// direct sets the rates and manners of the next cycle of the segment.
func (s *stimulus) direct() {
	switch s.now.kind {
	case scenes:
		if s.sceneLeft == 0 {
			s.newScene()
		}
		s.sceneLeft--
		s.sweepOn()
	case opening:
		s.settle()
		s.open()
	case drill:
		s.settle()
		for i := range s.now.acts {
			if a := &s.now.acts[i]; s.time >= a.from && s.time < a.to {
				s.act(a)
			}
		}
	}
}
