// SPDX-License-Identifier: Apache-2.0

// Load measures in the reference model what networks deliver, how evenly nodes share them and
// how long they wait, under the loads of package sim. It prints a table by machine, writes the worst of all
// machines into docs/fairness.md and draws docs/load.svg.
//
//	go run ./tools/load     (in the top folder of the project)
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/tools/internal/page"
)

// The files that it writes.
const (
	document = "docs/fairness.md"
	place    = "load" // of the table in it
	picture  = "docs/load.svg"
)

// subject is a machine that is measured: m and rho of its dimensions, dimension 1 first.
type subject struct {
	title string
	rings [][2]int
}

var subjects = []subject{
	{"8-ring", [][2]int{{8, 1}}},
	{"15-ring", [][2]int{{15, 1}}},
	{"31-ring", [][2]int{{31, 1}}},
	{"4x4", [][2]int{{4, 1}, {4, 1}}},
	{"4-cube", [][2]int{{2, 1}, {2, 1}, {2, 1}, {2, 1}}},
	{"(15,1)x(2,1)", [][2]int{{2, 1}, {15, 1}}},
	{"(6,2)x(5,1)", [][2]int{{5, 1}, {6, 2}}},
	{"5x5x5", [][2]int{{5, 1}, {5, 1}, {5, 1}}},
	{"8x8", [][2]int{{8, 1}, {8, 1}}},
}

func main() {
	cycles := flag.Int("cycles", defaultCycles, "`cycles` of each run; with another number nothing is written")
	depth := flag.Int("fifo_depth", defaultDepth, "`slots` of a hop; with another number nothing is written")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "error: unknown argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := measureLoads(os.Stdout, *cycles, *depth); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// The run of the page and the picture.
const (
	defaultCycles = 100_000
	defaultDepth  = 2
)

// measureLoads prints the table, and writes table and picture with the defaults.
func measureLoads(out io.Writer, cycles, depth int) error {
	if cycles < 1 {
		return fmt.Errorf("-cycles is %d: give 1 or more", cycles)
	}
	write := cycles == defaultCycles && depth == defaultDepth
	if write { // before minutes of work
		if err := page.Check(document, place); err != nil {
			return fmt.Errorf("%w (load runs in the top folder of the project)", err)
		}
	}
	all, err := measure(subjects, cycles, depth)
	if err != nil {
		return err
	}
	text := table(all)
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	if err := contradiction(all); err != nil || !write {
		return err
	}
	if err := page.Write(document, place, worst(all)); err != nil {
		return err
	}
	return os.WriteFile(picture, draw(all), 0o644)
}

// result is what a machine does under a load.
type result struct {
	machine, load string
	sim.Measurement
}

// delivered are deliveries relative to their bound.
func (r *result) delivered() float64 { return r.DeliveriesPerNode / r.Bound }

// waited is the longest wait relative to its bound.
func (r *result) waited() float64 { return float64(r.LongestWait) / float64(r.WaitBound) }

// shared reports whether more than one node injects: for a single node shares and waits mean nothing.
func (r *result) shared() bool { return r.WaitBound > 0 }

// measure returns the results of all loads, one slice per machine.
func measure(subjects []subject, cycles, depth int) ([][]result, error) {
	type job struct {
		plan *plan.Plan
		load sim.Load
		at   *result
	}
	var jobs []job
	all := make([][]result, len(subjects))
	for i, s := range subjects {
		p, err := s.plan(depth)
		if err != nil {
			return nil, err
		}
		loads := sim.Loads(p.Nodes)
		all[i] = make([]result, len(loads))
		for j, l := range loads {
			all[i][j] = result{machine: s.title, load: l.Name}
			jobs = append(jobs, job{p, l, &all[i][j]})
		}
	}
	work := make(chan job)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for j := range work {
				j.at.Measurement = sim.MeasureLoad(j.plan, j.load, cycles)
			}
		})
	}
	for _, j := range jobs {
		work <- j
	}
	close(work)
	workers.Wait()
	return all, nil
}

// plan returns the plan of a router with the given number of slots per hop, and defaults otherwise.
func (s subject) plan(depth int) (*plan.Plan, error) {
	var text strings.Builder
	text.WriteString("machine \"measured\" {\n")
	for i, d := range s.rings {
		fmt.Fprintf(&text, "  dimension \"d%d\" {\n    m   = %d\n    rho = %d\n  }\n", i+1, d[0], d[1])
	}
	fmt.Fprintf(&text, "  router {\n    fifo_depth = %d\n  }\n}\n", depth)
	m, _, diags := machine.LoadBytes("measured.hcl", []byte(text.String()), nil)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%s: %w", s.title, diags)
	}
	return plan.New(m), nil
}

// contradiction is an error if a wait is longer than the theorem allows, or an entrant is passed more often.
func contradiction(all [][]result) error {
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

// table has a row for each load and a column for each machine.
func table(all [][]result) string {
	var b strings.Builder
	b.WriteString("| load |")
	for _, results := range all {
		fmt.Fprintf(&b, " %s |", results[0].machine)
	}
	fmt.Fprintf(&b, "\n|%s\n", strings.Repeat(" --- |", 1+len(all)))
	for j := range all[0] {
		fmt.Fprintf(&b, "| %s |", all[0][j].load)
		for _, results := range all {
			r := &results[j]
			fmt.Fprintf(&b, " %.2f", r.delivered())
			if r.shared() {
				fmt.Fprintf(&b, ", %.2f, %.2f", r.Fairness, r.waited())
			}
			fmt.Fprintf(&b, ", %d", r.MaxTimeUnderWay)
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// worst has a row for each load: the smallest deliveries and shares, the longest wait and the longest time under way of
// all machines.
func worst(all [][]result) string {
	var b strings.Builder
	b.WriteString("| load | deliveries | share | wait | under way |\n| --- | --- | --- | --- | --- |\n")
	for j := range all[0] {
		first := &all[0][j]
		deliveries, share, wait, underWay := first.delivered(), first.Fairness, 0.0, 0
		for _, results := range all {
			r := &results[j]
			deliveries, share = min(deliveries, r.delivered()), min(share, r.Fairness)
			underWay = max(underWay, r.MaxTimeUnderWay)
			if r.shared() {
				wait = max(wait, r.waited())
			}
		}
		fmt.Fprintf(&b, "| %s | %.2f |", first.load, deliveries)
		if first.shared() {
			fmt.Fprintf(&b, " %.2f | %.2f |", share, wait)
		} else {
			b.WriteString(" - | - |")
		}
		fmt.Fprintf(&b, " %d |\n", underWay)
	}
	return b.String()
}
