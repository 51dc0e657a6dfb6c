// SPDX-License-Identifier: Apache-2.0

// Collectives measures in the reference models the cycles in which networks of routers complete collective
// operations, beside their bounds, and those of collective networks. It prints both tables, writes them into
// docs/collectives.md, and draws docs/collectives.svg.
//
//	go run ./tools/collectives     (in the top folder of the project)
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
	"github.com/hcgen/hcgen/tools/internal/page"
)

// The files that it writes.
const (
	document = "docs/collectives.md"
	picture  = "docs/collectives.svg"

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

// result is what was measured of an operation on a machine, in cycles. Figures of a network that cannot do the operation are 0.
type result struct {
	machine, operation string
	routers, bound     int
	network            int
}

// run prints the tables, and writes them and the picture.
func run(out io.Writer) error {
	for _, place := range []string{routers, networks} {
		if err := page.Check(document, place); err != nil {
			return fmt.Errorf("%w (collectives runs in the top folder of the project)", err)
		}
	}
	var all []result
	operations := slices.Concat(check.Operations(), []string{check.AllReduceWord})
	for _, s := range subjects {
		for _, operation := range operations {
			r, err := s.measure(operation)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.title, operation, err)
			}
			all = append(all, r)
		}
	}
	err := table(out, routers, all, schedule.Carried(), func(r result) string { return fmt.Sprintf("%d / %d", r.routers, r.bound) })
	if err != nil {
		return err
	}
	err = table(out, networks, all, operations, func(r result) string {
		if r.network == 0 {
			return "-"
		}
		return strconv.Itoa(r.network)
	})
	if err != nil {
		return err
	}
	return os.WriteFile(picture, draw(all), 0o644)
}

// table prints a table with a row for each machine and a column for each operation, and writes it into a place of
// the page.
func table(out io.Writer, place string, all []result, operations []string, cell func(result) string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| machine | %s |\n|%s\n", strings.Join(operations, " | "), strings.Repeat(" --- |", 1+len(operations)))
	for _, s := range subjects {
		fmt.Fprintf(&b, "| %s |", s.title)
		for _, operation := range operations {
			i := slices.IndexFunc(all, func(r result) bool { return r.machine == s.title && r.operation == operation })
			fmt.Fprintf(&b, " %s |", cell(all[i]))
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

// measure returns the cycles of an operation on routers, if they can carry it, and on a collective network.
func (s subject) measure(operation string) (result, error) {
	r := result{machine: s.title, operation: operation}
	m, err := s.machine()
	if err != nil {
		return r, err
	}
	if slices.Contains(schedule.Carried(), operation) {
		if r.routers, r.bound, err = completion.Routers(m, operation); err != nil {
			return r, err
		}
	}
	r.network, err = completion.Network(m, operation)
	return r, err
}
