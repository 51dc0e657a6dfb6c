// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// Digit is the digit of a dimension in an address.
type Digit struct {
	Index     int // of the dimension
	Name      string
	M, Stride int          // nodes of the dimension, and what one step adds to the number of a node
	Digit     verilog.Part // in the digits of a node
	TDest     verilog.Part // in tdest
	All       int          // bit of tdest
}

// Low is the digit in a number that has nothing else.
func (d Digit) Low() verilog.Part { return verilog.Bits(0, d.Digit.Width) }

// Digits lists the digits of an address, dimension 1 first.
func Digits(p *plan.Plan) (list []Digit) {
	stride := 1
	for i, f := range p.Addresses().Fields {
		d := p.Dims[i]
		list = append(list, Digit{
			Index: d.Index, Name: d.Name, M: d.M, Stride: stride,
			Digit: verilog.Bits(f.DigitLow, f.DigitBits), TDest: verilog.Bits(f.TDestLow, f.DigitBits), All: f.TDestLow + f.DigitBits,
		})
		stride *= d.M
	}
	return list
}

// Broadcast is the tdest of a message for all nodes.
func Broadcast(p *plan.Plan) (tdest int) {
	for _, d := range Digits(p) {
		tdest |= 1 << d.All
	}
	return tdest
}
