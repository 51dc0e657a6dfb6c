// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
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

// unicast measures in the reference model the accepted messages with a destination when every node always offers one, and the
// loss when a receiver stops.
func unicast(flags *flag.FlagSet) func(context.Context) (*report, error) {
	cycles := flags.Int("cycles", 20_000, "`cycles` of each run")
	return func(context.Context) (*report, error) {
		if *cycles < 10 {
			return nil, &badFlag{fmt.Sprintf("-cycles is %d: give 10 or more", *cycles)}
		}
		all := measureAccepted(*cycles)
		brief := tableOf("accepted messages by machine", briefColumns(), all)
		stopped := tableOf("accepted messages if a receiver stops, relative to a run without messages for it", stoppedColumns(), measureStopped(*cycles/10))
		return &report{
			Tables: []table{tableOf("accepted messages", acceptedColumns, slices.Concat(all...)), brief, stopped},
			pages:  []page{{throughputPlace, []table{brief}, ""}, {stoppedPlace, []table{stopped}, ""}},
		}, nil
	}
}

// accepted holds the accepted messages of a machine for a pattern.
type accepted struct {
	machine unicastMachine
	pattern string
	rows    bool // the destinations are rows of nodes
	nodes   int
	byDepth []sim.Summary
	free    sim.Summary // without the pace, of the first depth
}

var acceptedColumns = []column[*accepted]{
	{"machine", "machine", "", "%s", func(a *accepted) any { return a.machine.title }},
	{"pattern", "pattern", "", "%s", func(a *accepted) any { return a.pattern }},
	{"fifo_depth_2", "fifo_depth 2", "messages, or of rows deliveries, of a node in a cycle", "%.3f", func(a *accepted) any { return a.rate(a.byDepth[0]) }},
	{"fifo_depth_3", "3", "", "%.3f", func(a *accepted) any { return a.rate(a.byDepth[1]) }},
	{"fifo_depth_4", "4", "", "%.3f", func(a *accepted) any { return a.rate(a.byDepth[2]) }},
	{"no_pace", "2, no pace", "", "%.3f", func(a *accepted) any { return a.rate(a.free) }},
	{"wait_cycles", "longest wait", "cycles from the offer to the injection, with fifo_depth 2", "%d", func(a *accepted) any { return a.byDepth[0].MaxInjectionWait }},
	{"wait_cycles_no_pace", "no pace", "", "%d", func(a *accepted) any { return a.free.MaxInjectionWait }},
	{"under_way_cycles", "under way", "cycles from the first copy to the last delivery, at most", "%d", func(a *accepted) any { return a.byDepth[0].MaxTimeUnderWay }},
}

// briefColumns are those of the page. A row has the results of a machine.
func briefColumns() []column[[]*accepted] {
	columns := []column[[]*accepted]{{"machine", "machine", "", "%s", func(all []*accepted) any { return all[0].machine.title }}}
	for _, p := range patterns {
		if p.brief == "" {
			continue
		}
		columns = append(columns, column[[]*accepted]{strings.ReplaceAll(p.name, " ", "_"), p.brief, "", "%s", func(all []*accepted) any {
			a := all[slices.IndexFunc(all, func(a *accepted) bool { return a.pattern == p.name })]
			first, last := a.byDepth[0], a.byDepth[len(a.byDepth)-1]
			if p.load.Pattern == machine.ToHotSpot {
				return fmt.Sprintf("%.3f, %d / %.3f, %d", a.rate(first), first.MaxInjectionWait, a.rate(a.free), a.free.MaxInjectionWait)
			}
			return fmt.Sprintf("%.3f / %.3f", a.rate(first), a.rate(last))
		}})
	}
	return append(columns, column[[]*accepted]{"booksim2_uniform", "BookSim2, uniform", "", "%s", func(all []*accepted) any { return all[0].machine.bookSim }})
}

// measureAccepted returns the results of all patterns, one slice per machine.
func measureAccepted(cycles int) [][]*accepted {
	all := make([][]*accepted, len(unicastMachines))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, s := range unicastMachines {
		for _, t := range patterns {
			if t.load.Pattern == machine.ToTranspose && len(shapes[s.title]) == 1 {
				continue // every node would send to itself
			}
			load := t.load
			load.Rate, load.Seed = 1, 1
			a := &accepted{machine: s, pattern: t.name, rows: load.Pattern == machine.ToRow, byDepth: make([]sim.Summary, len(depths))}
			all[i] = append(all[i], a)
			for k, depth := range depths {
				p := s.plan(depth)
				a.nodes = p.Nodes
				work.Go(func() error {
					a.byDepth[k] = sim.Saturate(p, load, cycles)
					if k == 0 {
						load := load
						load.Free = true
						a.free = sim.Saturate(p, load, cycles)
					}
					return nil
				})
			}
		}
	}
	_ = work.Wait() // no run fails
	return all
}

// rate is the messages that a node injects in a cycle, on average; of rows the deliveries.
func (a *accepted) rate(s sim.Summary) float64 {
	if a.rows {
		return s.DeliveriesPerNode
	}
	return float64(s.Injections) / float64(a.nodes) / float64(s.Cycles)
}

// plan returns the plan of a router with destinations and the given number of slots per hop.
func (s unicastMachine) plan(depth int) *plan.Plan {
	m := shaped(s.title)
	m.Destination, m.FIFODepth = true, depth
	return plan.New(m)
}

// waiting are the numbers of messages for the receiver that stops.
var waiting = []int{1, 4, 16}

// stoppedResult are the accepted messages of a machine while one receiver never accepts, relative to a run without messages for
// it, by messages for it: with and without the marks of ring ports.
type stoppedResult struct {
	machine    string
	byMessages [][]float64
}

func stoppedColumns() []column[stoppedResult] {
	columns := []column[stoppedResult]{{"machine", "machine", "", "%s", func(r stoppedResult) any { return r.machine }}}
	for i, messages := range waiting {
		columns = append(columns, column[stoppedResult]{
			fmt.Sprintf("for_the_receiver_%d", messages), fmt.Sprintf("%d for the receiver", messages), "", "%.2f",
			func(r stoppedResult) any { return r.byMessages[i] },
		})
	}
	return columns
}

func measureStopped(cycles int) []stoppedResult {
	all := make([]stoppedResult, len(unicastMachines))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, s := range unicastMachines {
		work.Go(func() error {
			p := s.plan(depths[0])
			none := stopped(p, cycles, 0, false)
			all[i].machine = s.title
			for _, messages := range waiting {
				all[i].byMessages = append(all[i].byMessages, []float64{stopped(p, cycles, messages, false) / none, stopped(p, cycles, messages, true) / none})
			}
			return nil
		})
	}
	_ = work.Wait() // no run fails
	return all
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
	n := sim.NewNetwork(p, t)
	if ignoreMarks {
		n.IgnoreMarks()
	}
	for n.Cycle() < cycles {
		n.Step()
	}
	return float64(n.Summary().Injections)
}
