// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// Generation finds the schedule of each collective network once: for Verilog, proofs, golden traces and the report.
func TestSchedulesAreFoundOnce(t *testing.T) {
	m := loaded(t, `
machine "ring" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  collective "gather" {
    operation = "all-gather"
  }
  collective "down" {
    operation = "broadcast"
    root      = [1]
  }
  collective "sum" {
    operation = "all-reduce"
    words     = "one"
  }
}
`)
	found := map[string]int{}
	count := func(g *hypercycle.Graph, operation string, root int, given *collective.Schedule) (*collective.Streaming, int, error) {
		found[operation]++
		return schedule.ForNetwork(g, operation, root, given)
	}
	made, err := files(plan.New(m), count, Options{})
	require.NoError(t, err)
	for _, f := range made {
		require.NoError(t, f.Content(io.Discard), f.Path)
	}
	assert.Equal(t, map[string]int{collective.AllGather: 1, collective.Broadcast: 1, collective.AllReduceWord: 1}, found)
}
