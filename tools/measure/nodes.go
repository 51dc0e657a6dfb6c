// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"

	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule/check"
)

// carrier is the subject whose routers carry out the operations by messages: a total exchange needs destinations.
const carrier = reference + "_destination"

// networkBits is the payload of the whole networks that are placed: with 32 bits they do not fit on the device.
const networkBits = 4

// torus4x4Collectives describes the collective networks that are measured, with the ports of the reference.
func torus4x4Collectives(bits int) (*machine.Machine, error) {
	block := func(name, operation string) string {
		return fmt.Sprintf("collective %q {\n    operation    = %q\n    payload_bits = %d\n  }\n  ", name, operation, bits)
	}
	return parseMachine(describe("torus4x4_collectives", block("all_gather", check.AllGather)+block("total_exchange", check.TotalExchange), "", 4, 4))
}

// carrierNetwork is the machine of the carrier with the payload of the networks that are placed.
func carrierNetwork() (*machine.Machine, error) {
	m, err := parseMachine(withDestinations(carrier, 4, 4))
	if err != nil {
		return nil, err
	}
	m.PayloadBits = networkBits
	return m, nil
}

// collectiveFigures are those of a design that carries out an operation: a node or router, or the network of all of them.
type collectiveFigures struct {
	Design string          `json:"design"`
	On     string          `json:"on"` // collective network, or routers by messages
	LUT4   int             `json:"lut4"`
	FF     int             `json:"ff"`
	Clock  synthesis.Clock `json:"clock"`
	Cycles int             `json:"cycles"` // from the start, or from the first injection, to the last delivery, in the models
	NS     float64         `json:"ns"`     // at the median clock
}

// collectiveOperation is an operation on collective networks and by messages.
type collectiveOperation struct {
	Operation string              `json:"operation"`
	Figures   []collectiveFigures `json:"figures"`
}

// madeCollective is what is synthesized of a collective network.
type madeCollective struct {
	operation     string
	node, network synthesis.Measured
}

// madeCollectives is what is synthesized of all of them, and of the network of the carrier.
type madeCollectives struct {
	all     []*madeCollective
	routers synthesis.Measured
}

// addCollectives adds the units of nodes and networks, with the clock that the routers of the carrier are asked for.
func (b *benchRun) addCollectives(target machine.Synthesis, into *madeCollectives) error {
	nodes, err := torus4x4Collectives(32)
	if err != nil {
		return err
	}
	networks, err := torus4x4Collectives(networkBits)
	if err != nil {
		return err
	}
	routers, err := carrierNetwork()
	if err != nil {
		return err
	}
	network := synthesis.Options{Target: target, Network: true}
	for i, c := range nodes.Collectives {
		n := &madeCollective{operation: c.Operation}
		into.all = append(into.all, n)
		if err := b.addSynthesis(nodes.Name+"."+c.Name, nodes, c.Name, synthesis.Options{Target: target}, &n.node); err != nil {
			return err
		}
		if err := b.addSynthesis(nodes.Name+"."+c.Name+".network", networks, networks.Collectives[i].Name, network, &n.network); err != nil {
			return err
		}
	}
	return b.addSynthesis(carrier+".network", routers, "", network, &into.routers)
}

// operations are the figures of all operations beside those of the router of the carrier.
func (made *madeCollectives) operations(router *router) (all []collectiveOperation, err error) {
	m, err := torus4x4Collectives(32)
	if err != nil {
		return nil, err
	}
	m.Destination = true
	for _, n := range made.all {
		if o := cmp.Or(n.network.Overflow, made.routers.Overflow); o != nil {
			return nil, &synthesis.Overflow{Use: *o}
		}
		network, err := completion.Network(m, n.operation)
		if err != nil {
			return nil, err
		}
		messages, _, err := completion.Routers(m, n.operation)
		if err != nil {
			return nil, err
		}
		figures := func(design, on string, cells synthesis.Cells, clock synthesis.Clock, cycles int) collectiveFigures {
			cycles-- // the first one is not counted, as in the other tables
			return collectiveFigures{design, on, cells.LUT4, cells.FF, clock, cycles, nanoseconds(cycles, clock.Median)}
		}
		node, sixteen := "node, 32 bits", fmt.Sprintf("16 nodes, %d bits", networkBits)
		const collective, byMessages = "collective network", "routers, by messages"
		all = append(all, collectiveOperation{n.operation, []collectiveFigures{
			figures(node, collective, n.node.Cells, n.node.Clock, network),
			figures(node, byMessages, synthesis.Cells{LUT4: router.LUT4, FF: router.FF}, router.Clock, messages),
			figures(sixteen, collective, *n.network.Network, n.network.Clock, network),
			figures(sixteen, byMessages, *made.routers.Network, made.routers.Clock, messages),
		}})
	}
	return all, nil
}

// collectiveRows has a row for each design of each operation; it is empty if none was measured.
func collectiveRows(operations []collectiveOperation) table {
	if len(operations) == 0 {
		return nil
	}
	rows := table{{"operation", "design", "on", "LUT4", "FF", "MHz", "cycles", "ns"}}
	for _, o := range operations {
		for _, f := range o.Figures {
			rows = append(rows, []string{o.Operation, f.Design, f.On, whole(f.LUT4), whole(f.FF), fmt.Sprintf("%.0f", f.Clock.Median), whole(f.Cycles), fmt.Sprintf("%.0f", f.NS)})
		}
	}
	return rows
}
