// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A drill must not be timed into the past: nobody would act in those cycles.
func TestScriptRefusesADrillInThePast(t *testing.T) {
	script := func() *script {
		b := &script{plan: newPlan(t, rings{{4, 1}, {4, 1}})}
		b.end(100)
		return b
	}
	require.NotPanics(t, func() { script().end(100) })
	require.PanicsWithValue(t, "sim: a drill that begins in cycle 100 ends in 99", func() { script().end(99) })
	require.PanicsWithValue(t, "sim: a drill that begins in cycle 100 acts in 99", func() {
		b := script()
		b.disturb(99)
		b.end(200)
	})
}
