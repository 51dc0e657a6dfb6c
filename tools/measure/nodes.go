// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule/check"
)

// carrier is the subject whose routers carry out the operations by messages: a total exchange needs destinations.
const carrier = reference + "_destination"

// torus4x4Collectives has the collective networks that are measured, with the ports and the payload of the reference.
var torus4x4Collectives = describe("torus4x4_collectives", `collective "all_gather" {
    operation    = "`+check.AllGather+`"
    payload_bits = 32
  }
  collective "total_exchange" {
    operation    = "`+check.TotalExchange+`"
    payload_bits = 32
  }`, "", 4, 4)

// collectiveNode is a synthesized node of a collective network, and the operation on it and by messages: cycles from the
// start, or from the first injection, to the last delivery, in the models, and nanoseconds at the median clocks.
type collectiveNode struct {
	Operation     string          `json:"operation"`
	LUT4          int             `json:"lut4"`
	FF            int             `json:"ff"`
	Clock         synthesis.Clock `json:"clock"`
	Cycles        int             `json:"cycles"`
	NS            float64         `json:"ns"`
	MessageCycles int             `json:"message_cycles"`
	MessageNS     float64         `json:"message_ns"`
}

// madeNode is a synthesized node.
type madeNode struct {
	operation string
	made      synthesis.Measured
}

// addNodes adds the units of the nodes, with the clock that the routers of the carrier are asked for.
func (b *benchRun) addNodes(target machine.Synthesis) (nodes []*madeNode, err error) {
	m, err := parseMachine(torus4x4Collectives)
	if err != nil {
		return nil, err
	}
	for _, c := range m.Collectives {
		n := &madeNode{operation: c.Operation}
		if err := b.addSynthesis(m.Name+"."+c.Name, m, c.Name, synthesis.Options{Target: target}, &n.made); err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// newCollectiveNode returns the figures of a node beside those of the router of the carrier.
func newCollectiveNode(operation string, made *synthesis.Measured, router *router) (n collectiveNode, err error) {
	n = collectiveNode{Operation: operation, LUT4: made.LUT4, FF: made.FF, Clock: made.Clock}
	m, err := parseMachine(torus4x4Collectives)
	if err != nil {
		return n, err
	}
	m.Destination = true
	network, err := completion.Network(m, operation)
	if err != nil {
		return n, err
	}
	messages, _, err := completion.Routers(m, operation)
	n.Cycles, n.MessageCycles = network-1, messages-1 // the first cycle is not counted, as in the other tables
	n.NS, n.MessageNS = nanoseconds(n.Cycles, n.Clock.Median), nanoseconds(n.MessageCycles, router.Clock.Median)
	return n, err
}

// collectiveRows has two rows for each operation; it is empty if none was measured.
func collectiveRows(results []*result, nodes []collectiveNode) table {
	router := resultOf(results, carrier)
	if router == nil || len(nodes) == 0 {
		return nil
	}
	rows := table{{"operation", "on", "LUT4", "FF", "MHz", "cycles", "ns"}}
	for _, n := range nodes {
		x := router.Router
		rows = append(rows,
			[]string{n.Operation, "collective network", whole(n.LUT4), whole(n.FF), fmt.Sprintf("%.0f", n.Clock.Median), whole(n.Cycles), fmt.Sprintf("%.0f", n.NS)},
			[]string{n.Operation, "routers, by messages", whole(x.LUT4), whole(x.FF), fmt.Sprintf("%.0f", x.Clock.Median), whole(n.MessageCycles), fmt.Sprintf("%.0f", n.MessageNS)})
	}
	return rows
}
