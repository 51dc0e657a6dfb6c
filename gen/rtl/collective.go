// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// collectiveView is everything the template of a collective network prints.
type collectiveView struct {
	*plan.Collective
	Header   string
	About    []string // the cycles in which steps end
	Lanes    int      // of all nodes
	NodeList []collectiveNode
}

// collectiveNode is a node of the network and its connections.
type collectiveNode struct {
	Index             int
	Digits, Neighbors []int
	Module            string
	Words             string   // its lanes of a vector of words
	Arriving          []string // the words that arrive, by port
	Delays            []linkDelay
	Connections       []verilog.Connection
}

// linkDelay are the registers on the way of a link.
type linkDelay struct {
	Name, Lane, Word string // the instance, the part of link_out that enters, the wire that leaves
	Cycles           int
}

func newCollectiveView(c *plan.Collective) *collectiveView {
	v := &collectiveView{Collective: c, Header: c.Notice("//"), About: aboutText(c), Lanes: c.Nodes * c.Degree}
	ports := c.NodeWires()
	for n := range c.Nodes {
		node := collectiveNode{
			Index: n, Digits: c.Graph.Digits(n), Module: c.NodeModule(c.Class[n]), Words: wordLanes(n, c.Degree),
		}
		for port := range c.Degree {
			from := c.Graph.Neighbor(n, port)
			node.Neighbors = append(node.Neighbors, from)
			word := "link_out[" + wordLanes(from*c.Degree+c.Graph.Opposite(port), 1) + "]"
			if cycles := c.LinkRegisters[port]; cycles > 0 {
				lane := fmt.Sprintf("lane%d", n*c.Degree+port)
				node.Delays = append(node.Delays, linkDelay{lane + "_link", word, lane + "_word", cycles})
				word = lane + "_word"
			}
			node.Arriving = append(node.Arriving, word)
		}
		for _, p := range ports {
			node.Connections = append(node.Connections, verilog.To(p.Name, nodeWire(p, n)))
		}
		v.NodeList = append(v.NodeList, node)
	}
	return v
}

// nodeWire is what a port of a node is connected to.
func nodeWire(w plan.Wire, n int) string {
	switch {
	case w.Network == plan.Shared && !w.Output:
		return w.Name
	case w.Words:
		return w.Inside() + "[" + wordLanes(n, w.Lanes) + "]"
	}
	return w.Inside() + verilog.Lane(n, w.Width())
}

// wordLanes is the part of a vector of words of n-th group of lanes.
func wordLanes(n, lanes int) string {
	switch {
	case lanes == 1:
		return fmt.Sprintf("%d*WIDTH+:WIDTH", n)
	default:
		return fmt.Sprintf("%d*WIDTH+:%d*WIDTH", n*lanes, lanes)
	}
}

// aboutText says in which cycle each step ends, of each operation if there are several, and then when the next operation can start.
func aboutText(c *plan.Collective) []string {
	if !c.Several() {
		return []string{stepsText(c)}
	}
	list := []string{"The start of an operation is in its cycle 0."}
	for i, s := range c.Schedules {
		list = append(list, fmt.Sprintf("Operation %d, %s: the steps end in cycle %s, and the next operation can start in cycle %d.", i, s.Name, cyclesText(s), s.Period))
	}
	return list
}

// cyclesText lists the cycles in which the steps end.
func cyclesText(s *plan.Schedule) string {
	return strings.Join(each.Of(s.Times[1:], func(t int) string { return fmt.Sprint(t) }), ", ")
}

// stepsText says in which cycle each step of a single operation ends.
func stepsText(c *plan.Collective) string {
	switch {
	case c.Latency == 0 && c.Flight > 0:
		return fmt.Sprintf("Step t ends in cycle %d t of an operation, and the start is in cycle 0. There are %d steps.", 1+c.Flight, c.Steps)
	case c.Pipelined:
		return fmt.Sprintf("Step t ends in cycle %d t of an operation, and the start is in cycle 0. There are %s.", c.Turns, counted(c.Steps, "step"))
	case c.Latency == 0:
		return fmt.Sprintf("Step t ends in cycle t of an operation, and the start is in cycle 0. There are %d steps.", c.Steps)
	}
	return fmt.Sprintf("The steps end in the cycles %s of an operation, and the start is in cycle 0.", cyclesText(c.Schedules[0]))
}

