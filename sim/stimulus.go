// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"

	"github.com/hcgen/hcgen/plan"
)

// stimulus drives all ports of one router through random scenes (scenes.go). A source that
// has put a message on its stream holds it until the handshake. Neighbours take part in the
// clocks as routers do: the pace of one that is read is never more than one behind or ahead of
// the router's, and may be read late.
type stimulus struct {
	plan   *plan.Plan
	random *rand.Rand

	rate      []float64 // by stream: probability that an idle source starts; the local input is last
	manner    []manner  // by stream: of the receivers; the local outputs are last
	run       []int     // by receiver: cycles left of a run of the same ready value (stalls only)
	runReady  []bool    // by receiver: that value
	malformed float64   // share of malformed headers
	far       bool      // prefer messages that go on
	catchUp   []float64 // by port: probability in a cycle that a neighbour's pace follows
	runAhead  []float64 // by port: probability in a cycle that one that could get ahead does

	time      int  // cycles since reset
	scene     int  // number of scenes so far
	sceneLeft int  // cycles of the scene still to come
	quiet     bool // the scene begins when the router is empty
	sweep     func()
	swept     int // outputs, clocks and links that sweeps come to next
	slowest   int
	lone      int

	in       Inputs
	seq      uint32
	malforms []int  // by port: malformed messages so far
	ticks    uint   // of the router
	seen     uint   // of the router in the cycle before
	others   []uint // by port: ticks of the neighbour
}

// manner is how a receiver behaves.
type manner uint8

const (
	always  manner = iota // ready in every cycle
	half                  // ready in random half of the cycles
	stalls                // not ready for 10 to 50 cycles, then ready for 1 to 4
	blocked               // never ready
	manners
)

func newStimulus(p *plan.Plan, seed int64) *stimulus {
	sources, receivers := p.Degree+1, p.Degree+p.Deliveries
	return &stimulus{
		plan:     p,
		random:   rand.New(rand.NewPCG(key(uint64(seed), purposeStimulus), golden)),
		rate:     make([]float64, sources),
		manner:   make([]manner, receivers),
		run:      make([]int, receivers),
		runReady: make([]bool, receivers),
		catchUp:  make([]float64, p.Degree),
		runAhead: make([]float64, p.Degree),
		malforms: make([]int, p.Degree),
		others:   make([]uint, p.Degree),
	}
}

// between returns a random integer from low to high, both included.
func (s *stimulus) between(low, high int) int { return low + s.random.IntN(high-low+1) }

// chance is true with a probability.
func (s *stimulus) chance(p float64) bool { return p > 0 && (p >= 1 || s.random.Float64() < p) }

func (s *stimulus) sources(link, local float64) {
	for p := range s.rate {
		s.rate[p] = link
	}
	s.rate[s.plan.Degree] = local
}

func (s *stimulus) receivers(link, local manner) {
	for p := range s.manner {
		s.manner[p] = link
		if p >= s.plan.Degree {
			s.manner[p] = local
		}
	}
}

func (s *stimulus) mix(sources bool) {
	for p := range s.manner {
		if sources && p < len(s.rate) {
			s.rate[p] = []float64{0, 0.1, 0.5, 1, 1}[s.random.IntN(5)]
		}
		s.manner[p] = manner(s.random.IntN(int(manners)))
	}
}

// neighbors sets how fast the neighbours' paces follow.
func (s *stimulus) neighbors(catchUp, runAhead float64) {
	for p := range s.catchUp {
		s.catchUp[p], s.runAhead[p] = catchUp, runAhead
	}
}

