// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// segment is a part of the program of a stimulus. Its length is a multiple of
// the gate's epoch, so that every segment starts with an epoch.
type segment struct {
	kind   segmentKind
	cycles int
	output int // of a drill: the one it is about; Degree stands for the local output
}

type segmentKind uint8

const (
	// opening shows the balance after reset: from cycle 0 on a message is on offer
	// and no cycle is calm. At first nothing is delivered until the gate has
	// closed, then deliveries open it
	opening segmentKind = iota
	// free scenes are random scenes with rests between them and without a stuck
	// output: the gate is refilled whenever the router is calm
	freeScenes
	// held scenes are random scenes in which outputs get stuck: only deliveries
	// open the gate
	heldScenes
	// drain lets everything leave
	drain
	// drillNear keeps one output blocked for two epochs but for the first cycle of one
	// and the last of the other: the gate must be refilled as ever
	drillNear
	// drillStuck keeps one output blocked for an epoch: the gate must not be refilled
	drillStuck
	// drillLate is like drillStuck of the local output, but nothing is injected
	// before the router is calm again: those injections are not free. Then all
	// outputs that the local input feeds are stuck
	drillLate
	// spell is the time in which a hold of the segment before runs down with a
	// message on offer at the closed gate, and the gate is refilled
	spell
)

// Cycles of the random scenes of a program.
const (
	freeCycles   = 2400 // of a router with up to 4 ports,
	heldCycles   = 1120
	portCycles   = 240     // and so many more of each for each other port
	leastDivisor = 7       // a wide payload leaves at least this part of them
	traceBytes   = 9 << 20 // about, for the file of a wide payload
)

// newProgram returns the program of a router trace. Everything before the first
// stuck output happens while nothing is held. Each of two spells then shows two
// outputs more: the last one stuck before it, because the refill is in time,
// and the first one stuck after it, because there is none.
func newProgram(p *plan.Plan) []segment {
	free, held := sceneCycles(p)
	epoch := 1 << p.Gate.EpochBits
	local := p.Degree
	var fed, entered []int // outputs that a link input feeds, and that the local input does
	for o, q := range p.Ports {
		if feedOf(p, o) != noFeed {
			fed = append(fed, o)
		}
		if q.First > 0 {
			entered = append(entered, o)
		}
	}
	fed = append(fed, local)
	early, late := fed[len(fed)-1-len(fed)/2], fed[0]
	more := entered[0] // one that no other drill is about, if there is one
	for _, o := range entered {
		if o != early && o != late && o != entered[len(entered)-1] {
			more = o
			break
		}
	}
	drill := func(kind segmentKind, output int) segment { return segment{kind, 3 * epoch, output} }
	calm := segment{kind: drain, cycles: 3 * epoch}
	// the drill before it ends one epoch after the hold has begun
	run := segment{kind: spell, cycles: (1<<p.Gate.HoldBits-2)*epoch + 2*epoch}
	part := func(kind segmentKind, cycles, n, of int) segment {
		return segment{kind: kind, cycles: cycles * n / of / epoch * epoch}
	}

	// until deliveries have paid for the second injection, and the feed has ended
	open := epoch/4 + min(p.Gate.Cost, openableCap) + epoch/8
	program := []segment{{opening, (open + epoch - 1) / epoch * epoch, local}}
	for o, q := range p.Ports {
		if q.Depth > 0 {
			program = append(program, drill(drillNear, o))
		}
	}
	return append(program,
		drill(drillNear, local),
		part(freeScenes, free, 2, 3), calm,
		segment{drillLate, 5 * epoch, local},
		part(heldScenes, held, 1, 2), calm,
		drill(drillStuck, early), run,
		part(freeScenes, free, 1, 3), calm,
		drill(drillStuck, entered[len(entered)-1]),
		part(heldScenes, held, 1, 2), calm,
		drill(drillStuck, late), run, calm,
		drill(drillStuck, more),
	)
}

