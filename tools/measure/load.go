// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

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
// loads of package traffic. It prints a table by machine, and writes the worst of all machines, and a picture.
func load(flags *flag.FlagSet) func(context.Context, io.Writer) error {
	const allCycles, allDepth = 100_000, machine.MinFIFODepth // of the page and the picture
	cycles := flags.Int("cycles", allCycles, "`cycles` of each run; with another number nothing is written")
	depth := flags.Int("fifo_depth", allDepth, "`slots` of a hop; with another number nothing is written")
	return func(_ context.Context, out io.Writer) error {
		if *cycles < 1 {
			return &badFlag{fmt.Sprintf("-cycles is %d: give 1 or more", *cycles)}
		}
		if *depth < machine.MinFIFODepth || *depth > machine.MaxFIFODepth {
			return &badFlag{fmt.Sprintf("-fifo_depth is %d: give %d to %d", *depth, machine.MinFIFODepth, machine.MaxFIFODepth)}
		}
		write := *cycles == allCycles && *depth == allDepth
		if write { // before minutes of work
			if err := checkPlaces(loadPlace); err != nil {
				return err
			}
		}
		all := measureLoads(*cycles, *depth)
		if _, err := io.WriteString(out, loadTable(all).markdown()); err != nil {
			return err
		}
		if err := contradictedBound(all); err != nil || !write {
			return err
		}
		if err := loadPlace.write(worstLoads(all).markdown()); err != nil {
			return err
		}
		return os.WriteFile(loadPicture, drawLoads(all), 0o644)
	}
}

// loadResult is what a machine does under a load.
type loadResult struct {
	machine, load string
	measure.Measurement
}

// delivered are deliveries relative to their bound.
func (r *loadResult) delivered() float64 { return r.DeliveriesPerNode / r.Bound }

// waited is the longest wait relative to its bound.
func (r *loadResult) waited() float64 { return float64(r.LongestWait) / float64(r.WaitBound) }

// shared reports whether more than one node injects: for a single node shares and waits mean nothing.
func (r *loadResult) shared() bool { return r.WaitBound > 0 }

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
			all[i][j] = loadResult{machine: title, load: l.Name}
			work.Go(func() error {
				all[i][j].Measurement = measure.Load(p, l, cycles)
				return nil
			})
		}
	}
	_ = work.Wait() // no run fails
	return all
}

// contradictedBound is an error if a wait is longer than the theorem allows, or an entrant is passed more often.
func contradictedBound(all [][]loadResult) error {
	for _, results := range all {
		for i := range results {
			if r := &results[i]; r.LongestWait > r.WaitBound {
				return fmt.Errorf("%s, %s: a node waited for %d messages of others, and the bound is %d", r.machine, r.load, r.LongestWait, r.WaitBound)
			} else if r.MaxPassedTicks > plan.PassedTicks {
				return fmt.Errorf("%s, %s: an entrant was passed in %d ticks, and the bound is %d", r.machine, r.load, r.MaxPassedTicks, plan.PassedTicks)
			}
		}
	}
	return nil
}

// loadTable has a row for each load and a column for each machine.
func loadTable(all [][]loadResult) table {
	t := table{{"load"}}
	for _, results := range all {
		t[0] = append(t[0], results[0].machine)
	}
	for j := range all[0] {
		row := []string{all[0][j].load}
		for _, results := range all {
			r := &results[j]
			cell := fmt.Sprintf("%.2f", r.delivered())
			if r.shared() {
				cell += fmt.Sprintf(", %.2f, %.2f", r.Fairness, r.waited())
			}
			row = append(row, fmt.Sprintf("%s, %d", cell, r.MaxTimeUnderWay))
		}
		t = append(t, row)
	}
	return t
}

// worstLoads has a row for each load: the smallest deliveries and shares, the longest wait and the longest time under way of
// all machines.
func worstLoads(all [][]loadResult) table {
	t := table{{"load", "deliveries", "share", "wait", "under way"}}
	for j := range all[0] {
		first := &all[0][j]
		deliveries, fewest, longest, underWay := first.delivered(), first.Fairness, 0.0, 0
		for _, results := range all {
			r := &results[j]
			deliveries, fewest = min(deliveries, r.delivered()), min(fewest, r.Fairness)
			underWay = max(underWay, r.MaxTimeUnderWay)
			if r.shared() {
				longest = max(longest, r.waited())
			}
		}
		share, wait := "-", "-"
		if first.shared() {
			share, wait = fmt.Sprintf("%.2f", fewest), fmt.Sprintf("%.2f", longest)
		}
		t = append(t, []string{first.load, fmt.Sprintf("%.2f", deliveries), share, wait, whole(underWay)})
	}
	return t
}

// loadColours are the colours of the machines, which colour-blind readers can distinguish, too.
var loadColours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#685c00", "#999999", "#000000"}

// loadFigures are what the panels show, 0 to 1.
var loadFigures = []struct {
	title string
	of    func(*loadResult) float64
	alone bool // meaningful for a single node
}{
	{"deliveries, of the most that is possible", (*loadResult).delivered, true},
	{"fewest to most injections", func(r *loadResult) float64 { return r.Fairness }, false},
	{"longest wait, of the bound of the theorem", (*loadResult).waited, false},
}

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
	bottom := top + float64(len(loadFigures))*(panelHeight+gap) - gap
	p := svg.New(width, bottom+foot, "Loads by machine", "Deliveries, shares and longest waits of the loads by machine; the figures are in the table")
	for i, results := range all {
		key(p, svg.Point{X: left + float64(i)*legendEntry, Y: 24}, radius, loadColours[i], results[0].machine)
	}
	for row, figure := range loadFigures {
		y := top + float64(row)*(panelHeight+gap)
		scale := axis{low: 0, high: 1.05, from: y + panelHeight, to: y}
		p.Text(svg.Point{X: left, Y: y - 8}, svg.Start, "", figure.title)
		scale.across(p, left, width-right, "%.1f", 0, 0.2, 0.4, 0.6, 0.8, 1)
		for i, results := range all {
			for j := range results {
				r := &results[j]
				if !figure.alone && !r.shared() {
					continue
				}
				x := left + columnWidth*(float64(j)+(float64(i)+1)/float64(len(all)+1))
				dot(p, svg.Point{X: x, Y: scale.at(figure.of(r))}, radius, loadColours[i], fmt.Sprintf("%s, %s: %.3f", r.machine, r.load, figure.of(r)))
			}
		}
	}
	for j := range all[0] {
		x, y := left+columnWidth*(float64(j)+0.6), bottom+14
		p.Text(svg.Point{X: x, Y: y}, svg.End, fmt.Sprintf(`font-size="%s" transform="rotate(-40 %s %s)"`, svg.N(svg.Small), svg.N(x), svg.N(y)), all[0][j].load)
	}
	return p.Bytes()
}
