// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
