// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// CheckStreaming carries out a streaming schedule on all nodes of a machine at once, and verifies what they
// request, deliver and hold against the definition of the operation. The error is the first fault, in the order
// of steps and nodes.
func CheckStreaming(m Machine, s *collective.Streaming) error {
	return FollowStreaming(m, s, func(Passage) {})
}

// Passage is a value on a link in a step of a streaming schedule.
type Passage struct {
	Step     int
	From, To int32           // nodes
	Port     int             // of From
	Item     collective.Item // of a sum, by Node, whose result it is for; 0 of AllReduceWord
	Parts    []int32         // of a sum: the nodes whose parts it has, in ascending order
}

// FollowStreaming is CheckStreaming, and visits the values on all links, in the order of steps, nodes and ports.
func FollowStreaming(m Machine, s *collective.Streaming, visit func(Passage)) error {
	r := &runner{machine: m, s: s, nodes: m.Nodes(), shifts: m.shifts(), visit: visit}
	if err := r.shape(); err != nil {
		return err
	}
	r.arrived, r.held = r.empty(len(r.shifts)), r.empty(s.Registers)
	r.requested, r.delivered = make([]map[int32]bool, r.nodes), make([]map[int32]bool, r.nodes)
	for node := range r.nodes {
		r.requested[node], r.delivered[node] = map[int32]bool{}, map[int32]bool{}
	}
	for r.step = 1; r.step <= s.Steps; r.step++ {
		if err := r.carry(); err != nil {
			return err
		}
	}
	return r.end()
}

// runner is the state of all nodes.
type runner struct {
	machine   Machine
	s         *collective.Streaming
	nodes     int
	shifts    [][]int          // by port: what it adds to the digits of a node
	step      int              // the one that is carried out
	arrived   [][]*value       // by node and port: what arrived in the step before, or nil
	held      [][]*value       // by node and register
	requested []map[int32]bool // by node: indices
	delivered []map[int32]bool // by node: indices
	visit     func(Passage)
}

// value is an item that moves, or a sum of the parts of some nodes.
type value struct {
	item  collective.Item
	parts []int32 // of sums: the nodes, in ascending order
}

// shifts lists what the ports of a node add to its digits: by dimension, in each first the links to higher
// digits, then those to lower ones, the near ones first.
func (m Machine) shifts() [][]int {
	var list [][]int
	for i, k := range m.M {
		for _, direction := range []int{1, -1} {
			for distance := 1; distance <= m.Rho[i]; distance++ {
				if direction < 0 && 2*distance == k {
					continue // it is the same link
				}
				by := make([]int, len(m.M))
				by[i] = (k + direction*distance) % k
				list = append(list, by)
			}
		}
	}
	return list
}

// plus adds digits to a node.
func (m Machine) plus(node int32, by []int) int32 {
	x, unit, sum := int(node), 1, 0
	for i, k := range m.M {
		sum += (x%k + by[i]) % k * unit
		x, unit = x/k, unit*k
	}
	return int32(sum)
}

// digits are those of a node, dimension 1 first.
func (m Machine) digits(node int32) []int {
	list, x := make([]int, len(m.M)), int(node)
	for i, k := range m.M {
		list[i], x = x%k, x/k
	}
	return list
}

// other is the node of an index.
func (r *runner) other(node, index int32) int32 { return r.machine.plus(node, r.machine.digits(index)) }

func (r *runner) empty(width int) [][]*value {
	list := make([][]*value, r.nodes)
	for node := range list {
		list[node] = make([]*value, width)
	}
	return list
}

// shape checks that all lists are as long as they have to be.
func (r *runner) shape() error {
	s := r.s
	switch {
	case s.Operation != collective.AllReduceWord && !slices.Contains(collective.Operations(), s.Operation):
		return fmt.Errorf("there is no operation %q", s.Operation)
	case s.Root < 0 || s.Root >= r.nodes:
		return fmt.Errorf("root %d is outside the machine, whose nodes are 0 to %d", s.Root, r.nodes-1)
	case s.Steps < 1:
		return fmt.Errorf("%d steps: a schedule has 1 or more", s.Steps)
	case s.Accumulators < 0 || s.Accumulators > s.Registers:
		return fmt.Errorf("%d accumulators, but %d registers", s.Accumulators, s.Registers)
	case len(s.Class) != r.nodes:
		return fmt.Errorf("the classes of %d nodes are listed, but the machine has %d", len(s.Class), r.nodes)
	}
	for node, class := range s.Class {
		if class < 0 || class >= len(s.Programs) {
			return fmt.Errorf("node %d: there is no class %d", node, class)
		}
	}
	for class, p := range s.Programs {
		if len(p.Sends) != s.Steps || len(p.Writes) != s.Steps || len(p.Delivers) != s.Steps {
			return fmt.Errorf("class %d: sends, writes and deliveries of %d, %d and %d steps are listed, but the schedule has %d", class, len(p.Sends), len(p.Writes), len(p.Delivers), s.Steps)
		}
		for k := range s.Steps {
			if len(p.Sends[k]) != len(r.shifts) || len(p.Delivers[k]) != len(r.shifts) || len(p.Writes[k]) != s.Registers {
				return fmt.Errorf("class %d, step %d: %d sends, %d deliveries and %d writes are listed, but a node has %d ports and %d registers", class, k+1, len(p.Sends[k]), len(p.Delivers[k]), len(p.Writes[k]), len(r.shifts), s.Registers)
			}
		}
	}
	return nil
}

