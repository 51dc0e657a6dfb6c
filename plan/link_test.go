// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/hypercycle"
)

func TestFieldsOfALink(t *testing.T) {
	p := New(machineOf(t, 8, true, hypercycle.Balanced, hypercycle.Dimension{M: 5, Rho: 1}))
	fields := p.LinkFields()
	assert.Equal(t, Fields{{FieldWd, 1}, {FieldWc, 2}, {FieldSource, 3}, {FieldPayload, 8}}, fields)
	assert.Equal(t, fields[2:], p.BodyFields())
	assert.Equal(t, []int{14, 13, 11}, []int{p.LinkBits, p.WordBits(), p.BodyBits()})
	var low []int
	for _, f := range fields {
		low = append(low, fields.Low(f.Name))
	}
	assert.Equal(t, []int{13, 11, 8, 0}, low)

	p = New(machineOf(t, 8, false, hypercycle.Balanced, hypercycle.Dimension{M: 5, Rho: 1}))
	assert.Equal(t, Fields{{FieldWd, 1}, {FieldWc, 2}, {FieldPayload, 8}}, p.LinkFields())
}

// Every port of a plan is at the end of the paths of its inputs and dimensions.
func TestPathsOfARouter(t *testing.T) {
	p := New(machineOf(t, 8, false, hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2}, hypercycle.Dimension{M: 2, Rho: 1}))
	assert.Equal(t, []Path{{Local, 1}, {4, 1}}, p.Dims[0].Entering())
	assert.Equal(t, []Path{{Local, 2}}, p.Dims[1].Entering())
	assert.Equal(t, Path{3, 1}, p.Ports[1].Continuing())
	assert.Equal(t, []Path{{2, 1}}, p.Ports[1].Transferring())
	assert.Empty(t, p.Ports[0].Transferring())
	assert.Equal(t, []Path{{0, Delivery}, {1, Delivery}, {2, Delivery}, {3, Delivery}, {4, Delivery}}, p.Delivering(0))
	var targets []int
	for _, q := range p.Ports {
		targets = append(targets, q.Targets())
	}
	assert.Equal(t, []int{2, 2, 2, 2, 2}, targets)
}

// A hop takes the cycles of a router and those of its link.
func TestCrossingIsThatOfTheFarthestNode(t *testing.T) {
	m := machineOf(t, 8, false, hypercycle.Clockwise, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 7, Rho: 1})
	m.Dimensions[1].Link.Registers = 3
	assert.Equal(t, 2+3*4, New(m).Crossing())
	m.Stages = 2
	assert.Equal(t, 2*2+3*5, New(m).Crossing())
	assert.Equal(t, 3, New(m).Latency())
}
