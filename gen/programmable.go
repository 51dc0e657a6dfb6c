// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/registers"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

const roleRegisters = "registers"

// programmableModules lists the hand-written modules a programmable router of the plan is
// made of, used modules before their users.
func programmableModules(p *plan.Plan) []string {
	return []string{
		"hc_tree_arbiter", "hc_select", "hc_output", "hc_pace", "hc_local_input", "hc_delivery",
		"hc_node_count", "hc_weight", "hc_weight_engine", "hc_config_registers", "hc_configuration",
		"hc_programmable_input", "hc_programmable_group", "hc_programmable_port",
		"hc_ring_masks", "hc_ring_arbiter", "hc_ring_gather", "hc_ring_scatter", "hc_programmable_crossbar",
		"hc_router_programmable", "hc_" + p.Programmable.Bus,
	}
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

// busPort is a port of the bus as a template prints it.
type busPort struct {
	Name, Direction, Range string // padded
	Value                  string // in the network: what it is connected to at a router
}

// busPorts pads the ports of a bus to a number of columns.
func busPorts(bus string, columns int) []busPort {
	var list []busPort
	for _, w := range buses[bus] {
		b := busPort{Name: w.Name, Direction: "input  wire", Range: padded("", columns), Value: w.Name}
		if w.Output {
			b.Direction = "output wire"
		}
		if w.Bits > 1 {
			b.Range = padded(rangeOf(w.Bits), columns)
		}
		list = append(list, b)
	}
	return list
}

// programmableView is everything the template of a programmable router prints.
type programmableView struct {
	routerView
	*plan.Programmable
	BusName, Bridge string
	Bus             []busPort
	WriteLines      []string // what configures the machine of the description
	DeliveryBody    string
}

func newProgrammableView(p *plan.Plan) *programmableView {
	v := &programmableView{
		routerView:   *newRouterView(p),
		Programmable: p.Programmable,
		BusName:      busNames[p.Programmable.Bus],
		Bridge:       "hc_" + p.Programmable.Bus,
		DeliveryBody: "m_axis_local_tdata",
	}
	links := rangeOf(p.RouterPorts * p.LinkBits)
	columns := max(len(links), len(rangeOf(32))) + 1
	v.Pad = padded("", columns)
	v.LinksRange = padded(links, columns)
	v.PortRange = padded(rangeOf(p.RouterPorts), columns)
	v.PayloadRange = padded(rangeOf(p.PayloadBits), columns)
	v.PaceRange = padded(rangeOf(plan.PaceBits), columns)
	v.PacesRange = padded(rangeOf(plan.PaceBits*p.RouterPorts), columns)
	if v.SourceID {
		v.SourceRange = padded(rangeOf(p.SourceBits), columns)
		v.DeliveryBody = "{m_axis_local_tid, m_axis_local_tdata}"
	}
	v.Bus = busPorts(p.Programmable.Bus, columns)
	for _, w := range p.Programmable.Writes {
		v.WriteLines = append(v.WriteLines, fmt.Sprintf("  0x%02x <= 0x%08x  %s", w.Address, w.Value, w.Register))
	}
	return v
}

// programmableNetworkView is everything the template of a network of programmable
// routers prints.
type programmableNetworkView struct {
	*networkView
	BusName      string
	Bus          []busPort
	AnswerRange  string // of what the routers answer on the bus and tell of themselves, those of router 0 lowest
	Answers      string // the outputs of the network that router 0 answers, lowest last
	AnswerTop    int    // highest bit of its answer
	IdleRange    string
	OthersAnswer string // the slice of all others
	Routers      []programmableNode
	Unused       int // ports of a router that the machine does not have
	UnusedFlags  string
	UnusedData   string
}

type programmableNode struct {
	nodeView
	Bus                 []busPort
	Configured, Illegal string
	OutValid, OutReady  string
	OutData, OutError   string
}

func newProgrammableNetworkView(p *plan.Plan) *programmableNetworkView {
	unused := p.RouterPorts - p.Degree
	v := &programmableNetworkView{
		networkView: newNetworkView(p),
		BusName:     busNames[p.Programmable.Bus],
		Unused:      unused,
		UnusedFlags: rangeOf(p.Nodes * unused),
		UnusedData:  rangeOf(p.Nodes * unused * p.LinkBits),
	}
	columns := max(len(v.Pad), len(rangeOf(32))+1)
	for _, s := range []*string{&v.Pad, &v.NodesRange, &v.PayloadsRange, &v.SourcesRange} {
		*s = padded(*s, columns)
	}
	v.Bus = busPorts(p.Programmable.Bus, columns)

	// the answers of a router in one vector: the outputs of its bus, configured, illegal
	names := []string{"illegal", "configured"}
	answer := 2
	for _, w := range buses[p.Programmable.Bus] {
		if w.Output {
			names = append(names, w.Name)
			answer += w.Bits
		}
	}
	v.Answers = concat(names)
	v.AnswerTop = answer - 1
	v.AnswerRange = rangeOf(p.Nodes * answer)
	v.IdleRange = rangeOf(p.Nodes)
	v.OthersAnswer = slice(answer, (p.Nodes-1)*answer)
	for n, node := range v.NodeList {
		at := n * answer
		take := func(bits int) string {
			at += bits
			return "answers" + slice(at-bits, bits)
		}
		r := programmableNode{nodeView: node, Bus: busPorts(p.Programmable.Bus, columns)}
		r.Illegal, r.Configured = take(1), take(1)
		for i, w := range buses[p.Programmable.Bus] {
			if w.Output {
				r.Bus[i].Value = take(w.Bits)
			}
		}
		r.OutValid, r.OutReady = "link_tvalid"+node.Flags, "link_tready"+node.Flags
		r.OutData, r.OutError = "link_tdata"+node.Links, "link_error"+node.Flags
		if unused > 0 {
			flags, links := slice(n*unused, unused), slice(n*unused*p.LinkBits, unused*p.LinkBits)
			r.InValid = above(fmt.Sprintf("%d'd0", unused), r.InValid)
			r.InReady = above("unused_in_tready"+flags, r.InReady)
			r.InData = above(fmt.Sprintf("{%d{1'b0}}", unused*p.LinkBits), r.InData)
			r.InPace = above(fmt.Sprintf("%d'd0", unused*plan.PaceBits), r.InPace)
			r.OutValid = above("unused_tvalid"+flags, r.OutValid)
			r.OutReady = above(fmt.Sprintf("{%d{1'b1}}", unused), r.OutReady)
			r.OutData = above("unused_tdata"+links, r.OutData)
			r.OutError = above("unused_error"+flags, r.OutError)
		}
		v.Routers = append(v.Routers, r)
	}
	return v
}

// above prints a concatenation with one more item, the highest.
func above(item, value string) string {
	if rest, is := strings.CutPrefix(value, "{"); is {
		return "{" + item + ",\n            " + rest
	}
	return "{" + item + ", " + value + "}"
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
