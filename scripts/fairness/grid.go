// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// choice is a value that a benchmark runs through: its name there, and in the table.
type choice struct {
	name, text string
}

// grid describes a benchmark of runs named machine/load/column.
type grid struct {
	loads   []choice // in the order of the benchmark, each a row
	columns []choice
	needs   []string                        // metrics of a run
	cell    func(map[string]float64) string // text of a run
}

// gridKey is a run of a grid's benchmark.
type gridKey struct {
	machine, load, column string
}

// gridResults are the metrics of a grid's runs.
type gridResults struct {
	grid
	machines []string // in the order of the benchmark
	runs     map[gridKey]map[string]float64
}

// newGridResults returns results of no runs yet.
func newGridResults(g grid) *gridResults {
	return &gridResults{grid: g, runs: map[gridKey]map[string]float64{}}
}

// known tells whether a run has a name of the grid.
func (g grid) known(name string) bool {
	load, column, _ := strings.Cut(name, "/")
	has := func(list []choice, name string) bool {
		return slices.ContainsFunc(list, func(c choice) bool { return c.name == name })
	}
	return has(g.loads, load) && has(g.columns, column)
}

// add takes a line that go test prints.
func (r *gridResults) add(text string) error {
	machine, name, metrics, ok, err := split(text, r.known)
	if err != nil || !ok {
		return err
	}
	if !r.known(name) {
		return fmt.Errorf("the benchmark has a run %q that this program does not know", name)
	}
	if err := need(text, metrics, r.needs...); err != nil {
		return err
	}
	if !slices.Contains(r.machines, machine) {
		r.machines = append(r.machines, machine)
	}
	load, column, _ := strings.Cut(name, "/")
	r.runs[gridKey{machine, load, column}] = metrics
	return nil
}

// table returns a row for each machine and load and a column for each column of the grid.
func (r *gridResults) table() (string, error) {
	if len(r.machines) == 0 {
		return "", errors.New("the benchmark has printed no figures")
	}
	var b strings.Builder
	b.WriteString("| machine | busy nodes |")
	for _, c := range r.columns {
		fmt.Fprintf(&b, " %s |", c.text)
	}
	fmt.Fprintf(&b, "\n|%s\n", strings.Repeat(" --- |", 2+len(r.columns)))
	for _, machine := range r.machines {
		for _, l := range r.loads {
			fmt.Fprintf(&b, "| %s | %s |", machine, l.text)
			for _, c := range r.columns {
				metrics, ok := r.runs[gridKey{machine, l.name, c.name}]
				if !ok {
					return "", fmt.Errorf("the benchmark has no %s/%s/%s", machine, l.name, c.name)
				}
				fmt.Fprintf(&b, " %s |", r.cell(metrics))
			}
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}
