// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"sort"
	"strings"
)

// report is everything that was measured.
type report struct {
	Seeds    []int             `json:"seeds"`
	Tools    map[string]string `json:"tools"`
	Machines []*result         `json:"machines"`

	// With a 4x4 torus among the machines.
	Others []comparison `json:"other_routers,omitempty"`

	// Figures over all machines; missing if only some were chosen.
	Examples   []*result   `json:"examples,omitempty"` // further ones, of which only the latency is checked
	Speeds     []speed     `json:"speeds,omitempty"`
	Overload   []benchmark `json:"overload,omitempty"`
	Generation []benchmark `json:"generation,omitempty"`

	Contradictions []string `json:"contradictions"`
}

// tools lists them with their versions.
func (r *report) tools() string {
	var all []string
	for name, version := range r.Tools {
		all = append(all, name+" "+version)
	}
	sort.Strings(all)
	return strings.Join(all, ", ")
}

// String is the report for a terminal.
func (r *report) String() string {
	var b strings.Builder
	section := func(title, remark string, rows table) {
		if len(rows) < 2 {
			return
		}
		fmt.Fprintf(&b, "== %s\n", title)
		if remark != "" {
			fmt.Fprintf(&b, "%s\n", remark)
		}
		fmt.Fprintf(&b, "\n%s\n", rows.aligned())
	}
	fmt.Fprintf(&b, "%s; seeds %s\n\n", r.tools(), words(r.Seeds))
	section("routers on the HX8K, clock over the seeds",
		"Ratios are to the goal: LUT4 at most 1, median clock at least 1. The tools aim for the goal of the clock, or for 100 MHz.", routerRows(r.Machines))
	section("networks on the HX8K, behind few pins, clock over the seeds",
		fmt.Sprintf("Ratios are to the goal: median clock at least 1. The tools aim for %g times the goal.", overask), placedRows(r.Machines))
	section("broadcasts and load",
		"One broadcast alone, RTL: cycles from injection to last delivery, nanoseconds at the router's median clock.\n"+
			"Saturated all-to-all, model: deliveries per node and cycle, fewest to most injections of a node;\n"+
			"the runs of the largest networks are too short for this figure.", networkRows(r.Machines))
	section("other routers against the 4x4 torus, one broadcast to 16 nodes",
		"Ratios above 1: hcgen's router is better. Two figures: from a corner, from the centre.", otherRows(r.Machines, r.Others))
	section("further examples, one broadcast alone in RTL", "", latencyRows(r.Examples))
	section("simulation of the 4x4 torus in overload, million router cycles per second of processor time",
		"Ratios are to the goal: at least 1.", speedRows(r.Speeds))
	section("load, reference model, 10,000 cycles and more", "", benchmarkRows(r.Overload, "deliveries", "of-bound", "fairness", "max-wait", "latency"))
	section("generation of every example: seconds, megabytes taken from the system", "", benchmarkRows(r.Generation, "s", "MB"))
	return b.String()
}

// document is the part of the report for the documentation, without goals of routers and simulation.
func (r *report) document() string {
	return documentRows(r.Machines).markdown() + "\n" + placedRows(r.Machines).markdown() + "\n" + otherRows(r.Machines, r.Others).markdown() +
		fmt.Sprintf("\nMeasured with %s; seeds %s.\n", r.tools(), words(r.Seeds))
}

func routerRows(results []*result) table {
	rows := table{{"machine", "degree", "payload", "LUT4", "goal", "ratio", "FF", "MHz min", "median", "max", "goal", "ratio", "ns/hop"}}
	for _, r := range results {
		x := r.Router
		rows = append(rows, []string{
			r.Title, whole(r.Degree), whole(r.PayloadBits),
			whole(x.LUT4), known("%d", x.LUT4Goal), known("%.2f", x.LUT4Ratio), whole(x.FF),
			fmt.Sprintf("%.1f", x.Clock.Min), fmt.Sprintf("%.1f", x.Clock.Median), fmt.Sprintf("%.1f", x.Clock.Max),
			known("%.0f", x.MHzGoal), known("%.2f", x.MHzRatio), fmt.Sprintf("%.1f", x.NSPerHop),
		})
	}
	return rows
}

// placedRows are the networks that were placed.
func placedRows(results []*result) table {
	rows := table{{"network", "nodes", "payload", "LUT4", "FF", "MHz min", "median", "max", "goal", "ratio"}}
	for _, r := range results {
		if n := r.Network; n != nil {
			rows = append(rows, []string{
				r.Title, whole(r.Nodes), whole(r.PayloadBits), whole(n.LUT4), whole(n.FF),
				fmt.Sprintf("%.1f", n.Clock.Min), fmt.Sprintf("%.1f", n.Clock.Median), fmt.Sprintf("%.1f", n.Clock.Max),
				fmt.Sprintf("%.0f", n.MHzGoal), fmt.Sprintf("%.2f", n.MHzRatio),
			})
		}
	}
	return rows
}

