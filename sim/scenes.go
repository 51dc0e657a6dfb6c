// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// longestWait is the largest number of cycles that a receiver is not ready in
// free scenes: too few to raise the level.
const longestWait = 1<<plan.StandstillBits - 1

// blockedScene is the random scene in which every output stands still, unless the
// scenes are free.
const blockedScene = 2

// newScene sets the scene of the next cycles: a rate for every source and a
// manner for every receiver. Between free scenes there are rests, in which the
// router becomes calm and the debt is forgiven.
func (s *stimulus) newScene() {
	degree := s.plan.Degree
	s.malformed, s.far, s.sweep = 0.1, false, noSweep
	if s.rest = !s.rest && s.now.kind == freeScenes; s.rest {
		s.sources(0, []float64{0, 0.3, 1}[s.random.IntN(3)])
		s.receivers(always, always)
		s.sceneLeft = s.between(6, 20)
		return
	}
	switch s.scene % 12 {
	case 0, 7: // every stream for itself
		s.mix(true)
		s.sceneLeft = s.between(40, 100)
	case 1: // everything at once
		s.sources(1, 1)
		s.receivers(always, always)
		s.sceneLeft = s.between(20, 60)
	case blockedScene: // all queues fill, all inputs block
		s.sources(1, 1)
		s.receivers(blocked, blocked)
		s.sceneLeft = s.between(72, 80) // all are full, and the level rises
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
	case 6: // the gate closes and opens by deliveries
		s.sources(0.5, 1)
		s.receivers(always, always)
		// a time in which a balance far below 0 recovers, unless the network is so
		// large that only silence brings it back
		s.sceneLeft = s.between(40, 60) + min(6*s.plan.Gate.Cost, 300)
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
// In the first half everything leaves and the debt is forgiven, which is good for
// the three injections that fill a queue of two slots and wait for a third.
func (s *stimulus) press(left int) {
	if left == sweepCycles/2 {
		s.manner[s.swept] = blocked
		s.rate[s.plan.Degree] = 1
	}
	if left < sweepCycles/2 && s.plan.Ports[s.swept].Ring {
		// the first takes the last slot, which those that enter had to leave; the
		// second finds none
		f := feedOf(s.plan, s.swept)
		s.rate[f.input], s.weight[f.input] = 0, f.wc
		if left == 4 || left == 1 {
			s.rate[f.input] = 1
		}
	}
}
