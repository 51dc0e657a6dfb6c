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
	assert.Equal(t, &Schedule{Operation: Broadcast, Root: 1, Packets: 1, Steps: 1, Period: []int{3},
		Transfers: []Transfer{{1, 1, 0, Item{1, -1, 0}}, {1, 1, 2, Item{1, -1, 0}}}}, s)
	assert.NoError(t, Check(m, s))
}

func TestReadTellsWhatAFileIsNot(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`{"operation"`, `"operation"`, "it is no schedule in JSON"},
		{`"broadcast"`, `"gossip"`, `operation is "gossip", want one of broadcast, `},
		{`"all"`, `"both"`, `ports is "both", want all or one`},
		{`"root": 1, `, ``, "broadcast needs a root, but none is given"},
		{`"item": 1`, `"item": "one"`, `item "one" is neither a node nor a list of two nodes`},
		{`"item": 1`, `"item": [1, 2, 3]`, "is neither a node nor a list of two nodes"},
		{"}]}", "}]} {}", "something follows the schedule"},
	} {
		_, err := Read(strings.NewReader(strings.Replace(ring, c.from, c.to, 1)))
		assert.ErrorContains(t, err, c.want)
	}
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
	for _, item := range []string{``, `, "item": null`} {
		f, err := Read(strings.NewReader(strings.Replace(ring, `, "item": 1`, item, 1)))
		require.NoError(t, err)
		_, err = f.Schedule(Machine{M: []int{3}, Rho: []int{1}})
		assert.EqualError(t, err, "transfer 1 has no item")
	}
	f, err = Read(strings.NewReader(strings.Replace(ring, `"step": 1, "from"`, `"step": 4294967297, "from"`, 1)))
	require.NoError(t, err)
	_, err = f.Schedule(Machine{M: []int{3}, Rho: []int{1}})
	assert.EqualError(t, err, "transfer 1: 4294967297 is no step, node or packet")
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
