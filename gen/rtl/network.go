// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"io"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// networkView is everything the template of a network prints.
type networkView struct {
	*plan.Plan
	Header   string
	PaceBits int
	NodeList []nodeView
	Inner    []plan.Wire         // outputs of a router, brought by an option, that lead to other routers
	Errors   []string            // outputs of the network, brought by an option, that are the OR of those of the routers
	Fields   []Digit             // of tdest
	wires    []plan.Wire         // ports of a router
	rewired  []map[string]string // see Rewired; nil unless it has made the view

	// of programmable routers
	BusName    string
	Answers    []string                // the outputs of the network that router 0 answers, lowest first
	AnswerBits int                     // width of the bus and status outputs of a router; those of router 0 are lowest
	Others     verilog.Part            // the answers of all other routers
	answers    map[string]verilog.Part // of router 0, by output
	Unused     int                     // ports of a router that the machine does not have
}

// nodeView is a node of the network.
type nodeView struct {
	Index     int
	Digits    []int // of the address
	Neighbors []int // by port
}

func newNetworkView(p *plan.Plan) *networkView {
	v := &networkView{Plan: p, Header: p.Notice("//"), PaceBits: plan.PaceBits, Unused: p.RouterPorts - p.Degree}
	if p.Programmable != nil {
		v.BusName = BusNames[p.Programmable.Bus]
		v.answers = map[string]verilog.Part{}
		for _, w := range answers(p) {
			v.Answers = append(v.Answers, w.Name)
			v.answers[w.Name] = verilog.Bits(v.AnswerBits, w.Bits)
			v.AnswerBits += w.Bits
		}
		v.Others = verilog.Bits(v.AnswerBits, (p.Nodes-1)*v.AnswerBits)
	}
	if p.Destination != nil {
		v.Fields = Digits(p)
	}
	v.wires = p.RouterWires()
	for _, w := range v.wires {
		switch {
		case !w.Output || w.Option == plan.Always || w.Option == plan.OptionProgrammable:
		case w.Network == plan.Inside:
			v.Inner = append(v.Inner, w)
		case w.Network == plan.Any:
			v.Errors = append(v.Errors, w.Name)
		}
	}
	for n := range p.Nodes {
		node := nodeView{Index: n, Digits: p.Machine.Graph.Digits(n)}
		for _, q := range p.Ports {
			node.Neighbors = append(node.Neighbors, p.Machine.Graph.Neighbor(n, q.Index))
		}
		v.NodeList = append(v.NodeList, node)
	}
	return v
}

// Rewired writes the module of a network of specialized routers after a function has changed what the routers are connected to.
// connected[n][port] is the expression for a port of the router of node n.
func Rewired(p *plan.Plan, change func(connected []map[string]string)) func(io.Writer) error {
	v := newNetworkView(p)
	v.rewired = each.Of(v.NodeList, func(node nodeView) map[string]string {
		ports := map[string]string{}
		for _, c := range v.Connections(node) {
			ports[c.Port] = c.Value
		}
		return ports
	})
	change(v.rewired)
	return render.Template("network.v.tmpl", v)
}

// Connections lists the connections of the router of a node.
func (v *networkView) Connections(node nodeView) []verilog.Connection {
	return each.Of(v.wires, func(w plan.Wire) verilog.Connection {
		if v.rewired != nil {
			return verilog.To(w.Name, v.rewired[node.Index][w.Name])
		}
		return verilog.To(w.Name, verilog.Concat(v.connected(node, w)))
	})
}

// connected lists the connections of a port of a node's router, lowest first.
func (v *networkView) connected(node nodeView, w plan.Wire) []string {
	n := node.Index
	switch w.Network {
	case plan.Constant:
		return v.constant(n, w)
	case plan.PerNode:
		return []string{w.NetworkName() + verilog.Lane(n, w.Width())}
	case plan.Shared:
		if w.Output {
			answer := v.answers[w.Name]
			return []string{"answers" + verilog.Slice(n*v.AnswerBits+answer.Low, answer.Width)}
		}
		return []string{w.Name}
	}
	list := v.inside(node, w)
	if v.Unused > 0 && w.Lanes == v.RouterPorts && w.Vector {
		list = append(list, v.beyond(n, w))
	}
	return list
}

// constant lists the parts of a constant of a node.
func (v *networkView) constant(n int, w plan.Wire) (list []string) {
	if w.Field == plan.FieldSource {
		return []string{verilog.Sized(w.Bits, n)}
	}
	unused := w.Bits
	for i, f := range v.Destination.Fields {
		list = append(list, verilog.Sized(f.DigitBits, v.Machine.Graph.Digit(n, i+1)))
		unused -= f.DigitBits
	}
	if unused > 0 { // Digits of dimensions that a programmable router does not use
		list = append(list, verilog.Sized(unused, 0))
	}
	return list
}

// inside lists the wires of the network to which a port of a node's router is connected: for inputs from
// links and for the pace of neighbours, the wires of the other ends of the links; otherwise its own.
func (v *networkView) inside(node nodeView, w plan.Wire) (list []string) {
	n := node.Index
	if of, ok := strings.CutPrefix(w.Name, "s_axis_"); ok {
		for i, from := range node.Neighbors {
			list = append(list, of+verilog.Lane(from*v.Degree+v.Ports[i].Opposite, w.Bits))
		}
		return list
	}
	if of, ok := strings.CutPrefix(w.Name, "link_"); ok {
		return each.Of(node.Neighbors, func(from int) string { return of + verilog.Lane(from, w.Bits) })
	}
	if of, ok := strings.CutPrefix(w.Name, "m_axis_"); ok {
		return []string{of + verilog.Lane(n, v.Degree, w.Bits)}
	}
	switch {
	case w.Name == "header_error":
		return []string{"link_error" + verilog.Lane(n, v.Degree)}
	case w.Network == plan.Any:
		return []string{w.Name + "s" + verilog.Lane(n, w.Width())}
	case w.Output:
		return []string{w.Name + verilog.Lane(n, w.Width())}
	}
	return []string{w.Name}
}
