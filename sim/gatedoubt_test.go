// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Point 6 (a): a frame is shorter if it has reached fewer of 128, 256, 512, and 1024 messages than the one after
// which the quota has grown. The quota does not grow with the first such frame, and the next one is compared with
// the same; it does with the second.
func TestGateShorterFrames(t *testing.T) {
	for _, c := range []struct {
		m, level    uint32
		grown, late uint8
		was         bool // held before
		shorter     bool
		held        bool
		growth      uint8
		next        uint8 // grown
		nextLate    uint8
	}{
		{127, 0, 1, 0, false, true, true, 0, 1, 0},
		{0, 0, 1, 0, false, true, true, 0, 1, 0},
		{128, 0, 1, 0, false, false, false, 2, 1, 0},
		{255, 0, 2, 0, false, true, true, 0, 2, 0},
		{256, 0, 2, 0, false, false, false, 2, 2, 0},
		{511, 0, 3, 0, false, true, true, 0, 3, 0},
		{512, 0, 3, 0, false, false, false, 1, 3, 0},
		{1023, 0, 4, 0, false, true, true, 0, 4, 0},
		{1024, 0, 4, 0, false, false, false, 1, 4, 0},
		{1023, 1, 4, 0, false, true, true, 0, 4, 0},
		{1023, 0, 4, 0, true, true, false, 1, 3, 0},
		{0, 0, 4, 0, true, true, false, 3, 0, 0},
		{200, 2, 4, 0, true, true, false, 2, 1, 0},
		{4608, 0, 4, 0, true, false, false, 0, 0, 2},
		{4608, 0, 4, 0, false, false, false, 0, 0, 2},
		{0, 0, 0, 0, true, false, false, 3, 0, 0},
		{0, 0, 0, 0, false, false, false, 3, 0, 0},
	} {
		g := at(uint8(c.level), gate{frame: c.m, grown: c.grown, late: c.late, held: c.was, shorter: c.was})
		g.step(&small, 0, nothing)
		want := gate{time: g.time, quota: 16, level: uint8(c.level), growth: c.growth, late: c.nextLate, grown: c.next, shorter: c.shorter, held: c.held, armed: true}
		require.Equal(t, want, g, "%+v", c)
	}
}

// Point 6 (a, b): a silence that ended a shorter frame was false if the next window is not low, either: the
// quota begins anew, nothing is filled, and level 0 rises. If the window is low, the balance is filled as ever.
func TestGateFalseSilences(t *testing.T) {
	g := func(more gate) gate {
		more.balance, more.quota, more.shorter, more.frame = -5, 64, true, 9
		return more
	}
	anew := func(more gate) gate {
		more = g(more)
		more.quota = 16
		return more
	}
	filled := func(more gate) gate {
		more = g(more)
		more.balance, more.filled = 63, true
		return more
	}
	check(
		t, &small,
		stepCase{"low", at(0, g(gate{armed: true, grown: 3, heard: 1})), 0, then(0, filled(gate{grown: 3}))},
		stepCase{"low, held", at(0, g(gate{armed: true, grown: 3, held: true})), 0, then(0, filled(gate{grown: 3, held: true}))},
		stepCase{"a message more", at(0, g(gate{armed: true, grown: 3, heard: 2})), 0, then(1, anew(gate{}))},
		stepCase{"held", at(0, g(gate{armed: true, grown: 3, held: true, heard: 2})), 0, then(1, anew(gate{held: true}))},
		stepCase{"many messages", at(0, g(gate{armed: true, grown: 1, heard: 16})), 0, then(1, anew(gate{}))},
		stepCase{"blocked before", at(0, g(gate{armed: true, grown: 1, blocked: 1})), 0, then(1, anew(gate{}))},
		stepCase{"stuck", at(0, g(gate{armed: true, grown: 1, stood: true})), 0, then(1, anew(gate{slow: true}))},
		stepCase{"stood, but not stuck", at(0, g(gate{armed: true, grown: 1, stood: true, heard: 8, slow: true})), 0, then(1, anew(gate{slow: true, doubt: true}))},
		stepCase{"in doubt", at(0, g(gate{armed: true, grown: 1, heard: 12, doubt: true})), 0, then(1, anew(gate{}))},
		stepCase{"after a frame that was not shorter", at(0, gate{quota: 64, armed: true, grown: 3, heard: 16}), 0, then(0, gate{balance: 63, quota: 64, filled: true, grown: 3})},
		stepCase{"not armed", at(0, g(gate{grown: 3, heard: 16})), 0, then(0, g(gate{grown: 3}))},
		stepCase{"at level 1", at(1, g(gate{armed: true, grown: 3, heard: 1})), 0, then(1, anew(gate{slow: true}))},
		stepCase{"low at level 1", at(1, g(gate{armed: true, grown: 3})), 0, then(1, filled(gate{grown: 3}))},
		stepCase{"slow twice at level 1", at(1, g(gate{armed: true, slow: true, heard: 1})), 0, then(2, anew(gate{slow: true}))},
		stepCase{"many messages at level 1", at(1, g(gate{armed: true, heard: 112})), 0, then(0, anew(gate{}))},
	)
}

// Point 6 (b): a low window after two slow ones leaves level 0 and is a silence as any other, but not with an
// output that was blocked in the cycle before, or a standstill.
func TestGateDoubt(t *testing.T) {
	g := func(more gate) gate {
		more.doubt, more.slow = true, true
		return more
	}
	check(
		t, &small,
		stepCase{"low", at(0, g(gate{heard: 1, frame: 600})), 0, then(0, gate{armed: true, growth: 1, grown: 3})},
		stepCase{"low after a low one", at(0, g(gate{armed: true})), 0, then(0, gate{balance: 15, filled: true})},
		stepCase{"low after one that filled", at(0, g(gate{filled: true})), 0, then(0, gate{})},
		stepCase{"a message more", at(0, g(gate{heard: 2})), 0, then(1, gate{})},
		stepCase{"a message more after a low one", at(0, g(gate{armed: true, heard: 2})), 0, then(1, gate{balance: 15, filled: true})},
		stepCase{"blocked before", at(0, g(gate{blocked: 1})), 0, then(1, gate{})},
		stepCase{"stood", at(0, g(gate{stood: true})), 0, then(1, gate{slow: true, doubt: true})},
	)
}
