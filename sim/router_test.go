// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// Guarantee 5: a malformed message raises header_error in the cycle after its
// handshake, and nothing of it ever comes out. Every other message comes out of
// the router: once at the local output and as often on links as the algorithm
// says.
func TestMalformedHeadersAreDroppedAndFlaggedAndNothingElse(t *testing.T) {
	for _, r := range corner {
		p := newPlan(t, r)
		router := NewRouter(p, 0)
		s := newStimulus(router, 11)
		s.program = nil // random scenes only
		var out Outputs
		wrong := map[uint32]bool{}
		copies := map[uint32]int{} // still to come out on links, by Seq
		locals := map[uint32]int{} // and at the local output
		var expected uint32
		pulses, good := 0, 0
		group := func(below int) (n int) {
			for _, d := range p.Dims[:below] {
				n += len(d.Entered)
			}
			return n
		}
		step := func(in *Inputs) {
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
			if out.LocalValid && in.LocalReady {
				require.False(t, wrong[out.Local.Seq], "a malformed message is delivered")
				locals[out.Local.Seq]--
			}
			router.Step()
		}
		for cycle := 0; cycle < 3000; cycle++ {
			step(s.drive())
			s.taken(&out)
		}
		// what is on the inputs is taken, then all queues drain
		in := s.in
		in.LinkReady, in.LocalReady = 1<<p.Degree-1, true
		// but the gate may be closed, until a silence of the highest level is over
		for cycle := 0; cycle < 1000+2<<(p.Gate.SilenceBits+p.Gate.TopLevel*p.Gate.ScaleBits); cycle++ {
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

// Valid must not wait for ready: the outputs are the same whatever the
// receivers do in a cycle, and evaluating twice changes nothing.
func TestOutputsDoNotDependOnReadyInputs(t *testing.T) {
	for _, r := range corner {
		p := newPlan(t, r)
		router := NewRouter(p, 0)
		s := newStimulus(NewRouter(p, 0), 12)
		s.program = nil
		var a, b Outputs
		for cycle := 0; cycle < 500; cycle++ {
			in := s.drive()
			other := *in
			other.LinkReady, other.LocalReady = ^in.LinkReady, !in.LocalReady
			a, b = Outputs{}, Outputs{}
			router.Evaluate(&other, &a)
			router.Evaluate(in, &b)
			require.Equal(t, a, b)
			router.Step()
			s.taken(&b)
		}
	}
}

// The room that a ring port needs, by hand: router 0 of an 8-ring, whose port 0
// is fed by the local input and by messages that arrive on port 1 and go on.
func TestRoomOfARingPortByHand(t *testing.T) {
	p := newPlan(t, rings{{8, 1}})
	r := NewRouter(p, 0)
	var out Outputs
	arrive := func(wc uint32) Inputs {
		in := Inputs{LocalValid: true, LinkReady: 1 << 1, LocalReady: true}
		if wc > 0 {
			in.LinkValid, in.Link[1] = 1<<1, Message{Source: 7, WC: wc, WD: 1}
		}
		return in
	}
	for i, step := range []struct {
		wc    uint32 // of the message on link input 1; 0: none
		ready bool   // port 0
		local bool   // the local input is ready, always afterwards:
		link  bool   // link input 1 is ready
		count uint8  // messages in port 0
	}{
		{0, false, true, false, 1},
		{0, false, true, false, 2},  // two slots are free
		{0, false, false, false, 2}, // one is
		{3, false, false, true, 3},  // which is enough to continue
		{2, false, false, false, 3}, // but none is not
		{2, true, false, false, 2},  // a slot freed in this cycle does not count
		{2, false, false, true, 3},
		{1, true, false, true, 2}, // ends here
		{0, true, false, false, 1},
		{3, true, false, true, 1}, // two are free, but continue goes first
		{0, true, true, false, 1}, // and now enters
	} {
		in := arrive(step.wc)
		if step.ready {
			in.LinkReady |= 1
		}
		r.gate.balance = 8
		r.Evaluate(&in, &out)
		require.Equal(t, step.local, out.LocalReady, "step %d", i)
		require.Equal(t, step.link, out.LinkReady>>1&1 != 0, "step %d", i)
		r.Step()
		require.Equal(t, step.count, r.count[0], "step %d", i)
	}
}

// A single message by hand through router 0 of a 4x4 torus.
func TestRouterByHand(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}) // ports: x cw, x ccw, y cw, y ccw
	r := NewRouter(p, 0)
	var out Outputs
	arrive := Inputs{LinkValid: 1 << 3, LinkReady: 0xf, LocalReady: true}
	arrive.Link[3] = Message{Seq: 9, WD: 2, WC: 2} // from the node below, travelling clockwise in y
	r.Evaluate(&arrive, &out)
	require.EqualValues(t, 1<<3, out.LinkReady, "all copies are made at once")
	require.Zero(t, out.LinkValid)
	r.Step()
	r.Evaluate(&Inputs{LinkReady: 0xf, LocalReady: true}, &out)
	require.EqualValues(t, 0b0111, out.LinkValid, "both x ports, and on in y")
	require.Equal(t, Message{Seq: 9, WD: 1, WC: 2}, out.Link[0])
	require.Equal(t, Message{Seq: 9, WD: 1, WC: 1}, out.Link[1])
	require.Equal(t, Message{Seq: 9, WD: 2, WC: 1}, out.Link[2])
	require.True(t, out.LocalValid)
	r.Step()
	r.Evaluate(&Inputs{}, &out)
	require.Zero(t, out.LinkValid)
	require.False(t, out.LocalValid)
}

// The payload is the published generator: splitmix64, lowest word first, and
// no bit above the width.
func TestPayloadBits(t *testing.T) {
	require.Equal(t, uint64(0xe220a8397b1dcdaf), mix(golden), "first output of splitmix64 from 0")
	require.Equal(t, uint64(0x6e789e6aa1b965f4), mix(mul(2)), "second output")
	wide := NewPayload("storm", 1, 1024)
	for _, width := range []int{1, 3, 4, 63, 64, 65, 128, 1000, 1024} {
		x := NewPayload("storm", 1, width)
		text := string(x.append(nil, 3, 4))
		require.Len(t, text, (width+3)/4)
		for w := 0; 64*w < width; w++ {
			mask := ^uint64(0)
			if rest := width - 64*w; rest < 64 {
				mask = 1<<rest - 1
			}
			require.Equal(t, wide.Word(3, 4, w)&mask, x.Word(3, 4, w))
		}
	}
	require.NotEqual(t, wide.Word(3, 4, 0), wide.Word(4, 3, 0))
	require.NotEqual(t, wide.Word(3, 4, 0), NewPayload("storm", 2, 1024).Word(3, 4, 0))
	require.NotEqual(t, wide.Word(3, 4, 0), NewPayload("calm", 1, 1024).Word(3, 4, 0))
}

// mul is the state of splitmix64 after n steps from 0.
func mul(n uint64) uint64 { return n * golden }
