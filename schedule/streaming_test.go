// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// Every general schedule with all ports works as hardware, if values may wait, but for an all-reduce in
// which nodes exchange sums.
func TestEveryGeneralScheduleStreams(t *testing.T) {
	Machines(16, 16, func(g *hypercycle.Graph) bool {
		for _, operation := range check.Operations() {
			s, err := Make(g, Request{Operation: operation, Root: g.Nodes() / 2})
			require.NoError(t, err)
			streaming, err := s.Streaming()
			if operation == check.AllReduce && s.Steps%2 == 1 {
				assert.ErrorContains(t, err, "does not add up the sum for node")
				continue
			}
			require.NoError(t, err)
			require.NoError(t, check.CheckStreaming(Machine(g), streaming), "%v %s", Machine(g), operation)
		}
		return !t.Failed()
	})
}