// sceneCycles returns the cycles of free and of held scenes.
func sceneCycles(p *plan.Plan) (free, held int) {
	more := portCycles * max(0, p.Degree-4)
	free, held = freeCycles+more, heldCycles+more
	line := 26 + (p.WdBits+p.WcBits+p.SourceBits+3)/4 + (p.PayloadBits+3)/4
	// about half of all streams are valid in a scene, and a message is on offer
	// in the rest of the program
	spells := 2 << (p.Gate.HoldBits + p.Gate.EpochBits) * line
	budget := max(0, traceBytes-spells) / (line * (p.Degree + 1))
	if all := free + held; all > budget {
		budget = max(budget, all/leastDivisor)
		free, held = free*budget/all, held*budget/all
	}
	return free, held
}

// length is the number of cycles of a program.
func length(program []segment) (cycles int) {
	for _, s := range program {
		cycles += s.cycles
	}
	return cycles
}

// feed says what a link input sends in a drill.
type feed struct {
	input int
	wc    uint32
}

var noFeed = feed{input: -1}

// feedOf returns what brings messages to an output from a link input, noFeed if
// only the local input does.
func feedOf(p *plan.Plan, output int) feed {
	if output == p.Degree {
		return feed{0, 1} // of dimension 1: it is delivered and goes nowhere else
	}
	q := &p.Ports[output]
	if q.Ring {
		return feed{q.ContinueFrom, 2}
	}
	if s := p.Dims[q.Dimension-1].Sources; q.First > 0 && len(s) > 0 {
		return feed{s[0], 1}
	}
	return noFeed
}

// nextSegment starts the next segment of the program.
func (s *stimulus) nextSegment() {
	s.now = segment{kind: freeScenes, cycles: freeCycles}
	if len(s.program) > 0 {
		s.now, s.program = s.program[0], s.program[1:]
	}
	s.passed, s.sceneLeft = 0, 0
	s.malformed, s.far, s.sweep, s.feed = 0, false, noSweep, noFeed
	s.sources(0, 0)
	s.receivers(always, always)
	if s.now.kind == heldScenes {
		s.scene = blockedScene
	}
}

// direct sets the rates and manners of the next cycle of the segment.
func (s *stimulus) direct() {
	epoch := 1 << s.plan.Gate.EpochBits
	switch s.now.kind {
	case opening:
		s.drillOn(true, true, 0, 0, epoch/4)
		if s.passed < s.now.cycles-epoch/8 {
			s.rate[s.feed.input] = 1
		}
	case freeScenes, heldScenes:
		if s.sceneLeft == 0 {
			s.newScene()
		}
		s.sceneLeft--
		s.sweepOn()
	case drillNear:
		// the local input goes on for a while to show the refill after the drill
		// before; the second message is on the output from the second cycle of the
		// second epoch on
		s.drillOn(s.now.output == s.plan.Degree || s.plan.Ports[s.now.output].First == 0,
			s.passed < epoch/2 || s.passed >= epoch-1, epoch-1, epoch+1, 3*epoch-1)
	case drillStuck:
		s.drillOn(feedOf(s.plan, s.now.output) != noFeed, s.passed >= epoch-3, epoch-3, epoch-2, 2*epoch)
	case drillLate:
		late := 2*epoch + epoch/2
		s.drillOn(true, s.passed >= late, epoch-3, epoch-2, 2*epoch)
		if s.passed >= late && s.passed < 4*epoch {
			s.receivers(blocked, always)
		} else if s.passed == 4*epoch {
			s.receivers(always, always)
		}
	case spell:
		link := 0.0
		if s.passed < s.now.cycles/8 {
			link = 0.08 / float64(s.plan.Degree)
		}
		s.sources(link, 1)
	}
}

// drillOn sets the rates and manners of the next cycle of a drill. The local
// input offers if local is set. The output is blocked from cycle from up to, but
// not in, cycle to; until shortly before that, its feed sends from cycle on, if
// linkFed is set.
func (s *stimulus) drillOn(linkFed, local bool, on, from, to int) {
	s.sources(0, 0)
	if local {
		s.rate[s.plan.Degree] = 1
	}
	if linkFed {
		s.feed = feedOf(s.plan, s.now.output)
		if s.passed >= on && s.passed < to-1 {
			s.rate[s.feed.input] = 1
		}
	}
	s.manner[s.now.output] = always
	if s.passed >= from && s.passed < to {
		s.manner[s.now.output] = blocked
	}
}
