// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/machine"
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
		name := v.Name + "__" + c.Name
		list = append(list,
			headerConstant{name + "_WORD_BITS", c.PayloadBits, "a word of the collective network " + c.Name},
			headerConstant{name + "_CYCLES", c.Period + 1 + c.Skew, "from start to done"},
			headerConstant{name + "_PERIOD", c.Period, "cycles from a start to the next one"})
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

// streamsView is everything the module with a port for each signal of each stream prints.
type streamsView struct {
	*plan.Plan
	Header      string
	Ports       []plan.Wire
	Connections []verilog.Connection // of the network
}

func newStreamsView(p *plan.Plan) *streamsView {
	v := &streamsView{Plan: p, Header: p.Notice("//")}
	lanes := map[string][]string{} // of a port of the network
	var ports []plan.Wire
	for _, s := range newStreams(p, p.NetworkWires()) {
		for _, w := range s.Wires {
			signal := strings.ToLower(w.Signal)
			name := s.Name + "_" + signal
			lanes[w.Port] = append(lanes[w.Port], name)
			ports = append(ports, plan.Wire{
				Name: name, Output: s.Input == (signal == "tready"), Lanes: 1, Bits: w.Width,
				Vector: signal == "tdata" || signal == "tdest" || signal == "tid",
			})
		}
	}
	for _, w := range p.NetworkWires() {
		value := w.Name
		if lanes[w.Name] != nil {
			value = verilog.Concat(lanes[w.Name])
		} else if byRegion(p, w) {
			var regions []string
			for c := range w.Lanes {
				of := w
				of.Name, of.Lanes, of.Vector = fmt.Sprintf("%s_region%d", w.Name, c), 1, false
				of.Meaning = strings.NewReplacer("[c]: ", "", "clk[c]", fmt.Sprintf("clk_region%d", c), "region c", fmt.Sprintf("region %d", c)).Replace(w.Meaning)
				v.Ports, regions = append(v.Ports, of), append(regions, of.Name)
			}
			value = verilog.Concat(regions)
		} else {
			v.Ports = append(v.Ports, w)
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, value))
	}
	v.Ports = append(v.Ports, ports...)
	return v
}

// byRegion reports whether a port of the network has a lane for each of several regions.
func byRegion(p *plan.Plan, w plan.Wire) bool {
	return p.Machine.Clocks() && (w.Network == plan.Shared || w.Network == plan.Any)
}

// regionOf is the region of a node as an expression of Verilog or Python with this division; empty with one clock.
func regionOf(p *plan.Plan, division string) string {
	if !p.Machine.Clocks() {
		return ""
	}
	var terms []string
	regions := 1
	for _, d := range rtl.Digits(p) {
		if !p.Dims[d.Index-1].Queue.Clocks {
			continue
		}
		term := "node"
		if d.Stride > 1 {
			term += fmt.Sprintf(" %s %d", division, d.Stride)
		}
		term += fmt.Sprintf(" %% %d", d.M)
		if regions > 1 {
			term = fmt.Sprintf("%d * (%s)", regions, term)
		}
		terms = append(terms, term)
		regions *= d.M
	}
	return strings.Join(terms, " + ")
}

// cocotbView is everything the example bench in Python prints: node 0 broadcasts one message.
type cocotbView struct {
	*plan.Plan
	Header    string
	Bus       string     // of the configuration; empty if there is none
	TDest     int        // of a broadcast
	Receivers [][]string // names of the streams of deliveries of nodes 1, 2, .., in quotes
	Idle      []string   // inputs that are 0
	Cycles    int        // after which the message has arrived
	Region    string     // of a node, if the nodes have several clocks
	Slowest   int        // region
}

