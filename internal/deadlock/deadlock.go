// SPDX-License-Identifier: Apache-2.0

// Package deadlock checks which parts of a router wait for which: that no cycle of waiting messages exists
// outside the rings, and that the rings are those of the machine. docs/verification.md proves what follows.
//
// The package computes the resources and wait edges of a router from the parameters of a machine and the rules of
// docs/architecture.md. The tests compare them with those that follow from the plan. The package imports only the
// standard library, so it shares no code with the plan.
package deadlock

import (
	"fmt"
	"slices"
)

// Machine has the parameters on which the graph depends.
type Machine struct {
	Dimensions  []Dimension // dimension 1 first
	Preference  string      // clockwise, counterclockwise or balanced
	FIFODepth   int         // slots of a hop
	Stages      int         // cycles per hop, 1 or 2
	PerPort     bool        // a delivery register for each link
	Destination bool        // messages have destinations
}

// Dimension is a ring of M nodes with links to the Rho nearest on both sides.
type Dimension struct{ M, Rho int }

// Graph is the channel dependency graph of a router. All routers are identical, so that of the network follows.
type Graph struct {
	Resources []Resource
	Edges     []Edge
	Rings     []Ring
}

// Resource is a part of a router that a message can hold or wait for.
type Resource struct {
	Name  string
	Slots int // 1 for a register, 0 for a group and the local input
	Order int // outside rings, holders wait only for resources of lower order
}

// Rules by which the message in an output register, the head of a link input, or the holder of a group waits.
const (
	Send     = "send"     // over a link into the slots of its input
	Pass     = "pass"     // likewise within the ring, from a ring port
	Deliver  = "deliver"  // a copy for the local output
	Ask      = "ask"      // a copy for a dimension, which needs the group first
	Enter    = "enter"    // the holder of the group enters on its ports; on a ring port subject to the bubble rule
	Transfer = "transfer" // from a link shorter than rho onto the ring port, subject to the bubble rule
	Continue = "continue" // within the ring
)

// Edge means that the holder of From may wait for To, which is in the same router, or with the rules Send and Pass in
// the router at the other end of the link.
type Edge struct{ From, To, Rule string }

// String describes an edge.
func (e Edge) String() string { return fmt.Sprintf("%s: %s waits for %s", e.Rule, e.From, e.To) }

// Ring is a ring of a ring port in one line of nodes, which differ only in the digit of its dimension.
type Ring struct {
	Port, Input string // the ring port, and the link input of the next node to which it leads
	Places      int    // of each node: the output register and the slots of the input
	Digits      []int  // the nodes, in the order in which the port leads through them
}

// Check compares a graph with that of the machine, and returns what is wrong with it.
func Check(m Machine, g Graph) (faults []string) {
	want := m.graph()
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }

	order := map[string]int{}
	for _, r := range g.Resources {
		slots, known := want.slots[r.Name]
		_, twice := order[r.Name]
		switch {
		case !known:
			fault("the machine has no %s", r.Name)
		case twice:
			fault("%s is listed twice", r.Name)
		case slots != r.Slots:
			fault("%s has %d slots, want %d", r.Name, r.Slots, slots)
		}
		order[r.Name] = r.Order
	}
	for name := range want.slots {
		if _, listed := order[name]; !listed {
			fault("%s is missing", name)
		}
	}

	listed := map[Edge]bool{}
	for _, e := range g.Edges {
		switch {
		case !want.edges[e]:
			fault("nothing waits like this in the machine: %s", e)
		case listed[e]:
			fault("listed twice: %s", e)
		case e.Rule != Continue && e.Rule != Pass && order[e.From] <= order[e.To]:
			fault("waits upwards, from order %d to order %d: %s", order[e.From], order[e.To], e)
		}
		listed[e] = true
	}
	for e := range want.edges {
		if !listed[e] {
			fault("missing: %s", e)
		}
	}

	return append(faults, want.checkRings(g.Rings)...)
}

// graph is what the graph of a machine must have.
type graph struct {
	slots map[string]int // of each resource
	edges map[Edge]bool
	rings map[string]ringPort // by name of the port
}

type ringPort struct {
	input   string
	step, m int
	places  int
}

// checkRings follows the rings of each port. Rings that close and share no node are exactly the cycles of the edges
// Pass and Continue.
func (w *graph) checkRings(rings []Ring) (faults []string) {
	fault := func(r Ring, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("ring of %s through %v: ", r.Port, r.Digits)+fmt.Sprintf(format, args...))
	}
	visited := map[string][]int{}
	for _, r := range rings {
		port, is := w.rings[r.Port]
		switch {
		case !is:
			fault(r, "it is no ring port")
			continue
		case r.Input != port.input:
			fault(r, "it leads to %s, want %s", r.Input, port.input)
		case r.Places != port.places:
			fault(r, "%d places of each node, want %d", r.Places, port.places)
		}
		for i, digit := range r.Digits {
			if next := ((digit+port.step)%port.m + port.m) % port.m; r.Digits[(i+1)%len(r.Digits)] != next {
				fault(r, "the port leads from %d to %d", digit, next)
			}
		}
		visited[r.Port] = append(visited[r.Port], r.Digits...)
	}
	for name, port := range w.rings {
		digits := visited[name]
		slices.Sort(digits)
		for digit := range port.m {
			if len(digits) != port.m || digits[digit] != digit {
				faults = append(faults, fmt.Sprintf("the rings of %s do not have each node of a line once", name))
				break
			}
		}
	}
	return faults
}

