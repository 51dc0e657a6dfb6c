// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/registers"
)

// Programmable is what the plan of a programmable router has besides that of the
// machine it is told. It does in every cycle what the specialized router does, but its
// links are as wide as those of any machine within its limits.
type Programmable struct {
	machine.Programmable
	CostBits int     // smallest that hold max_nodes ** max_dimensions - 1, the largest N - 1
	Writes   []Write // what tells the router which machine it is, in order; the last one starts it
}

// Write is one access to the configuration bus.
type Write struct {
	Register string
	Address  int // in bytes
	Value    uint32
}

// program makes the router of a plan programmable: its links get the widths, and its module
// the ports, of the limits.
func (p *Plan) program(limits machine.Programmable) {
	nodes := 1
	for range limits.MaxDimensions {
		nodes *= limits.MaxNodes
	}
	p.Programmable = &Programmable{Programmable: limits, CostBits: bits.Len(uint(nodes - 1))}
	p.RouterPorts = limits.MaxDegree
	p.WdBits = bits.Len(uint(limits.MaxDimensions))
	p.WcBits = bits.Len(uint(limits.MaxNodes / 2))
	if p.SourceBits > 0 {
		p.SourceBits = p.Programmable.CostBits
	}
	p.LinkBits = p.WdBits + p.WcBits + p.SourceBits + p.PayloadBits
	p.Programmable.Writes = writes(p.Machine.Graph, p.Machine.Preference)
}

// writes lists the accesses that configure a machine.
func writes(g *hypercycle.Graph, preference hypercycle.Preference) []Write {
	offsets := map[string]int{}
	for _, r := range registers.Map() {
		offsets[r.Name] = r.Offset
	}
	var list []Write
	write := func(register string, i int, value uint32) {
		list = append(list, Write{register, offsets[register] + registers.Word*i, value})
	}
	write("RANK", 0, uint32(g.Rank()))
	write("PREFERENCE", 0, uint32(preference))
	for i := range g.Rank() {
		d := g.Dimension(i + 1)
		write("DIMENSION", i, uint32(d.Rho)<<16|uint32(d.M))
	}
	write("CONTROL", 0, 1)
	return list
}
