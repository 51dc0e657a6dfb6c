// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule"
)

// The table of total exchanges of one lane has what the search finds, and the page of vectors repeats its steps as cycles.
func TestTotalExchangesOfOneLaneShown(t *testing.T) {
	shown := read(t, "collectives.md").with(t, "torus", "period of S4NOC, cycles")
	require.NotEmpty(t, shown.rows)
	cycles := read(t, vectors).with(t, "torus", "P, one lane")
	require.Len(t, cycles.rows, len(shown.rows))
	for _, row := range shown.rows {
		var x, y int
		_, err := fmt.Sscanf(row[0], "%dx%d", &x, &y)
		require.NoError(t, err)
		g, err := hypercycle.New(hypercycle.Dimension{M: x, Rho: 1}, hypercycle.Dimension{M: y, Rho: 1})
		require.NoError(t, err)
		s, err := schedule.Make(g, schedule.Request{Operation: collective.TotalExchange, Algorithm: "streaming", OneLane: true})
		require.NoError(t, err)
		assert.Equal(t, []string{fmt.Sprint(s.Bound), fmt.Sprint(s.Steps)}, row[1:3], row[0])
		assert.Equal(t, row[2:4], []string{cycles.at(t, row[0], "P, one lane"), cycles.at(t, row[0], "S4NOC")}, row[0])
	}
}

// The table has the exchanges of Swing and the links that they cross, by the distances of the page, and the steps of all-reduces of one word.
func TestSwingShownIsRight(t *testing.T) {
	shown := read(t, "collectives.md").with(t, "torus", "Swing, links")
	require.NotEmpty(t, shown.rows)
	for _, row := range shown.rows {
		var rings []hypercycle.Dimension
		exchanges, links := 0, 0
		for size := range strings.SplitSeq(row[0], "x") {
			m, err := strconv.Atoi(size)
			require.NoError(t, err)
			rings = append(rings, hypercycle.Dimension{M: m, Rho: 1})
			for distance, reached := 1, 1; reached < m; reached *= 2 { // 1, -1, 3, -5, ..
				exchanges++
				away := max(distance, -distance) % m
				links += min(away, m-away)
				distance = 1 - 2*distance
			}
		}
		g, err := hypercycle.New(rings...)
		require.NoError(t, err)
		s, _, err := schedule.ForNetwork(g, collective.AllReduceWord, 0, nil)
		require.NoError(t, err)
		assert.Equal(t, []string{fmt.Sprint(exchanges), fmt.Sprint(links), fmt.Sprint(s.Steps)}, row[1:4], row[0])
	}
}
