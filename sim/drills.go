// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// The largest constants of a gate that a trace of reasonable length reaches: the
// cap, up to which deliveries fill the balance, and the patience in cycles and, by
// one line for each of them, in bytes.
const (
	reachableCap      = 1024
	reachablePatience = 4096
	patienceBytes     = 512 << 10
)

func capReachable(p *plan.Plan) bool { return p.Gate.Cap <= reachableCap }

func patienceReachable(p *plan.Plan) bool {
	patience := 1 << p.Gate.PatienceBits
	return patience <= reachablePatience && patience*traceLine(p) <= patienceBytes
}

// Lengths in cycles that drills share.
const (
	show   = 8 // a gate that wrongly is closed, or open, shows within so many cycles
	margin = 8 // for what takes a few cycles
)

// lead is the number of injections at the beginning of a drill, which use up what
// the deliveries of another have left of the balance.
func lead(p *plan.Plan) int { return 10/p.Gate.Cost + 3 }

// newDrills returns the drills of a program.
func newDrills(p *plan.Plan) []segment {
	k := &p.Gate
	var watched []int
	for o, q := range p.Ports {
		if q.Depth > 0 {
			watched = append(watched, o)
		}
	}
	watched = append(watched, p.Degree)
	program := []segment{{kind: opening, cycles: openingCycles(p)}, ladderFrom(p, 0)}
	standstill := gateAt(0).standstill(k)
	for _, o := range watched {
		program = append(program,
			segment{kind: drillQuiet, cycles: lead(p) + 3*margin, output: o},
			drillHeld(p, drillLevel, o, int(standstill)),
			drillHeld(p, drillLevel, o, int(standstill)+1), ladderFrom(p, 1),
		)
	}
	for input := range p.Ports {
		program = append(program, idleFor(p, input, int(gateAt(0).silence(k))))
	}
	for _, o := range watched {
		program = append(program, segment{drillLast, lead(p) + 1 + lastMoves + int(gateAt(0).silence(k)) + burst(p) + show + 3*margin, o, int(gateAt(0).silence(k))})
	}
	o := entered(p)
	twice := int(standstill + gateAt(1).standstill(k) + 1)
	return append(program, append([]segment{
		drillHeld(p, drillRelay, o, relayStep+int(standstill)),
		drillHeld(p, drillRelay, o, relayStep+int(standstill)+1), ladderFrom(p, 1),
		drillHeld(p, drillRelay, o, int(standstill)+1), ladderFrom(p, 1),
		drillHeld(p, drillLevel, o, twice), ladderFrom(p, 1),
		drillHeld(p, drillLevel, o, twice+1), ladderFrom(p, k.TopLevel),
		drillSilences(p, o, twice+1), ladderFrom(p, 1),
		drillHeld(p, drillFresh, o, int(standstill)),
		drillHeld(p, drillFresh, o, int(standstill)+1), ladderFrom(p, 1),
		idleFor(p, 0, int(gateAt(0).silence(k))+1),
		drillRefilled(p, 0), ladderAfter(p, burst(p)+3*margin),
		drillRefilled(p, 2*margin), ladderAfter(p, burst(p)+3*margin),
		{kind: drillShort, cycles: shortCycles(p)}, ladderFrom(p, 1),
		{kind: drillTop, cycles: topCycles(p) + 2*margin}, ladderFrom(p, k.TopLevel),
	}, reachableDrills(p)...)...)
}

// reachableDrills are those that only small machines have.
func reachableDrills(p *plan.Plan) (program []segment) {
	k := &p.Gate
	if capReachable(p) {
		for _, held := range []int{0, 1} {
			program = append(program, segment{kind: drillCap, cycles: capPhases(p, held == 0).end, held: held}, ladderAfter(p, burst(p)+2*show))
		}
	}
	if patienceReachable(p) {
		program = append(program,
			segment{kind: drillPatience, cycles: 3<<k.PatienceBits + 3*pauseWindow + 2*margin}, ladderFrom(p, k.TopLevel),
			idleFor(p, 0, 1<<k.PatienceBits+1<<k.PauseBits/2))
	}
	return program
}

// gateAt is a gate at a level, for its lengths.
func gateAt(level int) *gate { return &gate{level: uint8(level)} }

