// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"math/rand/v2"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// none stands for no port.
const none = -1

// Stimulus drives all ports of one router through random scenes (scenes.go). A source that has
// put a message on its stream holds it until the handshake. The clocks of neighbours behave as
// those of routers: their pace differs from the router's by at most the lead, and may be read late.
type Stimulus struct {
	plan   *plan.Plan
	random *rand.Rand
	others *rand.Rand // for the passes of entrants

	rate      []float64 // by stream: probability that an idle source starts; the local input is last
	manner    []manner  // by stream: of the receivers; the local outputs are last
	run       []int     // by receiver: cycles left of a run of the same ready value (stalls only)
	runReady  []bool    // by receiver: that value
	malformed float64   // share of malformed headers
	far       bool      // prefer messages with steps left
	single    float64   // with destinations: share of messages of the local input that are for at most one node
	everyone  bool      // with destinations: most messages of links spread, with fields all or stay
	aim       int       // with destinations: output on which many messages enter; -1: none

	paces    followers
	barriers followers

	time      int  // cycles since reset
	scene     int  // number of scenes so far
	sceneLeft int  // cycles left of the scene
	quiet     bool // the scene begins when the router is empty
	sweep     func()
	step      int   // cycles of each step of a sweep
	pure      int   // link input that gets no malformed headers, or none
	rings     []int // ring ports with entrants from links
	passStep  int   // steps of the sweep of rings so far
	swept     int   // next output, clock or link of a sweep
	backwards bool  // the sweep of outputs goes from the last output to the first
	slowest   int
	lone      int
	target    int // next output that a sweep aims at

	in       sim.Inputs
	seq      uint32
	malforms []int // by port: malformed messages so far
}

// followers are the neighbours' clocks of one kind.
type followers struct {
	lead     uint      // ticks by which two neighbours can differ
	mask     uint8     // their paces count modulo mask + 1
	catchUp  []float64 // by port: probability in a cycle that a neighbour's pace follows
	runAhead []float64 // by port: probability in a cycle that a neighbour that may get ahead does
	ticks    uint      // of the router
	seen     uint      // ticks of the router in the previous cycle
	others   []uint    // by port: ticks of the neighbour
}

