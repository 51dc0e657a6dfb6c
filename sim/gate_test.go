// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// small are gate constants with which much happens within a few cycles: a debt of 3 per
// injection; a cap of 4 and a largest quota of 64; windows of 8, 32, 128, 512 and 2048
// cycles, and 128 times as many for the memory. x is 1.
var small = plan.Gate{Cost: 3, CapBits: 2, QuotaBits: 6, BalanceBits: 11, WindowBits: 4, RaisedBits: 3}

// After reset the balance is 15 and the quota 16, everything else 0 or empty, and nothing
// has been seen.
func TestGateAfterReset(t *testing.T) {
	require.Equal(t, gate{balance: 15, quota: 16}, resetGate())
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	require.Equal(t, gate{balance: 15, quota: 16}, NewRouter(p, 3).gate)
	require.True(t, NewRouter(p, 3).gate.open())
}

// The windows grow 4 times from level to level, and are twice as long above 32 nodes. Those of
// level 0 follow how many cycles the farthest node is away. Cycle 2^n - 1 is the first that ends a window of 2^n.
func TestGateWindows(t *testing.T) {
	for _, c := range []struct {
		r            rings
		first, above int // above: of level 1
		two          int // of level 0 with two stages
	}{
		{rings{{2, 1}}, 4, 7, 4},
		{rings{{8, 1}}, 4, 7, 5},
		{rings{{9, 1}}, 4, 7, 5},
		{rings{{10, 1}}, 5, 7, 6},
		{rings{{4, 1}, {8, 1}}, 5, 7, 6},
		{rings{{3, 1}, {11, 1}}, 5, 8, 6},
		{rings{{31, 1}}, 6, 7, 7},
		{rings{{32, 1}}, 6, 7, 7},
		{rings{{34, 1}}, 7, 8, 7},
		{rings{{100, 1}}, 7, 8, 7},
		{rings{{15, 1}, {15, 1}, {15, 1}, {15, 1}}, 7, 8, 7},
	} {
		k := newPlan(t, c.r).Gate
		require.Equal(t, c.first, new(gate).window(&k), "%v", c.r)
		for level := range 4 {
			g := gate{level: uint8(level + 1)}
			require.Equal(t, c.above+2*level, g.window(&k), "%v", c.r)
			require.Equal(t, c.above+2*level+7, g.memory(&k), "%v", c.r)
		}
		k = newPlan(t, c.r, stages(2)).Gate
		require.Equal(t, c.two, new(gate).window(&k), "%v", c.r)
	}
	for time := range uint32(64) {
		g := gate{time: time}
		require.Equal(t, time == 7 || time == 15 || time == 23 || time == 31 || time == 39 || time == 47 || time == 55 || time == 63, g.ends(3))
		require.Equal(t, time == 31 || time == 63, g.ends(5))
		require.Equal(t, 31-time%32, g.left(5))
	}
}

// The gate is open at a balance of 0 and above, and at any for a message that waits.
func TestGateOpen(t *testing.T) {
	for _, c := range []struct {
		g    gate
		want bool
	}{
		{gate{balance: 1}, true},
		{gate{balance: 0}, true},
		{gate{balance: -1}, false},
		{gate{balance: -1, seen: seen{injected: true, delivered: 1}}, false},
		{gate{balance: -1, seen: seen{waits: true}}, true},
	} {
		require.Equal(t, c.want, c.g.open(), "%+v", c.g)
	}
}

var (
	nothing  = seen{}
	receives = seen{delivered: 1}
	sends    = seen{injected: true}
	both     = seen{injected: true, delivered: 1}
)

// stepCase is one clock edge by hand.
type stepCase struct {
	name    string
	before  gate
	blocked uint32
	after   gate // but time, seen and blocked
}

// check makes the steps with constants k, in a cycle in which something is seen that must
// not matter yet.
func check(t *testing.T, k *plan.Gate, cases ...stepCase) {
	t.Helper()
	for _, c := range cases {
		for _, now := range []seen{nothing, both, {waits: true}} {
			g, want := c.before, c.after
			want.rich = g.balance >= 8*g.quota
			g.step(k, c.blocked, now)
			want.time, want.seen, want.blocked = c.before.time+1, now, c.blocked
			require.Equal(t, want, g, c.name)
		}
	}
}

