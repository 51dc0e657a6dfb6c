// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// The ports of a bus are those of its bridge in the library, by name, direction and width.
func TestBusPortsAreThoseOfTheBridge(t *testing.T) {
	for bus := range buses {
		text, err := hdl.Source("hc_" + bus)
		require.NoError(t, err)
		header, _, _ := strings.Cut(string(text), "\n);")
		var want, got []string
		for _, line := range strings.Split(header, "\n") {
			f := strings.Fields(strings.TrimSuffix(line, ","))
			if len(f) >= 3 && (f[0] == "input" || f[0] == "output") && (strings.HasPrefix(f[len(f)-1], "wb_") || strings.HasPrefix(f[len(f)-1], "s_axi_")) {
				width := ""
				if len(f) == 4 {
					width = f[2]
				}
				want = append(want, strings.Join([]string{f[0], width, f[len(f)-1]}, " "))
			}
		}
		for _, w := range buses[bus] {
			direction, width := "input", ""
			if w.Output {
				direction = "output"
			}
			if w.Bits > 1 {
				width = rangeOf(w.Bits)
			}
			got = append(got, strings.Join([]string{direction, width, w.Name}, " "))
		}
		assert.Equal(t, want, got, bus)
	}
}

func TestNetworkOfProgrammableRoutersNeedsThePortsOfTheMachineAlone(t *testing.T) {
	m, _, diags := machine.Load("../configs/programmable.hcl", nil)
	require.False(t, diags.HasErrors(), diags.Error())
	p := plan.New(m)
	m.Programmable.MaxDegree = p.Degree
	p = plan.New(m)
	v := newProgrammableNetworkView(p)
	assert.Zero(t, v.Unused)
	m.Programmable.MaxDegree = 8
	v = newProgrammableNetworkView(plan.New(m))
	assert.Equal(t, 8-p.Degree, v.Unused)
	assert.Equal(t, p.Nodes, len(v.Routers))
}
