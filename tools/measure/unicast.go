// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// What unicast writes: accepted messages, and the loss of messages while a receiver is stopped.
var (
	throughputPlace = place{"docs/addressed-messages.md", "throughput"}
	stoppedPlace    = place{"docs/fairness.md", "stopped receiver"}
)

// unicastMachine is a machine that unicast measures.
type unicastMachine struct {
	title string
	// bookSim is what BookSim2 accepts of uniform traffic, single flits, dimension order, 2 virtual channels of 8 flits,
	// its default delays; "" if it was not measured.
	bookSim string
}

var unicastMachines = []unicastMachine{{"8-ring", ""}, {"4x4", "0.64"}, {"8x8", "0.28"}, {"4-cube", "0.78"}, {"5x5x5", "0.51"}}

var patterns = []struct {
	name  string
	brief string // heading in the page; empty: not there
	load  traffic.Load
}{
	{"uniform", "uniform", traffic.Load{Pattern: machine.ToUniform}},
	{"transpose", "", traffic.Load{Pattern: machine.ToTranspose}},
	{"hot spot, a tenth", "hot spot with pace / without", traffic.Load{Pattern: machine.ToHotSpot, Share: 0.1}},
	{"neighbour", "neighbour", traffic.Load{Pattern: machine.ToNeighbour}},
	{"uniform, a tenth broadcasts", "a tenth broadcasts", traffic.Load{Pattern: machine.ToUniform, Broadcasts: 0.1}},
	{"rows", "rows", traffic.Load{Pattern: machine.ToRow}},
}

// depths are the slots of a hop that are measured, the first one also without the pace.
var depths = []int{2, 3, 4}

// unicast measures in the reference model the accepted messages with a destination when every node always offers one, and the
// loss when a receiver stops. It prints tables and writes the main figures.
func unicast(flags *flag.FlagSet) func(context.Context, io.Writer) error {
	const allCycles = 20_000 // of the pages
	cycles := flags.Int("cycles", allCycles, "`cycles` of each run; with another number nothing is written")
	return func(_ context.Context, out io.Writer) error {
		if *cycles < 10 {
			return &badFlag{fmt.Sprintf("-cycles is %d: give 10 or more", *cycles)}
		}
		if *cycles == allCycles { // before minutes of work
			if err := checkPlaces(throughputPlace, stoppedPlace); err != nil {
				return err
			}
		}
		long, brief := acceptedTables(*cycles)
		stopped := stoppedTable(*cycles / 10).markdown()
		if _, err := io.WriteString(out, long.markdown()+"\n"+stopped); err != nil || *cycles != allCycles {
			return err
		}
		if err := throughputPlace.write(brief.markdown()); err != nil {
			return err
		}
		return stoppedPlace.write(stopped)
	}
}

// accepted holds the accepted messages of a machine for a pattern.
type accepted struct {
	nodes   int
	byDepth []measure.Summary
	free    measure.Summary // without the pace, of the first depth
}

// acceptedTables are a table with a row for each machine and pattern, and a brief one with a row for each machine.
func acceptedTables(cycles int) (long, brief table) {
	all := make([]accepted, len(unicastMachines)*len(patterns))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, s := range unicastMachines {
		for j, t := range patterns {
			a := &all[i*len(patterns)+j]
			a.byDepth = make([]measure.Summary, len(depths))
			load := t.load
			load.Rate, load.Seed = 1, 1
			for k, depth := range depths {
				p := s.plan(depth)
				a.nodes = p.Nodes
				work.Go(func() error {
					a.byDepth[k] = measure.Saturate(p, load, model.Options{}, cycles)
					if k == 0 {
						a.free = measure.Saturate(p, load, model.Options{NoPace: true}, cycles)
					}
					return nil
				})
			}
		}
	}
	_ = work.Wait() // no run fails
	long = table{{"machine", "pattern", "fifo_depth 2", "3", "4", "2, no pace", "longest wait", "no pace", "under way"}}
	brief = table{{"machine"}}
	for _, t := range patterns {
		if t.brief != "" {
			brief[0] = append(brief[0], t.brief)
		}
	}
	brief[0] = append(brief[0], "BookSim2, uniform")
	for i, s := range unicastMachines {
		short := []string{s.title}
		for j, t := range patterns {
			if t.load.Pattern == machine.ToTranspose && len(shapes[s.title]) == 1 {
				continue // every node would send to itself
			}
			a := all[i*len(patterns)+j]
			first, free := a.byDepth[0], a.rate(a.free, t.load.Pattern)
			row := []string{s.title, t.name}
			for _, summary := range a.byDepth {
				row = append(row, a.rate(summary, t.load.Pattern))
			}
			long = append(long, append(row, free, whole(first.MaxInjectionWait), whole(a.free.MaxInjectionWait), whole(first.MaxTimeUnderWay)))
			switch {
			case t.load.Pattern == machine.ToHotSpot:
				short = append(short, fmt.Sprintf("%s, %d / %s, %d", row[2], first.MaxInjectionWait, free, a.free.MaxInjectionWait))
			case t.brief != "":
				short = append(short, row[2]+" / "+row[len(row)-1])
			}
		}
		brief = append(brief, append(short, s.bookSim))
	}
	return long, brief
}

