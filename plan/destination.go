// SPDX-License-Identifier: Apache-2.0

package plan

import "math/bits"

// Units of the credit of a router with destinations (docs/addressed-messages.md, "Pace").
const (
	UnicastCost = 1  // of a message to a single node
	TurnCost    = 16 // of every other message, and what a tick adds
	CreditCap   = 2 * TurnCost
)

// Destination has the widths of a machine whose messages carry a destination
// (docs/addressed-messages.md). It is nil without the option.
type Destination struct {
	TDestBits  int // of s_axis_local_tdest
	DigitsBits int // of node_digits
	RouteBits  int // of the route of a link, the fields of dimensions 1..r-1

	Fields []DestinationField // by dimension, [0] is dimension 1
}

// DestinationField says where the part of a dimension is, in tdest, in node_digits and in a route.
type DestinationField struct {
	DigitBits    int // of a digit: ceil(log2 m)
	TDestLow     int // lowest bit in tdest; the bit above the digit is all
	DigitLow     int // lowest bit in node_digits
	DistanceBits int // of x: as many as floor(m/2) needs
	MaxDistance  int // floor(m/2)
	RouteLow     int // lowest bit in a route; of dimension r the width of the route, which does not have it
}

// newDestination lays the parts out. [0] of dims is dimension 1.
func newDestination(dims []Dim) *Destination {
	d := &Destination{}
	for i, dim := range dims {
		f := DestinationField{
			DigitBits: bits.Len(uint(dim.M - 1)), TDestLow: d.TDestBits, DigitLow: d.DigitsBits,
			DistanceBits: bits.Len(uint(dim.M / 2)), MaxDistance: dim.M / 2, RouteLow: d.RouteBits,
		}
		d.TDestBits += f.DigitBits + 1
		d.DigitsBits += f.DigitBits
		if i < len(dims)-1 {
			d.RouteBits += f.DistanceBits + 1
		}
		d.Fields = append(d.Fields, f)
	}
	return d
}

// Bits is the width of a field {flag, x} in a route.
func (f DestinationField) Bits() int { return f.DistanceBits + 1 }
