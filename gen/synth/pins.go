// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"slices"
	"strconv"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// pinsView is everything the template of the pin wrapper prints.
type pinsView struct {
	Header, Module        string
	Of, Inner             string // what it is, such as router or network, and the wrapped module
	InputBits, OutputBits int    // of a region; regions have equal nodes
	Connections           []verilog.Connection
	Region                string // module around a clock, if there are several
	Regions               []int
}

// PinsModule and networkPinsModule are the names of the small-pin wrappers of the router and of the network.
func PinsModule(p *plan.Plan) string        { return p.Module("router_pins") }
func networkPinsModule(p *plan.Plan) string { return p.Module("network_pins") }

// PinsPath is the file of that of the router.
func PinsPath(p *plan.Plan) string { return "synth/" + PinsModule(p) + ".v" }

func newPinsView(p *plan.Plan) *pinsView {
	v := &pinsView{Header: p.Notice("//"), Module: PinsModule(p), Of: "router", Inner: p.RouterModule}
	v.wrap(p.RouterWires())
	return v
}

func newNetworkPinsView(p *plan.Plan) *pinsView {
	v := &pinsView{Header: p.Notice("//"), Module: networkPinsModule(p), Of: "network", Inner: p.NetworkModule}
	if p.Machine.Clocks() {
		v.Region = p.Module("region_pins")
		for c := range p.Regions() {
			v.Regions = append(v.Regions, c)
		}
	}
	var ports []Port
	for _, w := range plan.InPinOrder(p.NetworkWires())[1:] {
		region := func(bit int) int { return bit } // of a port that all nodes share
		if w.Network == plan.PerNode {
			region = func(bit int) int { return p.Region(bit * p.Nodes / w.Width()) }
		}
		ports = append(ports, Port{w.Name, w.Output, w.Width(), region})
	}
	v.connect(ports)
	return v
}

// newChipPinsView wraps the module of a chip. Words of its cables arrive in its own clock.
func newChipPinsView(p *plan.Plan) *pinsView {
	v := &pinsView{Header: p.Notice("//"), Module: p.Module("chip_pins"), Of: "chip", Inner: p.Chips.Module}
	clocks := map[string]bool{}
	for _, q := range p.Chips.Cables {
		clocks[q.Wire("rx_clk")] = true
	}
	wires := p.ChipWires()
	v.wrap(slices.DeleteFunc(slices.Clone(wires), func(w plan.Wire) bool { return clocks[w.Name] }))
	for _, w := range wires {
		if clocks[w.Name] {
			v.Connections = append(v.Connections, verilog.To(w.Name, "clk"))
		}
	}
	return v
}

// newEndpointPinsView wraps an endpoint. Its node is an input, as in a module that all nodes share.
func newEndpointPinsView(p *plan.Plan) *pinsView {
	v := &pinsView{Header: p.Notice("//"), Module: p.Module("endpoint_pins"), Of: "endpoint", Inner: p.Endpoint.Module}
	v.wrap(p.EndpointWires())
	return v
}

// newSystemPinsView wraps the network with its endpoints, and the collective networks.
func newSystemPinsView(p *plan.Plan, networks []*plan.Collective) *pinsView {
	v := &pinsView{Header: p.Notice("//"), Module: p.Module("system_pins"), Of: "system", Inner: p.Endpoint.SystemModule}
	v.wrap(p.SystemWires(networks))
	return v
}

// newNodePinsView wraps the node of a collective network that has most to select from, with its memory if there are vectors.
func newNodePinsView(c *plan.Collective) *pinsView {
	v := &pinsView{Header: c.Notice("//"), Module: NodePinsModule(c), Of: "node", Inner: NodeModule(c)}
	if c.Vector > 0 {
		v.wrap(newUnitView(c).Wires)
	} else {
		v.wrap(c.NodeWires())
	}
	return v
}

// newCollectivePinsView wraps a collective network.
func newCollectivePinsView(c *plan.Collective) *pinsView {
	v := &pinsView{Header: c.Notice("//"), Module: c.Module("network_pins"), Of: "network", Inner: c.NetworkModule}
	v.wrap(c.Wires())
	return v
}

// wrap connects every input to a slice of one shift register and every output to a slice of one
// signature register, after clk.
func (v *pinsView) wrap(wires []plan.Wire) {
	var ports []Port
	for _, w := range plan.InPinOrder(wires)[1:] {
		ports = append(ports, Port{Name: w.Name, Output: w.Output, Bits: w.Width()})
	}
	v.connect(ports)
}

func (v *pinsView) connect(ports []Port) {
	v.Connections = verilog.Connections("clk", "clk")
	type register struct {
		name string
		used []int // bits, by region
	}
	regions := max(1, len(v.Regions))
	inputs, outputs := register{"inputs_q", make([]int, regions)}, register{"outputs", make([]int, regions)}
	if len(v.Regions) > 0 {
		inputs.name = "inputs"
	}
	for _, p := range ports {
		to := inputs
		if p.Output {
			to = outputs
		}
		var parts []string
		for low := 0; low < p.Bits; {
			name, c, high := to.name, 0, p.Bits // bits of one region
			if len(v.Regions) > 0 {
				c = p.region(low)
				name += strconv.Itoa(c)
				for high = low; high < p.Bits && p.region(high) == c; {
					high++
				}
			}
			parts = append(parts, name+verilog.Slice(to.used[c], high-low))
			to.used[c] += high - low
			low = high
		}
		v.Connections = append(v.Connections, verilog.To(p.Name, verilog.Concat(parts)))
	}
	v.InputBits, v.OutputBits = inputs.used[0], outputs.used[0]
}

// Port is an input or output of a module that no plan describes.
type Port struct {
	Name   string
	Output bool
	Bits   int

	region func(bit int) int // whose clock a bit is in, if there are several
}

// Wrapper is the small-pin wrapper MODULE_pins of a router that no plan describes. Its clock is clk; the other ports are given, with
// two bits of inputs and of outputs at least.
func Wrapper(header, module string, ports []Port) artifact.File {
	v := &pinsView{Header: header, Module: module + "_pins", Of: "router", Inner: module}
	v.connect(ports)
	return artifact.File{Path: "synth/" + v.Module + ".v", Role: artifact.Synthesis, Content: render.Verilog("pins.v.tmpl", v)}
}
