// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"

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

	Wires       []plan.Wire // at ports of the network without a constant value
	Connections []verilog.Connection
	Unused      []string // outputs of options, which are not used
}

// loadModule is the name of the network with a load around it.
func loadModule(p *plan.Plan) string { return p.Module("load") }

// HasLoad reports whether there is such a module: a programmable router accepts no messages before it is configured, and chips none
// before their cables are up.
func HasLoad(p *plan.Plan) bool { return p.Machine.Network && p.Programmable == nil && p.Chips == nil }

func newLoadView(p *plan.Plan) *loadView {
	v := &loadView{
		Plan: p, Header: p.Notice("//"), Module: loadModule(p), Lanes: p.Nodes * p.Deliveries,
		Payload: "random_q" + verilog.Slice(0, min(32, p.PayloadBits)),
	}
	for _, w := range p.NetworkWires() {
		w.Proof = loadName(w)
		value := v.offered(w)
		if value == "" {
			value = w.InProof()
			v.Wires = append(v.Wires, w)
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, value))
		if w.Output && !w.Core {
			v.Unused = append(v.Unused, w.InProof())
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
func loadName(w plan.Wire) string {
	switch w.Stream {
	case plan.LocalIn:
		return "offer_" + w.Signal[1:]
	case plan.LocalOut:
		return "delivery_" + w.Signal[1:]
	}
	return w.Name
}

// offered is the value of an input of the network at all nodes: they always offer a broadcast, which is a
// packet of its own, and take part in all else. It is empty for outputs, and for inputs in which nodes differ.
func (v *loadView) offered(w plan.Wire) string {
	value := verilog.Sized(w.Bits, 0)
	switch w.Role {
	case plan.Clock:
		if w.Lanes > 1 { // regions, which have the same clock here
			return fmt.Sprintf("{%d{%s}}", w.Lanes, w.Name)
		}
		return w.Name
	case plan.Traffic:
		if w.Signal != "tvalid" || w.Output {
			return ""
		}
		value = "offer_valid_q"
	case plan.ToAll:
		value = verilog.Sized(w.Bits, rtl.Broadcast(v.Plan))
	case plan.Ones, plan.Present:
		value = verilog.Flag(true)
	}
	if w.Output {
		return ""
	}
	return fmt.Sprintf("{%d{%s}}", w.Lanes, value)
}
