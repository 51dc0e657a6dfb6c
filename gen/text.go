// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strings"

	"github.com/hcgen/hcgen/plan"
)

// lineWidth is the longest line of generated Verilog, where a list can be
// broken.
const lineWidth = 100

// part is some bits of a vector.
type part struct{ Low, Width int }

// product multiplies sizes: the lanes of a vector and the width of each.
func product(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// rangeOf prints the range of a vector of the given width, or of a number of lanes of a width.
func rangeOf(sizes ...int) string { return fmt.Sprintf("[%d:0]", product(sizes)-1) }

// slice prints a part as a part-select.
func (p part) slice() string {
	if p.Width == 1 {
		return fmt.Sprintf("[%d]", p.Low)
	}
	return fmt.Sprintf("[%d:%d]", p.Low+p.Width-1, p.Low)
}

// slice prints the part-select of width bits from bit low.
func slice(low, width int) string { return part{low, width}.slice() }

// lane prints the part-select of lane i of a vector, of the given width.
func lane(i int, sizes ...int) string { return lanePart(i, sizes...).slice() }

// lanePart is lane i of a vector, of the given width.
func lanePart(i int, sizes ...int) part { return part{i * product(sizes), product(sizes)} }

// sized prints a Verilog literal of the given width in bits.
func sized(width, value int) string { return fmt.Sprintf("%d'd%d", width, value) }

// asInt returns 1 for true and 0 for false, as parameters and counts use it.
func asInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// flag prints a literal of one bit.
func flag(is bool) string { return fmt.Sprintf("1'b%d", asInt(is)) }

// parts prints part-selects of a vector.
func parts(vector string, list []part) []string {
	return each(list, func(p part) string { return vector + p.slice() })
}

// each applies a function to every item.
func each[T, U any](list []T, of func(T) U) []U {
	made := make([]U, len(list))
	for i, item := range list {
		made[i] = of(item)
	}
	return made
}

// declare prints the ports of a module, a line each.
func declare(wires []plan.Wire) []string {
	lines := make([]string, len(wires))
	for i, w := range wires {
		line := "input  wire "
		if w.Output {
			line = "output wire "
		}
		if w.Vector {
			line += rangeOf(w.Width()) + " "
		}
		name := w.Name
		if i < len(wires)-1 {
			name += ","
		}
		if w.Option == plan.OptionProgrammable { // aligns their comments
			name = fmt.Sprintf("%-11s", name)
		}
		line += name
		if w.Meaning != "" {
			line += "  // " + w.Meaning
		}
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// declareVHDL prints the ports of a component of VHDL, a line each.
func declareVHDL(wires []plan.Wire) []string {
	lines := make([]string, len(wires))
	for i, w := range wires {
		kind, end := "std_logic", ";"
		if w.Vector {
			kind = fmt.Sprintf("std_logic_vector(%d downto 0)", w.Width()-1)
		}
		if i == len(wires)-1 {
			end = ""
		}
		direction := "in "
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

// connection is a port of an instance and the expression that it is connected to.
type connection struct{ Port, Value string }

// connect prints the connections of an instance, a line each.
func connect(list []connection) []string {
	lines := each(list, func(c connection) string { return fmt.Sprintf(".%s(%s),", c.Port, c.Value) })
	last := len(lines) - 1
	lines[last] = strings.TrimSuffix(lines[last], ",")
	return lines
}

// concat prints a concatenation of items given lowest first, broken into lines
// that are indented by eight spaces beyond a port connection.
func concat(items []string) string {
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

// commaList prints items one after another.
func commaList(items []string) string { return strings.Join(items, ", ") }
