// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/internal/cases"
	"github.com/hcgen/hcgen/sim/measure"
)

// Network and node traces have ready 0 in a stall.
func TestTracesShowScheduledStalls(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}, perPort())
	load := random(0.5, 0, 1)
	load.Cycles, load.Stalls = 100, append(slices.Clone(cases.Stalls), machine.Stall{Receivers: []int{0}, At: 50, Cycles: 40})
	for node, write := range map[int]func(io.Writer, *plan.Plan, machine.Traffic, func(done, total int)) (measure.Summary, error){
		allNodes: WriteNetwork, 0: WriteNode,
	} {
		var trace bytes.Buffer
		_, err := write(&trace, p, load, nil)
		require.NoError(t, err)
		stalls := 0
		for _, l := range parse(t, p, trace.String(), load.Name, load.Cycles, node) {
			if strings.HasPrefix(l.stream, "m_local") {
				stalled := cases.Stalled(l.node, l.cycle) || l.node == 0 && l.cycle >= 50 && l.cycle < 90
				require.Equal(t, !stalled, l.ready, "%+v", l)
				if stalled {
					stalls++
				}
			}
		}
		require.Greater(t, stalls, 30)
	}
}
