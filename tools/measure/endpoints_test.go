// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The cycles of an idle system are those of the contract, and under load no access takes a large part of the run.
func TestCyclesOfAccesses(t *testing.T) {
	const cycles = 1000
	results := measureAccesses(cycles)
	require.Len(t, results, 2*len(endpointAccesses))
	for _, r := range results {
		want, diameter := 2, map[string]int{"4x4": 4, "8x8": 8}[r.machine]
		if r.access == "get" {
			want = 8 + 2*diameter
		}
		assert.Equal(t, want, r.idle.longest, "%s, %s", r.machine, r.access)
		assert.Equal(t, map[string]int{"4x4": 15, "8x8": 63}[r.machine], r.idle.count)
		assert.GreaterOrEqual(t, r.loaded.mean(), 2.0)
		assert.Less(t, r.loaded.longest, cycles/3, "%s, %s", r.machine, r.access)
		assert.Positive(t, r.rate)
	}
	inTop(t, "configs")
	_, err := measured(t, "endpoints", "-cycles", "10")
	require.Equal(t, 2, conclude(t.Context(), err))
}
