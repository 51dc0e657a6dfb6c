// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The model does what the formula says of cables with errors, and a CRC of 32 bits leaves far fewer errors than one of 16.
func TestRatesOfCablesAreThoseOfTheFormula(t *testing.T) {
	rates := []cableRate{measureCable(16, 0, 3000), measureCable(16, 1e-3, 30_000)}
	left := residuals(boards(16))
	r := cablesReport(rates, left, nil, "Measured.")
	require.NoError(t, r.contradiction())
	assert.InDelta(t, 1, rates[0].Words, 0.002)
	assert.InDelta(t, 0.092, rates[1].loss, 0.001)
	for i, e := range left {
		assert.Less(t, e.whole, e.short/1e4)
		assert.True(t, i == 0 || e.whole < left[i-1].whole)
	}
	text := string(r.pictures[0].svg)
	assertXML(t, text)
	assert.Equal(t, 1+len(rates), strings.Count(text, "<circle"), "a key and a dot for each cable")
	assert.True(t, strings.HasPrefix(r.pages[0].text(), "| flight, cycles | bit errors | lost frames | rate |"))

	rates[1].Words = 0.5
	assert.ErrorContains(t, cablesReport(rates, left, nil, "").contradiction(), "flight 16, bit errors 0.001: a cable moves 0.500 words in the time of a frame, and the formula gives 0.")
}