// header draws the header of a message for link input p.
func (s *stimulus) header(p int, m *Message) {
	q := &s.plan.Ports[p]
	if s.chance(s.malformed) {
		// In turn: the right dimension with the next illegal weight, and the
		// next wrong dimension with any weight.
		turn := s.malforms[p]
		s.malforms[p]++
		most := 1<<s.plan.WcBits - 1
		if turn%2 == 0 {
			illegal := 1 + most - q.D // 0 and those above D
			m.WD = uint8(q.Dimension)
			if i := turn / 2 % illegal; i > 0 {
				m.WC = uint32(q.D + i)
			}
			return
		}
		wrong := turn / 2 % (1<<s.plan.WdBits - 1)
		if wrong >= q.Dimension {
			wrong++
		}
		m.WD, m.WC = uint8(wrong), uint32(s.between(0, most))
		return
	}
	m.WD, m.WC = uint8(q.Dimension), uint32(s.between(1, q.D))
	if s.far && m.WC == 1 && q.D > 1 {
		m.WC = uint32(s.between(2, q.D))
	}
}

// drive sets the inputs of the next cycle, in which the router has this pace and is empty or not. Before it, the
// caller has removed the messages that were taken (taken).
func (s *stimulus) drive(pace uint8, empty bool) *Inputs {
	if s.sceneLeft == 0 {
		s.newScene()
	}
	s.quiet = s.quiet && !(empty && s.in.LinkValid == 0 && !s.in.LocalValid)
	if !s.quiet {
		s.sceneLeft--
		s.sweepOn()
		s.send()
	}
	s.time++
	degree := s.plan.Degree
	s.in.LinkReady, s.in.LocalReady = 0, 0
	for p := range s.manner {
		if !s.receiver(p) {
			continue
		}
		if p < degree {
			s.in.LinkReady |= 1 << p
		} else {
			s.in.LocalReady |= 1 << (p - degree)
		}
	}
	s.drivePaces(pace)
	return &s.in
}

// send lets sources without a message start one.
func (s *stimulus) send() {
	degree := s.plan.Degree
	for p := range degree {
		if s.in.LinkValid>>p&1 != 0 || s.time > 0 && !s.chance(s.rate[p]) {
			continue
		}
		m := Message{Seq: s.seq}
		s.seq++
		if s.plan.SourceBits > 0 {
			m.Source = s.random.Uint32N(1 << s.plan.SourceBits)
		}
		s.header(p, &m)
		if s.time == 0 {
			m.WD, m.WC = uint8(s.plan.Ports[p].Dimension), uint32(s.plan.Ports[p].D)
		}
		s.in.Link[p] = m
		s.in.LinkValid |= 1 << p
	}
	if !s.in.LocalValid && s.time >= s.plan.Stages-1 && s.chance(s.rate[degree]) {
		s.in.LocalValid, s.in.LocalSeq = true, s.seq
		s.seq++
	}
}

// drivePaces sets the paces of the neighbours. One advances at the end of a cycle if the
// router was not behind it in that cycle, and its pace may be read any number of cycles later.
func (s *stimulus) drivePaces(pace uint8) {
	s.ticks += uint((pace - uint8(s.ticks)) & paceMask)
	s.in.LinkPace = 0
	for p := range s.others {
		if s.others[p] < s.ticks && s.chance(s.catchUp[p]) {
			s.others[p] = s.ticks
		}
		if s.others[p] == s.seen && s.chance(s.runAhead[p]) {
			s.others[p]++
		}
		s.in.LinkPace |= uint64(s.others[p]&paceMask) << (plan.PaceBits * p)
	}
	s.seen = s.ticks
}

// receiver reports whether receiver p is ready in this cycle.
func (s *stimulus) receiver(p int) bool {
	switch s.manner[p] {
	case always:
		return true
	case half:
		return s.random.IntN(2) == 0
	case blocked:
		return false
	}
	if s.run[p] == 0 {
		s.runReady[p] = !s.runReady[p]
		s.run[p] = s.between(10, 50)
		if s.runReady[p] {
			s.run[p] = s.between(1, 4)
		}
	}
	s.run[p]--
	return s.runReady[p]
}

// taken ends the offers that completed a handshake.
func (s *stimulus) taken(out *Outputs) {
	s.in.LinkValid &^= out.LinkReady
	if out.LocalReady {
		s.in.LocalValid = false
	}
}
