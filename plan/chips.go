// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"hash/crc32"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// ChipsVersion is the version of the contract of cables between chips (docs/chips.md). Ends of different versions have
// different hashes.
const ChipsVersion = 1

// Widths of cables (docs/chips.md).
const (
	CRCBits       = 32 // of the CRC-32C of a frame
	SessionBits   = 8
	HashBits      = 32
	CablePortBits = 4 // of the number of a port

	mostChipLead = 127 // a pace of 8 bits
)

// Names of the fields of data frames and hello frames.
const (
	FieldKind        = "kind"
	FieldColour      = "colour"
	FieldWant        = "want"
	FieldValid       = "valid"
	FieldNumber      = "number"
	FieldAck         = "ack"
	FieldTurn        = "turn"
	FieldFreed       = "freed"
	FieldPace        = "pace"
	FieldBarrierPace = "barrier_pace"
	FieldLink        = "link"
	FieldWord        = "word"

	FieldHeard   = "heard"
	FieldLost    = "lost"
	FieldSession = "session"
	FieldHash    = "hash"
	FieldPort    = "port"
	FieldChip    = "chip"
)

// Chips describes the chips of a machine with links between chips, which all have the same module. Nodes whose digits agree
// in all dimensions with such links are on one chip.
type Chips struct {
	Module string // <name>_chip
	Count  int

	Digits []ChipDigit // of the input chip, lowest first
	Bits   int         // of the input chip

	Places    int    // nodes of a chip; a cable has a link for each
	PlaceBits int    // of the number of a link in a frame, 0 with one place
	Hash      uint32 // CRC-32C of HashText
	Cables    []Cable
}

// ChipDigit is the digit of a dimension between chips in the input chip, and the frames of the cables in this dimension.
type ChipDigit struct {
	Dimension int // 1..r
	M         int
	Low, Bits int // in the input chip
	Frame     Frame
}

// Frame has the sizes of the frames of the cables of a dimension.
type Frame struct {
	WordBits, Flight, Silence int // of the description

	Words      int    // K, of a frame
	NumberBits int    // n
	FreedBits  int    // f
	Data       Fields // of a data frame, highest first, without those of no bits
	Hello      Fields // of a hello frame, alike
	Latency    int    // of a word of a link, if the cable is idle and loses nothing
	Lead       int    // that this dimension needs
}

// ContentBits is the width of the content of a frame: all words but the CRC.
func (f Frame) ContentBits() int { return f.Words*f.WordBits - CRCBits }

// Places is the number of words of a link for which the far end has places.
func (f Frame) Places() int { return 1<<f.FreedBits - 1 }

// Unacknowledged is the largest number of words that an end keeps.
func (f Frame) Unacknowledged() int { return 1<<f.NumberBits - 1 }

// Cable is the cable of a port: it has the links of this port of all nodes of a chip.
type Cable struct {
	Index     int // of the port
	Opposite  int // port of the neighbour
	Dimension int // 1..r
	Digit     int // of the dimension, in Digits
	Step      int // to the digit of the neighbour, 1..M-1: (digit + Step) mod M
	Frame
}

// newChips plans the chips of a machine, nil if it has one chip. It needs the width of a link. The width of the pace
// follows from the lead, which follows from frames, which have a pace in them: the least width is taken that is enough for its
// own frames.
func (p *Plan) newChips() *Chips {
	if !p.Machine.Chips() {
		return nil
	}
	c := &Chips{Module: p.Module("chip"), Count: 1, Places: 1}
	for _, d := range p.Dims {
		if p.link(d.Index).Kind == machine.Chips {
			digit := ChipDigit{Dimension: d.Index, M: d.M, Low: c.Bits, Bits: bits.Len(uint(d.M - 1))}
			c.Digits, c.Count, c.Bits = append(c.Digits, digit), c.Count*d.M, c.Bits+digit.Bits
		} else {
			c.Places *= d.M
		}
	}
	c.PlaceBits = bits.Len(uint(c.Places - 1))
	for pace := 1; ; pace++ {
		lead := 0
		for i := range c.Digits {
			f := p.newFrame(c, p.link(c.Digits[i].Dimension), pace)
			c.Digits[i].Frame, lead = f, max(lead, f.Lead)
		}
		if paceBits(max(lead, p.wireLead())) <= pace {
			break
		}
	}
	return c
}

// finish adds what needs the width of the pace: the fields of frames, the cables and the hash.
func (c *Chips) finish(p *Plan) {
	for i := range c.Digits {
		f := &c.Digits[i].Frame
		f.Data, f.Hello = f.data(p, c, p.PaceBits), hello(c)
	}
	for _, q := range p.Ports {
		i := c.digit(q.Dimension)
		if i < 0 {
			continue
		}
		step := q.Distance
		if q.Direction == hypercycle.CCW {
			step = c.Digits[i].M - step
		}
		c.Cables = append(c.Cables, Cable{Index: q.Index, Opposite: q.Opposite, Dimension: q.Dimension, Digit: i, Step: step, Frame: c.Digits[i].Frame})
	}
	c.Hash = crc32.Checksum([]byte(p.chipsText(c)), crc32.MakeTable(crc32.Castagnoli))
}

