// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	model "github.com/hcgen/hcgen/sim/collective"
)

// networkOf plans a network of an operation of package collective. Rooted operations have root 1.
func networkOf(t *testing.T, operation string, latency int, rings ...hypercycle.Dimension) *plan.Collective {
	t.Helper()
	return given(t, operation, latency, "", rings...)
}

// given is networkOf with the schedule of an algorithm in place of the one that is searched.
func given(t *testing.T, operation string, latency int, algorithm string, rings ...hypercycle.Dimension) *plan.Collective {
	t.Helper()
	c := machine.Collective{Name: "net", Operation: operation, PayloadBits: 8}
	if operation == collective.AllReduceWord {
		c.Operation, c.OneWord = collective.AllReduce, true
	}
	if collective.Rooted(operation) {
		c.Root = 1
	}
	if collective.Reduces(c.Operation) {
		c.Operator, c.Latency = "add", latency
	}
	m, err := machine.Bare(rings...)
	require.NoError(t, err)
	if algorithm != "" {
		made, err := schedule.Make(m.Graph, schedule.Request{Operation: operation, Root: c.Root, Algorithm: algorithm})
		require.NoError(t, err)
		c.Given = made.Claim()
	}
	p, err := plan.NewCollective(m, c, schedule.ForNetwork)
	require.NoError(t, err)
	return p
}

// givenWord is a word of a node: for the node of this index, or an own one.
type givenWord struct {
	node int
	own  bool
	of   int // index
}

// heldIn reads a program backwards: the words that a sum of a node combines in a step.
func heldIn(c *plan.Collective, node, step int, sum collective.Sum) (words []givenWord) {
	for _, t := range sum {
		switch t.Source {
		case collective.Requested:
			words = append(words, givenWord{node: node, of: int(t.Index)})
		case collective.Own:
			words = append(words, givenWord{node: node, own: true})
		case collective.Arrived:
			from := c.Graph.Neighbor(node, int(t.Index))
			words = append(words, heldIn(c, from, step-1, c.Program(from).Sends[step-2][c.Graph.Opposite(int(t.Index))])...)
		case collective.Held:
			k := step - 1
			for len(c.Program(node).Writes[k-1][t.Index]) == 0 {
				k--
			}
			words = append(words, heldIn(c, node, k, c.Program(node).Writes[k-1][t.Index])...)
		}
	}
	return words
}

// moved is a node plus or minus another, digit by digit.
func moved(g *hypercycle.Graph, node, by, sign int) (sum int) {
	unit := 1
	for i := 1; i <= g.Rank(); i++ {
		m := g.Dimension(i).M
		sum += unit * ((g.Digit(node, i) + sign*g.Digit(by, i) + m) % m)
		unit *= m
	}
	return sum
}

// isOf reports whether words on a link are items of a node, by the definition of the operation.
func isOf(c *plan.Collective, words []givenWord, node int) bool {
	switch c.Streaming.Operation {
	case collective.AllGather, collective.TotalExchange, collective.AllReduceWord:
		return slices.ContainsFunc(words, func(w givenWord) bool { return w.node == node })
	case collective.ReduceScatter, collective.AllReduce:
		return moved(c.Graph, words[0].node, words[0].of, 1) == node
	}
	return true
}

// received is how a node receives what is for it: step, sender and port of the sender.
type received [3]int

// deliveries runs the reference model, and lists by receiver and owner what it delivers.
func deliveries(c *plan.Collective) map[[2]int]received {
	list, n := map[[2]int]received{}, model.New(c)
	start := true
	for cycle := 0; ; cycle++ {
		out := n.Outputs()
		for lane, index := range out.Delivered {
			if node, port := lane/c.Degree, lane%c.Degree; index != model.None {
				list[[2]int{node, moved(c.Graph, node, int(index), 1)}] = received{slices.Index(c.Times, cycle-1-c.Skew), c.Graph.Neighbor(node, port), c.Graph.Opposite(port)}
			}
		}
		if out.Done {
			return list
		}
		n.Step(model.Inputs{Start: start, Data: make([]model.Word, c.Nodes*c.Degree), Own: make([]model.Word, c.Nodes)})
		start = false
	}
}

