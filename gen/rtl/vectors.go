// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// vectorsView is everything the template of the module of vectors prints.
type vectorsView struct {
	*plan.Vectors
	Header   string
	Inside   []plan.Wire // the wires between the network and the memories
	Network  []verilog.Connection
	NodeList []memoryNode
	Unused   []string
}

// memoryNode is the memory of a node and its connections.
type memoryNode struct {
	Index       int
	Digits      []int
	Module      string
	Connections []verilog.Connection
}

func newVectorsView(v *plan.Vectors) *vectorsView {
	view := &vectorsView{Vectors: v, Header: v.Notice("//")}
	ports := v.MemoryWires()
	inside := map[string]bool{}
	for _, w := range ports {
		inside[w.Name] = w.Network == plan.Near
	}
	for _, w := range v.Collective.Wires() {
		value := w.Name
		switch {
		case w.IsClock():
		case w.Role == plan.Start:
			value = "word_start"
		case w.Name == "done":
			value = "word_done"
		case !w.Output && !inside[w.Name]: // words are always valid
			value = fmt.Sprintf("{%d{1'b1}}", w.Lanes)
		default:
			if w.Name == "ready" {
				value = "word_ready"
			}
			wire := w
			wire.Name = value
			view.Inside = append(view.Inside, wire)
			if !inside[w.Name] {
				view.Unused = append(view.Unused, value)
			}
		}
		view.Network = append(view.Network, verilog.To(w.Name, value))
	}
	for n := range v.Nodes {
		node := memoryNode{Index: n, Digits: v.Graph.Digits(n), Module: v.MemoryModule(v.Class[n])}
		for _, w := range ports {
			value := w.Name
			if w.Network != plan.Common {
				value = nodeWire(w, n)
			}
			node.Connections = append(node.Connections, verilog.To(w.Name, value))
		}
		view.NodeList = append(view.NodeList, node)
	}
	return view
}

// memoryView is everything the template of the memory of a node prints.
type memoryView struct {
	*plan.Vectors
	Header, Module     string
	Of                 string   // which nodes it is for
	Places             []string // lines of the table of banks and slots
	Write, Read        *lookup  // of the vectors that the node writes and reads; nil if there is nothing to look up
	Send, Receive      []bankView
	Requested, OwnWord string // what the network reads, if it has these ports
	Word               string // what the node reads; empty: one of Words
	Words              []string
	SelectBits         int // to select it
	Unused             []string
}

// bankView is the instance of a bank.
type bankView struct {
	Comment, Name string
	InUse         []inUse // of a bank that ports share
	Words         int
	Slot          *lookup // of the words that the network reads or delivers; nil if the bank has one slot
	Connections   []verilog.Connection
}

// inUse selects what belongs to the port in use among those that share a bank.
type inUse struct {
	Name          string // of the selected part
	Range, Bits   string // its range and its width
	Ports         int
	Select, Parts string
}

// lookup is a table that assigns registers by an index.
type lookup struct {
	Index     string
	Registers []register
	Target    string // the registers
	Rows      []lookupRow
	Default   string
}

type lookupRow struct{ Index, Value, Comment string }

// column is a register of a lookup, and its value for a slot of a bank.
type column struct {
	register
	value func(bank, slot int) string
	none  string
}

// memoryMaker makes the view of a memory.
type memoryMaker struct {
	*memoryView
	plan.Memory
	read map[string]int // lanes of inputs that are read
}

func newMemoryView(v *plan.Vectors, class int) *memoryView {
	m := &memoryMaker{
		memoryView: &memoryView{Vectors: v, Header: v.Notice("//"), Module: v.MemoryModule(class), Of: nodesOf(v.Collective, class)},
		Memory:     v.Memories[class],
		read:       map[string]int{},
	}
	m.places()
	m.send()
	m.receive()
	for _, w := range v.MemoryWires() {
		if !w.Output && (w.Network == plan.Near || w.Network == plan.PerNode) && m.read[w.Name] < w.Lanes {
			m.Unused = append(m.Unused, w.Name)
		}
	}
	return m.memoryView
}

