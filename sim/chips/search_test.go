// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"fmt"
	"hash/maphash"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// A search visits every state that two ends with one link can reach over a channel that drops any frame. The frames of each
// direction stay in order, and at most those of the scope are under way. The ends, the routers and the channel take their steps in
// any order.
//
// A word is the number of words that its link has still to accept before it, so the far end must accept word 0 each time.
// Numbers count from what the far end expects, and colours from what it wants, so that the states are finite and few.

// scope is what a search may do.
type scope struct {
	name     string
	sizes    Sizes
	sends    [2]bool // which ends get words from their routers
	frames   int     // in each direction under way
	rst      bool    // ends can be reset alone
	sessions uint8   // the last session; restarts lead to it
	quiet    quiet   // what the time in which frames are ignored after rst is sufficient for
	states   int
	long     bool // to be skipped where time is short
}

// quiet says which frames are gone when an end listens again after rst.
type quiet int

const (
	roundTrip quiet = iota // the frames that the end had sent, and then those of the other end
	oneWay                 // those of the other end
	noQuiet
)

// A peer is that which an end knows: nothing, its former life, or the present one.
const (
	nobody = iota
	former
	present
)

type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func digestOf(state []byte) digest {
	return digest{maphash.Bytes(seeds[0], state), maphash.Bytes(seeds[1], state)}
}

// step is how a state was reached.
type step struct {
	from        digest
	event, side uint8
}

// search visits all states. It returns their number, the steps to a state with a fault, or none, and what was wrong.
func (s *scope) search(visit func(w *world, state []byte)) (states int, trace []string, fault string) {
	w := newWorld(s)
	seen := map[digest]step{}
	var level, next [][]byte
	begin := w.encode(nil)
	level = append(level, begin)
	seen[digestOf(begin)] = step{}
	var code []byte
	for len(level) > 0 {
		next = next[:0]
		for _, state := range level {
			if visit != nil {
				visit(w, state)
				if w.fault != "" {
					return len(seen), traceOf(seen, digestOf(begin), digestOf(state)), w.fault
				}
			}
			from := digestOf(state)
			for e := range events {
				for x := range w.sides {
					w.decode(state)
					if !events[e].do(w, x) {
						continue
					}
					if w.fault != "" {
						return len(seen), append(traceOf(seen, digestOf(begin), from), fmt.Sprint(x, " ", events[e].is)), fmt.Sprint("end ", x, " ", w.fault)
					}
					w.forget()
					code = w.encode(code)
					d := digestOf(code)
					if _, found := seen[d]; !found {
						seen[d] = step{from, uint8(e), uint8(x)}
						next = append(next, append([]byte(nil), code...))
					}
				}
			}
		}
		level, next = next, level
	}
	return len(seen), nil, ""
}

func traceOf(seen map[digest]step, begin, at digest) []string {
	if at == begin {
		return nil
	}
	s := seen[at]
	return append(traceOf(seen, begin, s.from), fmt.Sprint(s.side, " ", events[s.event].is))
}

var (
	small = Sizes{Links: 1, NumberBits: 1, FreedBits: 1}
	least = Sizes{Links: 1, NumberBits: 2, FreedBits: 2} // that the contract has

	oneDirection   = [2]bool{true, false}
	bothDirections = [2]bool{true, true}
)

var scopes = []scope{
	{name: "words in one direction", sizes: least, sends: oneDirection, frames: 2, states: 12510},
	{name: "few numbers", sizes: Sizes{Links: 1, NumberBits: 1, FreedBits: 2}, sends: oneDirection, frames: 2, states: 1985},
	{name: "words in both directions, short numbers", sizes: small, sends: bothDirections, frames: 2, states: 5247},
	{name: "rst, short numbers", sizes: small, sends: oneDirection, frames: 2, rst: true, states: 5346},
	{name: "restarts, short numbers", sizes: small, sends: oneDirection, frames: 2, sessions: 2, states: 11049},
	{name: "rst", sizes: least, sends: oneDirection, frames: 2, rst: true, states: 57551, long: true},
	{name: "rst and restarts, short numbers", sizes: small, sends: oneDirection, frames: 2, rst: true, sessions: 2, states: 272541, long: true},
	{name: "words in both directions and rst, short numbers", sizes: small, sends: bothDirections, frames: 2, rst: true, states: 28102, long: true},
	{name: "three frames", sizes: least, sends: oneDirection, frames: 3, states: 52087, long: true},
	{name: "three frames and rst, short numbers", sizes: small, sends: oneDirection, frames: 3, rst: true, states: 26250, long: true},
	{name: "rst and a restart", sizes: least, sends: oneDirection, frames: 2, rst: true, sessions: 1, states: 410987, long: true},
}

// recovers is the liveness of a state: if no more frame is lost and nothing is reset, words cross again, or both ends say that they
// are lost. It returns the exchanges of frames until then, or fails after the most that are allowed.
func (w *world) recovers(most int) int {
	w.accepted = 0
	for n := range most + 1 {
		a, b := &w.sides[0], &w.sides[1]
		if w.accepted > 0 && (a.open() && b.open()) || a.lost && b.lost {
			return n
		}
		for x := range w.sides {
			if w.sends[x] && w.send(x, true, true) || w.send(x, false, true) {
				continue
			}
		}
		for x := range w.sides {
			for w.receive(x) {
			}
			for w.leave(x) {
			}
		}
		if w.fault != "" {
			return n
		}
	}
	w.fail("does not recover in %d exchanges", most)
	return most
}

// mostExchanges are enough for any state: hellos that begin a session, that are heard and that say so, a frame that makes the other
// end come up, one that is wrong, one with the new colour, and the word.
const mostExchanges = 10

// judge searches all states, and whether each recovers, with the most exchanges that one needs.
func (s *scope) judge() (states, longest int, fault string) {
	wider := *s // with room for the frames of an exchange
	wider.frames++
	v := newWorld(&wider)
	states, trace, fault := s.search(func(w *world, state []byte) {
		v.decode(state)
		longest = max(longest, v.recovers(mostExchanges))
		w.fault = v.fault
	})
	if fault != "" {
		fault += " after: " + strings.Join(trace, "; ")
	}
	return states, longest, fault
}

func TestEveryState(t *testing.T) {
	for _, s := range scopes {
		t.Run(s.name, func(t *testing.T) {
			if s.long {
				needs.Time(t)
			}
			states, longest, fault := s.judge()
			require.Empty(t, fault)
			t.Logf("%s: %d states, at most %d exchanges until words cross", s.name, states, longest)
			require.Equal(t, s.states, states)
		})
	}
}

// The time after rst must be that of a round trip.
func TestAShortSilenceIsAFault(t *testing.T) {
	for _, q := range []quiet{oneWay, noQuiet} {
		s := scope{sizes: small, sends: oneDirection, frames: 2, rst: true, quiet: q}
		_, trace, fault := s.search(nil)
		require.Contains(t, fault, "former life", "%v", trace)
	}
}
