// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"strings"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan/registers"
)

// Wire is a port of a generated module in the sense of Verilog. (A Port is a link of a router.)
type Wire struct {
	Name    string
	Output  bool
	Lanes   int    // links, deliveries or nodes side by side, the first lowest
	Bits    int    // of a lane
	Vector  bool   // it has a range, also if that is a single bit
	Option  Option // that brings it
	Network Place  // what the network connects the port of a router to
	Field   string // field of the body of a message that the port carries; empty if none
	Meaning string // comment behind its declaration; empty if its name is enough

	ofNetwork string // Meaning of the wire of the network
}

// Width is the width of all lanes.
func (w Wire) Width() int { return w.Lanes * w.Bits }

// NetworkName is the name of the port of the network for this port of all routers.
func (w Wire) NetworkName() string { return strings.Replace(w.Name, "_local", "", 1) }

// Option is an attribute of the configuration that brings ports.
type Option string

// Options that bring ports. Always stands for ports that every machine has.
const (
	Always             Option = ""
	OptionProgrammable Option = "programmable"
	OptionSourceID     Option = "source_id"
	OptionDestination  Option = "destination"
	OptionLast         Option = "last"
	OptionScope        Option = "deliver_destination"
	OptionBarrier      Option = "barrier"
	OptionNodeErrors   Option = "node_errors"
)

// options has a row for each option: whether a machine has it, in the order in which proofs declare their wires.
var options = []struct {
	option Option
	of     func(*Plan) bool
}{
	{OptionProgrammable, func(p *Plan) bool { return p.Programmable != nil }},
	{OptionSourceID, func(p *Plan) bool { return p.SourceBits > 0 }},
	{OptionLast, func(p *Plan) bool { return p.LastBits > 0 }},
	{OptionScope, func(p *Plan) bool { return p.ScopeBits > 0 }},
	{OptionDestination, func(p *Plan) bool { return p.Destination != nil }},
	{OptionBarrier, func(p *Plan) bool { return p.Machine.Barrier }},
	{OptionNodeErrors, func(p *Plan) bool { return p.Machine.NodeErrors }},
	{Always, func(*Plan) bool { return true }},
}

// Order is the place of the option in the order in which proofs declare their wires. It panics for an option that
// has no row in the table.
func (o Option) Order() int {
	for i, row := range options {
		if row.option == o {
			return i
		}
	}
	panic(fmt.Sprintf("option %q is not in the table of options", o))
}

// has reports whether the machine has an option.
func (p *Plan) has(o Option) bool { return options[o.Order()].of(p) }

// Place is what the network connects a port of its routers to.
type Place int

// Places of the ports of routers in a network.
const (
	Inside   Place = iota // wires inside
	Constant              // a constant, which follows from the address of the node
	Shared                // a port of the network, the same for all routers
	PerNode               // a port of the network with the ports of all routers, node 0 lowest
	Any                   // a port of the network that is the OR of the ports of all routers
)

const (
	in, out = false, true

	flag = 0 // bits of a wire that is no number: a single flag is declared without a range
)

// lanes is the number of wires of a port side by side. A vector is declared with a range, even with a single lane.
type lanes struct {
	count  int
	vector bool
}

// row is a port of the router in the table, and its connection in the network.
type row struct {
	name    string
	output  bool
	lanes   lanes
	bits    int // of a lane, or flag
	option  Option
	network Place
	field   string

	ofRouter, ofNetwork string // comments
}

