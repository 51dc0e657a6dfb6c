// SPDX-License-Identifier: Apache-2.0

package certificate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/certificate"
	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/hypercycle"
)

// The same search with queues of link inputs in the ring. A message may want to join in any
// cycle here, so that there is no need of slots to wait in: that keeps the search small.

// stagedPort is a ring port and the link input that leads to it: the weights of messages,
// 0 for none. At the head it is 1 if the message needs no further slot of the ring.
type stagedPort struct{ head, second, out, continuing uint8 }

type stagedRing [3]stagedPort

// hole reports whether some slot is free or holds a message at a head without further need.
func (s *stagedRing) hole() bool {
	for _, q := range s {
		if q.head <= 1 || q.second == 0 || q.out == 0 || q.continuing == 0 {
			return true
		}
	}
	return false
}

// stuck reports whether messages are in the ring and none can ever move.
func (s *stagedRing) stuck() bool {
	for i, q := range s {
		before := s[(i+len(s)-1)%len(s)]
		switch {
		case q.head == 1, q.head > 1 && q.continuing == 0, q.out == 0 && q.continuing > 0, before.out > 0 && q.second == 0:
			return false
		}
	}
	return *s != stagedRing{}
}

// next calls visit with every state that may follow in one cycle.
func (r ringRule) nextStaged(s *stagedRing, visit func(*stagedRing)) {
	var step func(i int, to stagedRing)
	step = func(i int, to stagedRing) {
		if i == len(s) {
			visit(&to)
			return
		}
		q, last := s[i], (i+len(s)-1)%len(s)
		comes := s[last].out // over the link if a slot is free at the start, which also frees the output
		if q.second > 0 {
			comes = 0
		}
		asks := q.head > 1
		continued := uint8(0)
		if asks && q.continuing == 0 {
			continued = q.head - 1
		}
		sent := s[(i+1)%len(s)].second == 0 // what is at the own output leaves
		for join := range r.most + 1 {      // the weight of what wants to join, or nothing
			if join > 0 && (q.out > 0 && !sent || r.joinSlots == 2 && q.continuing > 0 || r.continueFirst && asks) {
				continue
			}
			for _, leaves := range []bool{false, true} {
				n := q
				if continued > 0 { // what is left needs nothing more
					n.head, n.continuing = 1, continued
				}
				if sent {
					n.out = 0
				}
				switch {
				case join > 0:
					n.out = uint8(join)
				case n.out == 0:
					n.out, n.continuing = n.continuing, 0
				}
				if leaves {
					if n.head != 1 {
						continue
					}
					n.head, n.second = n.second, 0
				}
				if comes > 0 {
					if n.head == 0 {
						n.head = comes
					} else {
						n.second = comes
					}
				}
				to[i] = n
				step(i+1, to)
			}
		}
	}
	step(0, *s)
}

// exploreStaged visits all reachable states.
func (r ringRule) exploreStaged() (states int, stuck, noHole bool) {
	seen := map[stagedRing]bool{{}: true}
	for front := []stagedRing{{}}; len(front) > 0; {
		s := front[len(front)-1]
		front = front[:len(front)-1]
		stuck, noHole = stuck || s.stuck(), noHole || !s.hole()
		r.nextStaged(&s, func(to *stagedRing) {
			if !seen[*to] {
				seen[*to] = true
				front = append(front, *to)
			}
		})
	}
	return len(seen), stuck, noHole
}

func TestNoReachableStateOfARingWithQueuesOfLinksIsStuck(t *testing.T) {
	require.Equal(t, 2, plan.InputDepth)
	port := certificate.New(variantOf(t, 1, 2, hypercycle.Clockwise, hypercycle.Dimension{M: 4, Rho: 1})).Rings[0]
	rule := ringRule{most: 2, joinSlots: port.JoinSlots, continueFirst: port.ContinueFirst}
	states, stuck, noHole := rule.exploreStaged()
	t.Logf("%d states", states)
	assert.Greater(t, states, 1000)
	assert.False(t, stuck)
	assert.False(t, noHole)
	broken := ringRule{most: 2, joinSlots: 1}
	_, stuck, noHole = broken.exploreStaged()
	assert.True(t, stuck, "%+v", broken)
	assert.True(t, noHole, "%+v", broken)
	// here each half of the rule is enough: a head that has been copied onward stays a hole
	for _, half := range []ringRule{{most: 2, joinSlots: 1, continueFirst: true}, {most: 2, joinSlots: 2}} {
		_, stuck, noHole := half.exploreStaged()
		assert.False(t, stuck, "%+v", half)
		assert.False(t, noHole, "%+v", half)
	}
}
