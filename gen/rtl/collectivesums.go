// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// nodeSum is a tree of operators in front of a register. In each row it computes at most one sum.
type nodeSum struct {
	name  string
	terms [][]string // by row: what is combined; empty: nothing
	early int        // the sum of row 0 is that of the first leaves, as many as this is; 0: of all leaves
}

// value is the wire of a sum in a step, for a register of this name: of one term its source, of several the sum that
// computes it. Equal sums of a step are computed once.
func (m *nodeMaker) value(sum collective.Sum, row int, name string, port int) string {
	terms := each.Of(sum, func(t collective.Term) string { return m.source(t, port) })
	if len(terms) < 2 {
		return strings.Join(terms, "")
	}
	if m.steps[row].T == 1 {
		panic("gen: nothing has arrived that could be combined in step 1")
	}
	for _, s := range m.sums {
		if slices.Equal(s.terms[row], terms) {
			return s.name
		}
	}
	s := m.sumOf(name)
	s.terms[row] = terms
	return s.name
}

// sumOf is the sum in front of a register.
func (m *nodeMaker) sumOf(register string) *nodeSum {
	name := register + "_sum"
	for _, s := range m.sums {
		if s.name == name {
			return s
		}
	}
	s := &nodeSum{name: name, terms: make([][]string, m.rows)}
	m.sums = append(m.sums, s)
	return s
}

// result is the node's own result. What is combined for it is combined by the sum in front of register 0 behind the
// last step and up to cycle 1 of the next operation, in which that sum has nothing else to do.
func (m *nodeMaker) result() {
	if m.Several() {
		m.severalResults()
		return
	}
	terms := each.Of(m.program.Result, func(t collective.Term) string { return m.source(t, -1) })
	if len(terms) < 2 {
		m.ResultWord = strings.Join(terms, "")
		return
	}
	s := m.sumOf("register0")
	if m.Pipelined {
		m.resultInTime(s, terms)
		return
	}
	s.terms[0] = terms
	if m.rows > m.Steps {
		s.terms[m.Steps] = terms
	}
	m.ResultWord = s.name
}

// severalResults are the results of several operations. The operation that comes next may be another one, so each result has a row
// of its own.
func (m *nodeMaker) severalResults() {
	m.resultWords = make([]string, m.rows)
	for i, sum := range m.results {
		row := m.Steps + i
		terms := each.Of(sum, func(t collective.Term) string { return m.source(t, -1) })
		if len(terms) < 2 {
			m.resultWords[row] = strings.Join(terms, "")
			continue
		}
		s := m.sumOf("register0")
		s.terms[row] = terms
		m.resultWords[row] = s.name
	}
}

// resultInTime combines the result in as many levels of operators as it has. If the sum has more, it takes those of its first
// leaves, or, if these are too few, operators of its own.
func (m *nodeMaker) resultInTime(s *nodeSum, terms []string) {
	levels, first := levelsOf(len(terms)), s.size()
	for levelsOf(first) > levels {
		first = (first + 1) / 2
	}
	switch {
	case len(terms) > s.size() || first == s.size():
	case len(terms) <= first:
		s.early = first
	default:
		s = m.sumOf("result")
	}
	s.terms[0] = terms
	m.ResultWord = s.part(0, cmp.Or(s.early, s.size()))
}

// levelsOf is the number of levels of operators of a sum of n terms.
func levelsOf(n int) int { return plan.Levels(make(collective.Sum, n)) }

// size is the number of leaves of the tree.
func (s *nodeSum) size() (size int) {
	for _, terms := range s.terms {
		size = max(size, len(terms))
	}
	return size
}

// levels is the number of operators in series in the tree.
func (s *nodeSum) levels() int { return levelsOf(s.size()) }

// part is the wire of the part of the tree with n leaves from low on.
func (s *nodeSum) part(low, n int) string {
	if n == s.size() {
		return s.name
	}
	return fmt.Sprintf("%s_%dto%d", s.name, low, low+n-1)
}

// has reports whether a row combines something in a part of the tree with n leaves.
func (s *nodeSum) has(row, n int) bool {
	return len(s.terms[row]) > 0 && (row > 0 || s.early == 0 || n <= s.early)
}

