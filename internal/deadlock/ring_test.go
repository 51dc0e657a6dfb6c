// SPDX-License-Identifier: Apache-2.0

package deadlock_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
)

// The step of the proof that needs no order: a ring never fills. The search visits all reachable
// states of small rings. In every cycle a message may or may not request to enter at any port, and
// a message of an input that needs nothing more of the ring may or may not leave.

// Largest ring and FIFO of the search.
const (
	mostNodes = 5
	mostSlots = 3
)

// ringNode is a ring port and the link input behind it: the weights of the messages in the slots
// of the input, the oldest first, and of the message in the output register; 0 for an empty place.
// The oldest message has weight 1 if it needs no further place of the ring, because of its weight or
// because its continuation has been made.
type ringNode struct {
	slots [mostSlots]uint8
	out   uint8
}

type ringState [mostNodes]ringNode

type ringRule struct {
	nodes  int
	slots  int   // of an input
	stages int   // 1: a message bypasses empty slots in the cycle in which it arrives
	most   uint8 // largest weight
	bubble bool  // no message enters while a message requests to continue
}

// full reports whether no slot of the input is free, so that its ready is low.
func (r ringRule) full(n *ringNode) bool { return n.slots[r.slots-1] > 0 }

// coming is the message that arrives over the link at node i in this cycle.
func (r ringRule) coming(s *ringState, i int) uint8 {
	if r.full(&s[i]) {
		return 0
	}
	return s[(i+r.nodes-1)%r.nodes].out
}

// message is the head of the input of node i: the oldest message in its slots, or with one stage the
// message on the link.
func (r ringRule) message(s *ringState, i int) uint8 {
	if q := s[i].slots[0]; q > 0 || r.stages == 2 {
		return q
	}
	return r.coming(s, i)
}

// free reports whether the output register of node i is empty, or its message leaves.
func (r ringRule) free(s *ringState, i int) bool {
	return s[i].out == 0 || !r.full(&s[(i+1)%r.nodes])
}

// hole reports whether a slot is free, a register is empty, or an oldest message needs no further
// place.
func (r ringRule) hole(s *ringState) bool {
	for i := range r.nodes {
		if s[i].out == 0 || s[i].slots[0] == 1 || !r.full(&s[i]) {
			return true
		}
	}
	return false
}

// stuck reports whether messages are in the ring and none can ever move.
func (r ringRule) stuck(s *ringState) bool {
	empty := true
	for i := range r.nodes {
		empty = empty && s[i] == ringNode{}
		if s[i].slots[0] == 1 || s[i].slots[0] > 1 && r.free(s, i) || r.coming(s, i) > 0 {
			return false
		}
	}
	return !empty
}

// next calls visit with every state that may follow in one cycle.
func (r ringRule) next(s *ringState, visit func(*ringState)) {
	var step func(i int, to ringState)
	step = func(i int, to ringState) {
		if i == r.nodes {
			visit(&to)
			return
		}
		message, coming := r.message(s, i), r.coming(s, i)
		asks, free := message > 1, r.free(s, i)
		for enters := range r.most + 1 { // the weight of a message that requests to enter; 0: none
			if enters > 0 && (!free || asks && r.bubble) {
				continue // the same as without a request
			}
			n, left := s[i], message
			if free {
				n.out = enters
				if asks && enters == 0 {
					n.out, left = message-1, 1
				}
			}
			for _, leaves := range []bool{false, true} {
				if leaves && left != 1 {
					continue
				}
				after := n
				if s[i].slots[0] > 0 { // the message is in the slots
					after.slots[0] = left
					if leaves {
						copy(after.slots[:], after.slots[1:])
						after.slots[mostSlots-1] = 0
					}
				}
				if comes := coming; comes > 0 && !(leaves && s[i].slots[0] == 0) {
					if s[i].slots[0] == 0 && r.stages == 1 {
						comes = left
					}
					for k, q := range after.slots {
						if q == 0 {
							after.slots[k] = comes
							break
						}
					}
				}
				to[i] = after
				step(i+1, to)
			}
		}
	}
	step(0, *s)
}

// explore visits all reachable states.
func (r ringRule) explore(t *testing.T) (states int, stuck, noHole bool) {
	t.Helper()
	require.LessOrEqual(t, r.nodes, mostNodes)
	require.LessOrEqual(t, r.slots, mostSlots)
	seen := map[ringState]bool{{}: true}
	for front := []ringState{{}}; len(front) > 0; {
		s := front[len(front)-1]
		front = front[:len(front)-1]
		stuck = stuck || r.stuck(&s)
		noHole = noHole || !r.hole(&s)
		r.next(&s, func(to *ringState) {
			if !seen[*to] {
				seen[*to] = true
				front = append(front, *to)
			}
		})
	}
	return len(seen), stuck, noHole
}

// ruleOf is the rule of the rings of a machine.
func ruleOf(t *testing.T, depth, stages int) ringRule {
	t.Helper()
	p := variantOf(t, stages-1, depth, hypercycle.Clockwise, hypercycle.Dimension{M: 4, Rho: 1})
	return ringRule{slots: graphOf(p).Rings[0].Places - 1, stages: stages, bubble: true}
}

var ringSizes = []struct {
	depth, stages, nodes int
	most                 uint8
	states               int // at least
}{
	{2, 1, 3, 2, 500}, {2, 1, 3, 3, 2000}, {2, 1, 4, 2, 4000}, {2, 1, 5, 2, 30000},
	{3, 1, 3, 2, 6000}, {3, 1, 4, 2, 100000}, {4, 1, 3, 2, 50000},
	{2, 2, 3, 2, 6000}, {2, 2, 4, 2, 100000}, {3, 2, 3, 2, 50000},
}

func TestNoReachableStateOfARingIsStuck(t *testing.T) {
	needs.Time(t)
	for _, size := range ringSizes {
		rule := ruleOf(t, size.depth, size.stages)
		rule.nodes, rule.most = size.nodes, size.most
		states, stuck, noHole := rule.explore(t)
		t.Logf("%+v: %d states", rule, states)
		assert.Greater(t, states, size.states, "%+v", rule)
		assert.False(t, stuck, "%+v", rule)
		assert.False(t, noHole, "%+v", rule)
	}
}

// Without the bubble rule the search finds such states.
func TestRingsWithoutTheBubbleRuleGetStuck(t *testing.T) {
	for _, size := range ringSizes {
		if size.states > 10000 {
			continue // a small ring is enough
		}
		broken := ruleOf(t, size.depth, size.stages)
		broken.nodes, broken.most, broken.bubble = size.nodes, size.most, false
		_, stuck, noHole := broken.explore(t)
		assert.True(t, stuck, "%+v", broken)
		assert.True(t, noHole, "%+v", broken)
	}
}

// With two stages a message that arrives at empty slots does not request in that cycle, and another
// may enter. So one slot is not enough.
func TestTwoStagesNeedTwoSlots(t *testing.T) {
	rule := ringRule{nodes: 3, slots: 1, stages: 2, most: 2, bubble: true}
	_, stuck, noHole := rule.explore(t)
	assert.True(t, stuck)
	assert.True(t, noHole)
}
