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
	// opening shows the state after reset before anything has changed it. In cycle
	// 0 every link input gets a message of the largest weight, which asks for all
	// that it can ask for, and the local input one: every arbiter serves them in
	// its initial order. A message is on offer from then on and no cycle is calm.
	// Nothing is delivered until the gate has closed, then deliveries open it
	opening segmentKind = iota
	// free scenes are random scenes with rests between them and without a stuck
	// output: the gate is refilled whenever the router is calm
	freeScenes
	// held scenes are random scenes in which outputs get stuck: only deliveries
	// open the gate
	heldScenes
	// drain lets everything leave
	drain
	// drillCap delivers in every cycle while the balance goes from the cap down and
	// back: one delivery too many or too few that counts moves an injection
	drillCap
	// drillNear keeps one output blocked for two epochs but for the first cycle of one
	// and the last of the other: the gate must be refilled as ever
	drillNear
	// drillAlone keeps one output blocked for an epoch, with a closed gate and the
	// hold count at 0, and lets the hold run down without an offer. A message comes
	// in the last two epochs: it must wait until the hold is over
	drillAlone
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
	freeCycles   = 2880 // of a router with up to 4 ports,
	heldCycles   = 1120
	portCycles   = 240      // and so many more of each for each other port
	leastDivisor = 18       // a wide payload leaves at least this part of them
	traceBytes   = 11 << 20 // about, for the spell and the scenes of a wide payload
)

// newProgram returns the program of a router trace. Everything before the first
// stuck output happens while nothing is held. Every drill of an output alone
// begins and ends with an idle router, a full balance and no hold.
func newProgram(p *plan.Plan) []segment {
	free, held := sceneCycles(p)
	epoch := 1 << p.Gate.EpochBits
	local := p.Degree
	var fed, entered, watched []int // outputs that a link input feeds, that the local input does, all
	for o, q := range p.Ports {
		if q.Depth > 0 {
			watched = append(watched, o)
		}
		if feedOf(p, o) != noFeed {
			fed = append(fed, o)
		}
		if q.First > 0 {
			entered = append(entered, o)
		}
	}
	fed, watched = append(fed, local), append(watched, local)
	calm := segment{kind: drain, cycles: 3 * epoch}
	part := func(kind segmentKind, cycles, n, of int) segment {
		return segment{kind: kind, cycles: cycles * n / of / epoch * epoch}
	}

	program := []segment{{opening, whole(epoch, openingCycles(p)), local}}
	for _, o := range watched {
		program = append(program, segment{drillNear, 3 * epoch, o})
	}
	program = append(program, part(freeScenes, free, 2, 3), calm)
	if p.Gate.Cap <= openableCap {
		_, _, all := capCycles(p)
		program = append(program, segment{drillCap, whole(epoch, all), local}, calm)
	}
	for _, o := range watched {
		program = append(program, segment{drillAlone, aloneEpochs(p) * epoch, o})
	}
	return append(program,
		segment{drillLate, 5 * epoch, local},
		part(heldScenes, held, 1, 2), calm,
		segment{drillStuck, 3 * epoch, fed[len(fed)-1-len(fed)/2]},
		// the drill ends one epoch after the hold has begun
		segment{kind: spell, cycles: 1 << p.Gate.HoldBits * epoch},
		part(freeScenes, free, 1, 3), calm,
		segment{drillStuck, 3 * epoch, entered[len(entered)-1]},
		part(heldScenes, held, 1, 2),
	)
}

// whole rounds cycles up to whole epochs.
func whole(epoch, cycles int) int { return (cycles + epoch - 1) / epoch * epoch }

// openingCycles is the least length of the opening: until all messages of cycle 0
// have left, deliveries have paid for the second injection, and the feed has ended.
func openingCycles(p *plan.Plan) int {
	epoch := 1 << p.Gate.EpochBits
	cycles := 2*epoch + p.Degree + epoch/4
	if p.Gate.Cap <= openableCap {
		cycles += 2*p.Gate.Cost - p.Gate.Cap
	}
	return cycles
}

// capMargin is for what takes a few cycles in a drill of the cap.
const capMargin = 8

// capCycles returns the cycle of a drill of the cap in which the local input
// offers anew, for how long it does then and in the beginning, and the length of
// the drill.
func capCycles(p *plan.Plan) (again, on, all int) {
	// two injections, and deliveries that pay for the second
	on = p.Gate.Cost + capMargin
	// the last message offered may wait for as long, and its injection costs as
	// much; then up to the cap
	again = 2*capMargin + on + 2*p.Gate.Cost + p.Gate.Cap
	return again, on, again + on + capMargin
}

