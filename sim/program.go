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
	// freeScenes are random scenes with rests between them and without a
	// standstill: the level is 0, and the debt is forgiven when the router is quiet
	freeScenes segmentKind = iota
	// heldScenes are random scenes with standstills: deliveries and silences open
	// the gate
	heldScenes
	// the opening shows the state after reset (opening.go)
	opening
	// a drill follows a time line (script.go)
	drill
)

// Cycles of the random scenes of a program.
const (
	freeCycles   = 2880 // of a router with up to 4 ports,
	heldCycles   = 1120
	portCycles   = 260      // and so many more of each for each other port
	leastDivisor = 18       // a wide payload leaves at least this part of them
	traceBytes   = 11 << 20 // about, for the drills and the scenes of a wide payload
)

// newProgram returns the program of a router trace. A level that the memory is to
// lower must stand for many thousand cycles, which is most of it. The last window of
// level 2 ends alone in machines with an even number of nodes, and with a silence in
// the others. The memory of higher levels, and with it standstills of the top level, is
// out of reach.
func newProgram(p *plan.Plan) []segment {
	b := &script{plan: p}
	b.add(segment{kind: opening, cycles: openingCycles(p)})
	b.drills()
	b.remember(1, true)
	if patienceReachable(p) {
		b.pauseAtLevel0()
		b.pauses()
		b.settle()
	}
	b.rememberNot()
	b.remember(2, p.Nodes%2 != 0)
	b.scenes()
	b.last()
	return b.program
}

// scenes adds the random scenes.
func (b *script) scenes() {
	free, held := sceneCycles(b.plan, b.lines)
	b.add(segment{kind: freeScenes, cycles: free})
	b.add(segment{kind: heldScenes, cycles: held})
}

// sceneCycles returns the cycles of free and of held scenes next to drills of about
// that many lines.
func sceneCycles(p *plan.Plan, lines int) (free, held int) {
	more := portCycles * max(0, p.Degree-4)
	free, held = freeCycles+more, heldCycles+more
	line := traceLine(p)
	budget := max(0, traceBytes-line*lines) / (line * (p.Degree + 1)) // about half of all streams are valid in a scene
	if all := free + held; all > budget {
		budget = max(budget, all/leastDivisor)
		free, held = free*budget/all, held*budget/all
	}
	return free, held
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
	s.now = segment{kind: freeScenes, cycles: freeCycles}
	if len(s.program) > 0 {
		s.now, s.program = s.program[0], s.program[1:]
	}
	s.passed, s.sceneLeft, s.injected, s.since = 0, 0, 0, 0
	s.flows = false
	s.settle()
	if s.now.kind == heldScenes {
		s.scene = blockedScene
	}
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
	case freeScenes, heldScenes:
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
