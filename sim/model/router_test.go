// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/traffic"
)

// Guarantee 5: a malformed message raises header_error in the cycle after its
// handshake, and no copy of it leaves the router. Every other message leaves
// once at the local output and on each link that the algorithm gives.
func TestMalformedHeadersAreDroppedAndFlaggedAndNothingElse(t *testing.T) {
	for i, r := range corner {
		p := newPlan(t, r, variants[i%4].With(fifoDepth(2+i%3))...)
		router := NewRouter(p, 0)
		s := traffic.NewStimulus(p, 11)
		var out sim.Outputs
		wrong := map[uint32]bool{}
		copies := map[uint32]int{} // copies left to leave on links, by Seq
		locals := map[uint32]int{} // copies left to leave at the local output, by Seq
		var expected uint32
		pulses, good := 0, 0
		group := func(below int) (n int) {
			for _, d := range p.Dims[:below] {
				n += len(d.Entered)
			}
			return n
		}
		step := func(in *sim.Inputs) {
			router.Evaluate(in, &out)
			require.Equal(t, expected, out.HeaderError, "%v", r)
			expected = 0
			for i := in.LinkValid & out.LinkReady; i != 0; i &= i - 1 {
				q := bits.TrailingZeros32(i)
				m, port := in.Link[q], p.Ports[q]
				if int(m.WD) != port.Dimension || m.WC == 0 || int(m.WC) > port.D {
					expected |= 1 << q
					wrong[m.Seq] = true
					pulses++
					continue
				}
				good++
				locals[m.Seq]++
				copies[m.Seq] += group(port.Dimension - 1)
				if m.WC > 1 {
					copies[m.Seq]++
				}
			}
			if in.LocalValid && out.LocalReady {
				copies[in.LocalSeq] += group(len(p.Dims))
			}
			for i := out.LinkValid & in.LinkReady; i != 0; i &= i - 1 {
				q := bits.TrailingZeros32(i)
				m := out.Link[q]
				require.Equal(t, p.Ports[q].Dimension, int(m.WD))
				require.True(t, m.WC >= 1 && int(m.WC) <= p.Ports[q].D, "weight %d", m.WC)
				require.False(t, wrong[m.Seq], "a malformed message comes out")
				copies[m.Seq]--
			}
			for i := out.LocalValid & in.LocalReady; i != 0; i &= i - 1 {
				seq := out.Local[bits.TrailingZeros32(i)].Seq
				require.False(t, wrong[seq], "a malformed message is delivered")
				locals[seq]--
			}
			router.Step()
		}
		var last *sim.Inputs
		for cycle := 0; cycle < 3000; cycle++ {
			last = s.Drive(router)
			step(last)
			s.Taken(&out)
		}
		// the messages on the inputs are taken, then all slots drain
		in := *last
		in.LinkReady, in.LocalReady = 1<<p.Degree-1, 1<<p.Deliveries-1
		for cycle := 0; cycle < 1000; cycle++ {
			for q := range p.Degree {
				in.LinkPace[q] = router.clock.pace
			}
			step(&in)
			in.LinkValid &^= out.LinkReady
			if out.LocalReady {
				in.LocalValid = false
			}
		}
		require.Zero(t, in.LinkValid)
		require.False(t, in.LocalValid)
		require.Greater(t, pulses, 20, "%v", r)
		require.Greater(t, good, 100, "%v", r)
		for seq, n := range copies {
			require.Zero(t, n, "%v: message %d", r, seq)
		}
		for seq, n := range locals {
			require.Zero(t, n, "%v: message %d", r, seq)
		}
	}
}

// Valid does not wait for ready: the outputs and every ready of a link do not depend on the receivers in a
// cycle, and evaluating twice changes nothing.
func TestOutputsDoNotDependOnReadyInputs(t *testing.T) {
	for i, r := range corner {
		p := newPlan(t, r, variants[i%4].Options...)
		router := NewRouter(p, 0)
		s := traffic.NewStimulus(p, 12)
		var a, b sim.Outputs
		for cycle := 0; cycle < 500; cycle++ {
			in := s.Drive(router)
			other := *in
			other.LinkReady, other.LocalReady = ^in.LinkReady, ^in.LocalReady
			a, b = sim.Outputs{}, sim.Outputs{}
			router.Evaluate(&other, &a)
			router.Evaluate(in, &b)
			a.LocalReady = b.LocalReady // depends on the receivers, as the last copy does
			require.Equal(t, a, b)
			router.Step()
			s.Taken(&b)
		}
	}
}

