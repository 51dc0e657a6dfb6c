// SPDX-License-Identifier: Apache-2.0

package hypercycle_test

import (
	"fmt"

	"github.com/hcgen/hcgen/hypercycle"
)

var preferences = []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced}

// oracle models a machine from the definition of a hypercycle alone: two
// addresses are linked if they differ in one digit, by at most rho mod m. It
// takes only the pairs (m, rho) from the package. One oracle serves many machines
// in turn and keeps its memory.
type oracle struct {
	dims      []hypercycle.Dimension
	nodes     int
	diameter  int
	unit      []int
	diameters []int        // of each ring, by equation 3
	ports     []oraclePort // in the documented order
	digit     [][]uint8    // digit[i][node]
	step      [][][]int32  // step[i][digit] lists the address differences to the ring neighbours

	distance []int32 // bfs: hops from its source; -1 before
	queue    []int32

	arrived, in, wc []int32 // broadcast: per node, -1 before
	want            []int32 // arrival: steps by the one-dimensional formula
}

type oraclePort struct{ dim, dir, dist int } // dim from 0

func resized(s []int32, n int, value int32) []int32 {
	if cap(s) < n {
		s = make([]int32, n)
	}
	s = s[:n]
	for i := range s {
		s[i] = value
	}
	return s
}

// reset makes o the oracle of the given machine.
func (o *oracle) reset(dims []hypercycle.Dimension) {
	o.dims, o.nodes, o.diameter = dims, 1, 0
	o.unit, o.ports, o.diameters = o.unit[:0], o.ports[:0], o.diameters[:0]
	for i, d := range dims {
		o.unit = append(o.unit, o.nodes)
		o.nodes *= d.M
		ringDiameter := (d.M/2 + d.Rho - 1) / d.Rho
		o.diameters = append(o.diameters, ringDiameter)
		o.diameter += ringDiameter
		for _, dir := range []int{+1, -1} {
			for x := 1; x <= d.Rho; x++ {
				if dir > 0 || 2*x < d.M {
					o.ports = append(o.ports, oraclePort{i, dir, x})
				}
			}
		}
	}
	for len(o.digit) < len(dims) {
		o.digit, o.step = append(o.digit, nil), append(o.step, nil)
	}
	for i, d := range dims {
		if cap(o.digit[i]) < o.nodes {
			o.digit[i] = make([]uint8, o.nodes)
		}
		o.digit[i] = o.digit[i][:o.nodes]
		for node := 0; node < o.nodes; {
			for x := range d.M {
				for range o.unit[i] {
					o.digit[i][node] = uint8(x)
					node++
				}
			}
		}
		for len(o.step[i]) < d.M {
			o.step[i] = append(o.step[i], nil)
		}
		for x := range d.M {
			s := o.step[i][x][:0]
			for y := range d.M {
				if gap := (y - x + d.M) % d.M; gap != 0 && min(gap, d.M-gap) <= d.Rho {
					s = append(s, int32((y-x)*o.unit[i]))
				}
			}
			o.step[i][x] = s
		}
	}
}

// bfs fills o.distance by breadth-first search from source and returns the
// largest and the sum of all.
func (o *oracle) bfs(source int) (largest, sum int) {
	o.distance = resized(o.distance, o.nodes, -1)
	o.queue = append(o.queue[:0], int32(source))
	o.distance[source] = 0
	for head := 0; head < len(o.queue); head++ {
		u := o.queue[head]
		next := o.distance[u] + 1
		sum += int(next - 1)
		for i := range o.dims {
			for _, step := range o.step[i][o.digit[i][u]] {
				if v := u + step; o.distance[v] < 0 {
					o.distance[v] = next
					o.queue = append(o.queue, v)
				}
			}
		}
	}
	return int(o.distance[o.queue[len(o.queue)-1]]), sum
}

// arrival is the documented step in which a ring broadcast reaches the node at
// offset x: by the paper's preference, by its mirror image, and for balanced the
// distance.
func arrival(d hypercycle.Dimension, diameter int, p hypercycle.Preference, x int) int {
	ceil := func(n int) int { return (n + d.Rho - 1) / d.Rho }
	switch {
	case x == 0:
		return 0
	case p == hypercycle.Balanced:
		return ceil(min(x, d.M-x))
	case p == hypercycle.Counterclockwise:
		x = d.M - x
	}
	if x <= diameter*d.Rho {
		return ceil(x)
	}
	return ceil(d.M - x)
}

// arrivals fills o.want: the sum of the ring arrivals of a node's digits.
func (o *oracle) arrivals(source int, p hypercycle.Preference) {
	o.want = resized(o.want, o.nodes, 0)
	for i, d := range o.dims {
		unit, s := o.unit[i], int(o.digit[i][source])
		low := o.want[:unit] // by lower digits, complete up to dimension i
		for x := d.M - 1; x >= 0; x-- {
			steps := int32(arrival(d, o.diameters[i], p, (x-s+d.M)%d.M))
			for j, w := range low {
				o.want[x*unit+j] = w + steps
			}
		}
	}
}

// stop ends a broadcast at its first fault, because a faulty one might never end.
type stop struct{ fault error }

