// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
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
		"line 1, column 1: it is empty":                                                                                  "",
		"it is for (4,1)x(3,1), but the machine is (3,1)x(4,1)":                                                          written(t, makeChecked(t, g, Request{Operation: collective.AllGather})),
		"its transfers have no phase: all-reduce needs \"add\" or \"copy\" at each":                                      bare,
		"all-gather by file cannot be made hardware: it uses one port of a node in a step, not all":                      written(t, makeChecked(t, g, Request{Operation: collective.AllGather, Ports: OnePort})),
		"all-gather by file cannot be made hardware: an item has 3 packets, not 1":                                       written(t, makeChecked(t, graph(t, 3, 1, 3, 1, 3, 1), Request{Operation: collective.AllGather, Algorithm: "bsg"})),
		"all-reduce by file cannot be made hardware: node 0 does not add up the sum for node 0 before it sends it, once": written(t, makeChecked(t, graph(t, 4, 1), Request{Operation: collective.AllReduce})),
		"step 1, node 11, item 0: the transfer to node 9 is said to copy, but the sum has 1 of 12 parts":                 strings.Replace(reduce, `"add"`, `"copy"`, 1),
	} {
		of := g
		switch {
		case strings.HasPrefix(says, "it is for"):
			of = graph(t, 4, 1, 3, 1)
		case strings.Contains(says, "packets"):
			of = graph(t, 3, 1, 3, 1, 3, 1)
		case strings.Contains(says, "before it sends"):
			of = graph(t, 4, 1)
		}
		_, err := Load(of, strings.NewReader(text))
		assert.EqualError(t, err, says, says)
	}
}
