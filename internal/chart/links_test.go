// SPDX-License-Identifier: Apache-2.0

package chart

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule"
)

// The chart has a cell for every message, and reports messages that share a link and a step.
func TestChartTellsIdleLinksAndCollisions(t *testing.T) {
	g, err := hypercycle.New(hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 3, Rho: 1})
	require.NoError(t, err)
	s, err := schedule.Make(g, schedule.Request{Operation: collective.AllGather})
	require.NoError(t, err)
	draw := func() string {
		picture, err := Links(s, "grid")
		require.NoError(t, err)
		require.NoError(t, xml.Unmarshal(picture, new(struct{})))
		return string(picture)
	}
	picture := draw()
	assert.Contains(t, picture, "grid: all-gather by matching in 3 steps, bound 3")
	assert.Contains(t, picture, "11 of 12 link steps carry a message, at most 1 each")
	assert.Equal(t, 11, strings.Count(picture, " data-step="))
	assert.Equal(t, 11, strings.Count(picture, copied), "nothing is added")

	last := &s.Transfers[len(s.Transfers)-1]
	last.To = s.Transfers[len(s.Transfers)-2].To
	assert.Contains(t, draw(), "10 of 12 link steps carry a message, at most 2 each")

	s, err = schedule.Make(g, schedule.Request{Operation: collective.AllReduce})
	require.NoError(t, err)
	picture = draw()
	assert.Equal(t, []int{11, 11}, []int{strings.Count(picture, added), strings.Count(picture, copied)})
	assert.Equal(t, 11, strings.Count(picture, ">+"))
	assert.Equal(t, 11, strings.Count(picture, ", add</title>"))

	long, err := schedule.Make(g, schedule.Request{Operation: collective.TotalExchange, Ports: schedule.OnePort})
	require.NoError(t, err)
	long.Steps = MaxSteps + 1
	_, err = Links(long, "grid")
	assert.EqualError(t, err, "the chart has 4 rows and 513 columns, more than the 512 and 512 that are drawn")
}
