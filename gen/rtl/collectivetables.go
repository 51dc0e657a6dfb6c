// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// steps is a case statement over count that assigns registers in each step, a line each.
type steps struct {
	Count     string // what it decodes, of selections
	Comment   string
	Controls  []*control
	Registers []register
	Rows      []stepRow
	Default   []assignment // in cycles of no row; empty: none
}

// register is a register that a case statement assigns.
type register struct{ Range, Name, Meaning string }

// stepRow is an item of a case statement.
type stepRow struct {
	Labels, Comment string
	Assignments     []assignment
}

// assignment is the value of a register. Names of an item have one width.
type assignment struct{ Name, Value string }

// control is a register that is decoded one cycle ahead.
type control struct {
	Name, Meaning string
	Bits          int
	Constants     []assignment // what its values are called; empty: it is a flag
	level         int          // levels of operators in front of the selection, if operations take turns
	values        []int        // by row of the case statement, -1 where the value does not count
}

// Range is the range of its register, with a blank, or empty for one bit.
func (c *control) Range() string {
	if c.Bits == 1 {
		return ""
	}
	return verilog.Range(c.Bits) + " "
}

// value prints the value of a row.
func (c *control) value(row int) string {
	if c.Constants != nil {
		return strings.TrimRight(c.Constants[c.values[row]].Name, " ")
	}
	return verilog.Flag(c.values[row] == 1)
}

// aligned pads names to one width.
func aligned(list []assignment) []assignment {
	width := 0
	for _, a := range list {
		width = max(width, len(a.Name))
	}
	return each.Of(list, func(a assignment) assignment { return assignment{fmt.Sprintf("%-*s", width, a.Name), a.Value} })
}

// control adds a control without values.
func (m *nodeMaker) control(name, meaning string, width, level int) *control {
	c := &control{Name: name, Meaning: meaning, Bits: width, level: level, values: slices.Repeat([]int{-1}, m.rows)}
	if strings.HasSuffix(name, "_load") && !m.Several() {
		c.values = make([]int, m.rows)
	}
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
					valid[port][k], index[port][k] = 1, int(t.Index)
				}
			}
		}
	}
	m.Requesting = m.lanes("request", valid, index, func(k int) string { return m.from(k) })
	for port := range valid {
		if !slices.Contains(valid[port], 1) {
			continue
		}
		m.Request, m.Valid = append(m.Request, fmt.Sprintf("s_request[%d] & active", port)), append(m.Valid, fmt.Sprintf("s_valid[%d]", port))
		m.read[fmt.Sprintf("s_valid[%d]", port)] = true
		if m.Rests() {
			name := fmt.Sprintf("s_data%d_held", port)
			m.Cells = append(m.Cells, cell{
				Comment: fmt.Sprintf("The word for port %d, until the end of its step.", port),
				Wire:    name, Module: "hc_hold_register", Instance: name + "_register",
				Parameters:  verilog.Connections("WIDTH", "WIDTH"),
				Connections: verilog.Connections("clk", "clk", "load", "step_first", "next", words("s_data", port), "word", name),
			})
		}
	}
	if own := m.ownStarts(); own != "" {
		m.Request, m.Valid = append(m.Request, own), append(m.Valid, "s_own_valid")
		m.read["s_own_valid"] = true
	}
}

// ownStarts says when an operation with an own word of the node starts. It is empty if none has one.
func (m *nodeMaker) ownStarts() string {
	var starts []string
	for k, step := range m.steps {
		owns := slices.ContainsFunc(slices.Concat(m.program.Sends[k], m.program.Writes[k]), func(s collective.Sum) bool {
			return len(s) > 0 && s[0].Source == collective.Own
		})
		if step.T == 1 && owns {
			starts = append(starts, "at == "+m.from(k))
		}
	}
	switch len(starts) {
	case 0:
		return ""
	case len(m.Schedules):
		return "start & ready"
	case 1:
		m.OwnStarts = "start & " + starts[0]
	default:
		m.OwnStarts = "start & (" + strings.Join(starts, " | ") + ")"
	}
	return "own_starts"
}