// A link input and the ring port that it feeds, worked out by hand: router 0 of an 8-ring. Messages of port 1 continue
// on port 0, where the local input enters. Messages have numbers: those from the link are below 100, and malformed from
// 50 on.
func TestLinkInputAndRingPortByHand(t *testing.T) {
	type step struct {
		link, local     uint32 // numbers of the messages on the inputs; 0: none
		receives        bool   // the receiver of port 0
		ready, accepted bool   // the link input is ready, the local input
		output          uint32 // after the clock edge: the message in the output register
		slots           int    // after the clock edge: the number of messages in the slots
		why             string
	}
	for _, c := range []struct {
		name    string
		options []option
		steps   []step
	}{
		{"one stage", nil, []step{
			{1, 0, false, true, false, 1, 0, "passes the slot into the empty output"},
			{2, 0, false, true, false, 1, 1, "waits in the slot"},
			{3, 0, true, false, false, 2, 0, "the slot is not free at the start of the cycle"},
			{3, 0, true, true, false, 3, 0, "passes as the one before leaves"},
			{0, 101, false, true, false, 3, 0, "no room to enter"},
			{4, 101, true, true, false, 4, 0, "continuing goes before entering"},
			{5, 101, false, true, false, 4, 1, "waits"},
			{0, 101, true, false, false, 5, 0, "the one in the slot goes before entering"},
			{0, 101, true, true, true, 101, 0, "enters as the one before leaves"},
			{50, 102, true, true, false, 0, 0, "a malformed message asks to continue: nothing enters"},
			{0, 102, true, true, true, 102, 0, "enters the empty output"},
			{6, 0, false, true, false, 102, 1, "waits"},
			{51, 0, false, false, false, 102, 1, "a malformed message waits for a slot as any other"},
			{51, 0, true, false, false, 6, 0, "and in the cycle in which it gets free"},
			{51, 0, true, true, false, 0, 0, "then it is dropped"},
			{0, 0, true, true, false, 0, 0, "empty"},
		}},
		{"one stage, two slots", []option{fifoDepth(3)}, []step{
			{1, 0, false, true, false, 1, 0, "passes the slots"},
			{2, 0, false, true, false, 1, 1, "waits in a slot"},
			{52, 0, false, true, false, 1, 1, "a malformed message behind it is dropped"},
			{3, 0, false, true, false, 1, 2, "waits behind it"},
			{4, 0, false, false, false, 1, 2, "full"},
			{4, 0, true, false, false, 2, 1, "full at the start of the cycle"},
			{4, 101, true, true, false, 3, 1, "one comes and one goes on"},
			{0, 101, true, true, false, 4, 0, "going on goes before entering"},
			{0, 101, true, true, true, 101, 0, "enters"},
		}},
		{"two stages", []option{stages(2)}, []step{
			{1, 0, false, true, false, 0, 1, "into a slot"},
			{2, 0, false, true, false, 1, 1, "one goes on, one comes"},
			{53, 0, false, true, false, 1, 1, "a malformed message never gets a slot"},
			{3, 0, false, true, false, 1, 2, "full"},
			{4, 0, true, false, false, 2, 1, "full at the start of the cycle"},
			{0, 101, true, true, false, 3, 0, "going on goes before entering"},
			{54, 101, true, true, true, 101, 0, "a malformed message on the link asks for nothing"},
			{0, 0, true, true, false, 0, 0, "empty"},
		}},
	} {
		r := NewRouter(newPlan(t, rings{{8, 1}}, c.options...), 0)
		var out sim.Outputs
		var dropped bool
		for i, step := range c.steps {
			where := fmt.Sprintf("%s, step %d: %s", c.name, i, step.why)
			in := sim.Inputs{LinkReady: 1 << 1, LocalReady: 1, LocalValid: step.local > 0, LocalSeq: step.local}
			in.LinkReady |= uint32(bit(step.receives))
			if step.link > 0 {
				in.LinkValid, in.Link[1] = 1<<1, sim.Message{Seq: step.link, WC: 3, WD: uint8(bit(step.link < 50))}
			}
			*r.clock = newClock(r.rules)
			r.Evaluate(&in, &out)
			require.Equal(t, dropped, out.HeaderError>>1&1 != 0, "%s: header_error", where)
			dropped = step.link >= 50 && step.ready
			require.Equal(t, step.ready, out.LinkReady>>1&1 != 0, "%s: link input", where)
			require.Equal(t, step.accepted, out.LocalReady, "%s: local input", where)
			r.Step()
			var after sim.Message
			if r.outputs[0].valid {
				after = r.outputs[0].message
			}
			require.Equal(t, step.output, after.Seq, where)
			if after.Seq > 100 {
				require.EqualValues(t, 4, after.WC, where)
			} else if after.Seq > 0 {
				require.EqualValues(t, 2, after.WC, where)
			}
			require.Equal(t, step.slots, len(r.inputs[linkInput(1)].slots), where)
		}
	}
}

