// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/internal/cases"
)

// A cable without errors moves a word in every frame, and a word takes the latency of the plan and at most a frame more.
func TestACableHasItsFullRate(t *testing.T) {
	for _, flight := range []int{0, 16, 100} {
		for _, links := range []int{1, 4} {
			p := pair(t, links, 4096, flight)
			c := &p.Chips.Cables[0]
			full := MeasureRates(p, 0, 3000, 1)
			require.InDelta(t, 1, full.Words, 0.002, "flight %d, %d links", flight, links)
			require.InDelta(t, float64(c.Latency)+float64(c.Words-1)/2, full.Latency, 0.6, "flight %d, %d links", flight, links)
			require.Equal(t, c.Latency, SizesOf(p, c).Latency())
		}
	}
}

// rates are the words in the time of a frame, at the least of all phases between the frames of both directions: of all links, and of one
// if it alone has words.
func rates(p *plan.Plan) (all, alone float64) {
	all, alone = 1, 1
	for phase := range p.Chips.Cables[0].Words {
		run := load{offers: 1, links: p.Chips.Places, phase: phase}
		words, _ := run.measure(p, 400*p.Chips.Cables[0].Words)
		run.links = 1
		one, _ := run.measure(p, 400*p.Chips.Cables[0].Words)
		all, alone = min(all, words), min(alone, one)
	}
	return all, alone
}

// At every flight and phase a cable has its full rate, and so has a link that alone has words. Where n or f have a bit more than at the
// flight before, one of both rates is less without this bit.
func TestNumbersAndPlacesAreAsManyAsNeeded(t *testing.T) {
	corners := 0
	for at, c := range []struct{ links, wordBits, flights int }{{1, 8, 20}, {1, 32, 40}, {1, 64, 60}, {2, 64, 25}, {3, 16, 30}, {4, 32, 30}, {4, 64, 25}} {
		if testing.Short() && at != 2 {
			continue
		}
		planned := func(flight int) (*plan.Plan, *plan.Cable) {
			r, flights := cases.Rings{{c.links, 1}, {2, 1}}, []int{-1, flight}
			if c.links == 1 {
				r, flights = r[1:], flights[1:]
			}
			p := cases.Plan(t, r, cases.PayloadBits(32), chipsIn(400, flights...), func(m *machine.Machine) {
				m.Dimensions[len(r)-1].Link.WordBits = c.wordBits
			})
			return p, &p.Chips.Cables[0]
		}
		for flight := 1; flight <= c.flights; flight++ {
			_, before := planned(flight - 1)
			p, cable := planned(flight)
			all, alone := rates(p)
			require.Greater(t, min(all, alone), 0.995, "%v flight %d: n %d, f %d", c, flight, cable.NumberBits, cable.FreedBits)
			if before.Words != cable.Words || before.NumberBits == cable.NumberBits && before.FreedBits == cable.FreedBits {
				continue
			}
			cable.NumberBits, cable.FreedBits = before.NumberBits, before.FreedBits
			all, alone = rates(p)
			require.Less(t, min(all, alone), 0.99, "%v flight %d: n %d, f %d", c, flight, cable.NumberBits, cable.FreedBits)
			corners++
		}
	}
	require.Positive(t, corners)
	t.Log(corners, " corners")
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