// wantItems are the items of a node, from the program read backwards and the deliveries of the reference model.
func wantItems(c *plan.Collective, node int, delivered map[[2]int]received) (moves []string, receives map[int]received) {
	receives = map[int]received{}
	for step := 1; step <= c.Steps; step++ {
		for from := range c.Nodes {
			for port, sum := range c.Program(from).Sends[step-1] {
				if len(sum) == 0 {
					continue
				}
				to, words := c.Graph.Neighbor(from, port), heldIn(c, from, step, sum)
				if !isOf(c, words, node) {
					continue
				}
				moves = append(moves, fmt.Sprint(step, from, to))
				switch c.Streaming.Operation {
				case collective.ReduceScatter:
					for _, w := range words {
						if to == node {
							receives[w.node] = received{step, from, port}
						}
					}
				case collective.AllReduceWord:
					receives[to] = received{step, from, port}
				}
			}
		}
	}
	for at, r := range delivered {
		switch receiver, owner := at[0], at[1]; {
		case c.Operation() == collective.Gather:
			receives[owner] = r
		case owner == node:
			receives[receiver] = r
		}
	}
	return moves, receives
}

// played moves the items of a play to a node, as the script of the page does.
func played(g *hypercycle.Graph, p *play, node int) (moves []string, receives map[int]received) {
	like, by := p.Items[0], 0
	if p.Root == nil {
		sources := listed(g, p.Period)
		for k, source := range sources {
			same := true
			for i, period := range p.Period {
				same = same && g.Digit(source, i+1) == g.Digit(node, i+1)%period
			}
			if same {
				like, by = p.Items[k], moved(g, node, source, -1)
			}
		}
	}
	for _, m := range like.moves() {
		moves = append(moves, fmt.Sprint(m.Step, moved(g, int(m.From), by, 1), moved(g, int(m.To), by, 1)))
	}
	receives = map[int]received{}
	for at, step := range like.Step {
		if like.Parent[at] >= 0 {
			receives[moved(g, at, by, 1)] = received{int(step), moved(g, int(like.Parent[at]), by, 1), int(like.Port[at])}
		}
	}
	return moves, receives
}

// Every word on every link of a network is played, in its step, and every word that a node takes out: for each operation,
// on machines with rings, even and odd, with transfers and with two nodes.
func TestNetworksArePlayedAsTheirNodesExecuteThem(t *testing.T) {
	for _, rings := range [][]hypercycle.Dimension{{{M: 2, Rho: 1}}, {{M: 7, Rho: 2}}, {{M: 3, Rho: 1}, {M: 4, Rho: 1}}, {{M: 2, Rho: 1}, {M: 2, Rho: 1}, {M: 6, Rho: 3}}} {
		for _, operation := range append(collective.Operations(), collective.AllReduceWord) {
			isPlayed(t, fmt.Sprintf("%v: %s", rings, operation), networkOf(t, operation, 0, rings...))
		}
	}
}

// Of a file, too: here nodes of even and of odd digits differ, and words wait.
func TestGivenSchedulesArePlayed(t *testing.T) {
	rings := []hypercycle.Dimension{{M: 3, Rho: 1}, {M: 8, Rho: 1}}
	c := given(t, collective.TotalExchange, 0, "alternating", rings...)
	assert.Len(t, c.Programs, 2)
	isPlayed(t, "alternating", c)
	for _, operation := range []string{collective.AllGather, collective.Gather, collective.ReduceScatter, collective.AllReduce} {
		c := given(t, operation, 0, "matching", rings...)
		isPlayed(t, "matching: "+operation, c)
		if operation == collective.AllGather {
			assert.Positive(t, c.Waiting())
		}
	}
}

