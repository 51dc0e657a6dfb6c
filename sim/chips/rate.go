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
	run := load{loss: loss, offers: 1, links: p.Chips.Places, phase: 1, seed: seed}
	words, _ := run.measure(p, cycles)
	run.offers = fewWords * GoBack(p, loss) / float64(p.Chips.Places*p.Chips.Cables[0].Words)
	_, latency := run.measure(p, cycles)
	return Rates{words, latency}
}

// load is what crosses cables, and how.
type load struct {
	loss   float64 // share of the frames
	offers float64 // probability of a word in a cycle, of each link that has words
	links  int     // that have words
	phase  int     // by which frames of a channel begin later than those of the channel before
	seed   uint64
}

// measure returns the words that arrive in the time of a frame, and their mean cycles on the way.
func (r load) measure(p *plan.Plan, cycles int) (words, latency float64) {
	m, random := NewMachine[int](p), rand.New(rand.NewPCG(r.seed, 1))
	for i, c := range m.Channels {
		c.Phase = i * r.phase % c.words
		c.Loses = func() bool { return random.Float64() < r.loss }
	}
	var arrived, waited int
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
					if l < r.links && e.Ready(l) && random.Float64() < r.offers {
						m.Enter(e, l, m.cycle)
					}
				}
			}
		}
		if begin < 0 && up {
			begin = m.cycle + 8*m.Chips[0].Ends[0].sizes.Latency()
		}
		m.Step()
	}
	frames := float64(cycles) / float64(p.Chips.Cables[0].Words) * float64(len(m.Channels))
	return float64(arrived) / frames, float64(waited) / float64(arrived)
}

// GoBack is the rate of a sender that goes back: a frame that is lost costs those of a round trip and half a pause.
func GoBack(p *plan.Plan, loss float64) float64 {
	c := &p.Chips.Cables[0]
	trip := math.Ceil(float64(2*SizesOf(p, c).StatesLatency())/float64(c.Words)) + 1.5
	return (1 - loss) / (1 - loss + loss*trip)
}
