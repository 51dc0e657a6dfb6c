// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"math"
	"math/rand/v2"

	"github.com/hcgen/hcgen/plan"
)

// Rates are what cables do whose frames are lost with a probability.
type Rates struct {
	Words   float64 // that arrive in the time of a frame, if all links always have words
	Latency float64 // mean cycles of a word from its entry to its exit, if words come at a tenth of the rate
}

// fewWords is the share of the rate at which words come where latency is measured.
const fewWords = 0.1

// MeasureRates runs the cables of a plan, each with the same probability that a frame is lost.
func MeasureRates(p *plan.Plan, loss float64, cycles int, seed uint64) Rates {
	frames := float64(cycles) / float64(p.Chips.Cables[0].Words) * float64(p.Chips.Count*len(p.Chips.Cables))
	arrived, _ := measureRun(p, loss, 1, cycles, seed)
	few, waited := measureRun(p, loss, fewWords*GoBack(p, loss)/float64(p.Chips.Places*p.Chips.Cables[0].Words), cycles, seed)
	return Rates{float64(arrived) / frames, float64(waited) / float64(few)}
}

// measureRun returns the words that arrived, and the sum of their cycles on the way.
func measureRun(p *plan.Plan, loss, offers float64, cycles int, seed uint64) (arrived, waited int) {
	m, random := NewMachine[int](p), rand.New(rand.NewPCG(seed, 1))
	for i, c := range m.Channels {
		c.Phase = i % c.words
		c.Loses = func() bool { return random.Float64() < loss }
	}
	begin := -1 // when all are up, and the words under way are as many as they will be
	for begin < 0 || m.cycle < begin+cycles {
		up := true
		for chip, c := range m.Chips {
			up = up && m.Up(chip)
			for _, e := range c.Ends {
				for l := range e.near {
					if w := e.Offered(l); w != nil {
						if begin >= 0 && m.cycle >= begin {
							arrived++
							waited += m.cycle - *w
						}
						m.Leave(e, l)
					}
					if e.Ready(l) && random.Float64() < offers {
						m.Enter(e, l, m.cycle)
					}
				}
			}
		}
		if begin < 0 && up {
			begin = m.cycle + 8*m.Chips[0].Ends[0].sizes.Latency
		}
		m.Step()
	}
	return arrived, waited
}

// GoBack is the rate of a sender that goes back: a frame that is lost costs those of a round trip and half a pause.
func GoBack(p *plan.Plan, loss float64) float64 {
	c := &p.Chips.Cables[0]
	trip := math.Ceil(float64(2*c.Latency)/float64(c.Words)) + 1.5
	return (1 - loss) / (1 - loss + loss*trip)
}
