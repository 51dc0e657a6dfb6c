// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// endpointModules lists the hand-written modules of an endpoint, used modules before their users.
func endpointModules(p *plan.Plan) []string {
	modules := []string{"hc_arbiter", "hc_endpoint_digit", "hc_endpoint_access", "hc_endpoint_receive", "hc_endpoint_memory"}
	if p.Endpoint.Gets {
		modules = append(modules, "hc_endpoint_requests")
	}
	if p.Chips != nil {
		modules = append(modules, "hc_endpoint_late", "hc_endpoint_linked")
	}
	return append(modules, "hc_endpoint_send", "hc_endpoint_registers", "hc_endpoint_core", bridgeModule(p))
}

// bridgeModule is the hand-written module between the bus and the other modules of an endpoint.
func bridgeModule(p *plan.Plan) string { return "hc_endpoint_" + p.Endpoint.Bus }

// endpointView is everything the template of an endpoint prints.
type endpointView struct {
	*plan.Plan
	Header, BusName, Bridge string
	BusWires                []plan.Wire
	Fields                  []Digit // of tdest
	Message                 []field // of a message, the highest first
	Region                  verilog.Part
	Destinations            []destinationOfAccess
	Word                    wordAddress
	OwnDest                 []string // lowest first
	Rings                   string   // {rho, m} of each dimension, dimension 1 lowest
	Linked                  string   // messages can be sent
}

// wordAddress has the fields of an address in words, as the bridge gives it.
type wordAddress struct {
	Bits                        int
	Offset, Digits, All, Region verilog.Part
	Destination                 verilog.Part // Digits and All
}

// destinationOfAccess is the destination of an access in a dimension.
type destinationOfAccess struct {
	Digit
	Bit                 int          // of a vector with a bit for each dimension
	InBytes, AllInBytes verilog.Part // of an address in bytes
	InWords, AllInWords verilog.Part // of an address in words
	Dest                verilog.Part // of tdest: {all, digit}
}

// field is a field of a vector.
type field struct {
	Name string
	verilog.Part
}

func newEndpointView(p *plan.Plan) *endpointView {
	e := p.Endpoint
	v := &endpointView{
		Plan: p, Header: p.Notice("//"), BusName: BusNames[e.Bus], Bridge: bridgeModule(p), BusWires: p.EndpointBusWires(), Fields: Digits(p),
		Region: verilog.Bits(e.RegionLow, e.BusBits-e.RegionLow),
	}
	v.Linked = verilog.Flag(true)
	if p.Chips != nil {
		v.Linked = "linked"
	}
	ofWord := e.AddressBits - e.WordBits() // bits of the byte in a word
	v.Word = wordAddress{
		Bits: e.BusBits - ofWord, Offset: verilog.Bits(0, e.WordBits()), Region: verilog.Bits(e.RegionLow-ofWord, v.Region.Width),
		Digits: verilog.Bits(e.DigitsLow-ofWord, e.AllLow-e.DigitsLow), All: verilog.Bits(e.AllLow-ofWord, e.RegionLow-e.AllLow),
		Destination: verilog.Bits(e.DigitsLow-ofWord, e.RegionLow-e.DigitsLow),
	}
	var rings []string
	for i, d := range v.Fields {
		digit, all := e.DigitsLow+d.Digit.Low, e.AllLow+i
		v.Destinations = append(v.Destinations, destinationOfAccess{
			Digit: d, Bit: i, InBytes: verilog.Bits(digit, d.Digit.Width), AllInBytes: verilog.Bits(all, 1),
			InWords: verilog.Bits(digit-ofWord, d.Digit.Width), AllInWords: verilog.Bits(all-ofWord, 1),
			Dest: verilog.Bits(d.TDest.Low, d.TDest.Width+1),
		})
		v.OwnDest = append(v.OwnDest, "node_digits"+d.Digit.Slice(), verilog.Flag(false))
		rings = append(rings, verilog.Sized(16, d.M), verilog.Sized(16, p.Dims[i].Rho))
	}
	v.Rings = verilog.Concat(rings)
	if bits := e.KindBits(); bits > 0 {
		v.Message = append(v.Message, field{"kind", verilog.Bits(e.KindLow, bits)})
	}
	v.Message = append(v.Message, field{"strobes", verilog.Bits(e.StrobesLow, machine.EndpointStrobeBits)},
		field{"address", verilog.Bits(e.AddressLow, e.WordBits())}, field{"data", verilog.Bits(0, machine.EndpointDataBits)})
	return v
}

// systemView is everything the template of the network with all endpoints prints.
type systemView struct {
	*plan.Plan
	Header    string
	BusName   string
	Wires     []plan.Wire // ports
	Inner     []plan.Wire // ports of the network that are wires inside
	Unused    []string    // outputs of the network that nothing needs
	Network   []verilog.Connection
	Endpoints []endpointInstance
	Networks  []Instance

	// of a chip
	Chip   string   // name of its instance
	First  string   // the number of the node at place 0
	States []string // of the cables
}

// endpointInstance is the endpoint of a node with its connections.
type endpointInstance struct {
	Index       int
	Connections []verilog.Connection
}

