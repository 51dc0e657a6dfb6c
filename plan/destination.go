// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"

	"github.com/hcgen/hcgen/machine"
)

// Destination has the widths of a machine whose messages carry a destination
// (docs/addressed-messages.md). It is nil without the option.
type Destination struct {
	TDestBits  int // of s_axis_local_tdest
	DigitsBits int // of node_digits
	RouteBits  int // of the route of a link, the fields of dimensions 1..r-1

	// Fields by dimension of the machine, [0] is dimension 1. In a programmable router they have the widths of its
	// limits, and fields of further dimensions, which the router ignores, follow above them.
	Fields []DestinationField
}

// DestinationField holds the places of a dimension's bits in tdest, in node_digits and in a route.
type DestinationField struct {
	DigitBits    int // of a digit: ceil(log2 m), or of a programmable router ceil(log2 max_nodes)
	TDestLow     int // lowest bit in tdest; the bit above the digit is all
	DigitLow     int // lowest bit in node_digits
	DistanceBits int // of x: those of floor(m/2), or in a programmable router of floor(max_nodes/2)
	MaxDistance  int // floor(m/2)
	RouteLow     int // lowest bit in a route; for dimension r, which no route has, in the fields of the local input
}

// newDestination computes the widths and places. [0] of dims is dimension 1. limits is nil for a specialized router.
func newDestination(dims []Dim, limits *machine.Programmable) *Destination {
	d := &Destination{}
	rank := len(dims)
	if limits != nil {
		rank = limits.MaxDimensions
	}
	for i := range rank {
		var dim Dim
		if i < len(dims) {
			dim = dims[i]
		}
		nodes := dim.M
		if limits != nil {
			nodes = limits.MaxNodes
		}
		f := DestinationField{
			DigitBits: bits.Len(uint(nodes - 1)), TDestLow: d.TDestBits, DigitLow: d.DigitsBits,
			DistanceBits: bits.Len(uint(nodes / 2)), MaxDistance: dim.M / 2, RouteLow: d.RouteBits,
		}
		d.TDestBits += f.DigitBits + 1
		d.DigitsBits += f.DigitBits
		if i < rank-1 {
			d.RouteBits += f.Bits()
		}
		if i < len(dims) {
			d.Fields = append(d.Fields, f)
		}
	}
	return d
}

// Addresses lays out the digits of node numbers, as tdest and node_digits have them where messages carry a destination.
func (p *Plan) Addresses() *Destination {
	if p.Destination != nil {
		return p.Destination
	}
	var limits *machine.Programmable
	if p.Programmable != nil {
		limits = &p.Programmable.Programmable
	}
	return newDestination(p.Dims, limits)
}

// Routed reports whether a route on a link has the field. Only the local input uses that of the highest dimension.
func (d *Destination) Routed(f DestinationField) bool { return f.RouteLow < d.RouteBits }

// Bits is the width of a field {flag, x} in a route.
func (f DestinationField) Bits() int { return f.DistanceBits + 1 }
