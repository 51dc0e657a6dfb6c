// SPDX-License-Identifier: Apache-2.0

package deadlock_test

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/deadlock"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// graphOf returns the graph of a machine from its plan.
func graphOf(p *plan.Plan) (g deadlock.Graph) {
	resource := func(name string, slots, order int) {
		g.Resources = append(g.Resources, deadlock.Resource{Name: name, Slots: slots, Order: order})
	}
	waits := func(from, to, rule string) {
		g.Edges = append(g.Edges, deadlock.Edge{From: from, To: to, Rule: rule})
	}
	delivery := func(int) string { return "delivery" }
	if p.PerPort() {
		delivery = func(input int) string { return fmt.Sprintf("delivery %d", input) }
	} else {
		resource("delivery", 1, 0)
	}
	for _, q := range p.Ports {
		if !q.Fed {
			continue // no register, and no message arrives at the other end
		}
		far := p.Ports[q.Opposite] // the input of the next node, as that of this router
		port, input := portName(q.Index), fmt.Sprintf("input %d", far.Index)
		ofPort, ofSlots, rule := ofEntry, ofInput, deadlock.Send
		if q.Ring {
			ofPort, ofSlots, rule = ofRing, ofRing, deadlock.Pass
			for _, digits := range ringsOf(p, q) {
				g.Rings = append(g.Rings, deadlock.Ring{Port: port, Input: input, Places: 1 + p.InputSlots, Digits: digits})
			}
		}
		resource(port, 1, order(q.Dimension, ofPort))
		resource(input, p.InputSlots, order(q.Dimension, ofSlots))
		if p.PerPort() {
			resource(delivery(far.Index), 1, 0)
		}
		waits(port, input, rule)
		waits(input, delivery(far.Index), deadlock.Deliver)
		for _, d := range p.Dims {
			if slices.Contains(d.Sources, far.Index) {
				waits(input, groupName(d.Index), deadlock.Ask)
			}
		}
		if far.ContinueTo == q.Index {
			waits(input, port, deadlock.Continue)
		} else if far.ContinueTo >= 0 {
			waits(input, portName(far.ContinueTo), deadlock.Transfer)
		}
	}
	for _, d := range p.Dims {
		resource(groupName(d.Index), 0, order(d.Index, ofGroup))
		for _, q := range d.Entered {
			waits(groupName(d.Index), portName(q), deadlock.Enter)
		}
		waits("local", groupName(d.Index), deadlock.Ask)
	}
	resource("local", 0, order(len(p.Dims), ofGroup)+1)
	return g
}

// Delivery waits for nothing in the network and has order 0. The dimensions follow, the lowest first, each with
// these steps.
const (
	ofRing  = 1 + iota // ring ports, and the link inputs that they lead to
	ofInput            // other link inputs
	ofEntry            // ports that lead to those inputs
	ofGroup            // the right to enter the dimension
)

func order(dimension, step int) int { return (dimension-1)*ofGroup + step }

func portName(index int) string      { return fmt.Sprintf("port %d", index) }
func groupName(dimension int) string { return fmt.Sprintf("group %d", dimension) }

// ringsOf follows a ring port through a line of nodes.
func ringsOf(p *plan.Plan, q plan.Port) (rings [][]int) {
	m, step := p.Dims[q.Dimension-1].M, q.Distance
	if q.Direction == hypercycle.CCW {
		step = -step
	}
	seen := make([]bool, m)
	for first := range m {
		var ring []int
		for at := first; !seen[at]; at = (at + step + m) % m {
			seen[at] = true
			ring = append(ring, at)
		}
		if ring != nil {
			rings = append(rings, ring)
		}
	}
	return rings
}

// parameters are those of a machine on which its graph depends.
func parameters(m *machine.Machine) deadlock.Machine {
	p := deadlock.Machine{
		Preference: m.Preference.String(), FIFODepth: m.FIFODepth, Stages: m.Stages,
		PerPort: m.Delivery == machine.PerPort, Destination: m.Destination,
	}
	for i := range m.Graph.Rank() {
		d := m.Graph.Dimension(i + 1)
		p.Dimensions = append(p.Dimensions, deadlock.Dimension{M: d.M, Rho: d.Rho})
	}
	return p
}
