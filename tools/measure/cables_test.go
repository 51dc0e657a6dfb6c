// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/synthesis"
)

// Ends have links of 36 bits, and the latency of docs/chips.md.
func TestEndsOfCablesHaveTheSizesOfThePlan(t *testing.T) {
	ends := cableEnds()
	seen := map[[3]int]bool{}
	for _, e := range ends {
		c := e.cable
		seen[[3]int{e.links, c.WordBits, c.Flight}] = true
		assert.Equal(t, 36, e.linkBits)
		assert.Equal(t, c.Flight+c.Words+13, c.Latency)
		set := e.task(synthesis.HX8K()).Parameters
		assert.Equal(t, []int{e.links, 36, c.Words, c.NumberBits, c.FreedBits},
			[]int{set["LINKS"], set["LINK_BITS"], set["FRAME_WORDS"], set["NUMBER_BITS"], set["FREED_BITS"]})
	}
	for _, links := range []int{1, 4} {
		for _, wordBits := range []int{8, 32} {
			for _, flight := range []int{2, 16} {
				assert.True(t, seen[[3]int{links, wordBits, flight}], "%d links, words of %d bits, flight %d", links, wordBits, flight)
			}
		}
	}
}

func TestHopsOverCablesAreTheirCyclesAtTheirClocks(t *testing.T) {
	e := newCableEnd(cabled("4-ring", 32, 2)) // K is 3
	require.Equal(t, 18, e.cable.Latency)
	e.made.Clock = synthesis.Clock{Min: 40, Median: 50, Max: 60}
	e.made.LUT4 = 1234
	r := cablesReport([]cableRate{measureCable(16, 0, 3000)}, nil, []cableEnd{e}, "Measured.")
	require.Len(t, r.pages, 4)
	assert.Contains(t, r.pages[2].text(), "| 1234 | 0 | 0 | 40 / 50 / 60 |\n\nOn the HX8K with Measured.\n")
	assert.Contains(t, r.pages[3].text(), "| 1 | 32 | 2 | 18 | 180 | 360 |\n")
}

// An end is synthesized with its parameters. Yosys refuses a frame of another size, and the wrapper a clock that the end lacks.
func TestEndOfACableIsMeasured(t *testing.T) {
	needs.Tools(t, "yosys")
	t.Chdir("../..")
	e := newCableEnd(cabled("4x4", 32, 16))
	made, err := newLibraryTask(t.Context(), e.task(synthesis.HX8K()))
	require.NoError(t, err)
	result, err := made.do(t.Context())
	require.NoError(t, err)
	cells := result.(synthesis.Measured).Cells
	assert.Positive(t, cells.BRAM)
	assert.Greater(t, cells.FF, 2*3*32+6*32, "a frame that leaves, a frame that arrives, and six counters")

	wrong := e.task(synthesis.HX8K())
	wrong.Parameters["FRAME_WORDS"]++
	_, err = newLibraryTask(t.Context(), wrong)
	assert.ErrorContains(t, err, "hc_chip_cable_FRAME_WORDS_must_be_the_least_that_hold_a_frame")

	wrong = e.task(synthesis.HX8K())
	wrong.Clocks = []string{"clk", "tx_clk"}
	_, err = newLibraryTask(t.Context(), wrong)
	assert.ErrorContains(t, err, "the module hc_chip_cable has no input tx_clk of one bit for the clock")
}
