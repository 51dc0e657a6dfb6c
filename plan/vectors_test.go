// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// Each vector of docs/vectors.md has one place.
func TestVectorsHaveOnePlace(t *testing.T) {
	rings := []hypercycle.Dimension{{M: 4, Rho: 1}, {M: 3, Rho: 1}}
	const nodes, root = 12, 5
	for _, c := range []struct {
		operation      string
		one            bool
		writes, reads  func(node, index int) bool
		windex, rindex bool
	}{
		{collective.Broadcast, false, func(n, i int) bool { return n == root && i == 0 }, func(n, i int) bool { return n != root && i == toRoot(n, root) }, false, false},
		{collective.AllGather, false, func(_, i int) bool { return i == 0 }, func(_, i int) bool { return i != 0 }, false, true},
		{collective.Scatter, false, func(n, i int) bool { return n == root && i != 0 }, func(n, i int) bool { return n != root && i == toRoot(n, root) }, true, false},
		{collective.Gather, false, func(n, i int) bool { return n != root && i == 0 }, func(n, i int) bool { return n == root && i != 0 }, false, true},
		{collective.TotalExchange, false, func(_, i int) bool { return i != 0 }, func(_, i int) bool { return i != 0 }, true, true},
		{collective.ReduceScatter, false, func(_, _ int) bool { return true }, func(_, i int) bool { return i == 0 }, true, false},
		{collective.AllReduce, false, func(_, _ int) bool { return true }, func(_, _ int) bool { return true }, true, true},
		{collective.AllReduce, true, func(_, i int) bool { return i == 0 }, func(_, i int) bool { return i == 0 }, false, false},
	} {
		t.Run(fmt.Sprint(c.operation, c.one), func(t *testing.T) {
			m := machine.Collective{Name: "net", Operation: c.operation, OneWord: c.one, PayloadBits: 8, Vector: 5}
			if collective.Reduces(c.operation) {
				m.Operator = "add"
			}
			if collective.Rooted(c.operation) {
				m.Root = root
			}
			v := collectiveOf(t, m, rings...).Vectors()
			assert.Equal(t, []int{3, 3, 8}, []int{v.CountBits, v.NumberBits, v.SlotWords()})
			assert.Equal(t, []bool{c.windex, c.rindex}, []bool{v.WritesIndex(), v.ReadsIndex()})
			for node := range nodes {
				memory := v.Memories[v.Class[node]]
				for index := range nodes {
					for has, banks := range map[*func(node, index int) bool][]Bank{&c.writes: memory.Send, &c.reads: memory.Receive} {
						places := 0
						for _, b := range banks {
							for _, other := range b {
								if other == index {
									places++
								}
							}
						}
						want := 0
						if (*has)(node, index) {
							want = 1
						}
						assert.Equal(t, want, places, "node %d, index %d", node, index)
					}
				}
			}
		})
	}
}

// toRoot is the index of the root at a node of the 4x3 torus.
func toRoot(node, root int) int { return (root/4-node/4+3)%3*4 + (root%4-node%4+4)%4 }

// A vector that would have two places, and a port that would have words of two banks, are faults of a schedule that nobody checked.
func TestVectorsWithoutOnePlaceAreRefused(t *testing.T) {
	ring := hypercycle.Dimension{M: 3, Rho: 1}
	m, err := machine.Bare(ring)
	require.NoError(t, err)
	c := machine.Collective{Name: "net", Operation: collective.TotalExchange, PayloadBits: 8, Vector: 4}
	requested := func(index int32) collective.Sum { return collective.Sum{{Source: collective.Requested, Index: index}} }
	none := []int32{-1, -1}
	for want, program := range map[string]collective.Program{
		`plan: collective "net", nodes of class 0: the item of index 1 has two places`: {
			Sends: [][]collective.Sum{{requested(1), requested(2)}, {nil, requested(1)}}, Writes: [][]collective.Sum{nil, nil}, Delivers: [][]int32{none, none},
		},
		`plan: collective "net", nodes of class 0: the item of index 2 has two places`: {
			Sends: [][]collective.Sum{{nil, nil}, {nil, nil}}, Writes: [][]collective.Sum{nil, nil}, Delivers: [][]int32{{2, -1}, {-1, 2}},
		},
		`plan: collective "net", nodes of class 0: port 1 has words of two banks`: {
			Sends: [][]collective.Sum{{requested(1), requested(0)}, {nil, requested(2)}}, Writes: [][]collective.Sum{nil, nil}, Delivers: [][]int32{none, none},
		},
	} {
		p, err := NewCollective(m, c, func(*hypercycle.Graph, string, int, *collective.Schedule) (*collective.Streaming, int, error) {
			return &collective.Streaming{Operation: c.Operation, Steps: 2, Programs: []collective.Program{program}, Class: []int{0, 0, 0}}, 1, nil
		})
		require.NoError(t, err)
		assert.PanicsWithValue(t, want, func() { p.Vectors() })
	}
}

