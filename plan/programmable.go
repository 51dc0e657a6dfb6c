// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"math/bits"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan/registers"
)

// Programmable is the part of a plan that only a programmable router has. The router behaves in
// every cycle like the specialized one, but its links are wide enough for any machine within its
// limits.
type Programmable struct {
	machine.Programmable
	NodeBits int     // of the largest address of a node: smallest that hold max_nodes ** max_dimensions - 1
	Writes   []Write // the configuration of the router, in order; the last one starts it
	Reads    []Read  // values of the configured router
	Counters []Read  // counters, from 0: accepted, forwarded, delivered and dropped messages
}

// Write is one access to the configuration bus.
type Write struct {
	Register string
	Address  int // in bytes
	Value    uint32
}

// Read is one read of the configuration bus, and the value that a configured router returns.
type Read struct {
	Register string // with its dimension, if there is one for each
	Address  int    // in bytes
	Value    uint32
}

// program makes the router of a plan programmable: its links get the widths, and its module
// the ports, of the limits.
func (p *Plan) program(limits machine.Programmable) {
	nodes := 1
	for range limits.MaxDimensions {
		nodes *= limits.MaxNodes
	}
	p.Programmable = &Programmable{Programmable: limits, NodeBits: bits.Len(uint(nodes - 1))}
	p.RouterPorts = limits.MaxDegree
	p.WdBits = bits.Len(uint(limits.MaxDimensions))
	p.WcBits = bits.Len(uint(limits.MaxNodes / 2))
	if p.SourceBits > 0 {
		p.SourceBits = p.Programmable.NodeBits
	}
	p.Programmable.Writes = writes(p.Machine.Graph, p.Machine.Preference)
	p.Programmable.Reads = reads(p.Machine.Graph, p.Machine.Preference, limits)
	for _, name := range []string{"ACCEPTED", "FORWARDED", "DELIVERED", "DROPPED"} {
		p.Programmable.Counters = append(p.Programmable.Counters, Read{Register: name, Address: register(name).Offset})
	}
}

// register returns the register of a name, which must exist.
func register(name string) registers.Register { return registers.Programmable().Register(name) }

// writes lists the accesses that configure a machine.
func writes(g *hypercycle.Graph, preference hypercycle.Preference) []Write {
	var list []Write
	write := func(name string, i int, value uint32) {
		list = append(list, Write{name, register(name).Offset + registers.Word*i, value})
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

// reads lists the values that a router with these limits returns when it is configured as a machine.
func reads(g *hypercycle.Graph, preference hypercycle.Preference, limits machine.Programmable) []Read {
	var list []Read
	// the values of all fields of a register that are not 0
	type fields map[string]int
	word := func(r registers.Register, values fields) uint32 {
		var value uint32
		found := 0
		for _, f := range r.Fields {
			if v, is := values[f.Name]; is {
				value |= uint32(v) << f.LSB
				found++
			}
		}
		if found != len(values) {
			panic(fmt.Sprintf("register %s has not all of the fields %v", r.Name, values))
		}
		return value
	}
	read := func(name string, values fields) {
		r := register(name)
		list = append(list, Read{name, r.Offset, word(r, values)})
	}
	readDimension := func(name string, i int, values fields) {
		r := register(name)
		at := r.Offset + registers.Word*(i-1)
		list = append(list, Read{fmt.Sprintf("%s of dimension %d", name, i), at, word(r, values)})
	}

	read("LIMITS", fields{
		"max_dimensions": limits.MaxDimensions, "max_nodes": limits.MaxNodes, "max_degree": limits.MaxDegree,
		"version": registers.Programmable().Version,
	})
	read("STATUS", fields{"done": 1})
	read("RANK", fields{"r": g.Rank()})
	read("PREFERENCE", fields{"preference": int(preference)})
	read("DEGREE", fields{"degree": g.Degree()})
	read("OTHERS", fields{"others": g.Nodes() - 1})
	read("STEPS", fields{"steps": g.Diameter()})
	for i := 1; i <= g.Rank(); i++ {
		d := g.Dimension(i)
		clockwise, counterclockwise := d.Sides(preference)
		readDimension("DIMENSION", i, fields{"m": d.M, "rho": d.Rho})
		readDimension("CONSTANTS", i, fields{"d": d.D(), "a": d.A(), "k": d.K()})
		readDimension("SIDES", i, fields{
			"clockwise_q": clockwise.Q, "clockwise_k": clockwise.K,
			"counterclockwise_q": counterclockwise.Q, "counterclockwise_k": counterclockwise.K,
		})
	}
	return list
}