// aloneEpochs is the length of a drill of an output alone in epochs: one to begin,
// one in which the output is stuck, the hold, and one for the refill.
func aloneEpochs(p *plan.Plan) int { return 2 + 1<<p.Gate.HoldBits - 1 + 1 }

// fedAlone tells whether a link input feeds an output in its drill alone, once,
// because the local input does not.
func fedAlone(p *plan.Plan, output int) bool {
	return output == p.Degree || p.Ports[output].First == 0
}

// aloneOffers is how many injections close the gate in a drill of an output alone
// that begins with a balance at the cap.
func aloneOffers(p *plan.Plan, output int) int {
	if fedAlone(p, output) {
		return (p.Gate.Cap+1)/p.Gate.Cost + 1 // what is fed is delivered once
	}
	return p.Gate.Cap/p.Gate.Cost + 2 // the first is free, in a calm cycle
}

// sceneCycles returns the cycles of free and of held scenes.
func sceneCycles(p *plan.Plan) (free, held int) {
	more := portCycles * max(0, p.Degree-4)
	free, held = freeCycles+more, heldCycles+more
	line := 26 + (p.WdBits+p.WcBits+p.SourceBits+3)/4 + (p.PayloadBits+3)/4
	// about half of all streams are valid in a scene, and a message is on offer
	// in the spell
	spell := line << (p.Gate.HoldBits + p.Gate.EpochBits)
	budget := max(0, traceBytes-spell) / (line * (p.Degree + 1))
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
	s.passed, s.sceneLeft, s.injected, s.since = 0, 0, 0, 0
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
		s.open()
	case drillCap:
		again, on, all := capCycles(s.plan)
		s.drillOn(true, s.passed >= capMargin && s.passed < capMargin+on || s.passed >= again && s.passed < again+on,
			0, all, all)
	case drillAlone:
		s.alone()
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
		if s.passed < s.now.cycles/64 {
			link = 0.08 / float64(s.plan.Degree)
		}
		s.sources(link, 1)
	}
}

// open sets the rates and manners of the next cycle of the opening.
func (s *stimulus) open() {
	epoch, local := 1<<s.plan.Gate.EpochBits, s.plan.Degree
	s.full = s.passed == 0
	s.sources(0, 1)
	if s.full {
		s.sources(1, 1)
	}
	// A delivery would lift a balance that is too low after reset. So the local
	// output waits until the second injection has closed the gate and a third one
	// has had time to show a balance that is too high.
	s.manner[local] = always
	closed := s.injected > 2 || s.injected == 2 && s.since >= epoch/4
	if !closed {
		s.manner[local] = blocked
		return
	}
	// The feed begins when the inputs are empty. The last message that has left
	// them is on the local output then, so the cycle is not calm.
	if s.in.LinkValid == 0 {
		s.feed = feedOf(s.plan, local)
	}
	if s.feed != noFeed && s.passed < s.now.cycles-epoch/8 {
		s.rate[s.feed.input] = 1
	}
}

// alone sets the rates and manners of the next cycle of a drill of an output
// alone.
func (s *stimulus) alone() {
	epoch, output := 1<<s.plan.Gate.EpochBits, s.now.output
	offers := aloneOffers(s.plan, output)
	if s.passed >= (aloneEpochs(s.plan)-3)*epoch {
		offers += 2 // the first is free, the second is refilled while the gate is open
	}
	on := epoch / 2
	fed, from := fedAlone(s.plan, output), on
	if !fed {
		from += 2 // the first message leaves: the queue would have no room for the third
	}
	s.drillOn(fed && s.passed <= on, s.passed >= on && s.injected < offers, on, from, 2*epoch)
}

// quiet is the number of cycles that follow in which no source offers anything
// and every receiver is ready, known without a random number.
func (s *stimulus) quiet() int {
	if s.now.kind != drillAlone || s.in.LinkValid != 0 || s.in.LocalValid {
		return 0
	}
	epoch := 1 << s.plan.Gate.EpochBits
	if s.passed < 3*epoch {
		return 0
	}
	return max(0, (aloneEpochs(s.plan)-3)*epoch-s.passed)
}

// skip passes cycles that are quiet.
func (s *stimulus) skip(cycles int) {
	s.passed += cycles
	s.since += cycles
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
