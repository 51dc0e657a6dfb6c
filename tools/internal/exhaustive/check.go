// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// maxPorts bounds the ports of a router, so that tables have fixed sizes.
const maxPorts = MaxDegree

// A node is its address with 4 bits per digit, dimension 1 lowest: moving along
// a link is then one look into a table, without a division.
const (
	digitBits = 4
	nodeBits  = MaxRank * digitBits
	nodeMask  = 1<<nodeBits - 1
)

// atSource stands for the input of the source, whose message came over no link.
const atSource = maxPorts

// Checker checks machines one by one and keeps its memory. The zero value is ready for
// use.
type Checker struct {
	dims   []hypercycle.Dimension
	trees  []*ringTree  // of the dimensions
	first  [MaxRank]int // port of each dimension
	ports  []portTable
	nodes  int
	source uint32

	// The expected step and port of a node, from the trees of the rings, by the digits
	// of dimensions 1 and 2 and by those of 3 and 4. The port is known if these digits
	// differ from those of the source.
	low, high [1 << (2 * digitBits)]expected

	rules [maxPorts + 1]rule // by input; the last one is that of the source
	seen  [(1 << nodeBits) / 64]uint64
	queue []uint32 // arrivals in order: node, input above it, wc on top

	largest int // wc of the messages of the last broadcast
}

type expected struct {
	step uint8
	in   uint8
}

// portTable describes a port by the definition of a hypercycle.
type portTable struct {
	dimension int // from 0
	ringPort
	opposite int
	shift    uint
	clear    uint32     // all digits but the one that the port moves
	to       [16]uint32 // by digit: the new digit, in its place
}

// neighbor returns the node at the other end of the port's link.
func (p *portTable) neighbor(node uint32) uint32 {
	return node&p.clear | p.to[node>>p.shift&15]
}

// rule describes the messages that a router sends for a message on an input, from the
// plan.
type rule struct {
	limit   uint8 // largest legal wc
	goesOn  int8  // port on which the message continues or transfers if wc > 1; -1: none
	enters  uint8 // number of messages in entered
	entered [maxPorts]entry
}

// entry is a message that enters a dimension.
type entry struct {
	port uint8
	head uint32 // input of the neighbour and wc, as they are queued
}

// Machine checks the broadcasts of one machine, whose dimensions must be in the
// range of the prototype. source is reduced mod N. It returns the first fault
// found.
func (c *Checker) Machine(dims []hypercycle.Dimension, source int) (Count, error) {
	count := Count{Machines: 1}
	m, err := machine.Bare(dims...)
	if err != nil {
		return count, err
	}
	nodes := m.Graph.Nodes()
	sources := []int{source % nodes}
	if nodes <= AllSources {
		count.AllSources = 1
		sources = sources[:0]
		for s := range nodes {
			sources = append(sources, s)
		}
	}
	searched := false
	for _, p := range []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced} {
		m.Preference = p
		made := plan.New(m)
		for _, s := range sources {
			messages, err := c.Broadcast(made, s)
			if err != nil {
				return count, fmt.Errorf("machine %s, %s, source %d: %w", name(dims), p, s, err)
			}
			count.Broadcasts++
			count.Messages += messages
			count.LargestWC = max(count.LargestWC, c.largest)
		}
		if p == hypercycle.Balanced && ascend(dims) {
			// with balanced the step must be the distance, so the search checks it here
			if err := c.search(); err != nil {
				return count, fmt.Errorf("machine %s, breadth-first search from node %d: %w", name(dims), sources[len(sources)-1], err)
			}
			searched = true
		}
	}
	if searched {
		count.Multisets = 1
	}
	return count, nil
}

// name writes a machine as the documentation does, dimension 1 first.
func name(dims []hypercycle.Dimension) string {
	var parts []string
	for _, d := range dims {
		parts = append(parts, fmt.Sprintf("(%d,%d)", d.M, d.Rho))
	}
	return strings.Join(parts, "x")
}

// ascend reports whether the dimensions are in the order of the range, as exactly one order
// of each multiset is.
func ascend(dims []hypercycle.Dimension) bool {
	return slices.IsSortedFunc(dims, func(a, b hypercycle.Dimension) int {
		if a.M != b.M {
			return a.M - b.M
		}
		return a.Rho - b.Rho
	})
}

