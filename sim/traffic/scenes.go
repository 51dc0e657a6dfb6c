// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"slices"

	"github.com/hcgen/hcgen/plan"
)

// RouterCycles is the default length of the trace of one router driven at all its
// ports. It grows with the number of situations: with each port above four, up to 16, and by
// three quarters with destinations. It is shorter for wide payloads, so that the file stays
// within a few megabytes. Passes at ring ports add their own cycles.
func RouterCycles(p *plan.Plan) int {
	const (
		cycles = 4500     // of a router with up to 4 ports,
		more   = 650      // additional cycles for each further port
		upTo   = 12600    // limit of the sum
		fewest = 1500     // fewest cycles
		most   = 10 << 20 // bytes of the file, about
	)
	line := 26 + (p.LinkBits-p.PayloadBits+3)/4 + (p.PayloadBits+3)/4
	fit := most / (line * (p.Degree + 1) * 4 / 3) // less than two thirds of all streams are valid
	n := min(cycles+more*max(0, p.Degree-4), upTo, max(fewest, fit))
	if p.Destination != nil {
		n += n * 3 / 4 // destinations have more situations
	}
	return n + passesCycles(p)
}

// RouterNode is the node whose router is driven in the router trace: with a source id, a node whose
// address has alternating bits, the highest bit set if possible, so that a lost or misplaced bit
// shows; without a source id, node 0.
func RouterNode(p *plan.Plan) int {
	const alternating = 0xaaaaaaaa // more bits than an address has
	node := alternating & (1<<p.SourceBits - 1)
	if p.SourceBits%2 != 0 {
		node = ^alternating & (1<<p.SourceBits - 1)
	}
	for node >= p.Nodes { // once, or several times if a programmable router has longer addresses
		node >>= 1
	}
	return node
}

