// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/synthesis"
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

// Every endpoint is described for its bus and options, and the page gets its cells and clock.
func TestEndpointsAreMeasuredWithTheirOptions(t *testing.T) {
	designs := endpointDesigns()
	require.Len(t, designs, 8)
	seen := map[string]bool{}
	for _, d := range designs {
		description := d.task(synthesis.HX8K()).Description
		m, err := parseMachine(description)
		require.NoError(t, err, description)
		require.Equal(t, d.endpoint, *m.Endpoint)
		seen[description] = true
	}
	assert.Len(t, seen, 8)
	d := designs[5]
	d.made.Clock = synthesis.Clock{Min: 40, Median: 50, Max: 60}
	d.made.LUT4, d.made.FF, d.made.BRAM = 1, 2, 3
	text := endpointsReport(measureAccesses(100), []endpointDesign{d}, "Measured.").pages[1].text()
	assert.Contains(t, text, "| axi4lite | true | false | 1 | 2 | 3 | 40 / 50 / 60 |\n\nOn the HX8K with Measured.\n")
}

// An endpoint without gets has no queue, and Yosys reads its files all the same.
func TestEndpointIsMeasured(t *testing.T) {
	needs.Tools(t, "yosys")
	d := endpointDesigns()[3]
	require.False(t, d.endpoint.Gets)
	made, err := newLibraryTask(t.Context(), d.task(synthesis.HX8K()))
	require.NoError(t, err)
	result, err := made.do(t.Context())
	require.NoError(t, err)
	cells := result.(synthesis.Measured).Cells
	assert.Positive(t, cells.LUT4)
	assert.Greater(t, cells.FF, 32+18, "a word that is read, EVENTS and ENABLE")
	assert.Zero(t, cells.BRAM)
}
