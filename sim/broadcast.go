// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"sort"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Result describes one broadcast alone in the network.
type Result struct {
	Source        int        `json:"source"`
	Steps         int        `json:"steps"`          // router steps until the last delivery, the sum of the D_i
	Messages      int        `json:"messages"`       // handshakes on links, N - 1
	Cycles        int        `json:"cycles"`         // from the injection handshake to the last delivery handshake, steps * stages + 1
	DeliveryBound float64    `json:"delivery_bound"` // of many broadcasts, see DeliveryBound
	Deliveries    []Delivery `json:"deliveries"`
}

// Delivery is the arrival of the broadcast at one node.
type Delivery struct {
	Node   int    `json:"node"`
	Step   int    `json:"step"`   // 1..steps
	Parent int    `json:"parent"` // node that the message came from
	Port   int    `json:"port"`   // port of the parent by which it left
	Cycle  int    `json:"cycle"`  // cycles from the injection handshake to the delivery handshake, step * stages + 1
	Stream string `json:"stream"` // of the node that hands it over, as in traces
}

// Broadcast runs one broadcast from source on the cycle model, in an idle network with all
// receivers ready. Deliveries are sorted by cycle, then by node. It panics if source is not a node,
// or if the broadcast does not end, which would be a bug in the model.
func Broadcast(p *plan.Plan, source int) Result {
	if source < 0 || source >= p.Nodes {
		panic(fmt.Sprintf("sim: source %d is outside 0..%d", source, p.Nodes-1))
	}
	n := newNetwork(p, machine.Traffic{Broadcasts: []machine.Broadcast{{Source: source}}}, nil)
	result := Result{Source: source, DeliveryBound: DeliveryBound(p), Deliveries: make([]Delivery, 0, p.Nodes-1)}
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
	for limit := 2*p.Stages*p.Machine.Graph.Diameter() + 16; len(result.Deliveries) < p.Nodes-1; n.Step() {
		if n.cycle > limit {
			panic(fmt.Sprintf("sim: the broadcast from %d reached %d of %d nodes in %d cycles", source, len(result.Deliveries), p.Nodes-1, n.cycle))
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
