// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// programmableModules lists the hand-written modules a programmable router of the plan is
// made of, used modules before their users.
func programmableModules(p *plan.Plan) []string {
	modules := []string{"hc_tree_arbiter", "hc_output", "hc_pace", "hc_local_input"}
	if p.Destination != nil {
		modules = append(modules, "hc_spread",
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

// BusNames are the common names of the buses.
var BusNames = map[string]string{machine.Wishbone: "Wishbone B4 classic", machine.AXI4Lite: "AXI4-Lite"}

// programmableView is everything the template of a programmable router prints.
type programmableView struct {
	*plan.Plan
	Header, BusName, Bridge string
	LocalBody, DeliveryBody []string // the fields of the body, lowest first

	DestinationBits       int    // of spread and route; 0 without destinations
	TDestBits, DigitsBits int    // 1 without destinations
	TDest, NodeDigits     string // inputs of the library module; zeros without destinations
}

func newProgrammableView(p *plan.Plan) *programmableView {
	v := &programmableView{
		Plan: p, Header: p.Notice("//"),
		BusName: BusNames[p.Programmable.Bus], Bridge: "hc_" + p.Programmable.Bus,
	}
	v.TDestBits, v.DigitsBits, v.TDest, v.NodeDigits = 1, 1, verilog.Sized(1, 0), verilog.Sized(1, 0)
	if d := p.Destination; d != nil {
		v.DestinationBits, v.TDestBits, v.DigitsBits = 1+d.RouteBits, d.TDestBits, d.DigitsBits
		v.TDest, v.NodeDigits = "s_axis_local_tdest", "node_digits"
	}
	for _, f := range slices.Backward(p.BodyFields()) {
		input, output := p.Carriers(f.Name)
		v.LocalBody = append(v.LocalBody, input.Name)
		v.DeliveryBody = append(v.DeliveryBody, output.Name)
	}
	return v
}

// answers lists the outputs of a router that are ports of the network, lowest first: its state, and those of the bus.
func answers(p *plan.Plan) (list []plan.Wire) {
	bus := p.BusWires()
	for _, w := range p.RouterWires() {
		switch {
		case w.Network != plan.Shared || !w.Output:
		case slices.Contains(bus, w):
			list = append(list, w)
		default:
			list = slices.Insert(list, 0, w)
		}
	}
	return list
}

// beyond is the connection of the lanes of a port of router n for links that the machine does not have.
func (v *networkView) beyond(n int, w plan.Wire) string {
	switch {
	case w.Output:
		return w.Unused + verilog.Lane(n, v.Unused, w.Bits)
	case w.Role == plan.Ones:
		return fmt.Sprintf("{%d{1'b1}}", v.Unused)
	case w.Stream != "" && w.Bits > 1:
		return fmt.Sprintf("{%d{1'b0}}", v.Unused*w.Bits)
	}
	return verilog.Sized(v.Unused*w.Bits, 0)
}
