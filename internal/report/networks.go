// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
)

// network is what the page says of a collective network beside the items that it moves.
type network struct {
	Times    []int       `json:"times"`    // by step from 0: the cycle in which it ends
	Done     int         `json:"done"`     // the cycle of the last results
	Waiting  []int       `json:"waiting"`  // words that wait in registers of all nodes behind a step, by step from 1
	Class    []int       `json:"class"`    // by node: its program
	Programs [][]actions `json:"programs"` // by class and step from 1, and the result of the node
}

// actions are what a node does in a step. Each list has a place, and then pairs of source and index, the terms of
// a sum: a source by its number in package collective.
type actions struct {
	Sends [][]int32  `json:"sends,omitempty"` // places are ports
	Keeps [][]int32  `json:"keeps,omitempty"` // places are registers
	Takes [][2]int32 `json:"takes,omitempty"` // ports, and the index of the node whose item is delivered
	Own   []int32    `json:"own,omitempty"`   // the terms of the node's own result
}

// operationOf is the operation of a network in words.
func operationOf(c *plan.Collective) string {
	if c.OneWord {
		return c.Operation() + " of one word"
	}
	return c.Operation()
}

// networkTable has a column for each operation of each collective network.
type networkTable struct {
	Names []string
	Rows  []networkRow
}

// networkRow is a property of the networks.
type networkRow struct {
	Name   string
	Values []string // by column
}

