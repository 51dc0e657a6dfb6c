// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// nodeMaker makes the view of a node.
type nodeMaker struct {
	*collectiveNodeView
	program     *collective.Program
	results     []collective.Sum // by operation
	steps       []plan.Step
	rows        int // of the table of controls: one per step, then one for a result that takes cycles of its own, or one for that of each of several operations
	sums        []*nodeSum
	resultWords []string        // by row: the results of several operations
	read        map[string]bool // parts of ports that are read
}

// always is the load of a register that stores a word in every cycle.
const always = "1'b1"

// clock is the connection of modules of words whose chunks follow one another.
var clock = verilog.Connections("clk", "clk")

// source is the wire of a term that is read for a port, or for a register (-1).
func (m *nodeMaker) source(t collective.Term, port int) string {
	from := fmt.Sprintf("register%d", t.Index)
	switch t.Source {
	case collective.Requested:
		from = words("s_data", port)
	case collective.Own:
		from = "s_own_data"
	case collective.Arrived:
		from = words("link_in", int(t.Index))
	case collective.Held:
		return from
	}
	known := m.read[from]
	m.read[from] = true
	switch {
	case t.Source == collective.Arrived:
		return from
	case m.Skew > 0:
		return m.skewed(from, known)
	case t.Source == collective.Requested && m.Rests():
		return fmt.Sprintf("s_data%d_held", port)
	}
	return from
}

// skewed is the wire of a word of the caller whose chunks follow one another.
func (m *nodeMaker) skewed(word string, known bool) string {
	name := plainSource(word)
	if !known {
		m.Cells = append(m.Cells, cell{
			Comment: fmt.Sprintf("The chunks of %s, one after another.", name),
			Wire:    name + "_skewed", Module: "hc_chunk_skew", Instance: name + "_skew", Parameters: m.chunks(),
			Connections: verilog.Connections("clk", "clk", "word", word, "skewed", name+"_skewed"),
		})
	}
	return name + "_skewed"
}

// chunks are the parameters of a module of words whose chunks follow one another, behind others.
func (m *nodeMaker) chunks(others ...string) []verilog.Connection {
	return verilog.Connections(append(others, "WIDTH", "WIDTH", "CHUNK", "CHUNK", "TOP_FIRST", fmt.Sprint(verilog.Int(m.TopFirst())))...)
}

// straighten makes the words that leave the node whole: the result, and what ports deliver.
func (m *nodeMaker) straighten() {
	if m.Skew == 0 {
		return
	}
	add := func(name, comment, skewed, word string) {
		m.Cells = append(m.Cells, cell{
			Comment: comment, Module: "hc_chunk_straighten", Instance: name + "_straighten", Parameters: m.chunks(),
			Connections: verilog.Connections("clk", "clk", "skewed", skewed, "word", word),
		})
	}
	if m.ResultWord != "" {
		add("m_own_data", "The result, when all its chunks are there.", m.ResultWord, "m_own_data")
	}
	if !m.Collective.Delivers() {
		return
	}
	for port := range m.Degree {
		word := words("m_data", port)
		if !slices.ContainsFunc(m.program.Delivers, func(list []int32) bool { return list[port] >= 0 }) {
			m.Undelivered = append(m.Undelivered, word)
			continue
		}
		arriving := words("link_in", port)
		m.read[arriving] = true
		name := plainSource(word)
		add(name, fmt.Sprintf("The word that port %d delivers, when all its chunks are there.", port), arriving, word)
	}
}