// entered is an output that the local input feeds, and no link input of weight 1.
func entered(p *plan.Plan) int {
	ports := p.Dims[len(p.Dims)-1].Entered
	return ports[len(ports)-1]
}

// burst is the largest number of injections that follow each other when nothing is
// forgiven: the last one is made before the one before it is paid.
func burst(p *plan.Plan) int { return p.Gate.Cap/p.Gate.Cost + 2 }

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

// fedByLink tells whether the local input does not feed an output.
func fedByLink(p *plan.Plan, output int) bool {
	return output == p.Degree || p.Ports[output].First == 0
}

// put sends one message to an output, on a link if the local input does not feed
// it.
func (s *stimulus) put(output int) {
	if !fedByLink(s.plan, output) {
		s.rate[s.plan.Degree] = 1
		return
	}
	s.feed = feedOf(s.plan, output)
	s.rate[s.feed.input] = 1
}

// offer lets the local input offer a message if it has none.
func (s *stimulus) offer() { s.rate[s.plan.Degree] = 1 }

// block makes the receiver of an output not ready.
func (s *stimulus) block(output int) { s.manner[output] = blocked }

// within tells whether the cycle of the segment is from, or later, and before to.
func (s *stimulus) within(from, to int) bool { return s.passed >= from && s.passed < to }

// drill sets the rates and manners of the next cycle of a drill.
func (s *stimulus) drill() {
	switch s.now.kind {
	case opening:
		s.open()
	case ladder:
		s.climbDown()
	case drillQuiet:
		s.drillQuiet()
	case drillLevel, drillSilence:
		s.drillLevel()
	case drillFresh:
		s.drillFresh()
	case drillRelay:
		s.drillRelay()
	case drillIdle:
		s.drillIdle(lead(s.plan), s.now.output)
	case drillLast:
		s.drillLast()
	case drillRefill:
		s.drillRefill()
	case drillShort:
		s.drillShort()
	case drillCap:
		s.drillCap()
	case drillPatience:
		s.drillPatience()
	case drillTop:
		s.drillTop()
	}
}

// openingCycles is the least length of the opening: until all messages of cycle 0
// have left, deliveries have paid for two more injections, and the feed has ended.
func openingCycles(p *plan.Plan) int {
	// while the gate closes a delivery every deliverEvery cycles pays too
	cycles := burst(p)*3/2 + deliverEvery*(p.Degree+2) + 4*margin
	if capReachable(p) {
		cycles += 4 * p.Gate.Cost
	}
	return cycles
}

// deliverEvery is the number of cycles after which the local output moves in the
// opening: too few to raise the level.
const deliverEvery = 8

// The opening shows the state after reset before anything has changed it. In cycle
// 0 every link input gets a message of the largest weight, which asks for all that
// it can ask for, and the local input one: every arbiter serves them in its initial
// order. A message is on offer from then on and no cycle is quiet. Little is
// delivered until the gate has closed, then deliveries open it.
func (s *stimulus) open() {
	local := s.plan.Degree
	s.full = s.passed == 0
	if s.full {
		s.sources(1, 1)
	}
	s.offer()
	// At the cap a delivery would lift a balance that is too low after reset. Later
	// the gate must be seen to close.
	closed := s.injected >= burst(s.plan)-1 && s.since >= deliverEvery-2
	s.flows = s.flows || closed
	if !s.flows && s.passed%deliverEvery != deliverEvery-1 {
		s.block(local)
	}
	// The feed begins when the inputs are empty. The last message that has left
	// them is on the local output then, so the cycle is not quiet.
	if s.passed > 0 && s.in.LinkValid&^1 == 0 {
		s.feed = feedOf(s.plan, local)
		if s.passed < s.now.cycles-margin {
			s.rate[s.feed.input] = 1
		}
	}
}

// ladderFrom returns a ladder from at most that level.
func ladderFrom(p *plan.Plan, level int) segment {
	cycles := burst(p) + lead(p) + 2*margin
	for ; level >= 1; level-- {
		cycles += int(gateAt(level).silence(&p.Gate)) + burst(p) + margin
	}
	return segment{kind: ladder, cycles: cycles + ladderEnd(p)}
}

