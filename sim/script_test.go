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

// rare keeps the silences of a level away wherever its time begins, also right before
// and at the end of a window, which few machines meet.
func TestRareKeepsSilencesAway(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	for level := 1; level <= rememberedLevel; level++ {
		window := 1 << (&script{plan: p}).silence(level)
		for _, place := range []int{-3, -2, -1, 0, 1, 2, window / 2, window - 2, window - 1, window, window + 1, 3 * window / 2} {
			b := &script{plan: p}
			b.end(ending(b.silence(level)+1, b.climbing(level)+window) + 1)
			// the climb ends less than half of a window before
			from := b.time + 2*window + place
			b.end(from - b.climbing(level) - window/4)
			b.climb(level)
			b.disturb(from - 1)
			b.end(from)
			to := from + 9*window
			b.rare(level, from, to)
			b.end(to + 1)

			r := newRouterRun(p, 1)
			r.stimulus.program = b.program
			for cycle := range to + 1 {
				r.evaluate()
				r.step()
				if cycle >= from {
					require.EqualValues(t, level, r.router.gate.level, "level %d, from %d of a window, cycle %d", level, place, cycle-from)
				}
			}
		}
	}
}