func newCocotbView(p *plan.Plan) *cocotbView {
	v := &cocotbView{Plan: p, Header: p.Notice("#"), Receivers: make([][]string, p.Nodes-1), Cycles: broadcastCycles(p), Region: regionOf(p, "//"), Slowest: p.Regions() - 1}
	if p.Programmable != nil {
		v.Bus = p.Programmable.Bus
	}
	for _, d := range rtl.Digits(p) {
		v.TDest |= 1 << d.All
	}
	wires, lane := p.NetworkWires(), 0
	for _, s := range newStreams(p, wires) {
		if s.Input {
			continue
		}
		if node := lane / p.Deliveries; node > 0 {
			v.Receivers[node-1] = append(v.Receivers[node-1], fmt.Sprintf("%q", s.Name))
		}
		lane++
	}
	for _, w := range wires {
		if !w.Output && !w.IsClock() && w.Stream == "" && (w.Option != plan.OptionProgrammable || v.Bus == machine.Wishbone) {
			v.Idle = append(v.Idle, w.Name)
		}
	}
	return v
}

// broadcastCycles is a number of cycles, of the slowest clock, after which a broadcast has arrived everywhere.
func broadcastCycles(p *plan.Plan) int { return 4*(p.Crossing()+p.Stages) + 8 }

// exampleView is everything the example bench prints: node 0 broadcasts one message, and each collective network carries
// out an operation.
type exampleView struct {
	*plan.Plan
	top
	Header      string
	Payload     string
	Others      int // other nodes
	Lanes       int // streams of deliveries
	Cycles      int // after which the message has arrived
	Connections []verilog.Connection
	BusDone     string // output of the network that ends a write to the configuration bus; empty if it has none

	Clocks  []exampleClock
	Slowest string // clock
	Region  string // of a node, if the nodes have several clocks

	Collectives []*collectiveView
	Barrier     bool        // the barrier starts the collective networks
	Links       []plan.Wire // wires between the collective networks and their nodes
	Period      int         // cycles after which the collective networks have finished
}

// exampleClock is the clock of a region, and its reset.
type exampleClock struct {
	Index    int
	Driver   string // of the clock: Verilator 5.006 does not run bits of a vector that are driven apart as clocks
	Clk, Rst string
	Half     int    // of its period
	Lane     string // variable of a loop over the deliveries
}

func newExampleView(p *plan.Plan, networks []*plan.Collective, t top) *exampleView {
	v := &exampleView{
		Plan: p, top: t, Header: p.Notice("//"), Payload: verilog.Sized(p.PayloadBits, 1), Others: p.Nodes - 1, Lanes: p.Nodes * p.Deliveries,
		Cycles:  broadcastCycles(p),
		Barrier: p.Machine.Barrier && len(networks) > 0,
		Clocks:  []exampleClock{{0, "clk", "clk", "rst", 5, "lane"}}, Slowest: "clk", Region: regionOf(p, "/"),
	}
	if p.Machine.Clocks() {
		v.Clocks = nil
		for c := range p.Regions() {
			v.Clocks = append(v.Clocks, exampleClock{c, fmt.Sprintf("clk%d", c), fmt.Sprintf("clk[%d]", c), fmt.Sprintf("rst[%d]", c), 5 + c, fmt.Sprintf("lane%d", c)})
			v.Slowest = v.Clocks[c].Clk
		}
	}
	if t.Streams {
		for _, w := range p.NetworkWires() {
			value := v.net(w)
			if w.Role == plan.Done {
				v.BusDone = w.Name
			}
			if value == "" && !w.Output {
				value = v.constant(w)
			}
			v.Connections = append(v.Connections, verilog.To(w.Name, value))
		}
	}
	for _, w := range t.Wires[len(v.Connections):] { // of collective networks
		value := w.Name
		switch {
		case w.Role == plan.Start && v.Barrier:
			value = released
		case w.Role == plan.Start:
			value = "operate"
		case !w.IsClock():
			v.Links = append(v.Links, w)
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, value))
	}
	for _, c := range networks {
		v.Collectives = append(v.Collectives, newCollectiveView(p, c))
		v.Period = max(v.Period, c.Period+c.Skew+4)
	}
	return v
}

