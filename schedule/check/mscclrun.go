// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"slices"
)

// CheckMSCCL carries out a program on a machine whose nodes are its gpus, and verifies what the operation leaves in the output buffers. A
// custom program needs the operation; rooted operations need a root. It returns the steps and the messages.
//
// MSCCL has no steps in which all gpus take part. Here a message travels in the earliest step that its
// sender allows: after the message that the thread block sent before, and after what it received or waited for. The error is
// also that of a thread block that never ends, of two gpus without a link, and of a chunk that one thread block
// reads or writes while another one may write it.
func CheckMSCCL(m Machine, p *MSCCL, operation string, root int) (steps, messages int, err error) {
	if len(p.gpus) != m.Nodes() {
		return 0, 0, fmt.Errorf("the program is for %d gpus, but the machine has %d nodes", len(p.gpus), m.Nodes())
	}
	for _, inPlace := range []bool{false, true} {
		if inPlace && !p.inPlace || !inPlace && !p.outOfPlace {
			continue
		}
		x := &mscclRun{m: m, p: p, operation: operation, root: root, inPlace: inPlace, per: p.chunks}
		if operation != Broadcast && operation != AllReduce {
			if p.chunks%m.Nodes() != 0 {
				return 0, 0, fmt.Errorf("nchunksperloop is %d, want a multiple of the %d gpus", p.chunks, m.Nodes())
			}
			x.per /= m.Nodes()
		}
		if err = x.run(); err != nil {
			return 0, 0, err
		}
		steps, messages = x.last, x.messages
	}
	return steps, messages, nil
}

// Of returns the operation of a program, or "" if it is custom.
func (p *MSCCL) Of() string {
	return map[string]string{"allgather": AllGather, "alltoall": TotalExchange, "allreduce": AllReduce, "reducescatter": ReduceScatter, "reduce_scatter": ReduceScatter}[p.Coll]
}

// mscclRun is the state of all gpus.
type mscclRun struct {
	m         Machine
	p         *MSCCL
	operation string
	root      int
	inPlace   bool
	per       int // chunks of an item
	gpus      []*mscclState
	links     map[mscclLink][]mscclMessage
	last      int // step
	messages  int
}

type mscclLink struct{ from, to, channel int }

type mscclMessage struct {
	step   int
	chunks []*chunk
}

// chunk is a chunk of the input of a node, or the sum of that of several.
type chunk struct {
	index int
	nodes []int32 // in ascending order
}

// mscclState is a gpu.
type mscclState struct {
	cells  map[mscclPlace]*cell
	blocks []*blockState
}

// cell is a place in a buffer.
type cell struct {
	chunk *chunk
	wrote int   // the thread block that wrote it, or -1
	at    int   // the step of that thread block
	read  []int // by thread block: its last step that has read it since, or -1
}

// blockState is a thread block.
type blockState struct {
	next  int     // step of the program
	clock int     // the last step in which it sent or received, or waited for one that did
	knows []int   // by thread block: the last of its steps that is known to be done, or -1
	done  []event // by step of the program
}

// event is the end of a step.
type event struct {
	clock int
	knows []int
}

// run carries out all thread blocks until they have ended.
func (x *mscclRun) run() error {
	x.links = map[mscclLink][]mscclMessage{}
	for node := range x.p.gpus {
		g, err := x.begin(node)
		if err != nil {
			return err
		}
		x.gpus = append(x.gpus, g)
	}
	for moved := true; moved; {
		moved = false
		for node := range x.gpus {
			for b := range x.gpus[node].blocks {
				for {
					ok, err := x.step(node, b)
					if err != nil {
						return err
					}
					if !ok {
						break
					}
					moved = true
				}
			}
		}
	}
	for node, g := range x.gpus {
		for b, state := range g.blocks {
			if steps := x.p.gpus[node].blocks[b].steps; state.next < len(steps) {
				return x.fault(node, b, state.next, "the step waits for ever")
			}
		}
	}
	for node, g := range x.p.gpus {
		for b, block := range g.blocks {
			if n := len(x.links[mscclLink{node, block.send, block.channel}]); block.send >= 0 && n > 0 {
				return x.fault(node, b, -1, "gpu %d does not receive %d of the messages", block.send, n)
			}
		}
	}
	return x.end()
}

