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
	Flight     int // F, cycles

	// The times of both ends. They are 0, and then what a cycle brings counts at once, where time does not matter.
	Enters int // cycles from that in which a word enters to the first frame that can carry it
	Offers int // cycles from that in which a frame arrives until its word is offered
	Waits  int // cycles from that in which a frame arrives to the first frame that a new word can have because of it
}

// The times of both ends, in the words of docs/chips.md.
const (
	routerToFrame = 3  // a router gives a word; a frame can carry it
	frameToStates = 8  // a frame begins; its states hold, beside F + K
	frameToWord   = 10 // a frame begins; its word is offered, beside F + K
	statesToFrame = 3  // credit or an acknowledgement holds; a frame can carry a word that waited for it
)

// SizesOf are those that the plan gives a cable.
func SizesOf(p *plan.Plan, c *plan.Cable) *Sizes {
	return &Sizes{
		Links: p.Chips.Places, NumberBits: c.NumberBits, FreedBits: c.FreedBits, Silence: c.Silence, Words: c.Words, WordBits: c.WordBits,
		Flight: c.Flight, Enters: routerToFrame, Offers: frameToWord - frameToStates + 1, Waits: 1 + statesToFrame,
	}
}

// StatesLatency is the number of cycles from the beginning of a frame until its states hold at the other end.
func (s *Sizes) StatesLatency() int { return s.Flight + s.Words + frameToStates }

// Latency is L: the number of cycles of a word from one router to the other, at least.
func (s *Sizes) Latency() int { return routerToFrame + s.Flight + s.Words + frameToWord }

func (s *Sizes) numberModulus() int { return 1 << s.NumberBits }
func (s *Sizes) freedModulus() int  { return 1 << s.FreedBits }

// Places are those of a link at its far end.
func (s *Sizes) Places() int { return s.freedModulus() - 1 }