func speedRows(speeds []speed) table {
	rows := table{{"simulation", "million per second", "goal", "ratio"}}
	for _, s := range speeds {
		rows = append(rows, []string{s.What, fmt.Sprintf("%.1f", s.Speed), fmt.Sprintf("%.0f", s.Goal), fmt.Sprintf("%.2f", s.Ratio)})
	}
	return rows
}

func networkRows(results []*result) table {
	rows := table{{"machine", "nodes", "cycles", "right", "ns", "deliveries", "bound", "fairness"}}
	for _, r := range results {
		rows = append(rows, []string{
			r.Title, whole(r.Nodes), whole(r.Cycles), whole(r.CyclesBound), fmt.Sprintf("%.1f", r.BroadcastNS),
			fmt.Sprintf("%.4f", r.Load.Deliveries), fmt.Sprintf("%g", r.Load.Bound), known("%.2f", r.Load.Fairness),
		})
	}
	return rows
}

func latencyRows(results []*result) table {
	rows := table{{"machine", "nodes", "cycles", "right"}}
	for _, r := range results {
		rows = append(rows, []string{r.Title, whole(r.Nodes), whole(r.Cycles), whole(r.CyclesBound)})
	}
	return rows
}

// otherRows has hcgen's 4x4 torus in its first row; it is empty without one.
func otherRows(results []*result, others []comparison) table {
	ours := referenceOf(results)
	if ours == nil {
		return nil
	}
	x := ours.Router
	rows := table{
		{"router", "LUT4", "ratio", "FF", "ratio", "MHz", "ratio", "ns/hop", "broadcast, cycles", "broadcast, ns", "ratio"},
		{"hcgen, 4x4 torus", whole(x.LUT4), "1.00", whole(x.FF), "1.00", fmt.Sprintf("%.0f", x.Clock.Median), "1.00",
			fmt.Sprintf("%.1f", x.NSPerHop), whole(ours.Cycles), fmt.Sprintf("%.0f", ours.BroadcastNS), "1.00"},
	}
	for _, o := range others {
		rows = append(rows, []string{
			o.Router, whole(o.LUT4), fmt.Sprintf("%.2f", o.LUT4Ratio), whole(o.FF), fmt.Sprintf("%.2f", o.FFRatio),
			fmt.Sprintf("%.0f", o.MHz), fmt.Sprintf("%.2f", o.MHzRatio), fmt.Sprintf("%.1f", o.NSPerHop),
			list("%d", o.Cycles...), list("%.0f", o.NS...), list("%.2f", o.BroadcastRatio...),
		})
	}
	return rows
}

func documentRows(results []*result) table {
	rows := table{{"machine", "degree", "payload", "LUT4", "FF", "clock, min / median / max, MHz", "ns/hop", "broadcast, cycles", "broadcast, ns"}}
	for _, r := range results {
		x := r.Router
		rows = append(rows, []string{
			r.Title, whole(r.Degree), whole(r.PayloadBits), whole(x.LUT4), whole(x.FF),
			list("%.0f", x.Clock.Min, x.Clock.Median, x.Clock.Max), fmt.Sprintf("%.1f", x.NSPerHop),
			whole(r.Cycles), fmt.Sprintf("%.0f", r.BroadcastNS),
		})
	}
	return rows
}

// frontRows are the columns of otherRows that README shows: no ratios.
func frontRows(others table) table {
	var rows table
	for _, row := range others {
		var kept []string
		for i, cell := range row {
			if others[0][i] != "ratio" && others[0][i] != "ns/hop" {
				kept = append(kept, cell)
			}
		}
		rows = append(rows, kept)
	}
	return rows
}

func benchmarkRows(all []benchmark, metrics ...string) table {
	rows := table{append([]string{"case"}, metrics...)}
	for _, b := range all {
		row := []string{b.Name}
		for _, m := range metrics {
			cell := "-"
			if v, is := b.Metrics[m]; is {
				cell = fmt.Sprintf("%.4g", v)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// referenceOf is the result that other routers are compared with, nil if it was not
// measured.
func referenceOf(results []*result) *result { return resultOf(results, reference) }

// resultOf is the result of the machine with a name, nil if it was not measured.
func resultOf(results []*result, name string) *result {
	for _, r := range results {
		if r.Machine == name {
			return r
		}
	}
	return nil
}
