// SPDX-License-Identifier: Apache-2.0

// Package registers describes the registers of hardware that a bus reads and writes, once: those of the programmable router
// and those of the endpoint. Verilog constants, C header, Markdown table, JSON and SystemRDL are all printed from a description.
package registers

import "slices"

// Map is the registers of one kind of hardware.
type Map struct {
	File    string // name of the files without extension
	Prefix  string // of all constants
	Kind    string // of registers
	Of      string // the hardware
	Version int    // in a register; changes when a register or field moves or means something else

	MaxDimensions int    // largest number of elements of a register with one per dimension
	Dimensions    string // field that has their number
	Note          string // paragraphs of the Markdown

	Registers []Register // in the order of their addresses
	named     []named
}

// Access says what the bus can do with a register.
type Access string

const (
	ReadOnly  Access = "ro"  // a write is refused with a bus error
	ReadWrite Access = "rw"  // of the programmable router: a write is refused while the router is busy
	WriteOnly Access = "wo"  // reads as 0
	Clear     Access = "w1c" // can be read; a written 1 clears its bit
	Set       Access = "ws"  // can be read; a write of any value sets all bits
)

// Word is the width of a register in bytes; only whole registers are written.
const Word = 4

// AddressBits is the width of a byte address of a register.
const AddressBits = 8

// Register is one register, or one per dimension.
type Register struct {
	Name         string // UPPER_SNAKE
	Offset       int    // byte address, of dimension 1 if PerDimension
	PerDimension bool   // element i, from 0, is at Offset + 4 i
	Access       Access
	Meaning      string
	Fields       []Field // lowest first
}

// Field is a range of bits of a register. Bits in no field are 0.
type Field struct {
	Name    string // snake_case
	LSB     int
	Bits    int
	Meaning string
}

// Code is a value of a field that has a name.
type Code struct {
	Name    string // UPPER_SNAKE
	Value   int
	Meaning string
}

// named is a field whose values have names.
type named struct {
	register, field string
	codes           []Code
}

// Register returns the register of a name. It panics if there is none.
func (m Map) Register(name string) Register {
	return m.Registers[slices.IndexFunc(m.Registers, func(r Register) bool { return r.Name == name })]
}

// codesOf lists the values of a field that have names, or nothing.
func (m Map) codesOf(r Register, f Field) []Code {
	for _, n := range m.named {
		if n.register == r.Name && n.field == f.Name {
			return n.codes
		}
	}
	return nil
}

// codes lists all values that have names.
func (m Map) codes() (all []Code) {
	for _, n := range m.named {
		all = append(all, n.codes...)
	}
	return all
}
