// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"

	"github.com/hcgen/hcgen/gen/plan"
)

// stimulus drives all ports of one router. Time is cut into scenes; a scene
// gives every source a rate and every receiver a manner, so that each situation
// the router can meet comes up again and again: all queues full, one receiver
// blocked while the others drain, long silence, the gate closing and opening.
// A source that has put a message on its stream holds it until the handshake.
type stimulus struct {
	plan   *plan.Plan
	random *rand.Rand
	scene  int // number of scenes so far
	left   int // cycles of the scene still to come

	rate      []float64 // by stream: probability that an idle source starts; the local input is last
	manner    []manner  // by stream: of the receivers; the local output is last
	run       []int     // by receiver: cycles left of a run of the same ready value (stalls only)
	runReady  []bool    // by receiver: that value
	malformed float64   // share of malformed headers
	far       bool      // prefer messages that go on
	pulsing   bool      // one port after the other sends, at intervals around the quiet time
	pulse     int       // the next one
	pulses    int       // number of such messages so far
	pulseIn   int       // cycles until the next
	sweep     sweep
	swept     int // port that a sweep has reached

	in       Inputs
	seq      uint32
	malforms []int // by port: malformed messages so far
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
	n := p.Degree + 1
	return &stimulus{
		plan:     p,
		random:   rand.New(rand.NewPCG(key(uint64(seed), purposeStimulus), golden)),
		rate:     make([]float64, n),
		manner:   make([]manner, n),
		run:      make([]int, n),
		runReady: make([]bool, n),
		malforms: make([]int, p.Degree),
	}
}

// between returns a random integer from low to high, both included.
func (s *stimulus) between(low, high int) int { return low + s.random.IntN(high-low+1) }

func (s *stimulus) sources(link, local float64) {
	for p := range s.rate {
		s.rate[p] = link
	}
	s.rate[s.plan.Degree] = local
}

func (s *stimulus) receivers(link, local manner) {
	for p := range s.manner {
		s.manner[p] = link
	}
	s.manner[s.plan.Degree] = local
}

func (s *stimulus) mix(sources bool) {
	for p := range s.manner {
		if sources {
			s.rate[p] = []float64{0, 0.1, 0.5, 1, 1}[s.random.IntN(5)]
		}
		s.manner[p] = manner(s.random.IntN(int(manners)))
	}
}

// patience is a time in which a balance far below 0 recovers by deliveries,
// unless the network is so large that only silence brings it back.
func (s *stimulus) patience() int { return min(3*s.plan.Gate.Cap, 300) }

// newScene sets the scene of the next cycles.
func (s *stimulus) newScene() {
	quiet := 1 << s.plan.Gate.QuietBits
	degree := s.plan.Degree
	s.malformed, s.far, s.pulsing, s.sweep = 0.1, false, false, noSweep
	switch s.scene % 16 {
	case 0, 8: // every stream for itself
		s.mix(true)
		s.left = s.between(40, 100)
	case 1: // everything at once
		s.sources(1, 1)
		s.receivers(always, always)
		s.left = s.between(20, 60)
	case 2: // all queues fill, all inputs block
		s.sources(1, 1)
		s.receivers(blocked, blocked)
		s.left = s.between(64, 80)
	case 3: // and drain haltingly
		s.sources(1, 1)
		s.mix(false)
		s.left = s.between(50, 100)
	case 4: // malformed headers press in, a few at a time
		s.sources(0.15, 0.3)
		s.receivers(always, always)
		s.malformed = 0.8
		s.left = s.between(100, 140)
	case 5, 13: // the gate closes and opens by silence, with a message now and then
		s.sources(0, 1)
		s.receivers(always, always)
		s.pulsing, s.far = true, true
		s.pulseIn = s.between(0, 2*quiet)
		s.malformed = 0
		s.left = s.between(5, 7)*quiet + 30
	case 6: // a free run of injections against one blocked link after the other
		s.sources(0, 1)
		s.receivers(always, always)
		s.sweep = sweepLocal
		s.left = quiet + 20 + sweepCycles*degree
	case 7: // the gate closes and opens by deliveries
		s.sources(0.5, 1)
		s.receivers(always, always)
		s.left = s.between(40, 60) + s.patience()
	case 9: // one ring after the other is full of messages that go on
		s.sources(0, 0.5)
		s.receivers(always, always)
		s.malformed, s.far = 0.05, true
		s.sweep = sweepRing
		s.left = sweepCycles * degree
	case 10: // silence, then (next scene) deliveries at full balance
		s.sources(0, 0)
		s.receivers(always, always)
		s.left = quiet + s.between(8, 30)
	case 11:
		s.sources(0.3, 0)
		s.receivers(half, always)
		s.left = s.between(30, 60)
	case 12: // malformed headers in a crowd
		s.sources(0.7, 0.7)
		s.receivers(half, half)
		s.malformed = 0.5
		s.left = s.between(40, 70)
	case 14: // one dimension is full of messages that go on, others want in
		dim := s.random.IntN(len(s.plan.Dims)) + 1
		s.sources(0.2, 1)
		for p, q := range s.plan.Ports {
			if q.Dimension == dim {
				s.rate[p] = 1
			}
		}
		s.receivers(half, always)
		s.malformed, s.far = 0.02, true
		s.left = s.between(60, 120)
	case 15: // the local input alone against long stalls
		s.sources(0.05, 1)
		s.receivers(stalls, half)
		s.left = s.between(60, 120)
	}
	s.scene++
}

