// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// table is a table with its titles in the first row.
type table [][]string

// markdown prints the table in Markdown; it prints nothing if there are no rows below the titles.
func (t table) markdown() string {
	if len(t) < 2 {
		return ""
	}
	var b strings.Builder
	for i, row := range t {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
		}
	}
	return b.String()
}

// aligned prints the table for a terminal, the first column to the left and the others to the right.
func (t table) aligned() string {
	widths := make([]int, len(t[0]))
	for _, row := range t {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range t {
		fmt.Fprintf(&b, "%-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(&b, "  %*s", widths[i+1], cell)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func whole(n int) string { return fmt.Sprint(n) }

// known formats a figure, and a missing one, 0, as a hyphen.
func known[T int | float64](format string, v T) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

// list formats some figures of one cell, and none as a hyphen.
func list[T any](format string, values ...T) string {
	if len(values) == 0 {
		return "-"
	}
	var cells []string
	for _, v := range values {
		cells = append(cells, fmt.Sprintf(format, v))
	}
	return strings.Join(cells, " / ")
}

// words puts blanks between numbers.
func words(numbers []int) string { return strings.Trim(fmt.Sprint(numbers), "[]") }