// fault is the error of a node in this step.
func (r *runner) fault(node int32, format string, values ...any) error {
	return fmt.Errorf("step %d, node %d: %s", r.step, node, fmt.Sprintf(format, values...))
}

// carry carries out a step: all nodes read, then all links and registers change.
func (r *runner) carry() error {
	arrived, held := r.empty(len(r.shifts)), r.empty(r.s.Registers)
	for node := range int32(r.nodes) {
		p := r.s.Program(int(node))
		for port, sum := range p.Sends[r.step-1] {
			if len(sum) == 0 {
				continue
			}
			v, err := r.read(node, sum, true)
			if err != nil {
				return fmt.Errorf("%w, on port %d", err, port)
			}
			to := r.machine.plus(node, r.shifts[port])
			arrived[to][r.back(port)] = v
			r.visit(Passage{r.step, node, to, port, v.item, v.parts})
		}
		for register, sum := range p.Writes[r.step-1] {
			held[node][register] = r.held[node][register]
			if len(sum) == 0 {
				continue
			}
			v, err := r.read(node, sum, false)
			if err != nil {
				return fmt.Errorf("%w, for register %d", err, register)
			}
			if register < r.s.Accumulators && !r.own(node, v) {
				return r.fault(node, "accumulator %d holds something else than a sum of the node's own result", register)
			}
			held[node][register] = v
		}
	}
	r.arrived, r.held = arrived, held
	for node := range int32(r.nodes) {
		for port, index := range r.s.Program(int(node)).Delivers[r.step-1] {
			if index == -1 {
				continue
			}
			if err := r.deliver(node, port, index); err != nil {
				return err
			}
		}
	}
	return nil
}

// back is the port by which the neighbour knows the link of a port.
func (r *runner) back(port int) int {
	for other, by := range r.shifts {
		there := r.machine.plus(r.machine.plus(0, r.shifts[port]), by)
		if there == 0 {
			return other
		}
	}
	panic("check: a link leads one way")
}

// own reports whether a value is a sum of the result of a node.
func (r *runner) own(node int32, v *value) bool {
	return v.parts != nil && (r.s.Operation == collective.AllReduceWord || v.item.Node == node)
}

// read combines the terms of a sum.
func (r *runner) read(node int32, sum collective.Sum, sends bool) (*value, error) {
	if len(sum) > 1 && !collective.Reduces(r.s.Operation) {
		return nil, r.fault(node, "%s combines nothing, but %s is a sum of %d terms", r.s.Operation, sum, len(sum))
	}
	var total *value
	for _, t := range sum {
		v, err := r.term(node, t, sends)
		if err != nil {
			return nil, err
		}
		if total == nil {
			total = v
			continue
		}
		if total.item != v.item {
			return nil, r.fault(node, "%s combines sums for nodes %d and %d", sum, total.item.Node, v.item.Node)
		}
		parts := slices.Concat(total.parts, v.parts)
		slices.Sort(parts)
		if len(slices.Compact(slices.Clone(parts))) < len(parts) {
			return nil, r.fault(node, "%s counts a part of the sum for node %d twice", sum, v.item.Node)
		}
		total = &value{v.item, parts}
	}
	return total, nil
}

