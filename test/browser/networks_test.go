// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
)

// networks are all operations of collective networks.
const networks = `
collective "all" {
  operation    = "all-gather"
  payload_bits = 8
}
collective "sum" {
  operation    = "all-reduce"
  operator     = "add"
  words        = "one"
  payload_bits = 8
}
collective "vector" {
  operation    = "all-reduce"
  operator     = "max"
  payload_bits = 8
}
collective "parts" {
  operation    = "reduce-scatter"
  operator     = "add"
  payload_bits = 8
}
collective "exchange" {
  operation    = "total-exchange"
  payload_bits = 8
}
collective "hello" {
  operation    = "broadcast"
  root         = [1, 2]
  payload_bits = 8
}
collective "out" {
  operation    = "scatter"
  root         = [1, 2]
  payload_bits = 8
}
collective "in" {
  operation    = "gather"
  root         = [1, 2]
  payload_bits = 8
}
`

// executed is the state of a collective network on the page.
type executed struct {
	played
	Program []string // of the chosen node: step, cycle, sends, keeps and delivers
	Current []string // steps of the program that are marked
}

const lookExecuted = `({...` + lookPlayed + `,
  Program: [...document.querySelectorAll("#program tbody tr")].map(r => [...r.cells].map(c => c.textContent).join("|")),
  Current: [...document.querySelectorAll("#program tr[aria-current=step]")].map(r => r.cells[0].textContent),
})`

// at is a node at an offset of another.
func at(g *hypercycle.Graph, node, offset int) (sum int) {
	unit := 1
	for i := 1; i <= g.Rank(); i++ {
		m := g.Dimension(i).M
		sum += (g.Digit(node, i) + g.Digit(offset, i)) % m * unit
		unit *= m
	}
	return sum
}

// name is the address of a node on the page.
func name(g *hypercycle.Graph, node int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(g.Digits(node)), "[]"), " ", ",")
}

// wantProgram is what a node does, from the plan.
func wantProgram(c *plan.Collective, node int) (rows []string) {
	g := c.Graph
	sum := func(s collective.Sum) string {
		var terms []string
		for _, t := range s {
			switch {
			case t.Source == collective.Own:
				terms = append(terms, "own word")
			case t.Source == collective.Arrived:
				terms = append(terms, fmt.Sprintf("arrived on port %d", t.Index))
			case t.Source == collective.Held:
				terms = append(terms, fmt.Sprintf("register %d", t.Index))
			case c.Operation() == collective.AllGather || c.Operation() == collective.Gather:
				terms = append(terms, "own item")
			case c.HasResult():
				terms = append(terms, "part for "+name(g, at(g, node, int(t.Index))))
			default:
				terms = append(terms, "item for "+name(g, at(g, node, int(t.Index))))
			}
		}
		return strings.Join(terms, " + ")
	}
	list := func(what string, sums []collective.Sum) string {
		var found []string
		for i, s := range sums {
			if len(s) > 0 {
				found = append(found, fmt.Sprintf("%s %d: %s", what, i, sum(s)))
			}
		}
		return dash(found)
	}
	program := c.Program(node)
	for k := range c.Steps {
		var delivers []string
		for port, index := range program.Delivers[k] {
			if index >= 0 {
				delivers = append(delivers, fmt.Sprintf("port %d, from %s", port, name(g, at(g, node, int(index)))))
			}
		}
		rows = append(rows, fmt.Sprintf("%d|%d|%s|%s|%s", k+1, c.Times[k+1], list("port", program.Sends[k]), list("register", program.Writes[k]), dash(delivers)))
	}
	if len(program.Result) > 0 {
		rows = append(rows, fmt.Sprintf("result|%d|-|-|own result: %s", c.Period+1, sum(program.Result)))
	}
	return rows
}

func dash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, "; ")
}

