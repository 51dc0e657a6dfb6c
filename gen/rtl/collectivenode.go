// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// collectiveNodeView is everything the template of a node of a collective network prints.
type collectiveNodeView struct {
	*plan.Collective
	Header, Module string
	Of             string   // which nodes it is for
	Schedule       []string // lines of the tables of what the node does, one for each operation
	CountBits      int
	Counts         []lateCount // if operations take turns: the numbers of steps that began some cycles ago
	LaneIndexBits  int         // of the indices of all lanes

	Controls       []*control // of the selections in front of registers
	Selects        []*steps   // assign Controls, those of multiplexers behind fewer operators first
	First          *steps     // the first cycles of steps; nil where nothing depends on them
	Results        *steps     // if not all operations have own results: the last cycles of those that have
	Loads          *steps     // the cycles at whose end registers take the words of a step; nil if registers take a word in every cycle
	Load           string     // the signal that is 1 in the cycles of Loads
	Requesting     *steps     // nil if the node requests nothing
	Delivering     *steps     // nil if the node delivers nothing
	Request, Valid []string   // what hc_valid_check checks
	OwnStarts      string     // if not all operations have own words: an operation with an own word of the node starts
	Held           []string   // registers in which words wait
	Cells          []cell
	Reports        []string // if words are in chunks: what the node reports when they are whole, as the chunks at place 0 have it,
	Reported       []string // and delayed
	ReportBits     int
	Silent         []string // parts of the port link_out by which nothing is sent
	Undelivered    []string // parts of the port m_data on which nothing is delivered; none if words are whole
	Unused         []string
	ResultWord     string // empty if the node has no result
}

// lateCount is the number of the step that began some cycles ago.
type lateCount struct {
	Name, Slice string // Slice is its part of counts
	Cycles      int
}

// Ago is how long ago.
func (c lateCount) Ago() string { return counted(c.Cycles, "cycle") }

// cell is an instance of a module, and the wire that it drives.
type cell struct {
	Comment          string // empty if the cell belongs to the one above
	Wire             string // empty if it is declared elsewhere
	Module, Instance string
	Parameters       []verilog.Connection
	Connections      []verilog.Connection
}

func newCollectiveNodeView(c *plan.Collective, class int) *collectiveNodeView {
	v := &collectiveNodeView{
		Collective: c, Header: c.Notice("//"), Module: c.NodeModule(class), Of: nodesOf(c, class),
		Schedule: scheduleTables(c, class), CountBits: bits.Len(uint(lastCount(c))),
		LaneIndexBits: c.Degree * c.IndexBits,
	}
	m := &nodeMaker{collectiveNodeView: v, program: &c.Programs[class], results: c.Results(class), steps: c.AllSteps(), rows: c.Steps, read: map[string]bool{}}
	switch {
	case c.Several():
		m.rows += len(c.Schedules)
	case c.Times[c.Steps] < c.Period && !c.Pipelined:
		m.rows++
	}
	switch {
	case c.Pipelined: // in every cycle a word of some operation is written
	case c.Flight > 0:
		v.Load = "step_sends"
	case c.Latency > 0:
		v.Load = "step_last"
	}
	m.request()
	m.registers()
	m.straighten()
	v.Delivering = m.deliveries()
	v.Selects = m.selections()
	if v.Load != "" && (len(v.Silent) < c.Degree || v.Held != nil) {
		v.Loads = m.cycles(func(step plan.Step) int { return c.Sends(step) - 1 })
	}
	if v.Rests() && v.Requesting != nil {
		v.First = m.cycles(plan.Step.Begins)
	}
	if v.Several() {
		v.Results = m.resultCycles()
	}
	if c.Skew > 0 {
		v.Reports, v.Reported, v.ReportBits = []string{"finished", "missing"}, []string{"done", "late"}, 2
		if v.Delivering != nil {
			v.Reports, v.Reported = append(v.Reports, "count"), append(v.Reported, "count_delayed")
			v.ReportBits += v.CountBits
		}
		if v.Results != nil {
			v.Reports, v.Reported = append(v.Reports, "result"), append(v.Reported, "m_own_valid")
			v.ReportBits++
		}
	}
	m.listUnused()
	return v
}

