// SPDX-License-Identifier: Apache-2.0

package chips

import "github.com/hcgen/hcgen/plan"

// Machine is the chips of a machine and the channels between them, cycle by cycle. All chips have the same clock.
type Machine[W any] struct {
	Chips    []*Chip[W]
	Channels []*Channel[W]
	cycle    int

	moves []move[W] // in this cycle
}

// Channel carries the frames that leave a port of a chip. A frame stays in order, and arrives or is lost.
type Channel[W any] struct {
	Chip, Port     int // where it begins
	ToChip, ToPort int
	Delay          int         // cycles from the beginning of a frame to the end of the cycle in which the other end receives it
	Phase          int         // cycle in which frames begin, modulo their words
	Loses          func() bool // the frame that begins is lost; nil: none is

	words int
	ways  []way[W]
}

// way is a frame under way.
type way[W any] struct {
	arrives int
	frame   Frame[W]
}

// A move is a word that crosses an end of a link in this cycle.
type move[W any] struct {
	end  *End[W]
	link int
	word *W // nil: it leaves
}

// NewMachine is the machine of the plan after rst.
func NewMachine[W any](p *plan.Plan) *Machine[W] {
	m := &Machine[W]{}
	for chip := range p.Chips.Count {
		var ends []*End[W]
		for i := range p.Chips.Cables {
			c := &p.Chips.Cables[i]
			other := neighbor(p, chip, c.Index)
			ends = append(ends, NewEnd[W](SizesOf(p, c), Identity{p.Chips.Hash, c.Index, p.ChipInput(chip)}, Identity{p.Chips.Hash, c.Opposite, p.ChipInput(other)}))
			m.Channels = append(m.Channels, &Channel[W]{
				Chip: chip, Port: i, ToChip: other, ToPort: cableOf(p, c.Opposite), words: c.Words,
				Delay: ends[len(ends)-1].sizes.StatesLatency() - 1, // states hold after the cycle in which their frame arrives
			})
		}
		m.Chips = append(m.Chips, NewChip(ends...))
	}
	return m
}

// neighbor is the chip at the other end of a cable.
func neighbor(p *plan.Plan, chip, port int) int {
	return p.Region(p.Machine.Graph.Neighbor(p.Node(chip, 0), port))
}

// cableOf is the number of a port among the ports with cables.
func cableOf(p *plan.Plan, port int) int {
	for i := range p.Chips.Cables {
		if p.Chips.Cables[i].Index == port {
			return i
		}
	}
	panic("chips: a port without a cable")
}

// Cycle is the number of completed cycles.
func (m *Machine[W]) Cycle() int { return m.cycle }

// Enter has a word enter a link that is ready, at the end of the cycle.
func (m *Machine[W]) Enter(e *End[W], link int, word W) {
	m.moves = append(m.moves, move[W]{e, link, &word})
}

// Leave has the word that a link offers leave it, at the end of the cycle.
func (m *Machine[W]) Leave(e *End[W], link int) { m.moves = append(m.moves, move[W]{e, link, nil}) }

// Step is the clock edge of all chips.
func (m *Machine[W]) Step() {
	for _, c := range m.Channels {
		if (m.cycle+c.words-c.Phase)%c.words == 0 {
			f := m.Chips[c.Chip].Ends[c.Port].Send()
			if c.Loses == nil || !c.Loses() {
				c.ways = append(c.ways, way[W]{m.cycle + c.Delay, f})
			}
		}
	}
	for _, w := range m.moves {
		if w.word == nil {
			w.end.Leave(w.link)
		} else {
			w.end.Enter(w.link, *w.word)
		}
	}
	m.moves = m.moves[:0]
	for _, c := range m.Channels {
		for len(c.ways) > 0 && c.ways[0].arrives <= m.cycle {
			f := c.ways[0].frame
			c.ways = c.ways[:copy(c.ways, c.ways[1:])]
			m.Chips[c.ToChip].Receive(c.ToPort, &f)
		}
	}
	for _, c := range m.Chips {
		c.Step()
	}
	m.cycle++
}

// Up reports whether all cables of a chip are in the state up.
func (m *Machine[W]) Up(chip int) bool {
	for _, e := range m.Chips[chip].Ends {
		if e.State() != Up {
			return false
		}
	}
	return true
}