// counted is a number of things.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// turnsText says when operations that take turns can start.
func turnsText(c *plan.Collective) string {
	if c.Steps == 1 {
		return "An operation can start in every cycle."
	}
	return fmt.Sprintf("Operations take turns: %d can start in consecutive cycles. At the end of each step but the last of any of them, ready is 0.", c.Turns)
}

// flightText says when words leave a node.
func flightText(c *plan.Collective) string {
	if c.Pipelined {
		return fmt.Sprintf("Words cross the links in the last cycles of a step: %s on the way of each link.", counted(c.Flight, "register"))
	}
	return fmt.Sprintf("Words cross the links in the last cycles of a step, as many as registers are on the way of the longest link: %d.", c.Flight)
}

// chunksText says how the chunks of a word follow one another, in two lines of a comment.
func chunksText(c *plan.Collective) string {
	first := "lowest"
	if c.TopFirst() {
		first = "highest"
	}
	return fmt.Sprintf("A word has %d chunks of up to %d bits. In the network they follow one another, a cycle each, the %s first.\n"+
		"// The steps are those of the first chunk. Words are whole at the ports, and leave the network %s later.",
		c.Skew+1, c.Chunk, first, counted(c.Skew, "cycle"))
}

// scheduleText says where the schedule of each operation comes from and how good it is, in lines of a comment.
func scheduleText(c *plan.Collective) string {
	var list []string
	for _, s := range c.Schedules {
		of := ""
		if c.Several() {
			of = " of " + s.Name
		}
		list = append(list, fmt.Sprintf("Schedule%s: %s; it has %d steps, and no schedule has fewer than %d. Values that wait in registers of a node: %d.",
			of, c.Alone(s).Algorithm(), s.Steps, s.Bound, s.Waiting()))
	}
	return strings.Join(append(list, fmt.Sprintf("Words among which each port selects: %s.", strings.Trim(fmt.Sprint(c.Sources()), "[]"))), "\n// ")
}

// purpose says what the network carries out.
func purpose(c *plan.Collective) string {
	if !c.Several() {
		return c.Operation()
	}
	return "one of " + counted(len(c.Schedules), "operation") + " at a time"
}

// chunkModules are the modules that modules of words in chunks are made of.
var chunkModules = map[string][]string{
	"hc_chunk_mux":        {"hc_chunk_control", "hc_mux"},
	"hc_chunk_operand":    {"hc_chunk_control", "hc_operand"},
	"hc_chunk_register":   {"hc_chunk_control", "hc_word_register"},
	"hc_chunk_straighten": {"hc_chunk_skew"},
}

// collectiveModules lists the hand-written modules of the network, used modules before their users.
func collectiveModules(c *plan.Collective, nodes []*collectiveNodeView) []string {
	modules := []string{"hc_step_counter"}
	switch {
	case c.Pipelined:
		modules = []string{"hc_step_turns"}
	case c.Several():
		modules = []string{"hc_operation_counter"}
	}
	add := func(module string) {
		for _, module := range append(slices.Clone(chunkModules[module]), module) {
			if !(OwnOperator(c) && module == c.Operator) && !slices.Contains(modules, module) {
				modules = append(modules, module)
			}
		}
	}
	for _, v := range nodes {
		if v.Request != nil {
			add("hc_valid_check")
		}
		for _, cell := range v.Cells {
			add(cell.Module)
		}
	}
	if c.Flight > 0 || c.Skew > 0 {
		add("hc_delay")
	}
	return modules
}