// rate is the messages that a node injects in a cycle, on average; of rows the deliveries.
func (a *accepted) rate(s measure.Summary, pattern machine.Pattern) string {
	if pattern == machine.ToRow {
		return fmt.Sprintf("%.3f", s.DeliveriesPerNode)
	}
	return fmt.Sprintf("%.3f", float64(s.Injections)/float64(a.nodes)/float64(s.Cycles))
}

// plan returns the plan of a router with destinations and the given number of slots per hop.
func (s unicastMachine) plan(depth int) *plan.Plan {
	m := shaped(s.title)
	m.Destination, m.FIFODepth = true, depth
	return plan.New(m)
}

// waiting are the numbers of messages for the receiver that stops.
var waiting = []int{1, 4, 16}

// stoppedTable shows the loss of messages to other nodes while one receiver never accepts: accepted messages relative to a
// run without messages for it, with and without the marks of ring ports.
func stoppedTable(cycles int) table {
	t := table{{"machine"}}
	for _, messages := range waiting {
		t[0] = append(t[0], fmt.Sprintf("%d for the receiver", messages))
	}
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	rows := make([][]string, len(unicastMachines))
	for i, s := range unicastMachines {
		work.Go(func() error {
			p := s.plan(depths[0])
			all := stopped(p, cycles, 0, false)
			rows[i] = []string{s.title}
			for _, messages := range waiting {
				rows[i] = append(rows[i], fmt.Sprintf("%.2f / %.2f", stopped(p, cycles, messages, false)/all, stopped(p, cycles, messages, true)/all))
			}
			return nil
		})
	}
	_ = work.Wait() // no run fails
	return append(t, rows...)
}

// stopped is the number of messages that are accepted in a run in which a receiver never accepts. The first messages are for
// it, from different nodes if there are enough. Every other message is for a random other node.
func stopped(p *plan.Plan, cycles, messages int, ignoreMarks bool) float64 {
	receiver := p.Nodes / 2
	r := rand.New(rand.NewPCG(1, 1))
	to := make([]hypercycle.Destination, p.Nodes)
	for v := range to {
		to[v] = p.Machine.Graph.To(v)
	}
	t := machine.Traffic{Name: "stopped", Cycles: cycles, Stalls: []machine.Stall{{Receivers: []int{receiver}}}}
	others := slices.DeleteFunc(r.Perm(p.Nodes), func(v int) bool { return v == receiver })
	for i := range messages {
		t.Sends = append(t.Sends, machine.Send{From: others[i%len(others)], To: to[receiver]})
	}
	for range cycles { // a node injects at most one message in a cycle
		for v := range p.Nodes {
			other := others[r.IntN(len(others))]
			if other == v {
				other = others[(slices.Index(others, v)+1)%len(others)]
			}
			t.Sends = append(t.Sends, machine.Send{From: v, To: to[other]})
		}
	}
	n := measure.NewRun(p, t, model.Options{NoMarks: ignoreMarks})
	for n.Cycle() < cycles {
		n.Step()
	}
	return float64(n.Summary().Injections)
}
