// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
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
		s := newStimulus(p, 11, nil)
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
			for i := out.LocalValid & in.LocalReady; i != 0; i &= i - 1 {
				seq := out.Local[bits.TrailingZeros32(i)].Seq
				require.False(t, wrong[seq], "a malformed message is delivered")
				locals[seq]--
			}
			router.Step()
		}
		for cycle := 0; cycle < 3000; cycle++ {
			step(s.drive())
			s.taken(&out)
		}
		// what is on the inputs is taken, then all queues drain
		in := s.in
		in.LinkReady, in.LocalReady = 1<<p.Degree-1, 1<<p.Deliveries-1
		// but the gate may be closed, until a silence of the highest level is over
		for cycle := 0; cycle < 1000+3<<(p.Gate.WindowBits+plan.TopLevel*plan.LevelBits); cycle++ {
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
		s := newStimulus(p, 12, nil)
		var a, b Outputs
		for cycle := 0; cycle < 500; cycle++ {
			in := s.drive()
			other := *in
			other.LinkReady, other.LocalReady = ^in.LinkReady, ^in.LocalReady
			a, b = Outputs{}, Outputs{}
			router.Evaluate(&other, &a)
			router.Evaluate(in, &b)
			require.Equal(t, a, b)
			router.Step()
			s.taken(&b)
		}
	}
}

// A ring port by hand: router 0 of an 8-ring, whose port 0 is fed by the local input
// and by messages that arrive on port 1 and go on. Messages are known by their numbers:
// those that go on have one below 100, and 50 and more are malformed.
func TestRingPortByHand(t *testing.T) {
	p := newPlan(t, rings{{8, 1}})
	r := NewRouter(p, 0)
	var out Outputs
	for i, step := range []struct {
		link, local   uint32    // numbers of the messages on the inputs; 0: none
		ready         bool      // the receiver of port 0
		link1, local1 bool      // that inputs are ready
		after         [3]uint32 // in the output slot, waiting to continue, waiting to enter
		why           string
	}{
		{0, 101, false, false, true, [3]uint32{101, 0, 0}, "enters the free output slot"},
		{0, 102, false, false, true, [3]uint32{101, 0, 102}, "waits to enter"},
		{0, 103, false, false, false, [3]uint32{101, 0, 102}, "no room to wait"},
		{0, 103, true, false, false, [3]uint32{102, 0, 0}, "the one that waits follows; a slot freed in this cycle does not count"},
		{0, 103, true, false, true, [3]uint32{103, 0, 0}, "enters as the one before leaves"},
		{1, 0, false, true, false, [3]uint32{103, 1, 0}, "waits to continue"},
		{2, 104, false, false, true, [3]uint32{103, 1, 104}, "no room to continue, which is no reason not to wait to enter"},
		{2, 105, false, false, false, [3]uint32{103, 1, 104}, "full"},
		{2, 105, true, false, false, [3]uint32{1, 0, 104}, "the one that waits to continue goes first; its slot does not count yet"},
		{2, 105, true, true, false, [3]uint32{2, 0, 104}, "the one that continues goes before the one that waits to enter"},
		{0, 105, true, false, false, [3]uint32{104, 0, 0}, "and when none does, that one follows"},
		{3, 105, true, true, true, [3]uint32{3, 0, 105}, "continuing goes before entering; both are written"},
		{50, 0, true, true, false, [3]uint32{0, 0, 105}, "a malformed message asks to continue: nothing enters"},
		{51, 0, true, true, false, [3]uint32{0, 0, 105}, "nor into a slot that is free"},
		{0, 0, false, false, false, [3]uint32{105, 0, 0}, "no router with one that waits is idle"},
		{0, 0, true, false, false, [3]uint32{0, 0, 0}, "empty"},
		{52, 106, true, true, true, [3]uint32{0, 0, 106}, "a malformed message asks: the one that enters waits"},
		{4, 0, true, true, false, [3]uint32{4, 0, 106}, "continues into the free output slot"},
		{5, 0, false, true, false, [3]uint32{4, 5, 106}, "waits to continue next to one that waits to enter"},
		{53, 0, true, true, false, [3]uint32{5, 0, 106}, "a malformed message does not hold up one that waits to continue"},
		{6, 0, true, true, false, [3]uint32{6, 0, 106}, "continues as the one before leaves"},
		{0, 107, true, false, false, [3]uint32{106, 0, 0}, "the one that waits to enter follows"},
		{7, 107, false, true, true, [3]uint32{106, 7, 107}, "both wait"},
		{0, 108, true, false, false, [3]uint32{7, 0, 107}, "the one that waits to continue goes before the one that waits to enter"},
		{8, 108, false, true, false, [3]uint32{7, 8, 107}, "full again"},
		{0, 108, true, false, false, [3]uint32{8, 0, 107}, "as before"},
		{0, 108, true, false, false, [3]uint32{107, 0, 0}, "as before"},
		{9, 0, false, true, false, [3]uint32{107, 9, 0}, "waits to continue"},
		{0, 108, true, false, true, [3]uint32{9, 0, 108}, "the one that waits to continue goes before the one that enters"},
		{54, 0, false, true, false, [3]uint32{9, 0, 108}, "all wait"},
		{0, 109, true, false, false, [3]uint32{108, 0, 0}, "the one that waits to enter follows"},
		{0, 0, true, false, false, [3]uint32{0, 0, 0}, "empty"},
		{10, 109, true, true, true, [3]uint32{10, 0, 109}, "both at once into an empty port"},
		{0, 0, true, false, false, [3]uint32{109, 0, 0}, "one by one"},
		{0, 0, true, false, false, [3]uint32{0, 0, 0}, "empty"},
	} {
		in := Inputs{LinkReady: 1 << 1, LocalReady: 1, LocalValid: step.local > 0, LocalSeq: step.local}
		if step.link > 0 {
			in.LinkValid, in.Link[1] = 1<<1, Message{Seq: step.link, WC: 3, WD: 1}
			if step.link >= 50 {
				in.Link[1].WD = 0
			}
		}
		if step.ready {
			in.LinkReady |= 1
		}
		before := r.valid&1 != 0
		var first Message
		if before {
			first = *r.front(0)
		}
		r.gate.balance = 8
		r.Evaluate(&in, &out)
		require.Equal(t, before, out.LinkValid&1 != 0, "step %d: %s", i, step.why)
		if before {
			require.Equal(t, first, out.Link[0], "step %d: %s", i, step.why)
			weight := uint32(2)
			if first.Seq > 100 {
				weight = 4
			}
			require.Equal(t, Message{Seq: first.Seq, WC: weight, WD: 1}, first, "step %d: %s", i, step.why)
		}
		require.Equal(t, step.local1, out.LocalReady, "step %d: local input: %s", i, step.why)
		require.Equal(t, step.link1, out.LinkReady>>1&1 != 0, "step %d: link input: %s", i, step.why)
		r.Step()
		var after [3]uint32
		for slot, full := range []uint32{r.valid, r.waitsOn, r.waitsIn} {
			if full&1 != 0 {
				after[slot] = r.slot[slot].Seq
			}
		}
		require.Equal(t, step.after, after, "step %d: %s", i, step.why)
	}
}

