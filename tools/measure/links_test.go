// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/synthesis"
)

// The model does what the page states of networks of slices and of credits.
func TestRatesOfLinksAreThoseOfTheFormula(t *testing.T) {
	var rates []linkRate
	for _, registers := range []int{0, 1, 3} {
		rates = append(rates, measureLink("4-cube", registers, 3000))
	}
	r := linksReport(nil, rates, "Measured.")
	require.NoError(t, r.contradiction())
	assert.Equal(t, 9, rates[1].broadcast)
	assert.InDelta(t, 0.25, rates[2].leadOne, 0.01)
	assert.InDelta(t, 4./7, rates[2].fewPlaces, 0.01)
	text := string(r.pictures[0].svg)
	assertXML(t, text)
	assert.Equal(t, len(linkSeries)*(1+len(rates)), strings.Count(text, "<circle"), "a key and a dot for each network")
	assert.Contains(t, text, "<title>4-cube, L = 3, lone sender: 1.000</title>")
	assert.True(t, strings.HasPrefix(r.pages[1].text(), "| machine | L | broadcast, cycles | lone sender |"))

	rates[1].lone, rates[2].broadcast = 0.9, 18
	assert.EqualError(t, linksReport(nil, rates, "").contradiction(), "4-cube, L = 1: a lone sender injects 0.900 messages in a cycle, and the formula gives 1.000\n"+
		"error: 4-cube, L = 3: a broadcast takes 18 cycles, and the page states 17")
}

// Both clocks of a link between clocks are connected: a side without a clock would be removed, and its words with it.
func TestLinkBetweenClocksIsMeasured(t *testing.T) {
	needs.Tools(t, "yosys")
	t.Chdir("../..")
	designs := linkDesigns()
	d := designs[slices.IndexFunc(designs, func(d linkDesign) bool { return d.what == "clocks" })]
	made, err := newLibraryTask(t.Context(), libraryTask{Module: d.module, Below: d.below, Clocks: d.clocks, Parameters: map[string]int{"WIDTH": 8, "PLACES_BITS": 4}, Options: synthesis.Options{Target: synthesis.HX8K()}})
	require.NoError(t, err)
	result, err := made.do(t.Context())
	require.NoError(t, err)
	cells := result.(synthesis.Measured).Cells
	assert.Equal(t, 1, cells.BRAM)
	assert.GreaterOrEqual(t, cells.FF, 2*(3+1)*5, "two counts, each also in two stages and in Gray code")

	_, err = newLibraryTask(t.Context(), libraryTask{Module: d.module, Below: d.below, Clocks: []string{"s_clk", "r_clk"}})
	assert.ErrorContains(t, err, "the module hc_link_clocks has no input r_clk of one bit for the clock")
}

func TestLinkIsMeasuredWithItsParameters(t *testing.T) {
	needs.Tools(t, "yosys")
	t.Chdir("../..")
	made, err := newLibraryTask(t.Context(), libraryTask{Module: "hc_link_credits", Below: []string{"hc_delay"}, Parameters: map[string]int{"WIDTH": 8, "LATENCY": 3}, Options: synthesis.Options{Target: synthesis.HX8K()}})
	require.NoError(t, err)
	result, err := made.do(t.Context())
	require.NoError(t, err)
	cells := result.(synthesis.Measured).Cells
	assert.Equal(t, 1, cells.BRAM)
	assert.Positive(t, cells.LUT4)
	assert.Greater(t, cells.FF, 8)
	made.Files = "other"
	_, err = made.do(t.Context())
	require.ErrorIs(t, err, errOther)
}
