// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// Every general schedule with all ports works as hardware, if values may wait, but for an all-reduce in
// which nodes exchange sums.
func TestEveryGeneralScheduleStreams(t *testing.T) {
	Machines(16, 16, func(g *hypercycle.Graph) bool {
		for _, operation := range collective.Operations() {
			s, err := Make(g, Request{Operation: operation, Root: g.Nodes() / 2})
			require.NoError(t, err)
			streaming, err := s.Streaming()
			if operation == collective.AllReduce && s.Steps%2 == 1 {
				assert.ErrorContains(t, err, "sends a partial sum for itself")
				continue
			}
			require.NoError(t, err)
			require.NoError(t, check.CheckStreaming(Machine(g), streaming), "%v %s", Machine(g), operation)
			claim := s.Claim()
			claim.Waiting = streaming.Waiting()
			require.NoError(t, check.Check(Machine(g), claim), "%v %s", Machine(g), operation)
		}
		return !t.Failed()
	})
}

// The all-reduce of one word takes D steps on every machine, and needs no more than three registers.
func TestOneWord(t *testing.T) {
	Machines(40, 40, func(g *hypercycle.Graph) bool {
		s := OneWord(g)
		require.NoError(t, check.CheckStreaming(Machine(g), s), "%v", Machine(g))
		assert.Equal(t, g.Diameter(), s.Steps)
		assert.Equal(t, s.Registers, s.Accumulators, "nothing waits")
		return !t.Failed()
	})
}
