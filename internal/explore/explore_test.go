// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fit"
)

// list is List of ranges that are not refused.
func list(t testing.TB, nodes, degree, dims Range) []Machine {
	t.Helper()
	all, err := List(Query{Nodes: nodes, Degree: degree, Dims: dims, Links: AllLinks})
	require.NoError(t, err)
	return all
}

// key names rings whatever their order.
func key(rings []hypercycle.Dimension) string {
	rings = slices.Clone(rings)
	slices.SortFunc(rings, compareRings)
	return fmt.Sprint(rings)
}

// Tables 1 and 2 of the first paper on hypercycles: each of their machines is in the
// list of its nodes once, with the figures printed there. The averages are cut or rounded
// to three decimals; that of 84 nodes is misprinted (3.434 for 284/83).
func TestTablesOfThePaper(t *testing.T) {
	rows := fit.Table(t, "testdata/hctables.csv")
	require.Len(t, rows, 17)
	for _, row := range rows {
		rings := fit.Rings(t, row["m"], row["rho"])
		nodes, degree := int(fit.Number(t, row["nodes"])), int(fit.Number(t, row["degree"]))
		var found []Machine
		for _, m := range list(t, Range{nodes, nodes}, Range{degree, degree}, AllDims) {
			if key(m.Rings) == key(rings) {
				found = append(found, m)
			}
		}
		require.Len(t, found, 1, row["m"])
		m := found[0]
		assert.Equal(t, int(fit.Number(t, row["diameter"])), m.Diameter, row["m"])
		assert.Equal(t, nodes*degree/2, m.Links)
		assert.InDelta(t, fit.Number(t, row["sum_of_distances"])/float64(nodes-1), m.AverageDistance, 1e-9)
		if nodes == 84 {
			assert.Equal(t, "3.434", row["avg_printed"])
			assert.InDelta(t, 3.4217, m.AverageDistance, 0.00005)
		} else {
			assert.InDelta(t, fit.Number(t, row["avg_printed"]), m.AverageDistance, 0.001, row["m"])
		}
	}
}

// Every machine that fits comes once: a plain enumeration of all products finds the same.
func TestListIsComplete(t *testing.T) {
	const most = 60
	var all [][]hypercycle.Dimension
	var extend func(rings []hypercycle.Dimension, nodes int)
	extend = func(rings []hypercycle.Dimension, nodes int) {
		if len(rings) > 0 {
			all = append(all, slices.Clone(rings))
		}
		for m := 2; nodes*m <= most; m++ {
			for rho := 1; rho <= m/2; rho++ {
				extend(append(rings, hypercycle.Dimension{M: m, Rho: rho}), nodes*m)
			}
		}
	}
	extend(nil, 1)
	var queries []Query
	for _, q := range [][3]Range{
		{Range{2, most}, AllDegrees, AllDims}, {Range{2, most}, Range{6, 6}, AllDims}, {Range{30, 47}, Range{3, 9}, Range{2, 3}},
		{Range{48, 48}, AllDegrees, AllDims}, {Range{2, most}, Range{1, 5}, Range{1, 1}}, {Range{59, 59}, AllDegrees, Range{2, 16}}, {Range{8, 60}, Range{16, 16}, Range{4, 4}},
	} {
		queries = append(queries, Query{Nodes: q[0], Degree: q[1], Dims: q[2], Links: AllLinks})
	}
	for _, links := range []Range{{48, 48}, {1, 3}, {50, 59}} {
		queries = append(queries, Query{Nodes: Range{2, most}, Degree: AllDegrees, Dims: AllDims, Links: links}, Query{Nodes: Range{10, 40}, Degree: Range{3, 5}, Dims: Range{1, 2}, Links: links})
	}
	for _, q := range queries {
		want := map[string]bool{}
		for _, rings := range all {
			g, err := hypercycle.New(rings...)
			require.NoError(t, err)
			if q.Nodes.Has(g.Nodes()) && q.Degree.Has(g.Degree()) && q.Dims.Has(len(rings)) && q.Links.Has(g.Links()) {
				want[key(rings)] = true
			}
		}
		got := map[string]bool{}
		found, err := List(q)
		require.NoError(t, err)
		for _, m := range found {
			assert.True(t, slices.IsSortedFunc(m.Rings, compareRings), "%s", &m)
			assert.False(t, got[key(m.Rings)], "%s is there twice", &m)
			got[key(m.Rings)] = true
		}
		assert.Equal(t, want, got, q.String())
	}
}

func TestQueriesThatAreTooLargeAreRefused(t *testing.T) {
	for _, r := range [][3]Range{
		{AllNodes, AllDegrees, AllDims}, {Range{1 << 30, 1 << 30}, AllDegrees, AllDims}, {Range{2, math.MaxInt32}, Range{1, 1}, AllDims},
		{Range{math.MaxInt32, math.MaxInt32}, AllDegrees, AllDims}, {AllNodes, Range{7, 7}, Range{1, 2}}, {AllNodes, Range{16, 16}, Range{16, 16}},
	} {
		q := Query{Nodes: r[0], Degree: r[1], Dims: r[2], Links: AllLinks}
		_, err := List(q)
		if tooMany := (*TooMany)(nil); err != nil {
			require.ErrorAs(t, err, &tooMany)
			assert.True(t, strings.HasPrefix(err.Error(), q.String()+": more than "), err)
		}
	}
}