// Sweeps change a scene every sweepCycles cycles: they block one link output
// after the other.
type sweep uint8

const (
	noSweep    sweep = iota
	sweepLocal       // only the blocked port changes
	sweepRing        // and the links whose messages go on there send
)

const sweepCycles = 12

// sweepOn goes to the next port of a sweep when its time has come.
func (s *stimulus) sweepOn() {
	if s.sweep == noSweep || s.left%sweepCycles != 0 {
		return
	}
	s.manner[s.swept] = always
	s.swept = (s.swept + 1) % s.plan.Degree
	s.manner[s.swept] = blocked
	if s.sweep == sweepRing {
		for p := range s.plan.Ports {
			s.rate[p] = 0.05
		}
		now := s.plan.Ports[s.swept]
		for _, p := range now.TransferFrom {
			s.rate[p] = 0.2
		}
		if now.Ring {
			s.rate[now.ContinueFrom] = 1
		}
	}
}

// header draws the header of a message for link input p.
func (s *stimulus) header(p int, m *Message) {
	q := &s.plan.Ports[p]
	if s.random.Float64() < s.malformed {
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

// drive sets the inputs of the next cycle. Before it, the caller has removed
// the messages that were taken (taken).
func (s *stimulus) drive() *Inputs {
	if s.left == 0 {
		s.newScene()
	}
	s.left--
	s.sweepOn()
	degree := s.plan.Degree
	s.pulseIn--
	for p := 0; p < degree; p++ {
		if s.in.LinkValid>>p&1 != 0 {
			continue
		}
		start := s.random.Float64() < s.rate[p]
		if p == s.pulse && s.pulsing && s.pulseIn <= 0 {
			start = true
			s.pulses++
			s.pulseIn = 1 << s.plan.Gate.QuietBits // the last moment before quiet
			if s.random.IntN(3) > 0 {
				s.pulseIn += s.between(-2, 6)
			}
		}
		if start {
			m := Message{Seq: s.seq}
			s.seq++
			if s.plan.SourceBits > 0 {
				m.Source = s.random.Uint32N(1 << s.plan.SourceBits)
			}
			s.header(p, &m)
			s.in.Link[p] = m
			s.in.LinkValid |= 1 << p
		}
	}
	if !s.in.LocalValid && s.random.Float64() < s.rate[degree] {
		s.in.LocalValid, s.in.LocalSeq = true, s.seq
		s.seq++
	}
	if s.pulsing && s.pulseIn > 0 && s.in.LinkValid>>s.pulse&1 == 0 {
		s.pulse = s.pulses % degree
	}
	s.in.LinkReady = 0
	for p := range s.manner {
		ready := s.receiver(p)
		if p == degree {
			s.in.LocalReady = ready
		} else if ready {
			s.in.LinkReady |= 1 << p
		}
	}
	return &s.in
}

// receiver tells whether receiver p is ready in this cycle.
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
