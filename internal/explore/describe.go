// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/machine"
)

// Describe returns a machine of a list with the options that the query is about. All others have their defaults.
func (q Query) Describe(m *Machine) *machine.Machine {
	d := bare(m.Rings)
	d.Name, d.PayloadBits, d.Network = moduleName(m), PayloadBits, m.Nodes <= machine.MaxNetworkNodes
	d.Destination = q.Destination
	d.SourceID, d.Last = q.Packets, q.Packets // hc_packets needs both
	if m.Collective.Steps > 0 {
		d.Collectives = []machine.Collective{CollectiveBlock(q.Collective)}
	}
	return d
}

// WriteHCL writes the description of a machine of a list.
func WriteHCL(out io.Writer, q Query, m *Machine) error {
	_, err := fmt.Fprintf(out, "# %s: %d nodes, degree %d, diameter %d\n%s", m, m.Nodes, m.Degree, m.Diameter, q.Describe(m).HCL())
	return err
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