// bankText names a bank in comments.
func (m *memoryMaker) bankText(bank int, sharing []int) string {
	switch {
	case bank == m.Own():
		return "own"
	case sharing != nil:
		return "shared"
	}
	return fmt.Sprintf("port %d", bank)
}

// portText names the port of a bank in comments, or the ports that share it.
func portText(bank int, sharing []int) string {
	if sharing == nil {
		return fmt.Sprintf("port %d", bank)
	}
	last := len(sharing) - 1
	return fmt.Sprintf("ports %s and %d, one in a step", strings.Trim(strings.ReplaceAll(fmt.Sprint(sharing[:last]), " ", ", "), "[]"), sharing[last])
}

// places lists for each index where its vectors are.
func (m *memoryMaker) places() {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "index\tto send\treceived")
	place := func(banks []plan.Bank, sharing []int, index int) string {
		for bank, b := range banks {
			if slot := slices.Index(b, index); slot >= 0 {
				return fmt.Sprintf("%s, slot %d", m.bankText(bank, sharing), slot)
			}
		}
		return "-"
	}
	for index := range m.Nodes {
		send, receive := place(m.Memory.Send, m.Leave, index), place(m.Memory.Receive, m.Arrive, index)
		if send != "-" || receive != "-" {
			fmt.Fprintf(w, "%s\t%s\t%s\n", indexText(m.Collective, index), send, receive)
		}
	}
	_ = w.Flush() // into memory
	m.Places = each.Of(strings.Split(strings.TrimSpace(b.String()), "\n"), func(line string) string { return strings.TrimRight(line, " ") })
}

// lookup looks up the columns for the indices of banks, and is nil without columns.
func (m *memoryMaker) lookup(index string, banks map[int]plan.Bank, sharing []int, columns ...column) *lookup {
	if len(columns) == 0 {
		return nil
	}
	value := func(of func(c column) string) string {
		values := each.Of(columns, of)
		slices.Reverse(values)
		return verilog.Concat(values)
	}
	names := each.Of(columns, func(c column) string { return c.Name })
	slices.Reverse(names)
	l := &lookup{
		Index: index, Registers: each.Of(columns, func(c column) register { return c.register }), Target: verilog.Concat(names),
		Default: value(func(c column) string { return c.none }),
	}
	for _, bank := range slices.Sorted(maps.Keys(banks)) {
		for slot, index := range banks[bank] {
			row := lookupRow{indexLiteral(m.Collective, index), value(func(c column) string { return c.value(bank, slot) }), ""}
			if len(banks) > 1 {
				row.Comment = m.bankText(bank, sharing)
			}
			l.Rows = append(l.Rows, row)
		}
	}
	return l
}

// slots is the column with the slots of banks: none if each has one.
func slots(name string, banks map[int]plan.Bank) []column {
	width := slotBits(banks)
	if width == 0 {
		return nil
	}
	return []column{{
		register{rangeOf(width), name, "place of the vector in its bank"},
		func(_, slot int) string { return verilog.Sized(width, slot) }, verilog.Sized(width, 0),
	}}
}

// address is that of a word in a bank. A slot has the width of those of all banks.
func address(b plan.Bank, banks map[int]plan.Bank, slot, number string) string {
	switch width := b.SlotBits(); width {
	case 0:
		return number
	case slotBits(banks):
		return fmt.Sprintf("{%s, %s}", slot, number)
	default:
		return fmt.Sprintf("{%s%s, %s}", slot, verilog.Range(width), number)
	}
}

// slotBits is the width of the slots of banks.
func slotBits(banks map[int]plan.Bank) (width int) {
	for _, b := range banks {
		width = max(width, b.SlotBits())
	}
	return width
}

