// SPDX-License-Identifier: Apache-2.0

// Package collective is the reference model of collective networks. It follows
// docs/collective-networks.md, section "Cycle by cycle", and writes golden traces. Words are
// whole in the model, because the ports show chunks only by the cycles of the outputs.
package collective

import (
	"math/big"
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/plan"
)

// Word is the payload of a link. At an input, nil is a word that is not valid; at an output, one that
// is undefined, because a word of its operation was late.
type Word = *big.Int

// Inputs are the inputs of a network in a cycle.
type Inputs struct {
	Rst, Start bool
	Operation  int    // the number of the operation to start; without a meaning if the network has a single one
	Data       []Word // by lane; empty if the network has no s_data
	Own        []Word // by node; empty if the network has no s_own_data
}

// Outputs are the outputs of a network in a cycle, but for its requests. Indices are node numbers, as in collective.Streaming.
type Outputs struct {
	Ready, Done bool
	Late        []bool  // by node
	Delivered   []int32 // by lane: the index, or None
	Data        []Word  // by lane, where Delivered is not None
	OwnValid    bool    // of all nodes
	Own         []Word  // by node, if OwnValid is set
}

// None stands in place of the index of a lane that requests or delivers nothing.
const None = -1

// Network is a collective network, cycle by cycle.
type Network struct {
	plan     *plan.Collective
	combine  func(a, b Word) Word
	underWay []*operation // the oldest first
	onTheWay []Outputs    // of the last E cycles, the oldest first: what the ports show E cycles later
}

// operation is one operation from its cycle 1 to its cycle P + 1. What it shows then is on its way to the ports.
type operation struct {
	*plan.Schedule
	cycle     int
	words     []Word   // by lane: sampled in this step
	own       []Word   // by node: sampled in cycle 1
	links     [][]Word // by lane on which they arrive: the word that is sent, and those in the registers on the way
	arrived   []Word   // by lane: what nodes read at the ends of the links
	held      [][]Word // by node and register
	late      []bool   // by node: a word was not valid at the end of the cycle before
	undefined bool     // some word of the operation was late
}

// New returns the network of the plan after a reset.
func New(p *plan.Collective) *Network {
	n := &Network{plan: p, combine: operator(p)}
	n.reset()
	return n
}

// reset ends all operations, also those whose results are on their way to the ports.
func (n *Network) reset() {
	n.underWay = nil
	n.onTheWay = nil
	for range n.plan.Skew {
		n.onTheWay = append(n.onTheWay, n.shows())
	}
}

// Outputs returns the outputs in this cycle, but for the requests. They depend on registers only. Ready does not depend on chunks. The
// other outputs come E cycles later than those of whole words, all of them.
func (n *Network) Outputs() Outputs {
	var out Outputs
	if n.plan.Skew > 0 {
		out = n.onTheWay[0]
	} else {
		out = n.shows()
	}
	out.Ready = n.ready()
	return out
}

// Requests returns the indices that lanes request in this cycle, or None, by lane. While ready is 1, they are those of step 1 of
// the operation whose number is on the input operation. They do not depend on chunks.
func (n *Network) Requests(number int) []int32 {
	list := slices.Repeat([]int32{None}, n.plan.Nodes*n.plan.Degree)
	if n.ready() {
		n.request(chosen(n.plan, number), 1, list)
	}
	for _, o := range n.underWay {
		for t := 2; t <= o.Steps; t++ {
			if o.cycle == o.Times[t-1] {
				n.request(o.Schedule, t, list)
			}
		}
	}
	return list
}

// chosen is the operation with a number, and for numbers that no operation has the last one.
func chosen(p *plan.Collective, number int) *plan.Schedule {
	return p.Schedules[min(number, len(p.Schedules)-1)]
}

// shows is what a network of whole words shows in this cycle of late words, deliveries and results.
func (n *Network) shows() Outputs {
	p := n.plan
	lanes := p.Nodes * p.Degree
	out := Outputs{Late: make([]bool, p.Nodes), Delivered: slices.Repeat([]int32{None}, lanes), Data: make([]Word, lanes)}
	for _, o := range n.underWay {
		for t := 1; t <= o.Steps; t++ {
			if o.cycle == o.Times[t]+1 {
				n.deliver(o, t, &out)
			}
		}
		for node, late := range o.late {
			out.Late[node] = out.Late[node] || late
		}
		if o.cycle == o.Period+1 {
			out.Done = true
			n.results(o, &out)
		}
	}
	return out
}

