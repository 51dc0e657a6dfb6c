// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/schedule"
)

// set selects a value of a list.
func (page *tab) set(id string, value int) {
	page.t.Helper()
	page.do(fmt.Sprintf(`(() => { const s = document.getElementById(%q); s.value = %d; s.dispatchEvent(new Event("change")) })()`, id, value))
}

// played is the state of an operation on the page.
type played struct {
	Reached []int    // nodes drawn as reached
	Now     []string // "from to" of messages drawn in this step
	Rows    []string // by node: step, sender and port
	Status  string
}

const lookPlayed = `(() => ({
  Reached: [...document.querySelectorAll("#network .node.reached")].map(g => +g.dataset.node),
  Now: [...document.querySelectorAll("#network .link.now")].flatMap(g => {
    const [a, b] = g.dataset.link.split(" "), visible = (c) => getComputedStyle(g.querySelector(c)).visibility === "visible";
    return [...(visible(".head") ? [a + " " + b] : []), ...(visible(".tail") ? [b + " " + a] : [])];
  }).sort(),
  Rows: [...document.querySelectorAll("#tree tbody tr")]
    .sort((a, b) => a.cells[0].textContent - b.cells[0].textContent)
    .map(r => [...r.cells].slice(2, 4).map(c => c.textContent).join("|")),
  Status: document.getElementById("status").textContent,
}))()`

// wantPlayed is the expected state for the items that begin at a node, from the plain list of all transfers.
func wantPlayed(s *schedule.Schedule, source, step int) played {
	n := s.Graph.Nodes()
	w := played{Reached: []int{}, Now: []string{}, Rows: make([]string, n)}
	w.Rows[source] = "0|-"
	busy, fresh := 0, 0
	for _, t := range s.Transfers {
		if int(t.Step) == step {
			busy++
		}
		of, arrives := int(t.Item.Node) == source, true
		switch s.Operation {
		case collective.Scatter: // the items of the root
			of, arrives = true, t.Item.Node == t.To
		case collective.TotalExchange:
			arrives = t.Item.For == t.To
		case collective.AllReduce:
			arrives = !t.Add
		}
		if !of {
			continue
		}
		if int(t.Step) == step {
			w.Now = append(w.Now, fmt.Sprintf("%d %d", t.From, t.To))
		}
		if !arrives {
			continue
		}
		w.Rows[t.To] = fmt.Sprintf("%d|%d", t.Step, t.From)
		if int(t.Step) <= step {
			w.Reached = append(w.Reached, int(t.To))
			fresh += map[bool]int{true: 1}[int(t.Step) == step]
		}
	}
	slices.Sort(w.Reached)
	slices.Sort(w.Now)
	nodes := "nodes"
	if fresh == 1 {
		nodes = "node"
	}
	w.Status = fmt.Sprintf("Step %d of %d: %d %s reached, %d of %d. %d of %d one-way links carry a message.", step, s.Steps, fresh, nodes, len(w.Reached)+1, n, busy, 2*s.Graph.Links())
	if s.Operation == collective.AllReduce {
		w.Status += map[bool]string{true: " Phase: add.", false: " Phase: copy."}[2*step <= s.Steps]
	}
	return w
}

// Every step of every operation is played for several sources and agrees with the plain list of transfers. The total
// exchange alternates: nodes of even and of odd digit differ.
func TestOperationsArePlayedAsTheirSchedulesSay(t *testing.T) {
	needs.Time(t)
	p, out := generated(t, dimensions("alternating", "3,1 8,1", ""))
	page := open(t)
	page.load(reportOf(out))
	for number, operation := range []string{collective.Broadcast, collective.AllGather, collective.Scatter, collective.TotalExchange, collective.AllReduce} {
		page.set("operation", number)
		assert.Equal(t, operation, ask[string](page, `document.getElementById("operation").selectedOptions[0].textContent`))
		group, hardware := "Schedules", "No hardware of this machine carries out this schedule."
		if operation == collective.Broadcast {
			group, hardware = "Hardware of this machine", "The routers of this machine broadcast like this."
		}
		assert.Equal(t, group, ask[string](page, `document.getElementById("operation").selectedOptions[0].parentElement.label`))
		assert.Equal(t, hardware, ask[string](page, `document.getElementById("by").textContent`))
		if operation == collective.Broadcast {
			continue // another test plays it
		}
		for _, source := range []int{0, 1, 5, 13} {
			s, err := schedule.Make(p.Machine.Graph, schedule.Request{Operation: operation, Root: source})
			require.NoError(t, err)
			assert.Equal(t, operation == collective.TotalExchange, s.Algorithm == "alternating")
			s = s.Plain()
			page.set("source", source)
			page.run(chromedp.Click(chromedp.CSS("#last")))
			for step := s.Steps; step > 0; step-- {
				require.Equal(t, wantPlayed(s, source, step), ask[played](page, lookPlayed), "%s of %d, step %d", operation, source, step)
				page.run(chromedp.Click(chromedp.CSS("#back")))
			}
		}
		row := ask[[]string](page, fmt.Sprintf(`[...document.querySelectorAll("[aria-label='Steps of operations'] tbody tr")][%d].innerText.split("\t")`, number))
		s, err := schedule.Make(p.Machine.Graph, schedule.Request{Operation: operation})
		require.NoError(t, err)
		assert.Equal(t, []string{operation, "none", s.Algorithm, fmt.Sprint(s.Steps), fmt.Sprint(s.Bound)}, row)
	}
	// back to the broadcast
	page.set("operation", 0)
	page.set("source", 7)
	assert.Equal(t, want(p, 7, p.Machine.Graph.Diameter()), ask[seen](page, look))
	messages, _ := page.heard()
	assert.Empty(t, messages)
}

// A long operation is named, but not played.
func TestLongOperationsAreNotPlayed(t *testing.T) {
	needs.Time(t)
	_, out := generated(t, dimensions("ring60", "60,1", ""))
	page := open(t)
	page.load(reportOf(out))
	assert.Equal(t, []string{"broadcast", "all-gather", "scatter", "all-reduce"}, ask[[]string](page, `[...document.getElementById("operation").options].map(o => o.textContent)`))
	assert.Equal(t, "total-exchange\tnone\ttoo long to be played\t-\t450", ask[string](page, `[...document.querySelectorAll("[aria-label='Steps of operations'] tbody tr")][3].innerText`))
}
