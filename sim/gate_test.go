// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// Skipping n calm cycles at once must equal n single steps, from any state.
func TestGateSkipEqualsSingleSteps(t *testing.T) {
	k := plan.Gate{Cost: 15, Cap: 16, EpochBits: 2, HoldBits: 3}
	for _, balance := range []int32{-15, -1, 0, 7, 16} {
		for hold := uint32(0); hold < 8; hold++ {
			for phase := uint32(0); phase < 4; phase++ {
				for n := 0; n < 40; n++ {
					a := gate{balance, hold, phase, 5}
					b := a
					a.skip(&k, n)
					for i := 0; i < n; i++ {
						b.step(&k, true, 0, false, false)
					}
					require.Equal(t, b, a, "balance %d hold %d phase %d, %d cycles", balance, hold, phase, n)
				}
			}
		}
	}
}

// The balance by hand, as docs/architecture.md describes it: N = 4.
func TestGateBalanceByHand(t *testing.T) {
	k := plan.Gate{Cost: 3, Cap: 4, EpochBits: 4, HoldBits: 8}
	for _, hold := range []uint32{0, 9} {
		g := gate{balance: 4, hold: hold}
		for i, step := range []struct {
			calm, injected, delivered bool
			balance, held             int32 // afterwards with h = 0, with h > 0
		}{
			{false, false, true, 4, 4}, // at the cap a delivery adds nothing
			{false, true, true, 1, 1},  // the gain is judged by the balance before: at the cap
			{false, true, true, -1, -1},
			{false, false, false, -1, -1},
			{false, false, true, 0, 0},
			{false, true, false, -3, -3},
			{true, false, false, 4, -3}, // a calm cycle refills
			{true, true, false, 4, -6},  // whatever else happened
			{false, true, false, 1, -9},
			{true, false, false, 4, -9},
		} {
			g.step(&k, step.calm, 0, step.injected, step.delivered)
			want := step.balance
			if hold > 0 {
				want = step.held
			}
			require.Equal(t, want, g.balance, "hold %d step %d", hold, i)
		}
	}
}

// An output is stuck if it is blocked in all cycles of an epoch, and in no
// fewer; different outputs do not add up.
func TestGateHoldsAfterStuckEpochs(t *testing.T) {
	k := plan.Gate{Cost: 3, Cap: 4, EpochBits: 2, HoldBits: 3}
	for _, c := range []struct {
		blocked []uint32 // by cycle, from reset on
		hold    []uint32 // after each epoch
	}{
		{[]uint32{1, 1, 1, 1, 0, 0, 0, 0}, []uint32{7, 6}},
		{[]uint32{0, 1, 1, 1, 1, 1, 1, 0}, []uint32{0, 0}},
		{[]uint32{1, 1, 1, 0, 1, 1, 1, 1}, []uint32{0, 7}},
		{[]uint32{1, 2, 1, 2, 3, 3, 2, 3}, []uint32{0, 7}},
		{[]uint32{localOutput, localOutput, localOutput, localOutput, 1, 1, 1, 1, 0, 0, 0, 0}, []uint32{7, 7, 6}},
	} {
		g := gate{balance: 4}
		for i, b := range c.blocked {
			g.step(&k, false, b, false, false)
			if i%4 == 3 {
				require.Equal(t, c.hold[i/4], g.hold, "%v, cycle %d", c.blocked, i)
			}
		}
	}
}