// Instance is a module in another one, with its connections.
type Instance struct {
	Module, Name string
	Connections  []verilog.Connection
}

func newSystemView(p *plan.Plan, networks []*plan.Collective) *systemView {
	v := &systemView{Plan: p, Header: p.Notice("//"), BusName: BusNames[p.Endpoint.Bus], Wires: p.SystemWires(networks), Networks: CollectiveInstances(networks)}
	for _, w := range p.NetworkWires() {
		v.connect(w, w.IsClock())
	}
	for n := range p.Nodes {
		v.addEndpoint(n, n)
	}
	return v
}

// newBoardView is a chip with endpoints at its nodes.
func newBoardView(p *plan.Plan) *systemView {
	v := &systemView{
		Plan: p, Header: p.Notice("//"), BusName: BusNames[p.Endpoint.Bus], Wires: p.BoardWires(), Chip: ChipInstance, First: firstNode(p, p.Endpoint.NodeBits),
	}
	for _, w := range p.ChipWires() {
		v.connect(w, w.Network == plan.Shared || w.Network == plan.Derived)
	}
	for place := range p.Chips.Places {
		v.addEndpoint(place, p.Node(0, place))
	}
	for _, q := range p.Chips.Cables {
		v.States = append(v.States, q.Wire("state"))
	}
	return v
}

// ChipInstance is the instance of a chip in the module that has the endpoints at its nodes.
const ChipInstance = "nodes"

// connect connects a port of the network, or of the chip, that is also a port of the module or is a wire inside.
func (v *systemView) connect(w plan.Wire, port bool) {
	v.Network = append(v.Network, verilog.To(w.Name, w.Name))
	if port {
		return
	}
	w.Meaning = ""
	v.Inner = append(v.Inner, w)
	if w.Network == plan.Any { // the errors of all nodes together
		v.Unused = append(v.Unused, w.Name)
	}
}

// addEndpoint adds the endpoint of a node, which has an index in the module. The node of a chip is that of the first chip.
func (v *systemView) addEndpoint(index, node int) {
	v.Endpoints = append(v.Endpoints, endpointInstance{index, each.Of(v.EndpointWires(), func(w plan.Wire) verilog.Connection {
		return verilog.To(w.Name, v.atEndpoint(index, node, w))
	})})
}

// atEndpoint is what a port of the endpoint of a node is connected to.
func (v *systemView) atEndpoint(index, node int, w plan.Wire) string {
	switch {
	case w.Name == "rst" && v.Chips != nil:
		return "reset"
	case w.Network == plan.Shared, w.Name == "linked":
		return w.Name
	case w.Name == "node_id":
		number := verilog.Sized(w.Bits, node)
		if v.Chips != nil {
			number = chipNumber + " + " + number
		}
		return number
	case w.Network == plan.Constant:
		return verilog.Concat(each.Of(Digits(v.Plan), func(d Digit) string { return digitOf(v.Plan, v.Chips != nil, node, d.Index, d.Digit.Width) }))
	case w.Name == "dropped":
		return fmt.Sprintf("node_header_error[%d] | node_destination_error[%d]", index, index)
	}
	return w.Inside() + verilog.Lane(index, w.Width())
}

// SameNames connects ports to wires of the same names.
func SameNames(wires []plan.Wire) []verilog.Connection {
	return each.Of(wires, func(w plan.Wire) verilog.Connection { return verilog.To(w.Name, w.Name) })
}

// CollectiveInstances are the collective networks in a system.
func CollectiveInstances(networks []*plan.Collective) []Instance {
	return each.Of(networks, func(c *plan.Collective) Instance {
		return Instance{c.OuterModule(), c.OuterInstance(), each.Of(c.OuterWires(), func(w plan.Wire) verilog.Connection { return verilog.To(w.Name, c.SystemName(w)) })}
	})
}

// endpointFiles are the module of an endpoint and the library modules it is made of that are not in the list.
func endpointFiles(p *plan.Plan, known []artifact.File) ([]artifact.File, error) {
	var files []artifact.File
	for _, module := range endpointModules(p) {
		f, err := Module(module, "rtl", artifact.RTL)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(known, func(other artifact.File) bool { return other.Path == f.Path }) {
			files = append(files, f)
		}
	}
	return append(files, artifact.File{Path: "rtl/" + p.Endpoint.Module + ".v", Role: artifact.RTL, Content: render.Verilog("endpoint.v.tmpl", newEndpointView(p))}), nil
}

// systemFiles are the network of routers with an endpoint at each node, and the collective networks; or a chip with an endpoint at
// each node, and all chips.
func systemFiles(p *plan.Plan, networks []*plan.Collective) []artifact.File {
	file := func(module, template string, view any) artifact.File {
		return artifact.File{Path: "rtl/" + module + ".v", Role: artifact.RTL, Content: render.Verilog(template, view)}
	}
	e := p.Endpoint
	if p.Chips == nil {
		return []artifact.File{file(e.SystemModule, "endpoint_system.v.tmpl", newSystemView(p, networks))}
	}
	return []artifact.File{file(e.BoardModule, "board.v.tmpl", newBoardView(p)), file(e.SystemModule, "chips_network.v.tmpl", newBoardsView(p))}
}
