// SPDX-License-Identifier: Apache-2.0

package sim

// newScene sets the scene of the next cycles: a rate for every source and a
// manner for every receiver.
func (s *stimulus) newScene() {
	degree := s.plan.Degree
	s.malformed, s.far, s.sweep = 0.1, false, noSweep
	switch s.scene % 12 {
	case 0, 7: // every stream for itself
		s.mix(true)
		s.sceneLeft = s.between(40, 100)
	case 1: // everything at once
		s.sources(1, 1)
		s.receivers(always, always)
		s.sceneLeft = s.between(20, 60)
	case 2: // all queues fill, all inputs block
		s.sources(1, 1)
		s.receivers(blocked, blocked)
		s.sceneLeft = s.between(72, 80)
	case 3: // and drain haltingly
		s.sources(1, 1)
		s.mix(false)
		s.sceneLeft = s.between(50, 100)
	case 4: // malformed headers press in, a few at a time
		s.sources(0.15, 0.3)
		s.receivers(always, always)
		s.malformed = 0.8
		s.sceneLeft = s.between(100, 140)
	case 5: // injections against one blocked link after the other
		s.sources(0, 1)
		s.receivers(always, always)
		s.sweep = sweepLocal
		s.sceneLeft = sweepCycles*degree + 1
	case 6: // the local input presses in
		s.sources(0.5, 1)
		s.receivers(always, always)
		s.sceneLeft = s.between(40, 100)
	case 8: // one ring after the other is full of messages that go on
		s.sources(0, 0.5)
		s.receivers(always, always)
		s.malformed, s.far = 0.05, true
		s.sweep = sweepRing
		s.sceneLeft = sweepCycles*degree + 1
	case 9: // malformed headers in a crowd
		s.sources(0.7, 0.7)
		s.receivers([]manner{always, half}[s.random.IntN(2)], half)
		s.malformed = 0.5
		s.sceneLeft = s.between(60, 100)
	case 10: // one dimension is full of messages that go on, others want in
		dim := s.random.IntN(len(s.plan.Dims)) + 1
		s.sources(0.2, 1)
		for p, q := range s.plan.Ports {
			if q.Dimension == dim {
				s.rate[p] = 1
			}
		}
		s.receivers(half, always)
		s.malformed, s.far = 0.02, true
		s.sceneLeft = s.between(60, 120)
	case 11: // the local input almost alone against long stalls
		s.sources(0.05, 1)
		s.receivers(stalls, half)
		s.sceneLeft = s.between(60, 120)
	}
	s.scene++
}

// Sweeps change a scene every sweepCycles cycles: they block one link output
// after the other.
type sweep uint8

const (
	noSweep    sweep = iota
	sweepLocal       // the local input presses in; late, two messages go on there
	sweepRing        // the links whose messages go on there send
)

const sweepCycles = 12

// sweepOn goes to the next port of a sweep when its time has come.
func (s *stimulus) sweepOn() {
	left := s.sceneLeft % sweepCycles
	if s.sweep == sweepLocal {
		s.press(left)
	}
	if s.sweep == noSweep || left != 0 {
		return
	}
	s.manner[s.swept] = always
	s.swept = (s.swept + 1) % s.plan.Degree
	if s.sweep == sweepLocal {
		s.sources(0, 0)
		return
	}
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

// press is a cycle of a sweep of injections with so many cycles left for its port.
// In the first half everything leaves, then three injections fill two slots and wait for
// a third.
func (s *stimulus) press(left int) {
	if left == sweepCycles/2 {
		s.manner[s.swept] = blocked
		s.rate[s.plan.Degree] = 1
	}
	if left < sweepCycles/2 && s.plan.Ports[s.swept].Ring {
		// the first takes the slot that those that enter cannot take; the second
		// finds none
		f, _ := feedOf(s.plan, s.swept)
		s.rate[f.input], s.weight[f.input] = 0, f.wc
		if left == 4 || left == 1 {
			s.rate[f.input] = 1
		}
	}
}
