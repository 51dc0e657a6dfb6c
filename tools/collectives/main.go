// SPDX-License-Identifier: Apache-2.0

// Collectives measures in the reference models the cycles in which networks of routers complete collective
// operations, beside their bounds, and those of collective networks. It prints both tables and writes them into
// docs/collectives.md.
//
//	go run ./tools/collectives     (in the top folder of the project)
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/collective"
	"github.com/hcgen/hcgen/tools/internal/page"
)

// The files that it writes.
const (
	document = "docs/collectives.md"

	routers  = "cycles" // the places of the tables in it
	networks = "collective-cycles"
)

// subject is a machine that is measured: m and rho of its dimensions, dimension 1 first.
type subject struct {
	title string
	rings [][2]int
}

var subjects = []subject{
	{"8-ring", [][2]int{{8, 1}}},
	{"4x4", [][2]int{{4, 1}, {4, 1}}},
	{"4-cube", [][2]int{{2, 1}, {2, 1}, {2, 1}, {2, 1}}},
	{"8x8", [][2]int{{8, 1}, {8, 1}}},
	{"5x5x5", [][2]int{{5, 1}, {5, 1}, {5, 1}}},
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run prints the tables and writes them into the page.
func run(out io.Writer) error {
	for _, place := range []string{routers, networks} {
		if err := page.Check(document, place); err != nil {
			return fmt.Errorf("%w (collectives runs in the top folder of the project)", err)
		}
	}
	if err := table(out, routers, schedule.Carried(), subject.measure); err != nil {
		return err
	}
	return table(out, networks, slices.Concat(check.Operations(), []string{check.AllReduceWord}), subject.network)
}

// table prints a table with a row for each machine and a column for each operation, and writes it into a place of
// the page.
func table(out io.Writer, place string, operations []string, measure func(s subject, operation string) (string, error)) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| machine | %s |\n|%s\n", strings.Join(operations, " | "), strings.Repeat(" --- |", 1+len(operations)))
	for _, s := range subjects {
		fmt.Fprintf(&b, "| %s |", s.title)
		for _, operation := range operations {
			cell, err := measure(s, operation)
			if err != nil {
				return fmt.Errorf("%s: %w", s.title, err)
			}
			fmt.Fprintf(&b, " %s |", cell)
		}
		b.WriteString("\n")
	}
	if _, err := io.WriteString(out, b.String()); err != nil {
		return err
	}
	return page.Write(document, place, b.String())
}

// machine is the machine with default options.
func (s subject) machine() (*machine.Machine, error) {
	var dims []hypercycle.Dimension
	for _, d := range s.rings {
		dims = append(dims, hypercycle.Dimension{M: d[0], Rho: d[1]})
	}
	return machine.Bare(dims...)
}

// measure is the cycles of an operation on routers and their bound.
func (s subject) measure(operation string) (string, error) {
	m, err := s.machine()
	if err != nil {
		return "", err
	}
	made, err := schedule.Make(m.Graph, schedule.Request{Operation: operation})
	if err != nil {
		return "", err
	}
	var traffic machine.Traffic
	for _, message := range made.Messages() {
		traffic.Sends = append(traffic.Sends, machine.Send{From: message.From, To: message.To})
	}
	bound := made.Bound
	if operation != check.Broadcast { // some node sends or receives N - 1 messages, one in a cycle
		bound = max(bound, m.Graph.Nodes()-1)
	}
	m.Destination = true
	cycles := sim.Complete(plan.New(m), traffic)
	return fmt.Sprintf("%d / %d", cycles, bound+2), nil // the first cycle, and the cycle of a delivery
}

// network is the cycles of an operation on a collective network, from the start to the last result, both included. It is
// - if the schedule does not work as hardware.
func (s subject) network(operation string) (string, error) {
	m, err := s.machine()
	if err != nil {
		return "", err
	}
	c := machine.Collective{Name: "measured", Operation: operation, PayloadBits: 1}
	if operation == check.AllReduceWord {
		c.Operation, c.OneWord = check.AllReduce, true
	}
	if machine.Reduces(c.Operation) {
		c.Operator = "add"
	}
	p, err := plan.NewCollective(m, c)
	if unstreamable := (*schedule.Unstreamable)(nil); errors.As(err, &unstreamable) {
		return "-", nil
	}
	if err != nil {
		return "", err
	}
	return strconv.Itoa(collective.Complete(p)), nil
}