// Ports share a bank if no step of the schedule uses two of them, for words to send and for words received apart.
func TestPortsThatNeverMeetShareABank(t *testing.T) {
	m, err := machine.Bare(hypercycle.Dimension{M: 5, Rho: 2})
	require.NoError(t, err)
	c := machine.Collective{Name: "net", Operation: collective.TotalExchange, PayloadBits: 8, Vector: 4}
	requested := func(index int32) collective.Sum { return collective.Sum{{Source: collective.Requested, Index: index}} }
	for name, w := range map[string]struct {
		sends          [][]collective.Sum
		delivers       [][]int32
		send, receive  []Bank
		lanes          []int
		leave, arrive  []int
		banks, words   int
		requestsInside bool
	}{
		"one lane": {
			sends:    [][]collective.Sum{{nil, nil, nil, requested(4)}, {nil, requested(2), nil, nil}, {nil, requested(1), nil, nil}, {nil, nil, nil, requested(3)}},
			delivers: [][]int32{{-1, -1, 2, -1}, {1, -1, -1, -1}, {-1, -1, -1, 4}, {3, -1, -1, -1}},
			send:     []Bank{nil, {4, 2, 1, 3}, nil, nil, nil}, receive: []Bank{{2, 1, 4, 3}, nil, nil, nil, nil},
			lanes: []int{-1, 1, -1, 1}, leave: []int{1, 3}, arrive: []int{0, 2, 3}, banks: 2, requestsInside: true,
		},
		"two ports meet in a step of sending": {
			sends:    [][]collective.Sum{{nil, requested(2), nil, requested(4)}, {nil, requested(1), nil, nil}, {nil, requested(3), nil, nil}, make([]collective.Sum, 4)},
			delivers: [][]int32{{-1, -1, 2, -1}, {1, -1, -1, -1}, {-1, -1, -1, 4}, {3, -1, -1, -1}},
			send:     []Bank{nil, {2, 1, 3}, nil, {4}, nil}, receive: []Bank{{2, 1, 4, 3}, nil, nil, nil, nil},
			lanes: []int{-1, 1, -1, 3}, arrive: []int{0, 2, 3}, banks: 3,
		},
		"two ports meet in a step of receiving, and one port sends": {
			sends:    [][]collective.Sum{{nil, nil, requested(4), nil}, {nil, nil, requested(2), nil}, {nil, nil, requested(1), nil}, {nil, nil, requested(3), nil}},
			delivers: [][]int32{{-1, -1, 2, 1}, {-1, -1, -1, -1}, {-1, -1, -1, 4}, {3, -1, -1, -1}},
			send:     []Bank{nil, nil, {4, 2, 1, 3}, nil, nil}, receive: []Bank{{3}, nil, {2}, {1, 4}, nil},
			lanes: []int{-1, -1, 2, -1}, banks: 4,
		},
	} {
		t.Run(name, func(t *testing.T) {
			program := collective.Program{Sends: w.sends, Writes: make([][]collective.Sum, 4), Delivers: w.delivers}
			p, err := NewCollective(m, c, func(*hypercycle.Graph, string, int, *collective.Schedule) (*collective.Streaming, int, error) {
				return &collective.Streaming{Operation: c.Operation, Steps: 4, Programs: []collective.Program{program}, Class: make([]int, 5)}, 1, nil
			})
			require.NoError(t, err)
			v := p.Vectors()
			memory := v.Memories[0]
			assert.Equal(t, Memory{w.send, w.receive, w.lanes, w.leave, w.arrive}, memory)
			assert.Equal(t, &VectorFigures{Words: 4, Banks: w.banks, MemoryBits: 8 * 4 * 8, CyclesPerWord: 4, MoreCycles: 2, Module: v.VectorsModule}, v.Figures())
			inside := slices.ContainsFunc(v.MemoryWires(), func(w Wire) bool { return w.Name == "s_request" })
			assert.Equal(t, w.requestsInside, inside, "only a bank that ports share has to know which of them requests a word")
		})
	}
}