// newScene sets the scene of the next cycles: a rate for every source, a manner for
// every receiver, and the clocks of the neighbours.
func (s *Stimulus) newScene() {
	degree, streams := s.plan.Degree, len(s.manner)
	s.malformed, s.far, s.sweep, s.quiet = 0.1, false, nil, false
	s.pure, s.step = none, sweepCycles
	s.single, s.aim, s.everyone = 0.3, -1, true
	s.paces.neighbors(1, 0.5)
	if s.scene == 0 {
		s.opening()
		s.scene++
		return
	}
	if len(s.rings) > 0 && s.passStep == 0 {
		s.random, s.others = s.others, s.random
		s.sweep, s.step = s.passEntrants, passCycles
		s.sceneLeft = passesCycles(s.plan)
		return
	}
	if s.scene == 1 && s.passStep > 0 { // the other scenes do not depend on the passes
		s.random, s.others = s.others, s.random
	}
	scenes := 11
	if s.plan.Destination != nil {
		scenes++
	}
	again := s.scene/scenes%2 == 1 // in every second round
	s.everyone = s.scene%scenes < 7 && !again
	switch s.scene % scenes {
	case 0, 6: // every stream independently
		s.mix(true)
		for p := range s.paces.catchUp {
			s.paces.catchUp[p] = []float64{0.02, 0.2, 1}[s.random.IntN(3)]
			s.paces.runAhead[p] = []float64{0, 0.1, 1}[s.random.IntN(3)]
		}
		s.sceneLeft = s.between(40, 100)
	case 1: // everything at once
		s.sources(1, 1)
		s.receivers(always, always)
		s.sceneLeft = s.between(20, 60)
	case 2: // all slots fill, all inputs block
		s.sources(1, 1)
		s.receivers(blocked, blocked)
		s.malformed = 0.6
		s.sceneLeft = s.between(15, 25) + 2*s.plan.InputSlots
	case 3: // all slots drain with interruptions
		s.sources(1, 1)
		s.mix(false)
		s.sceneLeft = s.between(40, 80)
	case 4: // many malformed headers
		s.sources(0.7, 0.5)
		s.receivers([]manner{always, half}[s.random.IntN(2)], half)
		s.malformed = 0.7
		s.sceneLeft = s.between(40, 80)
	case 5: // few messages, many of them malformed, meet an empty router
		s.sources(0.8/float64(degree), 0.5)
		s.receivers(always, always)
		s.malformed = 0.5
		s.quiet = true
		s.sceneLeft = 10 * degree
	case 7: // the clock of each neighbour in turn is slow, and the local input sends almost alone
		s.sources(0.05, []float64{0.5, 1}[s.random.IntN(2)])
		s.receivers(always, always)
		s.sweep = s.slowClock
		s.sceneLeft = sweepCycles*degree + 1
	case 8: // each output in turn is blocked, and messages for it are sent
		s.malformed, s.far, s.sweep = 0.05, true, s.blockOutput
		s.backwards = again // messages that wait for a ring port may block the next output
		s.quiet = true
		s.receivers(always, always)
		s.sceneLeft = sweepCycles*streams + 1
	case 9: // each link in turn sends alone
		s.receivers(always, always)
		s.malformed, s.far, s.sweep = 0.4, true, s.lonePort
		s.quiet = true
		s.sceneLeft = sweepCycles*degree + 1
	case 10: // a dimension is full of messages that continue while others request to enter; or long stalls
		dim := s.random.IntN(len(s.plan.Dims)) + 1
		s.sources(0.2, 1)
		s.receivers([]manner{half, stalls}[s.random.IntN(2)], always)
		for p, q := range s.plan.Ports {
			if q.Dimension == dim {
				s.rate[p] = 1
			}
		}
		s.malformed, s.far = 0.02, true
		s.sceneLeft = s.between(40, 80)
	case 11: // messages to one node use up the credit while the clocks of neighbours are slow, by one output after the other
		s.sources(0.3/float64(degree), 1)
		s.receivers([]manner{always, half}[s.random.IntN(2)], always)
		s.paces.neighbors(0.01, 0)
		s.malformed, s.single, s.sweep = 0.02, 1, s.aimAtOutput
		if again {
			s.paces.neighbors([]float64{0.1, 0.3}[s.random.IntN(2)], 0)
			s.receivers([]manner{half, stalls}[s.random.IntN(2)], always)
			s.single = []float64{0.5, 0.8}[s.random.IntN(2)]
		}
		s.sceneLeft = sweepCycles*max(degree, 16) + 1
	}
	s.scene++
}

// opening shows the state after reset: all requesters of every arbiter request, and no tick adds to the
// first credit.
func (s *Stimulus) opening() {
	s.sources(0, 1)
	s.receivers(always, always)
	s.paces.neighbors(0, 0)
	s.sceneLeft = 30
}

// sweepCycles is the number of cycles that a sweep spends on each stream or neighbour in turn.
const sweepCycles = 10

// passCycles is sweepCycles for passes of entrants, which take ticks.
const passCycles = 20

// passesCycles is the length of the scene in which messages pass the entrants of each ring port in turn, in each
// manner.
func passesCycles(p *plan.Plan) int {
	rings := len(passedRings(p))
	rounds := max(3, 12/max(1, rings)) // each port has each manner once in a round
	return passCycles * rounds * rings * len(passManners)
}

// passedRings lists the ring ports with entrants from links.
func passedRings(p *plan.Plan) (rings []int) {
	for i, q := range p.Ports {
		if q.Ring && (len(q.TransferFrom) > 0 || len(p.Dims[q.Dimension-1].Sources) > 0) {
			rings = append(rings, i)
		}
	}
	return rings
}

// passManner is a manner in which messages pass the entrants of a ring port.
type passManner int

const (
	everyCycle   passManner = iota // a pass in every cycle, and fast ticks
	slowTicks                      // several passes in a tick
	manyTicks                      // more ticks than passes
	shorterLinks                   // only entrants from shorter links
	badEntrants                    // malformed entrants of a link, and fast ticks; others between them bring back the turns of arbiters
)

// passManners are the manners in order. badEntrants appears most often, because two passes beside malformed entrants are rare.
var passManners = []passManner{everyCycle, badEntrants, slowTicks, badEntrants, manyTicks, badEntrants, shorterLinks}

