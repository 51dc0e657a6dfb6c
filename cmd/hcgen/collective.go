// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	model "github.com/hcgen/hcgen/sim/collective"
)

// parseCollective finds a collective block of the machine by its name, and plans its network.
func parseCollective(m *machine.Machine, name string) (*plan.Collective, error) {
	var names []string
	for _, c := range m.Collectives {
		if c.Name == name {
			return plan.NewCollective(m, c, schedule.ForNetwork)
		}
		names = append(names, c.Name)
	}
	advice := "the machine has no collective block"
	if len(names) > 0 {
		advice = "the collective blocks are " + strings.Join(names, ", ")
	}
	return nil, usage(advice, "unknown collective block %q", name)
}

// writeCollectiveTrace writes the golden trace of a collective network.
func writeCollectiveTrace(ctx context.Context, c *console, p *plan.Collective, config, name string) error {
	progress := newProgress(c)
	defer progress.clear()
	return writeFile(c, name, func(w io.Writer) error {
		return model.Write(interruptible{ctx, w}, p, config, func(done, total int) { progress.show(p.Name, done, total) })
	})
}

// writeCollective prints what a node does in the operations of a collective network.
func writeCollective(out io.Writer, p *plan.Collective, node int) error {
	for i, s := range p.Schedules {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := writeOperation(out, p.Alone(s), node); err != nil {
			return err
		}
	}
	return nil
}

// writeOperation prints what a node does in a network with a single operation.
func writeOperation(out io.Writer, p *plan.Collective, node int) error {
	words := fmt.Sprintf("words of %d bits", p.PayloadBits)
	if p.HasResult() {
		words += ", operator " + p.Operator
	}
	if p.Latency > 0 {
		words += fmt.Sprintf(" of %s", count(p.Latency, "cycle"))
	}
	operation := p.Operation()
	if p.OneWord {
		operation += " of one word per node"
	}
	fmt.Fprintf(out, "collective %s of %s: %s, %s\n", p.Name, p.Machine, operation, words)
	crossing := ""
	if p.Flight > 0 {
		crossing = fmt.Sprintf(" with %s for the links", count(p.Flight, "cycle"))
	}
	begins := "an operation every " + count(p.Period, "cycle")
	if p.Pipelined {
		begins = fmt.Sprintf("%s that take turns, one every %s on average", count(p.Turns, "operation"), count(p.Steps, "cycle"))
	}
	fmt.Fprintf(out, "%s%s, %s, done in cycle %d\n\n", count(p.Steps, "step"), crossing, begins, p.Cycles())
	fmt.Fprintf(out, "node %d (%s)\n", node, address(p.Graph, node))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "step\tcycle\tplace\tloads\tdelivers\n")
	row := func(step, cycle int, place string, sum collective.Sum, delivered int32) {
		from := "-"
		if delivered != model.None {
			from = "word of node " + fmt.Sprint(otherNode(p, node, delivered))
		}
		if len(sum) > 0 || delivered != model.None {
			fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%s\n", step, cycle, place, sumText(p, node, sum), from)
		}
	}
	program := p.Program(node)
	for step := 1; step <= p.Steps; step++ {
		for port, sum := range program.Sends[step-1] {
			row(step, p.Times[step]-p.Flight, fmt.Sprintf("port %d", port), sum, program.Delivers[step-1][port])
		}
		for register, sum := range program.Writes[step-1] {
			row(step, p.Times[step]-p.Flight, fmt.Sprintf("register %d", register), sum, model.None)
		}
	}
	if p.HasResult() {
		fmt.Fprintf(w, "-\t%d\tresult\t%s\t-\n", p.Cycles(), sumText(p, node, program.Result))
	}
	return w.Flush()
}

// sumText writes a sum at a node.
func sumText(p *plan.Collective, node int, sum collective.Sum) string {
	var terms []string
	for _, t := range sum {
		switch {
		case t.Source != collective.Requested:
			terms = append(terms, t.String())
		case t.Index == 0:
			terms = append(terms, "item")
		default:
			terms = append(terms, fmt.Sprintf("word for node %d", otherNode(p, node, t.Index)))
		}
	}
	if len(terms) == 0 {
		return "-"
	}
	return strings.Join(terms, ", ")
}

// otherNode is the node of an index.
func otherNode(p *plan.Collective, node int, index int32) int {
	digits := p.Graph.Digits(node) // dimension r first
	for k := range digits {
		i := p.Graph.Rank() - k
		digits[k] = (digits[k] + p.Graph.Digit(int(index), i)) % p.Graph.Dimension(i).M
	}
	other, err := p.Graph.Node(digits...)
	if err != nil {
		panic(err) // the digits are below m
	}
	return other
}
