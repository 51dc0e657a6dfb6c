// SPDX-License-Identifier: Apache-2.0

// Package draw draws machines as SVG: the network, the tree of a message, the
// load of the links, and the router as blocks. Two runs give the same bytes.
package draw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
)

// Limits of pictures that show every node and link.
const (
	MaxNodes = 512
	MaxLinks = 2048
)

// Subject is what a picture shows.
type Subject int

const (
	Network Subject = iota // nodes and links
	Tree                   // the message of one source
	Load                   // messages of each link when every node broadcasts once
	Router                 // inputs, groups and outputs of a router
)

var subjectNames = [...]string{"network", "tree", "load", "router"}

// String is the name of the subject on the command line.
func (s Subject) String() string { return subjectNames[s] }

// ParseSubject is the inverse of String; it reports false for any other name.
func ParseSubject(name string) (Subject, bool) {
	i := slices.Index(subjectNames[:], name)
	return Subject(max(i, 0)), i >= 0
}

// SubjectNames lists the names that ParseSubject accepts.
func SubjectNames() []string { return slices.Clone(subjectNames[:]) }

// Picture is what to draw.
type Picture struct {
	Plan    *plan.Plan
	Subject Subject
	Source  int // node that sends, of Tree

	To hypercycle.Destination // of Tree; nil: all nodes

	// Along is the tree of a broadcast that is not the router's, and Algorithm what made it; of Tree.
	Along     *hypercycle.Tree
	Algorithm string
}

// tree is the tree of the picture, and what made it.
func (p *Picture) tree() (t *hypercycle.Tree, by string) {
	if p.Along != nil {
		return p.Along, p.Algorithm
	}
	preference := p.Plan.Machine.Preference
	by = fmt.Sprintf("preference %s", preference)
	if p.To.Broadcast() {
		return p.Plan.Machine.Graph.Broadcast(p.Source, preference), by
	}
	return p.Plan.Machine.Graph.Multicast(p.Source, p.To, preference), by
}

// TooLarge is the error of a machine that has more nodes or links than can be drawn.
type TooLarge struct {
	Name  string
	What  string // nodes or links
	Has   int
	Limit int
}

// Error describes what is too large, and the limit.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s has %d %s, more than the %d that can be drawn", e.Name, e.Has, e.What, e.Limit)
}

// Hint returns advice for the user.
func (e *TooLarge) Hint() string {
	return "draw a smaller machine of the same kind, or the router, which is the same for every node: --what router"
}

// check reports whether a machine is too large for its picture.
func (p *Picture) check() error {
	g := p.Plan.Machine.Graph
	switch {
	case p.Subject == Router:
		return nil
	case g.Nodes() > MaxNodes:
		return &TooLarge{p.Plan.Name, "nodes", g.Nodes(), MaxNodes}
	case g.Links() > MaxLinks:
		return &TooLarge{p.Plan.Name, "links", g.Links(), MaxLinks}
	}
	return nil
}

// address writes a node by its digits, highest dimension first, with commas between them: 2,3 is
// never taken for node 23.
func address(g *hypercycle.Graph, node int) string { return g.To(node).String() }

// shape writes the dimensions as (m,rho)x(m,rho), highest first.
func shape(g *hypercycle.Graph) string {
	var rings []string
	for i := g.Rank(); i >= 1; i-- {
		rings = append(rings, fmt.Sprintf("(%d,%d)", g.Dimension(i).M, g.Dimension(i).Rho))
	}
	return strings.Join(rings, "x")
}

// dimension names the dimension of a port.
func dimension(p *plan.Plan, port int) string {
	return p.Dims[p.Ports[port].Dimension-1].Name
}

// loads counts, for every port, the messages of one broadcast that leave by it. The
// trees of all sources are translations of one another, so this is also what a link
// carries in that direction when every node broadcasts once.
func loads(p *plan.Plan) []int {
	all := make([]int, p.Degree)
	p.Machine.Graph.Sends(0, p.Machine.Preference, func(s hypercycle.Send) { all[s.Port]++ })
	return all
}
