// SPDX-License-Identifier: Apache-2.0

package model

import "github.com/hcgen/hcgen/plan"

// group is the group of a dimension: it sends a message to all ports that the message enters.
type group struct {
	requesters []int // inputs: the local input, and the links of higher dimensions
	ports      []int // that messages enter

	// Registers.
	sent    []bool // by port: it has taken the message
	arbiter tree   // of the requesters

	// Wires of the cycle evaluated.
	requests  []bool // by input
	selected  int    // input, or none
	weight    []int  // by port: the message enters with this weight; 0: it does not enter
	taken     []bool // by port: it takes the message in this cycle
	completed bool   // every port has taken the message by the end of this cycle
}

// newGroup is the group of dimension j.
func newGroup(p *plan.Plan, j int) group {
	d := &p.Dims[j-1]
	g := group{
		requesters: []int{local}, ports: d.Entered, arbiter: newTree(1 + p.Degree), requests: make([]bool, 1+p.Degree),
		sent: make([]bool, p.Degree), weight: make([]int, p.Degree), taken: make([]bool, p.Degree),
	}
	for _, q := range d.Sources {
		g.requesters = append(g.requesters, linkInput(q))
	}
	return g
}

// offerGroup selects a requester of the group of dimension j, and offers its message to the ports.
func (r *Router) offerGroup(j int) {
	g := &r.groups[j-1]
	for _, k := range g.requesters {
		g.requests[k] = r.inputs[k].requests[j]
	}
	clear(g.weight)
	clear(g.taken)
	if g.selected = g.arbiter.selects(g.requests); g.selected != none {
		r.enter(r.inputs[g.selected].head, j, g.weight)
	}
}

// offers reports whether the group offers its message to port p.
func (g *group) offers(p int) bool { return g.weight[p] > 0 && !g.sent[p] }

// completeGroup finds whether every port has taken the message of the group of dimension j. The group then takes the
// head of the requester.
func (r *Router) completeGroup(j int) {
	g := &r.groups[j-1]
	g.completed = g.selected != none && r.inputs[g.selected].wellFormed()
	for _, p := range g.ports {
		g.completed = g.completed && (!g.offers(p) || g.taken[p])
	}
	if g.completed {
		r.inputs[g.selected].taken[j] = true
	}
}

// step is the clock edge of a group.
func (g *group) step() {
	for _, p := range g.ports {
		g.sent[p] = (g.sent[p] || g.taken[p]) && !g.completed
	}
	g.arbiter.update(g.selected, g.completed)
}
