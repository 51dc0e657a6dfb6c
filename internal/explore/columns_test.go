// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
)

// measuredTable has all columns. Every fourth machine is not measured, and every fourth does not fit. Half of the others have a
// node that is measured.
func measuredTable(t testing.TB) Table {
	t.Helper()
	q := Query{Nodes: Range{15, 16}, Degree: AllDegrees, Dims: AllDims, Links: AllLinks, Destination: true, Collective: collective.AllGather, Measured: true}
	all, err := List(q)
	require.NoError(t, err)
	for i := range all {
		m := &all[i]
		if i%4 > 0 {
			m.Router = Measured{LUT4: m.LUT4 + i%7, FF: 1000 - 7*i}
		}
		if i%4 > 1 {
			median := float64(100 + 37*i%61)
			m.Router.Clock, m.Cycles = Clock{median - 5, median, median + 4}, Cycles{m.Nodes + 1, 3*m.Nodes - i}
		}
		if i%4 == 3 {
			m.Node = Measured{LUT4: 200 + i, FF: 100 + i, Clock: Clock{150, 200 + float64(i), 300}}
		}
	}
	return Table{q, all}
}

// Machines that lack a figure come last.
func TestSortByEveryColumn(t *testing.T) {
	table := measuredTable(t)
	require.Equal(t, Columns(), table.Query.Columns())
	known := func(v float64) float64 {
		if v == 0 {
			return math.NaN()
		}
		return v
	}
	ns := func(cycles int, c Clock) float64 { return float64(cycles) / known(c.Median) }
	values := map[string]func(*Machine) float64{
		"best":    func(m *Machine) float64 { return map[bool]float64{true: 0, false: 1}[m.Best] },
		"machine": func(m *Machine) float64 { return float64(m.Rings[len(m.Rings)-1].M) },
		"nodes":   func(m *Machine) float64 { return float64(m.Nodes) }, "degree": func(m *Machine) float64 { return float64(m.Degree) },
		"diameter": func(m *Machine) float64 { return float64(m.Diameter) }, "average": func(m *Machine) float64 { return m.AverageDistance },
		"links": func(m *Machine) float64 { return float64(m.Links) }, "bisection": func(m *Machine) float64 { return -float64(m.Bisection.Low) },
		"all-gather": func(m *Machine) float64 { return float64(m.AllGather) }, "total-exchange": func(m *Machine) float64 { return float64(m.TotalExchange) },
		"all-reduce":        func(m *Machine) float64 { return float64(m.AllReduce) },
		"~LUT4":             func(m *Machine) float64 { return float64(m.LUT4) },
		"collective-steps":  func(m *Machine) float64 { return float64(m.Collective.Steps) },
		"collective-cycles": func(m *Machine) float64 { return float64(m.Collective.Cycles) },
		"~collective-LUT4":  func(m *Machine) float64 { return float64(m.Collective.LUT4) },
		"collective-chunk":  func(m *Machine) float64 { return known(float64(m.Collective.Chunk)) },
		"~collective-clock": func(m *Machine) float64 { return -known(float64(m.Collective.MHz)) },
		"~collective-time":  func(m *Machine) float64 { return known(float64(m.Collective.NS)) },

		"measured-LUT4":     func(m *Machine) float64 { return known(float64(m.Router.LUT4)) },
		"FF":                func(m *Machine) float64 { return known(float64(m.Router.FF)) },
		"MHz":               func(m *Machine) float64 { return -known(m.Router.Clock.Median) },
		"broadcast-ns":      func(m *Machine) float64 { return ns(m.Diameter+1, m.Router.Clock) },
		"all-gather-ns":     func(m *Machine) float64 { return ns(m.Cycles.AllGather, m.Router.Clock) },
		"total-exchange-ns": func(m *Machine) float64 { return ns(m.Cycles.TotalExchange, m.Router.Clock) },

		"measured-collective-LUT4": func(m *Machine) float64 { return known(float64(m.Node.LUT4)) },
		"collective-FF":            func(m *Machine) float64 { return known(float64(m.Node.FF)) },
		"collective-MHz":           func(m *Machine) float64 { return -known(m.Node.Clock.Median) },
		"collective-ns":            func(m *Machine) float64 { return ns(m.Collective.Cycles, m.Node.Clock) },
	}
	list := table.Machines
	for _, column := range Columns() {
		require.Contains(t, values, column)
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		Sort(list, column)
		with := slices.IndexFunc(list, func(m Machine) bool { return math.IsNaN(values[column](&m)) })
		if with < 0 {
			with = len(list)
		}
		for i := 1; i < with; i++ {
			assert.LessOrEqual(t, values[column](&list[i-1]), values[column](&list[i]), column)
		}
		for i := with; i < len(list); i++ {
			assert.True(t, math.IsNaN(values[column](&list[i])), "%s: a machine with the figure comes after one without it", column)
		}
	}
}

