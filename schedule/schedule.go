// SPDX-License-Identifier: Apache-2.0

// Package schedule makes schedules of collective operations on hypercycles:
// broadcast, all-gather, scatter, gather, total exchange, reduce-scatter and
// all-reduce, for nodes that use all their ports in a step and for nodes that use
// one. Every schedule is a plain list of transfers, with a lower bound on its steps.
//
// The algorithms of the papers are there by name, beside general ones for every
// machine:
//
//	BH  V. V. Dimakopoulos, N. J. Dimopoulos, Broadcasting in Hypercycles
//	KN  Y. A. Ashir, Properties and Communication Algorithms for k-ary n-cube Interconnection Networks
//	SL  Distributed Memory Systems: Part III (lecture slides)
//	GH  P. Fragopoulou, S. G. Akl, H. Meijer, Optimal Communication Primitives on the Generalized Hypercube Network
//
// A hypercycle is a Cayley graph of the group Z_m1 x .. x Z_mr. A schedule that is
// stated for node 0 and holds at every other node by adding the node's digits
// describes the whole network; it is called translated. The difference of two
// addresses, digit by digit, is an offset; offsets and nodes are the same numbers.
package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// Ports says how many messages a node sends in one step, and receives.
type Ports int

const (
	AllPorts Ports = iota // one on every link
	OnePort               // one
)

// String is the name on the command line.
func (p Ports) String() string {
	if p == OnePort {
		return "one"
	}
	return "all"
}

// ParsePorts is the inverse of String; it reports false for any other name.
func ParsePorts(name string) (Ports, bool) {
	return Ports(b2i(name == "one")), name == "one" || name == "all"
}

// Schedule is a schedule of a collective operation.
type Schedule struct {
	Graph     *hypercycle.Graph
	Operation string // one of collective.Operations
	Algorithm string
	Ports     Ports
	Root      int // of broadcast, scatter and gather
	Packets   int // messages that every item consists of; 1 but for bsg
	Steps     int
	Bound     int // no schedule has fewer steps; see Bound
	// Period[i-1] divides m_i. Listed are the transfers of the nodes whose digit in
	// dimension i is below it; the others follow by adding multiples of it to that digit of
	// every address, mod m_i. All are 1 if the schedule is translated.
	Period    []int
	Transfers []collective.Transfer
}

// Translated reports whether the transfers of node 0 describe the whole schedule.
func (s *Schedule) Translated() bool {
	return !slices.ContainsFunc(s.Period, func(p int) bool { return p != 1 })
}

// Expanded returns the schedule as a plain list, of the transfers of every node, unless it
// is translated: then it stays as it is.
func (s *Schedule) Expanded() *Schedule {
	if s.Translated() {
		return s
	}
	return s.Plain()
}

// Plain returns the schedule as a plain list of the transfers of every node.
func (s *Schedule) Plain() *Schedule {
	plain := *s
	plain.Period, plain.Transfers = radices(s.Graph), nil
	a := newAddresses(s.Graph)
	for by := range int32(s.Graph.Nodes()) {
		if !a.multiple(by, s.Period) {
			continue
		}
		for _, t := range s.Transfers {
			plain.Transfers = append(plain.Transfers, a.moved(t, by))
		}
	}
	plain.sort()
	return &plain
}

// ItemsOf lists the transfers of the items that begin at a node, in all-gathers and total
// exchanges; in their order.
func (s *Schedule) ItemsOf(node int) []collective.Transfer {
	a := newAddresses(s.Graph)
	of := &Schedule{}
	for _, t := range s.Transfers {
		if by := a.sub(int32(node), t.Item.Node); a.multiple(by, s.Period) {
			of.Transfers = append(of.Transfers, a.moved(t, by))
		}
	}
	of.sort()
	return of.Transfers
}

// sort puts the transfers into their order: by step, sender, receiver and item.
func (s *Schedule) sort() {
	slices.SortFunc(s.Transfers, func(x, y collective.Transfer) int {
		switch {
		case x.Step != y.Step:
			return int(x.Step - y.Step)
		case x.From != y.From:
			return int(x.From - y.From)
		case x.To != y.To:
			return int(x.To - y.To)
		case x.Item.Node != y.Item.Node:
			return int(x.Item.Node - y.Item.Node)
		case x.Item.For != y.Item.For:
			return int(x.Item.For - y.Item.For)
		}
		return int(x.Item.Packet - y.Item.Packet)
	})
}

// Claim is the schedule as files and package check have it.
func (s *Schedule) Claim() *collective.Schedule {
	return &collective.Schedule{Operation: s.Operation, OnePort: s.Ports == OnePort, Root: s.Root, Packets: s.Packets, Steps: s.Steps, Waiting: -1, Phases: collective.Reduces(s.Operation),
		Period: s.Period, Transfers: s.Transfers}
}

// Machine is the graph as package check takes it.
func Machine(g *hypercycle.Graph) check.Machine {
	var m check.Machine
	for i := 1; i <= g.Rank(); i++ {
		m.M, m.Rho = append(m.M, g.Dimension(i).M), append(m.Rho, g.Dimension(i).Rho)
	}
	return m
}