// ready is 0 in some cycles of each operation under way.
func (n *Network) ready() bool {
	return !slices.ContainsFunc(n.underWay, func(o *operation) bool { return refuses(n.plan, o.Schedule, o.cycle) })
}

// refuses reports whether ready is 0 in a cycle of an operation: in the cycles 1 to P - 1, or, if operations take turns, in
// M, 2 M, .. (S - 1) M, in which this operation requests words.
func refuses(p *plan.Collective, s *plan.Schedule, cycle int) bool {
	if p.Pipelined {
		return slices.Contains(s.Times[1:s.Steps], cycle)
	}
	return 1 <= cycle && cycle <= s.Period-1
}

// request adds the requests of a step of an operation to a list by lane.
func (n *Network) request(s *plan.Schedule, step int, list []int32) {
	for lane := range list {
		if index := requested(n.plan, s, step, lane); index != None {
			list[lane] = index
		}
	}
}

// requested is the index of the word that a lane needs for a step of an operation, or None.
func requested(p *plan.Collective, s *plan.Schedule, step, lane int) int32 {
	for _, term := range s.Program(lane / p.Degree).Sends[step-1][lane%p.Degree] {
		if term.Source == collective.Requested {
			return term.Index
		}
	}
	return None
}

// hasOwn reports whether a node has an own word in an operation.
func hasOwn(s *plan.Schedule, node int) bool {
	return s.HasResult() || s.Name == collective.Broadcast && node == s.Root
}

// deliver shows the words of a step that end at a node.
func (n *Network) deliver(o *operation, step int, out *Outputs) {
	p := n.plan
	for node := range p.Nodes {
		for port, index := range o.Program(node).Delivers[step-1] {
			if index != None {
				out.Delivered[node*p.Degree+port] = index
				out.Data[node*p.Degree+port] = o.shown(o.arrived[node*p.Degree+port])
			}
		}
	}
}

// results shows the own results, if the operation has some. They are read after the last step.
func (n *Network) results(o *operation, out *Outputs) {
	if !o.HasResult() {
		return
	}
	out.OwnValid = true
	for node := range n.plan.Nodes {
		out.Own = append(out.Own, o.shown(n.read(o, node, None, o.Program(node).Result)))
	}
}

// shown is a word at an output.
func (o *operation) shown(w Word) Word {
	if o.undefined {
		return nil
	}
	return w
}

// Step is the clock edge at the end of a cycle.
func (n *Network) Step(in Inputs) {
	starts := in.Start && n.ready()
	if n.plan.Skew > 0 {
		n.onTheWay = append(n.onTheWay[1:], n.shows())
	}
	for _, o := range n.underWay {
		n.sample(o, in)
		sent, held := n.carry(o, slices.Index(o.Times[1:], o.cycle+n.plan.Flight)+1)
		for lane, link := range o.links {
			copy(link[1:], link)
			link[0] = sent[lane]
		}
		o.held = held
		o.cycle++
		if n.reads(o) {
			for lane, link := range o.links {
				o.arrived[lane] = link[len(link)-1]
			}
		}
	}
	if in.Rst {
		n.reset()
		return
	}
	n.underWay = slices.DeleteFunc(n.underWay, func(o *operation) bool { return o.cycle > o.Period+1 })
	if starts {
		n.underWay = append(n.underWay, n.begin(chosen(n.plan, in.Operation)))
	}
}

// reads reports whether nodes read links for an operation in this cycle. If operations take turns, a link has a word of this one
// in cycle T(t) + 1 of each step t alone, and nodes keep it.
func (n *Network) reads(o *operation) bool {
	return !n.plan.Pipelined || slices.Contains(o.Times[1:], o.cycle-1)
}

// begin returns an operation in its cycle 1.
func (n *Network) begin(s *plan.Schedule) *operation {
	p := n.plan
	o := &operation{
		Schedule: s, cycle: 1, words: make([]Word, p.Nodes*p.Degree), own: make([]Word, p.Nodes),
		held: matrix(p.Nodes, s.Registers), late: make([]bool, p.Nodes), arrived: make([]Word, p.Nodes*p.Degree),
	}
	for range p.Nodes {
		for _, registers := range p.LinkRegisters {
			if p.Pipelined {
				registers = p.Flight // others are added at the end that receives
			}
			o.links = append(o.links, make([]Word, 1+registers))
		}
	}
	return o
}