func TestColumnsHaveTheNamesThatTheTablePrints(t *testing.T) {
	plain := Query{}
	full := Query{Measured: true, Destination: true, Collective: collective.TotalExchange}
	for _, c := range []struct {
		query            Query
		name, want, fail string
	}{
		{plain, "exchange", "total-exchange", ""},
		{plain, "Average", "average", ""},
		{plain, "LUT4", "~LUT4", ""},
		{plain, "~lut4", "~LUT4", ""},
		{plain, "lut", "~LUT4", ""},
		{plain, "all-gather", "all-gather", ""},
		{plain, "all", "", `"all" is part of the names of several columns: all-gather, all-reduce`},
		{plain, "price", "", `unknown column "price"`},
		{plain, "mhz", "", "the list has no column MHz without --measure"},
		{plain, "total-exchange-ns", "", "the list has no column total-exchange-ns without --measure and --destination"},
		{plain, "collective-steps", "", "the list has no column collective-steps without --collective"},
		{Query{Measured: true}, "measured", "measured-LUT4", ""},
		{full, "lut4", "~LUT4", ""},
		{full, "MHz", "MHz", ""},
		{full, "steps", "collective-steps", ""},
		{full, "exchange", "", `"exchange" is part of the names of several columns: total-exchange, total-exchange-ns`},
	} {
		got, err := c.query.Column(c.name)
		if c.fail != "" {
			assert.EqualError(t, err, c.fail)
			continue
		}
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, got)
	}
	for _, name := range Columns() {
		got, err := full.Column(name)
		require.NoError(t, err)
		assert.Equal(t, name, got)
	}
}

// The table, CSV and JSON of a machine that is measured, of one that does not fit, and of one that is not measured.
func TestFormatsHaveWhatIsMeasured(t *testing.T) {
	table := measuredTable(t)
	list := table.Machines[:4]
	list[3].Router, list[3].Cycles, list[3].Diameter, list[3].Collective = Measured{548, 348, Clock{131.25, 137, 144}}, Cycles{16, 23}, 4, Collective{Steps: 4, Cycles: 5, LUT4: 190}
	list[3].Node = Measured{250, 300, Clock{200, 250, 300}}
	table.Machines = list

	var text strings.Builder
	require.NoError(t, WriteTable(&text, table))
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	require.Len(t, lines, 5)
	cell := func(line int, column string) string {
		columns := append([]string{"row"}, Columns()...)
		fields := strings.Fields(strings.ReplaceAll(lines[line], "no fit", "no_fit"))
		if len(fields) < len(columns) { // no star
			fields = slices.Insert(fields, 1, "")
		}
		require.Len(t, fields, len(columns), lines[line])
		return fields[slices.Index(columns, column)]
	}
	shown := func(line int) (cells []string) {
		for _, column := range []string{"row", "measured-LUT4", "FF", "MHz", "broadcast-ns", "all-gather-ns", "total-exchange-ns", "collective-MHz", "collective-ns"} {
			cells = append(cells, cell(line, column))
		}
		return cells
	}
	assert.Equal(t, []string{"1", "-", "-", "-", "-", "-", "-", "-", "-"}, shown(1))
	assert.Equal(t, []string{"-", "-", "no_fit", "-"}, []string{cell(2, "broadcast-ns"), cell(2, "collective-MHz"), cell(2, "MHz"), cell(2, "all-gather-ns")})
	assert.NotEqual(t, "-", cell(2, "measured-LUT4"))
	assert.Equal(t, []string{"4", "548", "348", "131/137/144", "36", "117", "168", "200/250/300", "20"}, shown(4))

	text.Reset()
	require.NoError(t, WriteCSV(&text, table))
	rows, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
	require.NoError(t, err)
	field := func(row int, name string) string { return rows[row][slices.Index(rows[0], name)] }
	for name, want := range map[string]string{
		"measured_lut4": "548", "mhz_min": "131.25", "mhz_median": "137", "mhz_max": "144", "broadcast_ns": "36.5", "collective_ns": "20", "bisection_low": field(4, "bisection_high"),
	} {
		assert.Equal(t, want, field(4, name), name)
	}
	assert.Equal(t, []string{"", ""}, []string{field(1, "measured_lut4"), field(2, "mhz_median")})

	text.Reset()
	require.NoError(t, WriteJSON(&text, table))
	var entries []map[string]any
	require.NoError(t, json.Unmarshal([]byte(text.String()), &entries))
	assert.Equal(t, map[string]any{"min": 131.25, "median": 137., "max": 144.}, entries[3]["mhz"])
	assert.NotContains(t, entries[1], "mhz")
	assert.Contains(t, entries[1], "measured_lut4")
	assert.NotContains(t, entries[0], "measured_lut4")
}
