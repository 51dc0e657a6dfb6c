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
		m.Stages = rapid.IntRange(1, 2).Draw(t, "stages")
		m.FIFODepth = rapid.SampledFrom([]int{2, 3, 4, 8, 16, 64}).Draw(t, "depth")
		m.Delivery = rapid.SampledFrom([]machine.Delivery{machine.Merged, machine.PerPort}).Draw(t, "delivery")
		p := plan.New(m)
		// Machines of nearly 256 nodes and those of diameter 1 take the longest: deliveries
		// just still pay for injections in the former, windows are long or messages of a
		// window few, and the drills of a level climb through all of them.
		require.Less(t, RouterCycles(p), mostCycles(p))
	})
}

// mostCycles bounds the trace of a router. With two stages some are longer: that of (21,1) is 228,866
// cycles instead of 159,362.
func mostCycles(p *plan.Plan) int {
	if p.Stages == 2 {
		return 250_000
	}
	return 200_000
}

// Their traces were hundreds of thousands of cycles or had no end while drills were made: the first one's if
// calm does not go down to level 0, the second one's if avoid does not pay, the third one's if forget does not
// let a large quota begin anew. The others were found with drills of before.
func TestProgramDoesNotDerail(t *testing.T) {
	for _, m := range []struct {
		r       rings
		options []option
	}{
		{rings{{4, 2}}, []option{payloadBits(1), fifoDepth(16)}},
		{rings{{34, 3}, {6, 3}, {23, 1}}, []option{payloadBits(32)}},
		{rings{{4, 1}}, []option{payloadBits(1024)}},
		{rings{{2, 1}}, []option{payloadBits(1024)}},
		{rings{{18, 3}, {16, 4}}, []option{payloadBits(1), sourceID()}},
		{rings{{5, 2}, {4, 2}, {6, 2}}, []option{payloadBits(1024), sourceID()}},
		{rings{{25, 1}}, []option{payloadBits(1024)}},
	} {
		p := newPlan(t, m.r, m.options...)
		require.Less(t, RouterCycles(p), mostCycles(p), "%v", m.r)
	}
}