// Broadcast executes a broadcast message by message, using only the constants of the
// plan, and checks every property. It returns the number of messages.
func (c *Checker) Broadcast(p *plan.Plan, source int) (messages int, err error) {
	if err := c.prepare(p, source); err != nil {
		return 0, err
	}
	if err := c.routers(p); err != nil {
		return 0, err
	}
	for i := range c.ports { // the links of the network are made by this function
		if got, want := p.Machine.Graph.Neighbor(source, i), c.number(c.ports[i].neighbor(c.source)); got != want {
			return 0, fmt.Errorf("port %d of node %d leads to node %d, want %d", i, source, got, want)
		}
	}
	messages, steps, err := c.execute()
	if err != nil {
		return 0, err
	}
	diameter := 0
	for _, t := range c.trees {
		diameter += t.diameter
	}
	switch {
	case messages != c.nodes-1:
		return 0, fmt.Errorf("%d messages for %d nodes, want %d: %d nodes never receive", messages, c.nodes, c.nodes-1, c.nodes-1-messages)
	case steps != diameter:
		return 0, fmt.Errorf("the last node receives in step %d, want %d, the diameter", steps, diameter)
	}
	return messages, c.fields(p)
}

// node is the address of a node number, digit by digit.
func (c *Checker) node(number int) (node uint32) {
	for i, d := range c.dims {
		node |= uint32(number%d.M) << (i * digitBits)
		number /= d.M
	}
	return node
}

// number is the inverse of node.
func (c *Checker) number(node uint32) (number int) {
	for i := len(c.dims) - 1; i >= 0; i-- {
		number = number*c.dims[i].M + int(node>>(i*digitBits)&15)
	}
	return number
}

// treeOf holds the trees of all rings in the range, by m, rho and preference.
var treeOf = func() (all [MaxM + 1][MaxM/2 + 1][Preferences]*ringTree) {
	for _, d := range rings {
		for p := range Preferences {
			t, err := newRingTree(d, hypercycle.Preference(p))
			if err != nil {
				panic("exhaustive: " + err.Error()) // no input leads here: the tests run this too
			}
			all[d.M][d.Rho][p] = t
		}
	}
	return all
}()

// prepare tabulates the expected broadcast in the machine of the plan.
func (c *Checker) prepare(p *plan.Plan, source int) error {
	m := p.Machine
	if len(m.Dimensions) > MaxRank {
		return fmt.Errorf("%d dimensions, the range of the prototype ends at %d", len(m.Dimensions), MaxRank)
	}
	c.dims, c.trees, c.ports, c.nodes = c.dims[:0], c.trees[:0], c.ports[:0], 1
	for i, d := range m.Dimensions {
		if d.M > MaxM {
			return fmt.Errorf("dimension %d has m = %d, the range of the prototype ends at %d", i+1, d.M, MaxM)
		}
		t := treeOf[d.M][d.Rho][m.Preference]
		c.dims, c.trees = append(c.dims, d.Dimension), append(c.trees, t)
		c.nodes *= d.M
		c.first[i] = len(c.ports)
		for _, q := range t.ports {
			shift := uint(i * digitBits)
			table := portTable{dimension: i, ringPort: q, opposite: c.first[i] + q.opposite, shift: shift, clear: nodeMask &^ (15 << shift)}
			for x := range d.M {
				table.to[x] = uint32((x+q.direction*q.distance+d.M)%d.M) << shift
			}
			c.ports = append(c.ports, table)
		}
	}
	if len(c.ports) > maxPorts {
		return fmt.Errorf("degree %d, the range of the prototype ends at %d", len(c.ports), maxPorts)
	}
	if source < 0 || source >= c.nodes {
		return fmt.Errorf("source %d is outside 0..%d", source, c.nodes-1)
	}
	c.source = c.node(source)
	c.expect(&c.low, 0)
	c.expect(&c.high, 2)
	return nil
}

// expect tabulates a pair of dimensions. The lowest digit that differs from the
// source's decides the port: a message enters the dimensions from the highest to
// the lowest, so that one comes last.
func (c *Checker) expect(table *[1 << (2 * digitBits)]expected, from int) {
	ring := func(i, x int) expected {
		if i >= len(c.dims) {
			return expected{in: atSource}
		}
		m := c.dims[i].M
		offset := (x - int(c.source>>(i*digitBits)&15) + m) % m
		if offset == 0 {
			return expected{in: atSource}
		}
		return expected{uint8(c.trees[i].step[offset]), uint8(c.first[i] + c.trees[i].in[offset])}
	}
	size := func(i int) int {
		if i >= len(c.dims) {
			return 1
		}
		return c.dims[i].M
	}
	for y := range size(from + 1) {
		upper := ring(from+1, y)
		for x := range size(from) {
			e := ring(from, x)
			if e.in == atSource {
				e.in = upper.in
			}
			e.step += upper.step
			table[y<<digitBits|x] = e
		}
	}
}

