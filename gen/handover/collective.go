// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// hasSystemFile reports whether the folder integration has the module with all networks. With endpoints it is part of the
// design, and in the folder rtl.
func hasSystemFile(p *plan.Plan) bool { return p.HasSystem() && p.Endpoint == nil }

// systemPath is the file of that module.
func systemPath(p *plan.Plan) string { return "integration/" + p.Module("system") + ".v" }

// systemView is everything the template of the module with all networks prints.
type systemView struct {
	*plan.Plan
	Header    string
	Wires     []plan.Wire
	Instances []rtl.Instance
}

func newSystemView(p *plan.Plan, networks []*plan.Collective) *systemView {
	v := &systemView{Plan: p, Header: p.Notice("//"), Wires: p.SystemWires(networks)}
	if !p.Machine.NoRouters {
		v.Instances = append(v.Instances, rtl.Instance{Module: p.NetworkModule, Name: "network", Connections: rtl.SameNames(p.NetworkWires())})
	}
	v.Instances = append(v.Instances, rtl.CollectiveInstances(networks)...)
	return v
}

// collectiveFiles help to use each collective network in another design: an instance, and a bench with nodes that know
// what the operation delivers.
func collectiveFiles(p *plan.Plan, networks []*plan.Collective) (files []artifact.File) {
	for _, c := range networks {
		v := newCollectiveView(p, c)
		for _, f := range []struct{ ending, extension, template string }{
			{"instance", ".vh", "collective_instance.vh.tmpl"},
			{"example", ".v", v.ExampleTemplate},
			{"bench", ".v", "collective_bench.v.tmpl"},
		} {
			files = append(files, file(c.Module(f.ending)+f.extension, f.template, v))
		}
	}
	return files
}

// collectiveView is everything that the templates of a collective network print: its instance, and a bench in which node
// a has the word N a + b + 1 for node b.
type collectiveView struct {
	*plan.Collective
	Header  string
	Lanes   int
	Barrier bool // of the routers

	At   string // the node at an index of another, from node and index
	Word string // a word, from its number
	expected

	Combine string // combination of "combined" and "next"; empty if the network combines nothing, or by the user's module

	ExampleTemplate string
	*vectorsExample // nil without vectors

	Cycles       int // after which an operation has ended
	Summary      string
	FirstSummary string // that of the first operation alone

	Wires       []plan.Wire          // that the instance is connected to
	Connections []verilog.Connection // of the instance
	Between     []plan.Wire          // wires of the bench between the network and the nodes
	Bench       []verilog.Connection // of the network in the bench
	Example     []verilog.Connection // of the nodes in the bench
	InSystem    []verilog.Connection // of the nodes in the bench of the system
}

// expected is what a bench knows of an operation, in Verilog. Of several it depends on "operation".
type expected struct {
	To        string // the receiver of the word that node "from" gives to the combination for node "to"
	First     string // the same for node 0
	Delivered string // the word that lane "lane" delivers from node "node"; empty if there is none, or only the user's module knows it
	Known     string // whether it is known; empty if it always is
	Words     string // number that the network delivers
	Results   string
}

// released is the barrier that starts collective networks: all nodes are released in the same cycle.
const released = "barrier_release[0]"

// combinations are the operators in Verilog.
var combinations = map[string]string{
	"add": "combined + next", "and": "combined & next", "or": "combined | next", "xor": "combined ^ next",
	"min": "next < combined ? next : combined", "max": "next > combined ? next : combined",
	"signed_min": "$signed(next) < $signed(combined) ? next : combined", "signed_max": "$signed(next) > $signed(combined) ? next : combined",
}

