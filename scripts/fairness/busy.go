// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// busyTimes are the lengths of the runs of the Busy benchmark in cycles, in order.
var busyTimes = []int{60_000, 240_000}

// busyRun is the name of a run: how many nodes send, and for how many cycles.
var busyRun = regexp.MustCompile(`^(\d+)/(\d+)$`)

// busyFigures are what the runs of all placements of so many nodes gave.
type busyFigures struct {
	least, median float64 // of fewest to most injections of the nodes that send
	part          float64 // smallest of the deliveries, to the bound
}

// busyKey is a run of the Busy benchmark.
type busyKey struct {
	machine      string
	busy, cycles int
}

// busyResults are figures by run.
type busyResults struct {
	machines []string // in the order of the benchmark
	runs     map[busyKey]busyFigures
}

// add takes a line that go test prints.
func (r *busyResults) add(text string) error {
	known := func(name string) bool {
		found := busyRun.FindStringSubmatch(name)
		if found == nil {
			return false
		}
		cycles, err := strconv.Atoi(found[2])
		return err == nil && slices.Contains(busyTimes, cycles)
	}
	machine, name, metrics, ok, err := split(text, known)
	if err != nil || !ok {
		return err
	}
	if !known(name) {
		return fmt.Errorf("the benchmark has a run %q that this program does not know", name)
	}
	if err := need(text, metrics, "least-fairness", "median-fairness", "least-part"); err != nil {
		return err
	}
	key := busyKey{machine: machine}
	if _, err := fmt.Sscanf(name, "%d/%d", &key.busy, &key.cycles); err != nil {
		return fmt.Errorf("the benchmark has a run %q: %w", name, err)
	}
	if !slices.Contains(r.machines, machine) {
		r.machines = append(r.machines, machine)
	}
	if r.runs == nil {
		r.runs = map[busyKey]busyFigures{}
	}
	r.runs[key] = busyFigures{metrics["least-fairness"], metrics["median-fairness"], metrics["least-part"]}
	return nil
}

// table returns a row for each number of nodes and a column for each machine: what each time gave, and the
// smallest of the deliveries. A number that was not measured on a machine is left out.
func (r *busyResults) table() (string, error) {
	if len(r.machines) == 0 {
		return "", errors.New("the benchmark has printed no figures")
	}
	numbers := map[int]bool{}
	for key := range r.runs {
		numbers[key.busy] = true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| busy | %s |\n|%s\n", strings.Join(r.machines, " | "), strings.Repeat(" --- |", len(r.machines)+1))
	for _, busy := range slices.Sorted(maps.Keys(numbers)) {
		fmt.Fprintf(&b, "| %d |", busy)
		for _, machine := range r.machines {
			cell, err := r.cell(machine, busy)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%s |", cell)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// cell returns what is in the table for so many nodes of a machine, after a space; nothing if there are no runs.
func (r *busyResults) cell(machine string, busy int) (string, error) {
	var times []string
	part := 1.
	for _, cycles := range busyTimes {
		if f, ok := r.runs[busyKey{machine, busy, cycles}]; ok {
			times = append(times, fmt.Sprintf("%.2f, %.2f", f.least, f.median))
			part = min(part, f.part)
		}
	}
	switch len(times) {
	case 0:
		return "", nil
	case len(busyTimes):
		return fmt.Sprintf(" %s; %.3f", strings.Join(times, "; "), part), nil
	}
	return "", fmt.Errorf("the benchmark has not all times of %s/%d", machine, busy)
}
