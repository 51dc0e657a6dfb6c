// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// Vectors are the memories of a collective network, which carry out its operation on vectors (docs/vectors.md).
type Vectors struct {
	*Collective
	VectorsModule string // <machine>__<name>_vectors
	CountBits     int    // of the number of words of a vector, 1 to Vector
	NumberBits    int    // B, of the number of a word in its vector
	Memories      []Memory
}

// Memory is the memory of a class of nodes. Bank p has the vectors that leave or arrive by port p, and the last one, Own, those of
// index 0: own words, items that nodes send by several ports, and own results. If ports share a bank, it is that of the first of them.
type Memory struct {
	Send, Receive []Bank
	Lanes         []int // by port: the bank of Send with the words that it requests, or -1
	Leave, Arrive []int // ports that share a bank of Send or of Receive, because no step uses two of them; nil if there are none
}

// Figures are the properties of the memories, as hcgen info prints them.
func (v *Vectors) Figures() *VectorFigures {
	f := &VectorFigures{Words: v.Vector, CyclesPerWord: v.Period, MoreCycles: v.Skew + 2, Module: v.VectorsModule}
	for _, m := range v.Memories {
		banks, words := 0, 0
		for _, b := range slices.Concat(m.Send, m.Receive) {
			if len(b) > 0 {
				banks, words = banks+1, words+v.Words(b)
			}
		}
		f.Banks, f.MemoryBits = max(f.Banks, banks), max(f.MemoryBits, words*v.PayloadBits)
	}
	return f
}

// Bank lists the indices whose vectors a bank has, by slot.
type Bank []int

// Own is the number of the bank of index 0.
func (v *Vectors) Own() int { return v.Degree }

// Words is the number of words that a bank has, 0 of an empty one.
func (v *Vectors) Words(b Bank) int { return len(b) * v.SlotWords() }

// SlotWords is the number of words of a slot.
func (v *Vectors) SlotWords() int { return 1 << v.NumberBits }

// SlotBits is the number of bits of a slot of a bank, 0 if there is one slot.
func (b Bank) SlotBits() int { return bits.Len(uint(max(len(b), 1) - 1)) }

// Vectors plans the memories of a network whose description has vectors.
func (p *Collective) Vectors() *Vectors {
	v := &Vectors{
		Collective: p, VectorsModule: p.Module("vectors"),
		CountBits: bits.Len(uint(p.Vector)), NumberBits: max(1, bits.Len(uint(p.Vector-1))),
	}
	for class := range p.Programs {
		v.Memories = append(v.Memories, v.memory(class))
	}
	return v
}

// sharing lists the ports that are used, if they are several and no step uses two of them.
func (v *Vectors) sharing(uses func(step, port int) bool) (ports []int) {
	for step := range v.Steps {
		used := 0
		for port := range v.Degree {
			if !uses(step, port) {
				continue
			}
			if used++; !slices.Contains(ports, port) {
				ports = append(ports, port)
			}
		}
		if used > 1 {
			return nil
		}
	}
	if len(ports) < 2 {
		return nil
	}
	slices.Sort(ports)
	return ports
}

// bankOf is the bank of a port.
func bankOf(port int, sharing []int) int {
	if sharing != nil {
		return sharing[0]
	}
	return port
}

// memory puts each index of a class into a bank, in the order of the steps. It panics if an index has two banks, or a port: checked
// schedules send and deliver each item once, but for the only item of a node.
func (v *Vectors) memory(class int) Memory {
	program := &v.Programs[class]
	m := Memory{
		Send: make([]Bank, v.Degree+1), Receive: make([]Bank, v.Degree+1), Lanes: slices.Repeat([]int{-1}, v.Degree),
		Leave: v.sharing(func(step, port int) bool {
			return slices.ContainsFunc(program.Sends[step][port], func(t collective.Term) bool { return t.Source == collective.Requested && t.Index != 0 })
		}),
		Arrive: v.sharing(func(step, port int) bool { return program.Delivers[step][port] >= 0 }),
	}
	fault := func(format string, a ...any) {
		panic(fmt.Sprintf("plan: collective %q, nodes of class %d: ", v.Name, class) + fmt.Sprintf(format, a...))
	}
	put := func(banks []Bank, bank, index int) {
		if slices.ContainsFunc(banks, func(b Bank) bool { return slices.Contains(b, index) }) {
			fault("the item of index %d has two places", index)
		}
		banks[bank] = append(banks[bank], index)
	}
	own := func() {
		if len(m.Send[v.Own()]) == 0 {
			put(m.Send, v.Own(), 0)
		}
	}
	for step := range v.Steps {
		for port, sum := range slices.Concat(program.Sends[step], program.Writes[step]) {
			for _, t := range sum {
				switch {
				case t.Source == collective.Own:
					own()
				case t.Source == collective.Requested:
					bank := v.Own()
					if t.Index == 0 {
						own()
					} else {
						bank = bankOf(port, m.Leave)
						put(m.Send, bank, int(t.Index))
					}
					if m.Lanes[port] >= 0 && m.Lanes[port] != bank {
						fault("port %d has words of two banks", port)
					}
					m.Lanes[port] = bank
				}
			}
		}
		for port, index := range program.Delivers[step] {
			if index >= 0 {
				put(m.Receive, bankOf(port, m.Arrive), int(index))
			}
		}
	}
	if len(program.Result) > 0 {
		put(m.Receive, v.Own(), 0)
	}
	return m
}