// rows is the table of ports, of all options, in the order of declaration.
func (p *Plan) rows() []row {
	single, links, deliveries := lanes{1, false}, lanes{p.RouterPorts, true}, lanes{p.Deliveries, p.PerPort()}
	destination, untilConfigured, ofTheMachine := Destination{}, "", ""
	if p.Destination != nil {
		destination = *p.Destination
	}
	table := []row{
		{"clk", in, single, flag, Always, Shared, "", "", ""},
		{"rst", in, single, flag, Always, Shared, "", "synchronous, active high", "synchronous, active high"},
	}
	if p.Programmable != nil {
		untilConfigured, ofTheMachine = ", 0 until configured", " of the machine"
		for _, w := range buses[p.Programmable.Bus] {
			table = append(table, row{w.name, w.output, single, w.bits, OptionProgrammable, Shared, "", "", ""})
		}
	}
	return append(table, []row{
		// name, direction, lanes, bits, option, in the network, field, comment in the router and in the network
		{"configured", out, single, flag, OptionProgrammable, Shared, "", "configured: the router accepts messages", "configured: the routers accept messages"},
		{"illegal", out, single, flag, OptionProgrammable, Shared, "",
			"the configured machine is illegal: the router accepts no messages", "the configured machine is illegal: the routers accept no messages"},
		{"idle", out, single, flag, OptionProgrammable, Inside, "", "the router accepts no messages and holds none", ""},
		{"drained", in, single, flag, OptionProgrammable, Inside, "", "the AND of idle of all routers of the machine", ""},
		{"node_id", in, single, p.SourceBits, OptionSourceID, Constant, FieldSource, "address of this node, constant", ""},
		{"node_digits", in, single, destination.DigitsBits, OptionDestination, Constant, "", "digits of the address of this node, dimension 1 lowest, constant", ""},

		{"s_axis_link_tvalid", in, links, flag, Always, Inside, "", "", ""},
		{"s_axis_link_tready", out, links, flag, Always, Inside, "", "", ""},
		{"s_axis_link_tdata", in, links, p.LinkBits, Always, Inside, "", "", ""},
		{"m_axis_link_tvalid", out, links, flag, Always, Inside, "", "", ""},
		{"m_axis_link_tready", in, links, flag, Always, Inside, "", "", ""},
		{"m_axis_link_tdata", out, links, p.LinkBits, Always, Inside, "", "", ""},

		{"s_axis_local_tvalid", in, single, flag, Always, PerNode, "", "", "node n offers a message"},
		{"s_axis_local_tready", out, single, flag, Always, PerNode, "", "", "the router accepts the message of node n"},
		{"s_axis_local_tdata", in, single, p.PayloadBits, Always, PerNode, FieldPayload, "", "payload from node n"},
		{"s_axis_local_tdest", in, single, destination.TDestBits, OptionDestination, PerNode, "", "", "destination: digit and flag of each dimension"},
		{"s_axis_local_tlast", in, single, flag, OptionLast, PerNode, FieldLast, "", "last message of a packet"},
		{"m_axis_local_tvalid", out, deliveries, flag, Always, PerNode, "", "", "the router offers a message to node n"},
		{"m_axis_local_tready", in, deliveries, flag, Always, PerNode, "", "", "node n accepts it"},
		{"m_axis_local_tdata", out, deliveries, p.PayloadBits, Always, PerNode, FieldPayload, "", "payload for node n"},
		{"m_axis_local_tid", out, deliveries, p.SourceBits, OptionSourceID, PerNode, FieldSource, "number of the source node", "number of the source node"},
		{"m_axis_local_tdest", out, deliveries, p.ScopeBits, OptionScope, PerNode, FieldScope,
			"dimensions in which the destination is all, dimension 1 lowest", "dimensions in which the destination is all, dimension 1 lowest"},
		{"m_axis_local_tlast", out, deliveries, flag, OptionLast, PerNode, FieldLast, "", "last message of a packet"},

		{"pace", out, single, PaceBits, Always, Inside, "", "clock for fair turns of this node, modulo 4" + untilConfigured, ""},
		{"link_pace", in, links, PaceBits, Always, Inside, "", "pace of the neighbour on each port" + ofTheMachine, ""},
		{"barrier_arrive", in, single, flag, OptionBarrier, PerNode, "",
			"this node has arrived; stays high until it is released", "node n has arrived; stays high until it is released"},
		{"barrier_release", out, single, flag, OptionBarrier, PerNode, "", "1 for one cycle when all nodes have arrived", "1 for one cycle when all nodes have arrived"},
		{"barrier_pace", out, single, PaceBits, OptionBarrier, Inside, "", "clock for the barrier of this node, modulo 4", ""},
		{"link_barrier_pace", in, links, PaceBits, OptionBarrier, Inside, "", "barrier_pace of the neighbour on each port", ""},

		{"destination_error", out, single, flag, OptionDestination, Any, "",
			"1 for one cycle for each message dropped at the local input", "a router dropped a message of its node"},
		{"header_error", out, links, flag, Always, Any, "", "1 for one cycle for each malformed message dropped on the link", "a router dropped a malformed message"},
	}...)
}

