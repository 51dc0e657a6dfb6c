// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"github.com/hcgen/hcgen/plan"
)

// pinsView is everything the template of the pin wrapper prints.
type pinsView struct {
	Header, Module        string
	Of, Inner             string // what is wrapped, and its module
	InputBits, OutputBits int
	Connections           []connection
}

type connection struct{ Port, Value string }

// input connects an input to the next bits of the shift register.
func (v *pinsView) input(port string, width int) {
	v.Connections = append(v.Connections, connection{port, "inputs_q" + slice(v.InputBits, width)})
	v.InputBits += width
}

// output connects an output to the next bits of the signature register.
func (v *pinsView) output(port string, width int) {
	v.Connections = append(v.Connections, connection{port, "outputs" + slice(v.OutputBits, width)})
	v.OutputBits += width
}

// pinsModule is the name of the small-pin wrapper of the router.
func pinsModule(p *plan.Plan) string { return p.Name + "_pins" }

// pinsPath is its file.
func pinsPath(p *plan.Plan) string { return "synth/" + pinsModule(p) + ".v" }

// newPinsView connects every input of the router to a slice of one shift
// register and every output to a slice of one signature register.
func newPinsView(p *plan.Plan) *pinsView {
	v := &pinsView{Header: p.Notice("//"), Module: pinsModule(p), Of: "router", Inner: p.RouterModule}
	v.input("rst", 1)
	if p.Programmable != nil {
		for _, w := range programmablePorts(p) {
			if w.Output {
				v.output(w.Name, w.Bits)
			} else {
				v.input(w.Name, w.Bits)
			}
		}
	}
	if p.SourceBits > 0 {
		v.input("node_id", p.SourceBits)
	}
	if p.Destination != nil {
		v.input("node_digits", p.Destination.DigitsBits)
		v.input("s_axis_local_tdest", p.Destination.TDestBits)
		v.output("destination_error", 1)
	}
	if p.LastBits > 0 {
		v.input("s_axis_local_tlast", 1)
		v.output("m_axis_local_tlast", p.Deliveries)
	}
	if p.Machine.Barrier {
		v.input("barrier_arrive", 1)
		v.output("barrier_release", 1)
		v.output("barrier_pace", plan.PaceBits)
		v.input("link_barrier_pace", plan.PaceBits*p.RouterPorts)
	}
	v.input("s_axis_link_tvalid", p.RouterPorts)
	v.output("s_axis_link_tready", p.RouterPorts)
	v.input("s_axis_link_tdata", p.RouterPorts*p.LinkBits)
	v.output("m_axis_link_tvalid", p.RouterPorts)
	v.input("m_axis_link_tready", p.RouterPorts)
	v.output("m_axis_link_tdata", p.RouterPorts*p.LinkBits)
	v.input("s_axis_local_tvalid", 1)
	v.output("s_axis_local_tready", 1)
	v.input("s_axis_local_tdata", p.PayloadBits)
	v.output("m_axis_local_tvalid", p.Deliveries)
	v.input("m_axis_local_tready", p.Deliveries)
	v.output("m_axis_local_tdata", p.Deliveries*p.PayloadBits)
	if p.SourceBits > 0 {
		v.output("m_axis_local_tid", p.Deliveries*p.SourceBits)
	}
	v.output("pace", plan.PaceBits)
	v.input("link_pace", plan.PaceBits*p.RouterPorts)
	v.output("header_error", p.RouterPorts)
	return v
}
