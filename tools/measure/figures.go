// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// result holds the measurements of a subject.
type result struct {
	*subject
	stages int

	// One broadcast alone in the RTL: cycles from the injection to the last delivery, and what they have to be: D + 1, and with
	// two stages 2 D + 1.
	cycles, rightCycles int

	router  synthesis.Measured
	network synthesis.Measured // zero if it is not placed
	load    saturation
}

// broadcastNS is the time of the broadcast at the median clock of the router.
func (r *result) broadcastNS() float64 { return nanoseconds(r.cycles, r.router.Clock.Median) }

// machineColumns are the figures of a machine and its router.
var machineColumns = []column[*result]{
	{"machine", "machine", "", "%s", func(r *result) any { return r.title }},
	{"nodes", "nodes", "", "%d", func(r *result) any { return r.nodes }},
	{"degree", "degree", "", "%d", func(r *result) any { return r.degree }},
	{"payload_bits", "payload", "", "%d", func(r *result) any { return r.payload }},
	{"lut4", "LUT4", "", "%d", func(r *result) any { return r.router.LUT4 }},
	{"lut4_goal", "goal", "", "%d", func(r *result) any { return unlessZero(r.lut4) }},
	{"lut4_ratio", "ratio", "to the goal: LUT4 at most 1, the median clock at least 1", "%.2f", func(r *result) any {
		return ratio(float64(r.router.LUT4), float64(r.lut4))
	}},
	{"ff", "FF", "", "%d", func(r *result) any { return r.router.FF }},
	{"clock_mhz", "clock, min / median / max, MHz", "of the seeds; the tools aim for the goal, or for 100 MHz", "%.0f", func(r *result) any {
		return clocks(r.router.Clock)
	}},
	{"clock_goal", "goal", "", "%.0f", func(r *result) any { return unlessZero(r.mhz) }},
	{"clock_ratio", "ratio", "", "%.2f", func(r *result) any { return ratio(r.router.Clock.Median, r.mhz) }},
	{"ns_per_hop", "ns/hop", "", "%.1f", func(r *result) any { return nanoseconds(r.stages, r.router.Clock.Median) }},
	{"broadcast_cycles", "broadcast, cycles", "alone in RTL, from the injection to the last delivery", "%d", func(r *result) any { return r.cycles }},
	{"broadcast_ns", "broadcast, ns", "at the median clock of the router", "%.0f", func(r *result) any { return r.broadcastNS() }},
	{"deliveries", "deliveries", "of a node in a cycle of the model, if all nodes always send", "%.4f", func(r *result) any { return r.load.Deliveries }},
	{"deliveries_bound", "bound", "of deliveries", "%g", func(r *result) any { return r.load.Bound }},
	{"fairness", "fairness", "fewest to most injections of a node; the runs of the largest networks are too short for it", "%.2f", func(r *result) any {
		return unlessZero(r.load.Fairness)
	}},
}

// networkColumns are the figures of a network behind few pins.
var networkColumns = []column[*result]{
	{"network", "network", "", "%s", func(r *result) any { return r.title }},
	{"nodes", "nodes", "", "%d", func(r *result) any { return r.nodes }},
	{"payload_bits", "payload", "", "%d", func(r *result) any { return r.payload }},
	{"lut4", "LUT4", "", "%d", func(r *result) any { return r.network.Network.LUT4 }},
	{"ff", "FF", "", "%d", func(r *result) any { return r.network.Network.FF }},
	{"clock_min", "MHz min", "", "%.1f", func(r *result) any { return r.network.Clock.Min }},
	{"clock_median", "median", "", "%.1f", func(r *result) any { return r.network.Clock.Median }},
	{"clock_max", "max", "", "%.1f", func(r *result) any { return r.network.Clock.Max }},
	{"clock_goal", "goal", fmt.Sprintf("of the median; the tools aim for %g times the goal", overask), "%.0f", func(r *result) any { return r.networkMHz }},
	{"clock_ratio", "ratio", "of the median to the goal", "%.2f", func(r *result) any { return ratio(r.network.Clock.Median, r.networkMHz) }},
}

// clocks are the least, the median and the most clock of the seeds.
func clocks(c synthesis.Clock) []float64 { return []float64{c.Min, c.Median, c.Max} }

// ratio is nil without a goal.
func ratio(figure, goal float64) any {
	if goal == 0 {
		return nil
	}
	return figure / goal
}

// saturation is the network while every node always has a message and every receiver is
// ready, in the reference model.
type saturation struct {
	Cycles     int
	Deliveries float64 // of a node in a cycle
	Bound      float64
	Injections int     // fewest of a node
	Fairness   float64 // fewest to most injections of a node; 0 if the run is too short
}

// ahead is the number of deliveries by which the nodes may be ahead of the bound at the end of a run. A
// bound above 1 is that of the busiest link, and messages that wait for the link, one of each node, may
// have been delivered elsewhere. A bound of 1 is that of the local output, which no delivery precedes.
func (l *saturation) ahead(nodes int) float64 {
	if l.Bound > 1 {
		return float64(nodes-1) / float64(l.Cycles)
	}
	return 0
}

// check adds the measurements that contradict a guarantee to a report.
func (r *result) check(to *report) {
	if r.cycles != r.rightCycles {
		to.contradict("%s: one broadcast alone takes %d cycles in RTL, not %d", r.name, r.cycles, r.rightCycles)
	}
	l := &r.load
	if l.Deliveries > l.Bound+l.ahead(r.nodes) {
		to.contradict("%s: %.4f deliveries per node and cycle are more than the bound %g", r.name, l.Deliveries, l.Bound)
	}
	if l.Injections == 0 && l.Cycles >= cyclesForFairness(r.nodes) {
		to.contradict("%s: a node sends nothing in %d saturated cycles", r.name, l.Cycles)
	}
}

// cyclesForFairness is the length of a saturated run in which every node sends about ten messages:
// at one delivery per node and cycle, each message takes one cycle of the N - 1 other nodes.
func cyclesForFairness(nodes int) int { return 10 * nodes }

// saturationTask measures the saturated all-to-all of a network.
type saturationTask struct {
	Description string
	Program     string // with the model
}

func (t *saturationTask) do() (*saturation, error) {
	m, err := parseMachine(t.Description)
	if err != nil {
		return nil, err
	}
	cycles := 10_000
	if m.Graph.Nodes() > 1024 {
		cycles = 1000 // half a minute; enough cycles for fairness would take hours
	}
	s := measure.Saturate(plan.New(m), traffic.Load{Rate: 1}, model.Options{}, cycles)
	l := &saturation{Cycles: cycles, Deliveries: s.DeliveriesPerNode, Bound: s.DeliveryBound, Injections: s.InjectionsMin}
	if cycles >= cyclesForFairness(m.Graph.Nodes()) {
		l.Fairness = s.Fairness
	}
	return l, nil
}

// nanoseconds is what cycles take at a clock.
func nanoseconds(cycles int, mhz float64) float64 { return float64(cycles) * 1e3 / mhz }
