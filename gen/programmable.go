// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/plan/registers"
)

const roleRegisters = "registers"

// programmableModules lists the hand-written modules a programmable router of the plan is
// made of, used modules before their users.
func programmableModules(p *plan.Plan) []string {
	// With destinations Yosys needs hc_pace for the router with default parameters, which it reads, too.
	modules := []string{"hc_tree_arbiter", "hc_output", "hc_pace", "hc_local_input"}
	if p.Destination != nil {
		modules = append(modules, "hc_destination_pace", "hc_spread",
			"hc_programmable_field", "hc_destination_copier", "hc_programmable_local", "hc_programmable_entry", "hc_ring_record")
	}
	return append(modules, "hc_delivery",
		"hc_node_count", "hc_weight", "hc_weight_engine", "hc_config_registers", "hc_configuration",
		"hc_wc_step", "hc_programmable_injection", "hc_programmable_input", "hc_programmable_inputs",
		"hc_programmable_group", "hc_programmable_groups", "hc_programmable_port",
		"hc_ring_masks", "hc_ring_mark", "hc_ring_arbiter", "hc_ring_gather", "hc_ring_scatter", "hc_programmable_crossbar",
		"hc_router_programmable", "hc_"+p.Programmable.Bus,
	)
}

// registerFiles describes the registers of a programmable router for those who write
// its configuration.
func registerFiles(p *plan.Plan) []output.File {
	if p.Programmable == nil {
		return nil
	}
	var files []output.File
	for _, f := range []struct{ name, content string }{
		{"hc_registers.h", registers.C()},
		{"hc_registers.vh", registers.Verilog()},
		{"hc_registers.md", registers.Markdown()},
		{"hc_registers.json", registers.JSON()},
	} {
		files = append(files, output.File{Path: "registers/" + f.name, Role: roleRegisters, Content: text(f.content)})
	}
	return files
}

// wire is a port of the configuration bus.
type wire struct {
	Name   string
	Output bool
	Bits   int
}

// buses lists the ports of each configuration bus, as its bridge in the library has them.
var buses = map[string][]wire{
	machine.Wishbone: {
		{"wb_cyc_i", false, 1}, {"wb_stb_i", false, 1}, {"wb_we_i", false, 1}, {"wb_adr_i", false, registers.AddressBits},
		{"wb_dat_i", false, 32}, {"wb_sel_i", false, 4},
		{"wb_dat_o", true, 32}, {"wb_ack_o", true, 1}, {"wb_err_o", true, 1},
	},
	machine.AXI4Lite: {
		{"s_axi_awvalid", false, 1}, {"s_axi_awready", true, 1}, {"s_axi_awaddr", false, registers.AddressBits}, {"s_axi_awprot", false, 3},
		{"s_axi_wvalid", false, 1}, {"s_axi_wready", true, 1}, {"s_axi_wdata", false, 32}, {"s_axi_wstrb", false, 4},
		{"s_axi_bvalid", true, 1}, {"s_axi_bready", false, 1}, {"s_axi_bresp", true, 2},
		{"s_axi_arvalid", false, 1}, {"s_axi_arready", true, 1}, {"s_axi_araddr", false, registers.AddressBits}, {"s_axi_arprot", false, 3},
		{"s_axi_rvalid", true, 1}, {"s_axi_rready", false, 1}, {"s_axi_rdata", true, 32}, {"s_axi_rresp", true, 2},
	},
}

// programmablePorts lists the ports that a programmable router has besides those of a
// specialized one.
func programmablePorts(p *plan.Plan) []wire {
	return append(slices.Clone(buses[p.Programmable.Bus]),
		wire{"configured", true, 1}, wire{"illegal", true, 1}, wire{"idle", true, 1}, wire{"drained", false, 1})
}

// busNames are how people call the buses.
var busNames = map[string]string{machine.Wishbone: "Wishbone B4 classic", machine.AXI4Lite: "AXI4-Lite"}

// programmableView is everything the template of a programmable router prints.
type programmableView struct {
	*plan.Plan
	Header, BusName, Bridge string
	Bus                     []wire
	PaceBits                int
	LocalBody, DeliveryBody []string // the fields of the body, lowest first

	DestinationBits       int    // of spread and route; 0 without destinations
	TDestBits, DigitsBits int    // 1 without destinations
	TDest, NodeDigits     string // what the library module gets; zeros without destinations
}

