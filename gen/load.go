// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"

	"github.com/hcgen/hcgen/plan"
)

// loadView is everything the template of the loaded network prints.
type loadView struct {
	Header, Module, Network   string
	Nodes, Lanes, PayloadBits int // a lane is a stream of deliveries
	SourceID                  bool

	Pad, SeedRange, LanesRange                               string // padded to one width
	NodesRange, PayloadsRange, LanesBare, DataRange, IDRange string
	Payload                                                  string // of a node, made of its random number
}

// loadModule is the name of the network with a load around it.
func loadModule(p *plan.Plan) string { return p.Name + "_load" }

// hasLoad reports whether there is such a module: a programmable router works for nobody
// before it is configured.
func hasLoad(p *plan.Plan) bool { return p.Machine.Network && p.Programmable == nil }

func newLoadView(p *plan.Plan) *loadView {
	lanes := p.Nodes * p.Deliveries
	v := &loadView{
		Header: p.Notice("//"), Module: loadModule(p), Network: p.NetworkModule,
		Nodes: p.Nodes, Lanes: lanes, PayloadBits: p.PayloadBits, SourceID: p.SourceBits > 0,
		NodesRange:    rangeOf(p.Nodes),
		PayloadsRange: rangeOf(p.Nodes * p.PayloadBits),
		LanesBare:     rangeOf(lanes),
		DataRange:     rangeOf(lanes * p.PayloadBits),
		IDRange:       rangeOf(lanes * max(1, p.SourceBits)),
		Payload:       "random_q" + slice(0, min(32, p.PayloadBits)),
	}
	columns := max(len(v.LanesBare), len(rangeOf(32))) + 1
	v.Pad = padded("", columns)
	v.SeedRange = padded(rangeOf(32), columns)
	v.LanesRange = padded(v.LanesBare, columns)
	if rest := p.PayloadBits % 32; p.PayloadBits > 32 {
		v.Payload = fmt.Sprintf("{%d{random_q}}", p.PayloadBits/32)
		if rest > 0 {
			v.Payload = "{random_q" + slice(0, rest) + ", " + v.Payload + "}"
		}
	}
	return v
}