// begin fills the input of a gpu.
func (x *mscclRun) begin(node int) (*mscclState, error) {
	blocks := len(x.p.gpus[node].blocks)
	g := &mscclState{cells: map[mscclPlace]*cell{}}
	sends, receives := map[[2]int]bool{}, map[[2]int]bool{}
	for b, block := range x.p.gpus[node].blocks {
		for _, peer := range []int{block.send, block.recv} {
			if peer >= len(x.p.gpus) || peer >= 0 && !x.m.linked(int32(node), int32(peer)) {
				return nil, x.fault(node, b, -1, "no link leads to gpu %d", peer)
			}
		}
		if sends[[2]int{block.send, block.channel}] || receives[[2]int{block.recv, block.channel}] {
			return nil, x.fault(node, b, -1, "another thread block sends to the same gpu, or receives from it, on channel %d", block.channel)
		}
		sends[[2]int{block.send, block.channel}], receives[[2]int{block.recv, block.channel}] = block.send >= 0, block.recv >= 0
		g.blocks = append(g.blocks, &blockState{knows: slices.Repeat([]int{-1}, blocks)})
	}
	n := x.per
	switch {
	case x.operation == TotalExchange || x.operation == ReduceScatter || x.operation == Scatter && node == x.root:
		n *= len(x.p.gpus)
	case (x.operation == Broadcast || x.operation == Scatter) && node != x.root:
		n = 0
	}
	for k := range n {
		g.cells[x.place(node, mscclPlace{"i", k})] = &cell{chunk: &chunk{k, []int32{int32(node)}}, wrote: -1, read: slices.Repeat([]int{-1}, blocks)}
	}
	return g, nil
}

// place is where a place of a buffer lies: in place, input and output share memory.
func (x *mscclRun) place(node int, at mscclPlace) mscclPlace {
	if !x.inPlace {
		return at
	}
	switch x.operation {
	case AllGather, Gather:
		if at.buffer == "i" && (x.operation == AllGather || node == x.root) {
			return mscclPlace{"o", node*x.per + at.offset}
		}
	case ReduceScatter, Scatter:
		if at.buffer == "o" && (x.operation == ReduceScatter || node == x.root) {
			return mscclPlace{"i", node*x.per + at.offset}
		}
	default:
		if at.buffer == "i" {
			at.buffer = "o"
		}
	}
	return at
}

func (x *mscclRun) fault(node, block, step int, format string, values ...any) error {
	b := x.p.gpus[node].blocks[block]
	at, where := b.Place, fmt.Sprintf("gpu %d, thread block %d", node, block)
	if step >= 0 {
		at = b.steps[step].Place
		where += fmt.Sprintf(", step %d", step)
	}
	return fmt.Errorf("line %d, column %d: %s: %s", at.Line, at.Column, where, fmt.Sprintf(format, values...))
}

// step carries out the next step of a thread block, if what it waits for is there.
func (x *mscclRun) step(node, b int) (bool, error) {
	g, block := x.gpus[node], x.p.gpus[node].blocks[b]
	state := g.blocks[b]
	if state.next == len(block.steps) {
		return false, nil
	}
	s := block.steps[state.next]
	if s.block >= 0 && s.step >= g.blocks[s.block].next {
		return false, nil
	}
	receives, sends := slices.Contains(mscclReceives, s.kind), slices.Contains(mscclSends, s.kind)
	from, to := mscclLink{block.recv, node, block.channel}, mscclLink{node, block.send, block.channel}
	switch {
	case receives && block.recv < 0 || sends && block.send < 0:
		return false, x.fault(node, b, state.next, "the thread block has no gpu to send to, or to receive from")
	case receives && len(x.links[from]) == 0:
		return false, nil
	}
	if s.block >= 0 {
		e := g.blocks[s.block].done[s.step]
		state.clock = max(state.clock, e.clock)
		for k := range state.knows {
			state.knows[k] = max(state.knows[k], e.knows[k])
		}
	}
	var got []*chunk
	if receives {
		message := x.links[from][0]
		x.links[from] = x.links[from][1:]
		if len(message.chunks) != s.count {
			return false, x.fault(node, b, state.next, "%d chunks are received, but the message has %d", s.count, len(message.chunks))
		}
		got, state.clock = message.chunks, max(state.clock, message.step)
	}
	made, err := x.chunks(node, b, s, got)
	if err != nil {
		return false, err
	}
	if sends {
		state.clock++
		x.last, x.messages = max(x.last, state.clock), x.messages+1
		x.links[to] = append(x.links[to], mscclMessage{state.clock, made})
	}
	state.knows[b] = state.next
	state.done = append(state.done, event{state.clock, slices.Clone(state.knows)})
	state.next++
	return true, nil
}

// chunks reads and adds what a step reads and adds, and stores it.
func (x *mscclRun) chunks(node, b int, s mscclStep, got []*chunk) (made []*chunk, err error) {
	if s.kind == "nop" {
		return nil, nil
	}
	for k := range s.count {
		src, dst := mscclPlace{s.src.buffer, s.src.offset + k}, mscclPlace{s.dst.buffer, s.dst.offset + k}
		var v *chunk
		if got != nil {
			v = got[k]
		}
		var reads []mscclPlace
		switch s.kind {
		case "s", "cpy", "rrs", "rrc", "rrcs":
			reads = []mscclPlace{src}
		case "re":
			reads = []mscclPlace{src, dst}
		}
		for _, place := range reads {
			add, err := x.read(node, b, place)
			if err == nil {
				v, err = x.sum(node, b, v, add)
			}
			if err != nil {
				return nil, err
			}
		}
		if s.kind != "s" && s.kind != "rrs" {
			if err := x.write(node, b, dst, v); err != nil {
				return nil, err
			}
		}
		made = append(made, v)
	}
	return made, nil
}

