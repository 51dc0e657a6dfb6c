// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// severalOperations is the network of a ring of these operations.
func severalOperations(t *testing.T, nodes int, operations ...string) *plan.Collective {
	t.Helper()
	file := filepath.Join(t.TempDir(), "machine.hcl")
	text := fmt.Sprintf("machine \"m\" {\n  dimension \"x\" {\n    m = %d\n    rho = 1\n  }\n  collective \"net\" {\n    operations = [\"%s\"]\n  }\n}\n",
		nodes, strings.Join(operations, `", "`))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	m, _, diags := machine.Load(file, nil)
	require.False(t, diags.HasErrors(), diags.Error())
	c, err := plan.NewCollective(m, m.Collectives[0], schedule.ForNetwork)
	require.NoError(t, err)
	return c
}

// Covers reach the end of each operation, except of those that take long. They always reach an end.
func TestCoversReachTheEndsOfShortOperations(t *testing.T) {
	for _, c := range []struct {
		nodes      int
		operations []string
		ends       []bool
	}{
		{6, []string{"total-exchange", "all-gather", "all-reduce"}, []bool{true, true, true}},
		{24, []string{"total-exchange", "all-gather"}, []bool{false, true}},
		{84, []string{"all-gather", "total-exchange"}, []bool{true, false}},
	} {
		network := severalOperations(t, c.nodes, c.operations...)
		v := NewCollectiveProof(network)
		covers, depth := 2, 0
		for i, kind := range v.Kinds {
			assert.Equal(t, c.ends[i], kind.Ends, "%s on %d nodes", kind.Name, c.nodes)
			covers++
			if kind.Ends {
				covers++
				depth = max(depth, network.Schedules[i].Period+v.ProofSkew+4)
			}
		}
		assert.Equal(t, depth, v.CoverDepth)
		count, err := v.NodesCount()
		require.NoError(t, err)
		assert.Equal(t, covers, count.Covers)
	}
}

// The rows of each operation have the steps that the table says it has.
func TestTableSaysWhichStepsAreOfAnOperation(t *testing.T) {
	v := NewCollectiveProof(severalOperations(t, 4, "reduce-scatter", "all-gather", "all-reduce"))
	assert.Equal(t, []string{"`OPERATION(0, 1)  // reduce-scatter", "`OPERATION(1, 3)  // all-gather", "`OPERATION(2, 5)  // all-reduce"}, v.Rows[:3])
	assert.NotContains(t, v.Rows[3], "OPERATION")
	results := v.Rows[len(v.Rows)-2:]
	assert.Contains(t, results[0], "`RESULT(0, 0, ")
	assert.Contains(t, results[1], "`RESULT(0, 2, ")
	assert.Empty(t, v.Module, "there is no proof of the whole network")
}
