// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// top is the module that another design instantiates: the system, if there is one, else the chip, the network or the router. Of
// several chips with endpoints it is a chip with them.
type top struct {
	Top, Instance string // the module, and the name of its instance
	Wires         []plan.Wire
	RTL           []string // its files, in the order of their dependencies
	Network       bool     // it has a network of routers on one chip
	Streams       bool     // the ports of its nodes are the streams of that network
}

func newTop(p *plan.Plan, networks []*plan.Collective, modules []artifact.File) top {
	t := top{Top: p.RouterModule, Instance: "router", Wires: p.RouterWires(), RTL: rtl.OperatorFiles(networks), Network: p.Machine.Network && !p.Machine.NoRouters}
	for _, f := range modules {
		t.RTL = append(t.RTL, f.Path)
	}
	switch {
	case p.Chips != nil && p.Endpoint != nil: // the system of chips is for simulation, as is the network of chips
		t.Top, t.Instance, t.Wires, t.Network = p.Endpoint.BoardModule, "board", p.BoardWires(), false
	case p.HasSystem():
		t.Top, t.Instance, t.Wires = p.Module("system"), "system", p.SystemWires(networks)
		if hasSystemFile(p) {
			t.RTL = append(t.RTL, systemPath(p))
		}
	case p.Chips != nil:
		t.Top, t.Instance, t.Wires, t.Network = p.Chips.Module, "chip", p.ChipWires(), false
	case p.Machine.Network:
		t.Top, t.Instance, t.Wires = p.NetworkModule, "network", p.NetworkWires()
	}
	t.Streams = t.Network && p.Endpoint == nil
	return t
}

// file is a file of the folder integration, in which Verilog has aligned lists.
func file(name, template string, view any) artifact.File {
	content := render.Template(template, view)
	if slices.Contains([]string{".v", ".vh", ".sv"}, path.Ext(name)) {
		content = render.Verilog(template, view)
	}
	return artifact.File{Path: "integration/" + name, Role: artifact.Integration, Content: content}
}

// Integration makes what helps to use the module at the top in another design, and each collective network alone. Every
// file follows from the plan and its tables of ports.
func Integration(p *plan.Plan, networks []*plan.Collective, modules []artifact.File) []artifact.File {
	files := collectiveFiles(p, networks)
	add := func(name, template string, view any) {
		files = append(files, file(name, template, view))
	}
	t := newTop(p, networks, modules)
	v := newIntegrationView(p, networks, t)
	add(p.Name+".vh", "header.vh.tmpl", v)
	add(p.Module("instance")+".vh", "instance.vh.tmpl", v)
	add(p.Module("components")+".vhd", "components.vhd.tmpl", newComponentsView(p, t))
	if hasSystemFile(p) {
		add(path.Base(systemPath(p)), "system.v.tmpl", newSystemView(p, networks))
	}
	if p.Chips == nil && (t.Network || p.HasSystem()) {
		nodes := newNodesView(p, t)
		add(p.Module("nodes_pkg")+".sv", "nodes_pkg.sv.tmpl", nodes)
		add(p.Module("nodes")+".sv", "nodes.sv.tmpl", nodes)
	}
	if t.Streams || hasSystemFile(p) {
		add(p.Module("bench")+".v", "bench.v.tmpl", newExampleView(p, networks, t))
	}
	if t.Streams {
		add(p.Module("streams")+".v", "streams.v.tmpl", newStreamsView(p))
		add(p.Module("cocotb")+".py", "cocotb.py.tmpl", newCocotbView(p))
	}
	crosses := t.Network && p.Machine.Clocks() || p.Chips != nil
	if crosses {
		v := newCrossingsView(p)
		add(p.Name+".xdc", "crossings.xdc.tmpl", v)
		add(p.Name+".sdc", "crossings.sdc.tmpl", v)
	}
	for _, standard := range standards {
		add(p.Name+"."+standard.Year+".xml", "ipxact.xml.tmpl", newIPXACTView(v, standard))
	}
	for _, f := range families {
		add(f.File, "family.ys.tmpl", &familyView{v, p.Notice("#"), f})
	}
	vivado := &vivadoView{t.Top, p.Notice("#"), "", "xc7a35tcpg236-1", strconv.FormatFloat(p.Machine.Synthesis[0].ClockMHz, 'f', -1, 64), ""}
	if crosses {
		vivado.Crossings = "integration/" + p.Name + ".xdc"
	}
	if hasSystemFile(p) {
		vivado.System = systemPath(p)
	}
	add("vivado.tcl", "vivado.tcl.tmpl", vivado)
	return files
}

