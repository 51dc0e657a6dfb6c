// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"

	"github.com/hcgen/hcgen/machine"
)

// MostSlices is the largest number of registers of a link that is made of register slices. A longer link has credits and a
// memory, which is smaller (docs/links.md).
const MostSlices = 2

// Queue is what the links of a dimension are made of, in each direction (docs/links.md).
type Queue struct {
	Latency int  // L, in cycles more than a link without registers, also of ready, pace and barrier pace; 0: a wire
	Slices  int  // register slices in series, of two places each; 0: credits, or a wire
	Places  int  // words that the link holds; 0: a wire
	Clocks  bool // both ends have clocks of their own; Latency is that of equal clocks
	Chips   bool // both ends are on chips of their own; Latency is that of an idle cable
}

// ClockPlacesBits is the number of bits of the places of a link between clocks.
const ClockPlacesBits = 4

// planLinks sets what lies on the way of links, and the lead of the pace, which they determine.
func (p *Plan) planLinks() {
	p.Chips = p.newChips()
	p.Lead = p.wireLead()
	if p.Chips != nil {
		for _, d := range p.Chips.Digits {
			p.Lead = max(p.Lead, d.Frame.Lead)
		}
	}
	p.PaceBits = paceBits(p.Lead)
	if p.Chips != nil {
		p.Chips.finish(p)
	}
	for i := range p.Dims {
		p.Dims[i].Queue = p.newQueue(i + 1)
	}
	for i := range p.Ports {
		p.Ports[i].Queue = p.Dims[p.Ports[i].Dimension-1].Queue
	}
}

// wireLead is the lead that links within a chip need: 1, and the latency of the longest one.
func (p *Plan) wireLead() int {
	lead := 1
	for _, d := range p.Machine.Dimensions {
		if d.Link.Kind != machine.Chips {
			lead = max(lead, d.Link.Latency(0)+1)
		}
	}
	return lead
}

// paceBits is the width of a pace: 2^paceBits >= 2 lead + 1.
func paceBits(lead int) int { return bits.Len(uint(2 * lead)) }

func (p *Plan) newQueue(dimension int) Queue {
	l := p.link(dimension)
	switch n := l.Registers; {
	case l.Kind == machine.Chips:
		f := p.Chips.Digits[p.Chips.digit(dimension)].Frame
		return Queue{Latency: f.Latency, Places: f.Places(), Chips: true}
	case l.Kind == machine.Clocks:
		return Queue{Latency: l.Latency(0), Places: 1 << ClockPlacesBits, Clocks: true}
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
	case q.Chips:
		return "chips"
	case q.Credits():
		return "credits"
	}
	return "slices"
}

// BarrierPeriod is the number of cycles in which the barrier clock advances once: every router knows the clocks of its
// neighbours by then. Nodes with clocks of their own have no cycles in common.
func (p *Plan) BarrierPeriod() int {
	if p.Machine.SeveralClocks() {
		return 1
	}
	return p.Lead
}

// Crosses reports whether the nodes at both ends have clocks of their own: those of regions or of chips.
func (q Queue) Crosses() bool { return q.Clocks || q.Chips }

// Latency is the largest latency of a link.
func (p *Plan) Latency() (most int) {
	for _, d := range p.Dims {
		most = max(most, d.Queue.Latency)
	}
	return most
}

// Crossing is the number of cycles that a message takes, alone in the network, from its injection to the link input of the
// farthest node: a hop takes Stages cycles, and the latency of its link.
func (p *Plan) Crossing() (cycles int) {
	for _, d := range p.Dims {
		cycles += d.D * (p.Stages + d.Queue.Latency)
	}
	return cycles
}
