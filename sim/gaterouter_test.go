// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a router shows its gate: a node of a 4x4 torus with one message on a link
// output, and one on the local output.
func TestGateSeesTheRouterOfTheCycle(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	link, local := func(r *Router) { r.valid = 4 }, func(r *Router) { r.count[delivery], r.local = 1, 1 }
	for _, c := range []struct {
		name    string
		with    func(*Router)
		in      Inputs
		want    seen
		blocked uint32
	}{
		{"nothing", nil, Inputs{}, nothing, 0},
		{"receivers do not matter", nil, Inputs{LinkReady: 15, LocalReady: 1}, nothing, 0},
		{"link output moves", link, Inputs{LinkReady: 4}, nothing, 0},
		{"link output blocked", link, Inputs{LinkReady: 11}, nothing, 4},
		{"local output moves", local, Inputs{LocalReady: 1}, receives, 0},
		{"local output blocked", local, Inputs{}, nothing, localOutput},
		{"link input", nil, Inputs{LinkValid: 1, Link: [maxDegree]Message{{WD: 1, WC: 1}}}, nothing, 0},
		{"injection", nil, Inputs{LocalValid: true}, sends, 0},
		{"both", local, Inputs{LocalValid: true, LocalReady: 1}, both, 0},
		{"local input waits", func(r *Router) { r.valid, r.waitsIn = 4, 4 }, Inputs{LocalValid: true, LinkReady: 4}, seen{waits: true}, 0},
		{"local input at a closed gate", func(r *Router) { r.gate.balance = -1 }, Inputs{LocalValid: true}, nothing, 0},
	} {
		r := NewRouter(p, 0)
		if c.with != nil {
			c.with(r)
		}
		r.Evaluate(&c.in, &Outputs{})
		require.Equal(t, c.want, r.seen(), c.name)
		require.Equal(t, c.blocked, r.blocked(), c.name)
	}
}

// The gate stays open for a message that has asked: two injections follow each
// other, the debt of the first shows when the second is half copied, and nothing
// but the rest of the second may come out.
func TestGateStaysOpenForAMessageThatHasAsked(t *testing.T) {
	p := newPlan(t, rings{{8, 1}}) // both ports are ring ports; an injection costs 7
	r := NewRouter(p, 0)
	r.gate.balance = 0
	var out Outputs
	seq := uint32(0)
	for i, step := range []struct {
		ready   uint32 // ports 0 and 1
		balance int64  // at the start of the cycle
		open    bool   // in it
		taken   bool   // the local input is ready
		count   [2]int // messages in ports 0 and 1 afterwards
	}{
		{0, 0, true, true, [2]int{1, 1}},
		{2, 0, true, true, [2]int{2, 1}},    // not paid yet: a second injection
		{2, -7, false, false, [2]int{2, 0}}, // the third has not asked before
		{0, -14, false, false, [2]int{2, 0}},
	} {
		require.Equal(t, step.balance, r.gate.balance, "cycle %d", i)
		require.Equal(t, step.open, r.gate.open(), "cycle %d", i)
		r.Evaluate(&Inputs{LocalValid: true, LocalSeq: seq, LinkReady: step.ready}, &out)
		require.Equal(t, step.taken, out.LocalReady, "cycle %d", i)
		if out.LocalReady {
			seq++
		}
		r.Step()
		require.Equal(t, step.count, [2]int{held(r, 0), held(r, 1)}, "cycle %d", i)
	}

	// the same, but port 0 has only room for the first
	r = NewRouter(p, 0)
	r.gate.balance = 0
	r.valid = 1
	r.slot[0] = Message{Seq: 99, WD: 1, WC: 1}
	for i, step := range []struct {
		ready   uint32
		balance int64
		taken   bool
		seq     uint32 // of the message on offer
		count   [2]int
	}{
		{0, 0, true, 0, [2]int{2, 1}},
		{2, 0, false, 1, [2]int{2, 1}},  // port 1 takes the second, port 0 has no room for it
		{0, -7, false, 1, [2]int{2, 1}}, // closed, but it has asked
		{1, -7, false, 1, [2]int{1, 1}},
		{0, -7, true, 1, [2]int{2, 1}},
		{3, -7, false, 2, [2]int{1, 0}},
		{0, -14, false, 2, [2]int{1, 0}},
	} {
		require.Equal(t, step.balance, r.gate.balance, "cycle %d", i)
		r.Evaluate(&Inputs{LocalValid: true, LocalSeq: step.seq, LinkReady: step.ready}, &out)
		require.Equal(t, step.taken, out.LocalReady, "cycle %d", i)
		r.Step()
		require.Equal(t, step.count, [2]int{held(r, 0), held(r, 1)}, "cycle %d", i)
	}
	require.EqualValues(t, 1, r.front(0).Seq, "the second came out of port 0 too")
}
