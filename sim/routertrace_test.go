// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// size is a writer that counts bytes.
type size int

func (s *size) Write(b []byte) (int, error) {
	*s += size(len(b))
	return len(b), nil
}

// A wide payload shortens the random scenes, but the drills of the gate stay: the
// message that waits while a hold of 2^HoldBits - 1 epochs runs down has a line in
// every cycle, so the file of the widest payload is 20 to 30 MB.
func TestRouterTraceOfWidePayloadsIsSmallAndKeepsTheGate(t *testing.T) {
	for _, r := range []rings{{{4, 1}, {4, 1}}, {{15, 2}, {15, 2}}, {{15, 2}, {15, 2}, {15, 2}, {15, 2}}} {
		p := newPlan(t, r, payloadBits(1024), sourceID())
		var bytes size
		c, err := WriteRouterTrace(&bytes, p, 0, 1, nil)
		require.NoError(t, err)
		require.Greater(t, RouterCycles(p), 2*32736, "%v", r)
		require.Less(t, int(bytes), 32<<20, "%v", r)
		gate := gateEvents(p)
		for _, e := range c.Events {
			if gate[e.Name] {
				require.Positive(t, e.Count, "%v: %s", r, e.Name)
			}
		}
	}
}

// gateEvents names the events of the gate.
func gateEvents(p *plan.Plan) map[string]bool {
	c := &Coverage{index: map[eventKey]int{}}
	c.addGate(p)
	names := map[string]bool{}
	for _, e := range c.Events {
		names[e.Name] = true
	}
	return names
}

// The hold must be seen to run down: a message waits at the closed gate of the
// idle router for most of 1023 epochs of 32 cycles and is then taken, twice.
func TestRouterTraceShowsHoldsRunningDown(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	r, s := NewRouter(p, 0), newStimulus(p, 1)
	var out Outputs
	idle, long := 0, 0
	for cycle := 0; cycle < RouterCycles(p); cycle++ {
		in := s.drive()
		r.Evaluate(in, &out)
		switch {
		case in.LocalValid && !out.LocalReady && r.calm():
			idle++
		case in.LocalValid && out.LocalReady && r.calm() && idle > 7000:
			long++
			fallthrough
		default:
			idle = 0
		}
		r.Step()
		s.taken(&out)
	}
	require.Equal(t, 2, long)
}

// A gate that comes out of reset in another state must show in the trace: while
// its inputs are driven as they are written, an output differs.
func TestRouterTraceShowsWrongResetsOfTheGate(t *testing.T) {
	for _, r := range []rings{{{2, 1}}, {{8, 1}}, {{4, 1}, {4, 1}}, {{15, 2}, {15, 2}}, {{15, 1}, {15, 1}, {15, 1}, {15, 1}}} {
		p := newPlan(t, r)
		first := newProgram(p)[0].cycles
		right := gate{balance: int32(p.Gate.Cap)}
		wrong := map[string]gate{
			"closed":             {balance: -1},
			"open once":          {balance: int32(p.Gate.Cost) - 1},
			"open three times":   {balance: int32(2 * p.Gate.Cost)},
			"held":               {balance: right.balance, hold: 1<<p.Gate.HoldBits - 1},
			"an epoch too short": {balance: right.balance, phase: 1},
		}
		if p.Gate.Cap <= openableCap {
			wrong["one too low"] = gate{balance: right.balance - 1}
			wrong["one too high"] = gate{balance: right.balance + 1}
		}
		for name, g := range wrong {
			a, b, s := NewRouter(p, 0), NewRouter(p, 0), newStimulus(p, 1)
			b.gate = g
			var is, want Outputs
			cycle, cycles := 0, RouterCycles(p)
			for ; cycle < cycles; cycle++ {
				in := s.drive()
				is, want = Outputs{}, Outputs{}
				a.Evaluate(in, &want)
				b.Evaluate(in, &is)
				if is != want {
					break
				}
				a.Step()
				b.Step()
				s.taken(&want)
			}
			require.Less(t, cycle, cycles, "%v: %s", r, name)
			if g.hold == 0 && g.phase == 0 {
				require.Less(t, cycle, first, "%v: %s", r, name)
			}
		}
	}
}

func TestRouterTraceMeetsEveryEvent(t *testing.T) {
	machines := append([]rings{
		{{5, 1}, {5, 1}, {5, 1}},
		{{15, 1}, {15, 1}, {15, 1}, {15, 1}},
		{{15, 2}, {15, 2}, {15, 2}, {15, 2}},
		{{31, 8}},
		{{17, 7}, {3, 1}},
	}, corner...)
	for _, r := range machines {
		for _, pref := range preferences {
			p := newPlan(t, r, preference(pref))
			c, err := WriteRouterTrace(io.Discard, p, 0, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if m := c.Missing(); len(m) > 0 {
				t.Errorf("%v %s: %d of %d events never happened in %d cycles: %q", r, pref, len(m), len(c.Events), RouterCycles(p), m)
			}
		}
	}
}
