// SPDX-License-Identifier: Apache-2.0

// Package certificate makes deadlock certificates: for a machine, the wait edges
// between the resources of its routers, an order in which no edge goes upwards, and
// the rule of the rings, whose edges the order does not cover. They imply that no
// reachable state of the network is stuck; docs/verification.md has the proof.
//
// All routers are identical, so the certificate lists the resources of one router,
// the edges to its own and its neighbours' resources, and for each ring port the
// rings of one line of nodes.
//
// Package certificate/verify checks a certificate and shares no code with this one
// or with the generator.
package certificate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Format and Version begin every certificate. The version changes with the meaning
// of any field.
const (
	Format  = "hcgen-deadlock-certificate"
	Version = 5
)

// Certificate is the whole file.
type Certificate struct {
	Format      string     `json:"format"`
	Version     int        `json:"version"`
	Machine     Machine    `json:"machine"`
	Assumptions []string   `json:"assumptions"`
	Resources   []Resource `json:"resources"`
	Edges       []Edge     `json:"edges"`
	Rings       []RingPort `json:"rings"`
}

// Machine has all parameters on which the rest depends.
type Machine struct {
	Name       string      `json:"name"`
	Preference string      `json:"preference"`
	Nodes      int         `json:"nodes"`
	FIFODepth  int         `json:"fifo_depth"` // slots of a hop
	Stages     int         `json:"stages"`     // cycles per hop
	Delivery   string      `json:"delivery"`   // merged, or per_port with a register for each link
	Dimensions []Dimension `json:"dimensions"` // dimension 1 first

	// Destination: messages have destinations, and enter on all ports. Missing if every message is a broadcast.
	Destination bool `json:"destination,omitempty"`
}

// Dimension is one ring.
type Dimension struct {
	M   int `json:"m"`
	Rho int `json:"rho"`
}

// Kinds of resources.
const (
	KindDelivery = "delivery" // delivery register
	KindInput    = "input"    // slots of a link input; in a ring, if the link belongs to a ring port
	KindRing     = "ring"     // output register of a ring port; in a ring
	KindEntry    = "entry"    // output register of any other port
	KindGroup    = "group"    // right to enter a dimension; one message has it until all ports of the group have taken it
	KindLocal    = "local"    // local input; holds no message in the network, but may hold groups
)

// Resource is a part of a router that a message can hold or wait for.
type Resource struct {
	Name      string `json:"name"` // unique
	Kind      string `json:"kind"`
	Dimension int    `json:"dimension,omitempty"` // of the resource's port, or of the group
	Direction string `json:"direction,omitempty"` // of the resource's port
	Distance  int    `json:"distance,omitempty"`  // likewise
	Depth     int    `json:"depth,omitempty"`     // slots; 1 for a register, none for a group and the local input
	Order     int    `json:"order"`               // outside rings, holders wait only for resources of lower order
}

// Rules by which the message in an output register, the head of a link input, or the holder of a
// group waits: for a slot, or for the group.
const (
	RuleSend     = "send"     // over a link into the slots of its input
	RulePass     = "pass"     // likewise within the ring, from a ring port
	RuleDeliver  = "deliver"  // a copy for the local output
	RuleAsk      = "ask"      // a copy for a dimension, which needs the group first
	RuleEnter    = "enter"    // the holder of the group enters on its ports; on a ring port subject to the bubble rule
	RuleTransfer = "transfer" // from a link shorter than rho onto the ring port, subject to the bubble rule
	RuleContinue = "continue" // within the ring
)

// The place of the resource that an edge leads to.
const (
	AtNode     = "node"     // in the same router
	AtNeighbor = "neighbor" // in the router at the other end of the port's link
)

// Edge means that the holder of From may wait for To.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	At   string `json:"at"`
	Rule string `json:"rule"`
}

