// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// A description has no errors and no warnings, and it is of the machine in the row: the same rings in the same order, the payload
// of the estimate, and the options of the query.
func TestDescriptionsAreOfTheMachineInTheRow(t *testing.T) {
	for name, q := range map[string]Query{
		"plain":        {Nodes: Range{12, 12}},
		"destinations": {Nodes: Range{12, 12}, Destination: true},
		"packets":      {Nodes: Range{12, 12}, Packets: true},
		"collective":   {Nodes: Range{12, 12}, Collective: collective.TotalExchange, Destination: true},
		"too large for the schedule of a collective network": {Nodes: Range{64, 66}, Degree: Range{2, 2}, Collective: collective.AllGather},
		"too large for a network":                            {Nodes: Range{1024, 1025}, Degree: Range{1, 4}},
		"many dimensions":                                    {Nodes: Range{1 << 17, 1 << 17}, Degree: Range{17, 17}, Dims: Range{17, 17}},
	} {
		t.Run(name, func(t *testing.T) {
			q.Links = AllLinks
			if q.Degree == (Range{}) {
				q.Degree = AllDegrees
			}
			if q.Dims == (Range{}) {
				q.Dims = AllDims
			}
			list, err := List(q)
			require.NoError(t, err)
			require.NotEmpty(t, list)
			for i := range list {
				row := &list[i]
				var text strings.Builder
				require.NoError(t, WriteHCL(&text, q, row))
				m, _, diags := machine.LoadBytes("machine.hcl", []byte(text.String()), nil)
				require.Empty(t, diags, text.String())
				var rings []hypercycle.Dimension
				for _, d := range m.Dimensions {
					rings = append(rings, d.Dimension)
				}
				assert.Equal(t, row.Rings, rings)
				assert.Equal(t, row.Diameter, m.Graph.Diameter())
				assert.Equal(t, PayloadBits, m.PayloadBits)
				assert.Equal(t, []bool{q.Destination, q.Packets, q.Packets}, []bool{m.Destination, m.SourceID, m.Last})
				assert.Equal(t, row.Nodes <= machine.MaxNetworkNodes, m.Network)
				assert.Contains(t, text.String(), "# "+row.String()+":")
				if q.Collective == "" || row.Nodes > MaxCollectiveNodes {
					assert.Empty(t, m.Collectives)
				} else {
					require.Len(t, m.Collectives, 1)
					assert.Equal(t, q.Collective, m.Collectives[0].Operation)
					assert.Equal(t, PayloadBits, m.Collectives[0].PayloadBits)
				}
			}
		})
	}
}

func TestDescribedMachinesHaveDifferentNames(t *testing.T) {
	q := Query{Nodes: Range{12, 16}, Degree: AllDegrees, Dims: AllDims, Links: AllLinks}
	list, err := List(q)
	require.NoError(t, err)
	names := map[string]string{}
	for i := range list {
		name := moduleName(&list[i])
		assert.NotContains(t, names, name)
		names[name] = list[i].String()
	}
	assert.Equal(t, "(3,1)x(4,1)", names["m3_1x4_1"])
}
