// SPDX-License-Identifier: Apache-2.0

// Package verilog prints pieces of Verilog: ranges, part-selects, literals, lists of ports and of connections.
package verilog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/plan"
)

// lineWidth is the longest line of generated Verilog, where a list can be
// broken.
const lineWidth = 100

// Part is some bits of a vector.
type Part struct{ Low, Width int }

// Bits is the part of a number of bits from bit low.
func Bits(low, width int) Part { return Part{low, width} }

// product multiplies sizes: the lanes of a vector and the width of each.
func product(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// Range prints the range of a vector of the given width, or of a number of lanes of a width.
func Range(sizes ...int) string { return fmt.Sprintf("[%d:0]", product(sizes)-1) }

// Slice prints a part as a part-select.
func (p Part) Slice() string {
	if p.Width == 1 {
		return fmt.Sprintf("[%d]", p.Low)
	}
	return fmt.Sprintf("[%d:%d]", p.Low+p.Width-1, p.Low)
}

// Slice prints the part-select of width bits from bit low.
func Slice(low, width int) string { return Part{low, width}.Slice() }

// Lane prints the part-select of lane i of a vector, of the given width.
func Lane(i int, sizes ...int) string { return LanePart(i, sizes...).Slice() }

// LanePart is lane i of a vector, of the given width.
func LanePart(i int, sizes ...int) Part { return Part{i * product(sizes), product(sizes)} }

// Sized prints a Verilog literal of the given width in bits.
func Sized(width, value int) string { return fmt.Sprintf("%d'd%d", width, value) }

// Int returns 1 for true and 0 for false, as parameters and counts use it.
func Int(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Flag prints a literal of one bit.
func Flag(is bool) string { return fmt.Sprintf("1'b%d", Int(is)) }

// Parts prints part-selects of a vector.
func Parts(vector string, list []Part) []string {
	return each.Of(list, func(p Part) string { return vector + p.Slice() })
}

// Dimension is the range of a wire with a blank behind it, or empty if it has none.
func Dimension(w plan.Wire) string {
	switch {
	case w.Words && w.Lanes == 1:
		return "[WIDTH-1:0] "
	case w.Words:
		return fmt.Sprintf("[%d*WIDTH-1:0] ", w.Lanes)
	case w.Vector:
		return Range(w.Width()) + " "
	}
	return ""
}

// Declare prints the ports of a module, a line each.
func Declare(wires []plan.Wire) []string {
	lines := make([]string, len(wires))
	for i, w := range wires {
		line := "input  wire "
		if w.Output {
			line = "output wire "
		}
		name := w.Name
		if i < len(wires)-1 {
			name += ","
		}
		line += Dimension(w) + name
		if w.Meaning != "" {
			line += "  // " + w.Meaning
		}
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// DeclareVHDL prints the ports of a component of VHDL, a line each.
func DeclareVHDL(wires []plan.Wire) []string {
	lines := make([]string, len(wires))
	for i, w := range wires {
		kind, end, direction := "std_logic", ";", "in "
		if w.Vector {
			kind = fmt.Sprintf("std_logic_vector(%d downto 0)", w.Width()-1)
		}
		if i == len(wires)-1 {
			end = ""
		}
		if w.Output {
			direction = "out"
		}
		lines[i] = fmt.Sprintf("%s : %s %s%s", w.Name, direction, kind, end)
		if w.Meaning != "" {
			lines[i] += "  -- " + w.Meaning
		}
	}
	return lines
}

// Wires prints declarations of wires for the ports of a module but clk and rst, a line each.
func Wires(ports []plan.Wire) (lines []string) {
	ranges, names := 0, 0
	for _, w := range ports {
		ranges, names = max(ranges, len(Dimension(w))), max(names, len(w.Name))
	}
	for _, w := range ports {
		if w.IsClock() {
			continue
		}
		line := "wire " + pad(Dimension(w), ranges) + pad(w.Name+";", names+1) + "  // input"
		if w.Output {
			line = strings.TrimSuffix(line, "input") + "output"
		}
		if w.Meaning != "" {
			line += ", " + w.Meaning
		}
		lines = append(lines, line)
	}
	return lines
}

// Net prints the declaration of the wire of a proof at a port of the router. A field of delivered messages always has a
// range, and that of the address of the node shows its width.
func Net(w plan.Wire) string {
	switch {
	case w.Constant() && w.Field != "":
		return fmt.Sprintf("wire [%d-1:0] %s", w.Bits, w.InProof())
	case w.Vector || w.Output && w.Field != "":
		return fmt.Sprintf("wire %s %s", Range(w.Width()), w.InProof())
	}
	return "wire " + w.InProof()
}

// Connection is a port of an instance and the expression that it is connected to.
type Connection struct{ Port, Value string }

// To connects a port to an expression.
func To(port, value string) Connection { return Connection{port, value} }

// Connections are connections of ports and expressions in turn.
func Connections(pairs ...string) (list []Connection) {
	for pair := range slices.Chunk(pairs, 2) {
		list = append(list, To(pair[0], pair[1]))
	}
	return list
}

// Connect prints the connections of an instance, a line each.
func Connect(list []Connection) []string {
	lines := each.Of(list, func(c Connection) string { return fmt.Sprintf(".%s(%s),", c.Port, c.Value) })
	last := len(lines) - 1
	lines[last] = strings.TrimSuffix(lines[last], ",")
	return lines
}

// Concat prints a concatenation of items given lowest first, broken into lines
// that are indented by eight spaces beyond a port connection.
func Concat(items []string) string {
	if len(items) == 1 {
		return items[0]
	}
	var b strings.Builder
	b.WriteString("{")
	const indent = "            "
	column := len(indent) + 12 // roughly where the value of a connection starts
	for i := len(items) - 1; i >= 0; i-- {
		item := items[i]
		if i > 0 {
			item += ","
		}
		switch {
		case i == len(items)-1:
		case column+1+len(item) > lineWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(item)
		column += len(item)
	}
	b.WriteString("}")
	return b.String()
}

// List prints items one after another.
func List(items []string) string { return strings.Join(items, ", ") }