// broadcast runs a broadcast message by message and checks every documented
// property. It leaves the steps in o.arrived and returns the first fault found.
func (o *oracle) broadcast(g *hypercycle.Graph, source int, p hypercycle.Preference) (fault error) {
	o.arrived = resized(o.arrived, o.nodes, -1)
	o.in = resized(o.in, o.nodes, -1)
	o.wc = resized(o.wc, o.nodes, 0)
	o.arrived[source] = 0
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stop)
			if !ok {
				panic(r)
			}
			fault = s.fault
		}
	}()
	messages, last := 0, 0
	g.Sends(source, p, func(s hypercycle.Send) {
		if err := o.message(s); err != nil {
			panic(stop{err})
		}
		if s.Step < last {
			panic(stop{fmt.Errorf("%+v comes after step %d", s, last)})
		}
		o.arrived[s.To], o.in[s.To], o.wc[s.To] = int32(s.Step), int32(s.Port), int32(s.WC)
		last = s.Step
		messages++
	})
	if messages != o.nodes-1 {
		return fmt.Errorf("%d messages for %d nodes", messages, o.nodes)
	}
	if last != o.diameter {
		return fmt.Errorf("%d steps, the diameter is %d", last, o.diameter)
	}
	o.arrivals(source, p)
	for node, step := range o.arrived {
		if step != o.want[node] {
			return fmt.Errorf("node %d is served in step %d, its digits say %d", node, step, o.want[node])
		}
	}
	return nil
}

// message checks a message, given all earlier ones.
func (o *oracle) message(s hypercycle.Send) error {
	if s.From < 0 || s.From >= o.nodes || s.To < 0 || s.To >= o.nodes || s.Port < 0 || s.Port >= len(o.ports) {
		return fmt.Errorf("%+v names no node or no port of the machine", s)
	}
	if o.arrived[s.To] >= 0 {
		return fmt.Errorf("%+v reaches a node a second time", s)
	}
	if o.arrived[s.From] != int32(s.Step-1) {
		return fmt.Errorf("%+v is sent by a node that received in step %d", s, o.arrived[s.From])
	}
	port := o.ports[s.Port]
	d := o.dims[port.dim]
	from, to := int(o.digit[port.dim][s.From]), int(o.digit[port.dim][s.To])
	moved := to - from
	if moved*port.dir < 0 {
		moved += port.dir * d.M
	}
	if moved != port.dir*port.dist || s.To-s.From != (to-from)*o.unit[port.dim] {
		return fmt.Errorf("%+v goes to a node that port %+v does not lead to", s, port)
	}
	if s.WD != port.dim+1 || s.WC < 1 || s.WC > o.diameters[port.dim] {
		return fmt.Errorf("%+v has a malformed header", s)
	}
	if o.in[s.From] < 0 {
		return nil // the source enters every dimension
	}
	in := o.ports[o.in[s.From]]
	if port.dim > in.dim {
		return fmt.Errorf("%+v enters a higher dimension", s)
	}
	if port.dim == in.dim && (port.dir != in.dir || port.dist != d.Rho || int32(s.WC) != o.wc[s.From]-1) {
		return fmt.Errorf("%+v does not continue what arrived over %+v with wc %d", s, in, o.wc[s.From])
	}
	return nil
}

// tree compares the tree that Broadcast returns with the last run of Sends that
// o.broadcast checked.
func (o *oracle) tree(t *hypercycle.Tree, source int) error {
	if t.Source != source || t.Steps != o.diameter || t.Messages != o.nodes-1 {
		return fmt.Errorf("source %d, %d steps, %d messages", t.Source, t.Steps, t.Messages)
	}
	if len(t.Step) != o.nodes || len(t.Parent) != o.nodes || len(t.Port) != o.nodes {
		return fmt.Errorf("not all of %d nodes are in the tree", o.nodes)
	}
	for node := range o.nodes {
		if t.Step[node] != o.arrived[node] || t.Port[node] != o.in[node] {
			return fmt.Errorf("node %d: step %d by port %d, sent was step %d by port %d",
				node, t.Step[node], t.Port[node], o.arrived[node], o.in[node])
		}
		parent := int(t.Parent[node])
		if node == source {
			if parent != -1 || t.Port[node] != -1 {
				return fmt.Errorf("the source has a parent")
			}
			continue
		}
		port := o.ports[t.Port[node]]
		m, unit := o.dims[port.dim].M, o.unit[port.dim]
		digit := int(o.digit[port.dim][node])
		back := (digit - port.dir*port.dist + m) % m
		if parent != node+(back-digit)*unit || t.Step[parent] != t.Step[node]-1 {
			return fmt.Errorf("node %d: %d is not the parent over port %+v in step %d", node, parent, port, t.Step[node])
		}
	}
	return nil
}

// onTime fails unless the last broadcast reached every node at the distance
// that bfs found from the same source.
func (o *oracle) onTime() error {
	for node, step := range o.arrived {
		if step != o.distance[node] {
			return fmt.Errorf("node %d is served in step %d, its distance is %d", node, step, o.distance[node])
		}
	}
	return nil
}

// late counts the nodes that the last broadcast reached later than their distance.
func (o *oracle) late() int {
	n := 0
	for node, step := range o.arrived {
		if step > o.distance[node] {
			n++
		}
	}
	return n
}
