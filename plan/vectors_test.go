// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
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
