// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/schedule/check"
)

const ring = `{"operation": "broadcast", "ports": "all", "root": 1, "steps": 1, "dimensions": [{"m": 3, "rho": 1}],
	"transfers": [{"step": 1, "from": 1, "to": 0, "item": 1}, {"step": 1, "from": 1, "to": 2, "item": 1}]}`

// What a file leaves out has the value that its format says.
func TestReadFillsWhatIsMissing(t *testing.T) {
	f, err := collective.Read(strings.NewReader(ring))
	require.NoError(t, err)
	m := check.Machine{M: []int{3}, Rho: []int{1}}
	s, err := check.Claim(f, m)
	require.NoError(t, err)
	assert.Equal(t, &collective.Schedule{Operation: collective.Broadcast, Root: 1, Packets: 1, Steps: 1, Waiting: -1, Period: []int{3},
		Transfers: []collective.Transfer{{Step: 1, From: 1, To: 0, Item: collective.Item{Node: 1, For: -1}}, {Step: 1, From: 1, To: 2, Item: collective.Item{Node: 1, For: -1}}}}, s)
	assert.NoError(t, check.Check(m, s))
}

// A schedule that takes fewer steps refutes a bound.
func TestBoundsAboveTheStepsAreRefuted(t *testing.T) {
	m := check.Machine{M: []int{3}, Rho: []int{1}}
	for bound, want := range map[string]string{"0": "", "1": "", "2": "the bound is 2 steps, but the schedule takes 1: it is no lower bound"} {
		f, err := collective.Read(strings.NewReader(strings.Replace(ring, `"steps": 1`, `"steps": 1, "bound": `+bound, 1)))
		require.NoError(t, err)
		s, err := check.Claim(f, m)
		require.NoError(t, err)
		if err := check.Check(m, s); want == "" {
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
		f, err := collective.Read(strings.NewReader(strings.Replace(ring, `"steps": 1, `, text+`"steps": 1, `, 1)))
		require.NoError(t, err)
		_, err = check.Claim(f, check.Machine{M: []int{3}, Rho: []int{1}})
		assert.EqualError(t, err, want)
	}
	f, err := collective.Read(strings.NewReader(ring))
	require.NoError(t, err)
	_, err = check.Claim(f, check.Machine{M: []int{3, 2}, Rho: []int{1, 1}})
	assert.EqualError(t, err, "it is for (3,1), but the machine is (2,1)x(3,1)")
}

func TestMachinesOfFilesAreValidated(t *testing.T) {
	for want, m := range map[string]check.Machine{
		"dimension 1: m is 1, want 2 to 1048576":       {[]int{1}, []int{1}},
		"dimension 2: rho is 3, want 1 to 2":           {[]int{4, 5}, []int{1, 3}},
		"the machine has more than 1048576 nodes":      {[]int{1 << 20, 2}, []int{1, 1}},
		"dimension 1: m is 1048577, want 2 to 1048576": {[]int{1<<20 + 1}, []int{1}},
	} {
		assert.EqualError(t, m.Validate(), want)
	}
	assert.NoError(t, check.Machine{[]int{4, 5}, []int{2, 2}}.Validate())
}

// A file is a schedule that can be checked, or is refused; nothing else happens.
func FuzzSchedule(f *testing.F) {
	f.Add([]byte(ring))
	f.Add([]byte(strings.Replace(ring, `"transfers"`, `"translated": true, "transfers"`, 1)))
	f.Add([]byte(`{"operation": "total-exchange", "ports": "one", "steps": 1, "dimensions": [{"m": 2, "rho": 1}],
		"translated": true, "transfers": [{"step": 1, "from": 0, "to": 1, "item": [0, 1]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := collective.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		m := check.Described(file)
		if m.Validate() != nil || m.Nodes() > 64 || len(m.M) == 0 {
			return
		}
		s, err := check.Claim(file, m)
		if err != nil {
			return
		}
		_ = check.Check(m, s)
	})
}
