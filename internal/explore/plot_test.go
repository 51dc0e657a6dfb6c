// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/svg"
)

var (
	dotPattern     = regexp.MustCompile(`<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)" [^>]*><title>([^:]*): `)
	namesPattern   = regexp.MustCompile(`<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)" font-size="10">([^<]*)</text>`)
	machinePattern = regexp.MustCompile(`\(\d+,\d+\)(x\(\d+,\d+\))*`)
)

func parsed(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

// named returns the machines of a plot whose dots have names. A name of several machines says how many stand at its dot. No name
// covers another one, or a dot.
func named(t *testing.T, plot string) map[string]bool {
	t.Helper()
	places := map[string]svg.Point{}
	machines := map[svg.Point][]string{}
	var dots []box
	for _, m := range dotPattern.FindAllStringSubmatch(plot, -1) {
		at, r := svg.Point{X: parsed(t, m[1]), Y: parsed(t, m[2])}, parsed(t, m[3])
		places[m[4]], machines[at] = at, append(machines[at], m[4])
		dots = append(dots, box{at.X - r, at.Y - r, at.X + r, at.Y + r})
	}
	found := map[string]bool{}
	var names []box
	for _, m := range namesPattern.FindAllStringSubmatch(plot, -1) {
		width := nameWidth(m[4])
		left := parsed(t, m[1]) - map[string]float64{"start": 0, "middle": width / 2, "end": width}[m[3]]
		// A hundredth is what a picture's numbers are rounded to.
		b := box{left + 0.01, parsed(t, m[2]) - svg.Small + 2.01, left + width - 0.01, parsed(t, m[2]) + 1.99}
		for _, other := range append(dots, names...) {
			assert.False(t, b.meets(other), "%s covers something", m[4])
		}
		names = append(names, b)

		listed := machinePattern.FindAllString(m[4], -1)
		at := places[listed[0]]
		number := len(listed)
		if _, more, is := strings.Cut(m[4], " and "); is {
			number += int(parsed(t, strings.TrimSuffix(more, " more")))
		}
		assert.Len(t, machines[at], number, m[4])
		for _, name := range listed {
			assert.Equal(t, at, places[name], m[4])
		}
		for _, name := range machines[at] {
			assert.False(t, found[name], "%s has two names", name)
			found[name] = true
		}
	}
	return found
}

// The plot names every machine with a star, in lists that a page shows, and all machines of a short list.
func TestPlotNamesMachines(t *testing.T) {
	for _, c := range []struct {
		query Query
		all   bool
	}{
		{Query{Nodes: Range{60, 70}, Degree: Range{1, 6}, Dims: Range{1, 4}, Links: AllLinks}, false},
		{Query{Nodes: Range{64, 64}, Degree: AllDegrees, Dims: AllDims, Links: AllLinks}, false},
		{Query{Nodes: Range{8, 9}, Degree: AllDegrees, Dims: AllDims, Links: AllLinks}, true},
	} {
		list, err := List(c.query)
		require.NoError(t, err)
		var plot strings.Builder
		require.NoError(t, WritePlot(&plot, Table{c.query, list}))
		with := named(t, plot.String())
		for i := range list {
			if list[i].Best || c.all {
				assert.True(t, with[list[i].String()], "%s: %s has no name", c.query, &list[i])
			}
		}
		assert.Contains(t, plot.String(), "none beats it in ~LUT4, diameter</text>")
	}
}

// A plot of many machines names some of them, and no name covers anything.
func TestPlotOfManyMachines(t *testing.T) {
	q := Query{Nodes: Range{60, 70}, Degree: AllDegrees, Dims: AllDims, Links: AllLinks, Stars: []string{"links", "diameter"}}
	list, err := List(q)
	require.NoError(t, err)
	var plot strings.Builder
	require.NoError(t, WritePlot(&plot, Table{q, list}))
	assert.Greater(t, len(named(t, plot.String())), 100)
	assert.Contains(t, plot.String(), "none beats it in links, diameter</text>")
}

func TestBoxesThatALineCrosses(t *testing.T) {
	b := box{10, 20, 30, 40}
	for _, c := range []struct {
		line    line
		crosses bool
	}{
		{line{svg.Point{X: 0, Y: 0}, svg.Point{X: 40, Y: 60}}, true},
		{line{svg.Point{X: 0, Y: 0}, svg.Point{X: 9, Y: 60}}, false},
		{line{svg.Point{X: 20, Y: 0}, svg.Point{X: 20, Y: 60}}, true},
		{line{svg.Point{X: 20, Y: 0}, svg.Point{X: 20, Y: 19}}, false},
		{line{svg.Point{X: 5, Y: 30}, svg.Point{X: 60, Y: 30}}, true},
		{line{svg.Point{X: 5, Y: 45}, svg.Point{X: 60, Y: 45}}, false},
		{line{svg.Point{X: 15, Y: 25}, svg.Point{X: 16, Y: 26}}, true},
		{line{svg.Point{X: 0, Y: 30}, svg.Point{X: 12, Y: 10}}, false},
	} {
		assert.Equal(t, c.crosses, b.crossed(c.line), "%v", c.line)
	}
}
