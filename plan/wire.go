// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan/registers"
)

// Wire is a port of a generated module in the sense of Verilog: of a router or its network, or of a node of a collective
// network or that network. (A Port is a link of a router.)
type Wire struct {
	Name    string
	Output  bool
	Lanes   int    // links, deliveries or nodes side by side, the first lowest
	Bits    int    // of a lane
	Vector  bool   // it has a range, also if that is a single bit
	Links   bool   // a port of a router with a lane for each of its links
	Option  Option // that brings it
	Network Place  // what the network connects the port of a router or node to
	Columns
}

// Columns are what other parts of the output need to know about a port.
type Columns struct {
	Stream, Signal string // AXI4-Stream that the port belongs to, and its signal there; else empty
	Field          string // of the body of a message that the port carries; else empty
	Words          bool   // a lane is a word, whose width is the parameter WIDTH of the module: Bits is the default
	Inner          string // of the network: the port for PerNode, or the wire inside; empty if it has the name of the port, or is a link
	Proof          string // wire of proofs; empty if it has the name of the port
	Core           bool   // templates of networks and proofs declare its wires by hand; those of all other ports follow from the table
	Unused         string // wire of a network for the links that its programmable routers have and the machine does not
	Role           Role   // in benches
	Hidden         bool   // views of waves do not show it
	Meaning        string // comment behind its declaration; empty if its name is enough

	ofNetwork string // Meaning of the port of the network
}

// Streams of a router. The local ones are streams of the network without local in their names.
const (
	LinkIn   = "s_axis_link"
	LinkOut  = "m_axis_link"
	LocalIn  = "s_axis_local"
	LocalOut = "m_axis_local"
)

// Role is what a bench does with a port: what it drives an input with, or what it uses an output for.
type Role int

// Roles of ports in benches. Inputs without a role are 0.
const (
	NoRole     Role = iota
	Clock           // clk and rst, which every module has
	Traffic         // messages pass
	Ones            // an input that is always 1, in all bits
	ToAll           // an input with destinations: those of broadcasts
	Present         // an input that is 1 if the node takes part in what the option is for
	Start           // an input that starts an operation of a collective network
	Operation       // an input with the number of the operation to start
	Strobe          // an input of a configuration bus: 1 in a write
	Address         // an input with the address of a write
	Data            // an input with the data of a write
	Done            // an output that ends a write
	Configured      // an output: messages can be sent
	Released        // an output: all nodes have arrived at the barrier
)

// IsClock reports whether the port is clk or rst.
func (w Wire) IsClock() bool { return w.Role == Clock }

// Constant reports whether a router has the same value in all cycles.
func (w Wire) Constant() bool { return w.Network == Constant }

// Width is the width of all lanes.
func (w Wire) Width() int { return w.Lanes * w.Bits }

// WithWords is the port of a module whose words have this width.
func (w Wire) WithWords(bits int) Wire {
	if w.Words {
		w.Words, w.Bits = false, bits
	}
	return w
}

// NetworkName is the name of the port of the network for this port of all routers.
func (w Wire) NetworkName() string {
	if w.Network == PerNode {
		return w.Inside()
	}
	return w.Name
}

// Inside is the name of what the network connects the port to.
func (w Wire) Inside() string { return cmp.Or(w.Inner, w.Name) }

// InProof is the name of the wire that a proof connects the port to.
func (w Wire) InProof() string { return cmp.Or(w.Proof, w.Name) }

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

// options has a row for each option: whether a machine has it, in the order in which proofs declare their wires; and the
// place of its ports in the registers of pin wrappers, on which placement depends.
var options = []struct {
	option Option
	of     func(*Plan) bool
	pins   int
}{
	{OptionProgrammable, func(p *Plan) bool { return p.Programmable != nil }, pinsFirst},
	{OptionSourceID, func(p *Plan) bool { return p.SourceBits > 0 }, pinsLast},
	{OptionLast, func(p *Plan) bool { return p.LastBits > 0 }, 4},
	{OptionScope, func(p *Plan) bool { return p.ScopeBits > 0 }, 4},
	{OptionDestination, func(p *Plan) bool { return p.Destination != nil }, 3},
	{OptionBarrier, func(p *Plan) bool { return p.Machine.Barrier }, 5},
	{OptionNodeErrors, func(p *Plan) bool { return p.Machine.NodeErrors }, pinsLast},
	{Always, func(*Plan) bool { return true }, pinsLast},
}

