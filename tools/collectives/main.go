// SPDX-License-Identifier: Apache-2.0

// Collectives measures in the reference model the cycles in which networks of routers complete collective
// operations. It prints a table of cycles / bound and writes it into docs/collectives.md.
//
//	go run ./tools/collectives     (in the top folder of the project)
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/tools/internal/page"
)

// The files that it writes.
const (
	document = "docs/collectives.md"
	place    = "cycles" // of the table in it
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

// run prints the table and writes it into the page.
func run(out io.Writer) error {
	if err := page.Check(document, place); err != nil {
		return fmt.Errorf("%w (collectives runs in the top folder of the project)", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| machine | %s |\n|%s\n", strings.Join(schedule.Carried(), " | "), strings.Repeat(" --- |", 1+len(schedule.Carried())))
	for _, s := range subjects {
		fmt.Fprintf(&b, "| %s |", s.title)
		for _, operation := range schedule.Carried() {
			cell, err := s.measure(operation)
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

// measure is the cycles of an operation and their bound.
func (s subject) measure(operation string) (string, error) {
	var dims []hypercycle.Dimension
	for _, d := range s.rings {
		dims = append(dims, hypercycle.Dimension{M: d[0], Rho: d[1]})
	}
	m, err := machine.Bare(dims...)
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
