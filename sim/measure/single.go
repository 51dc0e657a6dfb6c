// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"fmt"
	"sort"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// Result describes one message alone in the network.
type Result struct {
	Source        int        `json:"source"`
	To            []any      `json:"to,omitempty"`   // the destination of an addressed message, highest dimension first: a digit, or "*" for all
	Steps         int        `json:"steps"`          // router steps until the last delivery: the largest distance in the destination set
	Messages      int        `json:"messages"`       // handshakes on links; N - 1 of a broadcast
	Cycles        int        `json:"cycles"`         // from the injection handshake to the last delivery handshake
	DeliveryBound float64    `json:"delivery_bound"` // of many broadcasts, see DeliveryBound
	Deliveries    []Delivery `json:"deliveries"`
}

// Delivery is the arrival of the message at one node.
type Delivery struct {
	Node   int    `json:"node"`
	Step   int    `json:"step"`   // 1..steps
	Parent int    `json:"parent"` // node that the message came from
	Port   int    `json:"port"`   // port of the parent by which it left
	Cycle  int    `json:"cycle"`  // cycles from the injection handshake to the delivery handshake: for each hop stages and the registers of its link, plus 1
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
		panic(fmt.Sprintf("measure: source %d is outside 0..%d", source, p.Nodes-1))
	}
	r := NewRun(p, machine.Traffic{Sends: []machine.Send{{From: source, To: to}}}, model.Options{})
	result := Result{Source: source, DeliveryBound: DeliveryBound(p)}
	if to == nil {
		to = hypercycle.Everywhere(len(p.Dims))
	}
	if p.Destination != nil {
		result.To = written(to)
		r.Nodes.Choose = func(int, int) traffic.Message { return traffic.Message{To: to} }
	}
	size := 0
	for node := range p.Nodes {
		if p.Machine.Graph.Contains(to, source, node) {
			size++
		}
	}
	result.Deliveries = make([]Delivery, 0, size)
	streams := LocalOutputs(p)
	port := make([]int, p.Nodes) // link input by which the node received
	step := make([]int, p.Nodes)
	// The run continues until the network is empty, so that an extra delivery is found.
	for limit := 2*(p.Stages+p.Latency())*p.Machine.Graph.Diameter() + 16; len(result.Deliveries) < size || !r.Drained(); r.Finish() {
		cycle := r.Cycle() // the injection handshake is in cycle 0
		if cycle > limit {
			panic(fmt.Sprintf("measure: the message from %d to %v reached %d of %d nodes in %d cycles", source, to, len(result.Deliveries), size, cycle))
		}
		r.Network.Evaluate()
		for _, v := range r.Network.Evaluated() {
			node, router := int(v), r.Network.Router(int(v))
			for q := range p.Degree {
				if router.Arrives(q) {
					result.Messages++
					port[node] = q
					step[node] = step[p.Machine.Graph.Neighbor(node, q)] + 1
				}
			}
			for d := range p.Deliveries {
				if router.Delivered(d) == nil {
					continue
				}
				q := port[node]
				result.Deliveries = append(result.Deliveries, Delivery{
					Node:   node,
					Step:   step[node],
					Parent: p.Machine.Graph.Neighbor(node, q),
					Port:   p.Ports[q].Opposite,
					Cycle:  cycle,
					Stream: streams[d],
				})
				result.Cycles, result.Steps = cycle, max(result.Steps, step[node])
			}
		}
	}
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
		panic("measure: random traffic never completes")
	}
	r := NewRun(p, t, model.Options{})
	last := 0
	for delivered := 0; !r.Drained(); {
		r.Step()
		if r.count.deliveries > delivered {
			delivered, last = r.count.deliveries, r.Cycle()
		}
	}
	return last
}
