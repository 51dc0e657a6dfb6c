// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// Integration makes what helps to use the network, or without one the router, in another design. Every file
// follows from the plan and its table of ports.
func Integration(p *plan.Plan, modules []artifact.File) []artifact.File {
	if p.Machine.NoRouters {
		return nil
	}
	var files []artifact.File
	add := func(name, template string, view any) {
		files = append(files, artifact.File{Path: "integration/" + name, Role: artifact.Integration, Content: render.Template(template, view)})
	}
	v := newIntegrationView(p, modules)
	add(p.Name+".vh", "header.vh.tmpl", v)
	add(p.Module("instance")+".vh", "instance.vh.tmpl", v)
	if p.Machine.Network {
		nodes := newNodesView(p)
		add(p.Module("nodes_pkg")+".sv", "nodes_pkg.sv.tmpl", nodes)
		add(p.Module("nodes")+".sv", "nodes.sv.tmpl", nodes)
		add(p.Module("bench")+".v", "bench.v.tmpl", newExampleView(p))
	}
	for _, standard := range standards {
		add(p.Name+"."+standard.Year+".xml", "ipxact.xml.tmpl", newIPXACTView(v, standard))
	}
	for _, f := range families {
		add(f.File, "family.ys.tmpl", &familyView{v, p.Notice("#"), f})
	}
	return files
}

// integrationView describes the module that another design instantiates.
type integrationView struct {
	*plan.Plan
	Header      string
	Top         string // the module
	Instance    string // the name of its instance
	Wires       []plan.Wire
	RTL         []string         // its files, in the order of their dependencies
	Constants   []headerConstant // of the Verilog header
	Digits      []rtl.Digit
	DigitsBits  int
	TDest       string               // concatenation that is tdest
	Node        string               // sum of the digits, each times its stride
	TID         plan.Wire            // the port with the sources of deliveries, if there is one
	TIDAbove    int                  // bits of an integer above one of them
	Connections []verilog.Connection // of the module, to wires of the same names
}