// A network with several operations is played for each of them, and has a column for each.
func TestNetworksWithSeveralOperationsArePlayedForEach(t *testing.T) {
	m, err := machine.Bare(hypercycle.Dimension{M: 3, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1})
	require.NoError(t, err)
	names := []string{collective.AllGather, collective.ReduceScatter, collective.Scatter}
	c, err := plan.NewCollective(m, machine.Collective{Name: "net", Operations: names, Root: 5, Operator: "add", PayloadBits: 8, ChunkBits: 3}, schedule.ForNetwork)
	require.NoError(t, err)
	list := operations([]*plan.Collective{c})
	require.Len(t, list, len(names))
	table := newNetworkTable([]*plan.Collective{c})
	assert.Equal(t, []string{"net", "net", "net"}, table.Names)
	assert.Equal(t, networkRow{"operation", names}, table.Rows[0])
	assert.Equal(t, networkRow{"number of the operation", []string{"0", "1", "2"}}, table.Rows[1])
	for i, alone := range list {
		isPlayed(t, names[i], alone)
		j := slices.IndexFunc(table.Rows, func(r networkRow) bool { return r.Name == "last results in cycle" })
		assert.Equal(t, fmt.Sprint(c.Schedules[i].Period+1+c.Skew), table.Rows[j].Values[i])
	}
}

// isPlayed fails if the play of a network differs from its programs and the deliveries of the reference model.
func isPlayed(t *testing.T, name string, c *plan.Collective) {
	t.Helper()
	p, err := newNetworkPlay(c)
	require.NoError(t, err)
	delivered := deliveries(c)
	for node := range c.Nodes {
		if p.Root != nil && node != *p.Root {
			continue
		}
		moves, receives := wantItems(c, node, delivered)
		gotMoves, gotReceives := played(c.Graph, p, node)
		assert.ElementsMatch(t, moves, gotMoves, "%s, items of %d", name, node)
		assert.Equal(t, receives, gotReceives, "%s, items of %d", name, node)
		assert.Len(t, receives, c.Nodes-1, "%s, items of %d", name, node)
	}
	for step := 1; step <= c.Steps; step++ {
		busy, adding, waiting := 0, 0, 0
		for node := range c.Nodes {
			for _, sum := range c.Program(node).Sends[step-1] {
				if words := heldIn(c, node, step, sum); len(words) > 0 {
					busy++
					if len(words) < c.Nodes {
						adding++
					}
				}
			}
			for register := c.Accumulators; register < c.Registers; register++ {
				if waitsBehind(c.Program(node), register, step) {
					waiting++
				}
			}
		}
		assert.Equal(t, busy, p.Busy[step-1], "%s, step %d", name, step)
		assert.Equal(t, waiting, p.Network.Waiting[step-1], "%s, step %d", name, step)
		if c.HasResult() {
			assert.Equal(t, adding, p.Adding[step-1], "%s, step %d", name, step)
		}
	}
	assert.Equal(t, c.HasResult(), p.Adding != nil)
	assert.Equal(t, c.Waiting() > 0, slices.Max(p.Network.Waiting) > 0, name)
}

// waitsBehind reports whether a register holds a word behind a step that is read in a later one.
func waitsBehind(p *collective.Program, register, step int) bool {
	written := slices.ContainsFunc(p.Writes[:step], func(writes []collective.Sum) bool { return len(writes[register]) > 0 })
	for k := step; k < len(p.Sends) && written; k++ {
		for _, sum := range slices.Concat(p.Sends[k], p.Writes[k]) {
			if slices.Contains(sum, collective.Term{Source: collective.Held, Index: int32(register)}) {
				return true
			}
		}
		if len(p.Writes[k][register]) > 0 {
			return false
		}
	}
	return false
}

// The page has the cycles of the plan, with the latency of the operator, and what every class of nodes does.
func TestProgramsOfNodesAreThoseOfThePlan(t *testing.T) {
	for _, operation := range append(collective.Operations(), collective.AllReduceWord) {
		c := networkOf(t, operation, 3, hypercycle.Dimension{M: 3, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1})
		n := newNetwork(c)
		assert.Equal(t, c.Times, n.Times)
		assert.Equal(t, c.Cycles(), n.Done)
		assert.Equal(t, c.Class, n.Class)
		for class, program := range c.Programs {
			sum := func(pairs []int32) (s collective.Sum) {
				for k := 0; k < len(pairs); k += 2 {
					s = append(s, collective.Term{Source: collective.Source(pairs[k]), Index: pairs[k+1]})
				}
				return s
			}
			for k := range c.Steps {
				sends, keeps, takes := make([]collective.Sum, c.Degree), make([]collective.Sum, c.Registers), slices.Repeat([]int32{-1}, c.Degree)
				for _, s := range n.Programs[class][k].Sends {
					sends[s[0]] = sum(s[1:])
				}
				for _, s := range n.Programs[class][k].Keeps {
					keeps[s[0]] = sum(s[1:])
				}
				for _, taken := range n.Programs[class][k].Takes {
					takes[taken[0]] = taken[1]
				}
				same := func(want, got []collective.Sum) {
					assert.Equal(t, fmt.Sprint(want), fmt.Sprint(got), "%s, class %d, step %d", operation, class, k+1)
				}
				same(program.Sends[k], sends)
				same(program.Writes[k], keeps)
				assert.Equal(t, program.Delivers[k], takes)
			}
			assert.Equal(t, program.Result, sum(n.Programs[class][c.Steps].Own))
		}
	}
}

