// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"cmp"
	"slices"

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

// newNodePinsView wraps the node of a collective network that has most to select from.
func newNodePinsView(c *plan.Collective) *pinsView {
	node := rtl.LargestNode(c)
	v := &pinsView{Header: c.Notice("//"), Module: node + "_pins", Of: "node", Inner: node}
	var wires []plan.Wire
	for _, p := range rtl.NodePorts(c) {
		w := plan.Wire{Name: p.Name, Output: p.Output, Lanes: p.Lanes, Bits: p.Bits}
		if p.Words {
			w.Bits = c.PayloadBits
		}
		wires = append(wires, w)
	}
	v.wrap(wires)
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
	v.Connections = verilog.Connections("clk", "clk")
	for _, w := range inPinOrder(wires)[1:] {
		bits, register := &v.InputBits, "inputs_q"
		if w.Output {
			bits, register = &v.OutputBits, "outputs"
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, register+verilog.Slice(*bits, w.Width())))
		*bits += w.Width()
	}
}

// inPinOrder sorts ports in their order in the registers, on which placement depends: clk, rst, and the ports
// of options.
func inPinOrder(wires []plan.Wire) []plan.Wire {
	order := map[plan.Option]int{plan.OptionProgrammable: 1, plan.OptionDestination: 3, plan.OptionLast: 4, plan.OptionScope: 4, plan.OptionBarrier: 5}
	place := func(w plan.Wire) int {
		switch {
		case w.Name == "clk" || w.Name == "rst":
			return 0
		case w.Network == plan.Constant:
			return 2
		case order[w.Option] > 0:
			return order[w.Option]
		}
		return 6
	}
	sorted := slices.Clone(wires)
	slices.SortStableFunc(sorted, func(a, b plan.Wire) int { return cmp.Compare(place(a), place(b)) })
	return sorted
}
