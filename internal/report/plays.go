// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
)

// Largest schedules that are played.
const (
	maxPlayedSteps = 256
	maxPlayedMoves = 20_000 // messages that carry what begins at one node
)

// operationRow is a line of the table of collective operations.
type operationRow struct {
	Operation, Algorithm string
	Steps, Bound         int
	Played               bool
}

// play is a collective operation that the page plays: what becomes of the items that begin at
// one node.
type play struct {
	Operation string  `json:"operation"`
	Steps     int     `json:"steps"`
	Adds      int     `json:"adds"`   // last step whose messages are added, 0 if none are; those after it are copied
	Busy      []int   `json:"busy"`   // one-way links that carry a message of any item, by step from 1
	Links     int     `json:"links"`  // one-way links
	Period    []int   `json:"period"` // dimension 1 first; items of nodes that differ by multiples are the same, moved
	Items     []items `json:"items"`  // of the nodes whose digits are below the period, by address
}

// items are those that begin at one node.
type items struct {
	Step   []int32 `json:"step"`   // in which a node receives what is for it; 0 of the source
	Parent []int32 `json:"parent"` // from which node; -1 of the source
	Port   []int32 `json:"port"`   // of that node; -1 of the source
	Moves  []int32 `json:"moves"`  // step, sender and receiver of every message; empty: they are those above
}

// newPlays makes what the page plays: broadcasts as the routers make them, and general schedules
// with all ports.
func newPlays(p *plan.Plan) ([]*play, []operationRow, error) {
	g := p.Machine.Graph
	tree := g.Broadcast(0, p.Machine.Preference)
	broadcast := &play{Operation: check.Broadcast, Steps: tree.Steps, Busy: make([]int, tree.Steps), Links: 2 * g.Links(), Items: []items{{tree.Step, tree.Parent, tree.Port, nil}}}
	for _, step := range tree.Step {
		if step > 0 {
			broadcast.Busy[step-1]++
		}
	}
	for range g.Rank() {
		broadcast.Period = append(broadcast.Period, 1)
	}
	plays := []*play{broadcast}
	rows := []operationRow{{check.Broadcast, "that of the routers", tree.Steps, g.Diameter(), true}}
	for _, operation := range []string{check.AllGather, check.Scatter, check.TotalExchange, check.AllReduce} {
		if bound := schedule.Bound(g, operation, schedule.AllPorts, 1); bound > maxPlayedSteps {
			rows = append(rows, operationRow{Operation: operation, Bound: bound})
			continue
		}
		s, err := schedule.Make(g, schedule.Request{Operation: operation})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", operation, err)
		}
		row := operationRow{operation, s.Algorithm, s.Steps, s.Bound, s.Steps <= maxPlayedSteps}
		played := newPlay(s)
		for _, i := range played.Items {
			row.Played = row.Played && len(i.Moves) <= 3*maxPlayedMoves
		}
		if row.Played {
			plays = append(plays, played)
		}
		rows = append(rows, row)
	}
	return plays, rows, nil
}

// newPlay prepares a schedule. A scatter has root 0.
func newPlay(s *schedule.Schedule) *play {
	g := s.Graph
	p := &play{Operation: s.Operation, Steps: s.Steps, Busy: make([]int, s.Steps), Links: 2 * g.Links(), Period: s.Period}
	copies := s.Listed() / len(s.Transfers)
	if s.Translated() {
		copies = g.Nodes()
	}
	for _, t := range s.Transfers {
		p.Busy[t.Step-1] += copies
		if t.Add {
			p.Adds = max(p.Adds, int(t.Step))
		}
	}
	if s.Operation == check.Scatter { // of any root it is the same, moved
		p.Period = make([]int, g.Rank())
		for i := range p.Period {
			p.Period[i] = 1
		}
		p.Items = []items{newItems(g, 0, s.Operation, s.Transfers)}
		return p
	}
	for node := range g.Nodes() {
		listed := true
		for i, period := range s.Period {
			listed = listed && g.Digit(node, i+1) < period
		}
		if listed {
			p.Items = append(p.Items, newItems(g, node, s.Operation, s.ItemsOf(node)))
		}
	}
	return p
}

// newItems follows the items that begin at a node by their transfers; of an all-reduce the sum of the node, which the others receive when
// it is complete.
func newItems(g *hypercycle.Graph, source int, operation string, transfers []schedule.Transfer) items {
	n := g.Nodes()
	x := items{make([]int32, n), make([]int32, n), make([]int32, n), nil}
	x.Parent[source], x.Port[source] = -1, -1
	for _, t := range transfers {
		arrives := operation == check.AllGather || operation == check.Scatter && t.Item.Node == t.To || operation == check.TotalExchange && t.Item.For == t.To ||
			operation == check.AllReduce && !t.Add
		if arrives {
			x.Step[t.To], x.Parent[t.To], x.Port[t.To] = t.Step, t.From, int32(portTo(g, int(t.From), int(t.To)))
		}
		if operation != check.AllGather {
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
