// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/traffic"
)

// loadsOf are results of two machines under two loads, the second one of a single node.
func loadsOf() [][]loadResult {
	of := func(machine string, deliveries float64) []loadResult {
		return []loadResult{
			newLoadResult(machine, "all", measure.Measurement{Summary: measure.Summary{DeliveriesPerNode: deliveries, Fairness: 0.75, MaxTimeUnderWay: 40}, Bound: 1, LongestWait: 30, WaitBound: 120}),
			newLoadResult(machine, "1", measure.Measurement{Summary: measure.Summary{DeliveriesPerNode: 0.25, Fairness: 1, MaxTimeUnderWay: 7}, Bound: 0.5}),
		}
	}
	return [][]loadResult{of("8-ring", 0.9), of("4x4", 0.8)}
}

func TestTableLeavesOutWhatSaysNothing(t *testing.T) {
	assert.Equal(t, `| machine | load | deliveries | share | wait | under way |
| --- | --- | --- | --- | --- | --- |
| 8-ring | all | 0.90 | 0.75 | 0.25 | 40 |
| 8-ring | 1 | 0.50 | - | - | 7 |
| 4x4 | all | 0.80 | 0.75 | 0.25 | 40 |
| 4x4 | 1 | 0.50 | - | - | 7 |
`, loadReport(loadsOf()).Tables[0].markdown())
}

func TestPageShowsTheWorstMachineOfEachLoad(t *testing.T) {
	all := loadsOf()
	all[1][0].wait, all[1][0].underWay = 0.5, 90
	assert.Equal(t, `| load | deliveries | share | wait | under way |
| --- | --- | --- | --- | --- |
| all | 0.80 | 0.75 | 0.50 | 90 |
| 1 | 0.50 | - | - | 7 |
`, loadReport(all).pages[0].text())
}

func TestPictureHasADotForEveryFigure(t *testing.T) {
	text := string(drawLoads(loadsOf()))
	assert.Equal(t, 2+2*(2+1+1), strings.Count(text, "<circle"), "legend, and two machines with four figures each")
	assert.Contains(t, text, "<title>4x4, all: 0.250</title>")
	assert.Contains(t, text, ">all</text>")
	assertXML(t, text)
	assert.GreaterOrEqual(t, len(loadColours), len(loaded))
}

func TestWaitLongerThanTheBoundIsAnError(t *testing.T) {
	all := loadsOf()
	require.NoError(t, loadReport(all).contradiction())
	all[1][0].longest = 121
	require.EqualError(t, loadReport(all).contradiction(), "4x4, all: a node waited for 121 messages of others, and the bound is 120")
	all = loadsOf()
	all[0][1].passed = plan.PassedTicks + 1
	assert.ErrorContains(t, loadReport(all).contradiction(), "8-ring, 1: an entrant was passed in ")
}

func TestLoadIsMeasuredWithTheFlags(t *testing.T) {
	inTop(t, "configs") // no files to write to
	text, err := measured(t, "load", "-cycles", "200")
	require.NoError(t, err)
	for _, title := range loaded {
		assert.Equal(t, len(traffic.Loads(8)), strings.Count(text, "\n"+title+" "), title)
	}
	assert.Contains(t, text, "\nwait: longest wait, of the bound of the theorem\n")
	other, err := measured(t, "load", "-cycles", "200", "-fifo_depth", "4")
	require.NoError(t, err)
	assert.NotEqual(t, text, other, "slots are those of the machine measured")
	for message, arguments := range map[string][]string{
		"-cycles is 0: give 1 or more":     {"-cycles", "0"},
		"-fifo_depth is 1: give 2 to 16":   {"-cycles", "200", "-fifo_depth", "1"},
		"docs/fairness.md: no such file":   {"-docs"},
		"load takes no argument, but got ": {"all"},
	} {
		_, err := measured(t, "load", arguments...)
		assert.ErrorContains(t, err, message)
	}
}