// routers compares the plan's tables of ports with the definition, and turns them into
// the rules of a router for each input.
func (c *Checker) routers(p *plan.Plan) error {
	if p.Nodes != c.nodes || p.Degree != len(c.ports) || len(p.Ports) != len(c.ports) || len(p.Dims) != len(c.dims) {
		return fmt.Errorf("the plan has %d nodes, degree %d, %d ports and %d dimensions; want %d, %d, %d and %d",
			p.Nodes, p.Degree, len(p.Ports), len(p.Dims), c.nodes, len(c.ports), len(c.ports), len(c.dims))
	}
	for i := range c.rules {
		c.rules[i] = rule{goesOn: -1}
	}
	for i, q := range p.Ports {
		want := &c.ports[i]
		if q.Index != i || q.Dimension != want.dimension+1 || int(q.Direction) != want.direction || q.Distance != want.distance || q.Opposite != want.opposite {
			return fmt.Errorf("port %d of the plan is number %d: dimension %d, %s, distance %d, opposite %d; want dimension %d, direction %+d, distance %d, opposite %d",
				i, q.Index, q.Dimension, q.Direction, q.Distance, q.Opposite, want.dimension+1, want.direction, want.distance, want.opposite)
		}
		if d := c.trees[want.dimension].diameter; q.D != d {
			return fmt.Errorf("port %d of the plan allows weights up to %d, want %d, the diameter of its ring", i, q.D, d)
		}
		c.rules[i].limit = uint8(q.D)
	}
	c.rules[atSource].limit = 0xff
	for i, q := range p.Ports {
		if !q.Ring {
			continue
		}
		for _, from := range append([]int{q.ContinueFrom}, q.TransferFrom...) {
			if from < 0 || from >= len(c.ports) || c.rules[from].goesOn >= 0 {
				return fmt.Errorf("port %d of the plan takes messages from input %d, which does not exist or feeds another port too", i, from)
			}
			c.rules[from].goesOn = int8(i)
		}
	}
	for i, q := range p.Ports {
		if q.ContinueTo != int(c.rules[i].goesOn) {
			return fmt.Errorf("messages of input %d go on by port %d says the input, by port %d say the ports", i, q.ContinueTo, c.rules[i].goesOn)
		}
	}
	for j, d := range p.Dims {
		for _, from := range append([]int{atSource}, d.Sources...) {
			if from < 0 || from > atSource || from < atSource && from >= len(c.ports) {
				return fmt.Errorf("input %d, which enters dimension %d, does not exist", from, j+1)
			}
			r := &c.rules[from]
			for _, q := range d.Entered {
				if q < 0 || q >= len(c.ports) || int(r.enters) == maxPorts {
					return fmt.Errorf("port %d, entered by messages of input %d, does not exist or is entered twice", q, from)
				}
				first := p.Ports[q].First
				if first < 0 || first > p.Ports[q].D {
					return fmt.Errorf("port %d is entered with weight %d, want 1..%d", q, first, p.Ports[q].D)
				}
				r.entered[r.enters] = entry{uint8(q), uint32(c.ports[q].opposite)<<nodeBits | uint32(first)<<24}
				r.enters++
			}
		}
	}
	return nil
}

