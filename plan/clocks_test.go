// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// The number of a region has the digits of the dimensions with clocks, the lowest dimension lowest.
func TestRegionsAreNumberedByTheDigitsOfDimensionsWithClocks(t *testing.T) {
	m, err := machine.Bare(hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 3, Rho: 1}, hypercycle.Dimension{M: 2, Rho: 1})
	require.NoError(t, err)
	m.Network = true
	m.Dimensions[0].Link.Kind = machine.Clocks
	m.Dimensions[1].Link.Registers = 2
	m.Dimensions[2].Link.Kind = machine.Clocks
	p := New(m)
	assert.Equal(t, 4*2, p.Regions())
	for n := range p.Nodes {
		assert.Equal(t, n%4+4*(n/12), p.Region(n), n)
	}
	assert.Equal(t, 5, p.Lead)
	assert.Equal(t, 4, p.PaceBits)
	assert.Equal(t, 1, p.BarrierPeriod())
	assert.False(t, p.HasTrace())
	widths := map[string]int{"clk": 8, "rst": 8, "header_error": 8, "s_axis_tvalid": 24}
	for _, w := range p.NetworkWires() {
		if width, ok := widths[w.Name]; ok {
			assert.True(t, w.Vector, w.Name)
			assert.Equal(t, width, w.Width(), w.Name)
			delete(widths, w.Name)
		}
	}
	assert.Empty(t, widths)

	// The longest link of all determines the lead.
	m.Dimensions[1].Link.Registers = 8
	assert.Equal(t, 9, New(m).Lead)
}

// A machine on one clock has one region, and the ports that it always has.
func TestMachinesOnOneClockHaveOneRegion(t *testing.T) {
	m, err := machine.Bare(hypercycle.Dimension{M: 4, Rho: 1})
	require.NoError(t, err)
	m.Network = true
	p := New(m)
	assert.Equal(t, 1, p.Regions())
	assert.True(t, p.HasTrace())
	for _, w := range p.NetworkWires()[:2] {
		assert.False(t, w.Vector, w.Name)
	}
}
