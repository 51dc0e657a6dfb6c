// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/machine"
)

func machineOf(t require.TestingT, payload int, sourceID bool, pref hypercycle.Preference, rings ...hypercycle.Dimension) *machine.Machine {
	m, err := machine.Bare(rings...)
	require.NoError(t, err)
	m.PayloadBits, m.SourceID, m.Preference, m.Network = payload, sourceID, pref, true
	return m
}

func TestTorusPlanIsTheOneWorkedOutByHand(t *testing.T) {
	ring := hypercycle.Dimension{M: 4, Rho: 1}
	p := New(machineOf(t, 32, false, hypercycle.Clockwise, ring, ring))
	assert.Equal(t, 16, p.Nodes)
	assert.Equal(t, 2, p.WdBits, "2 dimensions")
	assert.Equal(t, 2, p.WcBits, "weights up to 2")
	assert.Equal(t, 0, p.SourceBits)
	assert.Equal(t, 36, p.LinkBits)
	assert.Equal(t, []int{0, 1}, p.Dims[0].Entered)
	assert.Equal(t, []int{2, 3}, p.Dims[0].Sources)
	assert.Empty(t, p.Dims[1].Sources)
	for i, first := range []int{2, 1, 2, 1} {
		q := p.Ports[i]
		assert.Equal(t, first, q.First)
		assert.True(t, q.Ring)
		assert.Equal(t, i^1, q.Opposite)
		assert.Equal(t, i^1, q.ContinueFrom)
		assert.Equal(t, i^1, q.ContinueTo)
		assert.Empty(t, q.TransferFrom)
	}
}

func TestPortsOfC6Rho2(t *testing.T) {
	// ports: 0 cw 1, 1 cw 2, 2 ccw 1, 3 ccw 2; D = 2, a = 0, k = 1
	p := New(machineOf(t, 8, true, hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2}))
	assert.Equal(t, 3, p.SourceBits)
	assert.Equal(t, 1+2+3+8, p.LinkBits)
	var first, to, from []int
	for _, q := range p.Ports {
		first = append(first, q.First)
		to = append(to, q.ContinueTo)
		from = append(from, q.ContinueFrom)
	}
	assert.Equal(t, []int{2, 2, 1, 0}, first)
	assert.Equal(t, []int{3, 3, 1, 1}, to, "a message on a link travels away from where it came")
	assert.Equal(t, []int{-1, 3, -1, 1}, from)
	assert.Equal(t, []int{2}, p.Ports[1].TransferFrom)
	assert.Equal(t, []int{0}, p.Ports[3].TransferFrom)
	assert.Equal(t, []int{0, 1, 2}, p.Dims[0].Entered)
}

func TestSmallestMachineHasPositiveWidths(t *testing.T) {
	p := New(machineOf(t, 1, true, hypercycle.Balanced, hypercycle.Dimension{M: 2, Rho: 1}))
	assert.Equal(t, []int{1, 1, 1, 4}, []int{p.WdBits, p.WcBits, p.SourceBits, p.LinkBits})
	assert.True(t, p.Ports[0].Fed)
	assert.False(t, p.Ports[0].Ring)
}

func TestSlotsOfLinkInputs(t *testing.T) {
	for _, c := range []struct{ depth, stages, want int }{{2, 1, 1}, {2, 2, 2}, {7, 1, 6}, {16, 2, 16}} {
		m := machineOf(t, 8, false, hypercycle.Clockwise, hypercycle.Dimension{M: 5, Rho: 1})
		m.FIFODepth, m.Stages = c.depth, c.stages
		assert.Equal(t, c.want, New(m).InputSlots, "fifo_depth %d, stages %d", c.depth, c.stages)
	}
}

func TestPortsWithoutAnOutputRegister(t *testing.T) {
	p := New(machineOf(t, 8, false, hypercycle.Clockwise, hypercycle.Dimension{M: 3, Rho: 1}, hypercycle.Dimension{M: 8, Rho: 3}, hypercycle.Dimension{M: 5, Rho: 2}))
	for i, q := range p.Ports {
		assert.Equal(t, i != 6, q.Fed, "port %d", i)
	}
}

func TestPlanInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := New(machines.Draw(t, arbitrary.Limits{Nodes: math.MaxInt32, Ring: 15}))

		for _, d := range p.Dims {
			assert.NotEmpty(t, d.Entered)
		}
		for _, q := range p.Ports {
			assert.Less(t, q.D, 1<<p.WcBits)
			assert.LessOrEqual(t, q.First, q.D)
			assert.Less(t, q.Dimension, 1<<p.WdBits)
			assert.Equal(t, q.Fed, q.First > 0 || q.Ring)
			if q.ContinueTo >= 0 {
				to := p.Ports[q.ContinueTo]
				assert.True(t, to.Ring)
				assert.Equal(t, -q.Direction, to.Direction)
				if to.ContinueFrom != q.Index {
					assert.Contains(t, to.TransferFrom, q.Index)
				}
			}
		}
	})
}
