// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every machine of the range is in exactly one block.
func TestBlocksAreTheRange(t *testing.T) {
	machines := 0
	next, ok := first(), true
	for _, b := range blocks(1 << 20) {
		require.True(t, ok)
		require.Len(t, b.First, next.rank)
		for i, ring := range b.First {
			require.Equal(t, int(next.ring[i]), ring)
		}
		for range b.Machines {
			next, ok = next.next()
			machines++
		}
	}
	assert.False(t, ok)
	assert.Equal(t, Machines, machines)
}

func TestBlocksOfAnySizeCountTheSame(t *testing.T) {
	var sums []Count
	for _, size := range []int{1 << 14, 1 << 16} {
		var sum Count
		for _, b := range blocks(size) {
			b.Machines = min(b.Machines, 400-sum.Machines)
			count, fault, err := b.Check(t.Context())
			require.NoError(t, err)
			require.Empty(t, fault)
			if sum.Add(count); sum.Machines == 400 {
				break
			}
		}
		sums = append(sums, sum)
	}
	assert.Equal(t, sums[0], sums[1])
	assert.Greater(t, sums[0].Messages, 1<<20)
}

func TestBlocksOutsideTheRangeAreRefused(t *testing.T) {
	for _, b := range []Block{{}, {First: []int{1, 1, 1, 1, 1}}, {First: []int{-1}}, {First: []int{len(rings)}}} {
		_, _, err := b.Check(t.Context())
		assert.Error(t, err, "%v", b)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Block{First: []int{0}, Machines: 1}.Check(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestAnIncompleteCountIsAFault(t *testing.T) {
	c := Count{Machines: Machines, Multisets: Multisets, Broadcasts: 3 * Machines}
	require.NoError(t, c.Complete())
	c.Machines--
	require.ErrorContains(t, c.Complete(), "the enumeration is wrong")
}
