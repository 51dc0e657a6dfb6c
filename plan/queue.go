// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/hcgen/hcgen/machine"

// MostSlices is the largest number of registers of a link that is made of register slices. A longer link has credits and a
// memory, which is smaller (docs/links.md).
const MostSlices = 2

// Queue is what the links of a dimension are made of, in each direction (docs/links.md).
type Queue struct {
	Latency int // L, in cycles more than a link without registers, also of ready, pace and barrier pace; 0: a wire
	Slices  int // register slices in series, of two places each; 0: credits, or a wire
	Places  int // words that the link holds; 0: a wire
}

func newQueue(l machine.Link) Queue {
	switch n := l.Registers; {
	case n == 0:
		return Queue{}
	case n <= MostSlices:
		return Queue{Latency: n, Slices: n, Places: 2 * n}
	default:
		return Queue{Latency: n, Places: 2*n + 1} // a credit is back 2 n + 1 cycles after it was taken
	}
}

// Credits reports whether the link has credits and a memory.
func (q Queue) Credits() bool { return q.Places > 0 && q.Slices == 0 }

// Kind is a name of what the link is made of.
func (q Queue) Kind() string {
	switch {
	case q.Places == 0:
		return "wire"
	case q.Credits():
		return "credits"
	}
	return "slices"
}

// BarrierPeriod is the number of cycles in which the barrier clock advances once: every router knows the clocks of its
// neighbours by then.
func (p *Plan) BarrierPeriod() int { return p.Lead }
