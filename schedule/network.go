// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// ForNetwork finds what the nodes of a collective network do, with the lower bound of the steps. The operation is
// one of collective.Operations, or collective.AllReduceWord. The schedule is the one given, which Load has read, or,
// if that is nil, the one that a search finds. The error is that of Make.
func ForNetwork(g *hypercycle.Graph, operation string, root int, from *collective.Schedule) (s *collective.Streaming, bound int, err error) {
	var made *Schedule
	switch {
	case operation == collective.AllReduceWord:
		return OneWord(g), g.Diameter(), nil
	case from != nil:
		made = given(g, from)
	default:
		if made, err = Make(g, Request{Operation: operation, Root: root, Algorithm: "streaming"}); err != nil {
			return nil, 0, err
		}
	}
	s, err = made.Streaming()
	return s, made.Bound, err
}
