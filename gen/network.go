// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strings"

	"github.com/hcgen/hcgen/plan"
)

// networkView is everything the network template prints.
type networkView struct {
	Header, Module, Router, Machine string
	Nodes, Degree                   int
	SourceID                        bool

	Pad, NodesRange, PayloadsRange, SourcesRange string // padded to one width
	DeliveriesRange, DeliveredRange              string // likewise
	LinkFlagsRange, LinkDataRange, PacesRange    string

	Lanes string // how the local outputs of a node are packed, if it has several

	NodeList []nodeView
}

type nodeView struct {
	Index                    int
	Address, Neighbors, ID   string
	InValid, InReady, InData string
	Pace, InPace             string
	Flags, Links             string
	Payload, Source          string
	Deliveries, Delivered    string
}

// newNetworkView lays the wiring of the network out.
func newNetworkView(p *plan.Plan) *networkView {
	g := p.Machine.Graph
	v := &networkView{
		Header:   p.Notice("//"),
		Module:   p.NetworkModule,
		Router:   p.RouterModule,
		Machine:  p.Name,
		Nodes:    p.Nodes,
		Degree:   p.Degree,
		SourceID: p.SourceBits > 0,

		LinkFlagsRange: rangeOf(p.Nodes * p.Degree),
		LinkDataRange:  rangeOf(p.Nodes * p.Degree * p.LinkBits),
		PacesRange:     rangeOf(p.Nodes * plan.PaceBits),
	}
	payloads := rangeOf(p.Nodes * p.PayloadBits)
	delivered := rangeOf(p.Nodes * p.Deliveries * p.PayloadBits)
	sources := rangeOf(p.Nodes * p.Deliveries * max(1, p.SourceBits))
	columns := max(len(delivered), len(sources), len(rangeOf(p.Nodes*p.Deliveries))) + 1
	v.Pad = padded("", columns)
	v.NodesRange = padded(rangeOf(p.Nodes), columns)
	v.PayloadsRange = padded(payloads, columns)
	v.DeliveriesRange = padded(rangeOf(p.Nodes*p.Deliveries), columns)
	v.DeliveredRange = padded(delivered, columns)
	v.SourcesRange = padded(sources, columns)
	if perPort(p) {
		v.Lanes = ", and its\n// deliveries by port"
	}

	for n := 0; n < p.Nodes; n++ {
		var neighbors, valid, ready, data, pace []string
		for _, q := range p.Ports {
			from := g.Neighbor(n, q.Index)
			bit := from*p.Degree + q.Opposite
			neighbors = append(neighbors, fmt.Sprint(from))
			valid = append(valid, fmt.Sprintf("link_tvalid[%d]", bit))
			ready = append(ready, fmt.Sprintf("link_tready[%d]", bit))
			data = append(data, "link_tdata"+slice(bit*p.LinkBits, p.LinkBits))
			pace = append(pace, "pace"+slice(from*plan.PaceBits, plan.PaceBits))
		}
		v.NodeList = append(v.NodeList, nodeView{
			Index:      n,
			Address:    strings.Trim(fmt.Sprint(g.Digits(n)), "[]"),
			Neighbors:  strings.Join(neighbors, ", "),
			ID:         sized(p.SourceBits, n),
			InValid:    concat(valid),
			InReady:    concat(ready),
			InData:     concat(data),
			Pace:       slice(n*plan.PaceBits, plan.PaceBits),
			InPace:     concat(pace),
			Flags:      slice(n*p.Degree, p.Degree),
			Links:      slice(n*p.Degree*p.LinkBits, p.Degree*p.LinkBits),
			Payload:    slice(n*p.PayloadBits, p.PayloadBits),
			Deliveries: slice(n*p.Deliveries, p.Deliveries),
			Delivered:  slice(n*p.Deliveries*p.PayloadBits, p.Deliveries*p.PayloadBits),
			Source:     slice(n*p.Deliveries*max(1, p.SourceBits), p.Deliveries*max(1, p.SourceBits)),
		})
	}
	return v
}
