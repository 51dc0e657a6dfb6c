// SPDX-License-Identifier: Apache-2.0

// Unicast measures in the reference model the accepted messages with a destination when every node always offers
// one, and the loss when a receiver stops. It prints tables and writes the main figures into
// docs/addressed-messages.md and docs/fairness.md.
//
//	go run ./tools/unicast     (in the top folder of the project)
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/tools/internal/page"
)

// The files that it writes.
const (
	document = "docs/addressed-messages.md"
	place    = "throughput" // of the table in it
)

// subject is a machine that is measured: m and rho of its dimensions, dimension 1 first.
type subject struct {
	title string
	rings [][2]int
	// bookSim is what BookSim2 accepts of uniform traffic, single flits, dimension order, 2 virtual channels of 8 flits,
	// its default delays; "" if it was not measured.
	bookSim string
}

var subjects = []subject{
	{"8-ring", [][2]int{{8, 1}}, ""},
	{"4x4", [][2]int{{4, 1}, {4, 1}}, "0.64"},
	{"8x8", [][2]int{{8, 1}, {8, 1}}, "0.28"},
	{"4-cube", [][2]int{{2, 1}, {2, 1}, {2, 1}, {2, 1}}, "0.78"},
	{"5x5x5", [][2]int{{5, 1}, {5, 1}, {5, 1}}, "0.51"},
}

var patterns = []struct {
	name  string
	brief string // heading in the page; empty: not there
	load  sim.Load
}{
	{"uniform", "uniform", sim.Load{Pattern: machine.ToUniform}},
	{"transpose", "", sim.Load{Pattern: machine.ToTranspose}},
	{"hot spot, a tenth", "hot spot with pace / without", sim.Load{Pattern: machine.ToHotSpot, Share: 0.1}},
	{"neighbour", "neighbour", sim.Load{Pattern: machine.ToNeighbour}},
	{"uniform, a tenth broadcasts", "a tenth broadcasts", sim.Load{Pattern: machine.ToUniform, Broadcasts: 0.1}},
	{"rows", "rows", sim.Load{Pattern: machine.ToRow}},
}

// depths are the slots of a hop that are measured, the first one also without the pace.
var depths = []int{2, 3, 4}

const defaultCycles = 20_000

func main() {
	cycles := flag.Int("cycles", defaultCycles, "`cycles` of each run; with another number nothing is written")
	flag.Parse()
	if err := measureUnicasts(os.Stdout, *cycles); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// measureUnicasts prints the table, and writes it with the default number of cycles.
func measureUnicasts(out io.Writer, cycles int) error {
	if cycles < 10 {
		return fmt.Errorf("-cycles is %d: give 10 or more", cycles)
	}
	if cycles == defaultCycles { // before minutes of work
		if err := errors.Join(page.Check(document, place), page.Check(stopDocument, stopPlace)); err != nil {
			return fmt.Errorf("%w (unicast runs in the top folder of the project)", err)
		}
	}
	text, brief, err := table(cycles)
	if err != nil {
		return err
	}
	stop, err := stopTable(cycles / 10)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, text+"\n"+stop); err != nil || cycles != defaultCycles {
		return err
	}
	return errors.Join(page.Write(document, place, brief), page.Write(stopDocument, stopPlace, stop))
}

// row holds the accepted messages of a machine for a pattern.
type row struct {
	nodes    int
	accepted []sim.Summary // by depth
	free     sim.Summary   // without the pace, of the first depth
}

// table has a row for each machine and pattern, brief a row for each machine.
func table(cycles int) (long, brief string, err error) {
	rows := make([]row, len(subjects)*len(patterns))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, s := range subjects {
		for j, t := range patterns {
			r := &rows[i*len(patterns)+j]
			r.accepted = make([]sim.Summary, len(depths))
			load := t.load
			load.Rate, load.Seed = 1, 1
			for k, depth := range depths {
				p, err := s.plan(depth)
				if err != nil {
					return "", "", err
				}
				r.nodes = p.Nodes
				work.Go(func() error {
					r.accepted[k] = sim.Saturate(p, load, cycles)
					if k == 0 {
						load := load
						load.Free = true
						r.free = sim.Saturate(p, load, cycles)
					}
					return nil
				})
			}
		}
	}
	if err := work.Wait(); err != nil {
		return "", "", err
	}
	var all, short strings.Builder
	all.WriteString("| machine | pattern | fifo_depth 2 | 3 | 4 | 2, no pace | longest wait | no pace | under way |\n|" + strings.Repeat(" --- |", 9) + "\n")
	short.WriteString("| machine |")
	for _, t := range patterns {
		if t.brief != "" {
			fmt.Fprintf(&short, " %s |", t.brief)
		}
	}
	short.WriteString(" BookSim2, uniform |\n|")
	for i, s := range subjects {
		line := ""
		for j, t := range patterns {
			if t.load.Pattern == machine.ToTranspose && len(s.rings) == 1 {
				continue // every node would send to itself
			}
			r := rows[i*len(patterns)+j]
			fmt.Fprintf(&all, "| %s | %s |", s.title, t.name)
			for k := range depths {
				fmt.Fprintf(&all, " %s |", r.rate(r.accepted[k], t.load.Pattern))
			}
			fmt.Fprintf(&all, " %s | %d | %d | %d |\n", r.rate(r.free, t.load.Pattern), r.accepted[0].MaxInjectionWait, r.free.MaxInjectionWait, r.accepted[0].MaxTimeUnderWay)
			switch {
			case t.load.Pattern == machine.ToHotSpot:
				line += fmt.Sprintf(" %s, %d / %s, %d |", r.rate(r.accepted[0], t.load.Pattern), r.accepted[0].MaxInjectionWait,
					r.rate(r.free, t.load.Pattern), r.free.MaxInjectionWait)
			case t.brief != "":
				line += fmt.Sprintf(" %s / %s |", r.rate(r.accepted[0], t.load.Pattern), r.rate(r.accepted[len(depths)-1], t.load.Pattern))
			}
		}
		if i == 0 {
			short.WriteString(strings.Repeat(" --- |", strings.Count(line, "|")+2) + "\n")
		}
		fmt.Fprintf(&short, "| %s |%s %s |\n", s.title, line, s.bookSim)
	}
	return all.String(), short.String(), nil
}

// rate is the messages that a node injects in a cycle, on average; of rows the deliveries.
func (r *row) rate(s sim.Summary, pattern machine.Pattern) string {
	if pattern == machine.ToRow {
		return fmt.Sprintf("%.3f", s.DeliveriesPerNode)
	}
	return fmt.Sprintf("%.3f", float64(s.Injections)/float64(r.nodes)/float64(s.Cycles))
}

// plan returns the plan of a router with destinations and the given number of slots per hop.
func (s subject) plan(depth int) (*plan.Plan, error) {
	var dims []hypercycle.Dimension
	for _, d := range s.rings {
		dims = append(dims, hypercycle.Dimension{M: d[0], Rho: d[1]})
	}
	m, err := machine.Bare(dims...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.title, err)
	}
	m.Destination, m.FIFODepth = true, depth
	return plan.New(m), nil
}
