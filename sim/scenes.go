// SPDX-License-Identifier: Apache-2.0

package sim

// newScene sets the scene of the next cycles: a rate for every source, a manner for
// every receiver and the neighbours' clocks.
func (s *stimulus) newScene() {
	degree := s.plan.Degree
	s.malformed, s.far, s.sweeps = 0.1, false, false
	s.neighbors(1, 0.5)
	switch s.scene % 10 {
	case 0, 6: // every stream for itself
		s.mix(true)
		for p := range s.catchUp {
			s.catchUp[p] = []float64{0.02, 0.2, 1}[s.random.IntN(3)]
		}
		s.runAhead = []float64{0, 0.1, 1}[s.random.IntN(3)]
		s.sceneLeft = s.between(40, 100)
	case 1: // everything at once
		s.sources(1, 1)
		s.receivers(always, always)
		s.sceneLeft = s.between(20, 60)
	case 2: // all slots fill, all inputs block
		s.sources(1, 1)
		s.receivers(blocked, blocked)
		s.sceneLeft = s.between(25, 30) + 2*s.plan.InputSlots
	case 3: // and drain haltingly
		s.sources(1, 1)
		s.mix(false)
		s.sceneLeft = s.between(40, 80)
	case 4: // malformed headers press in
		s.sources([]float64{0.15, 0.7}[s.random.IntN(2)], 0.3)
		s.receivers([]manner{always, half}[s.random.IntN(2)], half)
		s.malformed = 0.7
		s.sceneLeft = s.between(60, 100)
	case 5: // the local input almost alone, its neighbours' clocks fast or slow
		s.sources(0.05, 1)
		s.receivers(always, always)
		s.neighbors([]float64{0.1, 0.5, 1}[s.random.IntN(3)], []float64{0, 1}[s.random.IntN(2)])
		s.sceneLeft = s.between(40, 80)
	case 7: // one ring after the other is full of messages that go on
		s.sources(0, 0.5)
		s.receivers(always, always)
		s.malformed, s.far, s.sweeps = 0.05, true, true
		s.sceneLeft = sweepCycles*degree + 1
	case 8: // one dimension is full of messages that go on, others want in
		dim := s.random.IntN(len(s.plan.Dims)) + 1
		s.sources(0.2, 1)
		for p, q := range s.plan.Ports {
			if q.Dimension == dim {
				s.rate[p] = 1
			}
		}
		s.receivers(half, always)
		s.malformed, s.far = 0.02, true
		s.sceneLeft = s.between(40, 80)
	case 9: // long stalls, then silence
		s.sources(0.3, 0.3)
		s.receivers(stalls, half)
		s.sceneLeft = s.between(60, 100)
		if s.random.IntN(2) == 0 {
			s.sources(0, 0)
			s.receivers(always, always)
		}
	}
	s.scene++
}

// A sweep blocks one link output after the other for so many cycles, while the links whose
// messages go on there send.
const sweepCycles = 10

// sweepOn goes to the next port of a sweep when its time has come.
func (s *stimulus) sweepOn() {
	if !s.sweeps || s.sceneLeft%sweepCycles != 0 {
		return
	}
	s.manner[s.swept] = always
	s.swept = (s.swept + 1) % s.plan.Degree
	s.manner[s.swept] = blocked
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
