// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/plan"
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
	Operation     string  `json:"operation"`
	LUT4          int     `json:"lut4"`
	FF            int     `json:"ff"`
	Clock         clock   `json:"clock"`
	Cycles        int     `json:"cycles"`
	NS            float64 `json:"ns"`
	MessageCycles int     `json:"message_cycles"`
	MessageNS     float64 `json:"message_ns"`
}

// collectives measures the nodes of collective networks, beside the routers of the carrier.
func (b *bench) collectives(router *result, tools map[string]string) ([]collectiveNode, error) {
	file := filepath.Join(b.work, "torus4x4_collectives.hcl")
	if err := os.WriteFile(file, []byte(torus4x4Collectives), 0o644); err != nil {
		return nil, err
	}
	p, err := load(file, nil)
	if err != nil {
		return nil, err
	}
	if _, err := output(b.command(b.hcgen, "-c", file, "-o", b.out(p))); err != nil {
		return nil, err
	}
	var nodes []collectiveNode
	for _, c := range p.Machine.Collectives {
		n, err := b.collective(p, c.Name, c.Operation, router, tools)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// collective measures one of the networks, with the clock that the routers are asked for.
func (b *bench) collective(p *plan.Plan, name, operation string, router *result, tools map[string]string) (collectiveNode, error) {
	n := collectiveNode{Operation: operation}
	progress("%s: synthesis of the node of %s, seeds %s", p.Name, name, words(b.seeds))
	_, err := b.make(p, "synth-"+name, "SEEDS="+words(b.seeds), fmt.Sprintf("CLOCK=%g", router.Router.MHzGoal))
	if err != nil {
		return n, err
	}
	sum, err := b.summary(p, "synth-"+name, "node", tools)
	if err != nil {
		return n, err
	}
	n.LUT4, n.FF, n.Clock = sum.Router.LUT4, sum.Router.FF, sum.Clock
	network, err := completion.Network(p.Machine, operation)
	if err != nil {
		return n, err
	}
	messages, _, err := completion.Routers(p.Machine, operation)
	if err != nil {
		return n, err
	}
	n.Cycles, n.MessageCycles = network-1, messages-1 // the first cycle is not counted, as in the other tables
	n.NS, n.MessageNS = nanoseconds(n.Cycles, n.Clock.Median), nanoseconds(n.MessageCycles, router.Router.Clock.Median)
	return n, nil
}

// collectiveRows has two rows for each operation; it is empty if none was measured.
func collectiveRows(results []*result, nodes []collectiveNode) [][]string {
	router := resultOf(results, carrier)
	if router == nil || len(nodes) == 0 {
		return nil
	}
	rows := [][]string{{"operation", "on", "LUT4", "FF", "MHz", "cycles", "ns"}}
	for _, n := range nodes {
		x := router.Router
		rows = append(rows,
			[]string{n.Operation, "collective network", whole(n.LUT4), whole(n.FF), fmt.Sprintf("%.0f", n.Clock.Median), whole(n.Cycles), fmt.Sprintf("%.0f", n.NS)},
			[]string{n.Operation, "routers, by messages", whole(x.LUT4), whole(x.FF), fmt.Sprintf("%.0f", x.Clock.Median), whole(n.MessageCycles), fmt.Sprintf("%.0f", n.MessageNS)})
	}
	return rows
}
