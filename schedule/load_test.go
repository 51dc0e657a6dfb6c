// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/schedule/check"
)

func written(t testing.TB, s *Schedule) string {
	var text strings.Builder
	require.NoError(t, s.WriteJSON(&text, "grid"))
	return text.String()
}

// A file holds all of a schedule.
func TestLoad(t *testing.T) {
	g := graph(t, 3, 1, 4, 1)
	for _, operation := range collective.Operations() {
		want, _ := streamed(t, g, Request{Operation: operation, Root: 5})
		got, err := Load(g, strings.NewReader(written(t, want)))
		require.NoError(t, err)
		assert.Equal(t, want.Claim(), got)
	}
}

func TestLoadRefuses(t *testing.T) {
	g := graph(t, 3, 1, 4, 1)
	reduce := written(t, makeChecked(t, g, Request{Operation: collective.AllReduce}))
	bare := strings.NewReplacer(`,"phase":"add"`, "", `,"phase":"copy"`, "").Replace(reduce)
	for says, text := range map[string]string{
		"line 1, column 1: it is empty":                                                                                                    "",
		"it is for (4,1)x(3,1), but the machine is (3,1)x(4,1)":                                                                            written(t, makeChecked(t, g, Request{Operation: collective.AllGather})),
		"its transfers have no phase: all-reduce needs \"add\" or \"copy\" at each":                                                        bare,
		"all-gather by file cannot be made hardware: it uses one port of a node in a step, not all":                                        written(t, makeChecked(t, g, Request{Operation: collective.AllGather, Ports: OnePort})),
		"all-gather by file cannot be made hardware: an item has 3 packets, not 1":                                                         written(t, makeChecked(t, graph(t, 3, 1, 3, 1, 3, 1), Request{Operation: collective.AllGather, Algorithm: "bsg"})),
		"all-reduce by file cannot be made hardware: node 0 sends a partial sum for itself in step 2, but a node only adds up its own sum": written(t, makeChecked(t, graph(t, 4, 1), Request{Operation: collective.AllReduce})),
		"step 1, node 11, item 0: the transfer to node 9 is said to copy, but the sum has 1 of 12 parts":                                   strings.Replace(reduce, `"add"`, `"copy"`, 1),
	} {
		of := g
		switch {
		case strings.HasPrefix(says, "it is for"):
			of = graph(t, 4, 1, 3, 1)
		case strings.Contains(says, "packets"):
			of = graph(t, 3, 1, 3, 1, 3, 1)
		case strings.Contains(says, "for itself"):
			of = graph(t, 4, 1)
		}
		_, err := Load(of, strings.NewReader(text))
		assert.EqualError(t, err, says, says)
	}
}

// Recursive doubling is a sound all-reduce, but each node sends partial sums of its own result, and several for each other node.
func TestLoadRefusesRecursiveDoubling(t *testing.T) {
	g := graph(t, 2, 1, 2, 1)
	claim := &collective.Schedule{Operation: collective.AllReduce, Packets: 1, Steps: 8, Waiting: -1, Phases: true, Period: []int{2, 2}}
	for bit := range int32(2) {
		for node := range int32(4) {
			for item := range int32(4) {
				claim.Transfers = append(claim.Transfers, collective.Transfer{Step: 4*bit + item + 1, From: node, To: node ^ 1<<bit, Item: collective.Item{Node: item, For: -1}, Add: true})
			}
		}
	}
	require.NoError(t, check.Check(Machine(g), claim))
	_, err := Load(g, strings.NewReader(written(t, given(g, claim))))
	assert.EqualError(t, err, "all-reduce by file cannot be made hardware: node 0 sends a partial sum for itself in step 1, but a node only adds up its own sum")
}

// The two other ways of adding up that are sound, but not for hardware.
func TestLoadRefusesSumsThatAreSentTwiceOrEarly(t *testing.T) {
	for says, transfers := range map[string]string{
		"node 0 sends its partial sum for node 1 in step 1, but what it must add arrives in step 2": `{"step": 1, "from": 0, "to": 1, "item": 1, "phase": "add"},
			{"step": 2, "from": 0, "to": 1, "item": 2, "phase": "add"}, {"step": 3, "from": 0, "to": 2, "item": 2, "phase": "add"}`,
		"node 0 sends partial sums for node 1 in steps 2 and 3, but a node sends one for each other node": `{"step": 1, "from": 0, "to": 2, "item": 2, "phase": "add"},
			{"step": 2, "from": 0, "to": 2, "item": 1, "phase": "add"}, {"step": 3, "from": 0, "to": 1, "item": 1, "phase": "add"}`,
	} {
		_, err := Load(graph(t, 3, 1), strings.NewReader(`{"operation": "reduce-scatter", "ports": "all", "steps": 3, "translated": true, "transfers": [`+transfers+`]}`))
		assert.EqualError(t, err, "reduce-scatter by file cannot be made hardware: "+says)
	}
}