func TestRanges(t *testing.T) {
	within := Range{2, 100}
	for text, want := range map[string]Range{"5": {5, 5}, "5..7": {5, 7}, "..7": {2, 7}, "7..": {7, 100}, "2..100": within, "5..5": {5, 5}} {
		got, err := ParseRange(text, within)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
		again, err := ParseRange(got.String(), within)
		require.NoError(t, err)
		assert.Equal(t, got, again)
	}
	for text, want := range map[string]string{
		"": `"" is not a range`, "..": `".." is not a range`, "a": `"a" is not a range`, "1...5": `"1...5" is not a range`, "5..-7": `"5..-7" is not a range`, "+5": `"+5" is not a range`,
		"5..7..9": `"5..7..9" is not a range`, "5 ..7": `"5 ..7" is not a range`, "0x10": `"0x10" is not a range`,
		"1": "1 is outside 2..100", "5..101": "101 is outside 2..100", "99999999999999999999": "99999999999999999999 is outside 2..100", "7..5": "7..5 ends before it begins",
	} {
		_, err := ParseRange(text, within)
		assert.EqualError(t, err, want, text)
	}
}

// Nodes, degree and bisection count only if the query names them.
func TestStarsAreForTheColumnsOfTheQuery(t *testing.T) {
	figures := map[string]func(a, b *Machine) float64{ // how much b is better, with what is no difference as 0
		"~LUT4": func(a, b *Machine) float64 {
			if float64(min(a.LUT4, b.LUT4)) >= 0.97*float64(max(a.LUT4, b.LUT4)) {
				return 0
			}
			return float64(a.LUT4 - b.LUT4)
		},
		"diameter": func(a, b *Machine) float64 { return float64(a.Diameter - b.Diameter) },
		"nodes":    func(a, b *Machine) float64 { return float64(b.Nodes - a.Nodes) },
		"degree":   func(a, b *Machine) float64 { return float64(a.Degree - b.Degree) },
		"average":  func(a, b *Machine) float64 { return a.AverageDistance - b.AverageDistance },
		"bisection": func(a, b *Machine) float64 {
			switch {
			case b.Bisection.Low > a.Bisection.High:
				return 1
			case b.Bisection.Low < a.Bisection.Low || b.Bisection.High < a.Bisection.High:
				return -1
			}
			return 0
		},
	}
	for _, c := range []struct {
		stars []string
		most  int
	}{
		{nil, 20}, {[]string{"nodes", "~LUT4", "diameter"}, 50}, {[]string{"bisection", "degree"}, 20}, {[]string{"average"}, 2},
	} {
		q := Query{Nodes: Range{60, 70}, Degree: Range{1, 6}, Dims: Range{1, 4}, Links: AllLinks, Stars: c.stars}
		all, err := List(q)
		require.NoError(t, err)
		require.Len(t, all, 103)
		best := 0
		for i := range all {
			a := &all[i]
			var by []string
			for j := range all {
				var gains []float64
				for _, name := range q.StarColumns() {
					gains = append(gains, figures[name](a, &all[j]))
				}
				if slices.Min(gains) >= 0 && slices.Max(gains) > 0 {
					by = append(by, all[j].String())
				}
			}
			assert.Equal(t, len(by) == 0, a.Best, "%s: %s is beaten by %v", c.stars, a, by)
			if a.Best {
				best++
			}
		}
		assert.Positive(t, best, c.stars)
		assert.LessOrEqual(t, best, c.most, c.stars)
	}
}

// A list without --stars has few stars, although it has many numbers of nodes.
func TestStarsAreFew(t *testing.T) {
	stars := 0
	for _, m := range list(t, Range{60, 70}, AllDegrees, AllDims) {
		if m.Best {
			stars++
		}
	}
	assert.Positive(t, stars)
	assert.LessOrEqual(t, stars, 30, "of 519")
}

// Estimates that differ by less than their error are no reason to choose, and a wider
// bisection or a shorter average distance are.
func TestWhatBeatsAMachine(t *testing.T) {
	estimates := Query{Stars: []string{"nodes", "degree", "diameter", "average", "bisection", "~LUT4"}}.starColumns()
	reference := Machine{Nodes: 64, Degree: 4, Diameter: 8, AverageDistance: 4, Bisection: Bisection{16, 16}, LUT4: 1000}
	for name, c := range map[string]struct {
		change func(m *Machine)
		beats  bool
	}{
		"the same":                    {func(*Machine) {}, false},
		"more nodes":                  {func(m *Machine) { m.Nodes = 65 }, true},
		"2 % cheaper":                 {func(m *Machine) { m.LUT4 = 980 }, false},
		"5 % cheaper":                 {func(m *Machine) { m.LUT4 = 950 }, true},
		"shorter, 2 % dearer":         {func(m *Machine) { m.Diameter, m.LUT4 = 7, 1020 }, true},
		"shorter, 5 % dearer":         {func(m *Machine) { m.Diameter, m.LUT4 = 7, 1060 }, false},
		"nearer on average":           {func(m *Machine) { m.AverageDistance = 3.9 }, true},
		"wider":                       {func(m *Machine) { m.Bisection = Bisection{17, 20} }, true},
		"perhaps wider":               {func(m *Machine) { m.Bisection = Bisection{16, 20} }, false},
		"cheaper, but narrower":       {func(m *Machine) { m.LUT4, m.Bisection = 900, Bisection{8, 8} }, false},
		"cheaper, farther on average": {func(m *Machine) { m.LUT4, m.AverageDistance = 900, 4.1 }, false},
	} {
		other := reference
		c.change(&other)
		assert.Equal(t, c.beats, beats(&other, &reference, estimates), name)
	}
}
