// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/prefix"
	"github.com/hcgen/hcgen/plan"
)

// networkView is everything the template of a network prints, or that of a chip, which is a network of the nodes of a chip.
type networkView struct {
	*plan.Plan
	Header   string
	Size     int // nodes in the module
	NodeList []nodeView
	Inner    []plan.Wire         // other outputs of a router that lead to other routers
	Errors   []string            // other outputs of the network that are the OR of those of the routers
	Regions  []region            // with several clocks
	Fields   []Digit             // of tdest
	wires    []plan.Wire         // ports of a router
	seen     map[string]bool     // wires of a node that its neighbours see
	rewired  []map[string]string // see Rewired; nil unless it has made the view
	chip     bool                // the module is a chip

	// of programmable routers
	BusName    string
	Answers    []string                // the outputs of the network that router 0 answers, lowest first
	AnswerBits int                     // width of the bus and status outputs of a router; those of router 0 are lowest
	Others     verilog.Part            // the answers of all other routers
	answers    map[string]verilog.Part // of router 0, by output
	Unused     int                     // ports of a router that the machine does not have
}

// nodeView is a node of the network. The nodes of a chip are those of the first chip.
type nodeView struct {
	Index    int    // in the module: of a network its number, of a chip its place number
	node     int    // its number
	Address  string // its digits, * for those that differ between chips
	Leads    string // to which nodes or cables its ports lead
	Clk, Rst string // of its region
	Links    []linkView
}

// linkView is a link that leaves a node, and leads to a port of another node of the module.
type linkView struct {
	Name         string // begins the names of its wires
	To, Port     int
	Registers    *linkRegisters // nil: a wire
	ToClk, ToRst string         // of that node
}

// linkName begins the names of the wires of the link that leaves a port of a node.
func linkName(node, port int) string { return fmt.Sprintf("n%d_p%d", node, port) }

// linkWire names a wire of the link that leaves a port of a node: n12_p2_tdata.
func linkWire(node, port int, signal string) string { return linkName(node, port) + "_" + signal }

// farWire names a wire of a link with registers as it arrives at the neighbour: n12_p2_far_tdata.
func farWire(node, port int, signal string) string { return linkWire(node, port, "far_"+signal) }

// wireOf names a wire of a node that leads to its neighbours: n12_pace.
func wireOf(node int, name string) string { return fmt.Sprintf("n%d_%s", node, name) }

func newNetworkView(p *plan.Plan) *networkView {
	v := newNodesView(p)
	v.Size = p.Nodes
	for n := range p.Nodes {
		v.addNode(n, n)
	}
	v.Regions = regions(p)
	return v
}

// newNodesView is a view without nodes.
func newNodesView(p *plan.Plan) *networkView {
	v := &networkView{Plan: p, Header: p.Notice("//"), Unused: p.RouterPorts - p.Degree}
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
	v.wires, v.seen = p.RouterWires(), map[string]bool{}
	for _, w := range v.wires {
		if w.Network == plan.FarNode {
			v.seen[w.Inside()] = true
		}
		switch {
		case !w.Output || w.Core:
		case w.Network == plan.Near:
			v.Inner = append(v.Inner, w)
		case w.Network == plan.Any:
			v.Errors = append(v.Errors, w.Name)
		}
	}
	return v
}

// addNode adds a node, which has an index in the module.
func (v *networkView) addNode(index, n int) {
	node := nodeView{Index: index, node: n, Clk: v.clockOf(n, "clk"), Rst: v.clockOf(n, "rst")}
	var digits, nodes, cables []string
	for i, digit := range v.Machine.Graph.Digits(n) {
		if dimension := len(v.Dims) - i; v.chip && v.Dims[dimension-1].Queue.Chips {
			digits = append(digits, "*")
		} else {
			digits = append(digits, strconv.Itoa(digit))
		}
	}
	for _, q := range v.Ports {
		if v.chip && q.Queue.Chips {
			cables = append(cables, fmt.Sprintf("cable %d", q.Index))
			continue
		}
		to := v.Machine.Graph.Neighbor(n, q.Index)
		nodes = append(nodes, strconv.Itoa(v.index(to)))
		node.Links = append(node.Links, linkView{linkName(index, q.Index), v.index(to), q.Opposite, newLinkRegisters(v.Plan, q.Queue), v.clockOf(to, "clk"), v.clockOf(to, "rst")})
	}
	if len(nodes) > 0 {
		nodes[0] = "nodes " + nodes[0]
	}
	node.Address, node.Leads = strings.Join(digits, ","), strings.Join(append(nodes, cables...), ", ")
	v.NodeList = append(v.NodeList, node)
}

