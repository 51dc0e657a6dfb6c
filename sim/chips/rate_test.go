// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim/internal/cases"
)

// A cable without errors moves a word in every frame, at every flight, and a word takes the latency of the plan and at most a
// frame more. With numbers or places of a bit less it cannot.
func TestACableHasItsFullRate(t *testing.T) {
	for _, flight := range []int{0, 16, 100} {
		for _, links := range []int{1, 4} {
			p := pair(t, links, 4096, flight)
			c := &p.Chips.Cables[0]
			full := MeasureRates(p, 0, 3000, 1)
			require.InDelta(t, 1, full.Words, 0.002, "flight %d, %d links", flight, links)
			require.InDelta(t, float64(c.Latency)+float64(c.Words-1)/2, full.Latency, 0.6, "flight %d, %d links", flight, links)
			for _, less := range []*int{&c.NumberBits, &c.FreedBits} {
				if flight == 0 || less == &c.FreedBits && links > 1 {
					continue // the sizes are powers of two, and other links have places, too
				}
				*less--
				require.Less(t, MeasureRates(p, 0, 3000, 1).Words, 0.99, "flight %d, %d links", flight, links)
				*less++
			}
		}
	}
}

// With errors the rate is that of a sender that goes back.
func TestTheRateWithErrors(t *testing.T) {
	for _, flight := range []int{0, 16, 100} {
		p := cases.Plan(t, cases.Rings{{4, 1}, {2, 1}}, chipsIn(4096, -1, flight))
		for _, loss := range []float64{0.001, 0.01, 0.1} {
			r := MeasureRates(p, loss, 40_000, 2)
			t.Logf("flight %d, %g of frames are lost: %.3f, formula %.3f, latency %.1f", flight, loss, r.Words, GoBack(p, loss), r.Latency)
			require.InEpsilon(t, GoBack(p, loss), r.Words, 0.1)
		}
	}
}
