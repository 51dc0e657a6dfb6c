// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"sort"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Result describes one message alone in the network.
type Result struct {
	Source        int        `json:"source"`
	To            []any      `json:"to,omitempty"`   // the destination of an addressed message, highest dimension first: a digit, or "*" for all
	Steps         int        `json:"steps"`          // router steps until the last delivery: the largest distance in the destination set
	Messages      int        `json:"messages"`       // handshakes on links; N - 1 of a broadcast
	Cycles        int        `json:"cycles"`         // from the injection handshake to the last delivery handshake, steps * stages + 1
	DeliveryBound float64    `json:"delivery_bound"` // of many broadcasts, see DeliveryBound
	Deliveries    []Delivery `json:"deliveries"`
}

// Delivery is the arrival of the message at one node.
type Delivery struct {
	Node   int    `json:"node"`
	Step   int    `json:"step"`   // 1..steps
	Parent int    `json:"parent"` // node that the message came from
	Port   int    `json:"port"`   // port of the parent by which it left
	Cycle  int    `json:"cycle"`  // cycles from the injection handshake to the delivery handshake, step * stages + 1
	Stream string `json:"stream"` // local output of the node, named as in traces
}

// Broadcast is Single for all nodes.
func Broadcast(p *plan.Plan, source int) Result { return Single(p, source, nil) }

// Single runs one message from source to a destination, alone in the network and with all receivers
// ready, on the cycle model. A destination of nil stands for all nodes, the only destination in a
// machine without destinations. Deliveries are sorted by cycle, then by node. It panics if source is not
// a node, if the destination set is empty, or if the message does not reach all of it, which would be a
// fault of the model.
func Single(p *plan.Plan, source int, to hypercycle.Destination) Result {
	if source < 0 || source >= p.Nodes {
		panic(fmt.Sprintf("sim: source %d is outside 0..%d", source, p.Nodes-1))
	}
	n := newNetwork(p, machine.Traffic{Sends: []machine.Send{{From: source, To: to}}}, nil)
	result := Result{Source: source, DeliveryBound: DeliveryBound(p)}
	if to == nil {
		to = hypercycle.Everywhere(len(p.Dims))
	}
	if p.Destination != nil {
		result.To = written(to)
		n.offers.choose = func(int32, int) offer { return offer{to: to} }
	}
	size := 0
	for node := range p.Nodes {
		if p.Machine.Graph.Contains(to, source, node) {
			size++
		}
	}
	result.Deliveries = make([]Delivery, 0, size)
	streams := localNames(p)
	port := make([]int32, p.Nodes) // link input by which the node received
	n.received = func(node, q int32) {
		result.Messages++
		port[node] = q
	}
	n.handed = func(node, stream int32, _ *Message) {
		q := port[node]
		cycle := n.cycle // the injection handshake is in cycle 0
		result.Deliveries = append(result.Deliveries, Delivery{
			Node:   int(node),
			Step:   (cycle - 1) / p.Stages,
			Parent: int(n.neighbor[int(node)*p.Degree+int(q)]),
			Port:   p.Ports[q].Opposite,
			Cycle:  cycle,
			Stream: streams[stream],
		})
		result.Cycles = cycle
	}
	// The run continues until the network is empty, so that an extra delivery is found.
	for limit := 2*p.Stages*p.Machine.Graph.Diameter() + 16; len(result.Deliveries) < size || !n.drained(); n.Step() {
		if n.cycle > limit {
			panic(fmt.Sprintf("sim: the message from %d to %v reached %d of %d nodes in %d cycles", source, to, len(result.Deliveries), size, n.cycle))
		}
	}
	result.Steps = (result.Cycles - 1) / p.Stages
	sort.Slice(result.Deliveries, func(i, j int) bool {
		a, b := result.Deliveries[i], result.Deliveries[j]
		if a.Cycle != b.Cycle {
			return a.Cycle < b.Cycle
		}
		return a.Node < b.Node
	})
	return result
}

// written is a destination as it is written: highest dimension first, "*" for all.
func written(to hypercycle.Destination) []any {
	list := make([]any, len(to))
	for i, digit := range to {
		list[len(to)-1-i] = digit
		if digit == hypercycle.All {
			list[len(to)-1-i] = "*"
		}
	}
	return list
}

// Complete runs the scheduled messages of traffic, with all receivers ready, until all are delivered, and returns the
// number of cycles up to the last delivery handshake, 0 without messages. It panics if the traffic has random messages.
func Complete(p *plan.Plan, t machine.Traffic) int {
	if t.Random != nil {
		panic("sim: random traffic never completes")
	}
	n := NewNetwork(p, t)
	last := 0
	n.handed = func(int32, int32, *Message) { last = n.cycle + 1 }
	for !n.drained() {
		n.Step()
	}
	return last
}
