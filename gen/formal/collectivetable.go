// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// nodesProof is what the templates of the proof by node print, beside what they share with the proof of the whole
// network: a table of what the classes of nodes do, and an instance of each class.
type nodesProof struct {
	NodesProof    string // the module
	Table         string // the file of the table
	Rows          []string
	TimeLiterals  []string // in which cycles the steps end, and the results are there
	RegisterCount int      // 1 or more
	OwnClasses    []string // by operation: classes with an own word
	NodeInputs    []plan.Wire
	NodeOutputs   []plan.Wire
	Instances     []classInstance
	NodeRTL       []string    // files, without their folders
	Exposed       []plan.Wire // wires for what is inside a node
	Inside        []string    // their signals, by name in the flat design
	Counts, Held  []string    // by class, and by class and register
	CountWidth    int         // of the counter of a node
	Induction     int         // cycles before the one that is proved
	CoverDepth    int
	Ways          []int  // numbers of registers on the way of links, without 0; none if no link has registers
	WayList       string // by dimension, as follow.awk reads them; empty if no link has registers
	CountOfWords  string // the count of the operation that the words of this cycle belong to
	EndOfWords    string // its results are there
	By            string // what make prove proves by default: the network, or the nodes

	operationsProof
}

// classInstance is the module of a class of nodes with its ports.
type classInstance struct {
	Class       int
	Module      string
	Connections []verilog.Connection
}

// wholeLimit is the largest product of lanes, cycles and chunks of a word of a network that make prove proves as a whole, in
// some seconds.
const wholeLimit = 400

func newNodesProof(c *plan.Collective, words proofWords, timeBits int) nodesProof {
	n := nodesProof{
		NodesProof: c.Module("nodes_proof"), Table: c.Module("table") + ".vh",
		RegisterCount: max(1, c.Registers),
		CountOfWords:  "count_q", EndOfWords: "ends_q",
	}
	if c.Skew > 0 {
		n.CountOfWords, n.EndOfWords = "word_count", "word_ends"
	}
	longest := 0 // cycles for which what is read and combined rests
	for _, s := range c.Schedules {
		longest = max(longest, s.ResultCycles())
	}
	for _, step := range c.AllSteps() {
		longest = max(longest, c.Sends(step)-step.Begins())
	}
	switch {
	case c.Several():
		n.layOutOperations(c, words, timeBits)
	case c.Pipelined:
		n.CountOfWords, n.CountWidth = "began", bits.Len(uint(c.Steps))
		longest = c.Turns // which a word in a register takes
	default:
		n.CountWidth = bits.Len(uint(c.Period))
	}
	if !c.Several() {
		n.CoverDepth = c.Times[min(2, c.Steps)] + words.ProofSkew + 4
		for _, t := range append(slices.Clone(c.Times), c.Period+1) {
			n.TimeLiterals = append(n.TimeLiterals, verilog.Sized(timeBits, t))
		}
	}
	n.By = byNetwork
	if c.Several() || c.Nodes*c.Degree*c.Period*words.Word/proofWord > wholeLimit {
		n.By = byNodes
	}
	if c.Flight > 0 {
		n.layOutWays(c)
	}
	n.Induction = longest + words.ProofSkew + 3
	first := 1
	for operation, schedule := range c.Schedules {
		if c.Several() {
			n.Rows = append(n.Rows, fmt.Sprintf("`OPERATION(%d, %d)  // %s", operation, first, schedule.Name))
		}
		first += schedule.Steps
	}
	owns := make([]string, len(c.Schedules)) // by operation: digits of classes
	for class := range c.Programs {
		rows, own := tableRows(c, class)
		n.Rows = append(n.Rows, rows...)
		for operation := range owns {
			owns[operation] = fmt.Sprint(verilog.Int(own[operation])) + owns[operation]
		}
		n.expose(class, "count", n.CountWidth)
		n.Counts = append(n.Counts, fmt.Sprintf("class%d_count", class))
		for register := range n.RegisterCount {
			held := verilog.Sized(words.Word, 0)
			if writes(c, class, register) {
				name := fmt.Sprintf("register%d", register)
				n.expose(class, name, words.Word)
				held = fmt.Sprintf("class%d_%s", class, name)
			}
			n.Held = append(n.Held, held)
		}
		n.Instances = append(n.Instances, classInstance{Class: class, Module: c.NodeModule(class)})
	}
	n.OwnClasses = each.Of(owns, func(digits string) string { return fmt.Sprintf("%d'b%s", len(c.Programs), digits) })
	for _, w := range c.NodeWires() {
		inside := w.Words && !strings.HasPrefix(w.Name, "m_")
		w = w.WithWords(words.Word)
		if ofAllNodes(w) {
			for class := range n.Instances {
				n.Instances[class].Connections = append(n.Instances[class].Connections, verilog.To(w.Name, w.Name))
			}
			continue
		}
		port := w.Name
		if c.Skew > 0 && inside {
			w.Name = "node_" + w.Name // the words with this name are whole
		}
		for class := range n.Instances {
			n.Instances[class].Connections = append(n.Instances[class].Connections, verilog.To(port, w.Name+verilog.Lane(class, w.Width())))
		}
		w.Lanes, w.Vector = len(c.Programs)*w.Lanes, true
		if w.Output {
			n.NodeOutputs = append(n.NodeOutputs, w)
		} else {
			n.NodeInputs = append(n.NodeInputs, w)
		}
	}
	return n
}