// makeSum makes the tree of a sum. A sum of fewer terms than the tree has leaves has its first ceil(n / 2) terms in
// the lower half, and the others in the upper one.
func (m *nodeMaker) makeSum(s *nodeSum) {
	size := s.size()
	leaves := make([][]string, size) // by leaf and row
	for i := range leaves {
		leaves[i] = make([]string, m.rows)
	}
	for row, terms := range s.terms {
		within := size
		if row == 0 {
			within = cmp.Or(s.early, size)
		}
		place(terms, 0, within, func(leaf int, term string) { leaves[leaf][row] = term })
	}
	m.tree(s, leaves, 0, size, fmt.Sprintf("Sums of %s.", strings.TrimSuffix(s.name, "_sum")))
}

// place puts terms on the leaves of a tree.
func place(terms []string, low, leaves int, put func(leaf int, term string)) {
	switch {
	case len(terms) == 0:
	case leaves == 1:
		put(low, terms[0])
	default:
		half := (len(terms) + 1) / 2
		place(terms[:half], low, (leaves+1)/2, put)
		place(terms[half:], low+(leaves+1)/2, leaves/2, put)
	}
}

// tree makes the part of the tree of a sum with n leaves from low on, and returns its wire.
func (m *nodeMaker) tree(s *nodeSum, leaves [][]string, low, n int, comment string) string {
	if n == 1 {
		return m.operand(s, leaves[low], low, comment)
	}
	half := (n + 1) / 2
	a := m.tree(s, leaves, low, half, comment)
	b := m.tree(s, leaves, low+half, n-half, "")
	name := s.part(low, n)
	level := 0 // of the operator, counted from the leaves
	if m.Pipelined {
		level = levelsOf(n)
		if wait := levelsOf(half) - levelsOf(n-half); wait > 0 {
			b = m.delay(name+"_second", b, m.Latency*wait)
		}
	}
	combined := name
	var both *control
	if m.ownOperator() {
		if both = m.sometimes(s, leaves[low+half], n, name+"_both", "combine both", level); both != nil {
			combined = name + "_combined"
		}
	}
	m.Cells = append(m.Cells, cell{
		Wire: combined, Module: OperatorName(m.Collective), Instance: combined + "_operator",
		Parameters:  operatorParameters(m.Collective),
		Connections: verilog.Connections("clk", "clk", "a", a, "b", b, "y", combined),
	})
	if both != nil {
		if m.Pipelined {
			a = m.delay(name+"_first", a, m.Latency)
		}
		m.Cells = append(m.Cells, cell{
			Wire: name, Module: "hc_mux", Instance: name + "_mux",
			Parameters:  verilog.Connections("WORDS", "2", "WIDTH", "WIDTH"),
			Connections: verilog.Connections("select", both.Name, "words", verilog.Concat([]string{a, combined}), "word", name),
		})
	}
	return name
}

// operand makes a leaf of the tree of a sum.
func (m *nodeMaker) operand(s *nodeSum, sources []string, leaf int, comment string) string {
	name := fmt.Sprintf("%s_term%d", s.name, leaf)
	word := m.choose(name, comment, sources, 0)
	if m.ownOperator() {
		return word
	}
	valid := m.sometimes(s, sources, 1, name+"_valid", "the sum has this operand", 0)
	if valid == nil {
		return word
	}
	operand := name + "_operand"
	sign, others := Identity(m.Collective)
	identity := verilog.Connections("IDENTITY_SIGN", fmt.Sprint(sign), "IDENTITY_BITS", fmt.Sprint(others))
	mask := cell{
		Wire: operand, Module: "hc_operand", Instance: name + "_mask",
		Parameters:  slices.Concat(verilog.Connections("WIDTH", "WIDTH"), identity),
		Connections: verilog.Connections("valid", valid.Name, "word", word, "operand", operand),
	}
	if m.Skew > 0 {
		mask.Module, mask.Parameters = "hc_chunk_operand", slices.Concat(m.chunks(), identity)
		mask.Connections = slices.Concat(clock, mask.Connections)
	}
	m.Cells = append(m.Cells, mask)
	return operand
}

// sometimes is a control that says whether what a part of a tree with n leaves combines has a leaf, or nil if it always has it.
func (m *nodeMaker) sometimes(s *nodeSum, sources []string, n int, name, meaning string, level int) *control {
	always := true
	for row, source := range sources {
		always = always && (source != "" || !s.has(row, n))
	}
	if always {
		return nil
	}
	c := m.control(name, meaning, 1, level)
	for row, source := range sources {
		if s.has(row, n) {
			c.values[row] = verilog.Int(source != "")
		}
	}
	return c
}
