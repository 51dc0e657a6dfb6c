// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/internal/verilog"
)

// table is the body of a case statement over count.
type table struct {
	Rows    []tableRow
	Default string // a literal, or empty
}

type tableRow struct{ Labels, Value, Comment string }

// control is a part of the word that is decoded one cycle ahead.
type control struct {
	Name, Meaning string
	Low, Bits     int
	values        []int // by row of the table, -1 where the value does not count
}

// Slice is its part of the word.
func (c *control) Slice() string { return verilog.Slice(c.Low, c.Bits) }

// Range is the range of its wire, with a blank, or empty for one bit.
func (c *control) Range() string {
	if c.Bits == 1 {
		return ""
	}
	return verilog.Range(c.Bits) + " "
}

// control adds a control without values.
func (m *nodeMaker) control(name, meaning string, width int) *control {
	c := &control{Name: name, Meaning: meaning, Low: m.ControlBits, Bits: width, values: slices.Repeat([]int{-1}, m.rows)}
	if strings.HasSuffix(name, "_load") {
		c.values = make([]int, m.rows)
	}
	m.ControlBits += width
	m.Controls = append(m.Controls, c)
	return c
}

// request lays out the requests, and the words that must be there in time.
func (m *nodeMaker) request() {
	valid, index := m.emptyLanes(), m.emptyLanes()
	for k, sends := range m.program.Sends {
		for port, sum := range sends {
			for _, t := range sum {
				if t.Source == collective.Requested {
					valid[port][k], index[port][k] = 1, int(m.IndexOf(int(t.Index)))
				}
			}
		}
	}
	m.Requesting = m.lanes(valid, index, func(k int) string { return m.from(k) })
	for port := range valid {
		if !slices.Contains(valid[port], 1) {
			continue
		}
		m.Due, m.Valid = append(m.Due, fmt.Sprintf("s_request[%d] & runs", port)), append(m.Valid, fmt.Sprintf("s_valid[%d]", port))
		m.read[fmt.Sprintf("s_valid[%d]", port)] = true
		if m.Latency > 0 {
			name := fmt.Sprintf("requested%d", port)
			m.Cells = append(m.Cells, cell{
				Comment: fmt.Sprintf("The word for port %d, until the end of its step.", port),
				Wire:    name, Module: "hc_requested_word", Instance: name + "_word",
				Parameters:  verilog.Connections("WIDTH", "WIDTH"),
				Connections: verilog.Connections("clk", "clk", "first", "first", "s_data", words("s_data", port), "word", name),
			})
		}
	}
	owns := slices.ContainsFunc(slices.Concat(m.program.Sends[0], m.program.Writes[0]), func(s collective.Sum) bool {
		return len(s) > 0 && s[0].Source == collective.Own
	})
	if owns {
		m.Due, m.Valid = append(m.Due, "start & ready"), append(m.Valid, "s_own_valid")
		m.read["s_own_valid"] = true
	}
}

func (m *nodeMaker) deliveries() *table {
	valid, index := m.emptyLanes(), m.emptyLanes()
	for k, delivers := range m.program.Delivers {
		for port, other := range delivers {
			if other >= 0 {
				valid[port][k], index[port][k] = 1, int(m.IndexOf(int(other)))
			}
		}
	}
	return m.lanes(valid, index, func(k int) string { return verilog.Sized(m.CountBits, m.Times[k+1]) })
}

// lanes is a table of {index, valid} of all ports, or nil if nothing is ever valid.
func (m *nodeMaker) lanes(valid, index [][]int, label func(step int) string) *table {
	for _, list := range index {
		fill(list)
	}
	t := &table{}
	value := func(k int, none bool) string {
		var fields []string
		for port := range index {
			fields = append(fields, binary(m.IndexBits, index[port][k]))
		}
		flags := ""
		for port := range valid {
			flags = fmt.Sprint(verilog.Int(valid[port][k] == 1 && !none)) + flags
		}
		slices.Reverse(fields)
		return fmt.Sprintf("%d'b%s_%s", m.Degree*(m.IndexBits+1), strings.Join(fields, "_"), flags)
	}
	for k := range m.Steps {
		if slices.ContainsFunc(valid, func(list []int) bool { return list[k] == 1 }) {
			t.Rows = append(t.Rows, tableRow{label(k), value(k, false), fmt.Sprintf("step %d", k+1)})
			t.Default = value(k, true)
		}
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

// emptyLanes has no value for any port in any step.
func (m *nodeMaker) emptyLanes() [][]int {
	list := make([][]int, m.Degree)
	for port := range list {
		list[port] = slices.Repeat([]int{-1}, m.Steps)
	}
	return list
}

// from is the label of the cycles before a row of the table of controls.
func (m *nodeMaker) from(row int) string {
	if row == 0 {
		return verilog.Sized(m.CountBits, 0) + ", " + verilog.Sized(m.CountBits, m.Period)
	}
	return verilog.Sized(m.CountBits, m.Times[row])
}

// fill gives rows whose value does not count that of the row before, which is what saves logic.
func fill(values []int) {
	last := 0
	for _, v := range slices.Backward(values) {
		if v >= 0 {
			last = v
			break
		}
	}
	for k, v := range values {
		if v < 0 {
			values[k] = last
		}
		last = values[k]
	}
}

// binary prints the bits of a value.
func binary(width, value int) string { return fmt.Sprintf("%0*b", width, value) }

// selections is the table of controls, nil if there is none.
func (m *nodeMaker) selections() *table {
	if m.ControlBits == 0 {
		return nil
	}
	for _, c := range m.Controls {
		fill(c.values)
	}
	t := &table{}
	for row := range m.rows {
		var fields []string
		for _, c := range slices.Backward(m.Controls) {
			fields = append(fields, binary(c.Bits, c.values[row]))
		}
		comment := fmt.Sprintf("step %d", row+1)
		if row == m.Steps {
			comment = "own result"
		}
		r := tableRow{m.from(row), fmt.Sprintf("%d'b%s", m.ControlBits, strings.Join(fields, "_")), comment}
		if row == 0 && m.Latency == 0 {
			r.Labels = "default"
		}
		t.Rows = append(t.Rows, r)
	}
	if m.Latency == 0 { // the default comes last
		t.Rows = append(t.Rows[1:], t.Rows[0])
	}
	return t
}

// cycles lists one cycle of each step, that of step 1 being 0.
func (m *nodeMaker) cycles(of func(k int) int) *table {
	t := &table{}
	for k := range m.Steps {
		label := verilog.Sized(m.CountBits, of(k))
		if k == 0 {
			label = m.from(0)
		}
		t.Rows = append(t.Rows, tableRow{Labels: label, Comment: fmt.Sprintf("step %d", k+1)})
	}
	return t
}