// ladderAfter returns a ladder from the level that an output has reached that was
// blocked for so many cycles, or fewer.
func ladderAfter(p *plan.Plan, cycles int) segment {
	level := 0
	for level < p.Gate.TopLevel && cycles > int(gateAt(level).standstill(&p.Gate)) {
		cycles -= int(gateAt(level).standstill(&p.Gate)) + 1
		level++
	}
	return ladderFrom(p, level)
}

// ladderEnd is the length of the end of a ladder, which leaves no balance.
func ladderEnd(p *plan.Plan) int { return burst(p) + lead(p) + margin }

// A ladder brings the gate down to level 0 with a message on offer and nothing else
// going on: it shows each level by its silence, and the cap by how many injections
// follow it. At level 0 nothing holds the messages back.
func (s *stimulus) climbDown() {
	end := s.now.cycles - ladderEnd(s.plan)
	if s.passed >= end {
		if s.passed < s.now.cycles-margin {
			s.offer()
		}
		return
	}
	s.flows = s.flows || s.streak > burst(s.plan)+lead(s.plan) // possible only at level 0
	if !s.flows {
		s.offer()
	}
}

// drillQuiet blocks one output alone for two cycles and injects in the second: the
// debt is not forgiven, and the next message waits for one cycle.
func (s *stimulus) drillQuiet() {
	at := lead(s.plan) + margin
	switch {
	case s.passed < lead(s.plan):
		s.offer()
	case s.within(at-1, at+1): // the first moves, which ends the silence
		s.put(s.now.output)
	case s.passed == at+2, s.within(at+4, at+4+show):
		s.offer()
	}
	if s.within(at+1, at+3) {
		s.block(s.now.output)
	}
}

// drillHeld returns a drill of an output with such a held.
func drillHeld(p *plan.Plan, kind segmentKind, output, held int) segment {
	return segment{kind, 2*lead(p) + 2*margin + 4 + held, output, held}
}

// drillLevel blocks one output alone for held cycles, so that the level rises or,
// if they are too few, does not: then the messages that follow go through, else one
// of them waits for a ladder.
func (s *stimulus) drillLevel() {
	at := lead(s.plan) + margin
	switch {
	case s.passed < lead(s.plan):
		s.offer()
	case s.within(at, at+2): // the first moves, which ends the silence
		s.put(s.now.output)
	}
	if s.within(at+2, at+2+s.now.held) {
		s.block(s.now.output)
	} else if s.now.kind != drillSilence && s.within(at+2+s.now.held, at+2+s.now.held+lead(s.plan)+2) {
		s.offer()
	}
}

// drillSilences returns a drill like drillLevel up to level 2, after which nothing
// is on offer until two silences are over: the second begins when the first ends.
func drillSilences(p *plan.Plan, output, held int) segment {
	d := drillHeld(p, drillSilence, output, held)
	for level := 1; level <= p.Gate.TopLevel; level++ {
		d.cycles += int(gateAt(level).silence(&p.Gate)) + 1
	}
	return d
}

// drillFresh injects in a silence of more cycles than a standstill takes, and blocks
// the copy at once for held cycles: the level rises or, if they are too few, does
// not, because what c has counted of the silence does not count.
func (s *stimulus) drillFresh() {
	at := lead(s.plan) + margin + 3
	if s.passed < lead(s.plan) || s.passed == at || s.passed >= at+1+s.now.held && s.passed < s.now.cycles-margin {
		s.offer()
	}
	if s.within(at+1, at+1+s.now.held) {
		s.block(s.now.output)
	}
}

// relayStep is the number of cycles after which the output that was blocked first
// moves in a drill of two outputs.
const relayStep = 6

// drillRelay is like drillLevel with the local output blocked for held cycles. If
// that is more than it takes, another output is blocked first and moves when the
// local output is already blocked: the standstill counts from then. Else both are
// blocked at once, and the other one moves first.
func (s *stimulus) drillRelay() {
	local, at := s.plan.Degree, lead(s.plan)+margin
	standstill := int(gateAt(0).standstill(&s.plan.Gate))
	begin := at + 2
	other, end := begin+relayStep, begin+s.now.held
	if s.now.held > standstill+1 {
		begin, end = begin+relayStep/2, end+1 // the cycle after the other moves begins anew
	}
	switch {
	case s.passed < lead(s.plan), s.within(at, at+2), s.within(end, end+lead(s.plan)+2):
		s.offer()
	}
	if s.passed == begin-1 {
		s.feed = feedOf(s.plan, local)
		s.rate[s.feed.input] = 1
	}
	if s.within(at+2, other) {
		s.block(s.now.output)
	}
	if s.within(begin, end) {
		s.block(local)
	}
}