func matrix(rows, columns int) [][]Word {
	m := make([][]Word, rows)
	for row := range m {
		m[row] = make([]Word, columns)
	}
	return m
}

// Samples reports which inputs the network samples at the end of this cycle: words by lane, own words by node.
func (n *Network) Samples() (data, own []bool) {
	data, own = make([]bool, n.plan.Nodes*n.plan.Degree), make([]bool, n.plan.Nodes)
	for _, o := range n.underWay {
		n.samples(o, data, own)
	}
	return data, own
}

// samples marks what is sampled for an operation: in cycle T(t-1) + 1 the words that are requested for step t, and
// in cycle 1, which is that of step 1, the own words, too.
func (n *Network) samples(o *operation, data, own []bool) {
	t := o.sampling()
	if t == 1 {
		for node := range own {
			own[node] = hasOwn(o.Schedule, node)
		}
	}
	if t > 0 {
		for lane := range data {
			data[lane] = requested(n.plan, o.Schedule, t, lane) != None
		}
	}
}

// sampling is the step whose words are sampled for the operation in this cycle, T(t-1) + 1, or 0.
func (o *operation) sampling() int {
	return slices.Index(o.Times[:o.Steps], o.cycle-1) + 1
}

// sample takes the words for an operation from the inputs, and finds those that are late.
func (n *Network) sample(o *operation, in Inputs) {
	data, own := make([]bool, len(o.words)), make([]bool, len(o.own))
	n.samples(o, data, own)
	o.late = make([]bool, n.plan.Nodes)
	for lane := range data {
		if data[lane] {
			o.words[lane] = in.Data[lane]
			o.late[lane/n.plan.Degree] = o.late[lane/n.plan.Degree] || in.Data[lane] == nil
		}
	}
	for node := range own {
		if own[node] {
			o.own[node] = in.Own[node]
			o.late[node] = o.late[node] || in.Own[node] == nil
		}
	}
	o.undefined = o.undefined || slices.Contains(o.late, true)
}

// carry is the end of cycle T(t) - H of step t: every node sends its sums, and writes its registers. In other cycles, in
// which step is 0, they stay; only if operations take turns, a link has the words of others then. It returns what is sent, by lane
// on which it arrives, and what is held.
func (n *Network) carry(o *operation, step int) (sent []Word, held [][]Word) {
	p := n.plan
	sent = make([]Word, len(o.links))
	if step == 0 {
		for lane, link := range o.links {
			if !p.Pipelined {
				sent[lane] = link[0]
			}
		}
		return sent, o.held
	}
	held = matrix(p.Nodes, o.Registers)
	for node := range p.Nodes {
		program := o.Program(node)
		for port, sum := range program.Sends[step-1] {
			if len(sum) > 0 {
				sent[p.Graph.Neighbor(node, port)*p.Degree+p.Graph.Opposite(port)] = n.read(o, node, port, sum)
			}
		}
		for register, sum := range program.Writes[step-1] {
			held[node][register] = o.held[node][register]
			if len(sum) > 0 {
				held[node][register] = n.read(o, node, None, sum)
			}
		}
	}
	return sent, held
}

// read combines the terms of a sum at a node. Words are requested by the port that sends the sum.
func (n *Network) read(o *operation, node, port int, sum collective.Sum) Word {
	var terms []Word
	for _, t := range sum {
		switch t.Source {
		case collective.Requested:
			terms = append(terms, o.words[node*n.plan.Degree+port])
		case collective.Own:
			terms = append(terms, o.own[node])
		case collective.Arrived:
			terms = append(terms, o.arrived[node*n.plan.Degree+int(t.Index)])
		case collective.Held:
			terms = append(terms, o.held[node][t.Index])
		}
	}
	return n.tree(terms)
}

// tree combines terms in a balanced tree.
func (n *Network) tree(terms []Word) Word {
	if len(terms) == 1 {
		return terms[0]
	}
	first := (len(terms) + 1) / 2
	a, b := n.tree(terms[:first]), n.tree(terms[first:])
	if a == nil || b == nil {
		return nil
	}
	return n.combine(a, b)
}