// RingPort holds the rule of a ring port, and its rings in one line of nodes: nodes that differ
// only in the digit of its dimension.
type RingPort struct {
	Port          string `json:"port"`
	Input         string `json:"input"`          // of the next node, whose slots are in the ring
	Slots         int    `json:"slots"`          // of the ring for each of its nodes: the output register and the slots of the input
	ContinueFirst bool   `json:"continue_first"` // the bubble rule: while a message requests to continue, none enters or transfers
	Lines         int    `json:"lines"`          // lines of nodes: copies of the rings
	Rings         []Ring `json:"rings"`
}

// Ring is the list of nodes with the digits First, First + Step, .. mod m, Length in all.
type Ring struct {
	First  int `json:"first"`
	Step   int `json:"step"`
	Length int `json:"length"`
}

// register is the number of slots of a register.
const register = 1

// assumptions of the proof, which a certificate cannot establish.
var assumptions = []string{
	"routers behave as docs/architecture.md says and start from reset",
	"links lose, change and add nothing",
	"every receiver is ready again and again",
}

// New makes the certificate of a machine.
func New(p *plan.Plan) *Certificate {
	c := &Certificate{
		Format:  Format,
		Version: Version,
		Machine: Machine{
			Name: p.Name, Preference: p.Machine.Preference.String(), Nodes: p.Nodes,
			FIFODepth: p.Machine.FIFODepth, Stages: p.Stages, Delivery: p.Machine.Delivery.String(),
			Destination: p.Destination != nil,
		},
		Assumptions: assumptions,
		Resources:   []Resource{},
		Rings:       []RingPort{},
	}
	if p.Machine.Delivery == machine.Merged {
		c.Resources = append(c.Resources, Resource{Name: deliveryName(p, 0), Kind: KindDelivery, Depth: register})
	}
	for _, d := range p.Dims {
		c.Machine.Dimensions = append(c.Machine.Dimensions, Dimension{M: d.M, Rho: d.Rho})
	}
	for _, q := range p.Ports {
		if !q.Fed {
			continue // no register, and no message arrives at the other end
		}
		c.link(p, q)
	}
	for _, d := range p.Dims {
		c.Resources = append(c.Resources, Resource{Name: groupName(d.Index), Kind: KindGroup, Dimension: d.Index, Order: order(d.Index, ofGroup)})
		for _, q := range d.Entered {
			c.edge(groupName(d.Index), portName(q), AtNode, RuleEnter)
		}
	}
	c.Resources = append(c.Resources, Resource{Name: localName, Kind: KindLocal, Order: order(len(p.Dims), ofGroup) + 1})
	for _, d := range p.Dims {
		c.edge(localName, groupName(d.Index), AtNode, RuleAsk)
	}
	return c
}

// Delivery waits for nothing in the network and has order 0. The dimensions follow, the lowest
// first, each with these steps.
const (
	ofRing  = 1 + iota // ring ports, and the link inputs that they lead to
	ofInput            // other link inputs
	ofEntry            // ports that lead to those inputs
	ofGroup            // the right to enter the dimension
)

func order(dimension, step int) int { return (dimension-1)*ofGroup + step }

const localName = "local"

// deliveryName is the delivery register for messages of a link input.
func deliveryName(p *plan.Plan, input int) string {
	if p.Machine.Delivery == machine.Merged {
		return "delivery"
	}
	return fmt.Sprintf("delivery %d", input)
}

func inputName(index int) string     { return fmt.Sprintf("input %d", index) }
func portName(index int) string      { return fmt.Sprintf("port %d", index) }
func groupName(dimension int) string { return fmt.Sprintf("group %d", dimension) }

func (c *Certificate) edge(from, to, at, rule string) {
	c.Edges = append(c.Edges, Edge{From: from, To: to, At: at, Rule: rule})
}