// Collective are the Verilog files of a network, but for modules that are in the list.
func Collective(c *plan.Collective, known []artifact.File) ([]artifact.File, error) {
	var nodes []*collectiveNodeView
	for class := range c.Programs {
		nodes = append(nodes, newCollectiveNodeView(c, class))
	}
	var files []artifact.File
	modules := collectiveModules(c, nodes)
	var memories []*memoryView
	var vectors *plan.Vectors
	if c.Vector > 0 {
		vectors = c.Vectors()
		for class := range c.Programs {
			memories = append(memories, newMemoryView(vectors, class))
		}
		for _, module := range vectorModules(memories) {
			if !slices.Contains(modules, module) {
				modules = append(modules, module)
			}
		}
	}
	for _, module := range modules {
		f, err := Module(module, "rtl", artifact.RTL)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(known, func(other artifact.File) bool { return other.Path == f.Path }) {
			files = append(files, f)
		}
	}
	add := func(module, template string, view any) {
		files = append(files, artifact.File{Path: "rtl/" + module + ".v", Role: artifact.RTL, Content: render.Verilog(template, view)})
	}
	for _, v := range nodes {
		add(v.Module, "collective_node.v.tmpl", v)
	}
	add(c.NetworkModule, "collective_network.v.tmpl", newCollectiveView(c))
	for _, m := range memories {
		add(m.Module, "collective_memory.v.tmpl", m)
	}
	if vectors != nil {
		add(vectors.VectorsModule, "collective_vectors.v.tmpl", newVectorsView(vectors))
	}
	return files, nil
}

// OperatorFiles are where the user puts the modules that are operators.
func OperatorFiles(networks []*plan.Collective) (list []string) {
	for _, c := range networks {
		if file := "rtl/" + c.Operator + ".v"; OwnOperator(c) && !slices.Contains(list, file) {
			list = append(list, file)
		}
	}
	return list
}

// LargestNode names the module of the largest class of nodes.
func LargestNode(c *plan.Collective) string { return c.NodeModule(LargestClass(c)) }

// LargestClass is the class of nodes that selects between most words.
func LargestClass(c *plan.Collective) int {
	size := func(class int) (n int) {
		for _, cell := range newCollectiveNodeView(c, class).Cells {
			n += len(cell.Connections)
		}
		return n
	}
	largest := 0
	for class := range c.Programs {
		if size(class) > size(largest) {
			largest = class
		}
	}
	return largest
}

// OperatorName is the module of the operator of a reduction.
func OperatorName(c *plan.Collective) string {
	switch {
	case OwnOperator(c):
		return c.Operator
	case c.Skew > 0 && c.Operator == "add":
		return "hc_chunk_add"
	case c.Skew > 0 && c.TopFirst():
		return "hc_chunk_choice"
	}
	return "hc_" + c.Operator // also of words in chunks: no bit of the result depends on another
}

// operatorParameters are the parameters of the module of the operator.
func operatorParameters(c *plan.Collective) []verilog.Connection {
	list := verilog.Connections("W", "WIDTH")
	flag := func(is bool) string { return fmt.Sprint(verilog.Int(is)) }
	switch OperatorName(c) {
	case "hc_chunk_add":
		list = append(list, verilog.To("CHUNK", "CHUNK"))
	case "hc_chunk_choice":
		list = append(list, verilog.Connections("CHUNK", "CHUNK",
			"LARGER", flag(strings.HasSuffix(c.Operator, "max")), "SIGNED", flag(strings.HasPrefix(c.Operator, "signed")))...)
	}
	return list
}

func (v *collectiveView) ScheduleText() string     { return scheduleText(v.Collective) }
func (v *collectiveNodeView) ScheduleText() string { return scheduleText(v.Collective) }
func (v *collectiveView) Purpose() string          { return purpose(v.Collective) }
func (v *collectiveNodeView) Purpose() string      { return purpose(v.Collective) }
func (v *collectiveView) TurnsText() string        { return turnsText(v.Collective) }
func (v *collectiveView) ChunksText() string       { return chunksText(v.Collective) }
func (v *collectiveNodeView) ChunksText() string   { return chunksText(v.Collective) }
func (v *collectiveView) FlightText() string       { return flightText(v.Collective) }
func (v *collectiveNodeView) FlightText() string   { return flightText(v.Collective) }
