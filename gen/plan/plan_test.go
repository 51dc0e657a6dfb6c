// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
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
	assert.Equal(t, Gate{Cost: 15, CapBits: 7, QuotaBits: 15, BalanceBits: 20, WindowBits: 4, RaisedBits: 5}, p.Gate)
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
	assert.Equal(t, Gate{Cost: 1, CapBits: 7, QuotaBits: 12, BalanceBits: 17, WindowBits: 4, RaisedBits: 5}, p.Gate)
	assert.Equal(t, 2, p.Ports[0].Depth)
	assert.False(t, p.Ports[0].Ring)
}

func TestDepthOfQueuesIsTheMachinesButOnRingPorts(t *testing.T) {
	m := machineOf(t, 8, false, hypercycle.Clockwise, hypercycle.Dimension{M: 3, Rho: 1}, hypercycle.Dimension{M: 8, Rho: 3}, hypercycle.Dimension{M: 5, Rho: 2})
	m.FIFODepth = 7
	p := New(m)
	assert.Equal(t, 7, p.DeliveryDepth)
	var depths []int
	for _, q := range p.Ports {
		depths = append(depths, q.Depth)
	}
	assert.Equal(t, []int{7, 7, 7, 7, RingDepth, 7, 0, RingDepth, 7, 7, 7, 7}, depths)
}

func TestPlanInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rings []hypercycle.Dimension
		for range rapid.IntRange(1, 4).Draw(t, "r") {
			m := rapid.IntRange(2, 15).Draw(t, "m")
			rings = append(rings, hypercycle.Dimension{M: m, Rho: rapid.IntRange(1, m/2).Draw(t, "rho")})
		}
		pref := hypercycle.Preference(rapid.IntRange(0, 2).Draw(t, "preference"))
		p := New(machineOf(t, 8, false, pref, rings...))

		k := p.Gate
		assert.Equal(t, p.Nodes > LargestSmall, k.ScaleBits == 1)
		assert.Contains(t, []int{0, 1}, k.ScaleBits)
		assert.Equal(t, RaisedBits+k.ScaleBits, k.RaisedBits)
		window, far := 1<<k.WindowBits, 4*p.Stages*p.Machine.Graph.Diameter()
		assert.True(t, window >= far || window == 1<<MostBits, "%d cycles, %d", window, far)
		assert.True(t, window < 2*far || window == 1<<LeastBits, "%d cycles, %d", window, far)
		limit := 1 << k.CapBits // of the balance
		assert.GreaterOrEqual(t, limit, max(LeastCap, k.Cost))
		assert.Less(t, limit, max(LeastCap+1, 2*k.Cost))
		quota := 1 << k.QuotaBits // the largest
		assert.Greater(t, quota>>GrowthBits, k.Cost)
		assert.LessOrEqual(t, quota>>GrowthBits, 2*k.Cost)
		half := 1 << (k.BalanceBits - 1)
		assert.Less(t, 8*quota+quota-1, half, "the balance filled at its limit is representable")
		assert.LessOrEqual(t, 2*k.Cost, half, "the lowest balance is representable")

		for _, d := range p.Dims {
			assert.NotEmpty(t, d.Entered)
		}
		for _, q := range p.Ports {
			assert.Less(t, q.D, 1<<p.WcBits)
			assert.LessOrEqual(t, q.First, q.D)
			assert.Less(t, q.Dimension, 1<<p.WdBits)
			assert.Equal(t, q.Depth > 0, q.First > 0 || q.Ring)
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
