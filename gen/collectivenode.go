// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule/check"
)

// collectiveNodeView is everything the template of a node of a collective network prints.
type collectiveNodeView struct {
	*plan.Collective
	Header, Module string
	Of             string   // which nodes it is for
	Schedule       []string // lines of the table of what the node does
	Wires          []nodePort
	CountBits      int
	LaneIndexBits  int // of the indices of all lanes
	FieldBits      int // of an index and its valid bit

	Controls    []*control // of the selections in front of registers, lowest first
	ControlBits int
	Select      *table // of Controls; nil if there are none
	First, Last *table // of the first and last cycles of steps; nil where nothing depends on them
	Requesting  *table // nil if the node requests nothing
	Delivering  *table // nil if the node delivers nothing
	Due, Valid  []string
	Held        []string // registers in which words wait
	Cells       []cell
	Silent      []string // parts of the port sent by which nothing is sent
	Unused      []string
	ResultWord  string // empty if the node has no result
}

// table is the body of a case statement over count.
type table struct {
	Rows    []tableRow
	Default string // a literal, or empty
}

type tableRow struct{ Labels, Value, Comment string }

// cell is an instance of a module, and the wire that it drives.
type cell struct {
	Comment          string // empty if the cell belongs to the one above
	Wire             string // empty if it is declared elsewhere
	Module, Instance string
	Parameters       []connection
	Connections      []connection
}

// nodePort is a port of a node. Its width is Lanes times Bits, or with Words times WIDTH.
type nodePort struct {
	Name          string
	Output        bool
	Lanes, Bits   int
	Vector, Words bool
	Meaning       string
}

// Declaration is the port without its comma and comment.
func (p nodePort) Declaration() string {
	text := "input  wire "
	if p.Output {
		text = "output wire "
	}
	switch {
	case p.Words:
		text += "[" + sizeOfWords(p.Lanes) + "-1:0] "
	case p.Vector:
		text += rangeOf(p.Lanes, p.Bits) + " "
	}
	return text + p.Name
}

// sizeOfWords is the number of bits of words.
func sizeOfWords(n int) string {
	if n == 1 {
		return "WIDTH"
	}
	return fmt.Sprintf("%d*WIDTH", n)
}

// nodePorts are the ports of a node of the network, in the order of declaration: those of the network, and its links.
func nodePorts(c *plan.Collective) (list []nodePort) {
	for _, w := range c.Wires() {
		p := nodePort{Name: w.Name, Output: w.Output, Lanes: w.Lanes, Bits: w.Bits, Vector: w.Vector, Words: isWord(w), Meaning: w.Meaning}
		switch {
		case w.Name == "m_data" || w.Name == "m_own_valid":
			continue // a wire of the links, and done
		case w.Name == "late" || strings.Contains(w.Name, "_own_"):
			p.Lanes, p.Vector = 1, false
		case w.Vector:
			p.Lanes = c.Degree
		}
		list = append(list, p)
	}
	return append(list,
		nodePort{Name: "arrived", Lanes: c.Degree, Words: true, Meaning: "the word on the link of each port"},
		nodePort{Name: "sent", Output: true, Lanes: c.Degree, Words: true})
}

// isWord reports whether a port of the network carries words.
func isWord(w plan.Wire) bool { return strings.HasSuffix(w.Name, "_data") }

// control is a part of the word that is decoded one cycle ahead.
type control struct {
	Name, Meaning string
	Low, Bits     int
	values        []int // by row of the table, -1 where the value does not count
}

// Slice is its part of the word.
func (c *control) Slice() string { return slice(c.Low, c.Bits) }

// Range is the range of its wire, with a blank, or empty for one bit.
func (c *control) Range() string {
	if c.Bits == 1 {
		return ""
	}
	return rangeOf(c.Bits) + " "
}

// nodeMaker makes the view of a node.
type nodeMaker struct {
	*collectiveNodeView
	program *check.Program
	rows    int // of the table of controls: one per step, and one for a result that takes cycles behind the last step
	sums    []*nodeSum
	read    map[string]bool // parts of ports that are read
}

// nodeSum is a tree of operators in front of a register. In each row it computes at most one sum.
type nodeSum struct {
	name  string
	terms [][]string // by row: what is combined; empty: nothing
}