// A ring port passes a message in every cycle, whether all continue, all enter by the
// group, or all enter by a transfer.
func TestARingPortPassesAMessageInEveryCycle(t *testing.T) {
	for name, c := range map[string]struct {
		r    rings
		port int
		in   Inputs
	}{
		"continue": {rings{{8, 1}}, 0, Inputs{LinkValid: 1 << 1, Link: [maxDegree]Message{1: {WC: 4, WD: 1}}}},
		"group":    {rings{{8, 1}}, 0, Inputs{LocalValid: true}},
		"transfer": {rings{{8, 2}}, 1, Inputs{LinkValid: 1 << 2, Link: [maxDegree]Message{2: {WC: 2, WD: 1}}}},
	} {
		r := NewRouter(newPlan(t, c.r), 0)
		var out Outputs
		for cycle := range uint32(50) {
			in := c.in
			in.LinkReady, in.LocalReady = ^uint32(0), 1
			for q := range in.Link {
				in.Link[q].Seq = cycle
			}
			in.LocalSeq = cycle
			r.gate.balance = 8
			r.Evaluate(&in, &out)
			require.Equal(t, in.LinkValid, out.LinkReady, "%s: cycle %d", name, cycle)
			require.Equal(t, in.LocalValid, out.LocalReady, "%s: cycle %d", name, cycle)
			if cycle > 0 {
				require.NotZero(t, out.LinkValid>>c.port&1, "%s: cycle %d", name, cycle)
				require.Equal(t, cycle-1, out.Link[c.port].Seq, "%s: cycle %d", name, cycle)
			}
			r.Step()
			require.Equal(t, 1, held(r, c.port), "%s: cycle %d", name, cycle)
		}
	}
}

// Continuing at full rate keeps others out for ever, entering at full rate does not
// keep out those that continue, and what is left over enters.
func TestEnteringUsesWhatContinuingLeaves(t *testing.T) {
	r := NewRouter(newPlan(t, rings{{8, 1}}), 0)
	var out Outputs
	injected := 0
	for cycle := range uint32(100) {
		in := Inputs{LinkReady: 3, LocalReady: 1, LocalValid: true, LocalSeq: cycle}
		if cycle%4 != 3 {
			in.LinkValid, in.Link[1] = 1<<1, Message{WC: 3, WD: 1}
		}
		r.gate.balance = 8
		r.Evaluate(&in, &out)
		require.Equal(t, in.LinkValid, out.LinkReady, "cycle %d", cycle)
		require.Equal(t, cycle > 0, out.LinkValid&1 != 0, "cycle %d", cycle)
		if out.LocalReady {
			injected++
		}
		r.Step()
	}
	require.Equal(t, 25, injected)
}

// A single message by hand through router 0 of a 4x4 torus.
func TestRouterByHand(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}) // ports: x cw, x ccw, y cw, y ccw
	r := NewRouter(p, 0)
	var out Outputs
	arrive := Inputs{LinkValid: 1 << 3, LinkReady: 0xf, LocalReady: 1}
	arrive.Link[3] = Message{Seq: 9, WD: 2, WC: 2} // from the node below, travelling clockwise in y
	r.Evaluate(&arrive, &out)
	require.EqualValues(t, 1<<3, out.LinkReady, "all copies are made at once")
	require.Zero(t, out.LinkValid)
	r.Step()
	r.Evaluate(&Inputs{LinkReady: 0xf, LocalReady: 1}, &out)
	require.EqualValues(t, 0b0111, out.LinkValid, "both x ports, and on in y")
	require.Equal(t, Message{Seq: 9, WD: 1, WC: 2}, out.Link[0])
	require.Equal(t, Message{Seq: 9, WD: 1, WC: 1}, out.Link[1])
	require.Equal(t, Message{Seq: 9, WD: 2, WC: 1}, out.Link[2])
	require.EqualValues(t, 1, out.LocalValid)
	r.Step()
	r.Evaluate(&Inputs{}, &out)
	require.Zero(t, out.LinkValid)
	require.Zero(t, out.LocalValid)
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