// layOutWays says where links have registers.
func (n *nodesProof) layOutWays(c *plan.Collective) {
	var list []string
	for i, port := range c.Graph.Ports() {
		way := c.LinkRegisters[i]
		if port.Dimension > len(list) {
			list = append(list, fmt.Sprint(way))
		}
		if way > 0 && !slices.Contains(n.Ways, way) {
			n.Ways = append(n.Ways, way)
		}
	}
	n.WayList = strings.Join(list, ",")
}

// expose adds a wire for a signal of the module of a class.
func (n *nodesProof) expose(class int, signal string, width int) {
	n.Exposed = append(n.Exposed, plan.Wire{Name: fmt.Sprintf("class%d_%s", class, signal), Lanes: 1, Bits: width, Vector: true})
	n.Inside = append(n.Inside, fmt.Sprintf("class%d.%s", class, signal))
}

// writes reports whether the nodes of a class write a register.
func writes(c *plan.Collective, class, register int) bool {
	return slices.ContainsFunc(c.Programs[class].Writes, func(list []collective.Sum) bool { return register < len(list) && len(list[register]) > 0 })
}

// tableRows are the rows of a class of nodes, and in which operations it has an own word.
func tableRows(c *plan.Collective, class int) (rows []string, own []bool) {
	p := &c.Programs[class]
	add := func(format string, values ...any) { rows = append(rows, "`"+fmt.Sprintf(format, values...)) }
	own = make([]bool, len(c.Schedules))
	for k, step := range c.AllSteps() {
		for port, sum := range p.Sends[k] {
			for _, t := range sum {
				if t.Source == collective.Requested {
					add("REQUEST(%d, %d, %d, %d)", class, k+1, port, c.IndexOf(int(t.Index)))
				}
				own[step.Number] = own[step.Number] || t.Source == collective.Own
			}
			if len(sum) > 0 {
				add("SEND(%d, %d, %d, %s)", class, k+1, port, sumMacro(sum, class, port))
			}
		}
		for register, sum := range p.Writes[k] {
			if len(sum) > 0 {
				add("WRITE(%d, %d, %d, %s)", class, k+1, register, sumMacro(sum, class, -1))
				own[step.Number] = own[step.Number] || sum[0].Source == collective.Own
			}
		}
		for port, index := range p.Delivers[k] {
			if index >= 0 {
				add("DELIVER(%d, %d, %d, %d)", class, k+1, port, c.IndexOf(int(index)))
			}
		}
	}
	for register := range c.Registers {
		for k, needed := range p.Needed(register) {
			if c.Pipelined && needed {
				add("NEEDED(%d, %d, %d)", class, k+1, register)
			}
		}
	}
	for operation, result := range c.Results(class) {
		switch {
		case len(result) == 0:
		case c.Several():
			add("RESULT(%d, %d, %s)", class, operation, sumMacro(result, class, -1))
		default:
			add("RESULT(%d, %s)", class, sumMacro(result, class, -1))
		}
	}
	return rows, own
}

// sumMacro is a sum that is sent by a port, or by none (-1), as the table has it.
func sumMacro(sum collective.Sum, class, port int) string {
	terms := each.Of(sum, func(t collective.Term) string {
		switch t.Source {
		case collective.Requested:
			return fmt.Sprintf("`WORD(%d, %d)", class, port)
		case collective.Own:
			return fmt.Sprintf("`OWN(%d)", class)
		case collective.Arrived:
			return fmt.Sprintf("`LANE(%d, %d)", class, t.Index)
		}
		return fmt.Sprintf("`HELD(%d, %d)", class, t.Index)
	})
	text := terms[0]
	for _, t := range terms[1:] {
		text = "`SUM(" + strings.Join([]string{text, t}, ", ") + ")"
	}
	return text
}
