// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"encoding/xml"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
)

func TestWhatBeatsAMeasuredMachine(t *testing.T) {
	measurements := Query{Stars: []string{
		"nodes", "measured-LUT4", "MHz", "broadcast-ns", "all-gather-ns", "total-exchange-ns", "measured-collective-LUT4", "collective-ns",
	}}.starColumns()
	reference := Machine{
		Nodes: 16, Diameter: 4, Router: Measured{LUT4: 500, Clock: Clock{95, 100, 105}}, Cycles: Cycles{16, 23},
		Collective: Collective{Steps: 8, Cycles: 9}, Node: Measured{LUT4: 200, Clock: Clock{195, 200, 205}},
	}
	faster := Clock{110, 115, 120}
	for name, c := range map[string]struct {
		change func(m *Machine)
		beats  bool
	}{
		"the same":                           {func(*Machine) {}, false},
		"5 % fewer LUT4":                     {func(m *Machine) { m.Router.LUT4 = 475 }, true},
		"2 % fewer LUT4":                     {func(m *Machine) { m.Router.LUT4 = 490 }, false},
		"a clock that no seed of it reaches": {func(m *Machine) { m.Router.Clock = faster }, true},
		"a clock within the seeds":           {func(m *Machine) { m.Router.Clock = Clock{99, 104, 108} }, false},
		"faster and larger":                  {func(m *Machine) { m.Router.Clock, m.Router.LUT4 = faster, 520 }, false},
		"faster with a slower broadcast":     {func(m *Machine) { m.Router.Clock, m.Diameter = faster, 6 }, false},
		"faster, in as many ns":              {func(m *Machine) { m.Router.Clock, m.Cycles = faster, Cycles{18, 26} }, true},
		"fewer cycles":                       {func(m *Machine) { m.Cycles.TotalExchange = 20 }, true},
		"fewer cycles, and more of another":  {func(m *Machine) { m.Cycles = Cycles{20, 20} }, false},
		"more nodes":                         {func(m *Machine) { m.Nodes = 17 }, true},
		"smaller, fewer nodes":               {func(m *Machine) { m.Nodes, m.Router.LUT4 = 15, 300 }, false},
		"a smaller node":                     {func(m *Machine) { m.Node.LUT4 = 100 }, true},
		"fewer cycles of the network":        {func(m *Machine) { m.Collective.Cycles = 7 }, true},
		"more degree, which is in the LUT4":  {func(m *Machine) { m.Degree, m.Cycles.AllGather = 9, 12 }, true},
	} {
		other := reference
		c.change(&other)
		assert.Equal(t, c.beats, beats(&other, &reference, measurements), name)
	}
}

// Machines that lack a figure that is compared have no star and beat nobody.
func TestStarsOfMeasuredMachines(t *testing.T) {
	table := measuredTable(t)
	list := table.Machines
	for _, c := range []struct {
		stars []string
		have  func(m Machine) bool
	}{
		{nil, func(m Machine) bool { return m.Router.Clock != Clock{} }},
		{[]string{"measured-LUT4"}, func(m Machine) bool { return m.Router.LUT4 > 0 }},
		{[]string{"measured-collective-LUT4", "collective-ns"}, func(m Machine) bool { return m.Node.Clock != Clock{} }},
	} {
		table.Query.Stars = c.stars
		MarkBest(list, table.Query)
		by := table.Query.starColumns()
		stars := 0
		for i := range list {
			beaten := slices.ContainsFunc(list, func(m Machine) bool { return c.have(m) && beats(&m, &list[i], by) })
			assert.Equal(t, c.have(list[i]) && !beaten, list[i].Best, "%s", &list[i])
			if list[i].Best {
				stars++
			}
		}
		assert.Positive(t, stars)
		assert.Less(t, stars, len(list)/2)
	}
}

