// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// Skipping n silent cycles at once must equal n single steps, from any state.
func TestGateSkipEqualsSingleSteps(t *testing.T) {
	k := plan.Gate{Cost: 15, Cap: 16, QuietBits: 3}
	for balance := int32(-15); balance <= 16; balance += 5 {
		for silent := uint32(0); silent < 8; silent++ {
			for _, quiet := range []bool{false, true} {
				for n := 0; n < 20; n++ {
					a := gate{balance, silent, quiet}
					b := a
					a.skip(&k, n)
					for i := 0; i < n; i++ {
						b.step(&k, false, false)
					}
					require.Equal(t, b, a, "%d %d %v, %d cycles", balance, silent, quiet, n)
				}
			}
		}
	}
}

// The gate by hand, as docs/architecture.md describes it: N = 4, Q = 2.
func TestGateByHand(t *testing.T) {
	k := plan.Gate{Cost: 3, Cap: 4, QuietBits: 2}
	g := gate{balance: 4}
	for i, step := range []struct {
		injected, delivered bool
		balance             int32
		silent              uint32
		quiet               bool
	}{
		{false, true, 4, 0, false}, // at the cap a delivery adds nothing
		{true, true, 1, 0, false},  // the gain is judged by the balance before: at the cap
		{true, true, -1, 0, false}, // both
		{false, false, -1, 1, false},
		{false, true, 0, 0, false},
		{true, false, -3, 1, false},
		{false, false, -3, 2, false},
		{false, false, -3, 3, false},
		{false, false, -3, 3, true}, // the counter was at its end: quiet
		{false, false, 4, 3, true},  // refilled one cycle later
		{true, false, 4, 3, true},   // injections are free while quiet
		{true, true, 4, 0, false},   // a delivery ends quiet, and this cycle still refills
		{true, false, 1, 1, false},
	} {
		g.step(&k, step.injected, step.delivered)
		require.Equal(t, gate{step.balance, step.silent, step.quiet}, g, "step %d", i)
	}
}
