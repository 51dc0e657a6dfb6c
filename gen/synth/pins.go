// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// pinsView is everything the template of the pin wrapper prints.
type pinsView struct {
	Header, Module        string
	Of, Inner             string // router or network, and the wrapped module
	InputBits, OutputBits int
	Connections           []verilog.Connection
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
	v.wrap(p.NetworkWires())
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

// newNodePinsView wraps the node of a collective network that has most to select from.
func newNodePinsView(c *plan.Collective) *pinsView {
	node := rtl.LargestNode(c)
	v := &pinsView{Header: c.Notice("//"), Module: node + "_pins", Of: "node", Inner: node}
	v.wrap(c.NodeWires())
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
		ports = append(ports, Port{w.Name, w.Output, w.Width()})
	}
	v.connect(ports)
}

func (v *pinsView) connect(ports []Port) {
	v.Connections = verilog.Connections("clk", "clk")
	for _, p := range ports {
		bits, register := &v.InputBits, "inputs_q"
		if p.Output {
			bits, register = &v.OutputBits, "outputs"
		}
		v.Connections = append(v.Connections, verilog.To(p.Name, register+verilog.Slice(*bits, p.Bits)))
		*bits += p.Bits
	}
}

// Port is an input or output of a module that no plan describes.
type Port struct {
	Name   string
	Output bool
	Bits   int
}

// Wrapper is the small-pin wrapper MODULE_pins of a router that no plan describes. Its clock is clk; the other ports are given, with
// two bits of inputs and of outputs at least.
func Wrapper(header, module string, ports []Port) artifact.File {
	v := &pinsView{Header: header, Module: module + "_pins", Of: "router", Inner: module}
	v.connect(ports)
	return artifact.File{Path: "synth/" + v.Module + ".v", Role: artifact.Synthesis, Content: render.Verilog("pins.v.tmpl", v)}
}
