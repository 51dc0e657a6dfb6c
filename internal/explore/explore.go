// SPDX-License-Identifier: Apache-2.0

// Package explore lists the hypercycles that fit ranges of nodes, degree and
// dimensions, with the figures to choose by: degree, diameter, average
// distance, links, bisection width, the steps of collective operations and an estimate of the
// router's cost.
package explore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule"
)

// The full ranges. A dimension has at least one port, so there are no more dimensions than ports.
var (
	AllNodes   = Range{2, math.MaxInt32}
	AllDegrees = Range{1, hypercycle.MaxDegree}
	AllDims    = Range{1, hypercycle.MaxDegree}
	AllLinks   = Range{1, math.MaxInt32 * hypercycle.MaxDegree / 2}
)

// Limits of a query, so that a query takes a second or two.
const (
	// MaxMachines is the longest list.
	MaxMachines = 20_000
	// MaxLooks is the largest number of products of rings in a search.
	MaxLooks = 20_000_000
)

// Query says which machines to list.
type Query struct {
	Nodes  Range // within AllNodes
	Degree Range // within AllDegrees
	Dims   Range // number of dimensions, within AllDims
	Links  Range // undirected ones, within AllLinks
	// Destination is true if the cost is that of routers for messages with destinations.
	Destination bool
	// Packets is true if the cost is that of a router and an hc_packets at each node.
	Packets bool
	// Collective is the operation of a collective network, one of CollectiveOperations; empty: none.
	Collective string
	// Measured is true if machines of the list are synthesized and placed.
	Measured bool
	// Stars are the columns that decide which machines have a star; none: see StarColumns.
	Stars []string
}

// String writes the query as flags of hcgen explore.
func (q Query) String() string {
	s := fmt.Sprintf("--nodes %s --degree %s --dims %s", q.Nodes, q.Degree, q.Dims)
	if q.Links != AllLinks {
		s += fmt.Sprintf(" --links %s", q.Links)
	}
	return s
}

// TooMany is the error of a query that goes beyond a limit.
type TooMany struct {
	Query Query
	Limit int
	What  string // of which there are more than Limit
}

// Error names the query, the limit and what goes beyond it.
func (e *TooMany) Error() string {
	return fmt.Sprintf("%s: more than %d %s", e.Query, e.Limit, e.What)
}

// Machine is one hypercycle of a list.
type Machine struct {
	// Rings are its dimensions, [0] is dimension 1. The degree of the rings does not
	// rise with the dimension, nor does m among rings of the same degree: this
	// order needs the fewest requesters in a router.
	Rings []hypercycle.Dimension

	Nodes           int
	Degree          int
	Diameter        int     // steps of a broadcast
	AverageDistance float64 // from a node to the Nodes - 1 others
	Links           int     // undirected
	Bisection       Bisection
	AllGather       int // fewest steps of collective operations, by all ports; see schedule.Bound
	TotalExchange   int
	AllReduce       int
	Collective      Collective // network of Query.Collective
	LUT4            int        // of a router, estimated; see Cost; with Query.Packets also of an hc_packets
	Router          Measured
	Node            Measured // of the collective network
	Cycles          Cycles
	Best            bool // see MarkBest
}

// String writes the machine as (m,rho)x(m,rho), highest dimension first.
func (m *Machine) String() string {
	var rings []string
	for _, d := range slices.Backward(m.Rings) {
		rings = append(rings, fmt.Sprintf("(%d,%d)", d.M, d.Rho))
	}
	return strings.Join(rings, "x")
}

// List returns the machines that fit, each once whatever the order of its
// dimensions, sorted by nodes and then by rings, and marked by what is known without
// a measurement. The error is a *TooMany.
func List(q Query) ([]Machine, error) {
	s := search{query: q}
	s.query.Nodes.High = min(q.Nodes.High, q.Links.High+1) // a network of N nodes has N - 1 links at least
	if err := s.factors(2, 1, 0, 0); err != nil {
		return nil, err
	}
	list := make([]Machine, 0, len(s.found))
	for _, rings := range s.found {
		list = append(list, newMachine(rings, q))
	}
	slices.SortStableFunc(list, func(a, b Machine) int {
		return cmp.Or(cmp.Compare(a.Nodes, b.Nodes), slices.CompareFunc(a.Rings, b.Rings, compareRings))
	})
	MarkBest(list, q.estimated())
	return list, nil
}