// A clock, worked out by hand.
func TestClockByHand(t *testing.T) {
	x := newRules(newPlan(t, rings{{8, 1}}), Options{})
	c := newClock(x)
	for i, step := range []struct {
		read              []uint8 // of two links
		offered, injected bool
		pace              uint8 // after the clock edge
		credit            int
		open              bool
		why               string
	}{
		{[]uint8{0, 0}, true, true, 1, 2, true, "one at once, and the tick of the first cycle; the message counts later"},
		{[]uint8{1, 0}, true, true, 1, 1, false, "a neighbour is behind; the first message counts, the second one in the next cycle"},
		{[]uint8{1, 1}, true, false, 2, 1, true, "the neighbours have followed"},
		{[]uint8{1, 2}, true, false, 2, 1, true, "the first link is behind"},
		{[]uint8{2, 1}, true, false, 2, 1, true, "the second link is behind"},
		{[]uint8{2, 2}, true, false, 3, 2, true, "done with one left"},
		{[]uint8{3, 3}, true, false, 3, 2, true, "with two left it waits for its message"},
		{[]uint8{3, 3}, false, false, 0, 2, true, "unless nothing is offered; the pace is modulo 4"},
		{[]uint8{0, 3}, true, true, 0, 2, true, "3 is behind 0"},
		{[]uint8{0, 1}, true, true, 1, 2, true, "a message has been paid, and a neighbour is ahead"},
		{[]uint8{1, 1}, true, true, 2, 2, true, "a message in every cycle, and a tick"},
		{[]uint8{2, 2}, true, true, 3, 2, true, "again"},
	} {
		c.decide(x, seen{offered: step.offered, pays: int(bit(step.injected))}, step.read)
		c.step(x)
		require.Equal(t, step.pace, c.pace, "step %d: %s", i, step.why)
		require.Equal(t, step.credit, c.credit, "step %d: %s", i, step.why)
		require.Equal(t, step.open, c.mayStart(x, 1), "step %d: %s", i, step.why)
	}
}

// A single message through router 0 of a 4x4 torus, worked out by hand.
func TestRouterByHand(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}) // ports: x cw, x ccw, y cw, y ccw
	r := NewRouter(p, 0)
	var out sim.Outputs
	arrive := sim.Inputs{LinkValid: 1 << 3, LinkReady: 0xf, LocalReady: 1}
	arrive.Link[3] = sim.Message{Seq: 9, WD: 2, WC: 2} // from the node below, travelling clockwise in y
	r.Evaluate(&arrive, &out)
	require.EqualValues(t, 0xf, out.LinkReady)
	require.Zero(t, out.LinkValid)
	r.Step()
	r.Evaluate(&sim.Inputs{LinkReady: 0xf, LocalReady: 1}, &out)
	require.EqualValues(t, 0b0111, out.LinkValid, "all copies have been made at once: both x ports, and on in y")
	require.Equal(t, sim.Message{Seq: 9, WD: 1, WC: 2}, out.Link[0])
	require.Equal(t, sim.Message{Seq: 9, WD: 1, WC: 1}, out.Link[1])
	require.Equal(t, sim.Message{Seq: 9, WD: 2, WC: 1}, out.Link[2])
	require.EqualValues(t, 1, out.LocalValid)
	r.Step()
	r.Evaluate(&sim.Inputs{}, &out)
	require.Zero(t, out.LinkValid)
	require.Zero(t, out.LocalValid)
}
