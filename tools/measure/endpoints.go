// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/endpoint"
)

// What endpoints writes.
var (
	accessPlace       = place{"docs/endpoints.md", "cycles of accesses"}
	endpointCostPlace = place{"docs/endpoints.md", "cost of endpoints"}
)

// idle is the number of cycles after which nothing of an access is under way in an idle system, and the credit of its node is whole.
const idle = 64

// endpointAccesses are the accesses that are measured.
var endpointAccesses = []struct {
	name   string
	region int
	write  bool
	all    bool
}{
	{"put", plan.RegionMessages, true, false},
	{"get", plan.RegionMessages, false, false},
	{"add", plan.RegionAdd, true, false},
	{"put to all", plan.RegionMessages, true, true},
	{"add to all", plan.RegionAdd, true, true},
}

// endpoints measures in the reference model the cycles of accesses to other nodes, from that in which the master offers the access to that
// of ack: in an idle system, and while all nodes make accesses of the kind all the time. It places an endpoint with each option on the HX8K.
func endpoints(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	cycles := flags.Int("cycles", 20_000, "`cycles` of each run under load")
	return func(ctx context.Context) (*report, error) {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		if *cycles < 1000 {
			return nil, &badFlag{fmt.Sprintf("-cycles is %d: give 1000 or more", *cycles)}
		}
		designs, conditions, err := placeEndpoints(ctx, r, seeds)
		if err != nil {
			return nil, err
		}
		return endpointsReport(measureAccesses(*cycles), designs, conditions), nil
	}
}

func endpointsReport(accesses []accessResult, designs []endpointDesign, conditions string) *report {
	cycles := tableOf("cycles of an access to other nodes on Wishbone", accessColumns(), accesses)
	cost := tableOf("an endpoint of the 4x4 torus with a memory of 4096 bytes, on the HX8K", endpointColumns, designs)
	return &report{
		Tables: []table{cycles, cost}, Conditions: conditions,
		pages: []page{{accessPlace, []table{cycles}, ""}, {endpointCostPlace, []table{cost}, "On the HX8K with " + conditions}},
	}
}

// endpointDesign is an endpoint that is placed alone.
type endpointDesign struct {
	endpoint machine.Endpoint
	made     synthesis.Measured
}

func endpointDesigns() (all []endpointDesign) {
	for _, bus := range []string{machine.Wishbone, machine.AXI4Lite} {
		for _, with := range []struct{ gets, adds bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
			all = append(all, endpointDesign{endpoint: machine.Endpoint{Bus: bus, AddressBits: 12, Gets: with.gets, Adds: with.adds}})
		}
	}
	return all
}

// task places the endpoint. Its node is an input, as in a module that all nodes share.
func (d *endpointDesign) task(target machine.Synthesis) libraryTask {
	m := endpointMachine("4x4", d.endpoint)
	return libraryTask{Module: plan.New(m).Module("endpoint"), Description: string(m.HCL()), Options: synthesis.Options{Target: target}}
}

// placeEndpoints places all endpoints, and returns the conditions, too.
func placeEndpoints(ctx context.Context, r *runner, seeds []int) (designs []endpointDesign, conditions string, err error) {
	if _, err := synthesis.Versions(ctx, "yosys"); err != nil { // which reads the ports
		return nil, "", err
	}
	designs = endpointDesigns()
	var units []unit
	for i := range designs {
		d := &designs[i]
		t, err := newLibraryTask(ctx, d.task(synthesis.HX8K(seeds...)))
		if err != nil {
			return nil, "", err
		}
		units = append(units, unit{fmt.Sprintf("%s.gets-%t.adds-%t", d.endpoint.Bus, d.endpoint.Gets, d.endpoint.Adds), task{Library: t}, &d.made})
	}
	if err := r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units); err != nil {
		return nil, "", err
	}
	return designs, r.conditions(seeds), nil
}

var endpointColumns = []column[endpointDesign]{
	{"bus", "`bus`", "", "%s", func(d endpointDesign) any { return d.endpoint.Bus }},
	{"gets", "`gets`", "", "%t", func(d endpointDesign) any { return d.endpoint.Gets }},
	{"adds", "`adds`", "", "%t", func(d endpointDesign) any { return d.endpoint.Adds }},
	{"lut4", "LUT4", "", "%d", func(d endpointDesign) any { return d.made.LUT4 }},
	{"ff", "FF", "", "%d", func(d endpointDesign) any { return d.made.FF }},
	{"bram", "block RAM", "", "%d", func(d endpointDesign) any { return d.made.BRAM }},
	{"clock_mhz", "clock, min / median / max, MHz", "of the seeds", "%.0f", func(d endpointDesign) any { return clocks(d.made.Clock) }},
}

