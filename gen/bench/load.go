// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// loadView is everything the template of the loaded network prints.
type loadView struct {
	*plan.Plan
	Header, Module string
	Lanes          int    // streams of deliveries
	Payload        string // of a node, from its random number

	Wires       []verilog.Net // at ports of the network without a constant value
	Connections []verilog.Connection
	Unused      []string // outputs of options, which are not used
}

// loadModule is the name of the network with a load around it.
func loadModule(p *plan.Plan) string { return p.Module("load") }

// HasLoad reports whether there is such a module: a programmable router accepts no messages before it is
// configured.
func HasLoad(p *plan.Plan) bool { return p.Machine.Network && p.Programmable == nil }

func newLoadView(p *plan.Plan) *loadView {
	v := &loadView{
		Plan: p, Header: p.Notice("//"), Module: loadModule(p), Lanes: p.Nodes * p.Deliveries,
		Payload: "random_q" + verilog.Slice(0, min(32, p.PayloadBits)),
	}
	for _, w := range p.NetworkWires() {
		n := verilog.Net{Wire: w, Net: loadName.Replace(w.Name)}
		value := v.offered(w)
		if value == "" {
			value = n.Net
			v.Wires = append(v.Wires, n)
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, value))
		if w.Output && w.Option != plan.Always {
			v.Unused = append(v.Unused, n.Net)
		}
	}
	if rest := p.PayloadBits % 32; p.PayloadBits > 32 {
		v.Payload = fmt.Sprintf("{%d{random_q}}", p.PayloadBits/32)
		if rest > 0 {
			v.Payload = "{random_q" + verilog.Slice(0, rest) + ", " + v.Payload + "}"
		}
	}
	return v
}

// loadName names the wire at a port of the network.
var loadName = strings.NewReplacer("s_axis_t", "offer_", "m_axis_t", "delivery_", "barrier_release", "released")

// offered is the value of an input of the network at all nodes: they always offer a broadcast, which is a
// packet of its own, and have arrived at the barrier. It is empty if nodes differ.
func (v *loadView) offered(w plan.Wire) string {
	var value string
	switch w.Name {
	case "clk", "rst":
		return w.Name
	case "s_axis_tvalid":
		value = "offer_valid_q"
	case "s_axis_tdest":
		value = verilog.Sized(w.Bits, rtl.Broadcast(v.Plan))
	case "s_axis_tlast", "barrier_arrive":
		value = verilog.Flag(true)
	default:
		return ""
	}
	return fmt.Sprintf("{%d{%s}}", v.Nodes, value)
}