// at is a place of a buffer, which must exist.
func (x *mscclRun) at(node, b int, place mscclPlace) (*cell, error) {
	if place.offset < 0 || place.offset >= x.p.gpus[node].sizes[place.buffer] {
		return nil, x.fault(node, b, x.gpus[node].blocks[b].next, "chunk %d is outside buffer %s, which has %d", place.offset, place.buffer, x.p.gpus[node].sizes[place.buffer])
	}
	g := x.gpus[node]
	place = x.place(node, place)
	if g.cells[place] == nil {
		g.cells[place] = &cell{wrote: -1, read: slices.Repeat([]int{-1}, len(g.blocks))}
	}
	return g.cells[place], nil
}

func (x *mscclRun) read(node, b int, place mscclPlace) (*chunk, error) {
	c, err := x.at(node, b, place)
	if err != nil {
		return nil, err
	}
	state := x.gpus[node].blocks[b]
	switch {
	case c.chunk == nil:
		return nil, x.fault(node, b, state.next, "chunk %d of buffer %s is read, but has nothing", place.offset, place.buffer)
	case c.wrote >= 0 && c.wrote != b && c.at > state.knows[c.wrote]:
		return nil, x.fault(node, b, state.next, "chunk %d of buffer %s is read, but thread block %d may still write it: a dependence is missing", place.offset, place.buffer, c.wrote)
	}
	c.read[b] = state.next
	return c.chunk, nil
}

func (x *mscclRun) write(node, b int, place mscclPlace, v *chunk) error {
	c, err := x.at(node, b, place)
	if err != nil {
		return err
	}
	state := x.gpus[node].blocks[b]
	for other, step := range c.read {
		if other == c.wrote {
			step = max(step, c.at)
		}
		if other != b && step > state.knows[other] {
			return x.fault(node, b, state.next, "chunk %d of buffer %s is written, but thread block %d may still use it: a dependence is missing", place.offset, place.buffer, other)
		}
	}
	c.chunk, c.wrote, c.at, c.read = v, b, state.next, slices.Repeat([]int{-1}, len(c.read))
	return nil
}

// sum adds two chunks; the first may be nil.
func (x *mscclRun) sum(node, b int, v, add *chunk) (*chunk, error) {
	if v == nil {
		return add, nil
	}
	nodes := slices.Concat(v.nodes, add.nodes)
	slices.Sort(nodes)
	switch step := x.gpus[node].blocks[b].next; {
	case v.index != add.index:
		return nil, x.fault(node, b, step, "the sum mixes chunks %d and %d of the input", v.index, add.index)
	case len(slices.Compact(slices.Clone(nodes))) < len(nodes):
		return nil, x.fault(node, b, step, "the sum of chunk %d counts a gpu twice", v.index)
	}
	return &chunk{v.index, nodes}, nil
}

// end checks the output of all gpus.
func (x *mscclRun) end() error {
	n := len(x.p.gpus)
	for node := range n {
		size := x.per
		switch x.operation {
		case AllGather, TotalExchange:
			size *= n
		case Gather:
			if size *= n; node != x.root {
				size = 0
			}
		}
		for k := range size {
			index, from := k, int32(k/x.per) // of the input of a gpu
			switch x.operation {
			case AllGather, Gather:
				index = k % x.per
			case TotalExchange:
				index = node*x.per + k%x.per
			case ReduceScatter, Scatter:
				index = node*x.per + k
			}
			if x.operation == Broadcast || x.operation == Scatter {
				from = int32(x.root)
			}
			c := x.gpus[node].cells[x.place(node, mscclPlace{"o", k})]
			switch {
			case c == nil || c.chunk == nil:
				return fmt.Errorf("gpu %d: chunk %d of its output has nothing", node, k)
			case reduces(x.operation) && (c.chunk.index != index || len(c.chunk.nodes) != n):
				return fmt.Errorf("gpu %d: chunk %d of its output is the sum of chunk %d of %d gpus, want chunk %d of %d", node, k, c.chunk.index, len(c.chunk.nodes), index, n)
			case !reduces(x.operation) && (c.chunk.index != index || len(c.chunk.nodes) != 1 || c.chunk.nodes[0] != from):
				return fmt.Errorf("gpu %d: chunk %d of its output is chunk %d of gpu %d, want chunk %d of gpu %d", node, k, c.chunk.index, c.chunk.nodes[0], index, from)
			}
		}
	}
	return nil
}