// idleFor returns a drill of a silence of such length, which a link input ends.
func idleFor(p *plan.Plan, input, held int) segment {
	return segment{drillIdle, lead(p) + 1 + held + burst(p) + show + 3*margin, input, held}
}

// drillIdle leaves the router idle for held cycles after the given one. Then messages
// come in on a link and are delivered at once. The local output waits for a moment,
// and how many injections go through shows the balance.
func (s *stimulus) drillIdle(after, input int) {
	at := after + 1 + s.now.held
	if s.passed < lead(s.plan) || s.passed >= at+1 && s.passed < s.now.cycles-margin {
		s.offer()
	}
	if s.within(at, at+margin) {
		s.feed = feed{input, 1}
		s.rate[s.feed.input] = 1
	}
	if s.within(at+1, at+1+show) {
		s.block(s.plan.Degree)
	}
}

// lastMoves is the cycle after the lead in which the output of drillLast moves: all
// that came with its message has been copied and has left by then.
const lastMoves = margin + 5

// drillLast is a silence that one output begins: alone it is valid, and moves, in the
// cycle before.
func (s *stimulus) drillLast() {
	at := lead(s.plan) + margin
	s.drillIdle(lead(s.plan)+lastMoves, 0)
	if s.passed == at {
		s.put(s.now.output)
	}
	if s.within(at, at+lastMoves-margin) {
		s.block(s.now.output)
	}
}

// drillRefilled returns a drill of a refill with an injection that many cycles later.
func drillRefilled(p *plan.Plan, held int) segment {
	return segment{kind: drillRefill, cycles: lead(p) + 1 + int(gateAt(0).silence(&p.Gate)) + held + burst(p) + 3*margin, held: held}
}

// drillRefill injects in the cycle of a silence that refills the balance, or held
// cycles later. The local output is blocked until the gate closes, and how many
// injections go through shows that the first was for free, or was not.
func (s *stimulus) drillRefill() {
	at := lead(s.plan) + 1 + int(gateAt(0).silence(&s.plan.Gate)) + s.now.held
	// what follows is not quiet, so that it is paid
	if s.passed < lead(s.plan) || s.passed == at || s.passed >= at+3 {
		s.offer()
	}
	if s.passed == at+1 {
		s.feed = feedOf(s.plan, s.plan.Degree)
		s.rate[s.feed.input] = 1
	}
	if s.passed > at+1 {
		s.block(s.plan.Degree)
	}
}

// shortCycles is the length of a drill of a silence that is too short.
func shortCycles(p *plan.Plan) int {
	return 2*lead(p) + 3*margin + int(gateAt(0).standstill(&p.Gate)) + int(gateAt(1).silence(&p.Gate))
}

// drillShort raises the level to 1 and closes the gate. A message is on offer in a
// silence that ends one cycle too early, and waits for a ladder.
func (s *stimulus) drillShort() {
	s.now.output = s.plan.Degree
	s.now.held = int(gateAt(0).standstill(&s.plan.Gate)) + 1
	s.drillLevel()
	from := lead(s.plan) + margin + 2 + s.now.held
	if s.passed < from {
		return
	}
	s.offer()
	// the last of two or three injections leaves its output, and from the next cycle
	// on nothing happens; without a handshake in between, since counts from it
	if s.since == 1+int(gateAt(1).silence(&s.plan.Gate)) {
		s.feed = feedOf(s.plan, s.plan.Degree)
		s.rate[s.feed.input] = 1
	}
}

// capPhase holds the cycles in which the phases of a drill of the cap begin.
type capPhase struct{ pay, fill, spend, earn, end int }

// capPhases returns those of a drill in which deliveries fill the balance, or a
// silence alone does.
func capPhases(p *plan.Plan, deliveries bool) (c capPhase) {
	c.pay = lead(p) + int(gateAt(0).silence(&p.Gate)) + margin // the balance is the cap
	c.fill, c.spend = c.pay, c.pay
	if deliveries {
		c.fill = c.pay + margin
		c.spend = c.fill + 2*p.Gate.Cost + 2*margin // and again
	}
	c.earn = c.spend + burst(p) + 2*show
	c.end = c.earn + 4*p.Gate.Cost + 4*margin
	return c
}

