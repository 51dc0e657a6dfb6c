// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// optionLoads are the loads of the Options benchmark, in order, and their names in the table.
var optionLoads = [][2]string{
	{"all", "all"},
	{"half", "half"},
	{"3", "3"},
	{"1", "1"},
}

// variants are the combinations of options that it measures, each a column.
var variants = [][2]string{
	{"stages=1,merged", "1 stage, merged"},
	{"stages=2,merged", "2 stages, merged"},
	{"stages=1,per_port", "1 stage, per port"},
	{"stages=2,per_port", "2 stages, per port"},
}

// optionFigures are what one run of it gave.
type optionFigures struct {
	deliveries, bound float64 // per node and cycle
	fairness          float64 // fewest to most injections of the nodes that send
}

// optionResults are figures by machine, load and variant.
type optionResults struct {
	machines []string // in the order of the benchmark
	runs     map[[3]string]optionFigures
}

// add takes a line that go test prints.
func (r *optionResults) add(text string) error {
	machine, name, metrics, ok, err := split(text, func(name string) bool {
		load, variant, _ := strings.Cut(name, "/")
		return named(optionLoads, load) && named(variants, variant)
	})
	if err != nil || !ok {
		return err
	}
	load, variant, _ := strings.Cut(name, "/")
	if !named(optionLoads, load) || !named(variants, variant) {
		return fmt.Errorf("the benchmark has a run %q that this program does not know", name)
	}
	if err := need(text, metrics, "deliveries", "bound", "fairness"); err != nil {
		return err
	}
	if !slices.Contains(r.machines, machine) {
		r.machines = append(r.machines, machine)
	}
	if r.runs == nil {
		r.runs = map[[3]string]optionFigures{}
	}
	r.runs[[3]string{machine, load, variant}] = optionFigures{metrics["deliveries"], metrics["bound"], metrics["fairness"]}
	return nil
}

// named tells whether a list has a name.
func named(list [][2]string, name string) bool {
	return slices.ContainsFunc(list, func(l [2]string) bool { return l[0] == name })
}

// table returns a row for each machine and load and a column for each variant.
func (r *optionResults) table() (string, error) {
	if len(r.machines) == 0 {
		return "", errors.New("the benchmark has printed no figures")
	}
	var b strings.Builder
	b.WriteString("| machine | busy nodes |")
	for _, v := range variants {
		fmt.Fprintf(&b, " %s |", v[1])
	}
	fmt.Fprintf(&b, "\n|%s\n", strings.Repeat(" --- |", 2+len(variants)))
	for _, machine := range r.machines {
		for _, l := range optionLoads {
			fmt.Fprintf(&b, "| %s | %s |", machine, l[1])
			for _, v := range variants {
				f, ok := r.runs[[3]string{machine, l[0], v[0]}]
				if !ok {
					return "", fmt.Errorf("the benchmark has no %s/%s/%s", machine, l[0], v[0])
				}
				fmt.Fprintf(&b, " %.3f, %.2f, %.2f |", f.deliveries, f.deliveries/f.bound, f.fairness)
			}
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}