// link adds a port, the link input that it leads to, and their wait edges. The input is listed as the
// input of the opposite port of this router.
func (c *Certificate) link(p *plan.Plan, q plan.Port) {
	far := p.Ports[q.Opposite]
	input := inputName(far.Index)
	port := Resource{Name: portName(q.Index), Kind: KindEntry, Dimension: q.Dimension, Direction: q.Direction.String(), Distance: q.Distance, Depth: register, Order: order(q.Dimension, ofEntry)}
	slots := Resource{Name: input, Kind: KindInput, Dimension: far.Dimension, Direction: far.Direction.String(), Distance: far.Distance, Depth: p.InputSlots, Order: order(q.Dimension, ofInput)}
	rule := RuleSend
	if q.Ring {
		port.Kind, port.Order, slots.Order = KindRing, order(q.Dimension, ofRing), order(q.Dimension, ofRing)
		rule = RulePass
		c.Rings = append(c.Rings, ringPort(p, q))
	}
	c.Resources = append(c.Resources, port, slots)
	if p.Machine.Delivery == machine.PerPort {
		delivery := slots
		delivery.Name, delivery.Kind, delivery.Depth, delivery.Order = deliveryName(p, far.Index), KindDelivery, register, 0
		c.Resources = append(c.Resources, delivery)
	}
	c.edge(port.Name, input, AtNeighbor, rule)
	c.edge(input, deliveryName(p, far.Index), AtNode, RuleDeliver)
	for _, d := range p.Dims {
		if slices.Contains(d.Sources, far.Index) {
			c.edge(input, groupName(d.Index), AtNode, RuleAsk)
		}
	}
	if far.ContinueTo == q.Index {
		c.edge(input, port.Name, AtNode, RuleContinue)
	} else if far.ContinueTo >= 0 {
		c.edge(input, portName(far.ContinueTo), AtNode, RuleTransfer)
	}
}

// ringPort follows the links of a ring port through a line of nodes.
func ringPort(p *plan.Plan, q plan.Port) RingPort {
	m := p.Dims[q.Dimension-1].M
	r := RingPort{
		Port: portName(q.Index), Input: inputName(q.Opposite), Slots: register + p.InputSlots, ContinueFirst: true,
		Lines: p.Nodes / m, Rings: []Ring{},
	}
	step := q.Distance
	if q.Direction == hypercycle.CCW {
		step = -step
	}
	seen := make([]bool, m)
	for first := range m {
		length := 0
		for at := first; !seen[at]; at = (at + step + m) % m {
			seen[at] = true
			length++
		}
		if length > 0 {
			r.Rings = append(r.Rings, Ring{First: first, Step: step, Length: length})
		}
	}
	return r
}

// Encode writes the certificate as JSON with a line for each resource, edge and
// ring port, so that messages can name the line and two certificates compare well.
// Two calls give the same bytes.
func (c *Certificate) Encode() ([]byte, error) {
	var b bytes.Buffer
	var failure error
	text := func(v any) []byte {
		data, err := json.Marshal(v)
		if err != nil && failure == nil {
			failure = err
		}
		return data
	}
	list := func(name string, n int, element func(int) any) {
		fmt.Fprintf(&b, "  %q: [", name)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "\n    %s", text(element(i)))
		}
		if n > 0 {
			b.WriteString("\n  ")
		}
		b.WriteByte(']')
	}
	fmt.Fprintf(&b, "{\n  \"format\": %s,\n  \"version\": %s,\n  \"machine\": %s,\n", text(c.Format), text(c.Version), text(c.Machine))
	list("assumptions", len(c.Assumptions), func(i int) any { return c.Assumptions[i] })
	b.WriteString(",\n")
	list("resources", len(c.Resources), func(i int) any { return c.Resources[i] })
	b.WriteString(",\n")
	list("edges", len(c.Edges), func(i int) any { return c.Edges[i] })
	b.WriteString(",\n")
	list("rings", len(c.Rings), func(i int) any { return c.Rings[i] })
	b.WriteString("\n}\n")
	return b.Bytes(), failure
}
