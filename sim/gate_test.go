// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// small are gate constants with which everything happens within a few cycles: a
// debt of 3 per injection; windows of 4, 8, 16 and 32 cycles for silences, 2, 4, 8 and
// 16 for standstills, 32, 64 and 128 for the memory of levels 1 to 3, 8 for the patience
// and 4 for the pause.
var small = plan.Gate{
	Cost: 3, Cap: 4, BalanceBits: 4, SilenceBits: 2, StandstillBits: 1, ScaleBits: 1, TopLevel: 3,
	PatienceBits: 3, PauseBits: 2, MemoryBits: 4, TimerBits: 7,
}

// After reset the balance is the cap, everything else 0 or empty, and nothing has
// been seen.
func TestGateAfterReset(t *testing.T) {
	require.Equal(t, gate{balance: 4}, resetGate(&small))
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	require.Equal(t, gate{balance: 128}, NewRouter(p, 3).gate)
	require.True(t, NewRouter(p, 3).gate.open())
}

// The windows of silences, standstills and the memory grow 8 times from level to level, and
// cycle 2^n - 1 is the first that ends a window of 2^n.
func TestGateWindows(t *testing.T) {
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	require.Equal(t, 3, k.TopLevel)
	for level, want := range [][3]int{{5, 3, 11}, {8, 6, 14}, {11, 9, 17}, {14, 12, 20}} {
		g := gate{level: uint8(level)}
		require.Equal(t, want, [3]int{g.silence(&k), g.standstill(&k), g.memory(&k)})
	}
	require.Equal(t, [2]int{7, 4}, [2]int{k.PatienceBits, k.PauseBits})
	for time := range uint32(64) {
		g := gate{time: time}
		require.Equal(t, time == 7 || time == 15 || time == 23 || time == 31 || time == 39 || time == 47 || time == 55 || time == 63, g.ends(3))
		require.Equal(t, time == 31 || time == 63, g.ends(5))
		require.Equal(t, 31-time%32, g.left(5))
	}
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

// gateCycle is cycle t of a gate by hand: what is seen and which outputs are blocked
// in it, and what is to be at its end.
type gateCycle struct {
	now     seen
	blocked uint32
	want    gate // without time and seen
}

// run runs a gate through consecutive cycles.
func run(t *testing.T, k *plan.Gate, g gate, cycles ...gateCycle) gate {
	t.Helper()
	for _, c := range cycles {
		time := g.time
		g.step(k, c.blocked, c.now)
		c.want.time, c.want.seen = time+1, c.now
		require.Equal(t, c.want, g, "cycle %d", time)
	}
	return g
}

// times repeats a cycle.
func times(n int, c gateCycle) []gateCycle { return slices.Repeat([]gateCycle{c}, n) }

var (
	calm  = seen{calm: true}
	busy  = seen{}
	waits = seen{waits: true}
)

// Point 2: an output that is blocked at the end of a window, and up to the cycle
// before the end of the next, raises the level. The first window ends with cycle 1.
func TestGateStandstillByHand(t *testing.T) {
	g := func(level uint8, still uint32) gate { return gate{balance: 4, level: level, still: still} }
	run(t, &small, resetGate(&small),
		gateCycle{busy, 2, g(0, 0)}, // 0: ends no window
		gateCycle{busy, 2, g(0, 2)}, // 1
		gateCycle{busy, 2, g(0, 2)},
		gateCycle{busy, 0, g(1, 0)}, // 3: what is blocked now does not matter
		// now windows of 4
		gateCycle{busy, 2, g(1, 0)},
		gateCycle{busy, 2, g(1, 0)}, // 5: would end one of 2
		gateCycle{busy, 2, g(1, 0)},
		gateCycle{busy, 2, g(1, 2)}, // 7
		gateCycle{busy, 2, g(1, 2)},
		gateCycle{busy, 2, g(1, 2)},
		gateCycle{busy, 2, g(1, 2)},
		gateCycle{busy, 2, g(2, 0)}, // 11: S is not loaded at once
		// now windows of 8
		gateCycle{busy, 2, g(2, 0)},
		gateCycle{busy, 2, g(2, 0)},
		gateCycle{busy, 2, g(2, 0)},
		gateCycle{busy, 2, g(2, 2)}, // 15
		gateCycle{busy, 2, g(2, 2)},
		gateCycle{busy, 2, g(2, 2)},
		gateCycle{busy, 2, g(2, 2)},
		gateCycle{busy, 2, g(2, 2)},
		gateCycle{busy, 2, g(2, 2)},
		gateCycle{busy, 2, g(2, 2)},
		gateCycle{busy, 2, g(2, 2)},
		gateCycle{busy, 2, g(3, 0)}, // 23
	)
	// windows of 16 end with 31, 47, 63
	run(t, &small, gate{time: 30, balance: 4, level: 3},
		slices.Concat(
			times(1, gateCycle{busy, 2, g(3, 0)}),
			times(16, gateCycle{busy, 2, g(3, 2)}), // 31..46
			times(16, gateCycle{busy, 2, g(3, 0)}), // 47..62: it stays at the top, but S becomes empty
			times(16, gateCycle{busy, 2, g(3, 2)}),
			times(1, gateCycle{busy, 2, g(3, 0)}), // 79
		)...)
}

// Point 2: one cycle less at either side is no standstill.
func TestGateStandstillOneCycleShort(t *testing.T) {
	g := func(still uint32) gate { return gate{balance: 4, level: 1, still: still} }
	// windows of 4: cycles 3, 7, 11, 15 end one
	run(t, &small, gate{time: 3, balance: 4, level: 1},
		gateCycle{busy, 0, g(0)}, // 3
		gateCycle{busy, 1, g(0)}, // blocked from the cycle after that
		gateCycle{busy, 1, g(0)},
		gateCycle{busy, 1, g(0)},
		gateCycle{busy, 1, g(1)}, // 7
		gateCycle{busy, 1, g(1)},
		gateCycle{busy, 1, g(1)},
		gateCycle{busy, 0, g(0)}, // 10: released one cycle before the end
		gateCycle{busy, 1, g(1)}, // 11: empty, so loaded
		gateCycle{busy, 1, g(1)},
		gateCycle{busy, 1, g(1)},
		gateCycle{busy, 1, g(1)},
		gateCycle{busy, 0, gate{balance: 4, level: 2}}, // 15
	)
}

// Point 2: S is loaded only at the end of a window, and only if it is empty; from
// then on outputs only leave it. Two outputs that relay each other raise nothing.
func TestGateStandstillOfSeveralOutputsByHand(t *testing.T) {
	g := func(still uint32) gate { return gate{balance: 4, level: 1, still: still} }
	run(t, &small, gate{time: 3, balance: 4, level: 1},
		gateCycle{busy, 5, g(5)}, // 3
		gateCycle{busy, 6, g(4)}, // 2 came later
		gateCycle{busy, 7, g(4)},
		gateCycle{busy, 3, g(0)},
		gateCycle{busy, 3 | localOutput, g(3 | localOutput)}, // 7
		gateCycle{busy, 2 | localOutput, g(2 | localOutput)},
		gateCycle{busy, 7 | localOutput, g(2 | localOutput)},
		gateCycle{busy, localOutput, g(localOutput)},
		gateCycle{busy, localOutput, gate{balance: 4, level: 2}}, // 11
	)
	// 1 and 2 in turn, each blocked while the other one moves
	run(t, &small, gate{time: 3, balance: 4, level: 1},
		gateCycle{busy, 1, g(1)}, // 3
		gateCycle{busy, 3, g(1)},
		gateCycle{busy, 2, g(0)},
		gateCycle{busy, 2, g(0)},
		gateCycle{busy, 2, g(2)}, // 7
		gateCycle{busy, 2, g(2)},
		gateCycle{busy, 3, g(2)},
		gateCycle{busy, 1, g(0)},
		gateCycle{busy, 1, g(1)}, // 11
	)
}

// Point 2: the window in which the level has risen or fallen does not count for the
// new level: S is loaded at the end of one of that level at the earliest.
func TestGateStandstillAfterALevelChange(t *testing.T) {
	// level 0 rises at 5, the first window of 4 ends with 7
	run(t, &small, gate{time: 5, balance: 4, still: 1},
		gateCycle{busy, 1, gate{balance: 4, level: 1}},
		gateCycle{busy, 1, gate{balance: 4, level: 1}},
		gateCycle{busy, 1, gate{balance: 4, level: 1, still: 1}}, // 7
		gateCycle{busy, 1, gate{balance: 4, level: 1, still: 1}},
		gateCycle{busy, 1, gate{balance: 4, level: 1, still: 1}},
		gateCycle{busy, 1, gate{balance: 4, level: 1, still: 1}},
		gateCycle{busy, 0, gate{balance: 4, level: 2}}, // 11
	)
	// level 1 falls at 7, at the end of a silence. What is blocked then has stood
	// still since the end of a window of level 0
	run(t, &small, gate{time: 7, balance: 1, level: 1, silent: true, seen: calm},
		gateCycle{busy, 1, gate{balance: 4, still: 1, silent: true}},
		gateCycle{busy, 1, gate{balance: 4, still: 1}},
		gateCycle{busy, 0, gate{balance: 4, level: 1}}, // 9
	)
}

// Point 3: a silence from the end of a window to the end of the next one refills
// the balance and lowers the level, one cycle after the other at either side.
func TestGateSilenceByHand(t *testing.T) {
	g := func(level uint8, silent bool, balance int32) gate {
		return gate{level: level, silent: silent, balance: balance}
	}
	// windows of 8 end with 7, 15, 23: what is seen in 6 counts at the end of 7
	at := gate{time: 6, balance: -2, level: 1}
	exact := run(t, &small, at, slices.Concat(
		times(1, gateCycle{calm, 0, g(1, false, -2)}),
		times(8, gateCycle{calm, 0, g(1, true, -2)}), // 7..14; 13 is the last that matters
		times(1, gateCycle{calm, 0, g(0, true, 4)}),  // 15
	)...)
	run(t, &small, at, slices.Concat(
		times(1, gateCycle{calm, 0, g(1, false, -2)}),
		times(7, gateCycle{calm, 0, g(1, true, -2)}), // 7..13
		times(1, gateCycle{busy, 0, g(1, true, -2)}), // 14
		times(1, gateCycle{busy, 0, g(0, false, 4)}), // 15: silent is what 14 was
		times(1, gateCycle{busy, 0, g(0, false, 4)}),
	)...)
	run(t, &small, at, slices.Concat(
		times(1, gateCycle{calm, 0, g(1, false, -2)}),
		times(6, gateCycle{calm, 0, g(1, true, -2)}), // 7..12
		times(1, gateCycle{busy, 0, g(1, true, -2)}), // 13
		times(1, gateCycle{calm, 0, g(1, false, -2)}),
		times(1, gateCycle{calm, 0, g(1, true, -2)}), // 15
	)...)
	run(t, &small, at, slices.Concat(
		times(1, gateCycle{busy, 0, g(1, false, -2)}), // 6
		times(8, gateCycle{calm, 0, g(1, false, -2)}), // 7..14
		times(8, gateCycle{calm, 0, g(1, true, -2)}),  // 15..22
		times(1, gateCycle{calm, 0, g(0, true, 4)}),   // 23
	)...)

	// it goes on at the lower level, whose next window ends with 19
	exact.balance = -2
	run(t, &small, exact, slices.Concat(
		times(3, gateCycle{calm, 0, g(0, true, -2)}), // 16..18
		times(1, gateCycle{calm, 0, g(0, true, 4)}),  // 19
	)...)
}

// Point 3: from level 3 down, each silence lasts for a window of its level, and the
// next one begins when it ends.
func TestGateSilencesFollowEachOther(t *testing.T) {
	g := gate{time: 31, balance: -6, level: 3, seen: calm}
	want := map[uint32]gate{ // at the end of the cycle; it holds until the next
		31: {balance: -6, level: 3, silent: true},
		63: {balance: 4, level: 2, silent: true},
		79: {balance: 4, level: 1, silent: true},
		87: {balance: 4, level: 0, silent: true},
	}
	var last gate
	for time := uint32(31); time < 300; time++ {
		g.step(&small, 0, calm)
		if w, ok := want[time]; ok {
			last = w
		}
		last.time, last.seen = time+1, calm
		require.Equal(t, last, g, "cycle %d", time)
	}
}

// Point 3: the refill counts, whatever point 1 says, and the level is that of the
// start of the cycle.
func TestGateRefillGoesBeforeAPayment(t *testing.T) {
	for _, level := range []uint8{0, 1} {
		g := gate{time: 7, balance: -2, level: level, silent: true, seen: seen{calm: true, injected: true}}
		g.step(&small, 0, busy)
		require.Equal(t, gate{time: 8, balance: 4, silent: true}, g)
		g = gate{time: 7, balance: 4, level: level, silent: true, seen: seen{delivered: true, injected: true}}
		g.step(&small, 0, busy)
		require.Equal(t, gate{time: 8, balance: 4}, g)
	}
	// no refill, but a debt forgiven, in a window that begins calm
	g := gate{time: 7, balance: 1, seen: seen{calm: true, quiet: true, injected: true}}
	g.step(&small, 0, busy)
	require.Equal(t, gate{time: 8, balance: 0, silent: true}, g)
}

// Point 3: after reset the first window does not count, because its beginning is
// missing.
func TestGateSilenceAfterReset(t *testing.T) {
	g := resetGate(&small)
	g.balance = 1
	for time := range 7 {
		require.EqualValues(t, 1, g.balance, "cycle %d", time)
		require.Equal(t, time > 3, g.silent, "cycle %d", time)
		g.step(&small, 0, calm)
	}
	g.step(&small, 0, calm)
	require.Equal(t, gate{time: 8, balance: 4, silent: true, seen: calm}, g)
}

// Point 4: without a standstill the level falls with the second end of a window of its
// memory, and then with the first one of each level below: cycles 255 (256 is 2 windows
// of 128), 319 and 351.
func TestGateMemoryByHand(t *testing.T) {
	g := gate{time: 20, balance: -3, level: 3}
	for time := uint32(20); time < 600; time++ {
		g.step(&small, 0, busy)
		want := gate{time: time + 1, balance: -3, level: 3, steady: time >= 127}
		switch {
		case time >= 351:
			want.level = 0
		case time >= 319:
			want.level = 1
		case time >= 255:
			want.level = 2
		}
		require.Equal(t, want, g, "cycle %d", time)
	}
}

// Point 4 with the constants of every machine: windows of 2^14, 2^17 and 2^20 cycles,
// aligned, one cycle before and at their ends.
func TestGateMemoryOfEveryLevel(t *testing.T) {
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	for level, window := range map[uint8]uint32{1: 1 << 14, 2: 1 << 17, 3: 1 << 20} {
		for _, n := range []uint32{1, 2, 3, 7, 1 << 11} { // the last: t is 0 again, or at 2^31
			at := n*window - 1
			g := gate{time: at - 1, balance: -3, level: level, steady: true}
			g.step(&k, 0, busy)
			require.Equal(t, gate{time: at, balance: -3, level: level, steady: true}, g)
			g.step(&k, 0, busy)
			require.Equal(t, gate{time: at + 1, balance: -3, level: level - 1, steady: true}, g)
			g = gate{time: at, balance: -3, level: level}
			g.step(&k, 0, busy)
			require.Equal(t, gate{time: at + 1, balance: -3, level: level, steady: true}, g, "a standstill before")
		}
		// half of a window is none, but if it is one of the level below it does not count either
		g := gate{time: window/2 - 1, balance: -3, level: level, steady: true}
		g.step(&k, 0, busy)
		require.Equal(t, level, g.level)
		g = gate{time: window/8 - 1, balance: -3, level: level}
		g.step(&k, 0, busy)
		require.False(t, g.steady)
	}
	// at level 0 no window counts, and steady stays what it was
	for _, steady := range []bool{false, true} {
		g := gate{time: 1<<20 - 1, balance: 3, steady: steady}
		g.step(&k, 0, busy)
		require.Equal(t, gate{time: 1 << 20, balance: 3, steady: steady}, g)
	}
}

// Point 4: after a fall from level 2 the next one comes after exactly one full window
// of level 1.
func TestGateMemoryAfterAFall(t *testing.T) {
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	g := gate{time: 1<<18 - 1, balance: -3, level: 2, steady: true}
	g.step(&k, 0, busy)
	require.EqualValues(t, 1, g.level)
	for range 1<<14 - 1 {
		g.step(&k, 0, busy)
		require.EqualValues(t, 1, g.level)
	}
	g.step(&k, 0, busy)
	require.Equal(t, gate{time: 1<<18 + 1<<14, balance: -3, steady: true}, g)
}

// Point 4: a standstill clears steady, whatever the level, and in a cycle that ends
// a window of the memory it does so too and the level does not fall. Its windows are
// of 32, 64 and 128 cycles.
func TestGateMemoryAndStandstill(t *testing.T) {
	g := func(time uint32, level uint8, still uint32, steady bool) gate {
		return gate{time: time, balance: -3, level: level, still: still, steady: steady}
	}
	for _, c := range []struct {
		name        string
		before, end gate
	}{
		{"within the window", g(7, 1, 1, true), g(8, 2, 0, false)},
		{"within the window, at level 2", g(31, 2, 1, true), g(32, 3, 0, false)},
		{"within the window, at the top", g(15, 3, 1, true), g(16, 3, 0, false)},
		{"at its end", g(31, 1, 1, true), g(32, 2, 0, false)},
		{"at its end, at level 2", g(63, 2, 1, true), g(64, 3, 0, false)},
		{"at its end, at the top", g(127, 3, 1, true), g(128, 3, 0, false)},
		{"at its end, at level 0", g(15, 0, 1, true), g(16, 1, 0, false)},
		{"at its end, not steady", g(31, 1, 1, false), g(32, 2, 0, false)},
		{"at its end, at the top, not steady", g(127, 3, 1, false), g(128, 3, 0, false)},
		{"S renewed at its end", g(31, 1, 0, true), g(32, 0, 2, true)},
		{"S renewed at its end, at the top", g(127, 3, 0, true), g(128, 2, 2, true)},
		{"S not empty, but not at its end", g(30, 1, 2, true), g(31, 1, 2, true)},
		{"a window of the level below", g(31, 2, 0, true), g(32, 2, 2, true)},
		{"none, at level 0", g(127, 0, 0, true), g(128, 0, 2, true)},
		{"none, at level 0, not steady", g(127, 0, 0, false), g(128, 0, 2, false)},
		{"none, not steady", g(63, 2, 0, false), g(64, 2, 2, true)},
	} {
		got := c.before
		got.step(&small, 2, busy)
		c.end.seen = busy
		require.Equal(t, c.end, got, c.name)
	}
}

// Point 4: a silence and the memory in one cycle lower the level by 1 in all, and a
// silence alone does not keep the window from counting for the next one.
func TestGateMemoryAndSilence(t *testing.T) {
	for level, want := range []uint8{0, 0, 1, 2} {
		for _, steady := range []bool{false, true} {
			g := gate{time: 127, balance: -3, level: uint8(level), silent: true, steady: steady}
			g.step(&small, 0, calm)
			require.Equal(t, gate{time: 128, balance: 4, level: want, silent: false, steady: steady || level > 0, seen: calm}, g)
		}
	}
}

// Points 2 to 4: a standstill and a silence never meet in a router. If they did, the
// standstill would win.
func TestGateStandstillWinsOverASilence(t *testing.T) {
	for level, want := range []uint8{1, 2, 3, 3} {
		g := gate{time: 127, balance: -3, level: uint8(level), still: 1, silent: true, steady: true}
		g.step(&small, 1, calm)
		require.Equal(t, gate{time: 128, balance: 4, level: want, seen: calm}, g)
	}
}

// Point 5: a local input that waits from the end of a window of 8 cycles to the end
// of the next one starts a pause of 4.
func TestGatePatienceByHand(t *testing.T) {
	k := small
	k.MemoryBits = 8
	g := func(waited, pausing bool) gate { return gate{balance: 4, waited: waited, pausing: pausing} }
	start := gate{time: 6, balance: 4}
	// seen in 6, ..., 13: it counts at the ends of 7, ..., 14
	g15 := run(t, &k, start, slices.Concat(
		times(1, gateCycle{waits, 0, g(false, false)}), // 6
		times(7, gateCycle{waits, 0, g(true, false)}),  // 7..13
		times(1, gateCycle{busy, 0, g(true, false)}),   // 14
	)...)
	run(t, &k, g15, slices.Concat(
		times(1, gateCycle{busy, 0, g(false, true)}),  // 15
		times(3, gateCycle{waits, 0, g(false, true)}), // 16..18
		times(1, gateCycle{waits, 0, g(false, false)}),
		times(3, gateCycle{waits, 0, g(false, false)}),
		times(1, gateCycle{waits, 0, g(true, false)}), // 23
		times(7, gateCycle{waits, 0, g(true, false)}),
		times(4, gateCycle{waits, 0, g(true, true)}), // 31..34
		times(4, gateCycle{waits, 0, g(true, false)}),
		times(4, gateCycle{waits, 0, g(true, true)}), // 39..42: again
		times(1, gateCycle{busy, 0, g(true, false)}),
		times(4, gateCycle{busy, 0, g(false, false)}),
	)...)
	// one cycle less
	run(t, &k, start, slices.Concat(
		times(1, gateCycle{busy, 0, g(false, false)}), // 6
		times(8, gateCycle{waits, 0, g(false, false)}),
		times(7, gateCycle{waits, 0, g(true, false)}), // 15..21
		times(1, gateCycle{busy, 0, g(true, false)}),  // 22
		times(1, gateCycle{busy, 0, g(false, true)}),  // 23
	)...)
	run(t, &k, start, slices.Concat(
		times(1, gateCycle{waits, 0, g(false, false)}), // 6
		times(6, gateCycle{waits, 0, g(true, false)}),  // 7..12
		times(1, gateCycle{busy, 0, g(true, false)}),   // 13
		times(1, gateCycle{waits, 0, g(false, false)}), // 14
		times(1, gateCycle{waits, 0, g(true, false)}),  // 15: and a new one begins
	)...)
}

// Point 5: a pause may be as long as the patience; then it lasts until the end of
// the next window in which nothing waited.
func TestGatePauseAsLongAsThePatience(t *testing.T) {
	k := small
	k.PauseBits = k.PatienceBits
	g := gate{time: 15, balance: 4, waited: true}
	for time := uint32(15); time < 40; time++ {
		g.step(&k, 0, busy)
		require.Equal(t, time < 23, g.pausing, "cycle %d", time)
	}
}