// link is a port of a router.
type link struct {
	dimension int // 1..r
	direction int // +1 clockwise, -1 counterclockwise
	distance  int
}

// links lists the ports of a router: dimension by dimension, clockwise by distance, then counterclockwise. Half way
// round a ring there is only the clockwise port.
func (m Machine) links() (all []link) {
	for i, d := range m.Dimensions {
		for _, direction := range []int{+1, -1} {
			for x := 1; x <= d.Rho; x++ {
				if direction > 0 || 2*x < d.M {
					all = append(all, link{i + 1, direction, x})
				}
			}
		}
	}
	return all
}

// opposite is the port at the other end of a link; half way round a ring it is the port itself.
func (m Machine) opposite(q link) link {
	if 2*q.distance == m.Dimensions[q.dimension-1].M {
		return q
	}
	return link{q.dimension, -q.direction, q.distance}
}

// graph computes the graph of the machine.
func (m Machine) graph() *graph {
	g := &graph{slots: map[string]int{"local": 0}, edges: map[Edge]bool{}, rings: map[string]ringPort{}}
	waits := func(from, to, rule string) { g.edges[Edge{from, to, rule}] = true }
	links := m.links()
	number := map[link]int{}
	for i, q := range links {
		number[q] = i
	}
	port := func(q link) string { return fmt.Sprintf("port %d", number[q]) }
	group := func(dimension int) string { return fmt.Sprintf("group %d", dimension) }
	if !m.PerPort {
		g.slots["delivery"] = 1
	}
	for _, q := range links {
		d := m.Dimensions[q.dimension-1]
		continues := d.diameter() >= 2 // a message may have steps left in this dimension
		inRing := continues && q.distance == d.Rho
		entered := m.entered(q)
		if !inRing && !entered {
			continue // no message uses this port
		}
		far := m.opposite(q)
		input := fmt.Sprintf("input %d", number[far])
		g.slots[port(q)], g.slots[input] = 1, m.inputSlots()
		if entered {
			waits(group(q.dimension), port(q), Enter)
		}
		delivery := "delivery"
		if m.PerPort {
			delivery = fmt.Sprintf("delivery %d", number[far])
			g.slots[delivery] = 1
		}
		waits(input, delivery, Deliver)
		for lower := 1; lower < q.dimension; lower++ {
			waits(input, group(lower), Ask)
		}
		switch {
		case inRing:
			waits(port(q), input, Pass)
			waits(input, port(q), Continue)
			g.rings[port(q)] = ringPort{input, q.direction * q.distance, d.M, 1 + m.inputSlots()}
		case continues:
			waits(port(q), input, Send)
			waits(input, port(link{q.dimension, q.direction, d.Rho}), Transfer)
		default:
			waits(port(q), input, Send)
		}
	}
	for i := range m.Dimensions {
		g.slots[group(i+1)] = 0
		waits("local", group(i+1), Ask)
	}
	return g
}

// inputSlots is the number of slots of a link input. With one stage, a hop has an output register and these slots. With
// two stages an input has one slot more.
func (m Machine) inputSlots() int {
	if m.Stages == 2 {
		return m.FIFODepth
	}
	return m.FIFODepth - 1
}

// diameter is the largest number of steps of a message in the ring: half of the ring, over links of length rho.
func (d Dimension) diameter() int { return (d.M/2 + d.Rho - 1) / d.Rho }

// served is the number of nodes that a broadcast reaches clockwise and counterclockwise of its source.
func (d Dimension) served(preference string) (clockwise, counterclockwise int) {
	preferred := d.diameter() * d.Rho
	switch preference {
	case "clockwise":
		return preferred, d.M - 1 - preferred
	case "counterclockwise":
		return d.M - 1 - preferred, preferred
	}
	return d.M / 2, d.M - 1 - d.M/2 // balanced
}

// entered reports whether messages enter their dimension on a port. Broadcasts do if a first step of its distance
// stays within the nodes served in its direction. With destinations every port can begin the shortest way to a
// digit: that of the node at its distance.
func (m Machine) entered(q link) bool {
	if m.Destination {
		return true
	}
	d := m.Dimensions[q.dimension-1]
	clockwise, counterclockwise := d.served(m.Preference)
	if 2*q.distance == d.M { // the way half round serves both
		return q.distance <= max(clockwise, counterclockwise)
	}
	if q.direction > 0 {
		return q.distance <= clockwise
	}
	return q.distance <= counterclockwise
}
