// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"

	"github.com/hcgen/hcgen/plan"
)

// loadView is everything the template of the loaded network prints.
type loadView struct {
	*plan.Plan
	Header, Module string
	Lanes          int    // streams of deliveries
	Payload        string // of a node, made of its random number
	Broadcast      int    // tdest of a message to all nodes, with destinations
}

// loadModule is the name of the network with a load around it.
func loadModule(p *plan.Plan) string { return p.Name + "_load" }

// hasLoad reports whether there is such a module: a programmable router works for nobody
// before it is configured.
func hasLoad(p *plan.Plan) bool { return p.Machine.Network && p.Programmable == nil }

func newLoadView(p *plan.Plan) *loadView {
	v := &loadView{
		Plan: p, Header: p.Notice("//"), Module: loadModule(p), Lanes: p.Nodes * p.Deliveries,
		Payload: "random_q" + slice(0, min(32, p.PayloadBits)),
	}
	if p.Destination != nil {
		for _, f := range p.Destination.Fields {
			v.Broadcast |= 1 << (f.TDestLow + f.DigitBits)
		}
	}
	if rest := p.PayloadBits % 32; p.PayloadBits > 32 {
		v.Payload = fmt.Sprintf("{%d{random_q}}", p.PayloadBits/32)
		if rest > 0 {
			v.Payload = "{random_q" + slice(0, rest) + ", " + v.Payload + "}"
		}
	}
	return v
}