// networksPage is the page of a machine in a description.
func networksPage(t *testing.T, description string) (v *pageView, page string) {
	t.Helper()
	m, _, diags := machine.LoadBytes("m.hcl", []byte(description), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	networks, err := plan.Collectives(m, schedule.ForNetwork)
	require.NoError(t, err)
	v, err = newPageView(plan.New(m), networks)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, pageTemplate.Execute(&b, v))
	return v, b.String()
}

const torusOf = `
machine "torus" {
  routers = %v
  dimension "x" {
    m   = %d
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  collective "sum" {
    operation    = "all-reduce"
    operator     = "add"
    words        = "one"
    payload_bits = 1
  }
  collective "down" {
    operation    = "gather"
    payload_bits = 1
    root         = [1, 2]
  }
}
`

// The page lists the networks, plays them, says which operations are hardware of the machine, and has sections about routers only
// if there are any.
func TestPageOfCollectiveNetworks(t *testing.T) {
	for _, routers := range []bool{true, false} {
		v, page := networksPage(t, fmt.Sprintf(torusOf, routers, 4))
		var names, by []string
		var hardware []bool
		for _, p := range v.Data.Plays {
			names, hardware, by = append(names, p.Name), append(hardware, p.Hardware), append(by, p.By)
		}
		wantNames := []string{"sum: all-reduce of one word", "down: gather", "all-gather", "scatter", "total-exchange", "all-reduce"}
		wantHardware := []bool{true, true, false, false, false, false}
		rows := []string{"all-reduce of one word|network sum|one word", "gather|network down|streaming", "all-gather|none|matching", "scatter|none|matching", "total-exchange|none|colouring", "all-reduce|none|matching"}
		if routers {
			wantNames, wantHardware = append([]string{"broadcast"}, wantNames...), append([]bool{true}, wantHardware...)
			rows = append([]string{"broadcast|routers|that of the routers"}, rows...)
		}
		assert.Equal(t, wantNames, names)
		assert.Equal(t, wantHardware, hardware)
		assert.Equal(t, []string{"The nodes of the collective network sum of this machine execute this schedule.", "The nodes of the collective network down of this machine execute this schedule.",
			"No hardware of this machine carries out this schedule."}, by[len(by)-6:len(by)-3])
		var got []string
		for _, r := range v.Operations {
			got = append(got, strings.Join([]string{r.Operation, r.Hardware, r.Algorithm}, "|"))
			assert.True(t, r.Played)
		}
		assert.Equal(t, rows, got)

		for _, row := range []string{
			`<tr><th scope="col">network</th><th scope="col">sum</th><th scope="col">down</th></tr>`,
			`<tr><th scope="row">operation</th><td>all-reduce of one word</td><td>gather</td></tr>`, `<tr><th scope="row">operator</th><td>add</td><td>-</td></tr>`,
			`<tr><th scope="row">words that a node gives</th><td>1</td><td>1</td></tr>`, `<tr><th scope="row">words that a node gets</th><td>1</td><td>15</td></tr>`,
			`<tr><th scope="row">steps</th><td>4</td><td>4</td></tr>`, `<tr><th scope="row">last results in cycle</th><td>5</td><td>5</td></tr>`,
		} {
			assert.Equal(t, 1, strings.Count(strings.ReplaceAll(page, `<thead>`, ``), row), row)
		}
		for _, part := range []string{"Golden traces", "Ports of every router", "entering weight", "Nodes that a broadcast reaches", "every broadcast takes", "put: traces"} {
			assert.Equal(t, routers, strings.Contains(page, part), part)
		}
		for _, part := range []string{`href="#networks"`, `<svg class="network"`, "put: checks", "put: synthesis", "put: proof"} {
			assert.Contains(t, page, part)
		}
	}
}