// newMachine works out the figures of rings in their order, with the cost that the query is about.
func newMachine(rings []hypercycle.Dimension, q Query) Machine {
	bare := bare(rings)
	bare.Destination = q.Destination
	g := bare.Graph
	lut4 := Cost(bare)
	if q.Packets {
		lut4 += PacketsCost(g.Nodes())
	}
	var network Collective
	if q.Collective != "" {
		network = newCollective(bare, q.Collective)
	}
	return Machine{
		Rings: rings, Collective: network, Nodes: g.Nodes(), Degree: g.Degree(), Diameter: g.Diameter(), AverageDistance: g.AverageDistance(), Links: g.Links(),
		Bisection: BisectionWidth(rings), LUT4: lut4,
		AllGather:     schedule.Bound(g, collective.AllGather, schedule.AllPorts, 1),
		TotalExchange: schedule.Bound(g, collective.TotalExchange, schedule.AllPorts, 1),
		AllReduce:     schedule.Bound(g, collective.AllReduce, schedule.AllPorts, 1),
	}
}

// bare is the machine of rings that the search has found.
func bare(rings []hypercycle.Dimension) *machine.Machine {
	m, err := machine.Bare(rings...)
	if err != nil {
		panic(fmt.Sprintf("explore: %v", err)) // the search makes legal rings only
	}
	return m
}

// search goes through products of rings.
type search struct {
	query Query
	looks int
	radix []int // m of the dimensions so far, not falling
	rings []hypercycle.Dimension
	found [][]hypercycle.Dimension
}

// look counts one product that is looked at.
func (s *search) look() error {
	if s.looks++; s.looks > MaxLooks {
		return &TooMany{s.query, MaxLooks, "products of rings to look at"}
	}
	return nil
}

// factors goes through all radices that extend s.radix by numbers from least up. nodes
// is the product of s.radix; lowDegree and highDegree bound its degree, whatever the
// reach of the links.
func (s *search) factors(least, nodes, lowDegree, highDegree int) error {
	if err := s.look(); err != nil {
		return err
	}
	q := s.query
	if nodes*lowDegree/2 > q.Links.High {
		return nil
	}
	if q.Nodes.Has(nodes) && q.Dims.Has(len(s.radix)) && lowDegree <= q.Degree.High && highDegree >= q.Degree.Low {
		if err := s.reaches(0, 0); err != nil {
			return err
		}
	}
	if len(s.radix) == q.Dims.High {
		return nil
	}
	// The last dimension takes what is missing of the nodes.
	missing := (q.Nodes.Low + nodes - 1) / nodes
	first := least
	if len(s.radix) == q.Dims.High-1 {
		first = max(least, missing)
	}
	most := min(q.Nodes.High/nodes, machine.MaxRing)
	for m := first; m <= most; m++ {
		if m > q.Nodes.High/nodes/m { // it is the last: none as large fits behind it
			if m = max(m, missing); m > most {
				break
			}
		}
		low := lowDegree + hypercycle.Dimension{M: m, Rho: 1}.Degree()
		if low > q.Degree.High {
			break
		}
		s.radix = append(s.radix, m)
		err := s.factors(m, nodes*m, low, highDegree+m-1)
		s.radix = s.radix[:len(s.radix)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// reaches goes through the reaches of ring i and up; equal radices have reaches that
// do not fall, so that each machine comes once.
func (s *search) reaches(i, degree int) error {
	if err := s.look(); err != nil {
		return err
	}
	if i == len(s.radix) {
		nodes := 1
		for _, m := range s.radix {
			nodes *= m
		}
		if !s.query.Degree.Has(degree) || !s.query.Links.Has(nodes*degree/2) {
			return nil
		}
		if len(s.found) == MaxMachines {
			return &TooMany{s.query, MaxMachines, "machines"}
		}
		rings := slices.Clone(s.rings)
		slices.SortFunc(rings, compareRings)
		s.found = append(s.found, rings)
		return nil
	}
	rho := 1
	if i > 0 && s.radix[i] == s.radix[i-1] {
		rho = s.rings[i-1].Rho
	}
	for ; rho <= s.radix[i]/2; rho++ {
		d := hypercycle.Dimension{M: s.radix[i], Rho: rho}
		if degree+d.Degree() > s.query.Degree.High {
			break
		}
		s.rings = append(s.rings, d)
		err := s.reaches(i+1, degree+d.Degree())
		s.rings = s.rings[:i]
		if err != nil {
			return err
		}
	}
	return nil
}

// compareRings puts the rings of a machine into their order: the degree falls from
// dimension 1 up, and m among equal degrees.
func compareRings(a, b hypercycle.Dimension) int {
	return cmp.Or(cmp.Compare(b.Degree(), a.Degree()), cmp.Compare(b.M, a.M))
}
