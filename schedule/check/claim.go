// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// Described returns the machine whose dimensions a file lists; without a dimension if it lists none.
func Described(f *collective.File) (m Machine) {
	for _, d := range f.Dimensions {
		m.M, m.Rho = append(m.M, d.M), append(m.Rho, d.Rho)
	}
	return m
}

// Claim returns the schedule that a file claims for a machine. The error says which number is not of the machine. The
// transfers are those of the file, not copies.
func Claim(f *collective.File, m Machine) (*collective.Schedule, error) {
	if other := Described(f); len(f.Dimensions) > 0 && other.String() != m.String() {
		return nil, fmt.Errorf("it is for %s, but the machine is %s", other, m)
	}
	if f.Nodes != 0 && f.Nodes != m.Nodes() {
		return nil, fmt.Errorf("it is for %d nodes, but the machine has %d", f.Nodes, m.Nodes())
	}
	if f.Degree != 0 && f.Degree != m.Degree() {
		return nil, fmt.Errorf("it is for degree %d, but the machine has degree %d", f.Degree, m.Degree())
	}
	s := &collective.Schedule{Operation: f.Operation, OnePort: f.OnePort(), Root: f.Root, Packets: f.Packets, Steps: f.Steps, Bound: f.Bound, Waiting: f.Waiting,
		Phases: f.Phases, Period: slices.Clone(m.M), Transfers: f.Transfers}
	if f.Translated {
		for i := range s.Period {
			s.Period[i] = 1
		}
	}
	return s, nil
}
