// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/options"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// A network that is changed differs from the generated one only in what was changed.
func TestRewiredNetworks(t *testing.T) {
	for _, name := range []string{"all options", "registers"} {
		p := options.Machines()[name]
		written := func(change func(connected []map[string]string)) string {
			var text bytes.Buffer
			require.NoError(t, Rewired(p, change)(&text))
			return text.String()
		}
		files, err := Files(p, nil)
		require.NoError(t, err)
		at := slices.IndexFunc(files, func(f artifact.File) bool { return strings.HasSuffix(f.Path, p.NetworkModule+".v") })
		var text bytes.Buffer
		require.NoError(t, files[at].Content(&text))
		generated := text.String()
		assert.Equal(t, generated, written(func([]map[string]string) {}))

		var one, other string
		swapped := written(func(connected []map[string]string) {
			require.Len(t, connected, p.Nodes)
			const port = "s_axis_local_tdest"
			one, other = connected[3][port], connected[4][port]
			connected[3][port], connected[4][port] = other, one
		})
		assert.NotEqual(t, one, other)
		assert.Equal(t, strings.NewReplacer("tdest ("+one, "tdest ("+other, "tdest ("+other, "tdest ("+one).Replace(generated), swapped)
	}
}

func TestNetworkOfProgrammableRoutersNeedsThePortsOfTheMachineAlone(t *testing.T) {
	m, _, diags := machine.Load("../../configs/programmable.hcl", nil)
	require.False(t, diags.HasErrors(), diags.Error())
	p := plan.New(m)
	m.Programmable.MaxDegree = p.Degree
	p = plan.New(m)
	v := newNetworkView(p)
	assert.Zero(t, v.Unused)
	m.Programmable.MaxDegree = 8
	v = newNetworkView(plan.New(m))
	assert.Equal(t, 8-p.Degree, v.Unused)
	assert.Equal(t, p.Nodes, len(v.NodeList))
}

// The header of a router names what lies on the links of a dimension. The latency of links between clocks is no number of
// registers.
func TestHeadersNameWhatLiesOnLinks(t *testing.T) {
	m, err := machine.Bare(hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1})
	require.NoError(t, err)
	m.Dimensions[1].Link.Registers = 3
	m.Dimensions[2].Link.Kind = machine.Clocks
	var text bytes.Buffer
	require.NoError(t, Router(plan.New(m))(&text))
	for i, links := range []string{"", ", registers on links: 3", ", links between clocks"} {
		assert.Contains(t, text.String(), fmt.Sprintf("// Dimension %d \"d%d\": m = 4, rho = 1, D = 2, a = 1, k = 0%s.\n", i+1, i+1, links))
	}
}
