// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule"
)

func collectiveOf(t *testing.T, c machine.Collective, rings ...hypercycle.Dimension) *Collective {
	t.Helper()
	m, err := machine.Bare(rings...)
	require.NoError(t, err)
	p, err := NewCollective(m, c, schedule.ForNetwork)
	require.NoError(t, err)
	return p
}

func TestStepsThatCombineTakeTheLatencyOfTheirOperators(t *testing.T) {
	torus := []hypercycle.Dimension{{M: 4, Rho: 1}, {M: 4, Rho: 1}}
	c := machine.Collective{Name: "sum", Operation: collective.AllReduce, OneWord: true, PayloadBits: 8, Operator: "add"}
	p := collectiveOf(t, c, torus...)
	assert.Equal(t, []int{0, 1, 2, 3, 4}, p.Times)
	assert.Equal(t, 4, p.Period)

	c.Operator, c.Latency = "fp_adder", 3
	p = collectiveOf(t, c, torus...)
	assert.Equal(t, 1, p.Times[1], "nothing has arrived")
	assert.Equal(t, p.Times[4]+3*Levels(p.Programs[0].Result), p.Period)
	assert.Greater(t, p.Times[4], 4)
}

// A network carries out the schedule that the description gives.
func TestGivenSchedulesAreCarriedOut(t *testing.T) {
	m, err := machine.Bare(hypercycle.Dimension{M: 4, Rho: 1})
	require.NoError(t, err)
	c := machine.Collective{Name: "net", Operation: collective.TotalExchange, PayloadBits: 8}
	p, err := NewCollective(m, c, schedule.ForNetwork)
	require.NoError(t, err)
	assert.Equal(t, "streaming", p.Algorithm())
	assert.Equal(t, []int{3, 2}, []int{p.Steps, p.Bound})

	c.File = "slow.json"
	f, err := os.Open("../machine/testdata/schedules/slow.json")
	require.NoError(t, err)
	defer f.Close()
	c.Given, err = schedule.Load(m.Graph, f)
	require.NoError(t, err)
	p, err = NewCollective(m, c, schedule.ForNetwork)
	require.NoError(t, err)
	assert.Equal(t, `file "slow.json"`, p.Algorithm())
	assert.Equal(t, []int{4, 2}, []int{p.Steps, p.Bound})
	assert.Equal(t, 4, p.Period)
}

func TestIndexOfPacksDigits(t *testing.T) {
	p := collectiveOf(t, machine.Collective{Name: "c", Operation: collective.AllGather, PayloadBits: 8},
		hypercycle.Dimension{M: 5, Rho: 1}, hypercycle.Dimension{M: 3, Rho: 1})
	assert.Equal(t, 5, p.IndexBits)
	assert.EqualValues(t, 2<<3|4, p.IndexOf(2*5+4))
}
