// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each point is the machine that its row says, and the picture shows each figure.
func TestPointsAreTheMachinesOfTheirRows(t *testing.T) {
	all := sweeps()
	figures := 0
	for i := range all {
		for j := range all[i].points {
			pt := &all[i].points[j]
			m, err := pt.machine()
			require.NoError(t, err)
			require.True(t, m.Network)
			require.Equal(t, pt.Payload, m.PayloadBits)
			varied := map[string]int{"nodes": m.Graph.Nodes(), "degree": m.Graph.Degree(), "payload": m.PayloadBits}
			require.Equal(t, pt.X, varied[all[i].name])
			pt.costs = costs{Text: 0.5, Trace: 20, Model: 200}
			figures += 2
			if pt.RTL {
				pt.costs.Verilated = 300
				figures++
			}
		}
	}
	text := growthReport(all).Tables[0].markdown()
	assert.Contains(t, text, "| nodes | (2, 1)(2, 1) | 0 | 0 | 32 | 0.5 | 20.0 | 200 | 300 |\n")
	assert.Contains(t, text, " 200 | - |\n", "not measured")
	picture := string(drawGrowth(all))
	assert.Equal(t, figures, strings.Count(picture, "<circle"))
	assert.NotContains(t, picture, "NaN")
	assertXML(t, picture)
}

func TestCostsOfAPointAreMeasured(t *testing.T) {
	pt := sweeps()[0].points[0]
	pt.RTL = false
	c, err := pt.do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []int{4, 2}, []int{c.Nodes, c.Degree})
	assert.Positive(t, c.Text)
	assert.Positive(t, c.Trace)
	assert.Positive(t, c.Model)
	assert.Zero(t, c.Verilated)
}