func newFollowers(degree, lead, bits int) followers {
	return followers{lead: uint(lead), mask: uint8(1<<bits - 1), catchUp: make([]float64, degree), runAhead: make([]float64, degree), others: make([]uint, degree)}
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

// NewStimulus returns a stimulus before its first cycle.
func NewStimulus(p *plan.Plan, seed int64) *Stimulus {
	sources, receivers := p.Degree+1, p.Degree+p.Deliveries
	return &Stimulus{
		plan:     p,
		random:   rand.New(rand.NewPCG(key(uint64(seed), purposeStimulus), golden)),
		others:   rand.New(rand.NewPCG(key(uint64(seed), purposePasses), golden)),
		rate:     make([]float64, sources),
		manner:   make([]manner, receivers),
		run:      make([]int, receivers),
		runReady: make([]bool, receivers),
		malforms: make([]int, p.Degree),
		paces:    newFollowers(p.Degree, p.Lead, p.PaceBits),
		barriers: newFollowers(p.Degree, 1, plan.BarrierPaceBits),
		rings:    passedRings(p),
	}
}

// between returns a random integer from low to high, both included.
func (s *Stimulus) between(low, high int) int { return low + s.random.IntN(high-low+1) }

// chance is true with a probability.
func (s *Stimulus) chance(p float64) bool { return p > 0 && (p >= 1 || s.random.Float64() < p) }

func (s *Stimulus) sources(link, local float64) {
	for p := range s.rate {
		s.rate[p] = link
	}
	s.rate[s.plan.Degree] = local
}

func (s *Stimulus) receivers(link, local manner) {
	for p := range s.manner {
		s.manner[p] = link
		if p >= s.plan.Degree {
			s.manner[p] = local
		}
	}
}

func (s *Stimulus) mix(sources bool) {
	for p := range s.manner {
		if sources && p < len(s.rate) {
			s.rate[p] = []float64{0, 0.1, 0.5, 1, 1}[s.random.IntN(5)]
		}
		s.manner[p] = manner(s.random.IntN(int(manners)))
	}
}

// neighbors sets the speed with which the neighbours' paces follow.
func (f *followers) neighbors(catchUp, runAhead float64) {
	for p := range f.catchUp {
		f.catchUp[p], f.runAhead[p] = catchUp, runAhead
	}
}

// route draws the route of a message of a link input of dimension i. Fields that the input ignores are arbitrary. If
// outOfRange is set, the distance of one of the other fields is too large, if that is possible.
func (s *Stimulus) route(i int, m *sim.Message, outOfRange bool) {
	d := s.plan.Destination
	if d == nil {
		return
	}
	m.Spread = s.random.IntN(2) == 0
	m.Route = s.random.Uint64() & (1<<d.RouteBits - 1)
	everyone := s.everyone && s.random.IntN(4) > 0
	m.Spread = m.Spread || everyone
	bad := []int{}
	for j, f := range d.Fields[:i-1] {
		flag, x := uint64(s.random.IntN(2)), uint64(0) // stay, or all
		if !everyone && s.random.IntN(2) == 0 {
			x = uint64(s.between(1, f.MaxDistance))
		}
		m.Route = m.Route&^((1<<f.Bits()-1)<<f.RouteLow) | (flag<<f.DistanceBits|x)<<f.RouteLow
		if f.MaxDistance < 1<<f.DistanceBits-1 {
			bad = append(bad, j)
		}
	}
	if q, ok := s.aimed(); ok && q.Dimension < i && s.random.IntN(2) == 0 {
		m.Spread = true
		for j := q.Dimension; j < i; j++ {
			f := d.Fields[j-1]
			field := uint64(0) // stay
			if j == q.Dimension {
				field = uint64(q.Distance)
				if q.Direction == hypercycle.CCW {
					field |= 1 << f.DistanceBits
				}
			}
			m.Route = m.Route&^((1<<f.Bits()-1)<<f.RouteLow) | field<<f.RouteLow
		}
	}
	if outOfRange && len(bad) > 0 {
		f := d.Fields[bad[s.random.IntN(len(bad))]]
		x := uint64(s.between(f.MaxDistance+1, 1<<f.DistanceBits-1))
		m.Route = m.Route&^((1<<f.DistanceBits-1)<<f.RouteLow) | x<<f.RouteLow
	}
}

// aimed returns the port on which many messages enter, if there is one.
func (s *Stimulus) aimed() (*plan.Port, bool) {
	if s.aim < 0 {
		return nil, false
	}
	return &s.plan.Ports[s.aim], true
}

// destination draws a destination for the local input. The share of malformed headers has arbitrary bits, which are often
// illegal, or the node itself.
func (s *Stimulus) destination() (tdest uint64) {
	d := s.plan.Destination
	if d == nil {
		return 0
	}
	tdest = s.random.Uint64() & (1<<d.TDestBits - 1)
	nobody := false
	if s.chance(s.malformed) {
		if nobody = s.random.IntN(3) == 0; !nobody {
			return tdest
		}
	}
	single := nobody || s.chance(s.single)
	q, aimed := s.aimed()
	aimed = aimed && !nobody && s.random.IntN(4) > 0
	for i, f := range d.Fields {
		digit := s.plan.Machine.Graph.Digit(RouterNode(s.plan), i+1)
		if aimed && i+1 == q.Dimension {
			digit += q.Distance
			if q.Direction == hypercycle.CCW {
				digit += s.plan.Dims[i].M - 2*q.Distance
			}
			digit %= s.plan.Dims[i].M
		} else if !nobody && !(aimed && i+1 > q.Dimension) && s.random.IntN(3) > 0 {
			digit = s.random.IntN(s.plan.Dims[i].M)
		}
		if single || aimed && i+1 >= q.Dimension {
			tdest &^= 1 << (f.TDestLow + f.DigitBits)
		}
		tdest = tdest&^((1<<f.DigitBits-1)<<f.TDestLow) | uint64(digit)<<f.TDestLow
	}
	return tdest
}

// header draws the header of a message for link input p.
func (s *Stimulus) header(p int, m *sim.Message) {
	q := &s.plan.Ports[p]
	m.Last = s.plan.LastBits > 0 && s.random.IntN(2) == 0
	if s.plan.ScopeBits > 0 {
		m.Scope = uint32(s.random.IntN(1 << s.plan.ScopeBits))
	}
	malformed := p != s.pure && s.chance(s.malformed)
	outOfRange := malformed && s.plan.Destination != nil && s.random.IntN(3) == 0
	s.route(q.Dimension, m, outOfRange)
	if malformed && !outOfRange {
		// In turn: the right dimension with the next illegal weight, and the
		// next wrong dimension with any weight.
		turn := s.malforms[p]
		s.malforms[p]++
		most := 1<<s.plan.WcBits - 1
		if turn%2 == 0 {
			illegal := 1 + most - q.D // number of illegal weights: 0, and all above D
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

// Router is a router that a stimulus drives.
type Router interface {
	Pace() uint8
	BarrierPace() uint8
	Held() int // messages in all registers
}

// Drive sets the inputs of the next cycle of a router. The caller first ends the offers that were taken (Taken).
func (s *Stimulus) Drive(r Router) *sim.Inputs {
	if s.sceneLeft == 0 {
		s.newScene()
	}
	s.quiet = s.quiet && !(r.Held() == 0 && s.in.LinkValid == 0 && !s.in.LocalValid)
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
	s.paces.follow(r.Pace(), s.chance, s.in.LinkPace[:degree])
	if s.plan.Machine.Barrier {
		if (s.time-1)%s.plan.BarrierPeriod() == 0 {
			s.barriers.neighbors([]float64{1, 0.3}[s.scene%2], []float64{0.5, 1, 0}[s.scene%3])
			s.barriers.follow(r.BarrierPace(), s.chance, s.in.LinkBarrierPace[:degree])
		}
		s.in.BarrierArrive = s.in.BarrierArrive || s.chance(arrivalRate)
	}
	return &s.in
}

// send lets sources without a message start one.
func (s *Stimulus) send() {
	degree := s.plan.Degree
	for p := range degree {
		if s.in.LinkValid>>p&1 != 0 || s.time > 0 && !s.chance(s.rate[p]) {
			continue
		}
		m := sim.Message{Seq: s.seq}
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
		s.in.LocalValid, s.in.LocalSeq, s.in.LocalDest = true, s.seq, s.destination()
		s.in.LocalLast = s.plan.LastBits > 0 && s.random.IntN(2) == 0
		s.seq++
	}
}

// follow sets the paces of the neighbours, by port, in a cycle in which the router has this pace. A neighbour may advance at
// the end of a cycle in which the router was not behind it, and its pace may be read any number of cycles later. A neighbour
// behind the router does not move until it is behind by the lead, where the router waits for it.
func (f *followers) follow(pace uint8, chance func(float64) bool, paces []uint8) {
	f.ticks += uint((pace - uint8(f.ticks)) & f.mask)
	for p := range f.others {
		if f.others[p]+f.lead <= f.ticks && chance(f.catchUp[p]) {
			f.others[p] = f.ticks
		}
		if f.seen <= f.others[p] && f.others[p] < f.seen+f.lead && chance(f.runAhead[p]) {
			f.others[p]++
		}
		paces[p] = uint8(f.others[p]) & f.mask
	}
	f.seen = f.ticks
}

// receiver reports whether receiver p is ready in this cycle.
func (s *Stimulus) receiver(p int) bool {
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

// Taken ends the offers that completed a handshake.
func (s *Stimulus) Taken(out *sim.Outputs) {
	s.in.LinkValid &^= out.LinkReady
	if out.LocalReady {
		s.in.LocalValid = false
	}
	if out.BarrierRelease {
		s.in.BarrierArrive = false
	}
}
