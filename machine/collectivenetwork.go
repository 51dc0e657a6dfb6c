// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"errors"
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/jsonfile"
)

// Collective is a collective network: hardware for collective operations of all nodes.
type Collective struct {
	Name        string   // a Verilog identifier
	Operation   string   // one of collective.Operations; empty if there are Operations
	Operations  []string // two or more of collective.Operations, among which a start chooses; nil if there is one Operation
	OneWord     bool     // an all-reduce of one word, not of a vector with one word per node
	PayloadBits int      // of a word, 1..MaxPayloadBits
	Root        int      // node, of rooted operations; else 0
	Operator    string   // of reductions: one of Operators, or the name of a module, which is none of them; else empty
	Latency     int      // of a module, in cycles, 0..MaxOperatorLatency
	Pipelined   bool     // several operations are under way, and take turns in the operators; needs a latency
	ChunkBits   int      // bits of a word that are combined in one cycle, 1..PayloadBits; 0: hcgen chooses
	Vector      int      // V, the most words of a vector; 0: the network has no memories

	File  string               // with the schedule, as the description names it; empty: the schedule is found by a search
	Given *collective.Schedule // the one of File
}

// Values of the words attribute.
const (
	perNode = "per_node"
	oneWord = "one"
)

func (c *Collective) words() string {
	if c.OneWord {
		return oneWord
	}
	return perNode
}

func (c *Collective) setWords(words string) { c.OneWord = words == oneWord }

// Operators are the operators of reductions that need no module.
var Operators = []string{"add", "and", "or", "xor", "min", "max", "signed_min", "signed_max"}

// operator and module are the two attributes for Operator; the other one is empty.
func (c *Collective) operator() string {
	if slices.Contains(Operators, c.Operator) {
		return c.Operator
	}
	return ""
}

func (c *Collective) module() string {
	if slices.Contains(Operators, c.Operator) {
		return ""
	}
	return c.Operator
}

func (c *Collective) setOperator(name string) { c.Operator = name }

// All lists the operations of the network, in the order of their numbers.
func (c *Collective) All() []string {
	if c.Operations != nil {
		return c.Operations
	}
	return []string{c.Operation}
}

// Reduces reports whether an operation of the network combines words.
func (c *Collective) Reduces() bool { return slices.ContainsFunc(c.All(), collective.Reduces) }

// rooted is a block with operations that may have a root.
type rooted interface{ rooted() bool }

func (c *Collective) rooted() bool { return slices.ContainsFunc(c.All(), collective.Rooted) }

// collectives reads the collective blocks of the machine.
func (l *loader) collectives(b *block, m *Machine) {
	names := l.names("collective", true)
	for _, hb := range b.Blocks.OfType("collective") {
		name, _ := names.take(hb)
		m.Collectives = append(m.Collectives, l.collectiveNetwork(b.inner(hb), hb, name))
		l.collectiveAt = append(l.collectiveAt, hb.LabelRanges[0])
	}
}

// withoutRouters checks that a machine without routers has collective networks, and nothing that needs routers.
func (l *loader) withoutRouters(b *block, m *Machine) {
	at := b.at("routers")
	if len(m.Collectives) == 0 && b.ok {
		l.errorAt(at, "Machine without hardware",
			"routers is false, and the machine has no collective block, so that nothing would be generated: add a collective block, or remove the line.")
	}
	for _, hb := range b.Blocks {
		if hb.Type == "message" || hb.Type == "router" {
			l.errorAt(hb.DefRange, hb.Type+" block without routers",
				"routers is false on line %d, so that this block has no effect: remove it, or the line.", at.Start.Line)
		}
	}
	b.without(withRouters, func(string) string {
		return fmt.Sprintf("routers is false on line %d, so that there is no network of routers: remove one of the lines.", at.Start.Line)
	})
}

// collectiveTargets checks that no other target of make has the name of one of a collective network.
func (l *loader) collectiveTargets(m *Machine) {
	for i, c := range m.Collectives {
		taken := func(target, what string) {
			l.errorAt(l.collectiveAt[i], "Reserved collective name", "The target %s-%s of make is that of %s: give this collective another name.",
				target, strings.ToLower(c.Name), what)
		}
		if what := reservedTraffic[strings.ToLower(c.Name)]; what != "" {
			taken("sim", what)
		}
		for _, t := range m.Traffic {
			if strings.EqualFold(t.Name, c.Name) {
				taken("sim", fmt.Sprintf("the traffic %q", t.Name))
			}
		}
		devices := m.Synthesis
		if len(devices) == 0 {
			devices = []Synthesis{{Name: fpga.Families[0].Device}}
		}
		for _, s := range devices {
			if strings.EqualFold(s.Name, c.Name) {
				taken("synth", fmt.Sprintf("the synthesis %q", s.Name))
			}
		}
	}
}