// Places in pin wrappers.
const (
	pinsOfClock = iota
	pinsFirst
	pinsOfConstants
	pinsLast = 6
)

// Options lists the options that bring ports, and Always.
func Options() (list []Option) {
	for _, row := range options {
		list = append(list, row.option)
	}
	return list
}

// order is the place of the option in the table. It panics for an option that has no row.
func (o Option) order() int {
	for i, row := range options {
		if row.option == o {
			return i
		}
	}
	panic(fmt.Sprintf("option %q is not in the table of options", o))
}

// Has reports whether the machine has an option.
func (p *Plan) Has(o Option) bool { return options[o.order()].of(p) }

// InProofOrder sorts the ports of a router in the order in which proofs declare their wires: clk, rst, and the ports of
// options.
func InProofOrder(wires []Wire) []Wire {
	return sorted(wires, func(w Wire) int {
		if w.IsClock() {
			return -1
		}
		return w.Option.order()
	})
}

// InPinOrder sorts the ports of a module in their order in the registers of pin wrappers: clk, rst, and the ports of options.
func InPinOrder(wires []Wire) []Wire {
	return sorted(wires, func(w Wire) int {
		switch pins := options[w.Option.order()].pins; {
		case w.IsClock():
			return pinsOfClock
		case w.Constant():
			return pinsOfConstants
		default:
			return pins
		}
	})
}

func sorted(wires []Wire, place func(Wire) int) []Wire {
	list := slices.Clone(wires)
	slices.SortStableFunc(list, func(a, b Wire) int { return cmp.Compare(place(a), place(b)) })
	return list
}

// Place is what the network connects a port of its routers or nodes to.
type Place int

// Places of the ports in a network.
const (
	Near     Place = iota // a wire inside, of the node: of each of its links, if the port has a lane for each
	FarLink               // the wire inside of the other end of each link
	FarNode               // the wire inside of the node at the other end of each link
	Common                // a wire inside that all routers share
	Constant              // a constant, which follows from the address of the node
	Shared                // a port of the network: an input of all nodes, or an output of node 0
	PerNode               // a port of the network with the ports of all nodes, node 0 lowest
	Any                   // a port of the network that is the OR of the ports of all routers, which are a wire inside
	Derived               // a port of the network alone, which is another wire inside
)

const (
	in, out = false, true

	flag = 0 // bits of a wire that is no number: a single flag is declared without a range
)

// lanes is the number of wires of a port side by side. A vector is declared with a range, even with a single lane.
type lanes struct {
	count  int
	vector bool
	links  bool
}

// row is a port of the router in the table, and its connection in the network.
type row struct {
	name    string
	output  bool
	lanes   lanes
	bits    int // of a lane, or flag
	option  Option
	network Place
	Columns
}