// busWire is a port of a configuration bus.
type busWire struct {
	name   string
	output bool
	bits   int // or flag
}

// buses lists the ports of each configuration bus, in the order of its bridge in the library.
var buses = map[string][]busWire{
	machine.Wishbone: {
		{"wb_cyc_i", in, flag}, {"wb_stb_i", in, flag}, {"wb_we_i", in, flag}, {"wb_adr_i", in, registers.AddressBits},
		{"wb_dat_i", in, 32}, {"wb_sel_i", in, 4},
		{"wb_dat_o", out, 32}, {"wb_ack_o", out, flag}, {"wb_err_o", out, flag},
	},
	machine.AXI4Lite: {
		{"s_axi_awvalid", in, flag}, {"s_axi_awready", out, flag}, {"s_axi_awaddr", in, registers.AddressBits}, {"s_axi_awprot", in, 3},
		{"s_axi_wvalid", in, flag}, {"s_axi_wready", out, flag}, {"s_axi_wdata", in, 32}, {"s_axi_wstrb", in, 4},
		{"s_axi_bvalid", out, flag}, {"s_axi_bready", in, flag}, {"s_axi_bresp", out, 2},
		{"s_axi_arvalid", in, flag}, {"s_axi_arready", out, flag}, {"s_axi_araddr", in, registers.AddressBits}, {"s_axi_arprot", in, 3},
		{"s_axi_rvalid", out, flag}, {"s_axi_rready", in, flag}, {"s_axi_rdata", out, 32}, {"s_axi_rresp", out, 2},
	},
}

// BusWires lists the ports of the configuration bus of a programmable router.
func (p *Plan) BusWires() []Wire {
	return p.RouterWires()[2:][:len(buses[p.Programmable.Bus])] // behind clk and rst
}

// RouterWires lists the ports of the router in the order of their declaration.
func (p *Plan) RouterWires() (list []Wire) {
	for _, r := range p.rows() {
		if p.has(r.option) {
			list = append(list, Wire{
				Name: r.name, Output: r.output, Lanes: r.lanes.count, Bits: max(r.bits, 1), Vector: r.lanes.vector || r.bits != flag,
				Option: r.option, Network: r.network, Field: r.field, Meaning: r.ofRouter, ofNetwork: r.ofNetwork,
			})
		}
	}
	return list
}

// NetworkWires lists the ports of the network in the order of their declaration.
func (p *Plan) NetworkWires() (list []Wire) {
	for _, w := range p.RouterWires() {
		w.Meaning = w.ofNetwork
		switch w.Network {
		case Inside, Constant:
			continue
		case PerNode:
			w.Meaning = w.perNode() + ": " + w.Meaning
			w.Name, w.Lanes, w.Vector = w.NetworkName(), p.Nodes*w.Lanes, true
		case Any:
			w.Lanes, w.Vector = 1, false
			if p.has(OptionNodeErrors) {
				list = append(list, w.ofNodes(p.Nodes))
			}
		case Shared: // as it is
		}
		list = append(list, w)
	}
	return list
}

// ofNodes is the port of the network with the errors of each node, in addition to their OR w.
func (w Wire) ofNodes(nodes int) Wire {
	w.Name, w.Lanes, w.Vector, w.Option, w.Network = "node_"+w.Name, nodes, true, OptionNodeErrors, PerNode
	w.Meaning = "[n]: " + strings.Replace(w.Meaning, "a router", "router n", 1)
	return w
}

// perNode is the slice of the port of the network that belongs to node n, or to its port p, if w is the port of
// the router.
func (w Wire) perNode() string {
	lane := "n"
	if w.Lanes > 1 {
		lane = fmt.Sprintf("%d*n+p", w.Lanes)
	}
	switch {
	case w.Bits == 1:
		return "[" + lane + "]"
	case w.Lanes > 1:
		lane = "(" + lane + ")"
	}
	return fmt.Sprintf("[%d*%s+:%d]", w.Bits, lane, w.Bits)
}

// Carriers are the ports of the router by which a field of the body comes from the node, and
// goes to it.
func (p *Plan) Carriers(field string) (input, output Wire) {
	for _, w := range p.RouterWires() {
		switch {
		case w.Field != field:
		case w.Output:
			output = w
		default:
			input = w
		}
	}
	return input, output
}