// Point 1: an injection costs N - 1, a delivery earns 1 unless the balance was 8 quotas at
// the start of the cycle before, both at the end of the cycle after the handshake. Point 2:
// m counts both.
func TestGateBalanceByHand(t *testing.T) {
	g := gate{balance: 5, quota: 1}
	for i, c := range []struct {
		now     seen
		balance int64 // at the end of the cycle
		heard   uint32
		rich    bool
	}{
		{receives, 5, 0, false},
		{receives, 6, 1, false},
		{receives, 7, 2, false},
		{receives, 8, 3, false}, // 8 quotas
		{receives, 9, 4, true},  // not at the start of the cycle before
		{both, 9, 5, true},
		{both, 6, 7, true}, // the delivery earns nothing, even with an injection
		{sends, 3, 9, false},
		{sends, 0, 10, false},
		{nothing, -3, 11, false},
		{both, -3, 11, false},
		{nothing, -5, 13, false},
		{receives, -5, 13, false},
		{nothing, -4, 14, false},
		{nothing, -4, 14, false},
	} {
		g.time = 1 // ends no window
		g.step(&small, 0, c.now)
		require.Equal(t, gate{balance: c.balance, quota: 1, time: 2, frame: c.heard, heard: c.heard, rich: c.rich, seen: c.now}, g, "cycle %d", i)
	}
}

// Point 1: the limit is that of the quota at the start of the cycle before. A balance above
// it stays.
func TestGateEarnsUpToEightQuotas(t *testing.T) {
	for _, c := range []struct {
		before, quota int64
		rich          bool // before
		after         int64
		later         bool
	}{
		{127, 16, false, 128, false},
		{128, 16, false, 129, true},
		{128, 16, true, 128, true},
		{127, 16, true, 127, false},
		{143, 16, true, 143, true},
		{143, 16, false, 144, true},
		{255, 32, false, 256, false},
		{256, 32, true, 256, true},
	} {
		g := gate{balance: c.before, quota: c.quota, time: 1, growth: 1, rich: c.rich, seen: receives}
		g.step(&small, 0, nothing)
		require.Equal(t, gate{balance: c.after, quota: 2 * c.quota, time: 2, frame: 1, heard: 1, rich: c.later}, g)
	}
}

// Point 2: c is not counted on from 128x, which two at once may exceed by 1.
func TestGateCountsUpToMany(t *testing.T) {
	for scale, many := range []uint32{128, 256} {
		k := small
		k.ScaleBits = scale
		for _, c := range []struct{ before, after uint32 }{{many - 2, many}, {many - 1, many + 1}, {many, many}, {many + 1, many + 1}} {
			g := gate{quota: 16, time: 1, heard: c.before, frame: 4 * many, seen: both}
			g.step(&k, 0, nothing)
			require.Equal(t, gate{balance: -2, quota: 16, time: 2, heard: c.after, frame: 4*many + 2}, g)
		}
	}
}

// Point 3: one doubling in every cycle, up to the largest quota.
func TestGateGrowth(t *testing.T) {
	for _, c := range []struct {
		before int64
		times  uint8
		want   []int64
	}{
		{16, 3, []int64{32, 64, 64, 64}},
		{8, 2, []int64{16, 32, 32}},
		{16, 1, []int64{32, 32}},
		{16, 0, []int64{16, 16}},
		{64, 3, []int64{64, 64, 64}},
	} {
		g := gate{quota: c.before, growth: c.times}
		for i, want := range c.want {
			g.step(&small, 0, nothing)
			require.Equal(t, want, g.quota)
			require.Equal(t, max(int(c.times)-1-i, 0), int(g.growth))
		}
	}
}