// execute executes the broadcast: every node sends in the step after the one in
// which it received, on all ports of its rules.
func (c *Checker) execute() (messages, steps int, err error) {
	clear(c.seen[:])
	if cap(c.queue) < c.nodes {
		c.queue = make([]uint32, 1<<nodeBits)
	}
	queue := c.queue[:c.nodes] // never more: no node is queued twice
	queue[0] = c.source | atSource<<nodeBits | 1<<24
	c.seen[c.source>>6] |= 1 << (c.source & 63)
	ports := c.ports
	largest := uint32(0)
	step := 0
	for head, tail := 0, 1; head < tail; step++ {
		for end := tail; head < end; head++ {
			a := queue[head]
			node, in, wc := a&nodeMask, a>>nodeBits&0xff, a>>24
			low, high := c.low[node&0xff], c.high[node>>8]
			want := low.in
			if want == atSource {
				want = high.in
			}
			r := &c.rules[in]
			if int(low.step)+int(high.step) != step || uint32(want) != in || wc-1 >= uint32(r.limit) {
				return 0, 0, c.wrong(node, in, wc, step)
			}
			largest = max(largest, wc)
			if wc > 1 {
				if r.goesOn < 0 {
					return 0, 0, fmt.Errorf("node %d receives wc %d on port %d, from where no message goes on", c.number(node), wc, in)
				}
				q := &ports[r.goesOn]
				to := q.neighbor(node)
				if c.seen[to>>6]>>(to&63)&1 != 0 {
					return 0, 0, c.twice(node, to, int(r.goesOn), step+1)
				}
				c.seen[to>>6] |= 1 << (to & 63)
				queue[tail] = to | uint32(q.opposite)<<nodeBits | (wc-1)<<24
				tail++
			}
			for _, e := range r.entered[:r.enters] {
				q := &ports[e.port]
				to := q.neighbor(node)
				if c.seen[to>>6]>>(to&63)&1 != 0 {
					return 0, 0, c.twice(node, to, int(e.port), step+1)
				}
				c.seen[to>>6] |= 1 << (to & 63)
				queue[tail] = to | e.head
				tail++
			}
		}
		messages = tail - 1
	}
	c.largest = int(largest)
	return messages, step - 1, nil
}

// wrong describes a wrong arrival.
func (c *Checker) wrong(node, in, wc uint32, step int) error {
	low, high := c.low[node&0xff], c.high[node>>8]
	want := low.in
	if want == atSource {
		want = high.in
	}
	if limit := c.rules[in].limit; wc < 1 || wc > uint32(limit) {
		return fmt.Errorf("node %d receives wc %d on port %d in step %d, want 1..%d: the header is malformed", c.number(node), wc, in, step, limit)
	}
	return fmt.Errorf("node %d receives in step %d on port %d, want step %d on port %d, as the trees of its rings say",
		c.number(node), step, in, int(low.step)+int(high.step), want)
}

// twice describes a message to a node that has the broadcast already.
func (c *Checker) twice(from, to uint32, port, step int) error {
	return fmt.Errorf("node %d is reached a second time, in step %d by port %d of node %d", c.number(to), step, port, c.number(from))
}

// fields checks that the widths of wd and wc are the smallest that hold what the
// messages carried: wd 1..r and wc 1..max D, which the largest message has.
func (c *Checker) fields(p *plan.Plan) error {
	if got, want := p.WdBits, bits.Len(uint(len(c.dims))); got != want {
		return fmt.Errorf("wd has %d bits, want %d for %d dimensions", got, want, len(c.dims))
	}
	largest := 0
	for _, t := range c.trees {
		largest = max(largest, t.diameter)
	}
	if c.largest != largest {
		return fmt.Errorf("the largest wc sent is %d, want %d, the largest diameter of a ring", c.largest, largest)
	}
	if got, want := p.WcBits, bits.Len(uint(largest)); got != want {
		return fmt.Errorf("wc has %d bits, want %d for weights up to %d", got, want, largest)
	}
	if p.LinkBits != p.WdBits+p.WcBits+p.SourceBits+p.PayloadBits {
		return fmt.Errorf("a link has %d bits, its fields have %d, %d, %d and %d", p.LinkBits, p.WdBits, p.WcBits, p.SourceBits, p.PayloadBits)
	}
	return nil
}

// search compares the steps of the trees with a breadth-first search from the same source
// over all links: with balanced they must be the distances.
func (c *Checker) search() error {
	clear(c.seen[:])
	queue := c.queue[:c.nodes]
	queue[0] = c.source
	c.seen[c.source>>6] |= 1 << (c.source & 63)
	distance, tail := 0, 1
	for head := 0; head < tail; distance++ {
		for end := tail; head < end; head++ {
			node := queue[head]
			if step := int(c.low[node&0xff].step) + int(c.high[node>>8].step); step != distance {
				return fmt.Errorf("node %d receives in step %d, but is at distance %d", c.number(node), step, distance)
			}
			for i := range c.ports {
				to := c.ports[i].neighbor(node)
				if c.seen[to>>6]>>(to&63)&1 == 0 {
					c.seen[to>>6] |= 1 << (to & 63)
					queue[tail] = to
					tail++
				}
			}
		}
	}
	if tail != c.nodes {
		return fmt.Errorf("%d of %d nodes are found", tail, c.nodes)
	}
	return nil
}