// rows is the table of ports, of all options, in the order of declaration.
func (p *Plan) rows() []row {
	single, links, deliveries := lanes{count: 1}, lanes{p.RouterPorts, true, true}, lanes{p.Deliveries, p.PerPort(), false}
	destination, untilConfigured, ofTheMachine := Destination{}, "", ""
	if p.Destination != nil {
		destination = *p.Destination
	}
	reset := "synchronous, active high"
	table := []row{
		{"clk", in, single, flag, Always, Shared, Columns{Role: Clock, Core: true, Hidden: true}},
		{"rst", in, single, flag, Always, Shared, Columns{Role: Clock, Core: true, Hidden: true, Meaning: reset, ofNetwork: reset}},
	}
	if p.Programmable != nil {
		untilConfigured, ofTheMachine = ", 0 until configured", " of the machine"
		for _, w := range busOf(p.Programmable.Bus, registers.AddressBits) {
			table = append(table, row{w.name, w.output, single, w.bits, OptionProgrammable, Shared, Columns{Role: w.role, Hidden: true}})
		}
	}
	const (
		ofSource  = "number of the source node"
		ofScope   = "dimensions in which the destination is all, dimension 1 lowest"
		ofLast    = "last message of a packet"
		ofRelease = "1 for one cycle when all nodes have arrived"
	)
	return append(table, []row{
		// name, direction, lanes, bits, option, in the network, other columns
		{"configured", out, single, flag, OptionProgrammable, Shared, Columns{Role: Configured, Hidden: true,
			Meaning: "configured: the router accepts messages", ofNetwork: "configured: the routers accept messages"}},
		{"illegal", out, single, flag, OptionProgrammable, Shared, Columns{Hidden: true,
			Meaning: "the configured machine is illegal: the router accepts no messages", ofNetwork: "the configured machine is illegal: the routers accept no messages"}},
		{"idle", out, single, flag, OptionProgrammable, Near, Columns{Core: true, Hidden: true, Meaning: "the router accepts no messages and holds none"}},
		{"drained", in, single, flag, OptionProgrammable, Common, Columns{Core: true, Hidden: true, Meaning: "the AND of idle of all routers of the machine"}},
		{"node_id", in, single, p.SourceBits, OptionSourceID, Constant, Columns{Field: FieldSource, Hidden: true, Meaning: "address of this node, constant"}},
		{"node_digits", in, single, destination.DigitsBits, OptionDestination, Constant, Columns{Hidden: true,
			Meaning: "digits of the address of this node, dimension 1 lowest, constant"}},

		{"s_axis_link_tvalid", in, links, flag, Always, FarLink, Columns{Stream: LinkIn, Signal: "tvalid", Proof: "s_valid", Core: true}},
		{"s_axis_link_tready", out, links, flag, Always, FarLink, Columns{Stream: LinkIn, Signal: "tready", Proof: "s_ready", Core: true, Unused: "unused_in_tready"}},
		{"s_axis_link_tdata", in, links, p.LinkBits, Always, FarLink, Columns{Stream: LinkIn, Signal: "tdata", Proof: "s_data", Core: true}},
		{"m_axis_link_tvalid", out, links, flag, Always, Near, Columns{Stream: LinkOut, Signal: "tvalid", Proof: "link_valid", Core: true, Unused: "unused_tvalid"}},
		{"m_axis_link_tready", in, links, flag, Always, Near, Columns{Stream: LinkOut, Signal: "tready", Proof: "link_ready", Core: true, Role: Ones}},
		{"m_axis_link_tdata", out, links, p.LinkBits, Always, Near, Columns{Stream: LinkOut, Signal: "tdata", Proof: "link_data", Core: true, Unused: "unused_tdata"}},

		{"s_axis_local_tvalid", in, single, flag, Always, PerNode, Columns{Stream: LocalIn, Signal: "tvalid", Inner: "s_axis_tvalid", Proof: "local_valid", Core: true,
			Role: Traffic, ofNetwork: "node n offers a message"}},
		{"s_axis_local_tready", out, single, flag, Always, PerNode, Columns{Stream: LocalIn, Signal: "tready", Inner: "s_axis_tready", Proof: "local_ready", Core: true,
			Role: Traffic, ofNetwork: "the router accepts the message of node n"}},
		{"s_axis_local_tdata", in, single, p.PayloadBits, Always, PerNode, Columns{Stream: LocalIn, Signal: "tdata", Field: FieldPayload, Inner: "s_axis_tdata", Proof: "local_payload", Core: true,
			Role: Traffic, ofNetwork: "payload from node n"}},
		{"s_axis_local_tdest", in, single, destination.TDestBits, OptionDestination, PerNode, Columns{Stream: LocalIn, Signal: "tdest", Inner: "s_axis_tdest", Proof: "local_dest",
			Role: ToAll, ofNetwork: "destination: digit and flag of each dimension"}},
		{"s_axis_local_tlast", in, single, flag, OptionLast, PerNode, Columns{Stream: LocalIn, Signal: "tlast", Field: FieldLast, Inner: "s_axis_tlast", Proof: "local_last",
			Role: Ones, ofNetwork: ofLast}},
		{"m_axis_local_tvalid", out, deliveries, flag, Always, PerNode, Columns{Stream: LocalOut, Signal: "tvalid", Inner: "m_axis_tvalid", Proof: "delivery_valid", Core: true,
			Role: Traffic, ofNetwork: "the router offers a message to node n"}},
		{"m_axis_local_tready", in, deliveries, flag, Always, PerNode, Columns{Stream: LocalOut, Signal: "tready", Inner: "m_axis_tready", Proof: "delivery_ready", Core: true,
			Role: Traffic, ofNetwork: "node n accepts it"}},
		{"m_axis_local_tdata", out, deliveries, p.PayloadBits, Always, PerNode, Columns{Stream: LocalOut, Signal: "tdata", Field: FieldPayload, Inner: "m_axis_tdata", Proof: "delivery_payload", Core: true,
			Role: Traffic, ofNetwork: "payload for node n"}},
		{"m_axis_local_tid", out, deliveries, p.SourceBits, OptionSourceID, PerNode, Columns{Stream: LocalOut, Signal: "tid", Field: FieldSource, Inner: "m_axis_tid", Proof: "delivery_id",
			Meaning: ofSource, ofNetwork: ofSource}},
		{"m_axis_local_tdest", out, deliveries, p.ScopeBits, OptionScope, PerNode, Columns{Stream: LocalOut, Signal: "tdest", Field: FieldScope, Inner: "m_axis_tdest", Proof: "delivery_dest",
			Meaning: ofScope, ofNetwork: ofScope}},
		{"m_axis_local_tlast", out, deliveries, flag, OptionLast, PerNode, Columns{Stream: LocalOut, Signal: "tlast", Field: FieldLast, Inner: "m_axis_tlast", Proof: "delivery_last",
			ofNetwork: ofLast}},

		{"pace", out, single, p.PaceBits, Always, Near, Columns{Core: true, Meaning: fmt.Sprintf("clock for fair turns of this node, modulo %d", 1<<p.PaceBits) + untilConfigured}},
		{"link_pace", in, links, p.PaceBits, Always, FarNode, Columns{Inner: "pace", Core: true, Hidden: true, Meaning: "pace of the neighbour on each port" + ofTheMachine}},
		{"barrier_arrive", in, single, flag, OptionBarrier, PerNode, Columns{Role: Present,
			Meaning: "this node has arrived; stays high until it is released", ofNetwork: "node n has arrived; stays high until it is released"}},
		{"barrier_release", out, single, flag, OptionBarrier, PerNode, Columns{Role: Released, Meaning: ofRelease, ofNetwork: ofRelease}},
		{"barrier_pace", out, single, BarrierPaceBits, OptionBarrier, Near, Columns{Hidden: true, Meaning: "clock for the barrier of this node, modulo 4"}},
		{"link_barrier_pace", in, links, BarrierPaceBits, OptionBarrier, FarNode, Columns{Inner: "barrier_pace", Hidden: true, Meaning: "barrier_pace of the neighbour on each port"}},

		{"destination_error", out, single, flag, OptionDestination, Any, Columns{Inner: "destination_errors",
			Meaning: "1 for one cycle for each message dropped at the local input", ofNetwork: "a router dropped a message of its node"}},
		{"header_error", out, links, flag, Always, Any, Columns{Inner: "link_error", Core: true, Unused: "unused_error",
			Meaning: "1 for one cycle for each malformed message dropped on the link", ofNetwork: "a router dropped a malformed message"}},
	}...)
}

