// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/traffic"
)

// What load writes.
var loadPlace = place{"docs/fairness.md", "load"}

const loadPicture = "docs/load.svg"

// loaded are the machines that load measures.
var loaded = []string{"8-ring", "15-ring", "31-ring", "4x4", "4-cube", "(15,1)x(2,1)", "(6,2)x(5,1)", "5x5x5", "8x8"}

// load measures in the reference model what networks deliver, how evenly nodes share them and how long they wait, under the
// loads of package traffic. The page shows the worst of all machines.
func load(flags *flag.FlagSet) func(context.Context) (*report, error) {
	cycles := flags.Int("cycles", 100_000, "`cycles` of each run")
	depth := flags.Int("fifo_depth", machine.MinFIFODepth, "`slots` of a hop")
	return func(context.Context) (*report, error) {
		if *cycles < 1 {
			return nil, &badFlag{fmt.Sprintf("-cycles is %d: give 1 or more", *cycles)}
		}
		if *depth < machine.MinFIFODepth || *depth > machine.MaxFIFODepth {
			return nil, &badFlag{fmt.Sprintf("-fifo_depth is %d: give %d to %d", *depth, machine.MinFIFODepth, machine.MaxFIFODepth)}
		}
		return loadReport(measureLoads(*cycles, *depth)), nil
	}
}

// loadReport has the results of all loads, one slice per machine.
func loadReport(all [][]loadResult) *report {
	worst := tableOf("the worst of all machines", loadColumns[1:], worstLoads(all))
	r := &report{
		Tables:   []table{tableOf("loads by machine", loadColumns, slices.Concat(all...)), worst},
		pages:    []page{{loadPlace, []table{worst}, ""}},
		pictures: []picture{{loadPicture, drawLoads(all)}},
	}
	for _, results := range all {
		for i := range results {
			results[i].check(r)
		}
	}
	return r
}

// loadResult is what a machine does under a load.
type loadResult struct {
	machine, load      string
	deliveries         float64 // relative to their bound
	shared             bool    // several nodes send: for a single one share and wait mean nothing
	share, wait        float64 // fewest injections to the most, longest wait to its bound
	underWay           int     // cycles
	longest, waitBound int     // messages of others for which a node waits
	passed             int     // ticks in which an entrant is passed
}

var loadColumns = []column[loadResult]{
	{"machine", "machine", "", "%s", func(r loadResult) any { return r.machine }},
	{"load", "load", "", "%s", func(r loadResult) any { return r.load }},
	{"deliveries", "deliveries", "of the most that is possible", "%.2f", func(r loadResult) any { return r.deliveries }},
	{"share", "share", "fewest to most injections", "%.2f", func(r loadResult) any { return r.ifShared(r.share) }},
	{"wait", "wait", "longest wait, of the bound of the theorem", "%.2f", func(r loadResult) any { return r.ifShared(r.wait) }},
	{"under_way_cycles", "under way", "longest time from the first copy of a message to its last delivery, in cycles", "%d", func(r loadResult) any { return r.underWay }},
}

func (r *loadResult) ifShared(figure float64) any {
	if !r.shared {
		return nil
	}
	return figure
}

// newLoadResult takes the figures of a run.
func newLoadResult(machine, load string, m measure.Measurement) loadResult {
	r := loadResult{
		machine: machine, load: load, deliveries: m.DeliveriesPerNode / m.Bound, underWay: m.MaxTimeUnderWay,
		longest: m.LongestWait, waitBound: m.WaitBound, passed: m.MaxPassedTicks,
	}
	if m.WaitBound > 0 {
		r.shared, r.share, r.wait = true, m.Fairness, float64(m.LongestWait)/float64(m.WaitBound)
	}
	return r
}

// check adds a wait that is longer than the theorem allows, and an entrant that is passed more often, to a report.
func (r *loadResult) check(to *report) {
	if r.longest > r.waitBound {
		to.contradict("%s, %s: a node waited for %d messages of others, and the bound is %d", r.machine, r.load, r.longest, r.waitBound)
	}
	if r.passed > plan.PassedTicks {
		to.contradict("%s, %s: an entrant was passed in %d ticks, and the bound is %d", r.machine, r.load, r.passed, plan.PassedTicks)
	}
}

// measureLoads returns the results of all loads, one slice per machine.
func measureLoads(cycles, depth int) [][]loadResult {
	all := make([][]loadResult, len(loaded))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, title := range loaded {
		m := shaped(title)
		m.FIFODepth = depth
		p := plan.New(m)
		loads := traffic.Loads(p.Nodes)
		all[i] = make([]loadResult, len(loads))
		for j, l := range loads {
			work.Go(func() error {
				all[i][j] = newLoadResult(title, l.Name, measure.Load(p, l, cycles))
				return nil
			})
		}
	}
	_ = work.Wait() // no run fails
	return all
}

// worstLoads has for each load the smallest deliveries and shares, the longest wait and the longest time under way of all machines.
func worstLoads(all [][]loadResult) (worst []loadResult) {
	for j, first := range all[0] {
		for _, results := range all[1:] {
			r := results[j]
			first.deliveries, first.underWay = min(first.deliveries, r.deliveries), max(first.underWay, r.underWay)
			first.share, first.wait = min(first.share, r.share), max(first.wait, r.wait)
		}
		worst = append(worst, first)
	}
	return worst
}

// loadColours are the colours of the machines, which colour-blind readers can distinguish, too.
var loadColours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#685c00", "#999999", "#000000"}

// drawnLoads are the columns of the panels, with figures of 0 to 1.
var drawnLoads = only(loadColumns, "deliveries", "share", "wait")

// drawLoads draws a panel for each figure and a column for each load, in it a dot for each machine.
func drawLoads(all [][]loadResult) []byte {
	const (
		panelHeight           = 140.
		left, top, gap, right = 50., 60., 40., 20.
		columnWidth, radius   = 52., 3.
		legendEntry           = 100.
		foot                  = 150. // for the names of the loads
	)
	width := left + float64(len(all[0]))*columnWidth + right
	bottom := top + float64(len(drawnLoads))*(panelHeight+gap) - gap
	p := svg.New(width, bottom+foot, "Loads by machine", "Deliveries, shares and longest waits of the loads by machine; the figures are in the table")
	for i, results := range all {
		key(p, svg.Point{X: left + float64(i)*legendEntry, Y: 24}, radius, loadColours[i], results[0].machine)
	}
	for row, figure := range drawnLoads {
		y := top + float64(row)*(panelHeight+gap)
		scale := axis{low: 0, high: 1.05, from: y + panelHeight, to: y}
		p.Text(svg.Point{X: left, Y: y - 8}, svg.Start, "", figure.heading+": "+figure.meaning)
		scale.across(p, left, width-right, "%.1f", 0, 0.2, 0.4, 0.6, 0.8, 1)
		for i, results := range all {
			for j := range results {
				r := results[j]
				value, has := figure.value(r).(float64)
				if !has {
					continue
				}
				x := left + columnWidth*(float64(j)+(float64(i)+1)/float64(len(all)+1))
				dot(p, svg.Point{X: x, Y: scale.at(value)}, radius, loadColours[i], fmt.Sprintf("%s, %s: %.3f", r.machine, r.load, value))
			}
		}
	}
	for j := range all[0] {
		x, y := left+columnWidth*(float64(j)+0.6), bottom+14
		p.Text(svg.Point{X: x, Y: y}, svg.End, fmt.Sprintf(`font-size="%s" transform="rotate(-40 %s %s)"`, svg.N(svg.Small), svg.N(x), svg.N(y)), all[0][j].load)
	}
	return p.Bytes()
}