func newCollectiveNodeView(c *plan.Collective, class int) *collectiveNodeView {
	v := &collectiveNodeView{
		Collective: c, Header: c.Notice("//"), Module: collectiveNodeModule(c, class), Of: nodesOf(c, class),
		Schedule: scheduleTable(c, class), Wires: nodePorts(c), CountBits: bits.Len(uint(c.Period)),
		LaneIndexBits: c.Degree * c.IndexBits, FieldBits: c.IndexBits + 1,
	}
	m := &nodeMaker{collectiveNodeView: v, program: &c.Programs[class], rows: c.Steps, read: map[string]bool{}}
	if c.Times[c.Steps] < c.Period {
		m.rows++
	}
	m.request()
	m.registers()
	v.Delivering = m.deliveries()
	v.Select = m.selections()
	if c.Latency > 0 && (len(v.Silent) < c.Degree || v.Held != nil) {
		v.Last = m.cycles(func(k int) int { return c.Times[k+1] - 1 })
	}
	if c.Latency > 0 && v.Requesting != nil {
		v.First = m.cycles(func(k int) int { return c.Times[k] })
	}
	m.listUnused()
	return v
}

// collectiveNodeModule names the module of a class of nodes.
func collectiveNodeModule(c *plan.Collective, class int) string {
	name := c.Machine + "_" + c.Name + "_node"
	if len(c.Programs) > 1 {
		name += fmt.Sprint(class)
	}
	return name
}

// nodesOf says which nodes are of a class.
func nodesOf(c *plan.Collective, class int) string {
	if len(c.Programs) == 1 {
		return "every node"
	}
	var list []string
	for node, of := range c.Class {
		if of == class {
			list = append(list, fmt.Sprint(node))
		}
	}
	if len(list) == 1 {
		return "node " + list[0]
	}
	return "nodes " + strings.Join(list, ", ")
}

// scheduleTable lists by step what each port sends and each register takes, and what is delivered.
func scheduleTable(c *plan.Collective, class int) []string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	p := &c.Programs[class]
	fmt.Fprint(w, "step\tends in cycle")
	for port := range c.Degree {
		fmt.Fprintf(w, "\tport %d", port)
	}
	for register := range c.Registers {
		fmt.Fprintf(w, "\tregister %d", register)
	}
	fmt.Fprintln(w, "\tdelivered")
	for k := range c.Steps {
		fmt.Fprintf(w, "%d\t%d", k+1, c.Times[k+1])
		for _, sum := range slices.Concat(p.Sends[k], p.Writes[k]) {
			fmt.Fprintf(w, "\t%s", sumText(sum))
		}
		var delivered []string
		for port, index := range p.Delivers[k] {
			if index >= 0 {
				delivered = append(delivered, fmt.Sprintf("port %d from %d", port, c.IndexOf(int(index))))
			}
		}
		fmt.Fprintf(w, "\t%s\n", orDash(strings.Join(delivered, ", ")))
	}
	_ = w.Flush() // into memory
	if len(p.Result) > 0 {
		fmt.Fprintf(&b, "own result in cycle %d: %s\n", c.Period+1, sumText(p.Result))
	}
	return each(strings.Split(strings.TrimSpace(b.String()), "\n"), func(line string) string { return strings.TrimRight(line, " ") })
}

