// SPDX-License-Identifier: Apache-2.0

package check

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ring = `{"operation": "broadcast", "ports": "all", "root": 1, "steps": 1, "dimensions": [{"m": 3, "rho": 1}],
	"transfers": [{"step": 1, "from": 1, "to": 0, "item": 1}, {"step": 1, "from": 1, "to": 2, "item": 1}]}`

// What a file leaves out has the value that its format says.
func TestReadFillsWhatIsMissing(t *testing.T) {
	f, err := Read(strings.NewReader(ring))
	require.NoError(t, err)
	m := Machine{M: []int{3}, Rho: []int{1}}
	s, err := f.Schedule(m)
	require.NoError(t, err)
	assert.Equal(t, &Schedule{Operation: Broadcast, Root: 1, Packets: 1, Steps: 1, Waiting: -1, Period: []int{3},
		Transfers: []Transfer{{Step: 1, From: 1, To: 0, Item: Item{1, -1, 0}}, {Step: 1, From: 1, To: 2, Item: Item{1, -1, 0}}}}, s)
	assert.NoError(t, Check(m, s))
}

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

// A schedule that takes fewer steps refutes a bound.
func TestBoundsAboveTheStepsAreRefuted(t *testing.T) {
	m := Machine{M: []int{3}, Rho: []int{1}}
	for bound, want := range map[string]string{"0": "", "1": "", "2": "the bound is 2 steps, but the schedule takes 1: it is no lower bound"} {
		f, err := Read(strings.NewReader(strings.Replace(ring, `"steps": 1`, `"steps": 1, "bound": `+bound, 1)))
		require.NoError(t, err)
		s, err := f.Schedule(m)
		require.NoError(t, err)
		if err := Check(m, s); want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

func TestSchedulesOfOtherMachinesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`"nodes": 4, `:  "it is for 4 nodes, but the machine has 3",
		`"degree": 3, `: "it is for degree 3, but the machine has degree 2",
	} {
		f, err := Read(strings.NewReader(strings.Replace(ring, `"steps": 1, `, text+`"steps": 1, `, 1)))
		require.NoError(t, err)
		_, err = f.Schedule(Machine{M: []int{3}, Rho: []int{1}})
		assert.EqualError(t, err, want)
	}
	f, err := Read(strings.NewReader(ring))
	require.NoError(t, err)
	_, err = f.Schedule(Machine{M: []int{3, 2}, Rho: []int{1, 1}})
	assert.EqualError(t, err, "it is for (3,1), but the machine is (2,1)x(3,1)")
}

func TestMachinesOfFilesAreValidated(t *testing.T) {
	for want, m := range map[string]Machine{
		"dimension 1: m is 1, want 2 to 1048576":       {[]int{1}, []int{1}},
		"dimension 2: rho is 3, want 1 to 2":           {[]int{4, 5}, []int{1, 3}},
		"the machine has more than 1048576 nodes":      {[]int{1 << 20, 2}, []int{1, 1}},
		"dimension 1: m is 1048577, want 2 to 1048576": {[]int{1<<20 + 1}, []int{1}},
	} {
		assert.EqualError(t, m.Validate(), want)
	}
	assert.NoError(t, Machine{[]int{4, 5}, []int{2, 2}}.Validate())
}

// A file is a schedule that can be checked, or is refused; nothing else happens.
func FuzzSchedule(f *testing.F) {
	f.Add([]byte(ring))
	f.Add([]byte(strings.Replace(ring, `"transfers"`, `"translated": true, "transfers"`, 1)))
	f.Add([]byte(`{"operation": "total-exchange", "ports": "one", "steps": 1, "dimensions": [{"m": 2, "rho": 1}],
		"translated": true, "transfers": [{"step": 1, "from": 0, "to": 1, "item": [0, 1]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var m Machine
		for _, d := range file.Dimensions {
			m.M, m.Rho = append(m.M, d.M), append(m.Rho, d.Rho)
		}
		if m.Validate() != nil || m.Nodes() > 64 || len(m.M) == 0 {
			return
		}
		s, err := file.Schedule(m)
		if err != nil {
			return
		}
		_ = Check(m, s)
	})
}