func (l *loader) collectiveNetwork(b *block, hb *hcl.Block, name string) Collective {
	c := Collective{Name: name}
	b.decode(&c, nil)
	if b.given("operator") && b.given("operator_module") {
		l.errorAt(b.Attributes["operator"].NameRange, "Two operators",
			"operator_module on line %d names an operator, too: remove one of the lines.", b.at("operator_module").Start.Line)
	}
	if !b.right("operation") || !b.right("operations") || b.given("operation") == b.given("operations") {
		return c
	}
	if len(c.Operations) == 1 { // no choice
		c.Operation, c.Operations = c.Operations[0], nil
	}
	without := func(condition *condition, ofOne, ofSeveral, others string) {
		if !condition.holds(&c) {
			b.without(condition, func(attribute string) string {
				why := c.Operation + " " + ofOne
				if c.Operations != nil {
					why = strings.Join(c.Operations, " and ") + " " + ofSeveral
				}
				return fmt.Sprintf("%s: remove the line, or give %s.", why, others)
			})
		}
	}
	without(withRoot, "has no root, because all nodes take the same part", "have no root, because all nodes take the same part", "broadcast, scatter or gather")
	without(withVector, "has a word for each node", "have a word for each node", "all-reduce")
	without(withOperator, "combines no words", "combine no words", "reduce-scatter or all-reduce")
	switch {
	case !c.Reduces():
		without(withChunks, "combines no words", "combine no words", "reduce-scatter or all-reduce")
	case b.given("operator_module"):
		b.without(withChunks, func(string) string {
			return "A module of your own gets whole words: remove this line, or use an operator of hcgen."
		})
	case b.right("chunk_bits") && b.right("payload_bits") && c.ChunkBits > c.PayloadBits:
		l.errorAt(b.at("chunk_bits"), "Chunk wider than the word",
			"chunk_bits is %d, but a word has %d bits: give 1 to %d, or remove the line.", c.ChunkBits, c.PayloadBits, c.PayloadBits)
	}
	if !c.Reduces() || !b.given("operator_module") {
		b.without(withModule, func(string) string {
			return "The operators of hcgen are combinational: remove the line, or name a module with operator_module."
		})
	}
	switch {
	case b.given("operator_latency") && !(b.given("operator_module") && b.right("operator_module") && b.right("operator_latency")):
		// The latency is reported above.
	case c.Operations != nil: // pipelined is reported below
	case c.Latency == 0:
		b.without(withLatency, func(string) string {
			return "Operations take turns in the registers of the operators, but these have none: remove the line, or give operator_module and operator_latency."
		})
	case c.Pipelined && c.Vector > 0:
		l.errorAt(b.at("vector"), "Vectors with operations that take turns",
			"The memories of vectors begin an operation every period, but pipelined is true on line %d: remove one of the lines.", b.at("pipelined").Start.Line)
	}
	for _, attribute := range []string{"schedule", "pipelined", "vector"} {
		if c.Operations != nil && b.given(attribute) {
			l.errorAt(b.Attributes[attribute].NameRange, attribute+" with several operations",
				"%s needs a network with a single operation, but operations on line %d lists %d: remove one of the lines, or give each operation a network.",
				attribute, b.at("operations").Start.Line, len(c.Operations))
		}
	}
	fits := l.collectiveSize(hb, c, l.rings)
	switch {
	case c.OneWord:
		b.without(withSearch, func(string) string {
			return "With words = \"one\" hcgen always computes the schedule: remove the line, or write words = \"per_node\"."
		})
	case c.Operations == nil && fits && (b.right("root") || !c.rooted()) && b.given("schedule") && b.right("schedule"):
		l.givenSchedule(b.at("schedule"), &c, l.rings.graph)
	}
	return c
}

// readOperations reads a list of different operations.
func readOperations(l *loader, attribute string, v cty.Value, e hcl.Expression) (any, bool) {
	names := choice{names: collective.Operations()}
	list, ok := l.elements(v, e, e.Range(), attribute, "a list of operations")
	if !ok {
		return nil, false
	}
	if len(list) == 0 {
		l.errorAt(e.Range(), "No operations", "The list is empty: give one or more of %s.", listed(names.names))
		return nil, false
	}
	var operations []string
	for i, item := range list {
		what := fmt.Sprintf("operations[%d]", i)
		switch {
		case item.value.IsNull():
			l.errorAt(item.at, "Null value", "%s is null: give an operation, or remove it.", what)
			ok = false
			continue
		case item.expr == nil:
			item.expr = e
		}
		name, valid := names.read(l, what, item.value, item.expr)
		if !valid {
			ok = false
			continue
		}
		if j := slices.Index(operations, name.(string)); j >= 0 {
			l.errorAt(item.at, "Duplicate operation", "%s is %s, and so is operations[%d]: remove one of them.", what, quote(name.(string)), j)
			ok = false
		}
		operations = append(operations, name.(string))
	}
	if !ok {
		return nil, false
	}
	return operations, true
}

// readScheduleFile reads the name of a file.
func readScheduleFile(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	if v.Type() != cty.String {
		l.errorAt(e.Range(), "Wrong type for schedule", "schedule must be the name of a file, but this is %s.", inWords(v.Type()))
		return nil, false
	}
	return v.AsString(), true
}

