// SPDX-License-Identifier: Apache-2.0

package completion

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// On the ring of 5 with degree 2, 4 items take 4 cycles from a router and 2 steps on links; both take 1 cycle more.
func TestCyclesEndWithTheLastDelivery(t *testing.T) {
	m, err := machine.Bare(hypercycle.Dimension{M: 5, Rho: 1})
	require.NoError(t, err)
	cycles, bound, err := Routers(m, collective.AllGather)
	require.NoError(t, err)
	assert.Equal(t, 5, bound)
	assert.Equal(t, 5, cycles)
	assert.False(t, m.Destination, "the machine of the caller does not change")
	network, err := Network(m, collective.AllGather)
	require.NoError(t, err)
	assert.Equal(t, 3, network)
	network, err = Network(m, collective.AllReduceWord)
	require.NoError(t, err)
	assert.Equal(t, 3, network)
}