// registers makes the registers of links and those in which words wait, what is selected in front of them, and sums.
func (m *nodeMaker) registers() {
	type destination struct {
		name, comment string
		sources       []string // by step, empty: nothing
	}
	var list []destination
	take := func(name, comment string, port int, sum func(k int) collective.Sum) {
		d := destination{name: name, comment: comment, sources: make([]string, m.Steps)}
		for k := range m.Steps {
			d.sources[k] = m.value(sum(k), k, name, port)
		}
		list = append(list, d)
	}
	for r := range m.Registers {
		name := fmt.Sprintf("register%d", r)
		needed := m.program.Needed(r)
		take(name, fmt.Sprintf("Register %d.", r), -1, func(k int) collective.Sum {
			sum := m.program.Writes[k][r]
			if m.Pipelined && len(sum) == 0 && needed[k+1] {
				return collective.Sum{{Source: collective.Held, Index: int32(r)}}
			}
			return sum
		})
	}
	for port := range m.Degree {
		q := m.Graph.Ports()[port]
		comment := fmt.Sprintf("Port %d: dimension %d, %s, distance %d.", port, q.Dimension, q.Direction, q.Distance)
		take(fmt.Sprintf("port%d", port), comment, port, func(k int) collective.Sum { return m.program.Sends[k][port] })
	}
	m.result()
	for _, s := range m.sums {
		m.makeSum(s)
	}
	if wait := m.ResultCycles() - m.Latency*plan.Levels(m.program.Result); m.Pipelined && m.ResultWord != "" && wait > 0 {
		m.ResultWord = m.delay("result_waiting", m.ResultWord, wait)
	}
	if m.Several() {
		m.ResultWord = m.choose("result", "The result of the operation that has ended.", m.resultWords, 0)
	}
	for i, d := range list {
		port := i - m.Registers
		word := d.name
		if port >= 0 {
			word = words("link_out", port)
		}
		sources := append(d.sources, slices.Repeat([]string{""}, m.rows-m.Steps)...)
		level, cells := 0, len(m.Cells)
		if m.Pipelined {
			sources, level = m.inTime(d.name, sources), m.Levels()
		}
		next := m.choose(d.name, "", sources, level)
		if len(m.Cells) > cells {
			m.Cells[cells].Comment = d.comment
		}
		switch {
		case next == "" && port >= 0:
			m.Silent = append(m.Silent, word)
			continue
		case next == "": // nothing waits in this register of others
			continue
		case port < 0:
			m.Held = append(m.Held, word)
		}
		load := cmp.Or(m.Load, always)
		if port < 0 && !m.Pipelined {
			enable := m.control(d.name+"_load", "write "+d.name, 1, 0)
			for k, source := range d.sources[:m.Steps] {
				enable.values[k] = verilog.Int(source != "")
			}
			if load = enable.Name; m.Load != "" {
				load += " & " + m.Load
			}
		}
		c := cell{
			Module: "hc_word_register", Instance: d.name + "_register", Parameters: verilog.Connections("WIDTH", "WIDTH"),
			Connections: verilog.Connections("clk", "clk", "load", load, "next", next, "word", word),
		}
		if port < 0 && m.Pipelined {
			c.Module, c.Parameters = "hc_word_delay", delayed(1+m.Flight)
			c.Connections = verilog.Connections("clk", "clk", "word", next, "late", word)
		}
		if m.Skew > 0 && load != always {
			c.Module, c.Parameters = "hc_chunk_register", m.chunks()
		}
		if len(m.Cells) == cells && (cells == 0 || m.Cells[cells-1].Wire != next) {
			c.Comment = d.comment
		}
		m.Cells = append(m.Cells, c)
	}
}

// inTime returns the source of each row as it is at the end of the operators of a step: words that are copied are chosen first,
// and wait for those that are combined.
func (m *nodeMaker) inTime(name string, sources []string) []string {
	copied, list := make([]string, len(sources)), slices.Clone(sources)
	summed := false
	for row, source := range sources {
		if i := slices.IndexFunc(m.sums, func(s *nodeSum) bool { return s.name == source }); i >= 0 {
			list[row] = m.late(source, m.Levels()-m.sums[i].levels())
			summed = true
		} else {
			copied[row] = source
		}
	}
	chosen := name + "_copy"
	if !summed {
		chosen = name
	}
	word := m.choose(chosen, "", copied, 0)
	if word == "" {
		return list
	}
	waiting := m.delay(chosen+"_waiting", word, m.OperatorCycles())
	for row, source := range copied {
		if source != "" {
			list[row] = waiting
		}
	}
	return list
}

// late is the wire of a sum some levels of operators later.
func (m *nodeMaker) late(sum string, levels int) string {
	name := fmt.Sprintf("%s_after%d", sum, levels)
	switch {
	case levels == 0:
		return sum
	case slices.ContainsFunc(m.Cells, func(c cell) bool { return c.Wire == name }):
		return name
	}
	return m.delay(name, sum, m.Latency*levels)
}