// busWire is a port of a bus.
type busWire struct {
	name   string
	output bool
	bits   int // or flag, or address
	role   Role
}

// address is the width of an address in the table of buses.
const address = -1

// busOf lists the ports of a bus whose addresses have this width.
func busOf(name string, addressBits int) []busWire {
	list := slices.Clone(buses[name])
	for i := range list {
		if list[i].bits == address {
			list[i].bits = addressBits
		}
	}
	return list
}

// buses lists the ports of each bus, in the order of its bridge in the library. The AXI4-Lite bridge accepts address and data of
// a write in one cycle.
var buses = map[string][]busWire{
	machine.Wishbone: {
		{"wb_cyc_i", in, flag, Strobe}, {"wb_stb_i", in, flag, Strobe}, {"wb_we_i", in, flag, Strobe}, {"wb_adr_i", in, address, Address},
		{"wb_dat_i", in, 32, Data}, {"wb_sel_i", in, 4, Ones},
		{"wb_dat_o", out, 32, NoRole}, {"wb_ack_o", out, flag, Done}, {"wb_err_o", out, flag, NoRole},
	},
	machine.AXI4Lite: {
		{"s_axi_awvalid", in, flag, Strobe}, {"s_axi_awready", out, flag, Done}, {"s_axi_awaddr", in, address, Address}, {"s_axi_awprot", in, 3, NoRole},
		{"s_axi_wvalid", in, flag, Strobe}, {"s_axi_wready", out, flag, NoRole}, {"s_axi_wdata", in, 32, Data}, {"s_axi_wstrb", in, 4, Ones},
		{"s_axi_bvalid", out, flag, NoRole}, {"s_axi_bready", in, flag, Ones}, {"s_axi_bresp", out, 2, NoRole},
		{"s_axi_arvalid", in, flag, NoRole}, {"s_axi_arready", out, flag, NoRole}, {"s_axi_araddr", in, address, NoRole}, {"s_axi_arprot", in, 3, NoRole},
		{"s_axi_rvalid", out, flag, NoRole}, {"s_axi_rready", in, flag, NoRole}, {"s_axi_rdata", out, 32, NoRole}, {"s_axi_rresp", out, 2, NoRole},
	},
}

