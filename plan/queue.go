// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/hcgen/hcgen/machine"

// MostSlices is the largest number of registers of a link that is made of register slices. A longer link has credits and a
// memory, which is smaller (docs/links.md).
const MostSlices = 2

// Queue is what the links of a dimension are made of, in each direction (docs/links.md).
type Queue struct {
	Latency int  // L, in cycles more than a link without registers, also of ready, pace and barrier pace; 0: a wire
	Slices  int  // register slices in series, of two places each; 0: credits, or a wire
	Places  int  // words that the link holds; 0: a wire
	Clocks  bool // both ends have clocks of their own; Latency is that of equal clocks
}

// ClockPlacesBits is the number of bits of the places of a link between clocks.
const ClockPlacesBits = 4

func newQueue(l machine.Link) Queue {
	switch n := l.Registers; {
	case l.Kind == machine.Clocks:
		return Queue{Latency: l.Latency(), Places: 1 << ClockPlacesBits, Clocks: true}
	case n == 0:
		return Queue{}
	case n <= MostSlices:
		return Queue{Latency: n, Slices: n, Places: 2 * n}
	default:
		return Queue{Latency: n, Places: 2*n + 1} // a credit is back 2 n + 1 cycles after it was taken
	}
}

// Credits reports whether the link has a memory and counts its free places.
func (q Queue) Credits() bool { return q.Places > 0 && q.Slices == 0 }

// Kind is a name of what the link is made of.
func (q Queue) Kind() string {
	switch {
	case q.Places == 0:
		return "wire"
	case q.Clocks:
		return "clocks"
	case q.Credits():
		return "credits"
	}
	return "slices"
}

// BarrierPeriod is the number of cycles in which the barrier clock advances once: every router knows the clocks of its
// neighbours by then. Nodes with clocks of their own have no cycles in common.
func (p *Plan) BarrierPeriod() int {
	if p.Machine.Clocks() {
		return 1
	}
	return p.Lead
}
