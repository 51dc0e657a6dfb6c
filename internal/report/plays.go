// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/draw"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// Largest schedules that are played.
const (
	maxPlayedSteps = 256
	maxPlayedMoves = 20_000 // messages that carry what begins at one node
	maxStatements  = 20_000 // of the programs of a collective network
)

// operationRow is a line of the table of operations.
type operationRow struct {
	Operation, Hardware, Algorithm string
	Steps, Bound                   int // no steps: there is no schedule
	Played                         bool
}

// play is an operation that the page plays: what becomes of the items of one node.
type play struct {
	Name      string   `json:"name"` // in the list of operations
	Operation string   `json:"operation"`
	What      string   `json:"what"`           // in front of the address of the node
	Role      string   `json:"role"`           // of the node
	Root      *int     `json:"root,omitempty"` // the only node whose items are played; that of a network is fixed
	Hardware  bool     `json:"hardware"`       // whether that of this machine carries it out
	By        string   `json:"by"`             // a sentence about who carries it out
	Steps     int      `json:"steps"`
	Converges bool     `json:"converges"` // items are counted that reach the node, not nodes that its items reach
	Busy      []int    `json:"busy"`      // one-way links that carry a message of any item, by step from 1; empty: not said
	Adding    []int    `json:"adding"`    // of these, links whose message is added; empty: there are no phases
	Links     int      `json:"links"`     // one-way links
	Period    []int    `json:"period"`    // dimension 1 first; items of nodes that differ by multiples are the same, moved
	Items     []items  `json:"items"`     // of the root, or of the nodes whose digits are below the period, by address
	Network   *network `json:"network,omitempty"`
}

// items are those of one node, the source.
type items struct {
	Step   []int32 `json:"step"`   // by node: in which it receives what is for it or, if they converge, its item is received; 0 of the source
	Parent []int32 `json:"parent"` // by which node this last message is sent; -1 of the source
	Port   []int32 `json:"port"`   // of that node; -1 of the source
	Moves  []int32 `json:"moves"`  // step, sender and receiver of every message; empty: they are those above
}

// whats say what is played, by operation.
var whats = map[string]string{
	collective.Broadcast:     "Broadcast from",
	collective.AllGather:     "All-gather: the item of",
	collective.Scatter:       "Scatter from",
	collective.Gather:        "Gather at",
	collective.TotalExchange: "Total exchange: the items of",
	collective.ReduceScatter: "Reduce-scatter: the sum of",
	collective.AllReduce:     "All-reduce: the sum of",
	collective.AllReduceWord: "All-reduce: the word of",
}

// blankPlay has what depends on the operation alone.
func blankPlay(g *hypercycle.Graph, operation string, steps int) *play {
	p := &play{
		Name: operation, Operation: operation, What: whats[operation], Role: "source", Steps: steps,
		Converges: operation == collective.Gather || operation == collective.ReduceScatter, Links: 2 * g.Links(),
	}
	switch operation {
	case collective.Gather:
		p.Role = "root"
	case collective.ReduceScatter, collective.AllReduce, collective.AllReduceWord:
		p.Role = "node"
	}
	for range g.Rank() {
		p.Period = append(p.Period, 1)
	}
	return p
}

// newPlays makes what the page plays: broadcasts as the routers make them, collective networks as their nodes
// execute them, and general schedules with all ports.
func newPlays(p *plan.Plan, networks []*plan.Collective) (plays []*play, rows []operationRow, err error) {
	g := p.Machine.Graph
	add := func(row operationRow, played *play) {
		if row.Played = played != nil && played.short(); row.Played {
			plays = append(plays, played)
		}
		rows = append(rows, row)
	}
	if !p.Machine.NoRouters {
		tree := g.Broadcast(0, p.Machine.Preference)
		broadcast := blankPlay(g, collective.Broadcast, tree.Steps)
		broadcast.Hardware, broadcast.By = true, "The routers of this machine broadcast like this."
		broadcast.Items = []items{{tree.Step, tree.Parent, tree.Port, nil}}
		add(operationRow{collective.Broadcast, "routers", "that of the routers", tree.Steps, g.Diameter(), true}, broadcast)
	}
	for _, c := range operations(networks) {
		row := operationRow{Operation: operationOf(c), Hardware: "network " + c.Name, Algorithm: c.Algorithm(), Steps: c.Steps, Bound: c.Bound}
		var played *play
		if c.Steps <= maxPlayedSteps {
			if played, err = newNetworkPlay(c); err != nil {
				return nil, nil, err
			}
		}
		add(row, played)
	}
	for _, operation := range []string{collective.AllGather, collective.Scatter, collective.TotalExchange, collective.AllReduce} {
		if bound := schedule.Bound(g, operation, schedule.AllPorts, 1); bound > maxPlayedSteps {
			add(operationRow{Operation: operation, Hardware: "none", Bound: bound}, nil)
			continue
		}
		s, err := schedule.Make(g, schedule.Request{Operation: operation})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", operation, err)
		}
		add(operationRow{Operation: operation, Hardware: "none", Algorithm: s.Algorithm, Steps: s.Steps, Bound: s.Bound}, newPlay(s))
	}
	return plays, rows, nil
}