// sweepOn advances a sweep when its step has ended.
func (s *Stimulus) sweepOn() {
	if s.sweep != nil && s.sceneLeft%s.step == 0 {
		s.sweep()
	}
}

// slowClock makes the clock of one neighbour slow.
func (s *Stimulus) slowClock() {
	s.paces.neighbors(1, []float64{0, 0.2, 1}[s.random.IntN(3)])
	s.paces.catchUp[s.slowest], s.paces.runAhead[s.slowest] = 0.2, 0
	s.slowest = (s.slowest + 1) % s.plan.Degree
}

// aimAtOutput makes messages enter on one output.
func (s *Stimulus) aimAtOutput() {
	s.aim = s.target
	s.target = (s.target + 1) % s.plan.Degree
}

// lonePort makes one link send, and rarely the inputs whose messages enter where its messages continue.
func (s *Stimulus) lonePort() {
	s.sources(0, []float64{0.3, 1}[s.random.IntN(2)])
	s.receivers([]manner{always, half}[s.random.IntN(2)], []manner{always, half}[s.random.IntN(2)])
	s.rate[s.lone] = []float64{0.5, 1}[s.random.IntN(2)]
	if q := s.plan.Ports[s.lone]; q.Ring {
		for _, p := range s.plan.Ports[q.ContinueTo].TransferFrom {
			s.rate[p] = 0.6
		}
	}
	s.lone = (s.lone + 1) % s.plan.Degree
}

// passEntrants makes messages continue on a ring port while others request to enter there.
func (s *Stimulus) passEntrants() {
	port, manner := s.rings[s.passStep%len(s.rings)], passManners[s.passStep/len(s.rings)%len(passManners)]
	s.passStep++
	q := s.plan.Ports[port]
	s.sources(0, 0)
	s.receivers(always, always)
	s.malformed, s.far, s.everyone, s.aim, s.pure, s.quiet = 0.1, true, true, none, none, true
	s.paces.neighbors(1, 1)
	entrants := slices.Concat(q.TransferFrom, s.plan.Dims[q.Dimension-1].Sources)
	rate, stream := 0.3, 0.9
	switch manner {
	case slowTicks:
		s.paces.neighbors(0.5, 0.5)
		s.manner[port] = half
	case manyTicks:
		s.manner[port] = half
	case shorterLinks:
		s.paces.neighbors(0.5, 0.5)
		s.manner[port] = half
		s.malformed, stream = 0.3, 0.5
		if len(q.TransferFrom) > 0 {
			entrants = q.TransferFrom
		}
	case badEntrants:
		entrants = []int{entrants[s.random.IntN(len(entrants))]}
		s.malformed, s.pure, rate, stream = 0.6, q.ContinueFrom, 1, 0.6
	}
	for range 2 { // more would exceed what delivery can take
		s.rate[entrants[s.random.IntN(len(entrants))]] = rate
	}
	s.rate[q.ContinueFrom] = stream
}

// blockOutput blocks an output. The links whose messages it takes send, the others rarely, so that
// all other copies of a message are soon made.
func (s *Stimulus) blockOutput() {
	s.receivers(always, always)
	s.sources(0.3/float64(s.plan.Degree), 0.4)
	output := s.swept
	if s.swept++; s.backwards {
		s.swept += len(s.manner) - 2
	}
	s.swept %= len(s.manner)
	s.manner[output] = blocked
	s.single, s.aim, s.everyone = 0, -1, true
	if output >= s.plan.Degree {
		s.rate[output-s.plan.Degree] = 0.35
		return
	}
	if s.plan.Destination != nil {
		s.rate[s.plan.Degree] = 1
		if s.random.IntN(3) == 0 {
			s.aim, s.everyone = output, false
		}
	}
	now := s.plan.Ports[output]
	for _, p := range now.TransferFrom {
		s.rate[p] = 0.2
	}
	if now.Ring {
		s.rate[now.ContinueFrom] = 0.8
	}
}
