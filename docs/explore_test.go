// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/machine"
)

// The table of measured machines has the machines of its command, and times that follow from its clocks and today's cycles. The
// picture has the same figures.
func TestMeasuredMachinesAreThoseOfTheCommand(t *testing.T) {
	p := read(t, choice)
	at := slices.IndexFunc(p.fences, func(f fence) bool { return f.is("text") && strings.HasPrefix(f.text, "hcgen explore ") })
	require.GreaterOrEqual(t, at, 0)
	s := newSession(t, p)
	// It takes too long to run here, but nothing is wrong with it: it looks for the tools.
	assert.Contains(t, s.run(`PATH="$(dirname "$(command -v hcgen)")"; `+p.fences[at].text), "hcgen: error: yosys is not installed\n")
	s.code = 0
	command, _, _ := strings.Cut(p.fences[at].text, " --measure ")
	var list []struct {
		Machine    string
		Diameter   int
		Dimensions []hypercycle.Dimension
		Steps      int `json:"collective_steps"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.succeed(command+" --json")), &list))
	picture, err := os.ReadFile("explore.svg")
	require.NoError(t, err)
	tips := html.UnescapeString(string(picture))

	tab := p.with(t, "machine", "MHz", "total-exchange-ns", "collective-ns")
	require.Len(t, tab.rows, len(list))
	for _, m := range list {
		bare, err := machine.Bare(m.Dimensions...)
		require.NoError(t, err)
		bare.Destination = true
		cell := func(title string) string { return tab.at(t, m.Machine, title) }
		for column, operation := range map[string]struct {
			design string // prefix of the columns of the router or node
			cycles int
		}{
			"broadcast-ns":      {"", m.Diameter + 1},
			"all-gather-ns":     {"", operationCycles(t, bare, collective.AllGather)},
			"total-exchange-ns": {"", operationCycles(t, bare, collective.TotalExchange)},
			"collective-ns":     {"collective-", m.Steps + 1},
		} {
			var least, median, most, ns float64
			_, err := fmt.Sscanf(cell(operation.design+"MHz")+" "+cell(column), "%g/%g/%g %g", &least, &median, &most, &ns)
			require.NoError(t, err, m.Machine)
			assert.True(t, least <= median && median <= most, m.Machine)
			assert.InEpsilon(t, 1000*float64(operation.cycles)/median, ns, 0.5/median+0.5/ns, "%s, %s", m.Machine, column)
			tip := fmt.Sprintf("<title>%s: 16 nodes, %s LUT4, %.0f MHz, %.0f ns</title>", m.Machine, cell("measured-"+operation.design+"LUT4"), median, ns)
			assert.Contains(t, tips, tip)
		}
	}
}

// operationCycles are the cycles of an operation by messages.
func operationCycles(t *testing.T, m *machine.Machine, operation string) int {
	t.Helper()
	cycles, _, err := completion.Routers(m, operation)
	require.NoError(t, err)
	return cycles
}