func newIntegrationView(p *plan.Plan, modules []artifact.File) *integrationView {
	v := &integrationView{Plan: p, Header: p.Notice("//"), Top: p.RouterModule, Instance: "router", Wires: p.RouterWires(), Digits: rtl.Digits(p)}
	if p.Machine.Network {
		v.Top, v.Instance, v.Wires = p.NetworkModule, "network", p.NetworkWires()
	}
	for _, f := range modules {
		v.RTL = append(v.RTL, f.Path)
	}
	for _, w := range v.Wires {
		v.Connections = append(v.Connections, verilog.To(w.Name, w.Name))
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
	v.Constants = v.constants()
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
func (v *integrationView) constants() (list []headerConstant) {
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
	add("DELIVERIES", v.Deliveries, "m_axis streams of a node")
	add("PAYLOAD_BITS", v.PayloadBits, "tdata of a stream")
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
	add("LINK_BITS", v.LinkBits, "tdata of a link")
	for _, f := range v.LinkFields() {
		field("LINK_"+f.Name, verilog.Bits(v.LinkFields().Low(f.Name), f.Bits), "tdata of a link")
	}
	return list
}

// nodesView is everything the SystemVerilog wrapper and its package print: the ports of the network, those of a node as structs.
type nodesView struct {
	*plan.Plan
	Header           string
	FromNode, ToNode []nodeField
	Shared           []plan.Wire // other ports
	Connections      []verilog.Connection
	Highest          []rtl.Digit // highest dimension first
	UnusedBits       int         // of tdest, above the fields
}

// nodeField is a member of a struct and its slice of the port of the network.
type nodeField struct {
	plan.Wire        // of the network
	Bits      int    // of a node
	Slice     string // of node n
}

func newNodesView(p *plan.Plan) *nodesView {
	v := &nodesView{Plan: p, Header: p.Notice("//"), Highest: rtl.Digits(p), UnusedBits: unusedTDest(p)}
	slices.Reverse(v.Highest)
	for _, w := range p.NetworkWires() {
		v.Connections = append(v.Connections, verilog.To(w.Name, w.Name))
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

// exampleView is everything the example bench prints: node 0 broadcasts one message.
type exampleView struct {
	*plan.Plan
	Header      string
	Payload     string
	Others      int // other nodes
	Lanes       int // streams of deliveries
	Cycles      int // after which the message has arrived
	Connections []verilog.Connection
	BusDone     string // output of the network that ends a write to the configuration bus; empty if it has none
}

func newExampleView(p *plan.Plan) *exampleView {
	v := &exampleView{
		Plan: p, Header: p.Notice("//"), Payload: verilog.Sized(p.PayloadBits, 1), Others: p.Nodes - 1, Lanes: p.Nodes * p.Deliveries,
		Cycles: 4*p.Stages*(p.Machine.Graph.Diameter()+1) + 8,
	}
	for _, w := range p.NetworkWires() {
		c := verilog.To(w.Name, exampleNets[w.Name])
		if busDone[w.Name] {
			v.BusDone = w.Name
			c.Value = "bus_done"
		}
		if c.Value == "" && !w.Output {
			c.Value = v.constant(w)
		}
		v.Connections = append(v.Connections, c)
	}
	return v
}

// exampleNets names what the example bench connects to ports of the network.
var exampleNets = map[string]string{
	"clk": "clk", "rst": "rst", "configured": "configured",
	"s_axis_tvalid": "tx_valid", "s_axis_tready": "tx_ready", "m_axis_tvalid": "rx_valid", "m_axis_tdata": "rx_data",
	"wb_cyc_i": "bus_write", "wb_stb_i": "bus_write", "wb_we_i": "bus_write", "wb_adr_i": "bus_address", "wb_dat_i": "bus_data",
	"s_axi_awvalid": "bus_write", "s_axi_awaddr": "bus_address", "s_axi_wvalid": "bus_write", "s_axi_wdata": "bus_data",
}

// busDone has the output of each bus that ends a write. The AXI4-Lite bridge accepts address and data in one cycle.
var busDone = map[string]bool{"wb_ack_o": true, "s_axi_awready": true}

// constant is what the example bench drives an input of the network with: messages for all nodes, receivers and bus
// responses that are always accepted, whole words, and no reads.
func (v *exampleView) constant(w plan.Wire) string {
	one := verilog.Sized(w.Bits, 0)
	switch w.Name {
	case "s_axis_tdata":
		one = v.Payload
	case "s_axis_tdest":
		one = verilog.Sized(w.Bits, rtl.Broadcast(v.Plan))
	case "s_axis_tlast", "m_axis_tready", "s_axi_bready":
		one = verilog.Flag(true)
	case "wb_sel_i", "s_axi_wstrb":
		one = "4'b1111"
	}
	if w.Lanes == 1 {
		return one
	}
	return fmt.Sprintf("{%d{%s}}", w.Lanes, one)
}

// standard is a version of IP-XACT, with its words for the ends of a bus.
type standard struct{ Year, Slave, Master string }

var standards = []standard{{"2014", "slave", "master"}, {"2022", "target", "initiator"}}

// ipxactView is everything the description in IP-XACT prints.
type ipxactView struct {
	*integrationView
	standard
	Comment string
	Streams []stream
	Ports   []ipxactPort
	Sources []string // files, relative to that of the description
}

func newIPXACTView(v *integrationView, s standard) *ipxactView {
	return &ipxactView{
		integrationView: v, standard: s, Comment: v.Notice(" "), Streams: newStreams(v.Plan, v.Wires),
		Ports:   each.Of(v.Wires, func(w plan.Wire) ipxactPort { return ipxactPort{w} }),
		Sources: each.Of(v.RTL, func(file string) string { return path.Join("..", file) }),
	}
}

// ipxactPort is a port of the module.
type ipxactPort struct{ plan.Wire }

// Left is the highest bit.
func (w ipxactPort) Left() int { return w.Width() - 1 }

// stream is an AXI4-Stream interface: a lane of the ports that begin with the same name.
type stream struct {
	Name  string
	Input bool // of the module
	Wires []streamWire
}

// streamWire is a signal of AXI4-Stream and the bits of the port that carry it, or the whole port if it is no vector.
type streamWire struct {
	Signal, Port string
	Vector       bool
	verilog.Part
}

// Left and Right are the highest and lowest bit.
func (w streamWire) Left() int  { return w.Low + w.Width - 1 }
func (w streamWire) Right() int { return w.Low }

var streamPort = regexp.MustCompile(`^([sm]_axis(?:_link|_local)?)_(t[a-z]+)$`)

// newStreams lists the streams of a module in the order of its ports.
func newStreams(p *plan.Plan, wires []plan.Wire) []stream {
	var list []stream
	first := map[string]int{} // index of the first lane
	for _, w := range wires {
		m := streamPort.FindStringSubmatch(w.Name)
		if m == nil {
			continue
		}
		at, known := first[m[1]]
		if !known {
			at = len(list)
			first[m[1]] = at
			for i := range w.Lanes {
				list = append(list, stream{Name: m[1] + laneName(p, w, i), Input: strings.HasPrefix(m[1], "s_")})
			}
		}
		for i := range w.Lanes {
			list[at+i].Wires = append(list[at+i].Wires, streamWire{strings.ToUpper(m[2]), w.Name, w.Vector, verilog.LanePart(i, w.Bits)})
		}
	}
	return list
}

// laneName says which lane of a port it is: of a node, of a port of the router, or of both.
func laneName(p *plan.Plan, w plan.Wire, i int) string {
	switch {
	case w.Network == plan.PerNode && p.Machine.Network && w.Lanes > p.Nodes:
		return fmt.Sprintf("_node%d_port%d", i/p.Deliveries, i%p.Deliveries)
	case w.Network == plan.PerNode && p.Machine.Network:
		return fmt.Sprintf("_node%d", i)
	case w.Lanes > 1:
		return fmt.Sprintf("_port%d", i)
	}
	return ""
}

// family is a family of devices that Yosys has a synthesis command for.
type family struct{ File, Devices, Command string }

// families are those without a place and route flow in the output. Their options leave pads and clock buffers to the
// design around the module.
var families = []family{
	{"ecp5.ys", "Lattice ECP5", "synth_ecp5"},
	{"gowin.ys", "Gowin", "synth_gowin -noiopads"},
	{"xc7.ys", "AMD 7 series", "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf"},
}

// familyView is everything the script for a family prints.
type familyView struct {
	*integrationView
	Header string
	family
}
