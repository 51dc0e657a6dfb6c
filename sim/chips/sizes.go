// SPDX-License-Identifier: Apache-2.0

package chips

// Sizes are those of a cable.
type Sizes struct {
	Links      int // M
	NumberBits int // n
	FreedBits  int // f
	Silence    int // cycles
}

func (s *Sizes) numberModulus() int { return 1 << s.NumberBits }
func (s *Sizes) freedModulus() int  { return 1 << s.FreedBits }

// Places are those of a link at its far end.
func (s *Sizes) Places() int { return s.freedModulus() - 1 }
