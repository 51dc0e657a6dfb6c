// SPDX-License-Identifier: Apache-2.0

package gen

import "github.com/hcgen/hcgen/plan"

// networkPinsModule is the name of the small-pin wrapper of the network.
func networkPinsModule(p *plan.Plan) string { return p.NetworkModule + "_pins" }

// networkPinsPath is its file.
func networkPinsPath(p *plan.Plan) string { return "synth/" + networkPinsModule(p) + ".v" }

// newNetworkPinsView connects the network like newPinsView the router.
func newNetworkPinsView(p *plan.Plan) *pinsView {
	v := &pinsView{Header: p.Notice("//"), Module: networkPinsModule(p), Of: "network", Inner: p.NetworkModule}
	v.input("rst", 1)
	if p.Programmable != nil {
		for _, w := range buses[p.Programmable.Bus] {
			if w.Output {
				v.output(w.Name, w.Bits)
			} else {
				v.input(w.Name, w.Bits)
			}
		}
		v.output("configured", 1)
		v.output("illegal", 1)
	}
	if p.Destination != nil {
		v.input("s_axis_tdest", p.Nodes*p.Destination.TDestBits)
		v.output("destination_error", 1)
	}
	if p.LastBits > 0 {
		v.input("s_axis_tlast", p.Nodes)
		v.output("m_axis_tlast", p.Nodes*p.Deliveries)
	}
	if p.Machine.Barrier {
		v.input("barrier_arrive", p.Nodes)
		v.output("barrier_release", p.Nodes)
	}
	v.input("s_axis_tvalid", p.Nodes)
	v.output("s_axis_tready", p.Nodes)
	v.input("s_axis_tdata", p.Nodes*p.PayloadBits)
	v.output("m_axis_tvalid", p.Nodes*p.Deliveries)
	v.input("m_axis_tready", p.Nodes*p.Deliveries)
	v.output("m_axis_tdata", p.Nodes*p.Deliveries*p.PayloadBits)
	if p.SourceBits > 0 {
		v.output("m_axis_tid", p.Nodes*p.Deliveries*p.SourceBits)
	}
	v.output("header_error", 1)
	return v
}