func newCollectiveView(p *plan.Plan, c *plan.Collective) *collectiveView {
	v := &collectiveView{
		Collective: c, Header: c.Notice("//"), Lanes: c.Nodes * c.Degree, Barrier: p.Machine.Barrier,
		At: at(c), Word: wordOf(c.PayloadBits), expected: expectedOf(c), Cycles: c.Skew + 4, ExampleTemplate: "collective_example.v.tmpl",
	}
	longest := 0
	var summaries []string
	for _, s := range c.Schedules {
		longest = max(longest, s.Period)
		words, results := delivers(c, s)
		summary := fmt.Sprintf("the network delivered %d words", words)
		if s.HasResult() {
			summary += fmt.Sprintf(" and %d results", results)
			if rtl.OwnOperator(c) {
				summary += ", whose values only the operator knows"
			}
		}
		if c.Several() {
			summary = s.Name + ": " + summary
		}
		summaries = append(summaries, summary)
	}
	v.Cycles += longest
	v.Summary, v.FirstSummary = strings.Join(summaries, "; "), summaries[0]
	if c.HasResult() && !rtl.OwnOperator(c) {
		v.Combine = combinations[c.Operator]
		if v.Combine == "" {
			panic("gen: no combination in Verilog for the operator " + c.Operator)
		}
	}
	states := []string{"finished", "failed"}
	if c.Vector > 0 {
		states = append(states, "written")
		v.vectors()
	}
	v.Bench = rtl.SameNames(c.OuterWires())
	for _, w := range c.OuterWires() {
		w = w.WithWords(c.PayloadBits)
		start, chosen := w.Role == plan.Start, w.Role == plan.Operation
		value := w.Name
		if start && v.Barrier {
			value = released
		} else if !w.IsClock() {
			v.Wires = append(v.Wires, w)
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, value))
		if w.Vector && !chosen {
			v.Between = append(v.Between, w)
		}
		if !start && w.Name != "ready" {
			v.Example = append(v.Example, verilog.To(w.Name, w.Name))
			inSystem := c.SystemName(w)
			if chosen {
				inSystem = firstOperation(w)
			}
			v.InSystem = append(v.InSystem, verilog.To(w.Name, inSystem))
		}
	}
	for _, state := range states {
		v.Example = append(v.Example, verilog.To(state, state))
		v.InSystem = append(v.InSystem, verilog.To(state, c.Name+"_"+state))
	}
	return v
}

// firstOperation is the number of the operation that benches of all networks start.
func firstOperation(w plan.Wire) string { return verilog.Sized(w.Bits, 0) }

// delivers counts the words and the results that the network delivers in an operation.
func delivers(c *plan.Collective, s *plan.Schedule) (words, results int) {
	others := c.Nodes - 1
	switch {
	case !s.Delivers():
	case collective.Rooted(s.Name):
		words = others
	default:
		words = c.Nodes * others
	}
	if s.HasResult() {
		results = c.Nodes
	}
	return words, results
}

// expectedOf is what a bench knows of the operations of a network.
func expectedOf(c *plan.Collective) expected {
	return expected{
		To: byOperation(c, func(s *plan.Schedule) string {
			if s.OneWord() {
				return "from"
			}
			return "to"
		}),
		First: byOperation(c, func(s *plan.Schedule) string {
			if s.OneWord() {
				return "0"
			}
			return "to"
		}),
		Delivered: byOperation(c, func(s *plan.Schedule) string { return delivered(c, s) }),
		Known:     known(c),
		Words: byOperation(c, func(s *plan.Schedule) string {
			words, _ := delivers(c, s)
			return fmt.Sprint(words)
		}),
		Results: byOperation(c, func(s *plan.Schedule) string {
			_, results := delivers(c, s)
			return fmt.Sprint(results)
		}),
	}
}

// delivered is the word that lane "lane" delivers from node "node", or empty.
func delivered(c *plan.Collective, s *plan.Schedule) string {
	switch s.Name {
	case collective.AllGather, collective.Gather, collective.Broadcast:
		return "word(node, node)"
	case collective.Scatter, collective.TotalExchange:
		return fmt.Sprintf("word(node, lane / %d)", c.Degree)
	case collective.AllReduce:
		if !s.OneWord() && !rtl.OwnOperator(c) {
			return "combined(node)"
		}
	}
	return ""
}

// known says in which operations the bench knows the words that lanes deliver: not in an all-reduce by the user's module.
func known(c *plan.Collective) string {
	i := slices.IndexFunc(c.Schedules, func(s *plan.Schedule) bool { return s.Name == collective.AllReduce && s.Delivers() })
	if i < 0 || !c.Several() || !rtl.OwnOperator(c) {
		return ""
	}
	return fmt.Sprintf("operation != %s && ", verilog.Sized(c.OperationWire().Bits, i))
}

