// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"

	"github.com/hcgen/hcgen/gen/plan"
)

// stimulus drives all ports of one router. It works through a program of
// segments (program.go): random scenes (scenes.go) that meet every situation of
// the crossbar again and again, and drills (drills.go) that bring the gate to the
// edges of its rules. A source that has put a message on its stream holds it until the
// handshake.
type stimulus struct {
	plan    *plan.Plan
	random  *rand.Rand
	program []segment // that follow the current one; then scenes without end
	now     segment
	time    int // cycles since reset
	passed  int // cycles of the current segment

	injected int  // by the local input in the current segment
	since    int  // cycles since the last of them, or of the segment
	flows    bool // in the opening: the gate has closed

	rate      []float64 // by stream: probability that an idle source starts; the local input is last
	manner    []manner  // by stream: of the receivers; the local outputs are last
	run       []int     // by receiver: cycles left of a run of the same ready value (stalls only)
	runReady  []bool    // by receiver: that value
	malformed float64   // share of malformed headers
	far       bool      // prefer messages that go on
	weight    []uint32  // by link input: of messages in the right dimension, instead of random ones; 0: random
	misfits   uint32    // link inputs where they are in a wrong dimension instead
	full      bool      // headers of the largest weight, instead of random ones

	scene     int // number of random scenes so far
	sceneLeft int // cycles of the scene still to come
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

func newStimulus(p *plan.Plan, seed int64, program []segment) *stimulus {
	sources, receivers := p.Degree+1, p.Degree+p.Deliveries
	return &stimulus{
		program:  program,
		weight:   make([]uint32, p.Degree),
		plan:     p,
		random:   rand.New(rand.NewPCG(key(uint64(seed), purposeStimulus), golden)),
		rate:     make([]float64, sources),
		manner:   make([]manner, receivers),
		run:      make([]int, receivers),
		runReady: make([]bool, receivers),
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

// header draws the header of a message for link input p.
func (s *stimulus) header(p int, m *Message) {
	q := &s.plan.Ports[p]
	if s.weight[p] > 0 {
		m.WD, m.WC = uint8(q.Dimension)^uint8(s.misfits>>p&1), s.weight[p]
		return
	}
	if s.full {
		m.WD, m.WC = uint8(q.Dimension), uint32(q.D)
		return
	}
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
	for s.passed == s.now.cycles {
		s.nextSegment()
	}
	degree := s.plan.Degree
	clear(s.weight)
	s.misfits = 0
	s.direct()
	s.time++
	s.passed++
	s.since++
	for p := 0; p < degree; p++ {
		if s.in.LinkValid>>p&1 != 0 {
			continue
		}
		if s.random.Float64() < s.rate[p] {
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
		s.injected++
		s.since = 0
	}
}