// integrationView describes the module that another design instantiates.
type integrationView struct {
	*plan.Plan
	top
	Header      string
	Constants   []headerConstant // of the Verilog header
	Digits      []rtl.Digit
	DigitsBits  int
	TDest       string               // concatenation that is tdest
	Node        string               // sum of the digits, each times its stride
	TID         plan.Wire            // the port with the sources of deliveries, if there is one
	TIDAbove    int                  // bits of an integer above one of them
	Connections []verilog.Connection // of the module, to wires of the same names
	At          string               // with collective networks: the node at an index of another
	IndexBits   int                  // of such an index
}

func newIntegrationView(p *plan.Plan, networks []*plan.Collective, t top) *integrationView {
	v := &integrationView{Plan: p, top: t, Header: p.Notice("//"), Digits: rtl.Digits(p), Connections: rtl.SameNames(t.Wires)}
	for _, w := range v.Wires {
		if w.Field == plan.FieldSource && w.Output {
			v.TID, v.TIDAbove = w, 32-w.Bits
		}
	}
	var fields, terms []string
	for _, d := range v.Digits {
		v.DigitsBits += d.Digit.Width
		fields = append(fields, "digits"+d.Digit.Slice(), fmt.Sprintf("all[%d]", d.Index-1))
		terms = append(terms, fmt.Sprintf("{%s, digits%s} * %d", verilog.Sized(32-d.Digit.Width, 0), d.Digit.Slice(), d.Stride))
	}
	if bits := unusedTDest(p); bits > 0 {
		fields = append(fields, verilog.Sized(bits, 0))
	}
	v.TDest, v.Node = verilog.Concat(fields), strings.Join(terms, " + ")
	v.Constants = v.constants(networks)
	if len(networks) > 0 {
		v.At, v.IndexBits = at(networks[0]), networks[0].IndexBits
	}
	return v
}

// unusedTDest counts the bits of tdest that are of dimensions which only other machines of a programmable router have.
func unusedTDest(p *plan.Plan) int {
	if p.Destination == nil {
		return 0
	}
	list := rtl.Digits(p)
	return p.Destination.TDestBits - list[len(list)-1].All - 1
}

// headerConstant is a named number of the Verilog header.
type headerConstant struct {
	Name    string
	Value   int
	Meaning string
}

// constants lists sizes and positions. The names begin with that of the machine.
func (v *integrationView) constants(networks []*plan.Collective) (list []headerConstant) {
	add := func(name string, value int, format string, args ...any) {
		list = append(list, headerConstant{v.Name + "_" + strings.ToUpper(name), value, fmt.Sprintf(format, args...)})
	}
	field := func(name string, f verilog.Part, of string) {
		add(name+"_LSB", f.Low, "lowest bit, in %s", of)
		add(name+"_BITS", f.Width, "width")
	}
	add("NODES", v.Nodes, "nodes, numbered from 0")
	add("DIMENSIONS", len(v.Dims), "dimensions, numbered from 1")
	add("DEGREE", v.Degree, "links of a node")
	if !v.Machine.NoRouters {
		add("DELIVERIES", v.Deliveries, "m_axis streams of a node")
		add("PAYLOAD_BITS", v.PayloadBits, "tdata of a stream")
	}
	if v.SourceBits > 0 {
		add("TID_BITS", v.SourceBits, "tid of a stream: the number of the source")
	}
	add("DIGITS_BITS", v.DigitsBits, "digits of a node, dimension 1 lowest")
	if v.Destination != nil {
		add("TDEST_BITS", v.Destination.TDestBits, "tdest of a stream")
	}
	for _, d := range v.Digits {
		add(fmt.Sprintf("M_%d", d.Index), d.M, "nodes of dimension %d, %s", d.Index, d.Name)
		field(fmt.Sprintf("DIGIT_%d", d.Index), d.Digit, "the digits of a node")
		if v.Destination != nil {
			add(fmt.Sprintf("TDEST_DIGIT_%d_LSB", d.Index), d.TDest.Low, "lowest bit of the digit, in tdest")
			add(fmt.Sprintf("TDEST_ALL_%d", d.Index), d.All, "bit of tdest: every digit of dimension %d", d.Index)
		}
	}
	if !v.Machine.NoRouters {
		add("LINK_BITS", v.LinkBits, "tdata of a link")
		for _, f := range v.LinkFields() {
			field("LINK_"+f.Name, verilog.Bits(v.LinkFields().Low(f.Name), f.Bits), "tdata of a link")
		}
	}
	for _, c := range networks {
		constant := func(name string, value int, meaning string) {
			list = append(list, headerConstant{v.Name + "__" + c.Name + "_" + name, value, meaning})
		}
		constant("WORD_BITS", c.PayloadBits, "a word of the collective network "+c.Name)
		switch {
		case c.Several():
			for i, s := range c.Schedules {
				name := "_" + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_")) // no network has two underscores in its name
				constant(name, i, "number of the operation "+s.Name)
				constant(name+"_CYCLES", s.Period+1+c.Skew, "from start to done")
				constant(name+"_PERIOD", s.Period, "cycles from its start to the next one")
			}
		case c.Vector > 0:
			constant("VECTOR", c.Vector, "the most words of a vector")
			constant("CYCLES", c.Skew+2, "from start to done, beside PERIOD for each word")
			constant("PERIOD", c.Period, "cycles for a word")
		case c.Pipelined:
			constant("CYCLES", c.Period+1+c.Skew, "from start to done")
			constant("STEPS", c.Steps, "steps of an operation, and cycles per operation on average")
			constant("TURNS", c.Turns, "operations that take turns, and cycles of a step")
		default:
			constant("CYCLES", c.Period+1+c.Skew, "from start to done")
			constant("PERIOD", c.Period, "cycles from a start to the next one")
		}
	}
	if len(networks) > 0 {
		add("INDEX_BITS", networks[0].IndexBits, "index of a node in a collective network")
	}
	return list
}