// Drivers are the drivers of the clocks, the highest region first.
func (v *exampleView) Drivers() string {
	var names []string
	for _, c := range slices.Backward(v.Clocks) {
		names = append(names, c.Driver)
	}
	return strings.Join(names, ", ")
}

// net is what the example bench connects to a port of the network, or empty.
func (v *exampleView) net(w plan.Wire) string {
	switch w.Role {
	case plan.Clock, plan.Configured:
		return w.Name
	case plan.Strobe:
		return "bus_write"
	case plan.Address:
		return "bus_address"
	case plan.Data:
		return "bus_data"
	case plan.Done:
		return "bus_ended"
	case plan.Present:
		if v.Barrier {
			return fmt.Sprintf("{%d{arrive}}", w.Lanes)
		}
	case plan.Released:
		if v.Barrier {
			return w.Name
		}
	case plan.Traffic:
		return exampleNets[w.Stream+" "+w.Signal]
	}
	return ""
}

// exampleNets names the wires of the example bench, by stream and signal.
var exampleNets = map[string]string{
	plan.LocalIn + " tvalid": "tx_valid", plan.LocalIn + " tready": "tx_tready",
	plan.LocalOut + " tvalid": "rx_valid", plan.LocalOut + " tdata": "rx_data",
}

// constant is what the example bench drives an input of the network with: messages for all nodes, receivers and bus
// responses that are always accepted, whole words, and no reads.
func (v *exampleView) constant(w plan.Wire) string {
	one := verilog.Sized(w.Bits, 0)
	switch {
	case w.Field == plan.FieldPayload:
		one = v.Payload
	case w.Role == plan.ToAll:
		one = verilog.Sized(w.Bits, rtl.Broadcast(v.Plan))
	case w.Role == plan.Traffic || w.Role == plan.Ones:
		one = fmt.Sprintf("%d'b%s", w.Bits, strings.Repeat("1", w.Bits))
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
	Sources []string // files, relative to that of the description
}

func newIPXACTView(v *integrationView, s standard) *ipxactView {
	return &ipxactView{
		integrationView: v, standard: s, Comment: v.Notice(" "), Streams: newStreams(v.Plan, v.Wires),
		Sources: each.Of(v.RTL, func(file string) string { return path.Join("..", file) }),
	}
}

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

// newStreams lists the streams of a module in the order of its ports.
func newStreams(p *plan.Plan, wires []plan.Wire) []stream {
	var list []stream
	first := map[string]int{} // index of the first lane
	for _, w := range wires {
		if w.Stream == "" {
			continue
		}
		at, known := first[w.Stream]
		if !known {
			at = len(list)
			first[w.Stream] = at
			for i := range w.Lanes {
				list = append(list, stream{Name: strings.TrimSuffix(w.Name, "_"+w.Signal) + laneName(p, w, i), Input: w.Stream == plan.LinkIn || w.Stream == plan.LocalIn})
			}
		}
		for i := range w.Lanes {
			list[at+i].Wires = append(list[at+i].Wires, streamWire{strings.ToUpper(w.Signal), w.Name, w.Vector, verilog.LanePart(i, w.Bits)})
		}
	}
	return list
}

// laneName says which lane of a port it is: of a node, of a port of the router, or of both.
func laneName(p *plan.Plan, w plan.Wire, i int) string {
	nodes := 0
	switch {
	case p.Chips != nil:
		nodes = p.Chips.Places
	case p.Machine.Network:
		nodes = p.Nodes
	}
	switch {
	case w.Network == plan.PerNode && nodes > 0 && w.Lanes > nodes:
		return fmt.Sprintf("_node%d_port%d", i/p.Deliveries, i%p.Deliveries)
	case w.Network == plan.PerNode && nodes > 0:
		return fmt.Sprintf("_node%d", i)
	case w.Lanes > 1:
		return fmt.Sprintf("_port%d", i)
	}
	return ""
}

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
