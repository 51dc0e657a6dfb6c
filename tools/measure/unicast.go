// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
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
	field, heading string
	load           traffic.Load
}{
	{"uniform", "uniform", traffic.Load{Pattern: machine.ToUniform}},
	{"hot_spot", "hot spot with pace / without", traffic.Load{Pattern: machine.ToHotSpot, Share: 0.1}},
	{"neighbour", "neighbour", traffic.Load{Pattern: machine.ToNeighbour}},
	{"tenth_broadcasts", "a tenth broadcasts", traffic.Load{Pattern: machine.ToUniform, Broadcasts: 0.1}},
	{"rows", "rows", traffic.Load{Pattern: machine.ToRow}},
}

// shallow and deep are the slots of a hop that are measured.
const shallow, deep = 2, 4

// unicast measures in the reference model the accepted messages with a destination when every node always offers one, and the
// loss when a receiver stops.
func unicast(flags *flag.FlagSet) func(context.Context) (*report, error) {
	cycles := flags.Int("cycles", 20_000, "`cycles` of each run")
	return func(context.Context) (*report, error) {
		if *cycles < 10 {
			return nil, &badFlag{fmt.Sprintf("-cycles is %d: give 10 or more", *cycles)}
		}
		accepted := tableOf("accepted messages per node and cycle", unicastColumns(), measureUnicast(*cycles))
		stopped := tableOf("accepted messages if a receiver stops, relative to a run without messages for it", stoppedColumns(), measureStopped(*cycles/10))
		return &report{
			Tables: []table{accepted, stopped},
			pages:  []page{{throughputPlace, []table{accepted}, ""}, {stoppedPlace, []table{stopped}, ""}},
		}, nil
	}
}

// unicastResult has what a machine accepts, by pattern.
type unicastResult struct {
	unicastMachine
	byPattern []accepted
}

// accepted is what a machine accepts of a pattern: messages of a node in a cycle, of rows deliveries, and the longest wait in
// cycles from the offer to the injection.
type accepted struct {
	shallow, deep, free   float64 // free: shallow without the pace
	shallowWait, freeWait int
}

func unicastColumns() []column[unicastResult] {
	columns := []column[unicastResult]{{"machine", "machine", "", "%s", func(r unicastResult) any { return r.title }}}
	for i, p := range patterns {
		c := column[unicastResult]{p.field, p.heading, "", "%.3f", func(r unicastResult) any { return []float64{r.byPattern[i].shallow, r.byPattern[i].deep} }}
		if p.load.Pattern == machine.ToHotSpot {
			c.meaning = "rate, longest wait in cycles from the offer to the injection"
			c.value = func(r unicastResult) any {
				a := r.byPattern[i]
				return fmt.Sprintf("%.3f, %d / %.3f, %d", a.shallow, a.shallowWait, a.free, a.freeWait)
			}
		}
		columns = append(columns, c)
	}
	return append(columns, column[unicastResult]{"booksim2_uniform", "BookSim2, uniform", "", "%s", func(r unicastResult) any { return r.bookSim }})
}

func measureUnicast(cycles int) []unicastResult {
	all := make([]unicastResult, len(unicastMachines))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, s := range unicastMachines {
		all[i] = unicastResult{s, make([]accepted, len(patterns))}
		for j, p := range patterns {
			run := func(slots int, free bool, rate *float64, wait *int) {
				work.Go(func() error {
					load := p.load
					load.Rate, load.Seed = 1, 1
					plan := s.plan(slots)
					made := measure.Saturate(plan, load, model.Options{NoPace: free}, cycles)
					*rate, *wait = float64(made.Injections)/float64(plan.Nodes)/float64(cycles), made.MaxInjectionWait
					if load.Pattern == machine.ToRow {
						*rate = made.DeliveriesPerNode
					}
					return nil
				})
			}
			a := &all[i].byPattern[j]
			run(shallow, false, &a.shallow, &a.shallowWait)
			run(deep, false, &a.deep, new(int))
			if p.load.Pattern == machine.ToHotSpot {
				run(shallow, true, &a.free, &a.freeWait)
			}
		}
	}
	_ = work.Wait() // no run fails
	return all
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
			p := s.plan(shallow)
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
	n := measure.NewRun(p, t, model.Options{NoMarks: ignoreMarks})
	for n.Cycle() < cycles {
		n.Step()
	}
	return float64(n.Summary().Injections)
}
