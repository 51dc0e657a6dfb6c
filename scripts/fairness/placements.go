// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// placementLoads are the loads of the Placements benchmark, in order, and their names in the table.
var placementLoads = [][2]string{
	{"three-quarters", "three quarters"},
	{"half", "half"},
	{"3", "3"},
}

// placementTimes are the lengths of its runs in cycles, each a column.
var placementTimes = [][2]string{
	{"60000", "60,000 cycles"},
	{"120000", "120,000 cycles"},
	{"240000", "240,000 cycles"},
}

// placementFigures are what the runs of all placements gave.
type placementFigures struct {
	least, median, most float64 // of fewest to most injections of the nodes that send
	part                float64 // smallest of the deliveries, to the bound
}

// placementResults are figures by machine, load and time.
type placementResults struct {
	machines []string // in the order of the benchmark
	runs     map[[3]string]placementFigures
}

// add takes a line that go test prints.
func (r *placementResults) add(text string) error {
	machine, name, metrics, ok, err := split(text, func(name string) bool {
		load, time, _ := strings.Cut(name, "/")
		return named(placementLoads, load) && named(placementTimes, time)
	})
	if err != nil || !ok {
		return err
	}
	load, time, _ := strings.Cut(name, "/")
	if !named(placementLoads, load) || !named(placementTimes, time) {
		return fmt.Errorf("the benchmark has a run %q that this program does not know", name)
	}
	if err := need(text, metrics, "least-fairness", "median-fairness", "most-fairness", "least-part"); err != nil {
		return err
	}
	if !slices.Contains(r.machines, machine) {
		r.machines = append(r.machines, machine)
	}
	if r.runs == nil {
		r.runs = map[[3]string]placementFigures{}
	}
	r.runs[[3]string{machine, load, time}] = placementFigures{
		metrics["least-fairness"], metrics["median-fairness"], metrics["most-fairness"], metrics["least-part"],
	}
	return nil
}

// table returns a row for each machine and load and a column for each time.
func (r *placementResults) table() (string, error) {
	if len(r.machines) == 0 {
		return "", errors.New("the benchmark has printed no figures")
	}
	var b strings.Builder
	b.WriteString("| machine | busy nodes |")
	for _, time := range placementTimes {
		fmt.Fprintf(&b, " %s |", time[1])
	}
	fmt.Fprintf(&b, "\n|%s\n", strings.Repeat(" --- |", 2+len(placementTimes)))
	for _, machine := range r.machines {
		for _, l := range placementLoads {
			fmt.Fprintf(&b, "| %s | %s |", machine, l[1])
			for _, time := range placementTimes {
				f, ok := r.runs[[3]string{machine, l[0], time[0]}]
				if !ok {
					return "", fmt.Errorf("the benchmark has no %s/%s/%s", machine, l[0], time[0])
				}
				fmt.Fprintf(&b, " %.2f, %.2f, %.2f; %.3f |", f.least, f.median, f.most, f.part)
			}
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}
