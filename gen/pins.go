// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"github.com/hcgen/hcgen/gen/plan"
)

// pinsView is everything the template of the pin wrapper prints.
type pinsView struct {
	Header, Module, Router string
	InputBits, OutputBits  int
	Connections            []connection
}

type connection struct{ Port, Value string }

// pinsModule is the name of the small-pin wrapper of the router.
func pinsModule(p *plan.Plan) string { return p.Name + "_pins" }

// pinsPath is its file.
func pinsPath(p *plan.Plan) string { return "synth/" + pinsModule(p) + ".v" }

// newPinsView connects every input of the router to a slice of one shift
// register and every output to a slice of one signature register.
func newPinsView(p *plan.Plan) *pinsView {
	v := &pinsView{Header: header(p, "//"), Module: pinsModule(p), Router: p.RouterModule}
	in := func(port string, width int) {
		v.Connections = append(v.Connections, connection{port, "inputs_q" + slice(v.InputBits, width)})
		v.InputBits += width
	}
	out := func(port string, width int) {
		v.Connections = append(v.Connections, connection{port, "outputs" + slice(v.OutputBits, width)})
		v.OutputBits += width
	}
	in("rst", 1)
	if p.Programmable != nil {
		for _, w := range programmablePorts(p) {
			if w.Output {
				out(w.Name, w.Bits)
			} else {
				in(w.Name, w.Bits)
			}
		}
	}
	if p.SourceBits > 0 {
		in("node_id", p.SourceBits)
	}
	in("s_axis_link_tvalid", p.RouterPorts)
	out("s_axis_link_tready", p.RouterPorts)
	in("s_axis_link_tdata", p.RouterPorts*p.LinkBits)
	out("m_axis_link_tvalid", p.RouterPorts)
	in("m_axis_link_tready", p.RouterPorts)
	out("m_axis_link_tdata", p.RouterPorts*p.LinkBits)
	in("s_axis_local_tvalid", 1)
	out("s_axis_local_tready", 1)
	in("s_axis_local_tdata", p.PayloadBits)
	out("m_axis_local_tvalid", p.Deliveries)
	in("m_axis_local_tready", p.Deliveries)
	out("m_axis_local_tdata", p.Deliveries*p.PayloadBits)
	if p.SourceBits > 0 {
		out("m_axis_local_tid", p.Deliveries*p.SourceBits)
	}
	out("pace", plan.PaceBits)
	in("link_pace", plan.PaceBits*p.RouterPorts)
	out("header_error", p.RouterPorts)
	return v
}