// term is the value of a term.
func (r *runner) term(node int32, t collective.Term, sends bool) (*value, error) {
	var list []*value
	switch t.Source {
	case collective.Requested:
		if !sends {
			return nil, r.fault(node, "%s is read, but items are requested to be sent only", t)
		}
		return r.request(node, t.Index)
	case collective.Own:
		word := collective.Reduces(r.s.Operation) || r.s.Operation == collective.Broadcast && int(node) == r.s.Root
		if !word || r.step != 1 {
			return nil, r.fault(node, "the node has no word of its own in this step")
		}
		switch r.s.Operation {
		case collective.Broadcast:
			return &value{item: collective.Item{Node: node, For: -1}}, nil
		case collective.AllReduceWord:
			return &value{collective.Item{Node: 0, For: -1}, []int32{node}}, nil
		}
		return &value{collective.Item{Node: node, For: -1}, []int32{node}}, nil
	case collective.Arrived:
		list = r.arrived[node]
	case collective.Held:
		list = r.held[node]
	}
	if t.Index < 0 || int(t.Index) >= len(list) {
		return nil, r.fault(node, "there is no %s", t)
	}
	if list[t.Index] == nil {
		return nil, r.fault(node, "%s is read, but has nothing", t)
	}
	return list[t.Index], nil
}

// request is the item that the caller provides for an index.
func (r *runner) request(node, index int32) (*value, error) {
	root := int(node) == r.s.Root
	wrong := index < 0 || int(index) >= r.nodes
	switch r.s.Operation {
	case collective.Broadcast, collective.AllReduceWord:
		wrong = true
	case collective.AllGather:
		wrong = index != 0
	case collective.Gather:
		wrong = index != 0 || root
	case collective.Scatter:
		wrong = wrong || index == 0 || !root
	default:
		wrong = wrong || index == 0
	}
	if wrong {
		return nil, r.fault(node, "the node has no item %d to send", index)
	}
	if r.s.Operation != collective.AllGather && r.requested[node][index] {
		return nil, r.fault(node, "item %d is requested a second time", index)
	}
	r.requested[node][index] = true
	to := r.other(node, index)
	switch r.s.Operation {
	case collective.AllGather, collective.Gather:
		return &value{item: collective.Item{Node: node, For: -1}}, nil
	case collective.Scatter:
		return &value{item: collective.Item{Node: to, For: -1}}, nil
	case collective.TotalExchange:
		return &value{item: collective.Item{Node: node, For: to}}, nil
	}
	return &value{collective.Item{Node: to, For: -1}, []int32{node}}, nil
}

// deliver checks what a node delivers.
func (r *runner) deliver(node int32, port int, index int32) error {
	v := r.arrived[node][port]
	if v == nil {
		return r.fault(node, "the node delivers what arrives on port %d, but nothing does", port)
	}
	if index <= 0 || int(index) >= r.nodes {
		return r.fault(node, "index %d of a delivery is no other node", index)
	}
	from := r.other(node, index)
	right := true
	switch r.s.Operation {
	case collective.Broadcast:
		right = int(from) == r.s.Root
	case collective.AllGather:
		right = v.item.Node == from
	case collective.Scatter:
		right = int(from) == r.s.Root && v.item.Node == node
	case collective.Gather:
		right = int(node) == r.s.Root && v.item.Node == from
	case collective.TotalExchange:
		right = v.item.Node == from && v.item.For == node
	case collective.AllReduce:
		right = v.item.Node == from && len(v.parts) == r.nodes
	default:
		right = false
	}
	if !right {
		return r.fault(node, "the node delivers from port %d what is not for it, or not the item of node %d", port, from)
	}
	if r.delivered[node][index] {
		return r.fault(node, "the node delivers the item of node %d a second time", from)
	}
	r.delivered[node][index] = true
	return nil
}

// end checks that every node has delivered everything, and its result.
func (r *runner) end() error {
	for node := range int32(r.nodes) {
		want := r.nodes - 1
		switch root := int(node) == r.s.Root; {
		case r.s.Operation == collective.ReduceScatter || r.s.Operation == collective.AllReduceWord:
			want = 0
		case r.s.Operation == collective.Broadcast || r.s.Operation == collective.Scatter:
			want = 1
			if root {
				want = 0
			}
		case r.s.Operation == collective.Gather && !root:
			want = 0
		}
		if got := len(r.delivered[node]); got != want {
			return fmt.Errorf("node %d delivers %d items, but the operation has %d for it", node, got, want)
		}
		result := r.s.Program(int(node)).Result
		if !collective.Reduces(r.s.Operation) {
			if len(result) > 0 {
				return fmt.Errorf("node %d has a result, but %s has none", node, r.s.Operation)
			}
			continue
		}
		if len(result) == 0 {
			return fmt.Errorf("node %d has no result", node)
		}
		v, err := r.read(node, result, false)
		if err != nil {
			return err
		}
		if !r.own(node, v) || len(v.parts) != r.nodes {
			return fmt.Errorf("node %d: its result is the sum for node %d with %d of %d parts", node, v.item.Node, len(v.parts), r.nodes)
		}
	}
	return nil
}