// wantExecuted is the state behind a step, from what the checker of schedules sees on the links.
func wantExecuted(t *testing.T, c *plan.Collective, chosen, step int) executed {
	t.Helper()
	g, source := c.Graph, int32(chosen)
	rooted := collective.Rooted(c.Operation())
	if rooted {
		source = int32(c.Streaming.Root)
	}
	w := executed{played: played{Reached: []int{}, Now: []string{}, Rows: make([]string, c.Nodes)}, Program: wantProgram(c, chosen), Current: []string{fmt.Sprint(step)}}
	w.Rows[source] = "0|-"
	busy, adding, fresh := 0, 0, 0
	arrive := func(node int32, on check.Passage) {
		w.Rows[node] = fmt.Sprintf("%d|%d", on.Step, on.From)
		if on.Step <= step {
			w.Reached = append(w.Reached, int(node))
		}
		if on.Step == step {
			fresh++
		}
	}
	require.NoError(t, check.FollowStreaming(schedule.Machine(g), c.Streaming, func(on check.Passage) {
		if on.Step == step {
			busy++
			if len(on.Parts) < c.Nodes {
				adding++
			}
		}
		of := on.Item.Node == source
		switch c.Streaming.Operation {
		case collective.Scatter, collective.Gather:
			of = true
		case collective.AllReduceWord:
			of = slices.Contains(on.Parts, source)
		}
		if !of {
			return
		}
		if on.Step == step {
			w.Now = append(w.Now, fmt.Sprintf("%d %d", on.From, on.To))
		}
		taken := c.Program(int(on.To)).Delivers[on.Step-1][g.Opposite(on.Port)] >= 0
		switch {
		case c.Operation() == collective.Gather && taken:
			arrive(on.Item.Node, on)
		case c.Operation() == collective.ReduceScatter && on.To == source:
			for _, node := range on.Parts {
				arrive(node, on)
			}
		case taken || c.OneWord:
			arrive(on.To, on)
		}
	}))
	slices.Sort(w.Reached)
	slices.Sort(w.Now)
	what, verb := "node", "reached"
	if c.Operation() == collective.Gather || c.Operation() == collective.ReduceScatter {
		what, verb = "item", "arrived"
	}
	if fresh != 1 {
		what += "s"
	}
	w.Status = fmt.Sprintf("Step %d of %d, cycle %d: %d %s %s, %d of %d. %d of %d one-way links carry a message. Words that wait in registers: 0.",
		step, c.Steps, c.Times[step], fresh, what, verb, len(w.Reached)+1, c.Nodes, busy, 2*g.Links())
	switch {
	case !c.HasResult():
	case adding == busy:
		w.Status += " Phase: add."
	case adding == 0:
		w.Status += " Phase: copy."
	default:
		w.Status += fmt.Sprintf(" Phase: %d add, %d copy.", adding, busy-adding)
	}
	return w
}

// Every step of every collective network is played for several nodes as the plan has it, with routers in the machine and without.
func TestCollectiveNetworksArePlayedAsTheirNodesExecuteThem(t *testing.T) {
	needs.Time(t)
	for _, routers := range []bool{true, false} {
		description := dimensions("net", "4,1 3,1", networks)
		if !routers {
			description = dimensions("net", "4,1 3,1", "routers = false\n"+networks)
		}
		p, out := generated(t, description)
		list, err := plan.Collectives(p.Machine, schedule.ForNetwork)
		require.NoError(t, err)
		page := open(t)
		page.load(reportOf(out))
		assert.Equal(t, routers, ask[bool](page, `document.getElementById("does").hidden`), "at first the broadcast of the routers, if there are any")
		for k, c := range list {
			number := k
			if routers {
				number++
			}
			page.set("operation", number)
			assert.Contains(t, ask[string](page, `document.getElementById("operation").selectedOptions[0].textContent`), c.Name+": "+c.Operation())
			assert.Equal(t, "Hardware of this machine", ask[string](page, `document.getElementById("operation").selectedOptions[0].parentElement.label`))
			assert.Equal(t, "The nodes of the collective network "+c.Name+" of this machine execute this schedule.", ask[string](page, `document.getElementById("by").textContent`))
			assert.True(t, ask[bool](page, `document.getElementById("program").checkVisibility()`))
			for _, node := range []int{0, 6, 11} {
				page.set("source", node)
				page.run(chromedp.Click(chromedp.CSS("#last")))
				for step := c.Steps; step > 0; step-- {
					require.Equal(t, wantExecuted(t, c, node, step), ask[executed](page, lookExecuted), "%s, node %d, step %d", c.Name, node, step)
					page.run(chromedp.Click(chromedp.CSS("#back")))
				}
				assert.Empty(t, ask[executed](page, lookExecuted).Current)
			}
			if collective.Rooted(c.Operation()) {
				assert.Contains(t, ask[string](page, `document.getElementById("status").textContent`), " is 1,2, 1 of 12.", "whatever the chosen node")
			}
		}
		page.set("operation", len(list)+1)
		assert.True(t, ask[bool](page, `document.getElementById("does").hidden`), "a schedule that no hardware executes")
		messages, _ := page.heard()
		assert.Empty(t, messages)
	}
}
