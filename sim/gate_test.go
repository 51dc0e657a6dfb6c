// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// small are gate constants with which everything happens within a few cycles: a
// debt of 3 per injection, a patience of 8 and a pause of 4 cycles, silences of
// 4, 8 and 16 cycles, standstills of 2, 4 and 8.
var small = plan.Gate{Cost: 3, Cap: 4, BalanceBits: 4, PatienceBits: 3, SilenceBits: 2, StandstillBits: 1, ScaleBits: 1, TopLevel: 2, PauseBits: 2}

// After reset the balance is the cap, everything else 0 or empty, and nothing has
// been seen.
func TestGateAfterReset(t *testing.T) {
	require.Equal(t, gate{balance: 4}, resetGate(&small))
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	require.Equal(t, gate{balance: 128}, NewRouter(p, 3).gate)
	require.True(t, NewRouter(p, 3).gate.open())
}

// The lengths of silences and standstills grow 8 times from level to level.
func TestGateLengthsPerLevel(t *testing.T) {
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	require.Equal(t, 2, k.TopLevel)
	for level, want := range [][2]uint32{{32, 8}, {256, 64}, {2048, 512}} {
		g := gate{level: uint8(level)}
		require.Equal(t, want, [2]uint32{g.silence(&k), g.standstill(&k)})
	}
	require.EqualValues(t, 128+16, pauseEnd(&k))
}

// Point 1: an injection costs N - 1, a delivery earns 1 unless the balance is at
// the cap, both at the end of the cycle after the handshake.
func TestGateBalanceByHand(t *testing.T) {
	g := gate{balance: 4}
	for i, c := range []struct {
		delivered, injected bool
		want                int32 // at the end of the cycle
	}{
		{true, false, 4},
		{true, true, 4},   // the first delivery adds nothing at the cap
		{true, true, 1},   // nor does the second, which came with an injection
		{false, true, -1}, // that one was below it
		{false, false, -4},
		{true, false, -4},
		{true, false, -3},
		{false, false, -2},
		{true, false, -2},
		{true, false, -1},
		{true, false, 0},
		{true, false, 1},
		{true, false, 2},
		{true, false, 3},
		{true, false, 4}, // one less than the cap is below it
		{true, false, 4},
		{false, false, 4},
	} {
		g.step(&small, 0, seen{delivered: c.delivered, injected: c.injected})
		require.Equal(t, c.want, g.balance, "cycle %d", i)
	}
}

// Point 1: quiet at level 0 forgives the debt, and adds nothing to a balance that is
// not negative.
func TestGateForgivesTheDebtOfAQuietRouterAtLevel0(t *testing.T) {
	for _, c := range []struct {
		name string
		g    gate
		want int32
	}{
		{"quiet", gate{seen: seen{quiet: true, injected: true}}, 0},
		{"quiet, without an injection", gate{balance: -6, seen: seen{quiet: true}}, 0},
		{"quiet, balance left", gate{balance: 4, seen: seen{quiet: true, injected: true}}, 1},
		{"quiet, nothing owed", gate{balance: 2, seen: seen{quiet: true}}, 2},
		{"not quiet", gate{seen: seen{injected: true}}, -3},
		{"level 1", gate{level: 1, seen: seen{quiet: true, injected: true}}, -3},
	} {
		c.g.step(&small, 0, seen{quiet: !c.g.seen.quiet}) // that of this cycle does not count yet
		require.Equal(t, c.want, c.g.balance, c.name)
	}
}

