// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// All neighbours of a long ring are one step apart, all others as far or farther, and little of
// the picture is blank.
func TestLongRingsAreFolded(t *testing.T) {
	for nodes := mostOnCircle + 1; nodes <= MaxNodes; nodes++ {
		at := folded(nodes)
		require.Len(t, at, nodes)
		wide, high := 0.0, 0.0
		for v, p := range at {
			next := at[(v+1)%nodes]
			require.InDelta(t, 1, math.Hypot(p.X-next.X, p.Y-next.Y), 1e-9, "node %d of %d", v, nodes)
			for w, other := range at[:v] {
				if math.Hypot(p.X-other.X, p.Y-other.Y) < 1-1e-9 {
					require.Fail(t, "too close", "nodes %d and %d of %d", v, w, nodes)
				}
			}
			wide, high = max(wide, p.X+1), max(high, p.Y+1)
		}
		require.Less(t, wide*high, 1.35*float64(nodes), "%d nodes", nodes)
		require.Less(t, max(wide, high), 2*min(wide, high), "%d nodes", nodes)
	}
}

func TestPicturesOfLongRingsAreSmall(t *testing.T) {
	for _, s := range []Subject{Network, Tree, Load} {
		data := picture(t, machineOf(t, "200,1"), s, 0)
		var size struct {
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
		}
		require.NoError(t, xml.Unmarshal(data, &size))
		assert.Less(t, size.Width, 1500.0, s)
		assert.Less(t, size.Height, 1500.0, s)
	}
}

// Entries of a legend are of all steps, each of them in one.
func TestLegendOfManySteps(t *testing.T) {
	for steps := 1; steps <= mostSteps; steps++ {
		messages, total := make([]int, steps+1), 0
		for step := 1; step <= steps; step++ {
			messages[step] = step
			total += step
		}
		legend := stepLegend(messages, onPaper.of(steps))
		require.LessOrEqual(t, len(legend), mostEntries)
		next := 1
		for _, e := range legend {
			first, last, sum := 0, 0, 0
			if _, err := fmt.Sscanf(e.text, "steps %d to %d: %d messages", &first, &last, &sum); err != nil {
				_, err = fmt.Sscanf(e.text, "step %d: %d message", &first, &sum)
				require.NoError(t, err, e.text)
				last = first
			}
			require.Equal(t, next, first)
			for ; next <= last; next++ {
				sum -= messages[next]
			}
			require.Zero(t, sum, e.text)
		}
		require.Equal(t, steps+1, next)
	}
	assert.Equal(t, "step 1: 1 message", stepLegend([]int{0, 1}, []string{"#000000"})[0].text)
	assert.True(t, strings.HasSuffix(stepLegend([]int{0, 2}, []string{"#000000"})[0].text, " messages"))
}