// deliveries lays out the deliveries.
func (m *nodeMaker) deliveries() *steps {
	valid, index := m.emptyLanes(), m.emptyLanes()
	for k, delivers := range m.program.Delivers {
		for port, other := range delivers {
			if other >= 0 {
				valid[port][k], index[port][k] = 1, int(other)
			}
		}
	}
	return m.lanes("delivery", valid, index, func(k int) string { return verilog.Sized(m.CountBits, m.ends(k)) })
}

// lanes assigns a vector of a bit per port, valid or not, and the index of each port. It is nil if nothing is ever valid.
func (m *nodeMaker) lanes(name string, valid, index [][]int, label func(step int) string) *steps {
	for _, list := range index {
		fill(list)
	}
	t := &steps{Registers: []register{{Range: verilog.Range(m.Degree) + " ", Name: name, Meaning: "by port"}}}
	indexOf := func(port int) string { return fmt.Sprintf("%s%d_index", name, port) }
	for port := range m.Degree {
		t.Registers = append(t.Registers, register{Range: verilog.Range(m.IndexBits) + " ", Name: indexOf(port)})
	}
	values := func(k int, none bool) []assignment {
		flags := ""
		for port := range valid {
			flags = fmt.Sprint(verilog.Int(valid[port][k] == 1 && !none)) + flags
		}
		list := []assignment{{name, fmt.Sprintf("%d'b%s", m.Degree, flags)}}
		for port := range index {
			list = append(list, assignment{indexOf(port), indexLiteral(m.Collective, index[port][k])})
		}
		return aligned(list)
	}
	for k := range m.Steps {
		if slices.ContainsFunc(valid, func(list []int) bool { return list[k] == 1 }) {
			t.Rows = append(t.Rows, stepRow{label(k), m.stepName(k), values(k, false)})
			t.Default = values(k, true)
		}
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

// RequestIndices are the registers of the indices that ports request.
func (v *collectiveNodeView) RequestIndices() []string { return indices(v.Requesting) }

// DeliveryIndices are the registers of the indices that are delivered.
func (v *collectiveNodeView) DeliveryIndices() []string { return indices(v.Delivering) }

// indices are the registers of the indices that lanes assigns.
func indices(t *steps) []string {
	return each.Of(t.Registers[1:], func(r register) string { return r.Name })
}

// indexLiteral prints an index as its digits, highest dimension first.
func indexLiteral(c *plan.Collective, offset int) string {
	digits := make([]string, len(c.IndexFields))
	for i, width := range c.IndexFields {
		digits[i] = verilog.Sized(width, c.Graph.Digit(offset, i+1))
	}
	return verilog.Concat(digits)
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
	if row == 0 && !m.Several() {
		return verilog.Sized(m.CountBits, 0) + ", " + verilog.Sized(m.CountBits, lastCount(m.Collective))
	}
	return verilog.Sized(m.CountBits, m.begins(row))
}

// begins is the value of count before a row: a cycle, or the number of the step before if operations take turns.
func (m *nodeMaker) begins(row int) int {
	switch {
	case m.Pipelined:
		return row
	case row < m.Steps:
		return m.steps[row].Begins()
	}
	s := m.Schedules[row-m.Steps]
	return s.First + s.Times[s.Steps]
}

// ends is the value of count at the end of a step: a cycle, or the number of the step if operations take turns.
func (m *nodeMaker) ends(k int) int {
	if m.Pipelined {
		return k + 1
	}
	return m.steps[k].Ends()
}

// stepName names a step in comments, with its operation if there are several.
func (m *nodeMaker) stepName(k int) string {
	step := m.steps[k]
	if m.Several() {
		return fmt.Sprintf("%s, step %d", step.Name, step.T)
	}
	return fmt.Sprintf("step %d", step.T)
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

// selections assigns the controls, those of each level of operators by a case statement.
func (m *nodeMaker) selections() (list []*steps) {
	if m.Several() {
		return m.severalSelections()
	}
	levels := map[int]*steps{}
	for _, c := range m.Controls {
		fill(c.values)
		t := levels[c.level]
		if t == nil {
			t = &steps{Count: "count", Comment: "What each multiplexer selects, decoded one cycle before the step."}
			levels[c.level] = t
		}
		t.Controls = append(t.Controls, c)
		t.Registers = append(t.Registers, register{c.Range(), c.Name, c.Meaning})
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		t := levels[level]
		if level > 0 {
			cycles := m.Latency * level
			late := lateCount{Name: fmt.Sprintf("count%d", cycles), Slice: countSlice(m.CountBits, cycles, cycles+1), Cycles: cycles}
			m.Counts = append(m.Counts, late)
			t.Count, t.Comment = late.Name, fmt.Sprintf("What multiplexers behind %s in series select, %s later.", counted(level, "operator"), counted(cycles, "cycle"))
		}
		for row := range m.rows {
			t.Rows = append(t.Rows, m.selection(t, row, level))
		}
		if !m.Rests() { // the default comes last
			t.Rows = append(t.Rows[1:], t.Rows[0])
		}
		list = append(list, t)
	}
	return list
}

// severalSelections assigns the controls of a network of several operations by two case statements. What the next step needs is
// decoded from at, which knows the operation that starts. A result is combined in the cycle in which the next operation begins, so what
// it needs is decoded from count, which knows the operation that has ended, as is what the same multiplexers select in steps: nothing is
// combined in step 1.
func (m *nodeMaker) severalSelections() (list []*steps) {
	step := &steps{Count: "at", Comment: "What each multiplexer selects, decoded one cycle before the step."}
	result := &steps{Count: "count", Comment: "What sums and results are made of, decoded one cycle before. While a result is combined, the next operation may begin."}
	for _, c := range m.Controls {
		t := step
		if slices.ContainsFunc(c.values[m.Steps:], matters) {
			t = result
		}
		t.Controls = append(t.Controls, c)
		t.Registers = append(t.Registers, register{c.Range(), c.Name, c.Meaning})
	}
	for _, t := range []*steps{step, result} {
		if t.Controls == nil {
			continue
		}
		var rows []int
		for row := range m.rows {
			if slices.ContainsFunc(t.Controls, func(c *control) bool { return matters(c.values[row]) }) {
				rows = append(rows, row)
			}
		}
		for _, c := range t.Controls {
			fill(c.values)
		}
		for _, row := range rows {
			t.Rows = append(t.Rows, m.selection(t, row, 0))
		}
		if !m.Rests() { // the default comes last
			t.Rows[0].Labels = "default"
			t.Rows = append(t.Rows[1:], t.Rows[0])
		}
		list = append(list, t)
	}
	return list
}

// matters reports whether the value of a control in a row counts.
func matters(value int) bool { return value >= 0 }

// selection assigns the controls of a level in a row.
func (m *nodeMaker) selection(t *steps, row, level int) stepRow {
	label, comment := m.from(row), ""
	switch {
	case row < m.Steps:
		comment = m.stepName(row)
	case m.Several():
		comment = "result of " + m.Schedules[row-m.Steps].Name
	default:
		comment = "own result"
	}
	switch {
	case row == 0 && !m.Rests():
		label = "default"
	case level > 0: // the step has begun
		label = verilog.Sized(m.CountBits, row+1)
	}
	return stepRow{label, comment, aligned(each.Of(t.Controls, func(c *control) assignment { return assignment{c.Name, c.value(row)} }))}
}

// cycles lists one cycle of each step, that of step 1 being cycle 0.
func (m *nodeMaker) cycles(of func(plan.Step) int) *steps {
	t := &steps{}
	for k, step := range m.steps {
		label := verilog.Sized(m.CountBits, of(step))
		if k == 0 {
			label = m.from(0)
		}
		t.Rows = append(t.Rows, stepRow{Labels: label, Comment: m.stepName(k)})
	}
	return t
}

// resultCycles lists the last cycles of the operations with results. It is nil if all operations have them, or none.
func (m *nodeMaker) resultCycles() *steps {
	if !m.SomeResults() {
		return nil
	}
	t := &steps{}
	for _, s := range m.Schedules {
		if s.HasResult() {
			t.Rows = append(t.Rows, stepRow{Labels: verilog.Sized(m.CountBits, s.Last()), Comment: s.Name})
		}
	}
	return t
}
