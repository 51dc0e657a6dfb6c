// SPDX-License-Identifier: Apache-2.0

// README and remarks repeat figures of tables: these tests keep them the same.

package docs

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// with returns the only table of the page that has all the columns.
func (p page) with(t testing.TB, columns ...string) table {
	t.Helper()
	var found []table
	for _, tab := range p.tables {
		if !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(tab.header, c) }) {
			found = append(found, tab)
		}
	}
	require.Len(t, found, 1, "tables in %s with the columns %q", p.name, columns)
	return found[0]
}

// at returns the cell in the only row with the name, under the title.
func (tab table) at(t testing.TB, name, title string) string {
	t.Helper()
	column := slices.Index(tab.header, title)
	require.GreaterOrEqual(t, column, 0, "no column %q", title)
	cell, rows := "", 0
	for _, row := range tab.rows {
		if row[0] == name {
			cell, rows = row[column], rows+1
		}
	}
	require.Equal(t, 1, rows, "rows named %q", name)
	return cell
}

// numbersOf reads the numbers of a cell that commas and semicolons separate.
func numbersOf(t testing.TB, cell string) []float64 {
	t.Helper()
	var all []float64
	for _, text := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",; ", r) }) {
		v, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err, cell)
		all = append(all, v)
	}
	return all
}

// flowed is a page's text with every line break and indentation as one blank.
func flowed(p page) string { return strings.Join(strings.Fields(p.text), " ") }

// README shows columns of the table of the page that explains them.
func TestFiguresOfReadmeAreThoseOfTheBench(t *testing.T) {
	measured := read(t, performance).with(t, "machine", "broadcast, cycles")
	shown := read(t, readme).with(t, "machine", "broadcast, cycles")
	require.Len(t, shown.rows, len(measured.rows))
	for _, row := range measured.rows {
		for _, title := range shown.header {
			assert.Equal(t, measured.at(t, row[0], title), shown.at(t, row[0], title), "%s: %s", row[0], title)
		}
	}
}

// The table of depths repeats figures of the table of loads, which make measure WHAT=load writes: it has the worst machine
// of each load of adjacent senders.
func TestRemarksAboutLoadsAreThoseOfTheTable(t *testing.T) {
	page := read(t, fairness)
	loads := page.tableOf(t, "load")
	depths := page.tableOf(t, "senders and machine")
	for senders, machine := range map[string]string{"7 adjacent": "31-ring", "3 adjacent": "8-ring"} {
		assert.Equal(t, loads.at(t, senders, "deliveries"), depths.at(t, senders+", "+machine, "2, the default"), senders)
	}
	waits := 0
	for _, row := range loads.rows {
		if wait := loads.at(t, row[0], "wait"); wait != "-" {
			waits++
			assert.LessOrEqual(t, numbersOf(t, wait)[0], 1.0, "%s: a wait longer than the theorem allows", row[0])
		}
	}
	assert.Greater(t, waits, 10)
}