func newProgrammableView(p *plan.Plan) *programmableView {
	v := &programmableView{
		Plan: p, Header: p.Notice("//"),
		BusName: busNames[p.Programmable.Bus], Bridge: "hc_" + p.Programmable.Bus, Bus: buses[p.Programmable.Bus],
		PaceBits: plan.PaceBits,
	}
	v.TDestBits, v.DigitsBits, v.TDest, v.NodeDigits = 1, 1, sized(1, 0), sized(1, 0)
	if d := p.Destination; d != nil {
		v.DestinationBits, v.TDestBits, v.DigitsBits = 1+d.RouteBits, d.TDestBits, d.DigitsBits
		v.TDest, v.NodeDigits = "s_axis_local_tdest", "node_digits"
	}
	for _, f := range slices.Backward(p.BodyFields()) {
		v.LocalBody = append(v.LocalBody, localPorts[f.Name].Input)
		v.DeliveryBody = append(v.DeliveryBody, localPorts[f.Name].Output)
	}
	return v
}

// programmableNetworkView is everything the template of a network of programmable
// routers prints.
type programmableNetworkView struct {
	*networkView
	BusName    string
	Bus        []wire
	Answers    []string // the outputs of the network that router 0 answers, lowest first
	AnswerBits int      // of what a router answers on the bus and tells of itself; that of router 0 is lowest
	Others     part     // the answers of all other routers
	Routers    []programmableNode
	Unused     int // ports of a router that the machine does not have
}

// programmableNode is a node and what its router is connected to: items of a concatenation, lowest
// first.
type programmableNode struct {
	nodeView
	Bus                                                                      []connection
	Configured, Illegal                                                      part // of the answers
	InValid, InReady, InData, PacesIn, OutValid, OutReady, OutData, OutError []string
}

func newProgrammableNetworkView(p *plan.Plan) *programmableNetworkView {
	bus := buses[p.Programmable.Bus]
	v := &programmableNetworkView{
		networkView: newNetworkView(p),
		BusName:     busNames[p.Programmable.Bus],
		Bus:         bus,
		Answers:     []string{"illegal", "configured"},
		AnswerBits:  2,
		Unused:      p.RouterPorts - p.Degree,
	}
	for _, w := range bus {
		if w.Output {
			v.Answers = append(v.Answers, w.Name)
			v.AnswerBits += w.Bits
		}
	}
	v.Others = part{v.AnswerBits, (p.Nodes - 1) * v.AnswerBits}
	for _, node := range v.NodeList {
		v.Routers = append(v.Routers, v.newNode(node))
	}
	return v
}

func (v *programmableNetworkView) newNode(node nodeView) programmableNode {
	n, unused := node.Index, v.Unused
	at := n * v.AnswerBits
	answer := func(bits int) part {
		at += bits
		return part{at - bits, bits}
	}
	r := programmableNode{nodeView: node, Illegal: answer(1), Configured: answer(1)}
	for _, w := range v.Bus {
		value := w.Name
		if w.Output {
			value = "answers" + answer(w.Bits).slice()
		}
		r.Bus = append(r.Bus, connection{w.Name, value})
	}
	r.InValid, r.InReady = parts("link_tvalid", node.InFlags), parts("link_tready", node.InFlags)
	r.InData, r.PacesIn = parts("link_tdata", node.InData), parts("pace", node.InPace)
	flags, data := lane(n, v.Degree), lane(n, v.Degree, v.LinkBits)
	r.OutValid, r.OutReady = []string{"link_tvalid" + flags}, []string{"link_tready" + flags}
	r.OutData, r.OutError = []string{"link_tdata" + data}, []string{"link_error" + flags}
	if unused > 0 {
		flags, data := lane(n, unused), lane(n, unused, v.LinkBits)
		for _, c := range []struct {
			list *[]string
			item string
		}{
			{&r.InValid, sized(unused, 0)}, {&r.InReady, "unused_in_tready" + flags},
			{&r.InData, fmt.Sprintf("{%d{1'b0}}", unused*v.LinkBits)}, {&r.PacesIn, sized(unused*plan.PaceBits, 0)},
			{&r.OutValid, "unused_tvalid" + flags}, {&r.OutReady, fmt.Sprintf("{%d{1'b1}}", unused)},
			{&r.OutData, "unused_tdata" + data}, {&r.OutError, "unused_error" + flags},
		} {
			*c.list = append(*c.list, c.item)
		}
	}
	return r
}

// program adds what the benches have to know of a programmable router.
func (v *benchView) program(p *plan.Programmable) {
	v.Bus = strings.ToUpper(p.Bus)
	var writes []string
	for _, w := range p.Writes {
		writes = append(writes, fmt.Sprintf("{0x%02x, 0x%08x}", w.Address, w.Value))
	}
	v.Writes = strings.Join(writes, ", ")
	for _, r := range p.Reads {
		v.Reads = append(v.Reads, fmt.Sprintf(`{"%s", 0x%02x, 0x%08x}`, r.Register, r.Address, r.Value))
	}
	for _, r := range p.Counters {
		v.Counters = append(v.Counters, fmt.Sprintf(`{"%s", 0x%02x, 0}`, r.Register, r.Address))
	}
}
