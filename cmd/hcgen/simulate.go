// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
)

func newSimulate(c *console) *cobra.Command {
	var from config
	source, traffic, file, cycles := once{kind: "NODE"}, once{kind: "NAME"}, once{kind: "FILE"}, once{kind: "NUMBER"}
	var to, collective once
	collective.kind = "NAME"
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "simulate -c FILE",
		Short: "Simulate one message in an idle network, a load, or a collective network",
		Long: `Simulate one message in an idle network with the cycle-accurate model. Print when and
from which node it reaches each receiver: all other nodes, or the nodes of --to.

A source is a node number such as 14, or digits such as 3,2 with the highest dimension
first. A destination is written in the same way, with * for all digits of a dimension:
3,* is a row. Digits may be in brackets, as in descriptions.

With --traffic, simulate the load of a traffic block, and print its throughput, waits
and latencies.

With --collective, print what a node does in an operation of a collective network, step
by step: what its links and registers load, and what it delivers.

With --trace, write a golden trace instead: of this message or of a traffic block, for
the bench of an array of routers, or of a collective network.`,
		Example: `  hcgen simulate -c torus4x4.hcl
  hcgen simulate -c torus4x4.hcl --source 5 --json
  hcgen simulate -c torus4x4.hcl --source 3,2
  hcgen simulate -c addressed.hcl --source 3,2 --to '1,*'
  hcgen simulate -c torus4x4.hcl --traffic storm
  hcgen simulate -c torus4x4.hcl --traffic storm --cycles 20000 --json
  hcgen simulate -c torus4x4.hcl --traffic storm --trace -
  hcgen simulate -c sum4x4.hcl --collective sum --source 1,2`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case cycles.set && !traffic.set:
				return usage("add --traffic NAME", "--cycles needs --traffic")
			case traffic.set && source.set:
				return usage("remove one of them", "--source and --traffic exclude each other: a traffic block has its own sources")
			case traffic.set && to.set:
				return usage("remove one of them", "--to and --traffic exclude each other: a traffic block has its own destinations")
			case collective.set && traffic.set:
				return usage("remove one of them", "--collective and --traffic exclude each other: a collective network has no traffic")
			case collective.set && to.set:
				return usage("remove one of them", "--collective and --to exclude each other: a collective network has no messages")
			case collective.set && source.set && file.set:
				return usage("remove one of them", "--source and --trace exclude each other for a collective network: its trace has all nodes")
			case collective.set && asJSON:
				return usage("hcgen schedule --json prints the schedule", "--collective and --json exclude each other")
			case file.set && asJSON:
				return usage("remove one of them", "--json and --trace exclude each other: a trace has its own format")
			}
			read := from.load
			if !collective.set {
				read = func(c *console) (*machine.Machine, error) { return from.routers(c, "simulate without --collective") }
			}
			m, err := read(c)
			if err != nil {
				return classify(err)
			}
			node := 0
			if source.set {
				if node, err = parseNode(m.Graph, "source", source.value); err != nil {
					return err
				}
			}
			if err := from.spares(file.value); err != nil {
				return err
			}
			if collective.set {
				p, err := parseCollective(m, collective.value)
				switch {
				case err != nil:
					return classify(err)
				case file.set:
					return classify(writeCollectiveTrace(cmd.Context(), c, p, m.Hash, file.value))
				}
				return classify(writeCollective(c.out, p, node))
			}
			destination, err := parseDestination(m, node, to)
			if err != nil {
				return err
			}
			p := plan.New(m)
			switch {
			case !m.SeveralClocks():
			case file.set:
				return usage("leave it out for the figures of equal clocks", "--trace needs nodes on one clock: cycles of different clocks cannot be compared")
			case m.Chips():
				fmt.Fprintf(c.err, "hcgen: machine %s has several chips: the figures are those of equal clocks, and of cables that take a message of each link in every cycle and lose none\n", p.Name)
			default:
				fmt.Fprintf(c.err, "hcgen: the nodes of machine %s have several clocks: the figures are those of equal clocks\n", p.Name)
			}
			load := p.Alone(node)
			load.Sends[0].To = destination
			if traffic.set {
				if load, err = parseTraffic(m, traffic.value); err != nil {
					return err
				}
				if load.Cycles, err = parseCycles(cycles, load.Cycles); err != nil {
					return err
				}
			}
			if file.set {
				return classify(writeTrace(cmd.Context(), c, p, load, file.value))
			}
			if traffic.set {
				return classify(measureTraffic(cmd.Context(), c, p, load, asJSON))
			}
			result := measure.Single(p, node, destination)
			if asJSON {
				return classify(writeJSON(c.out, result))
			}
			return classify(writeResult(c.out, p, node, destination, result))
		},
	}
	from.flags(cmd)
	cmd.Flags().Var(&source, "source", "sending node, or with --collective the node to print, as a number or by digits such as 3,2 (default 0)")
	destinationFlag(cmd, &to)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().Var(&traffic, "traffic", "traffic block to run instead of one message")
	cmd.Flags().Var(&collective, "collective", "collective block whose network to simulate")
	cmd.Flags().Var(&cycles, "cycles", "length of the run in clock cycles (default that of the traffic block)")
	cmd.Flags().Var(&file, "trace", "file for a golden trace, compressed if its name ends in .gz; - is standard output")
	_ = cmd.RegisterFlagCompletionFunc("traffic", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("collective", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("source", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("cycles", cobra.NoFileCompletions)
	return cmd
}

// writeResult prints a message for people.
func writeResult(out io.Writer, p *plan.Plan, source int, to hypercycle.Destination, r measure.Result) error {
	g := p.Machine.Graph
	steps := fmt.Sprintf("%s, %s, %s from injection to the last delivery\n", count(r.Steps, "step"), count(r.Messages, "message"), count(r.Cycles, "cycle"))
	if to.Broadcast() {
		fmt.Fprintf(out, "broadcast from node %d (%s) in %s\n%s", source, address(g, source), p.Name, steps)
		fmt.Fprintf(out, "at most %.3f deliveries per node and cycle when all nodes broadcast\n\n", r.DeliveryBound)
	} else {
		fmt.Fprintf(out, "message from node %d (%s) to %s in %s\n%s\n", source, address(g, source), to, p.Name, steps)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "cycle\tstep\tnode\taddress\tfrom\tport\tdimension\tdirection\tdistance\tstream\n")
	for _, d := range r.Deliveries {
		q := p.Ports[d.Port]
		fmt.Fprintf(w, "%d\t%d\t%d\t%s\t%d\t%d\t%s\t%s\t%d\t%s\n", d.Cycle, d.Step, d.Node, address(g, d.Node), d.Parent,
			d.Port, p.Dims[q.Dimension-1].Name, q.Direction, q.Distance, d.Stream)
	}
	return w.Flush()
}

// address writes a node's digits, highest dimension first.
func address(g *hypercycle.Graph, node int) string { return g.To(node).String() }