// delay is a wire that has a word some cycles later. It has the name.
func (m *nodeMaker) delay(name, word string, cycles int) string {
	m.Cells = append(m.Cells, cell{
		Wire: name, Module: "hc_word_delay", Instance: name + "_delay", Parameters: delayed(cycles),
		Connections: verilog.Connections("clk", "clk", "word", word, "late", name),
	})
	return name
}

// delayed are the parameters of a delay of words.
func delayed(cycles int) []verilog.Connection {
	return verilog.Connections("WIDTH", "WIDTH", "CYCLES", fmt.Sprint(cycles))
}

// choose returns the wire that has the source of each row: a new one if there are several. It is empty if there is none. The
// multiplexer is behind some levels of operators.
func (m *nodeMaker) choose(name, comment string, sources []string, level int) string {
	var list []string
	for _, s := range sources {
		if s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	c := m.control(name+"_select", "", bits.Len(uint(len(list)-1)), level)
	c.Constants = aligned(each.Of(list, func(source string) assignment {
		return assignment{strings.ToUpper(name + "_" + plainSource(source)), verilog.Sized(c.Bits, slices.Index(list, source))}
	}))
	for row, s := range sources {
		if s != "" {
			c.values[row] = slices.Index(list, s)
		}
	}
	next := name + "_next"
	mux := cell{
		Comment: comment, Wire: next, Module: "hc_mux", Instance: name + "_mux",
		Parameters:  verilog.Connections("WORDS", fmt.Sprint(len(list)), "WIDTH", "WIDTH"),
		Connections: verilog.Connections("select", c.Name, "words", verilog.Concat(list), "word", next),
	}
	if m.Skew > 0 {
		mux.Module, mux.Parameters = "hc_chunk_mux", m.chunks("WORDS", fmt.Sprint(len(list)))
		mux.Connections = slices.Concat(clock, mux.Connections)
	}
	m.Cells = append(m.Cells, mux)
	return next
}

// unusedCounts lists the parts of counts of which the node decodes none.
func (m *nodeMaker) unusedCounts() (list []string) {
	if !m.Pipelined {
		return nil
	}
	from := 1 // place 0 is count
	for _, c := range append(m.Counts, lateCount{Cycles: m.Turns}) {
		if from < c.Cycles {
			list = append(list, "counts"+countSlice(m.CountBits, from, c.Cycles))
		}
		from = c.Cycles + 1
	}
	return list
}

// countSlice is the part of counts from one place on and below another.
func countSlice(width, from, below int) string {
	return fmt.Sprintf("[%d:%d]", below*width-1, from*width)
}

// OwnOperator reports whether the operator is a module of the user.
func (m *nodeMaker) ownOperator() bool { return OwnOperator(m.Collective) }

func OwnOperator(c *plan.Collective) bool {
	return c.HasResult() && !slices.Contains(machine.Operators, c.Operator)
}

// Identity is the word that changes nothing as an operand: its highest bit, and each of its other bits.
func Identity(c *plan.Collective) (sign, others int) {
	switch c.Operator {
	case "and", "min":
		return 1, 1
	case "signed_min":
		return 0, 1
	case "signed_max":
		return 1, 0
	}
	return 0, 0
}

// listUnused lists the inputs that the node does not read.
func (m *nodeMaker) listUnused() {
	add := func(wire string) {
		if !m.read[wire] {
			m.Unused = append(m.Unused, wire)
		}
	}
	selects := func(count string) bool {
		return slices.ContainsFunc(m.Selects, func(t *steps) bool { return t.Count == count })
	}
	ahead := m.Requesting != nil || m.Loads != nil || m.OwnStarts != "" || selects(m.Ahead())
	behind := m.Delivering != nil || m.Results != nil || selects("count")
	switch {
	case m.Several():
		m.read["at"], m.read["count"] = ahead, behind
		add("at")
		add("count")
	case !ahead && !behind:
		add("count")
	}
	m.Unused = append(m.Unused, m.unusedCounts()...)
	for port := range m.Degree {
		if m.Requests() {
			add(words("s_data", port))
			add(fmt.Sprintf("s_valid[%d]", port))
		}
		add(words("link_in", port))
	}
	if m.HasOwn() {
		add("s_own_data")
		add("s_own_valid")
	}
}