// filled are the banks that have vectors, and their numbers in order.
func filled(banks []plan.Bank) (list map[int]plan.Bank, order []int) {
	list = map[int]plan.Bank{}
	for n, b := range banks {
		if len(b) > 0 {
			list[n] = b
			order = append(order, n)
		}
	}
	return list, order
}

// reads notes that a lane of inputs is read.
func (m *memoryMaker) reads(inputs ...string) {
	for _, name := range inputs {
		m.read[name]++
	}
}

// inUse selects the part of a vector that belongs to the port whose valid is 1.
func (m *memoryMaker) inUse(u inUse, valid, vector string, sharing []int, part func(port int) string) inUse {
	u.Ports, u.Select, u.Parts = len(sharing), valid, vector
	if u.Ports < m.Degree {
		u.Select = verilog.Concat(each.Of(sharing, func(port int) string { return valid + verilog.Lane(port, 1) }))
		u.Parts = verilog.Concat(each.Of(sharing, part))
	}
	return u
}

// bank makes a bank. The network names a vector by the index of this port, or of the port in use if several share the bank.
func (m *memoryMaker) bank(side, valid, index string, n int, b plan.Bank, sharing []int) bankView {
	v := bankView{Name: fmt.Sprintf("%s%d", side, n), Words: m.Vectors.Words(b)}
	at := index + verilog.Lane(n, m.IndexBits)
	switch {
	case n == m.Own():
		v.Name = side + "_own"
		return v
	case sharing != nil:
		v.Name, at = side, side+"_index"
		v.InUse = append(v.InUse, m.inUse(inUse{Name: at, Range: verilog.Range(m.IndexBits), Bits: fmt.Sprint(m.IndexBits)}, valid, index, sharing, func(port int) string { return index + verilog.Lane(port, m.IndexBits) }))
		for range sharing {
			m.reads(valid, index)
		}
	}
	if v.Slot = m.lookup(at, map[int]plan.Bank{n: b}, sharing, slots(v.Name+"_slot", map[int]plan.Bank{n: b})...); v.Slot != nil {
		v.Slot.Registers[0].Meaning = ""
		if sharing == nil {
			m.reads(index)
		}
	}
	return v
}

// send makes the banks of words that the node writes and the network reads.
func (m *memoryMaker) send() {
	banks, order := filled(m.Memory.Send)
	enable := func(int) string { return "w_valid" }
	if m.WritesIndex() && len(order) > 0 {
		m.reads("w_index")
		width := len(order)
		m.Write = m.lookup("w_index", banks, m.Leave, append([]column{{
			register{rangeOf(width), "w_bank", "bank of the vector, a bit for each"},
			func(bank, _ int) string { return fmt.Sprintf("%d'b%0*b", width, width, 1<<slices.Index(order, bank)) }, verilog.Sized(width, 0),
		}}, slots("w_slot", banks)...)...)
		enable = func(place int) string {
			if width == 1 {
				return "w_valid & w_bank"
			}
			return fmt.Sprintf("w_valid & w_bank[%d]", place)
		}
	}
	if len(order) > 0 {
		m.reads("w_valid", "w_number", "w_data")
	} else {
		m.Unused = append(m.Unused, "send_number")
	}
	for place, n := range order {
		b := banks[n]
		v := m.bank("send", "s_request", "s_index", n, b, m.Leave)
		v.Comment = fmt.Sprintf("Words that leave by %s.", portText(n, m.Leave))
		if n == m.Own() {
			v.Comment = "Own words."
		}
		v.Connections = verilog.Connections("clk", "clk", "write", enable(place), "write_address", address(b, banks, "w_slot", "w_number"), "write_word", "w_data",
			"read_address", address(b, map[int]plan.Bank{n: b}, v.Name+"_slot", "send_number"), "read_word", v.Name+"_word")
		m.memoryView.Send = append(m.memoryView.Send, v)
	}
	word := func(bank int) string {
		for place, n := range order {
			if n == bank {
				return m.memoryView.Send[place].Name + "_word"
			}
		}
		return "{WIDTH{1'b0}}"
	}
	m.Requested, m.OwnWord = verilog.Concat(each.Of(m.Lanes, word)), word(m.Own())
}

