// SPDX-License-Identifier: Apache-2.0

package certificate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/certificate"
	"github.com/hcgen/hcgen/hypercycle"
)

// The step of the proof that is not about an order: a ring never fills up. Here all
// reachable states of small rings are visited, with every message entering whenever
// the rule lets it, and every head leaving whenever it has nothing left to do in the
// ring, or staying. A queue of a state is its weights, the head first; the head's is
// 0 once its continuation has been made.

const mostSlots = 3

type queue struct {
	count  uint8
	weight [mostSlots]uint8
}

type ringState [4]queue

type ringRule struct {
	length, depth, most int  // queues, slots of each, largest weight
	enterSlots          int  // that must be free to enter
	continueFirst       bool // nothing enters while a message asks to continue
	enteringWins        bool // of two that may be written, the one that enters is
}

// asks reports whether the head of the queue before i asks to continue into i.
func (r ringRule) asks(s *ringState, i int) bool {
	before := &s[(i+r.length-1)%r.length]
	return before.count > 0 && before.weight[0] > 1
}

// hole reports whether some slot is free or holds a head without further need.
func (r ringRule) hole(s *ringState) bool {
	for i := range r.length {
		if q := &s[i]; int(q.count) < r.depth || q.weight[0] <= 1 {
			return true
		}
	}
	return false
}

// stuck reports whether messages are in the ring and none can ever move.
func (r ringRule) stuck(s *ringState) bool {
	empty := true
	for i := range r.length {
		q := &s[i]
		empty = empty && q.count == 0
		if q.count > 0 && q.weight[0] <= 1 || r.asks(s, i) && int(q.count) < r.depth {
			return false
		}
	}
	return !empty
}

// next calls visit with every state that may follow in one cycle: in each queue a
// choice of what enters, if anything may, and of whether a head that may leaves.
func (r ringRule) next(s ringState, visit func(ringState)) {
	var choose func(i int, to ringState, continued [4]bool)
	choose = func(i int, to ringState, continued [4]bool) {
		if i == r.length {
			r.leave(0, to, &continued, visit)
			return
		}
		free := r.depth - int(s[i].count)
		asks := r.asks(&s, i)
		mayEnter := free >= r.enterSlots && (!asks || !r.continueFirst)
		if mayEnter {
			for w := 1; w <= r.most; w++ {
				after := to
				after[i].weight[after[i].count] = uint8(w)
				after[i].count++
				choose(i+1, after, continued)
			}
		}
		if asks && free >= 1 && !(mayEnter && r.enteringWins) {
			before := (i + r.length - 1) % r.length
			to[i].weight[to[i].count] = s[before].weight[0] - 1
			to[i].count++
			continued[before] = true
		}
		choose(i+1, to, continued)
	}
	choose(0, s, [4]bool{})
}

// leave lets heads go that have nothing left to do in the ring, or stay.
func (r ringRule) leave(i int, to ringState, continued *[4]bool, visit func(ringState)) {
	if i == r.length {
		visit(to)
		return
	}
	if continued[i] {
		to[i].weight[0] = 0
	}
	r.leave(i+1, to, continued, visit)
	if q := &to[i]; q.count > 0 && q.weight[0] <= 1 {
		copy(q.weight[:], q.weight[1:])
		q.count--
		q.weight[q.count] = 0
		r.leave(i+1, to, continued, visit)
	}
}

// explore visits all reachable states.
func (r ringRule) explore(t *testing.T) (states int, stuck, noHole bool) {
	t.Helper()
	require.LessOrEqual(t, r.depth, mostSlots)
	seen := map[ringState]bool{{}: true}
	for front := []ringState{{}}; len(front) > 0; {
		s := front[len(front)-1]
		front = front[:len(front)-1]
		stuck = stuck || r.stuck(&s)
		noHole = noHole || !r.hole(&s)
		r.next(s, func(to ringState) {
			if !seen[to] {
				seen[to] = true
				front = append(front, to)
			}
		})
	}
	return len(seen), stuck, noHole
}

func TestNoReachableStateOfARingIsStuck(t *testing.T) {
	port := certificate.New(planOf(t, hypercycle.Clockwise, hypercycle.Dimension{M: 4, Rho: 1})).Rings[0]
	require.Equal(t, 1, port.ContinueSlots)
	rule := ringRule{enterSlots: port.EnterSlots, continueFirst: port.ContinueFirst}
	for _, size := range []struct{ length, depth, most int }{{3, 2, 2}, {3, 3, 2}, {3, 2, 3}, {4, 2, 2}} {
		rule.length, rule.depth, rule.most = size.length, size.depth, size.most
		states, stuck, noHole := rule.explore(t)
		assert.Greater(t, states, 100)
		assert.False(t, stuck, "%+v", rule)
		assert.False(t, noHole, "%+v", rule)
	}
}

// Without the rule there are such states, so the search would find one.
func TestRingsWithoutTheRuleGetStuck(t *testing.T) {
	for _, size := range []struct{ length, depth, most int }{{3, 2, 2}, {4, 2, 2}} {
		broken := ringRule{length: size.length, depth: size.depth, most: size.most, enterSlots: 1, enteringWins: true}
		_, stuck, noHole := broken.explore(t)
		assert.True(t, stuck, "%+v", broken)
		assert.True(t, noHole, "%+v", broken)

		// Each half of the rule is enough for this; hardware has both, and a
		// certificate must say so.
		for _, half := range []ringRule{{enterSlots: 2, enteringWins: true}, {enterSlots: 1, continueFirst: true}} {
			half.length, half.depth, half.most = size.length, size.depth, size.most
			_, stuck, noHole := half.explore(t)
			assert.False(t, stuck, "%+v", half)
			assert.False(t, noHole, "%+v", half)
		}
	}
}
