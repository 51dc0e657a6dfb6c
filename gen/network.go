// SPDX-License-Identifier: Apache-2.0

package gen

import "github.com/hcgen/hcgen/plan"

// networkView is everything the network template prints.
type networkView struct {
	*plan.Plan
	Header   string
	PaceBits int
	NodeList []nodeView
}

// nodeView is a node and the ports that its ports lead to, as bits of the link wires.
type nodeView struct {
	Index     int
	Digits    []int // of the address
	Neighbors []int // by port

	DigitValues []string // of Digits, dimension 1 first, with destinations

	// What comes in by each port, as parts of the wires of all links or nodes.
	InFlags, InData, InPace []part
}

func newNetworkView(p *plan.Plan) *networkView {
	v := &networkView{Plan: p, Header: p.Notice("//"), PaceBits: plan.PaceBits}
	for n := range p.Nodes {
		node := nodeView{Index: n, Digits: p.Machine.Graph.Digits(n)}
		if p.Destination != nil {
			unused := p.Destination.DigitsBits
			for i, f := range p.Destination.Fields {
				node.DigitValues = append(node.DigitValues, sized(f.DigitBits, p.Machine.Graph.Digit(n, i+1)))
				unused -= f.DigitBits
			}
			if unused > 0 { // digits of dimensions that a programmable router does not use
				node.DigitValues = append(node.DigitValues, sized(unused, 0))
			}
		}
		for _, q := range p.Ports {
			from := p.Machine.Graph.Neighbor(n, q.Index)
			link := from*p.Degree + q.Opposite
			node.Neighbors = append(node.Neighbors, from)
			node.InFlags = append(node.InFlags, lanePart(link, 1))
			node.InData = append(node.InData, lanePart(link, p.LinkBits))
			node.InPace = append(node.InPace, lanePart(from, plan.PaceBits))
		}
		v.NodeList = append(v.NodeList, node)
	}
	return v
}
