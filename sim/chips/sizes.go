// SPDX-License-Identifier: Apache-2.0

package chips

import "github.com/hcgen/hcgen/plan"

// Sizes are those of a cable.
type Sizes struct {
	Links      int // M
	NumberBits int // n
	FreedBits  int // f
	Silence    int // cycles
	Words      int // K
	WordBits   int
	Latency    int // L: cycles from a word at the near end of a link to the word at the far end
}

// SizesOf are those that the plan gives a cable.
func SizesOf(p *plan.Plan, c *plan.Cable) *Sizes {
	return &Sizes{
		Links: p.Chips.Places, NumberBits: c.NumberBits, FreedBits: c.FreedBits, Silence: c.Silence, Words: c.Words, WordBits: c.WordBits,
		Latency: c.Latency,
	}
}

func (s *Sizes) numberModulus() int { return 1 << s.NumberBits }
func (s *Sizes) freedModulus() int  { return 1 << s.FreedBits }

// Places are those of a link at its far end.
func (s *Sizes) Places() int { return s.freedModulus() - 1 }