// drillCap lets the balance fall from the cap, rise to it by deliveries, and some
// more of them that do not count; with 1 for held it does without that, and the
// balance is what a silence left. Then it is spent without a delivery but the one
// that comes with the first injection, and deliveries open the gate again: one
// that counts too many or too few moves an injection.
func (s *stimulus) drillCap() {
	c, local := capPhases(s.plan, s.now.held == 0), s.plan.Degree
	pays := s.now.held == 0 && s.within(c.pay+2, c.pay+3)
	if s.passed < lead(s.plan) || pays || s.within(c.spend, c.end-2*margin) {
		s.offer()
	}
	if s.within(c.pay, c.end-margin) {
		s.feed = feedOf(s.plan, local)
		s.rate[s.feed.input] = 1
	}
	if s.within(c.spend+1, c.earn) {
		s.block(local)
	}
}

// pauseWindow is how many cycles around a pause messages come in.
const pauseWindow = 40

// drillPatience blocks an output that has no room for a message of the local input.
// That one waits until delivery pauses, gets in during the pause, and the pause
// goes on. The next one gets in when it has waited almost as long, so that there is
// no pause. The last one waits for a pause again. Deliveries between keep the gate
// open.
func (s *stimulus) drillPatience() {
	patience, last := 1<<s.plan.Gate.PatienceBits, s.plan.Degree-1
	if s.injected == 4 && s.since > patience+pauseWindow {
		return
	}
	s.offer()
	if s.passed >= lead(s.plan) {
		s.block(entered(s.plan))
	}
	if s.passed < lead(s.plan)+3 {
		s.injected = 2 // those that fill the output are the first
		return
	}
	deliver := s.passed%8 == 0
	// delivery pauses while since is from patience + 1 to patience + 16
	switch s.injected {
	case 2:
		deliver = deliver || s.since > patience-margin
		if s.since == patience+6 {
			s.manner[entered(s.plan)] = always
		}
	case 3:
		deliver = deliver || s.since < pauseWindow || s.since > patience-pauseWindow
		if s.since == patience-3 {
			s.manner[entered(s.plan)] = always
		}
	case 4:
		deliver = s.since < pauseWindow || s.since < patience-margin && deliver || s.since >= patience-margin && s.since <= patience
		if s.since == patience+4 {
			s.malformed = 1
			s.rate[0] = 1
			return
		}
		// the one that comes first goes first, although it was the last one served
		deliver = deliver || s.since == patience+7
		if s.since == patience+9 && last > 0 {
			s.feed = feed{last, 1}
			s.rate[last] = 1
		}
	}
	if deliver {
		s.feed = feedOf(s.plan, s.plan.Degree)
		s.rate[s.feed.input] = 1
	}
}

// topCycles is the cycle in which a drill of the top level lets the local output
// go: another standstill has just passed at the top, or more of them, and the
// patience if it is in reach. A level that starts over there would be 0.
func topCycles(p *plan.Plan) int {
	around := 0
	for level := 0; level <= p.Gate.TopLevel; level++ {
		around += int(gateAt(level).standstill(&p.Gate)) + 1
	}
	times := 1
	if patienceReachable(p) {
		times += (1<<p.Gate.PatienceBits + 1<<p.Gate.PauseBits + margin) / around
	}
	return lead(p) + margin + 1 + times*around + int(gateAt(0).standstill(&p.Gate))/2
}

// drillTop blocks the local output so long that the level would rise above the top.
// The gate closes, and the message on offer waits longer than the patience, but at a
// closed gate: a second message for the local output is taken at once.
func (s *stimulus) drillTop() {
	local, at, end := s.plan.Degree, lead(s.plan)+margin, topCycles(s.plan)
	if s.passed < lead(s.plan) || s.passed >= at+2 {
		s.offer()
	}
	second := end - 2
	if patienceReachable(s.plan) {
		second = at + margin + 1<<s.plan.Gate.PatienceBits + 1<<s.plan.Gate.PauseBits/2
	}
	if s.passed == at || s.passed == second {
		s.feed = feedOf(s.plan, local)
		s.rate[s.feed.input] = 1
	}
	if s.within(at+1, end) {
		s.block(local)
	}
}