// givenSchedule reads the schedule in the file of a network, and checks that it is one of this network. at is the name of the
// file in the description.
func (l *loader) givenSchedule(at hcl.Range, c *Collective, g *hypercycle.Graph) {
	if l.noSchedules(at) {
		return
	}
	file := c.File
	advice := fmt.Sprintf("Remove this line, make the file with hcgen schedule --operation %s --algorithm streaming --json", c.Operation)
	if c.rooted() {
		advice += fmt.Sprintf(" --root %d", c.Root)
	}
	advice += ", and add the line again."
	s, err := l.schedules.file(g, l.beside(file))
	var unreadable *collective.Unreadable
	var place *jsonfile.Error
	switch {
	case errors.As(err, &unreadable):
		l.errorAt(at, "Cannot read the schedule", "%s. %s", printable(err.Error()), advice)
	case errors.As(err, &place):
		l.errorAt(at, "Not a schedule", "%s, %s. %s", quotePath(file), printable(err.Error()), advice)
	case err != nil:
		l.errorAt(at, "Schedule does not fit", "%s: %s. %s", quotePath(file), printable(err.Error()), advice)
	case s.Operation != c.Operation:
		l.errorAt(at, "Schedule of another operation", "%s is a schedule of %s, but the operation is %s. %s",
			quotePath(file), s.Operation, c.Operation, advice)
	case s.Root != c.Root:
		l.errorAt(at, "Schedule of another root", "The root in %s is node %d, but the root of this network is node %d. %s",
			quotePath(file), s.Root, c.Root, advice)
	default:
		c.Given = s
	}
}

// beside is the path of a file that the description names: relative to its folder, that of standard input being the current one.
func (l *loader) beside(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(l.filename), file)
}

// readModuleName reads the name of a module. No module that is generated for the machine has its name, also as a
// file where upper and lower case are the same.
func readModuleName(l *loader, attribute string, v cty.Value, e hcl.Expression) (any, bool) {
	if v.Type() != cty.String {
		l.errorAt(e.Range(), "Wrong type for operator_module", "operator_module must be the name of a module, but this is %s.", inWords(v.Type()))
		return nil, false
	}
	name, machine := v.AsString(), l.m.Name
	switch {
	case !l.identifier("module", name, e.Range()):
	case slices.Contains(Operators, name):
		l.errorAt(e.Range(), "Operator as a module", "%s is an operator: write operator = %s, or give the module another name.", quote(name), quote(name))
	case strings.HasPrefix(strings.ToLower(name)+"_", strings.ToLower(machine)+"_"):
		l.errorAt(e.Range(), "Reserved module name",
			"%s is reserved: %s and all names that begin with %s_, in upper or lower case, belong to generated modules. Give your module another name.",
			quote(name), machine, machine)
	default:
		return name, true
	}
	return nil, false
}

// collectiveSize checks what a network of the machine needs. It reports whether the machine is known and not too large.
func (l *loader) collectiveSize(hb *hcl.Block, c Collective, r *rings) bool {
	if r.graph == nil {
		return false
	}
	nodes, degree := r.graph.Nodes(), r.graph.Degree()
	if nodes > MaxNetworkNodes {
		l.errorAt(hb.LabelRanges[0], "Collective network too large",
			"A collective network is limited to %d nodes, but this machine has %d: use a smaller machine.", MaxNetworkNodes, nodes)
		return false
	}
	if links := nodes * degree * c.PayloadBits; links > MaxCollectiveBits {
		l.errorAt(hb.LabelRanges[0], "Collective network too wide",
			"The links of the network have %d nodes x %d ports x %d bits = %d bits, but at most %d are generated: lower payload_bits, or use a smaller machine.",
			nodes, degree, c.PayloadBits, links, MaxCollectiveBits)
	}
	if vectors, words := c.vectors(nodes), c.slotWords(); vectors*words*c.PayloadBits > MaxVectorBits {
		l.errorAt(hb.LabelRanges[0], "Vectors too large",
			"The memories have %d vectors x %d words x %d bits = %d bits, but at most %d are generated: lower vector or payload_bits, or use a smaller machine.",
			vectors, words, c.PayloadBits, vectors*words*c.PayloadBits, MaxVectorBits)
	}
	return true
}

// vectors is the number of vectors that all nodes write and read.
func (c *Collective) vectors(nodes int) int {
	switch c.Operation {
	case collective.Broadcast:
		return nodes
	case collective.Scatter, collective.Gather:
		return 2 * (nodes - 1)
	case collective.AllGather:
		return nodes * nodes
	case collective.TotalExchange:
		return 2 * nodes * (nodes - 1)
	case collective.ReduceScatter:
		return nodes * (nodes + 1)
	}
	if c.OneWord {
		return 2 * nodes
	}
	return 2 * nodes * nodes
}

// slotWords is the number of words of memory that a vector takes, a power of two, 0 without memories.
func (c *Collective) slotWords() int {
	if c.Vector == 0 {
		return 0
	}
	return max(2, 1<<bits.Len(uint(c.Vector-1)))
}
