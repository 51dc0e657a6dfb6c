// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

func TestProgrammableRouterHasTheWidthsOfItsLimits(t *testing.T) {
	m := machineOf(t, 8, true, hypercycle.Balanced, hypercycle.Dimension{M: 5, Rho: 2}, hypercycle.Dimension{M: 2, Rho: 1})
	special := New(m)
	assert.Nil(t, special.Programmable)
	assert.Equal(t, []int{2, 1, 4, 15, 5}, []int{special.WdBits, special.WcBits, special.SourceBits, special.LinkBits, special.RouterPorts})

	m.Programmable = &machine.Programmable{Bus: machine.Wishbone, MaxDimensions: 4, MaxNodes: 15, MaxDegree: 16}
	p := New(m)
	assert.Equal(t, []int{3, 3, 16, 30, 16, 16}, []int{p.WdBits, p.WcBits, p.SourceBits, p.LinkBits, p.RouterPorts, p.Programmable.NodeBits})
	assert.Equal(t, special.Ports, p.Ports, "what the machine does is the same")
	assert.Equal(t, special.Dims, p.Dims)
	assert.Equal(t, []Write{
		{"RANK", 0x0c, 2}, {"PREFERENCE", 0x10, 2}, {"DIMENSION", 0x20, 2<<16 | 5}, {"DIMENSION", 0x24, 1<<16 | 2}, {"CONTROL", 0x04, 1},
	}, p.Programmable.Writes)

	m.SourceID = false
	m.Programmable = &machine.Programmable{Bus: machine.AXI4Lite, MaxDimensions: 2, MaxNodes: 5, MaxDegree: 5}
	p = New(m)
	assert.Equal(t, []int{2, 2, 0, 12, 5, 5}, []int{p.WdBits, p.WcBits, p.SourceBits, p.LinkBits, p.RouterPorts, p.Programmable.NodeBits})
}

func TestDestinationsOfAProgrammableRouterHaveTheWidthsOfItsLimits(t *testing.T) {
	m := machineOf(t, 8, false, hypercycle.Clockwise, hypercycle.Dimension{M: 5, Rho: 2}, hypercycle.Dimension{M: 2, Rho: 1})
	m.Destination = true
	m.Programmable = &machine.Programmable{Bus: machine.Wishbone, MaxDimensions: 3, MaxNodes: 9, MaxDegree: 8}
	p := New(m)
	assert.Equal(t, &Destination{
		TDestBits: 15, DigitsBits: 12, RouteBits: 8,
		Fields: []DestinationField{
			{DigitBits: 4, TDestLow: 0, DigitLow: 0, DistanceBits: 3, MaxDistance: 2, RouteLow: 0},
			{DigitBits: 4, TDestLow: 5, DigitLow: 4, DistanceBits: 3, MaxDistance: 1, RouteLow: 4},
		},
	}, p.Destination)
	assert.Equal(t, 2+3+1+8+8, p.LinkBits)
}

// Worked out by hand from equations (3) and (6) and the register map.
func TestWhatAProgrammableRouterAnswers(t *testing.T) {
	m := machineOf(t, 8, false, hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2}, hypercycle.Dimension{M: 5, Rho: 1})
	m.Programmable = &machine.Programmable{Bus: machine.Wishbone, MaxDimensions: 3, MaxNodes: 7, MaxDegree: 9}
	p := New(m).Programmable
	assert.Equal(t, []Read{
		{"LIMITS", 0x00, 0x01090703}, {"STATUS", 0x08, 1}, {"RANK", 0x0c, 2}, {"PREFERENCE", 0x10, 0},
		{"DEGREE", 0x14, 6}, {"OTHERS", 0x18, 29}, {"STEPS", 0x1c, 4},
		{"DIMENSION of dimension 1", 0x20, 0x00020006}, {"CONSTANTS of dimension 1", 0x30, 0x00010002}, {"SIDES of dimension 1", 0x40, 0x01000002},
		{"DIMENSION of dimension 2", 0x24, 0x00010005}, {"CONSTANTS of dimension 2", 0x34, 0x00000202}, {"SIDES of dimension 2", 0x44, 0x00020002},
	}, p.Reads)
	assert.Equal(t, []Read{{"ACCEPTED", 0x50, 0}, {"FORWARDED", 0x54, 0}, {"DELIVERED", 0x58, 0}, {"DROPPED", 0x5c, 0}}, p.Counters)
}