// endpointMachine is a machine with endpoints.
func endpointMachine(title string, e machine.Endpoint) *machine.Machine {
	m := shaped(title)
	m.Network, m.Destination, m.Barrier, m.Endpoint = true, true, true, &e
	return m
}

// accessResult has the cycles of an access on a machine.
type accessResult struct {
	machine, access string
	idle, loaded    accessCycles
	rate            float64 // accesses of a node in a cycle, under load
}

// accessCycles are those of all accesses of a run.
type accessCycles struct{ count, sum, longest int }

func (a accessCycles) mean() float64 { return float64(a.sum) / float64(a.count) }

func accessColumns() []column[accessResult] {
	return []column[accessResult]{
		{"machine", "machine", "", "%s", func(r accessResult) any { return r.machine }},
		{"access", "access", "", "%s", func(r accessResult) any { return r.access }},
		{"idle_mean", "idle, mean", "cycles from stb to ack, over all other nodes", "%.1f", func(r accessResult) any { return r.idle.mean() }},
		{"idle_longest", "idle, longest", "", "%d", func(r accessResult) any { return r.idle.longest }},
		{"loaded_mean", "all nodes active, mean", "cycles from stb to ack, to random other nodes", "%.1f", func(r accessResult) any { return r.loaded.mean() }},
		{"loaded_longest", "all nodes active, longest", "", "%d", func(r accessResult) any { return r.loaded.longest }},
		{"rate", "accesses per node and cycle", "all nodes active", "%.3f", func(r accessResult) any { return r.rate }},
	}
}

func measureAccesses(cycles int) []accessResult {
	titles := []string{"4x4", "8x8"}
	all := make([]accessResult, len(titles)*len(endpointAccesses))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, title := range titles {
		for k := range endpointAccesses {
			work.Go(func() error {
				p := plan.New(endpointMachine(title, machine.Endpoint{Bus: machine.Wishbone, AddressBits: 12, Gets: true, Adds: true}))
				r := &all[i*len(endpointAccesses)+k]
				r.machine, r.access = title, endpointAccesses[k].name
				r.idle = accessRun(p, k, false, idle*p.Nodes)
				r.loaded = accessRun(p, k, true, cycles)
				r.rate = float64(r.loaded.count) / float64(p.Nodes) / float64(cycles)
				return nil
			})
		}
	}
	_ = work.Wait() // no run fails
	return all
}

// accessLoad makes accesses of a kind: node 0 alone to each other node in turn, with pauses, or all nodes to random other nodes.
type accessLoad struct {
	plan   *plan.Plan
	kind   int
	loaded bool
	made   []uint32 // accesses, by node
	cycles accessCycles
}

func accessRun(p *plan.Plan, kind int, loaded bool, cycles int) accessCycles {
	l := &accessLoad{plan: p, kind: kind, loaded: loaded, made: make([]uint32, p.Nodes)}
	s := endpoint.New(p, l)
	for s.Cycle() < cycles {
		s.Run()
	}
	return l.cycles
}

// Next is part of endpoint.Programs.
func (l *accessLoad) Next(v, cycle int) (endpoint.Access, bool) {
	if !l.loaded && (v > 0 || cycle%idle != 0 || int(l.made[0]) == l.plan.Nodes-1) {
		return endpoint.Access{}, false
	}
	other := 1 + int(l.made[v])
	if l.loaded {
		other = 1 + int(scattered(uint32(v)<<20|l.made[v])%uint32(l.plan.Nodes-1))
	}
	l.made[v]++
	a := endpointAccesses[l.kind]
	to := l.plan.Machine.Graph.To((v + other) % l.plan.Nodes)
	if a.all {
		to = hypercycle.Everywhere(len(to))
	}
	return endpoint.Access{Write: a.write, Strobes: 15, Address: endpoint.Address(l.plan, a.region, to, 4*(uint32(v)%16))}, true
}

// Ended is part of endpoint.Programs.
func (l *accessLoad) Ended(d endpoint.Done) {
	l.cycles.count++
	l.cycles.sum += d.End - d.Cycle
	l.cycles.longest = max(l.cycles.longest, d.End-d.Cycle)
}

// scattered is a hash of a number that looks random.
func scattered(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}
