// SPDX-License-Identifier: Apache-2.0

// Package certificate makes deadlock certificates: for one machine, what waits for
// what in its routers, an order in which nothing waits upwards, and the rule of the
// rings, within which the order has to stop. From these follows that no reachable
// state of the network is stuck; the page docs/verification.md has the proof.
//
// All routers are the same, so the certificate lists the resources of one, with the
// edges to those of itself and of its neighbours, and of the rings of each port
// those of one line of nodes.
//
// Package certificate/verify checks a certificate and shares no code with this one
// or with the generator.
package certificate

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// Format and Version begin every certificate. The version changes with the meaning
// of any field.
const (
	Format  = "hcgen-deadlock-certificate"
	Version = 4 // of 1, a ring port had one queue of 3 slots; of 2, all queues had 2; of 3, link inputs had none and there was one delivery
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
	FIFODepth  int         `json:"fifo_depth"` // slots of delivery and of every port that is not a ring port
	Stages     int         `json:"stages"`     // 2 if link inputs have queues, else 1
	Delivery   string      `json:"delivery"`   // merged, or per_port with a queue for each link
	Dimensions []Dimension `json:"dimensions"` // dimension 1 first
}

// Dimension is one ring.
type Dimension struct {
	M   int `json:"m"`
	Rho int `json:"rho"`
}

// Kinds of resources.
const (
	KindDelivery = "delivery" // queue to a local output
	KindInput    = "input"    // queue of a link input; that of a link of a ring port is in its ring
	KindRing     = "ring"     // slots of a ring port that are in its ring: the output slot, and the waiting slot of messages that continue
	KindWaiting  = "waiting"  // waiting slot of a ring port for messages that enter; it is not in the ring
	KindEntry    = "entry"    // queue of any other port
	KindGroup    = "group"    // right to enter a dimension; one message has it until all ports of the group have taken it
	KindLocal    = "local"    // local input; holds no message of the network, but may hold groups
)

// Resource is something of a router that a message can hold or wait for.
type Resource struct {
	Name      string `json:"name"` // unique
	Kind      string `json:"kind"`
	Dimension int    `json:"dimension,omitempty"` // of a port or what belongs to one, or of a group
	Direction string `json:"direction,omitempty"` // of a port or what belongs to one
	Distance  int    `json:"distance,omitempty"`  // likewise
	Depth     int    `json:"depth,omitempty"`     // slots; a group and the local input have none
	Order     int    `json:"order"`               // nothing waits for a resource of its own or a higher order, but in rings
}

// Rules by which the message at the output of a port, at the head of a link input or in a
// waiting slot, or the holder of a group, waits for something.
const (
	RuleSend     = "send"     // over a link into the queue of its input
	RulePass     = "pass"     // likewise within the ring, from a ring port
	RuleDeliver  = "deliver"  // a copy for the local output
	RuleAsk      = "ask"      // a copy for a dimension: the group is needed first
	RuleEnter    = "enter"    // the holder of the group is put on its ports; of a ring port into the waiting slot
	RuleTransfer = "transfer" // from a link shorter than rho into the waiting slot of the ring port
	RuleJoin     = "join"     // from the waiting slot into the ring
	RuleContinue = "continue" // within the ring
)

// Where the resource is that is waited for.
const (
	AtNode     = "node"     // in the same router
	AtNeighbor = "neighbor" // in the router at the other end of the port's link
)

// Edge says that what holds From may wait for To.
type Edge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	At    string `json:"at"`
	Rule  string `json:"rule"`
	Slots int    `json:"slots,omitempty"` // that must be free at the start of a cycle, or, to join, left in it; a group has none
}

// RingPort is the rule of a ring port and the rings that it makes in one line of
// nodes, those that differ in the digit of its dimension only.
type RingPort struct {
	Port          string `json:"port"`
	Input         string `json:"input,omitempty"` // of the next node, whose queue is in the ring; empty without queues of link inputs
	ContinueSlots int    `json:"continue_slots"`
	JoinSlots     int    `json:"join_slots"`
	ContinueFirst bool   `json:"continue_first"` // while a message asks to continue, none joins
	Lines         int    `json:"lines"`          // lines of nodes: copies of the rings
	Rings         []Ring `json:"rings"`
}

// Ring is the nodes with the digits First, First + Step, .. mod m, Length in all.
type Ring struct {
	First  int `json:"first"`
	Step   int `json:"step"`
	Length int `json:"length"`
}

