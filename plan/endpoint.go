// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"math/bits"

	"github.com/hcgen/hcgen/machine"
)

// Regions of an address on the bus of an endpoint (docs/endpoints.md, "Addresses").
const (
	RegionMemory    = 0 // own memory
	RegionRegisters = 1
	RegionMessages  = 2 // put and get
	RegionAdd       = 3
)

// Kinds of messages between endpoints.
const (
	KindPut   = 0
	KindAdd   = 1
	KindGet   = 2
	KindReply = 3
)

// DoorbellBits is the number of doorbells of a node.
const DoorbellBits = 8

// Endpoint has the widths and places of the endpoints at the nodes (docs/endpoints.md).
type Endpoint struct {
	*machine.Endpoint
	Module       string // <name>_endpoint
	SystemModule string // <name>_system
	BoardModule  string // <name>_board, a chip with the endpoints at its nodes; empty if the machine is on one chip

	NodeBits int // of node_id
	BusBits  int // of a byte address on the bus

	// Lowest bits of the fields of an address. Digits are as in node_digits, dimension 1 lowest; then one bit per dimension.
	DigitsLow, AllLow, RegionLow int

	// Lowest bits of the fields of a message; data is the lowest, at 0.
	AddressLow, StrobesLow, KindLow int

	Requests int // places of the queue of gets, N - 1; 0 without gets
	Stall    int // cycles that the receiver stalls the network at most, R
}

func (p *Plan) newEndpoint() *Endpoint {
	m := p.Machine
	if m.Endpoint == nil {
		return nil
	}
	e := &Endpoint{Endpoint: m.Endpoint, Module: p.Module("endpoint"), SystemModule: p.Module("system"), NodeBits: bits.Len(uint(p.Nodes - 1)), BusBits: m.BusBits()}
	if m.Chips() {
		e.BoardModule = p.Module("board")
	}
	e.DigitsLow = e.AddressBits
	e.AllLow = e.DigitsLow + p.Destination.DigitsBits
	e.RegionLow = e.AllLow + len(p.Dims)
	e.AddressLow = machine.EndpointDataBits
	e.StrobesLow = e.AddressLow + e.WordBits()
	e.KindLow = e.StrobesLow + machine.EndpointStrobeBits
	e.Stall = 1
	if e.Gets {
		e.Requests = p.Nodes - 1
		e.Stall++
	}
	if e.Adds {
		e.Stall += 4
	}
	return e
}

// EndpointWires lists the ports of an endpoint in the order of their declaration. Near ports lead to the router of the node.
func (p *Plan) EndpointWires() (list []Wire) {
	e := p.Endpoint
	wire := func(name string, output bool, bits int, place Place, c Columns) {
		list = append(list, Wire{Name: name, Output: output, Lanes: 1, Bits: max(bits, 1), Vector: bits != flag, Network: place, Columns: c})
	}
	reset := "synchronous, active high"
	wire("clk", in, flag, Shared, Columns{Role: Clock})
	wire("rst", in, flag, Shared, Columns{Role: Clock, Meaning: reset, ofNetwork: reset})
	wire("node_id", in, e.NodeBits, Constant, Columns{Meaning: "number of this node, constant"})
	wire("node_digits", in, p.Destination.DigitsBits, Constant, Columns{Meaning: "digits of the address of this node, dimension 1 lowest, constant"})
	for _, w := range busOf(e.Bus, e.BusBits) {
		wire(w.name, w.output, w.bits, PerNode, Columns{ofNetwork: "bus of node n"})
	}
	irq := "interrupt: a bit is 1 in ENABLE and in EVENTS"
	wire("irq", out, flag, PerNode, Columns{Meaning: irq, ofNetwork: irq})
	memory := func(name string, output bool, bits int, meaning string) {
		wire(name, output, bits, PerNode, Columns{Meaning: meaning, ofNetwork: meaning})
	}
	memory("mem_en", out, flag, "the memory reads or writes a word")
	memory("mem_we", out, machine.EndpointStrobeBits, "bytes that it writes; 0: it reads")
	memory("mem_addr", out, e.WordBits(), "number of the word")
	memory("mem_wdata", out, machine.EndpointDataBits, "word to write")
	memory("mem_rdata", in, machine.EndpointDataBits, "word that was read, in the next cycle")

	local := func(name string, output bool, bits int, of string) {
		wire(name, output, bits, Near, Columns{Inner: of})
	}
	local("m_axis_tvalid", out, flag, "s_axis_tvalid")
	local("m_axis_tready", in, flag, "s_axis_tready")
	local("m_axis_tdata", out, p.PayloadBits, "s_axis_tdata")
	local("m_axis_tdest", out, p.Destination.TDestBits, "s_axis_tdest")
	local("s_axis_tvalid", in, flag, "m_axis_tvalid")
	local("s_axis_tready", out, flag, "m_axis_tready")
	local("s_axis_tdata", in, p.PayloadBits, "m_axis_tdata")
	local("barrier_arrive", out, flag, "barrier_arrive")
	local("barrier_release", in, flag, "barrier_release")
	wire("dropped", in, flag, Near, Columns{Meaning: "the router has dropped a message"})
	if e.BoardModule != "" {
		wire("linked", in, flag, Near, Columns{Meaning: "all cables of the chip have been up since its reset"})
	}
	return list
}

// EndpointBusWires lists the ports of an endpoint that are its bus.
func (p *Plan) EndpointBusWires() []Wire {
	return p.EndpointWires()[4:][:len(buses[p.Endpoint.Bus])] // behind clk, rst, node_id and node_digits
}

// MemoryBytes is the size of the memory of a node.
func (e *Endpoint) MemoryBytes() int { return 1 << e.AddressBits }

// EndpointWire is a port of an endpoint. It panics if there is none of this name.
func (p *Plan) EndpointWire(name string) Wire {
	for _, w := range p.EndpointWires() {
		if w.Name == name {
			return w
		}
	}
	panic(fmt.Sprintf("plan: an endpoint has no port %s", name)) // the caller is at fault
}