// newFrame finds the least number of words with which a frame holds its numbers, whose widths follow from that number.
func (p *Plan) newFrame(c *Chips, l machine.Link, pace int) Frame {
	f := Frame{WordBits: l.WordBits, Flight: l.Flight, Silence: l.Silence}
	for f.Words = 1; ; f.Words++ {
		back := l.Flight + f.Words + machine.CableStates // cycles of a state
		turn := c.Places * f.Words                       // and of the frames with those of all links
		number := back + f.Words - 1 + back + machine.CableWaits
		place := l.Flight + f.Words + machine.CableOffers + machine.CableFrees + turn - 1 + back + machine.CableWaits
		f.NumberBits, f.FreedBits = counts(ceil(number, f.Words)), counts(ceil(place, f.Words))
		f.Lead = min(mostChipLead, ceil(turn+back+1, f.Words))
		if max(f.data(p, c, pace).Bits(), hello(c).Bits())+CRCBits <= f.Words*f.WordBits {
			break
		}
	}
	f.Latency = l.Latency(f.Words)
	return f
}

// counts is the number of bits, at least 2, in which a counter has more than n values.
func counts(n int) int { return max(2, bits.Len(uint(n))) }

func ceil(a, b int) int { return (a + b - 1) / b }

// data lists the fields of a data frame, highest first.
func (f Frame) data(p *Plan, c *Chips, pace int) Fields {
	barrier := 0
	if p.Machine.Barrier {
		barrier = BarrierPaceBits
	}
	return fromLowest(Fields{
		{FieldKind, 1}, {FieldColour, 1}, {FieldWant, 1}, {FieldValid, 1}, {FieldNumber, f.NumberBits}, {FieldAck, f.NumberBits},
		{FieldTurn, c.PlaceBits}, {FieldFreed, f.FreedBits}, {FieldPace, pace}, {FieldBarrierPace, barrier}, {FieldLink, c.PlaceBits}, {FieldWord, p.LinkBits},
	})
}

// hello lists the fields of a hello frame, highest first.
func hello(c *Chips) Fields {
	return fromLowest(Fields{
		{FieldKind, 1}, {FieldHeard, 1}, {FieldLost, 1}, {FieldSession, SessionBits}, {FieldHash, HashBits}, {FieldPort, CablePortBits}, {FieldChip, c.Bits},
	})
}

// fromLowest turns fields that are listed from the lowest on, and leaves out those of no bits.
func fromLowest(list Fields) Fields {
	slices.Reverse(list)
	return slices.DeleteFunc(list, func(f Field) bool { return f.Bits == 0 })
}

// chipsText is the text whose CRC-32C is the hash of the machine: everything that both ends of a cable must agree on.
func (p *Plan) chipsText(c *Chips) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("hcgen chips %d", ChipsVersion)
	line("machine %s", p.Name)
	for _, d := range p.Dims {
		line("dimension %s %d %d %s", d.Name, d.M, d.Rho, p.link(d.Index).Kind)
	}
	line("preference %s", p.Machine.Preference)
	fields := func(name string, list Fields) { // from the lowest on
		for _, f := range slices.Backward(list) {
			line("%s %s %d", name, f.Name, f.Bits)
		}
	}
	fields("link", p.LinkFields())
	line("lead %d", p.Lead)
	for _, d := range c.Digits {
		line("frame %d %d %d", d.Dimension, d.Frame.WordBits, d.Frame.Words)
		fields("data", d.Frame.Data)
		fields("hello", d.Frame.Hello)
	}
	return b.String()
}

// HashText is the text whose CRC-32C is the hash in hello frames: lines that end with a newline.
func (p *Plan) HashText() string { return p.chipsText(p.Chips) }

// link is what the links of a dimension, 1..r, are made of.
func (p *Plan) link(dimension int) machine.Link { return p.Machine.Dimensions[dimension-1].Link }

// Cable is the cable of a port, nil if its links do not leave the chip.
func (c *Chips) Cable(port int) *Cable {
	if c == nil {
		return nil
	}
	for i := range c.Cables {
		if c.Cables[i].Index == port {
			return &c.Cables[i]
		}
	}
	return nil
}

// digit is the index of a dimension, 1..r, in Digits; -1 if the dimension is inside the chips.
func (c *Chips) digit(dimension int) int {
	return slices.IndexFunc(c.Digits, func(d ChipDigit) bool { return d.Dimension == dimension })
}

// Place is the place number of a node on its chip: its digits in the dimensions inside chips, the lowest dimension lowest.
func (p *Plan) Place(node int) int {
	place, stride := 0, 1
	for _, d := range p.Dims {
		if p.Chips.digit(d.Index) < 0 {
			place += stride * p.Machine.Graph.Digit(node, d.Index)
			stride *= d.M
		}
	}
	return place
}

// Node is the node at a place of a chip.
func (p *Plan) Node(chip, place int) int {
	node, stride := 0, 1
	for _, d := range p.Dims {
		from := &place
		if p.Chips.digit(d.Index) >= 0 {
			from = &chip
		}
		node += stride * (*from % d.M)
		*from /= d.M
		stride *= d.M
	}
	return node
}

// ChipInput is the input chip of a chip, whose number is that of its region: all digits side by side.
func (p *Plan) ChipInput(chip int) (digits int) {
	for _, d := range p.Chips.Digits {
		digits |= chip % d.M << d.Low
		chip /= d.M
	}
	return digits
}