// Without the script the page shows the first operation, of a network if there are no routers.
func TestFirstOperationIsInThePicture(t *testing.T) {
	v, page := networksPage(t, strings.Replace(fmt.Sprintf(torusOf, false, 4), "collective \"sum\" {\n    operation    = \"all-reduce\"\n    operator     = \"add\"\n    words        = \"one\"", "collective \"sum\" {\n    operation    = \"reduce-scatter\"\n    operator     = \"add\"", 1))
	play := v.Data.Plays[0]
	assert.Equal(t, fmt.Sprintf("Step 4 of 4, cycle 4: %s arrived, 16 of 16. %d of 64 one-way links carry a message. Words that wait in registers: 0. Phase: add.",
		quantity(v.last(), "item"), play.Busy[3]), v.First.Status)
	assert.Contains(t, page, "Reduce-scatter: the sum of 0,0 in 4 steps</title>")
	assert.Equal(t, 1, strings.Count(page, `class="node source"`))
	assert.Equal(t, 15, strings.Count(page, `class="node reached s`))
	links := map[[2]int32]bool{}
	for _, m := range play.Items[0].moves() {
		links[[2]int32{min(m.From, m.To), max(m.From, m.To)}] = true
	}
	assert.Equal(t, len(links), strings.Count(page, `class="link sent `))
}

// last counts the items that arrive in the last step of the first operation.
func (v *pageView) last() (n int) {
	for _, row := range v.Tree {
		if row.Step == fmt.Sprint(v.First.Steps) {
			n++
		}
	}
	return n
}

// A machine that is too large for a picture has the figures of its networks. A program that is too long for the page is not played.
func TestLargeNetworksAreListedOnly(t *testing.T) {
	v, page := networksPage(t, fmt.Sprintf(torusOf, false, 130))
	assert.Empty(t, v.Operations)
	assert.Contains(t, page, "torus has 520 nodes, more than 512, too many for a picture.")
	assert.NotContains(t, page, "a broadcast from node 0")
	assert.Contains(t, page, `<tr><th scope="row">steps</th><td>67</td><td>`)
	assert.NotContains(t, page, "<button")

	p := &play{Network: &network{Programs: [][]actions{slices.Repeat([]actions{{Takes: make([][2]int32, 100)}}, 200)}}}
	assert.True(t, p.short())
	p.Network.Programs[0][0].Sends = make([][]int32, 1)
	assert.False(t, p.short())
}

// The page of the largest machine with a picture stays small, although each node has a program of its own.
func TestPageOfALargeNetworkIsSmall(t *testing.T) {
	c := networkOf(t, collective.Gather, 0, hypercycle.Dimension{M: 16, Rho: 1}, hypercycle.Dimension{M: 32, Rho: 1})
	require.Len(t, c.Programs, 512)
	p, err := newNetworkPlay(c)
	require.NoError(t, err)
	data, err := json.Marshal(p)
	require.NoError(t, err)
	t.Logf("%d bytes", len(data))
	assert.Less(t, len(data), 1_000_000)
}

// The table of networks has rows about vectors if a network has them.
func TestNetworksShowTheirVectors(t *testing.T) {
	with, without := networkOf(t, collective.TotalExchange, 0, hypercycle.Dimension{M: 3, Rho: 1}), networkOf(t, collective.AllReduceWord, 0, hypercycle.Dimension{M: 3, Rho: 1})
	names := func(list ...*plan.Collective) (names []string) {
		for _, r := range newNetworkTable(list).Rows {
			names = append(names, r.Name)
		}
		return names
	}
	const last = "words that each port selects between"
	assert.Equal(t, last, names(with, without)[len(names(with, without))-1])
	with.Vector = 5
	table := newNetworkTable([]*plan.Collective{with, without})
	assert.Equal(t, []networkRow{
		{"words of a vector", []string{"5", "-"}},
		{"banks of the memory of a node", []string{"4", "-"}},
		{"bits of the memory of a node", []string{"256", "-"}},
		{"cycles of an operation on vectors of n words", []string{"1 n + 2", "-"}},
	}, table.Rows[len(table.Rows)-4:])
}
