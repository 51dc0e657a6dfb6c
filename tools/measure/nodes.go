// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// What nodes writes: the 4x4 torus beside its routers, and nodes of several machines.
var (
	besidePlace = place{"README.md", "collective-figures"}
	nodesPlace  = place{"docs/collective-networks.md", "nodes"}
)

// carrier is the subject whose routers carry out the operations by messages: a total exchange needs destinations.
const carrier = reference + "_destination"

// networkBits is the payload of the whole networks that are placed: with 32 bits they do not fit on the device.
const networkBits = 4

// nodeMachines are the machines whose nodes are placed. The first has the network of the carrier.
var nodeMachines = []string{"4x4", "4-cube", "8x8", "5x5x5"}

// together are networks with several operations, which are also placed as networks of their own.
var together = []string{
	collective.AllGather + "," + collective.TotalExchange,
	collective.AllGather + "," + collective.ReduceScatter,
	collective.AllGather + "," + collective.ReduceScatter + "," + collective.AllReduce,
}

// comparedOperations are those of the comparison with the carrier.
var comparedOperations = []string{collective.AllGather, collective.TotalExchange}

// placed is a design that is placed: one node or router, or the network of all of them.
type placed struct {
	operation, machine, design, on string
	made                           *synthesis.Measured
	network                        bool
	cycles                         int // from the first injection or the start to the last delivery, in the models; of several operations the sum
	chunk                          int // bits of a chunk, of nodes that combine words
}

var placedColumns = []column[placed]{
	{"operation", "operation", "", "%s", func(p placed) any { return p.operation }},
	{"machine", "machine", "", "%s", func(p placed) any { return p.machine }},
	{"design", "design", "", "%s", func(p placed) any { return p.design }},
	{"on", "on", "", "%s", func(p placed) any { return p.on }},
	{"chunk", "chunk", "", "%d", func(p placed) any { return unlessZero(p.chunk) }},
	{"lut4", "LUT4", "", "%d", func(p placed) any { return p.cells().LUT4 }},
	{"ff", "FF", "", "%d", func(p placed) any { return p.cells().FF }},
	{"bram", "block RAM", "", "%d", func(p placed) any { return p.cells().BRAM }},
	{"mhz", "MHz", "median of the seeds", "%.0f", func(p placed) any {
		if p.made.Overflow != nil {
			return "no fit"
		}
		return p.made.Clock.Median
	}},
	{"cycles", "cycles", "", "%d", func(p placed) any { return p.cycles }},
	{"ns", "ns", "", "%.0f", func(p placed) any {
		if p.made.Overflow != nil {
			return nil
		}
		return nanoseconds(p.cycles, p.made.Clock.Median)
	}},
}

// cells are those of the design, which may be a network.
func (p placed) cells() synthesis.Cells {
	if p.network && p.made.Network != nil {
		return *p.made.Network
	}
	return p.made.Cells
}

// nodes synthesizes nodes of collective networks, and those of the 4x4 torus beside its routers: one of them, and the whole network.
func nodes(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	seedList := flags.String("seeds", "1 2 3 4 5", "`seeds` of placement, with blanks or commas between them")
	return func(ctx context.Context) (*report, error) {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		beside, all, units, err := placedDesigns(seeds)
		if err != nil {
			return nil, err
		}
		if err := r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units); err != nil {
			return nil, err
		}
		figures := []string{"lut4", "ff", "mhz", "cycles", "ns"}
		compared := tableOf("4x4 torus beside its routers", only(placedColumns, append([]string{"operation", "design", "on"}, figures...)...), beside)
		nodes := tableOf("nodes with words of 32 bits", only(placedColumns, append([]string{"operation", "machine", "chunk"}, figures...)...), all)
		return &report{
			Tables: []table{compared, nodes},
			pages:  []page{{besidePlace, []table{compared}, ""}, {nodesPlace, []table{nodes}, ""}},
		}, nil
	}
}

// nodeTarget is the machine of the carrier, and the target that nodes share with its router.
func nodeTarget(seeds []int) (*machine.Machine, machine.Synthesis, error) {
	chosen, err := choose([]string{carrier})
	if err != nil {
		return nil, machine.Synthesis{}, err
	}
	routers, err := chosen[0].machine()
	if err != nil {
		return nil, machine.Synthesis{}, err
	}
	return routers, chosen[0].target(routers, seeds, false), nil
}

// placedDesigns are the designs of both tables, and the units that synthesize them.
func placedDesigns(seeds []int) (beside, all []placed, units []unit, err error) {
	routers, target, err := nodeTarget(seeds)
	if err != nil {
		return nil, nil, nil, err
	}
	add := func(name string, m *machine.Machine, collective string, network bool) *synthesis.Measured {
		made := &synthesis.Measured{}
		t, fault := synthesis.NewTask(m, collective, synthesis.Options{Target: target, Network: network})
		err = errors.Join(err, fault)
		units = append(units, unit{name, task{Synthesis: t}, made})
		return made
	}
	for _, title := range nodeMachines {
		for _, operation := range slices.Concat(explore.CollectiveOperations(), together) {
			m, c := shaped(title), explore.CollectiveBlock(operation)
			m.Collectives, m.NoRouters = []machine.Collective{c}, true
			p, fault := plan.NewCollective(m, c, schedule.ForNetwork)
			if err = errors.Join(err, fault); err != nil {
				return nil, nil, nil, err
			}
			cycles := 0
			for _, one := range strings.Split(operation, ",") {
				whole, fault := completion.Network(m, one) // cycles of whole words
				err = errors.Join(err, fault)
				cycles += whole + p.Skew
			}
			all = append(all, placed{strings.ReplaceAll(operation, ",", ", "), title, "", "", add(title+"."+c.Name, m, c.Name, false), false, cycles, p.Figures()[0].Chunk})
		}
	}
	router := add(carrier+".router", routers, "", false)
	routers.PayloadBits = networkBits
	routersNetwork := add(carrier+".network", routers, "", true)
	for _, operation := range comparedOperations {
		title := nodeMachines[0]
		m, c := shaped(title), explore.CollectiveBlock(operation)
		c.PayloadBits = networkBits
		m.Collectives, m.NoRouters = []machine.Collective{c}, true
		network := add(title+"."+operation+".network", m, c.Name, true)
		messages, _, fault := completion.Routers(routers, operation)
		err = errors.Join(err, fault)
		node, whole := "node, 32 bits", fmt.Sprintf("%d nodes, %d bits", m.Graph.Nodes(), networkBits)
		const collective, byMessages = "collective network", "routers, by messages"
		for _, p := range all {
			if p.machine == title && p.operation == operation {
				beside = append(beside,
					placed{operation, title, node, collective, p.made, false, p.cycles, 0},
					placed{operation, title, node, byMessages, router, false, messages, 0},
					placed{operation, title, whole, collective, network, true, p.cycles, 0},
					placed{operation, title, whole, byMessages, routersNetwork, true, messages, 0})
			}
		}
	}
	return beside, all, units, err
}
