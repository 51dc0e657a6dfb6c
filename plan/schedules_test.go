// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// several is a network of several operations on a ring of five nodes, with an operator of a cycle.
func several(t *testing.T) *Collective {
	return collectiveOf(t, machine.Collective{
		Name: "net", Operations: []string{collective.Scatter, collective.AllReduce, collective.AllGather}, OneWord: true, Root: 3, PayloadBits: 8,
		Operator: "fp_adder", Latency: 1,
	}, hypercycle.Dimension{M: 5, Rho: 1})
}

// In the network each operation has the steps, the cycles and the ports that it has alone.
func TestOperationsOfANetworkAreThoseOfNetworksOfTheirOwn(t *testing.T) {
	p := several(t)
	assert.Equal(t, []bool{true, true, true, true, true}, []bool{p.Several(), p.Requests(), p.HasOwn(), p.Delivers(), p.HasResult()})
	first := 0
	for i, name := range p.Operations {
		s := p.Schedules[i]
		assert.Equal(t, []any{name, first}, []any{s.Name, s.First}, "cycle 0 has the number above that of cycle P of the operation before")
		first = s.First + s.Period + 1

		c := p.Collective
		c.Operation, c.Operations, c.OneWord = name, nil, name == collective.AllReduce
		if !collective.Rooted(name) {
			c.Root = 0
		}
		if !collective.Reduces(name) {
			c.Operator, c.Latency = "", 0
		}
		own, alone := collectiveOf(t, c, hypercycle.Dimension{M: 5, Rho: 1}), p.Alone(s)
		assert.Equal(t, own.Streaming, alone.Streaming)
		assert.Equal(t, []any{own.Times, own.Period, own.Bound, own.Cycles()}, []any{alone.Times, alone.Period, alone.Bound, alone.Cycles()})
		for node := range p.Nodes {
			class := p.Class[node]
			assert.Equal(t, own.Program(node), p.ProgramOf(class, s), "node %d", node)
			assert.Equal(t, own.Program(node).Result, p.Results(class)[i])
		}
	}
}

// The program of a node has the steps of all operations, one operation behind another.
func TestProgramsOfSeveralOperationsFollowOneAnother(t *testing.T) {
	p := several(t)
	steps := p.AllSteps()
	assert.Len(t, steps, p.Steps)
	for node := range p.Nodes {
		program := p.Program(node)
		for k, step := range steps {
			own := step.Program(node)
			assert.Equal(t, own.Sends[step.T-1], program.Sends[k])
			assert.Equal(t, own.Delivers[step.T-1], program.Delivers[k])
			assert.Len(t, program.Writes[k], p.Registers)
			assert.Equal(t, own.Writes[step.T-1], program.Writes[k][:step.Registers])
			assert.Equal(t, []int{step.First + step.Times[step.T-1], step.First + step.Times[step.T]}, []int{step.Begins(), step.Ends()})
		}
	}
	assert.True(t, slices.IsSortedFunc(steps, func(a, b Step) int { return a.Ends() - b.Ends() }), "numbers of cycles rise")
}

// A network has an input for the operation if it has several, and results have a port of the node if not all operations have them.
func TestPortsOfSeveralOperationsAreThoseOfAll(t *testing.T) {
	names := func(operations ...string) (list []string) {
		p := collectiveOf(t, machine.Collective{Name: "net", Operations: operations, PayloadBits: 8, Operator: "add"}, hypercycle.Dimension{M: 5, Rho: 1})
		for _, w := range p.NodeWires() {
			list = append(list, w.Name)
		}
		return list
	}
	assert.Contains(t, names(collective.AllGather, collective.ReduceScatter), "m_own_valid")
	assert.NotContains(t, names(collective.AllReduce, collective.ReduceScatter), "m_own_valid", "every done has results")
	for width, operations := range map[int][]string{
		1: {collective.AllGather, collective.AllReduce},
		2: {collective.AllGather, collective.AllReduce, collective.TotalExchange},
		3: collective.Operations()[:5],
	} {
		p := collectiveOf(t, machine.Collective{Name: "net", Operations: operations, PayloadBits: 8, Operator: "add"}, hypercycle.Dimension{M: 5, Rho: 1})
		assert.Equal(t, width, p.OperationWire().Bits)
	}
}

// The chunk is the best one for all operations, one after another, so it is between those of the operations alone.
func TestChunksOfSeveralOperationsAreChosenForAll(t *testing.T) {
	of := func(operations ...string) *Collective {
		c := machine.Collective{Name: "net", Operations: operations, PayloadBits: 32, Operator: "add"}
		if len(operations) == 1 {
			c.Operation, c.Operations = operations[0], nil
		}
		return collectiveOf(t, c, hypercycle.Dimension{M: 8, Rho: 1}, hypercycle.Dimension{M: 8, Rho: 1})
	}
	both := of(collective.AllGather, collective.ReduceScatter)
	for _, f := range both.Figures() {
		assert.Equal(t, []int{both.Chunk, both.MHz()}, []int{f.Chunk, f.MHz}, "the clock and the chunks are those of the network")
	}
	assert.Equal(t, both.Cycles(), both.Figures()[0].Cycles+both.Figures()[1].Cycles)
	assert.LessOrEqual(t, of(collective.ReduceScatter).Chunk, both.Chunk, "two operations pay for the skew")
}