// byOperation is the expression of the operation that is under way. Operations whose expression is empty do not count.
func byOperation(c *plan.Collective, of func(s *plan.Schedule) string) string {
	text := ""
	for i, s := range slices.Backward(c.Schedules) {
		switch next := of(s); {
		case next == "" || next == text:
		case text == "":
			text = next
		default:
			text = fmt.Sprintf("operation == %s ? %s : %s", verilog.Sized(c.OperationWire().Bits, i), next, text)
		}
	}
	if strings.Contains(text, "?") {
		return "(" + text + ")"
	}
	return text
}

// vectorsExample is what the templates print of the nodes of a network that has vectors. All nodes write vectors, and read them.
type vectorsExample struct {
	Memory        *plan.Vectors
	Length        int          // words of each vector
	Writes, Reads int          // vectors that a node names, to write and to read
	IndexOfOther  string       // index of node "other" at node "node", as a number
	IndexPart     verilog.Part // its bits
	NumberPart    verilog.Part // those of the number of a word
	CountPart     verilog.Part // and of the number of words
	Receives      string       // whether node "node" has a vector of node "other_q" to read; empty if each has
}

// vectors makes what nodes of a network with vectors are to do.
func (v *collectiveView) vectors() {
	c := v.Collective
	m := &vectorsExample{Memory: c.Vectors(), Length: min(c.Vector, 4), Writes: 1, Reads: 1, IndexOfOther: indexOf(c), IndexPart: verilog.Bits(0, c.IndexBits)}
	m.NumberPart, m.CountPart = verilog.Bits(0, m.Memory.NumberBits), verilog.Bits(0, m.Memory.CountBits)
	v.vectorsExample, v.ExampleTemplate = m, "collective_vectors_example.v.tmpl"
	if c.WritesIndex() {
		m.Writes = c.Nodes
	}
	if c.ReadsIndex() {
		m.Reads = c.Nodes
	}
	root := c.Collective.Root
	switch c.Operation() {
	case collective.AllGather:
		m.Receives, v.Delivered = "other_q != node", "word(other_q, other_q, place_q)"
	case collective.Gather:
		m.Receives, v.Delivered = fmt.Sprintf("node == %d && other_q != node", root), "word(other_q, other_q, place_q)"
	case collective.TotalExchange:
		m.Receives, v.Delivered = "other_q != node", "word(other_q, node, place_q)"
	case collective.Broadcast:
		m.Receives, v.Delivered = fmt.Sprintf("node != %d", root), fmt.Sprintf("word(%d, %d, place_q)", root, root)
	case collective.Scatter:
		m.Receives, v.Delivered = fmt.Sprintf("node != %d", root), fmt.Sprintf("word(%d, node, place_q)", root)
	case collective.ReduceScatter:
		v.Delivered = "combined(node, place_q)"
	case collective.AllReduce:
		v.Delivered = "combined(other_q, place_q)" // of one word all are equal
	}
	words, results := delivers(c, c.Schedules[0])
	v.FirstSummary = fmt.Sprintf("the nodes read %d words", m.Length*(words+results))
	if v.Combine == "" && c.HasResult() {
		v.Delivered = ""
		v.FirstSummary += ", whose values only the operator knows"
	}
	v.Summary = v.FirstSummary
	v.Cycles = m.Length*c.Period + c.Skew + m.Length*m.Reads + 6
}

// indexOf is the index of a node at another: the difference of its digits, each at its bits.
func indexOf(c *plan.Collective) string {
	var terms []string
	low, stride := 0, 1
	for i, width := range c.IndexFields {
		m := c.Graph.Dimension(i + 1).M
		terms = append(terms, fmt.Sprintf("(other / %d + %d - node / %d %% %d) %% %d * %d", stride, m, stride, m, m, 1<<low))
		low, stride = low+width, stride*m
	}
	return strings.Join(terms, " + ")
}

// at is the node at an index of another: the sum of its digits, each times its stride.
func at(c *plan.Collective) string {
	var terms []string
	low, stride := 0, 1
	for i, width := range c.IndexFields {
		m := c.Graph.Dimension(i + 1).M
		terms = append(terms, fmt.Sprintf("(node / %d + {%s, index%s}) %% %d * %d", stride, verilog.Sized(32-width, 0), verilog.Slice(low, width), m, stride))
		low, stride = low+width, stride*m
	}
	return strings.Join(terms, " + ")
}

// wordOf is a word with the value of an integer.
func wordOf(width int) string {
	if width > 32 {
		return fmt.Sprintf("{%s, number}", verilog.Sized(width-32, 0))
	}
	return "number" + verilog.Slice(0, width)
}