func newNetworkTable(networks []*plan.Collective) *networkTable {
	t := &networkTable{}
	type operation struct {
		*plan.Collective // of this operation alone
		number           any
		sources          []int // of the network
	}
	var columns []operation
	several := false
	for _, c := range networks {
		for i, s := range c.Schedules {
			o := operation{c.Alone(s), "-", c.Sources()}
			if c.Several() {
				several, o.number = true, i
			}
			t.Names, columns = append(t.Names, c.Name), append(columns, o)
		}
	}
	type row struct {
		name  string
		value func(c operation) any
	}
	rows := []row{
		{"operation", func(c operation) any { return operationOf(c.Collective) }},
		{"operator", func(c operation) any {
			if !c.HasResult() {
				return "-"
			}
			return c.Operator
		}},
		{"bits of a word", func(c operation) any { return c.PayloadBits }},
		{"words that a node gives", func(c operation) any { return most(c.Collective, gives) }},
		{"words that a node gets", func(c operation) any { return most(c.Collective, gets) }},
		{"schedule", func(c operation) any { return c.Algorithm() }},
		{"steps", func(c operation) any { return c.Steps }},
		{"least possible steps", func(c operation) any { return c.Bound }},
		{"bits of a chunk", func(c operation) any { return c.Chunk }},
		{"last results in cycle", func(c operation) any { return c.Cycles() }},
		{"cycles from a start to the next", func(c operation) any {
			if c.Pipelined {
				return fmt.Sprintf("%d on average: %d operations take turns", c.Steps, c.Turns)
			}
			return c.Period
		}},
		{"values that wait in registers of a node", func(c operation) any { return c.Waiting() }},
		{"words that each port selects between", func(c operation) any { return strings.Trim(fmt.Sprint(c.sources), "[]") }},
	}
	if several {
		rows = slices.Insert(rows, 1, row{"number of the operation", func(c operation) any { return c.number }})
	}
	if slices.ContainsFunc(networks, func(c *plan.Collective) bool { return c.Vector > 0 }) {
		of := func(value func(f *plan.VectorFigures) any) func(c operation) any {
			return func(c operation) any {
				if c.Vector == 0 {
					return "-"
				}
				return value(c.Vectors().Figures())
			}
		}
		rows = append(rows,
			row{"words of a vector", of(func(f *plan.VectorFigures) any { return f.Words })},
			row{"banks of the memory of a node", of(func(f *plan.VectorFigures) any { return f.Banks })},
			row{"bits of the memory of a node", of(func(f *plan.VectorFigures) any { return f.MemoryBits })},
			row{"cycles of an operation on vectors of n words", of(func(f *plan.VectorFigures) any { return fmt.Sprintf("%d n + %d", f.CyclesPerWord, f.MoreCycles) })})
	}
	for _, row := range rows {
		r := networkRow{Name: row.name}
		for _, c := range columns {
			r.Values = append(r.Values, fmt.Sprint(row.value(c)))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// most is the largest count of any node.
func most(c *plan.Collective, count func(p *collective.Program) int) (largest int) {
	for class := range c.Programs {
		largest = max(largest, count(&c.Programs[class]))
	}
	return largest
}

// gives counts the words that a node gives, each once.
func gives(p *collective.Program) int {
	given := map[collective.Term]bool{}
	for k, sends := range p.Sends {
		for _, sum := range slices.Concat(sends, p.Writes[k]) {
			for _, t := range sum {
				if t.Source == collective.Requested || t.Source == collective.Own {
					given[t] = true
				}
			}
		}
	}
	return len(given)
}

// gets counts the words that are delivered to a node, with its own result.
func gets(p *collective.Program) (count int) {
	for _, delivers := range p.Delivers {
		for _, index := range delivers {
			if index >= 0 {
				count++
			}
		}
	}
	return count + min(1, len(p.Result))
}

// newNetworkPlay prepares what the nodes of a collective network execute in its operation. The error is that of a schedule that does
// something else than its operation.
func newNetworkPlay(c *plan.Collective) (*play, error) {
	g := c.Graph
	p := blankPlay(g, c.Streaming.Operation, c.Steps)
	p.Name = c.Name + ": " + operationOf(c)
	p.Hardware, p.By = true, "The nodes of the collective network "+c.Name+" of this machine execute this schedule."
	p.Network = newNetwork(c)
	p.Busy = make([]int, c.Steps)
	if c.HasResult() {
		p.Adding = make([]int, c.Steps)
	}
	sources := []int{c.Streaming.Root}
	if collective.Rooted(c.Operation()) {
		p.Root = &sources[0]
		p.Role = "root"
	} else {
		if c.Given != nil {
			p.Period = c.Given.Period
		}
		sources = listed(g, p.Period)
	}
	for _, source := range sources {
		p.Items = append(p.Items, blankItems(g.Nodes(), source))
	}
	err := check.FollowStreaming(schedule.Machine(g), c.Streaming, func(on check.Passage) {
		p.Busy[on.Step-1]++
		if on.Parts != nil && len(on.Parts) < g.Nodes() {
			p.Adding[on.Step-1]++
		}
		for k, source := range sources {
			if carries(on, p.Operation, int32(source)) {
				p.Items[k].follow(c, on, int32(source))
			}
		}
	})
	return p, err
}

// operations are the networks for each of their operations.
func operations(networks []*plan.Collective) (list []*plan.Collective) {
	for _, c := range networks {
		for _, s := range c.Schedules {
			list = append(list, c.Alone(s))
		}
	}
	return list
}

// carries reports whether a value is one of the items of a node.
func carries(on check.Passage, operation string, source int32) bool {
	switch operation {
	case collective.Scatter, collective.Gather:
		return true
	case collective.AllReduceWord:
		return slices.Contains(on.Parts, source)
	}
	return on.Item.Node == source
}

// follow notes a message with an item of the source.
func (x *items) follow(c *plan.Collective, on check.Passage, source int32) {
	step := int32(on.Step)
	x.Moves = append(x.Moves, step, on.From, on.To)
	delivered := c.Program(int(on.To)).Delivers[on.Step-1][c.Graph.Opposite(on.Port)] >= 0
	switch operation := c.Streaming.Operation; {
	case operation == collective.ReduceScatter && on.To == source:
		for _, node := range on.Parts {
			x.receive(node, step, on.From, on.Port)
		}
	case operation == collective.Gather && delivered:
		x.receive(on.Item.Node, step, on.From, on.Port)
	case operation == collective.AllReduceWord || delivered:
		x.receive(on.To, step, on.From, on.Port)
	}
}

// newNetwork lists what the nodes do.
func newNetwork(c *plan.Collective) *network {
	n := &network{Times: c.Times, Done: c.Cycles(), Waiting: make([]int, c.Steps), Class: c.Class}
	nodes := make([]int, len(c.Programs))
	for _, class := range c.Class {
		nodes[class]++
	}
	for class := range c.Programs {
		program := &c.Programs[class]
		var list []actions
		for k := range c.Steps {
			a := actions{Sends: sums(program.Sends[k]), Keeps: sums(program.Writes[k])}
			for port, index := range program.Delivers[k] {
				if index >= 0 {
					a.Takes = append(a.Takes, [2]int32{int32(port), index})
				}
			}
			list = append(list, a)
		}
		n.Programs = append(n.Programs, append(list, actions{Own: terms(program.Result)}))
		for k, words := range waiting(program, c.Accumulators) {
			n.Waiting[k] += words * nodes[class]
		}
	}
	return n
}

// statements counts what the programs of all classes do.
func (n *network) statements() (count int) {
	for _, program := range n.Programs {
		for _, a := range program {
			count += len(a.Sends) + len(a.Keeps) + len(a.Takes)
		}
	}
	return count
}

// sums are the sums that are not empty, behind their places.
func sums(list []collective.Sum) (found [][]int32) {
	for place, sum := range list {
		if len(sum) > 0 {
			found = append(found, append([]int32{int32(place)}, terms(sum)...))
		}
	}
	return found
}

// terms are pairs of source and index.
func terms(sum collective.Sum) (list []int32) {
	for _, t := range sum {
		list = append(list, int32(t.Source), t.Index)
	}
	return list
}

// waiting counts by step the registers of a node, beside the accumulators, that hold a word behind the step which is
// read later.
func waiting(p *collective.Program, accumulators int) []int {
	words := make([]int, len(p.Sends))
	for register := accumulators; register < len(p.Writes[0]); register++ {
		held := collective.Term{Source: collective.Held, Index: int32(register)}
		needed := slices.Contains(p.Result, held) // in a later step
		for k, sends := range slices.Backward(p.Sends) {
			if needed {
				words[k]++
			}
			if len(p.Writes[k][register]) > 0 {
				needed = false
			}
			for _, sum := range slices.Concat(sends, p.Writes[k]) {
				needed = needed || slices.Contains(sum, held)
			}
		}
	}
	return words
}