// Before the measurement, the stars are by the columns that are known.
func TestStarsBeforeAMeasurement(t *testing.T) {
	for _, c := range []struct{ stars, want []string }{
		{nil, []string{"~LUT4", "diameter"}},
		{[]string{"collective-ns", "measured-LUT4"}, []string{"~LUT4", "diameter"}},
		{[]string{"collective-ns", "collective-steps", "degree"}, []string{"collective-steps", "degree"}},
	} {
		q := Query{Measured: true, Collective: collective.AllGather, Stars: c.stars}
		assert.Equal(t, c.want, q.estimated().StarColumns())
	}
}

// A line joins the machines of a panel that no other one of it beats in both figures. All machines have names, where they fit.
func TestPlotOfMeasuredMachinesHasAPanelForEachOperation(t *testing.T) {
	table := measuredTable(t)
	MarkBest(table.Machines, table.Query)
	for _, c := range []struct {
		change func(*Query)
		titles []string
	}{
		{func(*Query) {}, []string{"broadcast", "all-gather by messages", "total-exchange by messages", "all-gather on a collective network"}},
		{func(q *Query) { q.Collective = "" }, []string{"broadcast", "all-gather by messages", "total-exchange by messages"}},
		{func(q *Query) { q.Collective, q.Destination = "", false }, []string{"broadcast", "all-gather by messages"}},
	} {
		q := table.Query
		c.change(&q)
		var text strings.Builder
		require.NoError(t, WritePlot(&text, Table{q, table.Machines}))
		require.NoError(t, xml.Unmarshal([]byte(text.String()), new(struct{})))
		panels := strings.Split(text.String(), `font-weight="bold">`)[1:]
		var titles []string
		for _, p := range panels {
			title, _, _ := strings.Cut(p, "<")
			titles = append(titles, title)
		}
		assert.Equal(t, c.titles, titles)

		// broadcasts: every machine that fits has a dot, and those of the front are on the line and have their names
		fitting := 0
		var front []string
		with := named(t, panels[0])
		for _, m := range table.Machines {
			if m.Router.Clock == (Clock{}) {
				continue
			}
			fitting++
			if !slices.ContainsFunc(table.Machines, func(o Machine) bool {
				return o.Router.Clock != Clock{} && o.Router.LUT4 <= m.Router.LUT4 && o.broadcast().median <= m.broadcast().median &&
					(o.Router.LUT4 < m.Router.LUT4 || o.broadcast().median < m.broadcast().median)
			}) {
				front = append(front, m.String())
				assert.True(t, with[m.String()], "%s has no name", &m)
			}
		}
		assert.Equal(t, fitting, strings.Count(panels[0], "<title>"))
		assert.Greater(t, 3*len(with), 2*fitting)
		joined := regexp.MustCompile(`<path d="M([^"]*)" fill="none" stroke="#56b4e9"/>`).FindStringSubmatch(panels[0])
		require.NotNil(t, joined)
		assert.Len(t, strings.Split(joined[1], "L"), len(front))
	}
}

func TestLogarithmicAxisHoldsItsValues(t *testing.T) {
	for _, c := range []struct{ values, marks []float64 }{
		{[]float64{36, 117}, []float64{30, 50, 70, 100, 150}},
		{[]float64{1000, 1000}, []float64{700, 1000, 1500}},
		{[]float64{999.9999999999999}, []float64{700, 1000}},
		{[]float64{0.3, 4}, []float64{0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5}},
		{nil, []float64{1.5, 2, 3, 5, 7, 10}},
	} {
		a := newLogAxis(c.values, 100)
		assert.InDeltaSlice(t, c.marks, a.marks, 1e-9, "%v", c.values)
		assert.InDelta(t, 0, a.at(a.marks[0]), 1e-9)
		assert.InDelta(t, 100, a.at(a.marks[len(a.marks)-1]), 1e-9)
		for _, v := range c.values {
			assert.True(t, -1e-9 <= a.at(v) && a.at(v) <= 100+1e-9, "%v", v)
		}
	}
}