// What a router shows its gate: a node of a 4x4 torus with one message on a link
// output, and one on the local output.
func TestGateSeesTheRouterOfTheCycle(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	link, local := func(r *Router) { r.count[2] = 1; r.measure(2) }, func(r *Router) { r.count[delivery] = 1 }
	for _, c := range []struct {
		name    string
		with    func(*Router)
		in      Inputs
		want    seen
		blocked uint32
	}{
		{"nothing", nil, Inputs{}, idle, 0},
		{"receivers do not matter", nil, Inputs{LinkReady: 15, LocalReady: true}, idle, 0},
		{"link output moves", link, Inputs{LinkReady: 4}, seen{quiet: true}, 0},
		{"link output blocked", link, Inputs{LinkReady: 11}, seen{}, 4},
		{"local output moves", local, Inputs{LocalReady: true}, seen{delivered: true}, 0},
		{"local output blocked", local, Inputs{}, seen{}, localOutput},
		{"link input", nil, Inputs{LinkValid: 1, Link: [maxDegree]Message{{WD: 1, WC: 1}}}, seen{quiet: true}, 0},
		{"injection", nil, Inputs{LocalValid: true}, seen{calm: true, quiet: true, injected: true}, 0},
		{"local input waits", func(r *Router) { r.count[2] = 2; r.measure(2) }, Inputs{LocalValid: true, LinkReady: 4}, seen{quiet: true, waits: true}, 0},
		{"local input at a closed gate", func(r *Router) { r.gate.balance = -1 }, Inputs{LocalValid: true}, idle, 0},
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

// gateCycle is a cycle of a gate by hand: what is seen and which outputs are
// blocked, and level, c and S at its end.
type gateCycle struct {
	calm    bool
	blocked uint32
	level   uint8
	length  uint32
	still   uint32
}

func run(t *testing.T, g gate, cycles []gateCycle) gate {
	t.Helper()
	for i, c := range cycles {
		g.step(&small, c.blocked, seen{calm: c.calm})
		require.Equal(t, c, gateCycle{g.seen.calm, c.blocked, g.level, g.length, g.still}, "cycle %d", i)
	}
	return g
}

// Point 2: a silence of 4 cycles, twice as many at level 1, and one cycle more,
// fills the balance up and lowers the level; the next one begins with the next
// cycle. Any other cycle ends it.
func TestGateSilencesByHand(t *testing.T) {
	g := gate{balance: -2, level: 1}
	count := func(level uint8, from, to uint32) (c []gateCycle) {
		for n := from; n <= to; n++ {
			c = append(c, gateCycle{true, 0, level, n, 0})
		}
		return c
	}
	g = run(t, g, count(1, 0, 6)) // 7 calm cycles
	g = run(t, g, []gateCycle{{false, 0, 1, 7, 0}, {true, 0, 1, 0, 0}})
	g = run(t, g, count(1, 1, 7)) // 8 calm cycles
	g = run(t, g, []gateCycle{{false, 0, 1, 8, 0}, {true, 0, 1, 0, 0}})
	g = run(t, g, count(1, 1, 8)) // 9 calm cycles
	require.EqualValues(t, -2, g.balance)
	g = run(t, g, []gateCycle{{false, 0, 0, 0, 0}})
	require.EqualValues(t, 4, g.balance)
	g.balance = -2
	g = run(t, g, count(0, 0, 4))
	require.EqualValues(t, -2, g.balance)
	g.seen.injected = true // whatever point 1 says
	g = run(t, g, []gateCycle{{true, 0, 0, 0, 0}, {true, 0, 0, 1, 0}})
	require.EqualValues(t, 4, g.balance)
}

// Point 2: a standstill of 2 cycles, 4 at level 1, 8 at level 2, and one cycle more,
// raises the level, up to the highest; then c begins anew.
func TestGateStandstillsByHand(t *testing.T) {
	cycles := []gateCycle{{false, 2, 0, 0, 2}, {false, 2, 0, 1, 2}, {false, 2, 0, 2, 2}, {false, 2, 1, 0, 2}}
	for n := uint32(1); n <= 4; n++ {
		cycles = append(cycles, gateCycle{false, 2, 1, n, 2})
	}
	cycles = append(cycles, gateCycle{false, 2, 2, 0, 2})
	for n := uint32(1); n <= 8; n++ {
		cycles = append(cycles, gateCycle{false, 2, 2, n, 2})
	}
	g := run(t, gate{balance: 4}, append(cycles,
		gateCycle{false, 2, 2, 0, 2},
		gateCycle{false, 2, 2, 1, 2},
		gateCycle{false, 0, 2, 2, 0},
		gateCycle{false, 0, 2, 0, 0},
	))
	require.EqualValues(t, 4, g.balance)
}

// Points 2 and 3: S is what has been blocked since it was empty. It is renewed
// only when nothing of it is blocked any more; the cycle after that counts anew.
func TestGateStandstillsOfSeveralOutputsByHand(t *testing.T) {
	run(t, gate{balance: 4}, []gateCycle{
		{false, 5, 0, 0, 5},
		{false, 6, 0, 1, 4}, // 2 came later
		{false, 3, 0, 2, 0}, // 4 moves: S is empty, although 2 was blocked twice
		{false, 3, 0, 0, 3},
		{false, 1, 0, 1, 1},
		{false, 1, 0, 2, 1},
		{false, 0, 1, 0, 0}, // S is what was blocked until the cycle before
		{false, localOutput, 1, 0, localOutput},
		{false, localOutput, 1, 1, localOutput},
		{false, 0, 1, 2, 0},
		{true, 0, 1, 0, 0},
	})
}

// Point 2: an injection in a silence whose copy is blocked at once begins a
// standstill, and the length of the silence does not count for it.
func TestGateStandstillRightAfterASilenceCountsAnew(t *testing.T) {
	for silent := range 4 {
		cycles := []gateCycle{{true, 0, 0, 0, 0}}
		for n := range silent { // the last is that of the injection
			cycles = append(cycles, gateCycle{true, 0, 0, uint32(n) + 1, 0})
		}
		run(t, gate{balance: 4}, append(cycles,
			gateCycle{false, 1, 0, 0, 1},
			gateCycle{false, 1, 0, 1, 1},
			gateCycle{false, 1, 0, 2, 1},
			gateCycle{false, 0, 1, 0, 0},
		))
	}
	// a silence that is long enough ends all the same
	run(t, gate{balance: 4, level: 1, length: 8, seen: seen{calm: true}}, []gateCycle{{false, 1, 0, 0, 1}, {false, 1, 0, 1, 1}})
}

// Point 4: a message that has waited for 8 cycles starts a pause of 4, whatever
// happens in it. A cycle without waiting counts from 0.
func TestGatePatienceByHand(t *testing.T) {
	g := gate{balance: 4}
	wait := func(waits bool, want ...uint32) {
		t.Helper()
		for _, w := range want {
			require.Equal(t, g.waited >= 8, g.pauses(&small))
			g.step(&small, 0, seen{waits: waits})
			require.Equal(t, w, g.waited)
		}
	}
	wait(true, 0, 1, 2, 3, 4, 5, 6)
	wait(false, 7, 0)
	wait(true, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	wait(false, 10, 11, 0, 0)
	wait(true, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2)
}

// The gate stays open for a message that has asked: two injections follow each
// other, the debt of the first shows when the second is half copied, and nothing
// but the rest of the second may come out.
func TestGateStaysOpenForAMessageThatHasAsked(t *testing.T) {
	p := newPlan(t, rings{{8, 1}}) // both ports are ring ports; an injection costs 7
	r := NewRouter(p, 0)
	r.gate.balance, r.gate.level = 0, 1 // nothing is forgiven
	var out Outputs
	seq := uint32(0)
	for i, step := range []struct {
		ready   uint32   // ports 0 and 1
		balance int32    // at the start of the cycle
		open    bool     // in it
		taken   bool     // the local input is ready
		count   [2]uint8 // messages in ports 0 and 1 afterwards
	}{
		{0, 0, true, true, [2]uint8{1, 1}},
		{2, 0, true, true, [2]uint8{2, 1}},    // not paid yet: a second injection
		{2, -7, false, false, [2]uint8{2, 0}}, // the third has not asked before
		{0, -14, false, false, [2]uint8{2, 0}},
	} {
		require.Equal(t, step.balance, r.gate.balance, "cycle %d", i)
		require.Equal(t, step.open, r.gate.open(), "cycle %d", i)
		r.Evaluate(&Inputs{LocalValid: true, LocalSeq: seq, LinkReady: step.ready}, &out)
		require.Equal(t, step.taken, out.LocalReady, "cycle %d", i)
		if out.LocalReady {
			seq++
		}
		r.Step()
		require.Equal(t, step.count, [2]uint8{r.count[0], r.count[1]}, "cycle %d", i)
	}

	// the same, but port 0 has only room for the first
	r = NewRouter(p, 0)
	r.gate.balance, r.gate.level = 0, 1
	r.count[0] = 1
	r.slot[0] = Message{Seq: 99, WD: 1, WC: 1}
	r.measure(0)
	for i, step := range []struct {
		ready   uint32
		balance int32
		taken   bool
		seq     uint32 // of the message on offer
		count   [2]uint8
	}{
		{0, 0, true, 0, [2]uint8{2, 1}},
		{2, 0, false, 1, [2]uint8{2, 1}},  // port 1 takes the second, port 0 has one free slot
		{0, -7, false, 1, [2]uint8{2, 1}}, // closed, but it has asked
		{1, -7, false, 1, [2]uint8{1, 1}},
		{0, -7, true, 1, [2]uint8{2, 1}},
		{3, -7, false, 2, [2]uint8{1, 0}},
		{0, -14, false, 2, [2]uint8{1, 0}},
	} {
		require.Equal(t, step.balance, r.gate.balance, "cycle %d", i)
		r.Evaluate(&Inputs{LocalValid: true, LocalSeq: step.seq, LinkReady: step.ready}, &out)
		require.Equal(t, step.taken, out.LocalReady, "cycle %d", i)
		r.Step()
		require.Equal(t, step.count, [2]uint8{r.count[0], r.count[1]}, "cycle %d", i)
	}
	require.EqualValues(t, 1, r.front(0).Seq, "the second came out of port 0 too")
}

// Skipping n idle cycles at once must equal n single steps, from any state.
func TestGateSkipEqualsSingleSteps(t *testing.T) {
	check := func(k *plan.Gate, a gate, n int) {
		t.Helper()
		b := a
		a.skip(k, n)
		for range n {
			b.step(k, 0, idle)
		}
		if a != b {
			require.Equal(t, b, a, "%d cycles", n)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	flip := func() bool { return random.IntN(2) == 0 }
	any := func() seen { return seen{flip(), flip(), flip(), flip(), flip()} }
	for _, balance := range []int32{-6, -3, -1, 0, 2, 4} {
		for level := range uint8(3) {
			for length := range uint32(4<<level + 3) {
				for n := range 60 {
					check(&small, gate{balance: balance, level: level, still: uint32(level), length: length, waited: uint32(n) % 12, seen: any()}, n)
				}
			}
		}
	}
	for waited := range uint32(12) {
		for n := range 15 {
			check(&small, gate{balance: 4, waited: waited, seen: any()}, n)
		}
	}
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	for range 3000 {
		g := gate{
			balance: random.Int32N(30+256) - 30,
			level:   uint8(random.IntN(k.TopLevel + 1)),
			still:   random.Uint32N(3),
			waited:  random.Uint32N(pauseEnd(&k)),
			seen:    any(),
		}
		g.length = random.Uint32N(g.silence(&k) + 1)
		check(&k, g, random.IntN(1<<random.IntN(13)))
	}
}

// A skip takes no time, however long it is.
func TestGateSkipsAnyNumberOfCycles(t *testing.T) {
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	g := gate{balance: -15, level: 2, length: 3, waited: 130, seen: idle}
	const n = 1_000_000_000_000
	g.skip(&k, n)
	// the silences of levels 2 and 1 are over after 2049 - 3 + 257 cycles
	require.Equal(t, gate{balance: 128, length: (n - 2303) % 33, seen: idle}, g)
}