// Slots that the rules of docs/architecture.md ask for.
const (
	ringDepth     = 2 // the output slot and the waiting slot of messages that continue
	waitingDepth  = 1
	continueSlots = 1 // that waiting slot
	joinSlots     = 2 // both: the bubble rule
	entrySlots    = 1 // of every other queue
)

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
		},
		Assumptions: assumptions,
		Resources:   []Resource{},
		Rings:       []RingPort{},
	}
	if p.Machine.Delivery == machine.Merged {
		c.Resources = append(c.Resources, Resource{Name: deliveryName(p, 0), Kind: KindDelivery, Depth: p.DeliveryDepth})
	}
	for _, d := range p.Dims {
		c.Machine.Dimensions = append(c.Machine.Dimensions, Dimension{M: d.M, Rho: d.Rho})
	}
	// Delivery waits for nothing in the network. Then come the dimensions, the
	// lowest first: its rings, what waits to join them, the queues of the other link
	// inputs if there are any, the ports that feed all that, and the right to enter it.
	inputs := p.Stages - 1
	perDimension := 4 + inputs
	for _, q := range p.Ports {
		if q.Depth == 0 {
			continue // no queue, and nothing comes at the other end
		}
		c.input(p, p.Ports[q.Opposite], perDimension*(q.Dimension-1), q.Ring)
		r := Resource{
			Name: portName(q.Index), Kind: KindRing, Dimension: q.Dimension, Direction: q.Direction.String(), Distance: q.Distance,
			Depth: q.Depth, Order: perDimension*(q.Dimension-1) + 1,
		}
		if q.Ring {
			r.Depth = ringDepth
			c.Resources = append(c.Resources, r)
			r.Name, r.Kind, r.Depth = waitingName(q.Index), KindWaiting, waitingDepth
			r.Order++
			c.edge(r.Name, portName(q.Index), AtNode, RuleJoin, joinSlots)
			c.Rings = append(c.Rings, ringPort(p, q))
		} else {
			r.Kind = KindEntry
			r.Order += 2 + inputs
		}
		c.Resources = append(c.Resources, r)
		c.waits(p, q)
	}
	for _, d := range p.Dims {
		c.Resources = append(c.Resources, Resource{Name: groupName(d.Index), Kind: KindGroup, Dimension: d.Index, Order: perDimension * d.Index})
		for _, q := range d.Entered {
			to := portName(q)
			if p.Ports[q].Ring {
				to = waitingName(q)
			}
			c.edge(groupName(d.Index), to, AtNode, RuleEnter, entrySlots)
		}
	}
	c.Resources = append(c.Resources, Resource{Name: localName, Kind: KindLocal, Order: perDimension*len(p.Dims) + 1})
	for _, d := range p.Dims {
		c.edge(localName, groupName(d.Index), AtNode, RuleAsk, 0)
	}
	return c
}

const localName = "local"

// deliveryName is the delivery queue that a message of a link input goes to.
func deliveryName(p *plan.Plan, input int) string {
	if p.Machine.Delivery == machine.Merged {
		return "delivery"
	}
	return fmt.Sprintf("delivery %d", input)
}

func inputName(index int) string     { return fmt.Sprintf("input %d", index) }
func portName(index int) string      { return fmt.Sprintf("port %d", index) }
func waitingName(index int) string   { return fmt.Sprintf("waiting %d", index) }
func groupName(dimension int) string { return fmt.Sprintf("group %d", dimension) }

func (c *Certificate) edge(from, to, at, rule string, slots int) {
	c.Edges = append(c.Edges, Edge{From: from, To: to, At: at, Rule: rule, Slots: slots})
}

// input adds what a link input has of its own. inRing tells whether what comes there is in
// a ring.
func (c *Certificate) input(p *plan.Plan, q plan.Port, order int, inRing bool) {
	r := Resource{Dimension: q.Dimension, Direction: q.Direction.String(), Distance: q.Distance}
	if p.Machine.Delivery == machine.PerPort {
		r.Name, r.Kind, r.Depth = deliveryName(p, q.Index), KindDelivery, p.DeliveryDepth
		c.Resources = append(c.Resources, r)
	}
	if p.Stages == 1 {
		return
	}
	r.Name, r.Kind, r.Depth, r.Order = inputName(q.Index), KindInput, plan.InputDepth, order+3
	if inRing {
		r.Order = order + 1
	}
	c.Resources = append(c.Resources, r)
}

// waits adds what the message at a port's output may wait for. The neighbour sees it on the
// input of the same link, or at the head of its queue.
func (c *Certificate) waits(p *plan.Plan, q plan.Port) {
	name, at := portName(q.Index), AtNeighbor
	if p.Stages == 2 {
		rule := RuleSend
		if q.Ring {
			rule = RulePass
		}
		c.edge(name, inputName(q.Opposite), AtNeighbor, rule, entrySlots)
		name, at = inputName(q.Opposite), AtNode
	}
	c.edge(name, deliveryName(p, q.Opposite), at, RuleDeliver, entrySlots)
	for _, d := range p.Dims {
		for _, input := range d.Sources {
			if input == q.Opposite {
				c.edge(name, groupName(d.Index), at, RuleAsk, 0)
			}
		}
	}
	if to := p.Ports[q.Opposite].ContinueTo; to == q.Index {
		c.edge(name, portName(to), at, RuleContinue, continueSlots)
	} else if to >= 0 {
		c.edge(name, waitingName(to), at, RuleTransfer, entrySlots)
	}
}

// ringPort follows the links of a ring port through a line of nodes.
func ringPort(p *plan.Plan, q plan.Port) RingPort {
	m := p.Dims[q.Dimension-1].M
	r := RingPort{
		Port: portName(q.Index), ContinueSlots: continueSlots, JoinSlots: joinSlots, ContinueFirst: true,
		Lines: p.Nodes / m, Rings: []Ring{},
	}
	if p.Stages == 2 {
		r.Input = inputName(q.Opposite)
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