// Ahead is the number of the cycle as the tables for the next step decode it.
func (v *collectiveNodeView) Ahead() string {
	if v.Several() {
		return "at"
	}
	return "count"
}

// Firsts and Lasts are the numbers of cycle 0 and of the last cycle of each operation.
func (v *collectiveNodeView) Firsts() []string {
	return v.ofOperations(func(s *plan.Schedule) int { return s.First })
}
func (v *collectiveNodeView) Lasts() []string { return v.ofOperations((*plan.Schedule).Last) }

func (v *collectiveNodeView) ofOperations(number func(*plan.Schedule) int) []string {
	return each.Of(v.Schedules, func(s *plan.Schedule) string { return verilog.Sized(v.CountBits, number(s)) })
}

// TurnBits are the bits of the numbers of steps of all operations.
func (v *collectiveNodeView) TurnBits() int { return v.Turns * v.CountBits }

// DoneCycles are those from the end of the last step to done.
func (v *collectiveNodeView) DoneCycles() int { return v.ResultCycles() + 1 }

// lastCount is the largest value of count: of the cycles of all operations, or of the steps if operations take turns.
func lastCount(c *plan.Collective) int {
	if c.Pipelined {
		return c.Steps
	}
	return c.Schedules[len(c.Schedules)-1].Last()
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

// scheduleTables lists for each operation, by step, what each port sends and each register takes, and what is delivered.
func scheduleTables(c *plan.Collective, class int) (list []string) {
	for i, s := range c.Schedules {
		if c.Several() {
			list = append(list, fmt.Sprintf("operation %d, %s, whose cycles 0 to %d have the numbers %d to %d:", i, s.Name, s.Period, s.First, s.Last()))
		}
		list = append(list, scheduleTable(c, s, c.ProgramOf(class, s))...)
	}
	return list
}

// scheduleTable is that of one operation.
func scheduleTable(c *plan.Collective, s *plan.Schedule, p *collective.Program) []string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "step\tends in cycle")
	for port := range c.Degree {
		fmt.Fprintf(w, "\tport %d", port)
	}
	for register := range s.Registers {
		fmt.Fprintf(w, "\tregister %d", register)
	}
	fmt.Fprintln(w, "\tdelivered")
	for k := range s.Steps {
		fmt.Fprintf(w, "%d\t%d", k+1, s.Times[k+1])
		for _, sum := range slices.Concat(p.Sends[k], p.Writes[k]) {
			fmt.Fprintf(w, "\t%s", sumText(c, sum))
		}
		var delivered []string
		for port, index := range p.Delivers[k] {
			if index >= 0 {
				delivered = append(delivered, fmt.Sprintf("port %d from %s", port, indexText(c, int(index))))
			}
		}
		fmt.Fprintf(w, "\t%s\n", orDash(strings.Join(delivered, ", ")))
	}
	_ = w.Flush() // into memory
	if len(p.Result) > 0 {
		fmt.Fprintf(&b, "own result in cycle %d: %s\n", s.Period+1+c.Skew, sumText(c, p.Result))
	}
	return each.Of(strings.Split(strings.TrimSpace(b.String()), "\n"), func(line string) string { return strings.TrimRight(line, " ") })
}

func sumText(c *plan.Collective, sum collective.Sum) string {
	return orDash(strings.Join(each.Of(sum, func(t collective.Term) string {
		if t.Source == collective.Requested {
			return "item " + indexText(c, int(t.Index))
		}
		return t.String()
	}), " + "))
}

// indexText prints the digits of an index, highest dimension first.
func indexText(c *plan.Collective, offset int) string {
	digits := each.Of(c.Graph.Digits(offset), func(digit int) string { return fmt.Sprint(digit) })
	if len(digits) == 1 {
		return digits[0]
	}
	return "{" + strings.Join(digits, ",") + "}"
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

// plainSource names a source without brackets.
func plainSource(wire string) string {
	return strings.NewReplacer("[WIDTH-1:0]", "0", "[WIDTH+:WIDTH]", "1", "[", "", "*WIDTH+:WIDTH]", "").Replace(wire)
}