func sumText(sum check.Sum) string {
	return orDash(strings.Join(each(sum, check.Term.String), " + "))
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// words is the part of a vector of words that belongs to a port.
func words(vector string, port int) string {
	if port == 0 {
		return vector + "[WIDTH-1:0]"
	}
	if port == 1 {
		return vector + "[WIDTH+:WIDTH]"
	}
	return fmt.Sprintf("%s[%d*WIDTH+:WIDTH]", vector, port)
}

// source is the wire of a term that is read for a port, or for a register (-1).
func (m *nodeMaker) source(t check.Term, port int) string {
	from := fmt.Sprintf("register%d", t.Index)
	switch t.Source {
	case check.Requested:
		from = words("s_data", port)
	case check.Own:
		from = "s_own_data"
	case check.Arrived:
		from = words("arrived", int(t.Index))
	case check.Held:
		return from
	}
	m.read[from] = true
	if t.Source == check.Requested && m.Latency > 0 {
		return fmt.Sprintf("requested%d", port)
	}
	return from
}

// request lays out the requests, and the words that must be there in time.
func (m *nodeMaker) request() {
	valid, index := m.emptyLanes(), m.emptyLanes()
	for k, sends := range m.program.Sends {
		for port, sum := range sends {
			for _, t := range sum {
				if t.Source == check.Requested {
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
				Parameters:  []connection{{"WIDTH", "WIDTH"}},
				Connections: []connection{{"clk", "clk"}, {"first", "first"}, {"s_data", words("s_data", port)}, {"word", name}},
			})
		}
	}
	owns := slices.ContainsFunc(slices.Concat(m.program.Sends[0], m.program.Writes[0]), func(s check.Sum) bool {
		return len(s) > 0 && s[0].Source == check.Own
	})
	if owns {
		m.Due, m.Valid = append(m.Due, "start & ready"), append(m.Valid, "s_own_valid")
		m.read["s_own_valid"] = true
	}
}

// from is the label of the cycles before a row of the table of controls.
func (m *nodeMaker) from(row int) string {
	if row == 0 {
		return sized(m.CountBits, 0) + ", " + sized(m.CountBits, m.Period)
	}
	return sized(m.CountBits, m.Times[row])
}

// emptyLanes has no value for any port in any step.
func (m *nodeMaker) emptyLanes() [][]int {
	list := make([][]int, m.Degree)
	for port := range list {
		list[port] = slices.Repeat([]int{-1}, m.Steps)
	}
	return list
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
			flags = fmt.Sprint(asInt(valid[port][k] == 1 && !none)) + flags
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

func (m *nodeMaker) deliveries() *table {
	valid, index := m.emptyLanes(), m.emptyLanes()
	for k, delivers := range m.program.Delivers {
		for port, other := range delivers {
			if other >= 0 {
				valid[port][k], index[port][k] = 1, int(m.IndexOf(int(other)))
			}
		}
	}
	return m.lanes(valid, index, func(k int) string { return sized(m.CountBits, m.Times[k+1]) })
}

// registers makes the registers of links and those in which words wait, what is selected in front of them, and sums.
func (m *nodeMaker) registers() {
	type destination struct {
		name, comment string
		sources       []string // by step, empty: nothing
	}
	var list []destination
	take := func(name, comment string, port int, sum func(k int) check.Sum) {
		d := destination{name: name, comment: comment, sources: make([]string, m.Steps)}
		for k := range m.Steps {
			d.sources[k] = m.value(sum(k), k, name, port)
		}
		list = append(list, d)
	}
	for r := range m.Registers {
		name := fmt.Sprintf("register%d", r)
		take(name, fmt.Sprintf("Register %d.", r), -1, func(k int) check.Sum { return m.program.Writes[k][r] })
	}
	for port := range m.Degree {
		q := m.Graph.Ports()[port]
		comment := fmt.Sprintf("Port %d: dimension %d, %s, distance %d.", port, q.Dimension, q.Direction, q.Distance)
		take(fmt.Sprintf("port%d", port), comment, port, func(k int) check.Sum { return m.program.Sends[k][port] })
	}
	m.result()
	for _, s := range m.sums {
		m.makeSum(s)
	}
	for i, d := range list {
		port := i - m.Registers
		word := d.name
		if port >= 0 {
			word = words("sent", port)
		}
		next := m.choose(d.name, d.comment, append(d.sources, slices.Repeat([]string{""}, m.rows-m.Steps)...))
		switch {
		case next == "" && port >= 0:
			m.Silent = append(m.Silent, word)
			continue
		case next == "": // nothing waits in this register of others
			continue
		case port < 0:
			m.Held = append(m.Held, word)
		}
		load := "1'b1"
		if m.Latency > 0 {
			load = "last"
		}
		if port < 0 {
			enable := m.control(d.name+"_load", "write "+d.name, 1)
			for k, source := range d.sources[:m.Steps] {
				enable.values[k] = asInt(source != "")
			}
			if load = enable.Name; m.Latency > 0 {
				load += " & last"
			}
		}
		c := cell{
			Module: "hc_word_register", Instance: d.name + "_register", Parameters: []connection{{"WIDTH", "WIDTH"}},
			Connections: []connection{{"clk", "clk"}, {"load", load}, {"next", next}, {"word", word}},
		}
		if len(m.Cells) == 0 || m.Cells[len(m.Cells)-1].Wire != next {
			c.Comment = d.comment
		}
		m.Cells = append(m.Cells, c)
	}
}

// value is the wire of a sum in a step, for a register of this name: of one term its source, of several the sum that
// computes it. Equal sums of a step are computed once.
func (m *nodeMaker) value(sum check.Sum, row int, name string, port int) string {
	terms := each(sum, func(t check.Term) string { return m.source(t, port) })
	if len(terms) < 2 {
		return strings.Join(terms, "")
	}
	if row == 0 {
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
	terms := each(m.program.Result, func(t check.Term) string { return m.source(t, -1) })
	if len(terms) < 2 {
		m.ResultWord = strings.Join(terms, "")
		return
	}
	s := m.sumOf("register0")
	s.terms[0] = terms
	if m.rows > m.Steps {
		s.terms[m.Steps] = terms
	}
	m.ResultWord = s.name
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

// choose returns the wire that has the source of each row: a new one if there are several. It is empty if there is none.
func (m *nodeMaker) choose(name, comment string, sources []string) string {
	var list []string
	for _, s := range sources {
		if s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	c := m.control(name+"_select", strings.Join(each(list, plainSource), ", "), bits.Len(uint(len(list)-1)))
	for row, s := range sources {
		if s != "" {
			c.values[row] = slices.Index(list, s)
		}
	}
	next := name + "_next"
	m.Cells = append(m.Cells, cell{
		Comment: comment, Wire: next, Module: "hc_choice", Instance: name + "_choice",
		Parameters:  []connection{{"WORDS", fmt.Sprint(len(list))}, {"WIDTH", "WIDTH"}},
		Connections: []connection{{"select", c.Name}, {"words", concat(list)}, {"word", next}},
	})
	return next
}

// plainSource names a source in a comment.
func plainSource(wire string) string {
	return strings.NewReplacer("*WIDTH+:WIDTH", "", "WIDTH-1:0", "0", "WIDTH+:WIDTH", "1").Replace(wire)
}

// makeSum makes the tree of a sum. A sum of fewer terms than the tree has leaves has its first ceil(n / 2) terms in
// the lower half, and the others in the upper one.
func (m *nodeMaker) makeSum(s *nodeSum) {
	size := 0
	for _, terms := range s.terms {
		size = max(size, len(terms))
	}
	leaves := make([][]string, size) // by leaf and row
	for i := range leaves {
		leaves[i] = make([]string, m.rows)
	}
	for row, terms := range s.terms {
		place(terms, 0, size, func(leaf int, term string) { leaves[leaf][row] = term })
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
	name := s.name
	if n < len(leaves) {
		name += fmt.Sprintf("_%dto%d", low, low+n-1)
	}
	combined := name
	var both *control
	if m.ownOperator() {
		if both = m.sometimes(s, leaves[low+half], name+"_both", "combine both"); both != nil {
			combined = name + "_combined"
		}
	}
	m.Cells = append(m.Cells, cell{
		Wire: combined, Module: operatorName(m.Collective), Instance: combined + "_operator",
		Parameters:  []connection{{"W", "WIDTH"}},
		Connections: []connection{{"clk", "clk"}, {"a", a}, {"b", b}, {"y", combined}},
	})
	if both != nil {
		m.Cells = append(m.Cells, cell{
			Wire: name, Module: "hc_choice", Instance: name + "_choice",
			Parameters:  []connection{{"WORDS", "2"}, {"WIDTH", "WIDTH"}},
			Connections: []connection{{"select", both.Name}, {"words", concat([]string{a, combined})}, {"word", name}},
		})
	}
	return name
}

// operand makes a leaf of the tree of a sum.
func (m *nodeMaker) operand(s *nodeSum, sources []string, leaf int, comment string) string {
	name := fmt.Sprintf("%s_term%d", s.name, leaf)
	word := m.choose(name, comment, sources)
	if m.ownOperator() {
		return word
	}
	present := m.sometimes(s, sources, name+"_present", "the sum has this term")
	if present == nil {
		return word
	}
	operand := name + "_operand"
	m.Cells = append(m.Cells, cell{
		Wire: operand, Module: "hc_operand", Instance: name + "_mask",
		Parameters:  []connection{{"WIDTH", "WIDTH"}, {"IDENTITY", fmt.Sprint(asInt(identityIsOnes(m.Collective)))}},
		Connections: []connection{{"present", present.Name}, {"word", word}, {"operand", operand}},
	})
	return operand
}

// sometimes is a control that says whether a sum has a leaf, or nil if every sum has it.
func (m *nodeMaker) sometimes(s *nodeSum, sources []string, name, meaning string) *control {
	always := true
	for row, source := range sources {
		always = always && (source != "" || len(s.terms[row]) == 0)
	}
	if always {
		return nil
	}
	c := m.control(name, meaning, 1)
	for row, source := range sources {
		if len(s.terms[row]) > 0 {
			c.values[row] = asInt(source != "")
		}
	}
	return c
}

// ownOperator reports whether the operator is a module of the user.
func (m *nodeMaker) ownOperator() bool { return ownOperator(m.Collective) }

func ownOperator(c *plan.Collective) bool {
	return c.HasResult() && !slices.Contains(machine.Operators, c.Operator)
}

// identityIsOnes reports whether all ones change nothing: else zeros do.
func identityIsOnes(c *plan.Collective) bool { return c.Operator == "and" || c.Operator == "min" }

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
		label := sized(m.CountBits, of(k))
		if k == 0 {
			label = m.from(0)
		}
		t.Rows = append(t.Rows, tableRow{Labels: label, Comment: fmt.Sprintf("step %d", k+1)})
	}
	return t
}

// listUnused lists the inputs that the node does not read.
func (m *nodeMaker) listUnused() {
	add := func(wire string) {
		if !m.read[wire] {
			m.Unused = append(m.Unused, wire)
		}
	}
	if m.Requesting == nil && m.Delivering == nil && m.Select == nil && m.Last == nil {
		add("count")
	}
	for port := range m.Degree {
		if m.Requests() {
			add(words("s_data", port))
			add(fmt.Sprintf("s_valid[%d]", port))
		}
		add(words("arrived", port))
	}
	if m.HasOwn() {
		add("s_own_data")
		add("s_own_valid")
	}
}
