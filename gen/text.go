// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strings"
)

// lineWidth is the longest line of generated Verilog, where a list can be
// broken.
const lineWidth = 100

// sized prints a Verilog literal of the given width in bits.
func sized(width, value int) string { return fmt.Sprintf("%d'd%d", width, value) }

// rangeOf prints the range of a vector of the given width.
func rangeOf(width int) string { return fmt.Sprintf("[%d:0]", width-1) }

// slice prints the part-select of width bits from bit low.
func slice(low, width int) string {
	if width == 1 {
		return fmt.Sprintf("[%d]", low)
	}
	return fmt.Sprintf("[%d:%d]", low+width-1, low)
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

// padded widens a range to the given number of columns, blank on its right.
func padded(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-len(text)))
}
