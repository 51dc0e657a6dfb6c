// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A drill must not be timed into the past: nobody would act in those cycles.
func TestScriptRefusesADrillInThePast(t *testing.T) {
	script := func() *script {
		b := newScript(newPlan(t, rings{{4, 1}, {4, 1}}))
		b.end(100)
		return b
	}
	require.NotPanics(t, func() { script().end(100) })
	require.PanicsWithValue(t, "sim: a drill that begins in cycle 100 ends in 99", func() { script().end(99) })
	require.PanicsWithValue(t, "sim: a drill that begins in cycle 100 acts in 99", func() {
		b := script()
		b.offer(99, 100)
		b.end(200)
	})
}

// The drills fit together on any machine, and their end does not move to another window of
// the memory.
func TestProgramOfRandomMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r []hypercycle.Dimension
		degree := 0
		for range rapid.IntRange(1, 4).Draw(t, "dimensions") {
			m := rapid.IntRange(2, 40).Draw(t, "m")
			d := hypercycle.Dimension{M: m, Rho: rapid.IntRange(1, min(m/2, 8)).Draw(t, "rho")}
			if degree += d.Degree(); degree > maxDegree {
				break
			}
			r = append(r, d)
		}
		m, err := machine.Bare(r...)
		require.NoError(t, err)
		m.PayloadBits, m.SourceID = rapid.SampledFrom([]int{1, 32, 1024}).Draw(t, "payload"), rapid.Bool().Draw(t, "source id")
		p := plan.New(m)
		// Machines of nearly 256 nodes and those of diameter 1 take the longest: deliveries
		// just still pay for injections in the former, windows are long or messages of a
		// window few, and the drills of a level climb through all of them.
		require.Less(t, RouterCycles(p), 200_000)
	})
}