// nodesView is everything the SystemVerilog wrapper and its package print: the ports of the top, those of a node as structs.
type nodesView struct {
	*plan.Plan
	top
	Header           string
	FromNode, ToNode []nodeField
	Shared           []plan.Wire // other ports
	Connections      []verilog.Connection
	Highest          []rtl.Digit // highest dimension first
	UnusedBits       int         // of tdest, above the fields
}

// nodeField is a member of a struct and its slice of the port of the top.
type nodeField struct {
	plan.Wire        // of the top
	Bits      int    // of a node
	Slice     string // of node n
}

func newNodesView(p *plan.Plan, t top) *nodesView {
	v := &nodesView{Plan: p, top: t, Header: p.Notice("//"), Highest: rtl.Digits(p), UnusedBits: unusedTDest(p), Connections: rtl.SameNames(t.Wires)}
	slices.Reverse(v.Highest)
	for _, w := range t.Wires {
		f := nodeField{w, w.Width() / p.Nodes, "[n]"}
		if f.Bits > 1 {
			f.Slice = fmt.Sprintf("[%d*n+:%d]", f.Bits, f.Bits)
		}
		switch {
		case w.Network != plan.PerNode:
			v.Shared = append(v.Shared, w)
		case w.Output:
			v.ToNode = append(v.ToNode, f)
		default:
			v.FromNode = append(v.FromNode, f)
		}
	}
	return v
}

// componentsView is everything the package in VHDL prints.
type componentsView struct {
	*plan.Plan
	Header     string
	Components []component
}

// component is a module and its ports.
type component struct {
	Module string
	Wires  []plan.Wire
}

func newComponentsView(p *plan.Plan, t top) *componentsView {
	v := &componentsView{Plan: p, Header: p.Notice("--")}
	if !p.Machine.NoRouters {
		v.Components = append(v.Components, component{p.RouterModule, p.RouterWires()})
	}
	if t.Network {
		v.Components = append(v.Components, component{p.NetworkModule, p.NetworkWires()})
	}
	if p.Endpoint != nil {
		v.Components = append(v.Components, component{p.Endpoint.Module, p.EndpointWires()})
	}
	if p.Chips != nil {
		v.Components = append(v.Components, component{p.Chips.Module, p.ChipWires()})
	}
	if p.HasSystem() {
		v.Components = append(v.Components, component{t.Top, t.Wires})
	}
	return v
}

// broadcastCycles is a number of cycles, of the slowest clock, after which a broadcast has arrived everywhere.
func broadcastCycles(p *plan.Plan) int { return 4*(p.Crossing()+p.Stages) + 8 }

// family is a family of devices that Yosys has a synthesis command for.
type family struct {
	File, Devices, Command string
	Places                 string // family of synthesis blocks, which place; empty if there is none
}

// families are those that other flows than make synth may take. Their options leave pads and clock buffers to the
// design around the module.
var families = []family{
	{"ecp5.ys", "Lattice ECP5", "synth_ecp5", "ecp5"},
	{"gowin.ys", "Gowin", "synth_gowin -noiopads", "gowin"},
	{"xc7.ys", "AMD 7 series", "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf", ""},
}

// familyView is everything the script for a family prints.
type familyView struct {
	*integrationView
	Header string
	family
}

// vivadoView is everything the script for Vivado prints.
type vivadoView struct {
	Top, Header string
	System      string // file of the module with all networks, which filelist.f lacks; empty if there is none
	Part, MHz   string // defaults
	Crossings   string // file with the periods of several clocks and the constraints of their crossings
}