// short reports whether the play is within the limits of the page.
func (p *play) short() bool {
	messages := 0
	for _, i := range p.Items {
		messages = max(messages, len(i.Moves)/3)
	}
	return p.Steps <= maxPlayedSteps && messages <= maxPlayedMoves && (p.Network == nil || p.Network.statements() <= maxStatements)
}

// newPlay prepares a schedule. A scatter has root 0.
func newPlay(s *schedule.Schedule) *play {
	g := s.Graph
	p := blankPlay(g, s.Operation, s.Steps)
	p.By = "No hardware of this machine carries out this schedule."
	p.Busy = make([]int, s.Steps)
	copies := s.Listed() / len(s.Transfers)
	if s.Translated() {
		copies = g.Nodes()
	}
	if s.Operation == collective.AllReduce {
		p.Adding = make([]int, s.Steps)
	}
	for _, t := range s.Transfers {
		p.Busy[t.Step-1] += copies
		if t.Add {
			p.Adding[t.Step-1] += copies
		}
	}
	if s.Operation == collective.Scatter { // of any root it is the same, moved
		p.Items = []items{newItems(g, 0, s.Operation, s.Transfers)}
		return p
	}
	p.Period = s.Period
	for _, node := range listed(g, s.Period) {
		p.Items = append(p.Items, newItems(g, node, s.Operation, s.ItemsOf(node)))
	}
	return p
}

// listed are the nodes whose digits are below a period.
func listed(g *hypercycle.Graph, period []int) (nodes []int) {
	for node := range g.Nodes() {
		below := true
		for i, p := range period {
			below = below && g.Digit(node, i+1) < p
		}
		if below {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// blankItems have been received by nobody.
func blankItems(nodes, source int) items {
	x := items{make([]int32, nodes), make([]int32, nodes), make([]int32, nodes), nil}
	x.Parent[source], x.Port[source] = -1, -1
	return x
}

// receive notes the message with which a node receives what is for it.
func (x *items) receive(node, step, from int32, port int) {
	x.Step[node], x.Parent[node], x.Port[node] = step, from, int32(port)
}

// newItems follows the items that begin at a node by their transfers; of an all-reduce the sum of the node, which the others receive when
// it is complete.
func newItems(g *hypercycle.Graph, source int, operation string, transfers []collective.Transfer) items {
	x := blankItems(g.Nodes(), source)
	for _, t := range transfers {
		arrives := operation == collective.AllGather || operation == collective.Scatter && t.Item.Node == t.To || operation == collective.TotalExchange && t.Item.For == t.To ||
			operation == collective.AllReduce && !t.Add
		if arrives {
			x.receive(t.To, t.Step, t.From, portTo(g, int(t.From), int(t.To)))
		}
		if operation != collective.AllGather {
			x.Moves = append(x.Moves, t.Step, t.From, t.To)
		}
	}
	return x
}

// portTo is the port of a node that leads to a neighbour.
func portTo(g *hypercycle.Graph, from, to int) int {
	for p := range g.Degree() {
		if g.Neighbor(from, p) == to {
			return p
		}
	}
	panic(fmt.Sprintf("report: no link leads from %d to %d", from, to))
}

// source is the node whose items are played at first.
func (p *play) source() int {
	if p.Root != nil {
		return *p.Root
	}
	return 0
}

// status is the line about the state behind the last step, as the script of the page writes it.
func (p *play) status() string {
	step, fresh, reached := p.Items[0].Step, 0, "%s reached"
	for _, s := range step {
		if int(s) == p.Steps {
			fresh++
		}
	}
	what := "node"
	if p.Converges {
		what, reached = "item", "%s arrived"
	}
	text := fmt.Sprintf("Step %d of %d", p.Steps, p.Steps)
	if p.Network != nil {
		text += fmt.Sprintf(", cycle %d", p.Network.Times[p.Steps])
	}
	text += ": " + fmt.Sprintf(reached, quantity(fresh, what)) + fmt.Sprintf(", %d of %d.", len(step), len(step))
	if p.Busy != nil {
		text += fmt.Sprintf(" %d of %d one-way links carry a message.", p.Busy[p.Steps-1], p.Links)
	}
	if p.Network != nil {
		text += fmt.Sprintf(" Words that wait in registers: %d.", p.Network.Waiting[p.Steps-1])
	}
	if p.Adding != nil {
		text += " Phase: " + phase(p.Adding[p.Steps-1], p.Busy[p.Steps-1]) + "."
	}
	return text
}

// phase says what becomes of the messages of a step.
func phase(adding, all int) string {
	switch adding {
	case 0:
		return "copy"
	case all:
		return "add"
	}
	return fmt.Sprintf("%d add, %d copy", adding, all-adding)
}

// moves lists the messages in the order of steps.
func (x *items) moves() (list []draw.Move) {
	for k := 0; k < len(x.Moves); k += 3 {
		list = append(list, draw.Move{Step: x.Moves[k], From: x.Moves[k+1], To: x.Moves[k+2]})
	}
	for node, parent := range x.Parent {
		if x.Moves == nil && parent >= 0 {
			list = append(list, draw.Move{Step: x.Step[node], From: parent, To: int32(node)})
		}
	}
	slices.SortStableFunc(list, func(a, b draw.Move) int { return cmp.Compare(a.Step, b.Step) })
	return list
}
