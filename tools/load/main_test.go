// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim"
)

// measured are results of two machines under two loads, the second one of a single node.
func measured() [][]result {
	of := func(machine string, deliveries float64) []result {
		return []result{
			{machine, "all", sim.Measurement{Summary: sim.Summary{DeliveriesPerNode: deliveries, Fairness: 0.75, MaxTimeUnderWay: 40}, Bound: 1, LongestWait: 30, WaitBound: 120}},
			{machine, "1", sim.Measurement{Summary: sim.Summary{DeliveriesPerNode: 0.25, Fairness: 1, MaxTimeUnderWay: 7}, Bound: 0.5}},
		}
	}
	return [][]result{of("8-ring", 0.9), of("4x4", 0.8)}
}

func TestTableLeavesOutWhatSaysNothing(t *testing.T) {
	assert.Equal(t, `| load | 8-ring | 4x4 |
| --- | --- | --- |
| all | 0.90, 0.75, 0.25, 40 | 0.80, 0.75, 0.25, 40 |
| 1 | 0.50, 7 | 0.50, 7 |
`, table(measured()))
}

func TestPageShowsTheWorstMachineOfEachLoad(t *testing.T) {
	all := measured()
	all[1][0].LongestWait, all[1][0].MaxTimeUnderWay = 60, 90
	assert.Equal(t, `| load | deliveries | share | wait | under way |
| --- | --- | --- | --- | --- |
| all | 0.80 | 0.75 | 0.50 | 90 |
| 1 | 0.50 | - | - | 7 |
`, worst(all))
}

func TestPictureHasADotForEveryFigure(t *testing.T) {
	text := string(draw(measured()))
	assert.Equal(t, 2+2*(2+1+1), strings.Count(text, "<circle"), "legend, and two machines with four figures each")
	assert.Contains(t, text, "<title>4x4, all: 0.250</title>")
	assert.Contains(t, text, ">all</text>")
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	assert.GreaterOrEqual(t, len(colours), len(subjects))
}

func TestWaitLongerThanTheBoundIsAnError(t *testing.T) {
	all := measured()
	require.NoError(t, contradiction(all))
	all[1][0].LongestWait = 121
	assert.EqualError(t, contradiction(all), "4x4, all: a node waited for 121 messages of others, and the bound is 120")
}

func TestShortRunsPrintATableAndWriteNothing(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, measureLoads(&out, 200, 2)) // this folder has no files to write to
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Len(t, lines, 2+len(sim.Loads(8)))
	for _, line := range lines {
		assert.Equal(t, 2+len(subjects), strings.Count(line, "|"), line)
	}
	assert.ErrorContains(t, measureLoads(&out, 0, 2), "-cycles is 0: give 1 or more")
	assert.ErrorContains(t, measureLoads(&out, 200, 1), "fifo_depth")
	assert.ErrorContains(t, measureLoads(&out, defaultCycles, defaultDepth), "load runs in the top folder of the project")
}

func TestSlotsAreThoseOfTheMachineMeasured(t *testing.T) {
	for depth, slots := range map[int]int{2: 1, 3: 2} {
		p, err := subjects[0].plan(depth)
		require.NoError(t, err)
		assert.Equal(t, slots, p.InputSlots)
	}
}
