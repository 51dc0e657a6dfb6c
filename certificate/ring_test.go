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
// reachable states of small rings are visited, with messages entering in any cycle in
// which their waiting slot is free, or not, and every message at an output leaving in
// any cycle in which it needs nothing of the ring, or not.

// ringPort has the slots of a ring port: the weight of the message in each, 0 if it is
// free. At the output it is 1 if the message needs no further slot of the ring: it has
// weight 1, or its continuation has been made.
type ringPort struct{ out, continuing, entering uint8 }

type ringState [5]ringPort

type ringRule struct {
	length, most  int  // ports, largest weight
	joinSlots     int  // that a message that waits to enter needs: 1 the output slot, 2 that of continuing messages too
	continueFirst bool // none enters while a message asks to continue
}

// asks reports whether the message at the output before i asks to continue into i.
func (r ringRule) asks(s *ringState, i int) bool { return s[(i+r.length-1)%r.length].out > 1 }

// mayJoin reports whether the rule lets a message enter the output slot of i, if that
// is free or left.
func (r ringRule) mayJoin(s *ringState, i int) bool {
	return (r.joinSlots < 2 || s[i].continuing == 0) && !(r.continueFirst && r.asks(s, i))
}

// hole reports whether some slot of the ring is free or holds a message at an output
// without further need.
func (r ringRule) hole(s *ringState) bool {
	for i := range r.length {
		if s[i].out <= 1 || s[i].continuing == 0 {
			return true
		}
	}
	return false
}

// stuck reports whether messages are at these ports and none can ever move.
func (r ringRule) stuck(s *ringState) bool {
	empty := true
	for i := range r.length {
		q := &s[i]
		empty = empty && *q == ringPort{}
		switch {
		case q.out == 1: // it leaves some day
			return false
		case r.asks(s, i) && q.continuing == 0:
			return false
		case q.out == 0 && (q.continuing > 0 || q.entering > 0 && r.mayJoin(s, i)):
			return false
		}
	}
	return !empty
}

// next calls visit with every state that may follow in one cycle.
func (r ringRule) next(s *ringState, visit func(*ringState)) {
	var step func(i int, to ringState)
	step = func(i int, to ringState) {
		if i == r.length {
			visit(&to)
			return
		}
		// continue, written if its waiting slot is free; what was copied needs nothing more
		continued := uint8(0)
		if r.asks(s, i) && s[i].continuing == 0 {
			continued = s[(i+r.length-1)%r.length].out - 1
		}
		done := s[i].out
		if after := (i + 1) % r.length; r.asks(s, after) && s[after].continuing == 0 {
			done = 1
		}
		// group and transfers, written if theirs is
		most := 0
		if s[i].entering == 0 {
			most = r.most
		}
		for w := range most + 1 {
			q := ringPort{done, max(s[i].continuing, continued), max(s[i].entering, uint8(w))}
			to[i] = q
			if q.out > 0 { // it may stay
				step(i+1, to)
			}
			if q.out <= 1 { // or leave, if there is one, and the output slot is taken
				switch {
				case q.entering > 0 && r.mayJoin(s, i): // by a wrong rule past one that waits or comes to continue
					q.out, q.entering = q.entering, 0
				case q.continuing > 0:
					q.out, q.continuing = q.continuing, 0
				default:
					q.out = 0
				}
				to[i] = q
				step(i+1, to)
			}
		}
	}
	step(0, *s)
}

// explore visits all reachable states.
func (r ringRule) explore(t *testing.T) (states int, stuck, noHole bool) {
	t.Helper()
	require.LessOrEqual(t, r.length, len(ringState{}))
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

func TestNoReachableStateOfARingIsStuck(t *testing.T) {
	port := certificate.New(planOf(t, hypercycle.Clockwise, hypercycle.Dimension{M: 4, Rho: 1})).Rings[0]
	require.Equal(t, 1, port.ContinueSlots)
	rule := ringRule{joinSlots: port.JoinSlots, continueFirst: port.ContinueFirst}
	for _, size := range []struct{ length, most, states int }{{3, 2, 1000}, {3, 3, 10000}, {4, 2, 10000}, {5, 2, 100000}} {
		rule.length, rule.most = size.length, size.most
		states, stuck, noHole := rule.explore(t)
		t.Logf("%+v: %d states", rule, states)
		assert.Greater(t, states, size.states)
		assert.False(t, stuck, "%+v", rule)
		assert.False(t, noHole, "%+v", rule)
	}
}

// Without the rule there are such states, so the search would find one. Neither half of
// it is enough.
func TestRingsWithoutTheRuleGetStuck(t *testing.T) {
	for _, size := range []struct{ length, most int }{{3, 2}, {4, 2}} {
		for _, broken := range []ringRule{
			{joinSlots: 1},
			{joinSlots: 1, continueFirst: true},
			{joinSlots: 2},
		} {
			broken.length, broken.most = size.length, size.most
			_, stuck, noHole := broken.explore(t)
			assert.True(t, stuck, "%+v", broken)
			assert.True(t, noHole, "%+v", broken)
		}
	}
}
