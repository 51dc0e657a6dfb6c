// SPDX-License-Identifier: Apache-2.0

// Schedules makes the general schedule of every collective operation on every hypercycle of up to so many
// nodes and so large a degree, whatever the order of its dimensions, checks it, and lists by how much which
// schedules miss their bound.
package main

import (
	"flag"
	"fmt"
	"os"
	"sort"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
)

func main() {
	nodes := flag.Int("nodes", 256, "most nodes")
	degree := flag.Int("degree", 16, "largest degree")
	checked := flag.Int("checked", 256, "most nodes of machines whose schedules are checked, too")
	list := flag.Bool("list", false, "list the machines whose schedules miss the bound")
	flag.Parse()
	if *nodes < 2 || *degree < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "error: -nodes is 2 or more, -degree 1 or more, and there are no arguments")
		os.Exit(2)
	}
	type kind struct {
		operation string
		ports     schedule.Ports
		missed    int
	}
	count, machines := map[kind]int{}, 0
	schedule.Machines(*nodes, *degree, func(g *hypercycle.Graph) bool {
		machines++
		m := schedule.Machine(g)
		for _, ports := range []schedule.Ports{schedule.AllPorts, schedule.OnePort} {
			for _, operation := range check.Operations() {
				s, err := schedule.Make(g, schedule.Request{Operation: operation, Ports: ports})
				if err == nil && g.Nodes() <= *checked {
					err = check.Check(m, s.Claim())
				}
				if err != nil {
					fmt.Fprintf(os.Stderr, "error: %v, %s, ports %s: %v\n", m, operation, ports, err)
					os.Exit(3)
				}
				k := kind{operation, ports, s.Steps - s.Bound}
				count[k]++
				if *list && k.missed > 0 {
					fmt.Printf("(m, rho) %v: %s, ports %s: %d steps, bound %d\n", m, operation, ports, s.Steps, s.Bound)
				}
			}
		}
		return true
	})
	var kinds []kind
	for k := range count {
		kinds = append(kinds, k)
	}
	sort.Slice(kinds, func(i, j int) bool {
		a, b := kinds[i], kinds[j]
		if a.operation != b.operation {
			return a.operation < b.operation
		}
		if a.ports != b.ports {
			return a.ports < b.ports
		}
		return a.missed < b.missed
	})
	fmt.Printf("%d machines of up to %d nodes and degree %d\n\n", machines, *nodes, *degree)
	fmt.Println("| operation | ports | steps above the bound | machines |\n| --- | --- | --- | --- |")
	for _, k := range kinds {
		fmt.Printf("| %s | %s | %d | %d |\n", k.operation, k.ports, k.missed, count[k])
	}
}