// BusWires lists the ports of the configuration bus of a programmable router.
func (p *Plan) BusWires() []Wire {
	return p.RouterWires()[2:][:len(buses[p.Programmable.Bus])] // behind clk and rst
}

// RouterWires lists the ports of the router in the order of their declaration.
func (p *Plan) RouterWires() (list []Wire) {
	for _, r := range p.rows() {
		if p.Has(r.option) {
			list = append(list, Wire{
				Name: r.name, Output: r.output, Lanes: r.lanes.count, Bits: max(r.bits, 1), Vector: r.lanes.vector || r.bits != flag,
				Links: r.lanes.links, Option: r.option, Network: r.network, Columns: r.Columns,
			})
		}
	}
	return list
}

// OtherWires lists the ports that every router has and no template names.
func (p *Plan) OtherWires() []Wire {
	return slices.DeleteFunc(p.RouterWires(), func(w Wire) bool { return w.Core || w.Option != Always })
}

// RouterWire is a port of the router. It panics if there is none of this name.
func (p *Plan) RouterWire(name string) Wire {
	wires := p.RouterWires()
	return wires[slices.IndexFunc(wires, func(w Wire) bool { return w.Name == name })]
}

// NetworkWires lists the ports of the network in the order of their declaration.
func (p *Plan) NetworkWires() (list []Wire) {
	for _, router := range p.RouterWires() {
		for _, w := range p.outside(router, p.Nodes) {
			if w.Network == Any || w.Network == Shared {
				w.ofRegions(p)
			}
			list = append(list, w)
		}
		if p.Chips != nil && router.Name == "rst" {
			list = append(list,
				ofChips("restart", in, p.Chips.Count, "[c]: 1 in a cycle: start a new session, so that all chips are reset"),
				ofChips("reset", out, p.Chips.Count, "[c]: the nodes of chip c are in reset"),
				ofChips("up", out, p.Chips.Count, "[c]: all cables of chip c are up"))
		}
	}
	return list
}

// outside lists the ports of a module with a number of nodes that a port of their routers leads to; none if it is wired inside.
func (p *Plan) outside(w Wire, nodes int) (list []Wire) {
	w.Meaning = w.ofNetwork
	switch w.Network {
	case Near, FarLink, FarNode, Common, Constant:
		return nil
	case PerNode:
		w.Meaning = w.perNode() + ": " + w.Meaning
		w.Name, w.Lanes, w.Vector = w.NetworkName(), nodes*w.Lanes, true
	case Any:
		w.Lanes, w.Vector, w.Links = 1, false, false
		if p.Has(OptionNodeErrors) {
			list = append(list, w.ofNodes(nodes))
		}
	case Shared, Derived: // as it is
	}
	return append(list, w)
}

// ofChips is a port of a network of chips with a lane for each chip.
func ofChips(name string, output bool, chips int, meaning string) Wire {
	return Wire{Name: name, Output: output, Lanes: chips, Bits: 1, Vector: true, Network: Derived, Columns: Columns{Meaning: meaning}}
}

// ofRegions gives a port that all nodes share a lane for each region, if the nodes have several clocks.
func (w *Wire) ofRegions(p *Plan) {
	if !p.Machine.SeveralClocks() {
		return
	}
	region := "region c"
	if p.Chips != nil {
		region = "chip c"
	}
	w.Lanes, w.Vector = p.Regions(), true
	switch {
	case w.Name == "clk":
		w.Meaning = "[c]: clock of the nodes of " + region
	case w.IsClock():
		w.Meaning = "[c]: synchronous to clk[c], active high"
	default:
		w.Meaning = "[c]: " + strings.Replace(w.Meaning, "a router", "a router of "+region, 1)
	}
}

// ofNodes is the port of the network with the errors of each node, in addition to their OR w.
func (w Wire) ofNodes(nodes int) Wire {
	w.Name, w.Lanes, w.Vector, w.Option, w.Network, w.Core = "node_"+w.Name, nodes, true, OptionNodeErrors, PerNode, false
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
