// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// column is a figure of results: a column of tables, and a field of JSON. Everything that is printed and written of a result
// follows from its columns.
type column[R any] struct {
	field   string      // of JSON
	heading string      // of tables, with the unit
	meaning string      // what the heading does not say; "" if nothing
	format  string      // of a number
	value   func(R) any // nil if the result lacks the figure; the elements of a slice share a cell
}

// only are the columns with these fields, in this order.
func only[R any](columns []column[R], fields ...string) (chosen []column[R]) {
	for _, f := range fields {
		chosen = append(chosen, columns[slices.IndexFunc(columns, func(c column[R]) bool { return c.field == f })])
	}
	return chosen
}

// cell formats a value. A figure that is missing is a hyphen.
func (c column[R]) cell(value any) string {
	switch v := value.(type) {
	case nil:
		return "-"
	case string:
		return v
	case []int:
		return list(c.format, v)
	case []float64:
		return list(c.format, v)
	}
	return fmt.Sprintf(c.format, value)
}

func list[T any](format string, values []T) string {
	if len(values) == 0 {
		return "-"
	}
	var cells []string
	for _, v := range values {
		cells = append(cells, fmt.Sprintf(format, v))
	}
	return strings.Join(cells, " / ")
}

// unlessZero is a figure, nil for 0.
func unlessZero[T int | float64](v T) any {
	if v == 0 {
		return nil
	}
	return v
}

// table has a row for each result.
type table struct {
	Title  string           `json:"title"`
	Rows   []map[string]any `json:"rows"` // values by field
	cells  [][]string       // the headings, and those of the results
	legend []string         // what headings do not say
}

func tableOf[R any](title string, columns []column[R], results []R) table {
	t := table{Title: title, Rows: []map[string]any{}, cells: [][]string{{}}}
	for _, c := range columns {
		t.cells[0] = append(t.cells[0], c.heading)
		if c.meaning != "" {
			t.legend = append(t.legend, c.heading+": "+c.meaning)
		}
	}
	for _, r := range results {
		var cells []string
		fields := map[string]any{}
		for _, c := range columns {
			value := c.value(r)
			cells = append(cells, c.cell(value))
			if value != nil {
				fields[c.field] = value
			}
		}
		t.cells, t.Rows = append(t.cells, cells), append(t.Rows, fields)
	}
	return t
}

// markdown is the table in a page; it is empty without results.
func (t table) markdown() string {
	if len(t.Rows) == 0 {
		return ""
	}
	var b strings.Builder
	for i, row := range t.cells {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
		}
	}
	return b.String()
}

// String is the table on a terminal, with its title and legend; it is empty without results. The first column is aligned to the
// left, and the others to the right.
func (t table) String() string {
	if len(t.Rows) == 0 {
		return ""
	}
	widths := make([]int, len(t.cells[0]))
	for _, row := range t.cells {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "== %s\n\n", t.Title)
	for _, row := range t.cells {
		fmt.Fprintf(&b, "%-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(&b, "  %*s", widths[i+1], cell)
		}
		b.WriteString("\n")
	}
	if len(t.legend) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(t.legend, "\n"))
	}
	b.WriteString("\n")
	return b.String()
}

// words puts blanks between numbers.
func words(numbers []int) string { return strings.Trim(fmt.Sprint(numbers), "[]") }