// receive makes the banks of words that the network delivers and the node reads.
func (m *memoryMaker) receive() {
	banks, order := filled(m.Memory.Receive)
	if len(order) == 0 {
		m.Word = "{WIDTH{1'b0}}"
		m.Unused = append(m.Unused, "receive_number")
		return
	}
	m.reads("r_number")
	for _, n := range order {
		b := banks[n]
		v := m.bank("receive", "m_valid", "m_index", n, b, m.Arrive)
		enable, data := fmt.Sprintf("m_valid[%d]", n), words("m_data", n)
		v.Comment = fmt.Sprintf("Words that arrive by %s.", portText(n, m.Arrive))
		switch {
		case n == m.Own():
			enable, data = "m_own_valid", "m_own_data"
			v.Comment = "Own results."
			m.reads("m_own_valid", "m_own_data")
		case m.Arrive != nil:
			data = "receive_data"
			v.InUse = append(v.InUse, m.inUse(inUse{Name: data, Range: "[WIDTH-1:0]", Bits: "WIDTH"}, "m_valid", "m_data", m.Arrive, func(port int) string { return words("m_data", port) }))
			enable = "|" + v.InUse[0].Select
			for range m.Arrive {
				m.reads("m_data")
			}
		default:
			m.reads("m_valid", "m_data")
		}
		v.Connections = verilog.Connections("clk", "clk", "write", enable, "write_address", address(b, map[int]plan.Bank{n: b}, v.Name+"_slot", "receive_number"), "write_word", data,
			"read_address", address(b, banks, "r_slot", "r_number"), "read_word", v.Name+"_word")
		m.memoryView.Receive = append(m.memoryView.Receive, v)
		m.Words = append(m.Words, v.Name+"_word")
	}
	var columns []column
	if len(order) > 1 {
		m.SelectBits = bits.Len(uint(len(order) - 1))
		columns = append(columns, column{
			register{rangeOf(m.SelectBits), "r_bank", "number of the bank of the vector"},
			func(bank, _ int) string { return verilog.Sized(m.SelectBits, slices.Index(order, bank)) }, verilog.Sized(m.SelectBits, 0),
		})
	} else {
		m.Word, m.Words = m.Words[0], nil
	}
	if m.Read = m.lookup("r_index", banks, m.Arrive, append(columns, slots("r_slot", banks)...)...); m.Read != nil {
		m.reads("r_index")
	}
}

// rangeOf is the range of a register, with a blank, or empty for one bit.
func rangeOf(width int) string {
	if width == 1 {
		return ""
	}
	return verilog.Range(width) + " "
}

// Shares reports whether ports share a bank.
func (m *memoryView) Shares() bool {
	return slices.ContainsFunc(slices.Concat(m.Send, m.Receive), func(b bankView) bool { return b.InUse != nil })
}

// vectorModules lists the hand-written modules of the memories.
func vectorModules(nodes []*memoryView) []string {
	modules := []string{"hc_vector_counter", "hc_vector_bank"}
	if slices.ContainsFunc(nodes, (*memoryView).Shares) {
		modules = append(modules, "hc_select")
	}
	if slices.ContainsFunc(nodes, func(m *memoryView) bool { return m.Words != nil }) {
		modules = append(modules, "hc_mux")
	}
	return modules
}

// VectorFiles are the files with the memories of a network: none without vectors.
func VectorFiles(c *plan.Collective) (list []string) {
	if c.Vector == 0 {
		return nil
	}
	v := c.Vectors()
	for class := range v.Programs {
		list = append(list, "rtl/"+v.MemoryModule(class)+".v")
	}
	return append(list, "rtl/"+v.VectorsModule+".v")
}