// Point 4: from 9216 messages on, at a multiple of 4, with the balance that point 1
// leaves.
func TestGateLongFrameByHand(t *testing.T) {
	const most = 9216
	for scale := range 2 {
		k := small
		k.ScaleBits = scale
		for _, c := range []struct {
			name                 string
			time, m              uint32
			balance              int64
			seen                 seen
			ends                 bool
			wantBalance, without int64 // with and without the end
		}{
			{"at once", 64, most, 3, nothing, true, 3, 0},
			{"later", 64, most + 7, 4, nothing, true, 0, 0},
			{"remainder", 64, most, 4*5 + 3, nothing, true, 3, 0},
			{"with a delivery", 64, most, 4*5 + 2, receives, true, 3, 0},
			{"with an injection", 64, most, 4*5 + 2, sends, true, 3, 0},
			{"with one that makes a debt", 64, most, 2, sends, true, -1, 0},
			{"with a delivery that ends it", 64, most, -1, receives, true, 0, 0},
			{"no balance", 64, most, 0, nothing, true, 0, 0},
			{"a debt stays", 64, most, -1, nothing, true, -1, 0},
			{"and counts", 64, most, -2, both, true, -4, 0},
			{"one less", 64, most - 1, 23, receives, false, 0, 24},
			{"not now", 65, most, 23, sends, false, 0, 20},
			{"nor now", 66, most + 8, 23, sends, false, 0, 20},
		} {
			g := gate{time: c.time, balance: c.balance, quota: 32, growth: 2, grown: 3, shorter: true, held: true, frame: c.m, seen: c.seen}
			heard := all(c.seen.injected)&1 + uint32(c.seen.delivered)
			want := gate{time: c.time + 1, heard: heard, balance: c.wantBalance, quota: 16, late: 1, shorter: true, held: true}
			if !c.ends {
				want = gate{time: c.time + 1, heard: heard, balance: c.without, quota: 64, growth: 1, grown: 3, shorter: true, held: true, frame: c.m + heard}
			}
			g.step(&k, 0, nothing)
			require.Equal(t, want, g, "%s, %d", c.name, scale)
		}
	}
}

// Point 4: at the end of a window of 4 cycles, also of one of the level, it waits.
func TestGateLongFrameWaitsAtTheEndOfAWindow(t *testing.T) {
	g := gate{time: 31, quota: 32, frame: 9216, heard: 20}
	g.step(&small, 0, nothing)
	require.Equal(t, gate{time: 32, quota: 32, frame: 9216}, g)
	g.step(&small, 0, nothing)
	require.Equal(t, gate{time: 33, quota: 16, late: 1}, g)
}