// index is the index of a node in the module.
func (v *networkView) index(node int) int {
	if v.chip {
		return v.Place(node)
	}
	return node
}

// clockOf names clk or rst of a node, or another port that all nodes share.
func (v *networkView) clockOf(node int, name string) string {
	switch {
	case v.chip && name == "rst":
		return "reset" // from rst and of a session
	case v.chip:
		return name
	}
	return clockOf(v.Plan, node, name)
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
	return prefix.Files(p.Name, []artifact.File{{Content: render.Verilog("network.v.tmpl", v)}})[0].Content
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
		return v.constant(node, w)
	case plan.PerNode:
		return []string{w.NetworkName() + verilog.Lane(n, w.Width())}
	case plan.Shared:
		if w.Output {
			answer := v.answers[w.Name]
			return []string{"answers" + verilog.Slice(n*v.AnswerBits+answer.Low, answer.Width)}
		}
		return []string{v.clockOf(node.node, w.Name)}
	}
	list := v.inside(node, w)
	if v.Unused > 0 && w.Links {
		list = append(list, v.beyond(n, w))
	}
	return list
}

// constant lists the parts of a constant of a node.
func (v *networkView) constant(node nodeView, w plan.Wire) (list []string) {
	if w.Field == plan.FieldSource {
		number := verilog.Sized(w.Bits, node.node)
		if v.chip {
			number = chipNumber + " + " + number
		}
		return []string{number}
	}
	unused := w.Bits
	for i, f := range v.Destination.Fields {
		list = append(list, digitOf(v.Plan, v.chip, node.node, i+1, f.DigitBits))
		unused -= f.DigitBits
	}
	if unused > 0 { // Digits of dimensions that a programmable router does not use
		list = append(list, verilog.Sized(unused, 0))
	}
	return list
}

// digitOf is a digit of a node: a constant, or in a chip a part of the input chip.
func digitOf(p *plan.Plan, chip bool, node, dimension, bits int) string {
	if chip {
		for _, d := range p.Chips.Digits {
			if d.Dimension == dimension {
				return "chip" + verilog.Slice(d.Low, d.Bits)
			}
		}
	}
	return verilog.Sized(bits, p.Machine.Graph.Digit(node, dimension))
}

// inside lists the wires of the network to which a port of a node's router is connected.
func (v *networkView) inside(node nodeView, w plan.Wire) []string {
	switch {
	case w.Network == plan.FarLink:
		return v.arriving(node, w, func(from int, q plan.Port) string { return linkWire(from, q.Opposite, w.Signal) }, w.Signal)
	case w.Network == plan.FarNode:
		return v.arriving(node, w, func(from int, _ plan.Port) string { return wireOf(from, w.Inside()) }, w.Inside())
	case w.Network == plan.Common:
		return []string{w.Inside()}
	case w.Stream == plan.LinkOut:
		return each.Of(v.Ports, func(q plan.Port) string {
			if v.chip && q.Queue.Chips {
				return cableWire(q.Index, "out", w.Signal) + verilog.Lane(node.Index, w.Bits)
			}
			return linkWire(node.Index, q.Index, w.Signal)
		})
	case v.seen[w.Inside()]:
		return []string{wireOf(node.Index, w.Inside())}
	}
	lanes := w.Lanes
	if w.Links {
		lanes = v.Degree
	}
	return []string{w.Inside() + verilog.Lane(node.Index, lanes, w.Bits)}
}

// arriving lists the wires that lead from the neighbours to the ports of a node: a wire of the neighbour, or if the link has
// registers, the far end of the link, or the place of the node in what arrives by a cable.
func (v *networkView) arriving(node nodeView, w plan.Wire, near func(from int, q plan.Port) string, signal string) (list []string) {
	for _, q := range v.Ports {
		from := v.index(v.Machine.Graph.Neighbor(node.node, q.Index))
		switch {
		case v.chip && q.Queue.Chips:
			list = append(list, cableWire(q.Index, "in", signal)+verilog.Lane(node.Index, w.Bits))
		case q.Queue.Latency > 0:
			list = append(list, farWire(from, q.Opposite, signal))
		default:
			list = append(list, near(from, q))
		}
	}
	return list
}
