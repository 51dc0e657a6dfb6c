// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ring = `{"operation": "broadcast", "ports": "all", "root": 1, "steps": 1, "dimensions": [{"m": 3, "rho": 1}],
	"transfers": [{"step": 1, "from": 1, "to": 0, "item": 1}, {"step": 1, "from": 1, "to": 2, "item": 1}]}`

func TestReadSaysWhatIsWrongWhere(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`{"operation"`, `"operation"`, "line 1, column 1: the schedule is a text, want an object"},
		{`"operation":`, `"operation"`, "line 1, column 14: it is not JSON: invalid character '\"' after object name (expecting ':')"},
		{`"ports"`, `"machine": 1, "ports"`, "line 1, column 39: machine is a number, want a text"},
		{`"broadcast"`, `"gossip"`, `line 1, column 15: operation is "gossip", want one of broadcast, `},
		{`"all"`, `"both"`, `line 1, column 37: ports is "both", want one of all, one`},
		{`"root": 1, `, ``, "line 1, column 1: broadcast needs a root, but none is given"},
		{`"broadcast"`, `"all-gather"`, "line 1, column 1: all-gather has no root, but one is given"},
		{`"item": 1`, `"item": "one"`, `line 2, column 56: item is "one", want a node or a list of two nodes`},
		{`"item": 1`, `"item": [1, 2, 3]`, "line 2, column 56: item is a list of 3, want a node or a list of two nodes"},
		{`"item": 1`, `"item": null`, "line 2, column 56: item is null, want a node or a list of two nodes"},
		{`"item": 1`, `"item": [1, -2]`, "line 2, column 60: an element of item is -2, want a whole number from 0 to 2147483647"},
		{`"rho": 1`, `"rho": null`, "line 1, column 98: rho is null, want a whole number from 0 to 2147483647"},
		{`, "rho": 1`, ``, `line 1, column 82: a dimension lacks the field "rho"`},
		{`"ports": "all", `, ``, `line 1, column 1: the schedule lacks the field "ports"`},
		{`, "item": 1`, ``, `line 2, column 16: a transfer lacks the field "item"`},
		{`"step": 1, "from"`, `"step": 4294967297, "from"`, "line 2, column 25: step is 4294967297, want a whole number from 1 to 2147483647"},
		{`"steps": 1`, `"steps": "1"`, `line 1, column 64: steps is "1", want a whole number from 0 to 2147483647`},
		{`"steps": 1`, `"steps": 3`, "line 1, column 64: steps is 3, but 2 transfers are listed, and a schedule has at most as many steps: a step without a transfer does nothing; number the steps without gaps"},
		{`"steps": 1`, `"waiting": 0, "steps": 30000000`, "line 1, column 78: steps is 30000000, but 2 transfers are listed, "},
		{`"steps": 1`, `"steps": 1, "bound": -1`, "line 1, column 76: bound is -1, want a whole number from 0 to 2147483647"},
		{`"steps": 1`, `"steps": 1, "steps": 2`, `line 1, column 67: field "steps" is given twice`},
		{`"steps": 1`, `"steps": 1, "stages": 2`, `line 1, column 67: unknown field "stages": the fields here are machine, dimensions, operation, `},
		{`"steps": 1`, `"steps": 1, "OPERATION": "gather"`, `line 1, column 67: unknown field "OPERATION": write "operation"`},
		{`"rho": 1}`, `"rho": 1, "m": 3}`, `line 1, column 101: field "m" is given twice`},
		{`"all"`, "\"all\xff\"", "line 1, column 41: it is not UTF-8: byte 0xff"},
		{"}]}", "}]} {}", "line 2, column 105: it is not JSON: invalid character '{' after top-level value"},
		{ring, "[]", "line 1, column 1: the schedule is a list, want an object"},
		{ring, "", "line 1, column 1: it is empty"},
	} {
		require.Contains(t, ring, c.from)
		_, err := Read(strings.NewReader(strings.Replace(ring, c.from, c.to, 1)))
		assert.ErrorContains(t, err, c.want)
	}
}

func TestReadIgnoresAByteOrderMark(t *testing.T) {
	want, err := Read(strings.NewReader(ring))
	require.NoError(t, err)
	got, err := Read(strings.NewReader("\ufeff" + ring))
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// What Write writes, Read reads.
func TestFilesAreReadAsTheyAreWritten(t *testing.T) {
	ring := []Dimension{{M: 3, Rho: 1}}
	for _, want := range []File{
		{Machine: "ring", Dimensions: ring, Operation: Broadcast, Algorithm: "file", Ports: "all", Root: 1, Nodes: 3, Degree: 2, Packets: 1, Steps: 1, Bound: 1, Waiting: -1,
			Transfers: []Transfer{{Step: 1, From: 1, To: 0, Item: Item{1, -1, 0}}, {Step: 1, From: 1, To: 2, Item: Item{1, -1, 0}}}},
		{Machine: "ring", Dimensions: ring, Operation: TotalExchange, Algorithm: "streaming", Ports: "all", Nodes: 3, Degree: 2, Packets: 1, Steps: 1, Bound: 1, Waiting: 0, Translated: true,
			Transfers: []Transfer{{Step: 1, From: 0, To: 1, Item: Item{0, 1, 0}}, {Step: 1, From: 0, To: 2, Item: Item{0, 2, 0}}}},
		{Machine: "ring", Dimensions: ring, Operation: AllReduce, Algorithm: "matching", Ports: "one", Nodes: 3, Degree: 2, Packets: 2, Steps: 2, Bound: 2, Waiting: -1, Phases: true, Translated: true,
			Transfers: []Transfer{{Step: 1, From: 0, To: 1, Item: Item{1, -1, 1}, Add: true}, {Step: 2, From: 0, To: 2, Item: Item{0, -1, 0}}}},
	} {
		var text strings.Builder
		require.NoError(t, want.Write(&text))
		got, err := Read(strings.NewReader(text.String()))
		require.NoError(t, err, text.String())
		assert.Equal(t, &want, got)
	}
}
