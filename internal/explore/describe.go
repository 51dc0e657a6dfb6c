// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/machine"
)

// Describe returns the description of a machine of a list, in HCL, with the options that the query is about.
func (q Query) Describe(m *Machine) []byte {
	d := q.described(m)
	if m.Collective.Steps > 0 {
		d.Collectives = []machine.Collective{CollectiveBlock(q.Collective)}
	}
	return fmt.Appendf(nil, "# %s: %d nodes, degree %d, diameter %d\n%s", m, m.Nodes, m.Degree, m.Diameter, d.HCL())
}

// DescribeRouter returns the description of a machine without its collective network.
func (q Query) DescribeRouter(m *Machine) []byte { return q.described(m).HCL() }

// DescribeCollective returns the description of the collective network of a machine alone.
func (q Query) DescribeCollective(m *Machine) []byte {
	d := bare(m.Rings)
	d.Name, d.NoRouters, d.Collectives = moduleName(m), true, []machine.Collective{CollectiveBlock(q.Collective)}
	return d.HCL()
}

// described is the machine without a collective network.
func (q Query) described(m *Machine) *machine.Machine {
	d := bare(m.Rings)
	d.Name, d.PayloadBits, d.Network = moduleName(m), PayloadBits, m.Nodes <= machine.MaxNetworkNodes
	d.Destination = q.Destination
	d.SourceID, d.Last = q.Packets, q.Packets // hc_packets needs both
	return d
}

// moduleName is the name of a machine in its description, such as m5_1x12_2.
func moduleName(m *Machine) string {
	var rings []string
	for _, d := range slices.Backward(m.Rings) {
		rings = append(rings, fmt.Sprintf("%d_%d", d.M, d.Rho))
	}
	if name := "m" + strings.Join(rings, "x"); len(name) <= machine.MaxNameLength {
		return name
	}
	return "machine"
}
