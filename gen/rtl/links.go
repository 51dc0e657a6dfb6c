// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"slices"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/plan"
)

// delayModule shows the paces of a neighbour late.
const delayModule = "hc_delay"

// queueModules has a row for each module that a link with registers can consist of.
var queueModules = []struct {
	of                func(plan.Queue) bool
	module, parameter string
	value             func(plan.Queue) int
}{
	{func(q plan.Queue) bool { return q.Slices > 0 }, "hc_link_slices", "STAGES", func(q plan.Queue) int { return q.Slices }},
	{plan.Queue.Credits, "hc_link_credits", "LATENCY", func(q plan.Queue) int { return q.Latency }},
}

// LinkModules lists the hand-written modules of links with registers, used modules before their users. No router has them,
// but the network has, whether it is generated or written by hand.
func LinkModules(p *plan.Plan) (modules []string) {
	if p.Machine.Registers() > 0 {
		modules = append(modules, delayModule)
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
}

// newLinkRegisters is nil for a link without registers.
func newLinkRegisters(p *plan.Plan, q plan.Queue) *linkRegisters {
	for _, row := range queueModules {
		if row.of(q) {
			late := slices.DeleteFunc(p.RouterWires(), func(w plan.Wire) bool { return w.Network != plan.FarNode })
			return &linkRegisters{row.module, row.parameter, row.value(q), q.Latency, each.Of(late, func(w plan.Wire) plan.Wire { return p.RouterWire(w.Inside()) })}
		}
	}
	return nil
}
