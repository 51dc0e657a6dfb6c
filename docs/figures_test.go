// SPDX-License-Identifier: Apache-2.0

// README repeats figures of the pages that measure them: these tests keep them the same.

package docs

import (
	"fmt"
	"math"
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

// benched names the machines of README's table as docs/performance.md does.
var benched = map[string]string{
	"ring of 8": "ring of 8", "binary 4-cube": "4-cube", "4x4 torus": "4x4 torus",
	"15x15x15x15 torus": "15x15x15x15, rho 1", "the same with rho = 2, 16-bit payload": "15x15x15x15, rho 2",
}

func TestRoutersOfReadmeAreThoseOfTheBench(t *testing.T) {
	measured := read(t, performance).with(t, "machine", "LUT4", "clock, min / median / max, MHz")
	shown := read(t, readme).with(t, "machine", "LUT4")
	require.Len(t, shown.rows, len(benched))
	for _, row := range shown.rows {
		name, known := benched[row[0]]
		require.True(t, known, row[0])
		for _, title := range []string{"degree", "LUT4", "FF"} {
			assert.Equal(t, measured.at(t, name, title), shown.at(t, row[0], title), "%s: %s", row[0], title)
		}
		assert.Equal(t, measured.at(t, name, "clock, min / median / max, MHz")+" MHz",
			shown.at(t, row[0], "clock, min / median / max"), row[0])
	}
	assert.Equal(t, "16", measured.at(t, "15x15x15x15, rho 2", "payload"), "what the name in README says")
	cycles := measured.at(t, "4x4 torus", "broadcast, cycles")
	for _, name := range []string{"4-cube", "ring of 8"} {
		assert.Equal(t, cycles, measured.at(t, name, "broadcast, cycles"))
	}
	assert.Contains(t, flowed(read(t, readme)), cycles+" on the 4x4 torus, the 4-cube, the 8-ring and (6,2)x(5,1)")
}

func TestMemoryInReadmeIsThatOfTheBench(t *testing.T) {
	most := 0
	for _, row := range read(t, performance).with(t, "machine", "everything, s", "memory").rows {
		megabytes, err := strconv.Atoi(strings.TrimSuffix(row[2], " MB"))
		require.NoError(t, err, row[2])
		most = max(most, megabytes)
	}
	assert.Contains(t, flowed(read(t, readme)), fmt.Sprintf("with less than %d MB", most/10*10+10))
}

// The loads of docs/fairness.md that README tells of, on its small machines.
var (
	smallMachines = []string{"4x4", "4-cube", "8-ring", "15-ring", "(6,2)x(5,1)"}
	nodesOf       = map[string]float64{"4x4": 16, "4-cube": 16, "8-ring": 8, "15-ring": 15, "(6,2)x(5,1)": 30}
	loadsOfReadme = []string{"all nodes, rate 1", "all nodes, rate 0.8", "all nodes, rate 0.5", "all nodes, rate 0.2",
		"all nodes but one, rate 1", "every other node, rate 1", "half of the nodes, at random places, rate 1",
		"3 nodes, rate 1", "3 nodes, at random places, rate 1", "2 nodes, rate 1", "1 node, rate 1"}
)

func TestFairnessInReadmeIsThatOfThePage(t *testing.T) {
	page := read(t, fairness)
	loads, text := page.tableOf(t, "load"), flowed(read(t, readme))
	assert.Contains(t, text, fmt.Sprintf("under %d loads on eight machines", len(loads.rows)))
	assert.Len(t, loads.header, 1+8)

	delivered, fair := math.Inf(1), math.Inf(1)
	for _, name := range smallMachines {
		for _, load := range loadsOfReadme {
			figures := numbersOf(t, loads.at(t, load, name))
			bound := (nodesOf[name] - 1) / nodesOf[name]
			if strings.HasPrefix(load, "all nodes, ") {
				bound = 1
			}
			delivered = min(delivered, figures[0]/bound)
			if len(figures) > 2 { // of a single node fairness says nothing
				fair = min(fair, figures[1])
			}
		}
	}
	assert.Contains(t, text, fmt.Sprintf("deliver %.2f to 1.00 of what they can, and the node with the fewest injections "+
		"has %.2f to 1.00 of those of the node with the most", delivered, fair))

	// the least fair of eight placements
	const short, long = "60,000 cycles", "120,000 cycles"
	least := map[string]map[bool]float64{short: {}, long: {}} // by length, and whether it is of 5x5x5
	placements := page.with(t, "machine", "busy nodes", short, long)
	for _, row := range placements.rows {
		for length, of := range least {
			large := row[0] == "5x5x5"
			if _, before := of[large]; !before {
				of[large] = math.Inf(1)
			}
			of[large] = min(of[large], numbersOf(t, row[slices.Index(placements.header, length)])[0])
		}
	}
	assert.Contains(t, text, fmt.Sprintf("is %.2f in 60,000 cycles on four of these, %.2f on 5x5x5, and %.2f there in 120,000",
		least[short][false], least[short][true], least[long][true]))

	// slow receivers
	const halves = "half of the nodes, receivers ready half of the time"
	fairest, lowest := 0.0, math.Inf(1)
	for _, name := range smallMachines {
		figure := numbersOf(t, loads.at(t, halves, name))[1]
		fairest, lowest = max(fairest, figure), min(lowest, figure)
	}
	assert.Contains(t, text, fmt.Sprintf("half of the nodes busy and all receivers ready half of the time it is %.2f to %.2f on the "+
		"small machines, %.2f on 5x5x5 and %.2f on 8x8", lowest, fairest,
		numbersOf(t, loads.at(t, halves, "5x5x5"))[1], numbersOf(t, loads.at(t, halves, "8x8"))[1]))
	one := math.Inf(1)
	for _, row := range loads.rows {
		if strings.HasPrefix(row[0], "all nodes, one receiver ready") {
			for _, cell := range row[1:] {
				one = min(one, numbersOf(t, cell)[1])
			}
		}
	}
	assert.Contains(t, text, fmt.Sprintf("past one slow receiver down to %.2f if all nodes are busy", one))
	const few = "few busy nodes and a slow receiver: what is delivered is 0.6 to 1 of what could be, but fewest to most 0.1 to 0.9"
	assert.Contains(t, flowed(page), few)
	assert.Contains(t, text, "and 0.1 to 0.9 if few are")
}
