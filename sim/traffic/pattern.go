// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"math/bits"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// randomLast is the probability that a random message carries tlast.
const randomLast = 0.25

// choice holds the destination and tlast that are drawn for a message when it goes on offer.
type choice struct {
	to   int32 // number of its destination in destinations
	last bool
}

// destinations numbers the destinations of a run, so that a message on offer stores only a number. A
// destination is created when it is first used. Number 0 is the destination of broadcasts.
type destinations struct {
	graph   *hypercycle.Graph
	list    []hypercycle.Destination
	unicast []int32 // by node, 0 if it has not been used
	rows    []int32 // by row, likewise
}

func newDestinations(g *hypercycle.Graph) *destinations {
	return &destinations{
		graph:   g,
		list:    []hypercycle.Destination{hypercycle.Everywhere(g.Rank())},
		unicast: make([]int32, g.Nodes()),
		rows:    make([]int32, g.Nodes()/g.Dimension(1).M),
	}
}

// add returns the number of a destination.
func (d *destinations) add(to hypercycle.Destination) int32 {
	if to.Broadcast() {
		return 0
	}
	d.list = append(d.list, to)
	return int32(len(d.list) - 1)
}

// node returns the number of the destination of one node.
func (d *destinations) node(v int) int32 {
	if d.unicast[v] == 0 {
		d.unicast[v] = d.add(d.graph.To(v))
	}
	return d.unicast[v]
}

// row returns the number of the destination of the row of a node.
func (d *destinations) row(v int) int32 {
	n := &d.rows[v/d.graph.Dimension(1).M]
	if *n == 0 {
		*n = d.add(d.graph.Row(v))
	}
	return *n
}

// pattern draws the destinations and tlast of random messages (machine.Pattern). The draw of a node
// depends only on seed, node and cycle.
type pattern struct {
	kind       machine.Pattern
	broadcasts chance
	hot        int
	share      chance
	last       chance
	keys       []uint64 // by node
	to         *destinations
}

// newPattern is the pattern of the random traffic of a machine whose messages have a destination or tlast.
func newPattern(p *plan.Plan, r *machine.Random, seed uint64, to *destinations) *pattern {
	t := &pattern{
		kind:       r.Pattern,
		broadcasts: newChance(r.Broadcasts),
		hot:        r.Hot,
		share:      newChance(r.Share),
		keys:       nodeKeys(seed, purposePattern, p.Nodes),
		to:         to,
	}
	if p.LastBits > 0 {
		t.last = newChance(randomLast)
	}
	return t
}

// draws is a sequence of random numbers (splitmix64).
type draws uint64

func (d *draws) next() uint64 {
	*d += golden
	return mix(uint64(*d))
}

// below returns a number from 0 to n - 1; probabilities differ by less than n / 2^64.
func (d *draws) below(n int) int {
	high, _ := bits.Mul64(d.next(), uint64(n))
	return int(high)
}

// draw chooses the message that a node offers from a cycle on. It returns false if the pattern has no
// destination for the node.
func (t *pattern) draw(v int32, cycle int) (c choice, ok bool) {
	random := draws(drawOf(t.keys[v], uint64(cycle)))
	c.last = t.last.hit(random.next())
	if t.kind == machine.ToAll || t.broadcasts.hit(random.next()) {
		return c, true
	}
	if t.kind == machine.ToRow {
		c.to = t.to.row(int(v))
		return c, true
	}
	node := t.node(int(v), &random)
	if node == int(v) {
		return c, false
	}
	c.to = t.to.node(node)
	return c, true
}

// node draws the destination of a message from v to a single node; v if there is none.
func (t *pattern) node(v int, random *draws) int {
	g := t.to.graph
	switch t.kind {
	case machine.ToTranspose:
		return transposed(g, v)
	case machine.ToNeighbour:
		return g.Neighbor(v, random.below(g.Degree()))
	case machine.ToHotSpot:
		if v != t.hot && t.share.hit(random.next()) {
			return t.hot
		}
	}
	node := random.below(g.Nodes() - 1)
	if node >= v {
		node++
	}
	return node
}

// transposed is the node whose digits are those of v in reverse order, modulo m.
func transposed(g *hypercycle.Graph, v int) int {
	digits := g.Digits(v)
	slices.Reverse(digits)
	for i := range digits {
		digits[i] %= g.Dimension(g.Rank() - i).M
	}
	node, err := g.Node(digits...)
	if err != nil {
		panic(err) // every digit is below m
	}
	return node
}
