// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// segment is a part of the program of a stimulus.
type segment struct {
	kind   segmentKind
	cycles int
	output int // that a drill is about; Degree stands for the local output. Of drillIdle: the link input
	held   int // of drillLevel, drillFresh, drillRelay, drillIdle and drillLast, in cycles: see there
}

type segmentKind uint8

const (
	// freeScenes are random scenes with rests between them and without a
	// standstill: the level is 0, and the debt is forgiven when the router is quiet
	freeScenes segmentKind = iota
	// heldScenes are random scenes with standstills: deliveries and silences open
	// the gate
	heldScenes
	// The rest are drills (drills.go). Each but the opening and the ladders begins
	// with an idle router at level 0 whose balance is a few deliveries at most.
	opening
	ladder
	drillQuiet
	drillLevel
	drillSilence
	drillFresh
	drillRelay
	drillIdle
	drillLast
	drillRefill
	drillShort
	drillCap
	drillPatience
	drillTop
)

// Cycles of the random scenes of a program.
const (
	freeCycles   = 2880 // of a router with up to 4 ports,
	heldCycles   = 1120
	portCycles   = 260      // and so many more of each for each other port
	leastDivisor = 18       // a wide payload leaves at least this part of them
	traceBytes   = 11 << 20 // about, for the drills and the scenes of a wide payload
)

// newProgram returns the program of a router trace.
func newProgram(p *plan.Plan) []segment {
	drills := newDrills(p)
	free, held := sceneCycles(p, length(drills))
	return append(drills,
		segment{kind: freeScenes, cycles: free * 2 / 3},
		ladderFrom(p, 1),
		segment{kind: heldScenes, cycles: held / 2},
		ladderFrom(p, p.Gate.TopLevel),
		segment{kind: freeScenes, cycles: free / 3},
		segment{kind: heldScenes, cycles: held / 2},
	)
}

// sceneCycles returns the cycles of free and of held scenes next to drills of that
// many cycles.
func sceneCycles(p *plan.Plan, drills int) (free, held int) {
	more := portCycles * max(0, p.Degree-4)
	free, held = freeCycles+more, heldCycles+more
	line := traceLine(p)
	// about half of all streams are valid in a scene, and in a drill mostly the
	// local input or nothing, but for flowing cycles for each port
	const flowing = 64
	lines := drills + flowing*p.Degree*(p.Degree+1)
	budget := max(0, traceBytes-line*lines) / (line * (p.Degree + 1))
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
	s.passed, s.sceneLeft, s.injected, s.since, s.streak = 0, 0, 0, 0, 0
	s.flows = false
	s.settle()
	if s.now.kind == heldScenes {
		s.scene = blockedScene
	}
}

// settle silences all sources and makes all receivers ready.
func (s *stimulus) settle() {
	s.malformed, s.far, s.full, s.sweep, s.feed = 0, false, false, noSweep, noFeed
	s.sources(0, 0)
	s.receivers(always, always)
}

// direct sets the rates and manners of the next cycle of the segment.
func (s *stimulus) direct() {
	if s.now.kind == freeScenes || s.now.kind == heldScenes {
		if s.sceneLeft == 0 {
			s.newScene()
		}
		s.sceneLeft--
		s.sweepOn()
		return
	}
	s.settle()
	s.drill()
}