// Point 5: an output that is blocked at the end of a window of 4 cycles, and up to the
// cycle before the end of the next, stands still.
func TestGateStandstillByHand(t *testing.T) {
	with := func(still uint32, stood bool) gate {
		return gate{balance: -1, still: still, stood: stood, steady: !stood}
	}
	for _, c := range []struct {
		name    string
		blocked []uint32 // from cycle 0 on
		want    []gate   // at the ends of these cycles
	}{
		{
			"the shortest", []uint32{0, 0, 0, 2, 2, 2, 2, 0, 0},
			[]gate{with(0, false), with(0, false), with(0, false), with(2, false), with(2, false), with(2, false), with(2, false), with(0, true), with(0, true)},
		},
		{
			"the longest without one", []uint32{2, 2, 2, 2, 2, 2, 0, 0, 0},
			[]gate{with(0, false), with(0, false), with(0, false), with(2, false), with(2, false), with(2, false), with(0, false), with(0, false), with(0, false)},
		},
		{
			"and after the end of a window", []uint32{0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 0, 2},
			[]gate{with(0, false), with(0, false), with(0, false), with(0, false), with(0, false), with(0, false), with(0, false), with(2, false), with(2, false), with(2, false), with(0, false), with(2, false)},
		},
		{
			"on without end", []uint32{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
			[]gate{with(0, false), with(0, false), with(0, false), with(2, false), with(2, false), with(2, false), with(2, false), with(0, true), with(0, true), with(0, true), with(0, true), with(2, true), with(2, true)},
		},
		{
			"one of several", []uint32{0, 0, 0, 7, 5, 7, 4 | localOutput, 0},
			[]gate{with(0, false), with(0, false), with(0, false), with(7, false), with(5, false), with(5, false), with(4, false), with(0, true)},
		},
		{
			"the local output", []uint32{0, 0, 0, localOutput, localOutput, localOutput, localOutput, 0},
			[]gate{with(0, false), with(0, false), with(0, false), with(localOutput, false), with(localOutput, false), with(localOutput, false), with(localOutput, false), with(0, true)},
		},
		{
			"in turn", []uint32{0, 0, 0, 1, 3, 2, 2, 2, 2, 3, 1, 1},
			[]gate{with(0, false), with(0, false), with(0, false), with(1, false), with(1, false), with(0, false), with(0, false), with(2, false), with(2, false), with(2, false), with(0, false), with(1, false)},
		},
	} {
		k := small
		k.WindowBits = 5
		g := gate{balance: -1, steady: true}
		for i, blocked := range c.blocked {
			g.step(&k, blocked, nothing)
			c.want[i].time, c.want[i].blocked = uint32(i)+1, blocked
			require.Equal(t, c.want[i], g, "%s: cycle %d", c.name, i)
		}
	}
}

// at is a gate in the last cycle of a window of a level, with constants small.
func at(level uint8, g gate) gate {
	g.level = level
	g.time = 1<<g.window(&small) - 1
	if g.quota == 0 {
		g.quota = 16
	}
	return g
}

// then is what the gate is after that.
func then(level uint8, g gate) gate { return at(level, g) }

// Point 6: what is few and low, by the level, and when the gate is armed. The gate that is
// armed by a low window is told by m.
func TestGateLowWindows(t *testing.T) {
	for scale := range 2 {
		k := small
		k.ScaleBits = scale
		x := uint32(1) << scale
		for _, c := range []struct {
			heard   uint32
			level   uint8
			blocked uint32 // in the cycle before
			low     bool
		}{
			{0, 0, 0, true},
			{1, 0, 0, true}, // of 16 cycles
			{2, 0, 0, false},
			{128 * x, 0, 0, false},
			{0, 0, 4, false},
			{1, 0, localOutput, false},
			{0, 1, 0, true},
			{1, 1, 0, false},
			{2, 1, 0, false},
			{0, 1, 1, false},
			{0, 4, 0, true},
			{1, 4, 0, false},
		} {
			g := at(c.level, gate{balance: -1, heard: c.heard, frame: 100, blocked: c.blocked})
			g.step(&k, 8, nothing) // what is blocked now does not matter
			want := gate{balance: -1, time: g.time, quota: 16, level: c.level, frame: 100, still: 8, blocked: 8, slow: c.level > 0 && c.heard > 0}
			if c.low {
				want.frame, want.armed, want.growth = 0, true, 2
			}
			require.Equal(t, want, g, "%+v", c)
		}
	}
}

// Point 6 (a): a low window ends the frame, and what it has heard sets the growth of the
// quota, and how long the next one is to be.
func TestGateEndOfAFrame(t *testing.T) {
	for scale := range 2 {
		k := small
		k.ScaleBits = scale
		for _, c := range []struct {
			m      uint32
			late   uint8
			level  uint8
			quota  int64
			growth uint8
			next   uint8 // it begins anew after so many frames
			grown  uint8
		}{
			{0, 0, 0, 32, 3, 0, 0},
			{63, 0, 0, 32, 3, 0, 0},
			{64, 0, 0, 32, 2, 0, 0},
			{127, 0, 0, 32, 2, 0, 0},
			{128, 0, 0, 32, 2, 0, 1},
			{255, 0, 0, 32, 2, 0, 1},
			{256, 0, 0, 32, 2, 0, 2},
			{511, 0, 0, 32, 2, 0, 2},
			{512, 0, 0, 32, 1, 0, 3},
			{1023, 0, 0, 32, 1, 0, 3},
			{1024, 0, 0, 32, 1, 0, 4},
			{4607, 0, 0, 32, 1, 0, 4},
			{4608, 0, 0, 32, 0, 2, 0},
			{4608, 2, 0, 32, 0, 1, 0},
			{4608, 1, 0, 16, 0, 0, 0},
			{9216, 0, 0, 32, 0, 2, 0},
			{9216, 1, 0, 16, 0, 0, 0},
			{0, 2, 0, 32, 0, 1, 0},
			{0, 1, 0, 16, 0, 0, 0},
			{600, 2, 0, 32, 0, 1, 0},
			{600, 1, 0, 16, 0, 0, 0},
			{0, 0, 1, 32, 3, 0, 0},
			{63, 0, 2, 32, 3, 0, 0},
			{64, 0, 3, 32, 2, 0, 0},
			{512, 0, 4, 32, 1, 0, 3},
			{1023, 0, 1, 32, 1, 0, 3},
			{1024, 0, 1, 32, 0, 2, 0},
			{1024, 2, 1, 32, 0, 1, 0},
			{1024, 1, 1, 16, 0, 0, 0},
			{1024, 0, 4, 32, 0, 2, 0},
			{0, 1, 1, 16, 0, 0, 0},
		} {
			g := at(c.level, gate{quota: 32, frame: c.m, late: c.late, seen: both})
			before := g.balance
			g.step(&k, 0, nothing)
			require.Equal(t, gate{time: g.time, balance: before - 2, quota: c.quota, level: c.level, growth: c.growth, late: c.next, grown: c.grown, armed: true}, g, "%+v", c)
		}
	}
}

// Point 6 (a): the window after a low one fills the balance, whatever it is, but for one
// with few messages and a standstill. No frame ends in the window after that.
func TestGateFills(t *testing.T) {
	g := func(balance int64, more gate) gate {
		more.balance = balance
		return more
	}
	check(
		t, &small,
		stepCase{"a debt", at(0, g(-5, gate{armed: true, frame: 3})), 0, then(0, g(15, gate{filled: true, frame: 3}))},
		stepCase{"nothing", at(0, g(0, gate{armed: true})), 0, then(0, g(15, gate{filled: true}))},
		stepCase{"bitwise or", at(0, g(16+5, gate{armed: true})), 0, then(0, g(31, gate{filled: true}))},
		stepCase{"of a large balance", at(0, g(128, gate{armed: true})), 0, then(0, g(143, gate{filled: true}))},
		stepCase{"of the quota", at(0, g(16+5, gate{armed: true, quota: 64})), 0, then(0, g(63, gate{filled: true, quota: 64}))},
		stepCase{"after an injection", at(0, g(17, gate{armed: true, seen: sends})), 0, then(0, g(15, gate{filled: true, frame: 1}))},
		stepCase{"after one that makes a debt", at(0, g(1, gate{armed: true, seen: sends})), 0, then(0, g(15, gate{filled: true, frame: 1}))},
		stepCase{"after a delivery", at(0, g(15, gate{armed: true, seen: receives})), 0, then(0, g(31, gate{filled: true, frame: 1}))},
		stepCase{"many messages", at(0, g(-5, gate{armed: true, heard: 127})), 0, then(0, g(15, gate{filled: true}))},
		stepCase{"blocked before", at(0, g(-5, gate{armed: true, blocked: 1})), 0, then(0, g(15, gate{filled: true}))},
		stepCase{"stuck", at(0, g(-5, gate{armed: true, heard: 7, stood: true})), 0, then(0, g(-5, gate{slow: true}))},
		stepCase{"few and stood, but not stuck", at(0, g(-5, gate{armed: true, heard: 8, stood: true})), 0, then(0, g(15, gate{filled: true, slow: true}))},
		stepCase{"stuck at the end", at(0, g(-5, gate{armed: true, still: 1, steady: true})), 0, then(0, g(-5, gate{slow: true}))},
		stepCase{"stood, but not few", at(0, g(-5, gate{armed: true, heard: 12, stood: true})), 0, then(0, g(15, gate{filled: true}))},
		stepCase{"not armed", at(0, g(-5, gate{heard: 16})), 0, then(0, g(-5, gate{}))},
		stepCase{"not armed, stood, but not few", at(0, g(-5, gate{heard: 12, stood: true})), 0, then(0, g(-5, gate{}))},
		stepCase{"low, but stuck", at(0, g(-5, gate{heard: 2, stood: true, frame: 9})), 0, then(0, g(-5, gate{slow: true, frame: 9}))},
		stepCase{"slow without a standstill", at(1, g(-5, gate{armed: true, heard: 1})), 0, then(1, g(15, gate{filled: true, slow: true}))},
		stepCase{"filled before", at(0, g(-5, gate{filled: true, frame: 9})), 0, then(0, g(-5, gate{frame: 9}))},
		stepCase{"filled before, stuck", at(0, g(-5, gate{filled: true, stood: true, frame: 9})), 0, then(0, g(-5, gate{slow: true, frame: 9}))},
		stepCase{"filled before and not low", at(0, g(-5, gate{filled: true, heard: 99})), 0, then(0, g(-5, gate{}))},
		stepCase{"stuck above level 0", at(1, g(-5, gate{armed: true, heard: 7, stood: true})), 0, then(1, g(-5, gate{slow: true}))},
		stepCase{"few and stood above level 0, but not stuck", at(1, g(-5, gate{armed: true, heard: 8, stood: true})), 0, then(1, g(15, gate{filled: true, slow: true}))},
	)
	for level := range uint8(5) {
		k := small
		early := at(level, g(-5, gate{armed: true}))
		early.time /= 2 // ends a window of half the length
		after := early
		check(t, &k, stepCase{fmt.Sprintf("not the end, level %d", level), early, 0, after})
	}
}

// Point 6 (b): two slow windows one after the other raise the level, but level 0 only a window
// later, if that is few and not low; one with many messages lowers it: with 128x, and level 1 with 112x, if nothing
// has stood still.
func TestGateLevels(t *testing.T) {
	for scale := range 2 {
		k := small
		k.ScaleBits = scale
		x := uint32(1) << scale
		for _, c := range []struct {
			level       uint8
			heard       uint32
			stood, slow bool
			doubt       bool
			want        uint8
			wantSlow    bool
			wantDoubt   bool
		}{
			{0, 0, true, true, false, 0, true, true},
			{0, 0, true, true, true, 1, true, true},
			{0, 0, true, false, true, 1, true, false},
			{0, 0, false, true, false, 0, false, false},
			{0, 2, false, true, true, 1, false, false},
			{0, 11, false, true, true, 1, false, false},
			{0, 12, false, true, true, 0, false, false},
			{0, 12, true, true, true, 0, false, false},
			{0, 64, false, true, true, 0, false, false},
			{0, 0, true, false, false, 0, true, false},
			{0, 11, true, true, false, 0, true, true}, // of 16 cycles
			{0, 12, true, true, false, 0, false, false},
			{0, 11, false, true, false, 0, false, false},
			{1, 0, true, true, false, 2, true, false},
			{1, 1, false, true, false, 2, true, false},
			{1, 1, false, false, false, 1, true, false},
			{1, 1, false, false, true, 1, true, false},
			{1, 0, false, true, false, 1, false, false},
			{1, 16*x - 1, false, true, false, 2, true, false},
			{1, 16 * x, false, true, false, 1, false, false},
			{1, 16 * x, true, true, false, 1, false, false},
			{2, 3, false, true, false, 3, true, false},
			{3, 3, false, true, false, 4, true, false},
			{4, 3, false, true, false, 4, true, false},
			{4, 3, true, true, false, 4, true, false},
			{4, 128*x - 1, false, true, false, 4, false, false},
			{4, 128 * x, false, true, false, 3, false, false},
			{3, 128*x + 1, true, false, false, 2, false, false},
			{3, 128*x - 1, false, false, false, 3, false, false},
			{2, 128 * x, false, false, false, 1, false, false},
			{2, 128*x - 1, false, false, false, 2, false, false},
			{2, 112 * x, false, false, false, 2, false, false},
			{1, 128 * x, false, false, false, 0, false, false},
			{1, 128 * x, true, true, false, 0, false, false},
			{1, 128*x - 1, true, true, false, 1, false, false},
			{1, 112 * x, true, false, false, 1, false, false},
			{1, 112 * x, false, false, false, 0, false, false},
			{1, 112 * x, false, true, false, 0, false, false},
			{1, 112*x - 1, false, false, false, 1, false, false},
			{0, 128 * x, false, false, false, 0, false, false},
			{0, 112 * x, false, false, false, 0, false, false},
		} {
			g := at(c.level, gate{quota: 16, heard: c.heard, stood: c.stood, slow: c.slow, doubt: c.doubt, blocked: 1})
			g.step(&k, 0, nothing)
			require.Equal(t, gate{time: g.time, quota: 16, level: c.want, slow: c.wantSlow, doubt: c.wantDoubt}, g, "%+v", c)
		}
	}
}

// Point 6: what is heard in the last cycle of a window is of none.
func TestGateWindowLosesWhatIsHeardAtItsEnd(t *testing.T) {
	g := at(0, gate{balance: 3, heard: 10, stood: true, frame: 5, seen: both})
	g.step(&small, 0, nothing)
	require.Equal(t, gate{time: g.time, balance: 1, quota: 16, slow: true, frame: 7}, g)
}

// Point 6 (b): a window of the memory without a standstill clears the level, whatever else
// would change it, and the next one begins without one.
func TestGateMemoryByHand(t *testing.T) {
	for level := range uint8(5) {
		k := small
		end := uint32(8) << (2 * level) << plan.MemoryBits
		for _, c := range []struct {
			name       string
			time       uint32
			g, want    gate
			wantSteady bool
			wantLevel  uint8
		}{
			{"steady", end - 1, gate{steady: true}, gate{armed: true, growth: 3}, true, 0},
			{"steady, another window", 6*end - 1, gate{steady: true}, gate{armed: true, growth: 3}, true, 0},
			{"not steady", end - 1, gate{}, gate{armed: true, growth: 3}, true, level},
			{"half of the window", end/2 - 1, gate{steady: true}, gate{armed: true, growth: 3}, true, level},
			{"half of the window, not steady", end/2 - 1, gate{}, gate{armed: true, growth: 3}, false, level},
			{"standstill at its end", end - 1, gate{steady: true, still: 1}, gate{slow: true}, true, level},
			{"slow twice", end - 1, gate{steady: true, slow: true, heard: 1}, gate{slow: true}, true, 0},
			{"slow twice, not steady", end - 1, gate{slow: true, heard: 1}, gate{slow: true}, true, min(level+1, 4)},
			{"in doubt", end - 1, gate{doubt: true, heard: 2, steady: true}, gate{slow: true}, true, 0},
			{"many messages", end - 1, gate{steady: true, heard: 128}, gate{}, true, 0},
			{"many messages, not steady", end - 1, gate{heard: 128}, gate{}, true, max(level, 1) - 1},
			{"many at level 1, steady", end - 1, gate{steady: true, heard: 112}, gate{}, true, 0},
			{"many at level 1, standstill at its end", end - 1, gate{steady: true, heard: 112, still: 1}, gate{}, true, level},
			{"many at level 1, not steady", end - 1, gate{heard: 112}, gate{}, true, []uint8{0, 0, 2, 3, 4}[level]},
		} {
			if level == 0 { // it has no memory
				c.wantSteady = c.g.steady && c.g.still == 0
				c.wantLevel = 0
				if c.g.heard == 1 || c.g.doubt { // nor is it slow
					continue
				}
			}
			c.g.time, c.g.quota, c.g.level = c.time, 16, level
			c.want.time, c.want.quota, c.want.level, c.want.steady = c.time+1, 16, c.wantLevel, c.wantSteady
			c.g.step(&k, 0, nothing)
			require.Equal(t, c.want, c.g, "%s: level %d", c.name, level)
		}
	}
}

// After a rise the window of the new level is an aligned one, however much of it is left,
// and a window that was slow before counts.
func TestGateLevelsFollowEachOther(t *testing.T) {
	g := gate{quota: 16}
	changes := map[uint32]uint8{}
	for g.time < 6000 {
		level := g.level
		g.step(&small, 1, receives) // stands still
		if g.heard > 10 {
			g.heard = 10
		}
		if g.level != level {
			changes[g.time-1] = g.level
		}
	}
	require.Equal(t, map[uint32]uint8{47: 1, 63: 2, 127: 3, 511: 4}, changes)
}