// WritesIndex reports whether an index names one of several vectors that a node writes.
func (p *Collective) WritesIndex() bool {
	switch p.Operation() {
	case collective.Scatter, collective.TotalExchange, collective.ReduceScatter, collective.AllReduce:
		return !p.OneWord
	}
	return false
}

// ReadsIndex reports whether an index names one of several vectors that a node reads.
func (p *Collective) ReadsIndex() bool {
	switch p.Operation() {
	case collective.AllGather, collective.Gather, collective.TotalExchange, collective.AllReduce:
		return !p.OneWord
	}
	return false
}

// vectorRows is the table of the ports of the module of vectors and of the memories of its nodes, in the order of declaration. Those
// of memories that lead to the network are wires inside.
func (v *Vectors) vectorRows() []collectiveRow {
	single := lanes{count: 1}
	meaning := func(text string) Columns { return Columns{Meaning: text} }
	word := func(text string) Columns { return Columns{Meaning: text, Words: true} }
	list := []collectiveRow{
		{true, "clk", in, single, flag, Shared, Columns{Role: Clock}},
		{true, "rst", in, single, flag, Shared, Columns{Role: Clock, Meaning: "synchronous, active high; ends an operation, and keeps the memories"}},
		{true, "start", in, single, flag, Shared, Columns{Role: Start, Meaning: "starts an operation on vectors if ready is 1, in cycle 0"}},
		{true, "count", in, single, v.CountBits, Shared, meaning(fmt.Sprintf("words of the vectors, 1 to %d, with the start", v.Vector))},
		{true, "ready", out, single, flag, Shared, Columns{Inner: "ready_nodes", Meaning: "no operation is under way"}},
		{true, "done", out, single, flag, Shared, Columns{Inner: "done_nodes", Meaning: fmt.Sprintf("all words can be read, in cycle %d count + %d", v.Period, v.Skew+2)}},
		{true, "w_valid", in, single, flag, PerNode, meaning("the node writes a word to send")},
		{v.WritesIndex(), "w_index", in, single, v.IndexBits, PerNode, meaning("receiver of its vector: its digits minus the digits of the node, mod m")},
		{true, "w_number", in, single, v.NumberBits, PerNode, meaning("its number in the vector, from 0 on")},
		{true, "w_data", in, single, v.PayloadBits, PerNode, word("the word")},
		{v.ReadsIndex(), "r_index", in, single, v.IndexBits, PerNode, meaning("sender of the vector that the node reads: its digits minus the digits of the node, mod m")},
		{true, "r_number", in, single, v.NumberBits, PerNode, meaning("number of the word in the vector")},
		{true, "r_data", out, single, v.PayloadBits, PerNode, word("the word, one cycle after its index and number")},
		{true, "word_start", out, single, flag, Near, Columns{Inner: "word_start_nodes", Meaning: "starts the network"}},
		{true, "word_done", in, single, flag, Common, meaning("done of the network")},
	}
	for _, r := range v.rows() { // whose ends they are
		switch r.name {
		case "s_request": // a bank that ports share has to know which of them requests a word
			r.there = slices.ContainsFunc(v.Memories, func(m Memory) bool { return m.Leave != nil })
			fallthrough
		case "s_index", "s_data", "s_own_data", "m_valid", "m_index", "m_data", "m_own_valid", "m_own_data":
			r.output, r.network, r.Inner, r.Meaning = !r.output, Near, "", ""
			list = append(list, r)
		}
	}
	return list
}

// Wires lists the ports of the module of vectors, in the order of declaration.
func (v *Vectors) Wires() (list []Wire) {
	for _, r := range v.vectorRows() {
		w := r.wire()
		switch w.Network {
		case Near, Common:
			continue
		case PerNode:
			w.Lanes, w.Vector = v.Nodes*w.Lanes, true
		}
		if r.there {
			list = append(list, w)
		}
	}
	return list
}

// MemoryWires lists the ports of the memory of a node, in the order of declaration: those of the module of vectors, and those that
// lead to the network.
func (v *Vectors) MemoryWires() (list []Wire) {
	for _, r := range v.vectorRows() {
		if r.there {
			list = append(list, r.wire())
		}
	}
	return list
}
