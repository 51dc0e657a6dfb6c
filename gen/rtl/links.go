// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"slices"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

const (
	delayModule    = "hc_delay"          // shows the paces of a neighbour late
	crossingModule = "hc_clock_crossing" // shows them, and the counts of a queue, in another clock
)

// queueModules has a row for each module that a link with registers can consist of.
var queueModules = []struct {
	of                func(plan.Queue) bool
	module, parameter string
	value             func(plan.Queue) int
}{
	{func(q plan.Queue) bool { return q.Clocks }, "hc_link_clocks", "PLACES_BITS", func(plan.Queue) int { return plan.ClockPlacesBits }},
	{func(q plan.Queue) bool { return q.Slices > 0 }, "hc_link_slices", "STAGES", func(q plan.Queue) int { return q.Slices }},
	{func(q plan.Queue) bool { return q.Credits() && !q.Crosses() }, "hc_link_credits", "LATENCY", func(q plan.Queue) int { return q.Latency }},
}

// LinkModules lists the hand-written modules of links with registers, used modules before their users. No router has them,
// but the network has, whether it is generated or written by hand.
func LinkModules(p *plan.Plan) []string {
	if p.Machine.Chips() {
		return append(QueueModules(p), cableModules...)
	}
	return QueueModules(p)
}

// QueueModules lists the hand-written modules of links that have registers on the way, or lead to another clock.
func QueueModules(p *plan.Plan) (modules []string) {
	if p.Machine.Registers() > 0 {
		modules = append(modules, delayModule)
	}
	if p.Machine.Clocks() {
		modules = append(modules, crossingModule)
	}
	for _, row := range queueModules {
		if slices.ContainsFunc(p.Dims, func(d plan.Dim) bool { return row.of(d.Queue) }) {
			modules = append(modules, row.module)
		}
	}
	return modules
}

// linkRegisters are what lies on the way of a link: a queue, and a delay of each wire of the node that the neighbour sees.
type linkRegisters struct {
	Module, Parameter string
	Value             int
	Cycles            int
	Late              []plan.Wire // of the node
	Crosses           bool        // the neighbour has another clock
}

// region is the nodes that share a clock.
type region struct {
	Index int
	nodes []int
	links int // of a node
}

// regions lists the regions of a machine with several clocks.
func regions(p *plan.Plan) []region {
	if !p.Machine.SeveralClocks() {
		return nil
	}
	list := make([]region, p.Regions())
	for n := range p.Nodes {
		r := &list[p.Region(n)]
		r.Index, r.links, r.nodes = p.Region(n), p.Degree, append(r.nodes, n)
	}
	return list
}

// LinkErrors is the errors of the links of its nodes.
func (r region) LinkErrors() string {
	return verilog.Concat(each.Of(r.nodes, func(n int) string { return "link_error" + verilog.Lane(n, r.links) }))
}

// Of is the errors of its nodes, of a port of the network that has one for each region.
func (r region) Of(port string) string {
	return verilog.Concat(each.Of(r.nodes, func(n int) string { return port + "s" + verilog.Lane(n, 1) }))
}

// clockOf names clk or rst of a node in the network.
func clockOf(p *plan.Plan, node int, name string) string {
	if !p.Machine.SeveralClocks() {
		return name
	}
	return name + verilog.Lane(p.Region(node), 1)
}

// newLinkRegisters is nil for a link without registers.
func newLinkRegisters(p *plan.Plan, q plan.Queue) *linkRegisters {
	for _, row := range queueModules {
		if row.of(q) {
			late := slices.DeleteFunc(p.RouterWires(), func(w plan.Wire) bool { return w.Network != plan.FarNode })
			return &linkRegisters{row.module, row.parameter, row.value(q), q.Latency, each.Of(late, func(w plan.Wire) plan.Wire { return p.RouterWire(w.Inside()) }), q.Clocks}
		}
	}
	return nil
}
