// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traffic"
)

// The constants that the theorem of docs/fairness.md adds to distances. With registers on links a distance is a sum of leads.
const (
	shareSlack = 2 // turns of a node above those of a node that always offers
	waitSlack  = 4 // turns between an offer and its injection, in addition to twice the distance
	tickSlack  = 2 // turns of a node between two ticks of another one, in addition to twice the distance

	// With destinations a node has at most 8 times the turns of a node that always offers, plus the distance and the slack.
	addressedShare = 8
)

// judge checks a run against the theorem, cycle by cycle.
type judge struct {
	nodes    int
	mask     uint8 // the pace counts modulo mask + 1
	distance []int // [u*nodes + v]: the least sum of leads along a path
	turn     int   // credit that a broadcast costs
	factor   int   // by which the bound of the turns of others multiplies the turns of a node that always offers
	slack    int   // turns that this bound adds to the product and the distance
	ticks    []int
	spent    []int // cost of the messages injected before this cycle
	always   []bool
	waiting  []bool
	since    []int // [u*nodes + v]: spent by v when u, which waits, began to
	ticked   []int // likewise, when u ticked last
	share    int   // largest excess over the product and the distance
	wait     int   // largest excess over twice the distance
	interval int   // between two ticks, largest excess over twice the distance
}

func newJudge(p *plan.Plan) *judge {
	n := p.Nodes
	j := &judge{
		nodes: n, mask: uint8(1<<p.PaceBits - 1), distance: make([]int, n*n), turn: newRules(p, Options{}).cost, factor: 1, slack: shareSlack, ticks: make([]int, n), spent: make([]int, n),
		always: make([]bool, n), waiting: make([]bool, n), since: make([]int, n*n), ticked: make([]int, n*n), share: -1 << 30, wait: -1 << 30, interval: -1 << 30,
	}
	if p.Destination != nil {
		j.factor = addressedShare
	}
	for u := range n {
		j.always[u] = true
		for v := range n {
			j.distance[u*n+v] = p.Lead * p.Machine.Graph.Distance(u, v)
		}
	}
	return j
}

// cycle checks the wires of the next cycle: for each node the pace, whether a message is offered, and the
// cost of the injected message, 0 if none. It returns a contradiction of the theorem, if any.
func (j *judge) cycle(of func(v int) (pace uint8, offered bool, injected int)) error {
	taken, ticks := make([]int, j.nodes), make([]bool, j.nodes)
	for v := range j.nodes {
		pace, offered, injected := of(v)
		taken[v] = injected
		switch (pace - uint8(j.ticks[v])) & j.mask {
		case 0:
		case 1:
			j.ticks[v]++
			ticks[v] = true
		default:
			return fmt.Errorf("the pace of node %d jumps", v)
		}
		j.always[v] = j.always[v] && offered
		if offered && !j.waiting[v] {
			copy(j.since[v*j.nodes:], j.spent)
		}
		j.waiting[v] = offered
	}
	for u := range j.nodes {
		for v, distance := range j.distance[u*j.nodes:][:j.nodes] {
			if u == v {
				continue
			}
			if j.ticks[u] > j.ticks[v]+distance {
				return fmt.Errorf("node %d is %d ticks ahead of node %d in distance %d", u, j.ticks[u]-j.ticks[v], v, distance)
			}
			if j.always[u] {
				j.share = max(j.share, j.spent[v]-j.factor*j.spent[u]-j.turn*distance)
			}
			if j.waiting[u] {
				j.wait = max(j.wait, j.spent[v]-j.since[u*j.nodes+v]-2*j.turn*distance)
			}
			j.interval = max(j.interval, j.spent[v]-j.ticked[u*j.nodes+v]-2*j.turn*distance)
			if j.share > j.slack*j.turn {
				return fmt.Errorf("node %d has injected %d/%d turns, node %d in distance %d, which always offers, %d/%d", v, j.spent[v], j.turn, u, distance, j.spent[u], j.turn)
			}
			if j.wait > waitSlack*j.turn {
				return fmt.Errorf("node %d in distance %d injects %d/%d turns while node %d waits", v, distance, j.spent[v]-j.since[u*j.nodes+v], j.turn, u)
			}
			if j.interval > tickSlack*j.turn {
				return fmt.Errorf("node %d in distance %d injects %d/%d turns between two ticks of node %d", v, distance, j.spent[v]-j.ticked[u*j.nodes+v], j.turn, u)
			}
		}
		if ticks[u] {
			copy(j.ticked[u*j.nodes:], j.spent)
		}
	}
	for v := range taken {
		if taken[v] > 0 {
			j.spent[v] += taken[v]
			j.waiting[v] = false
		}
	}
	return nil
}

// network checks a network that has been evaluated.
func (j *judge) network(n *run) error {
	return j.cycle(func(v int) (uint8, bool, int) { return n.clocks[v].pace, n.offers.Offering(v), n.clocks[v].seen.pays })
}

// drawLoad draws the senders, their rates, and the stalls of receivers.
func drawLoad(t *rapid.T, nodes int) traffic.Load {
	l := traffic.Load{
		Rate:  rapid.SampledFrom([]float64{1, 1, 0.5, 0.1, 0.02}).Draw(t, "rate"),
		Stall: rapid.SampledFrom([]float64{0, 0, 0.3, 0.9}).Draw(t, "stall"),
		Seed:  int64(rapid.IntRange(0, 1000).Draw(t, "seed")),
		Slow:  map[int]float64{},
	}
	places := rand.New(rand.NewPCG(uint64(l.Seed), 1)).Perm(nodes)
	l.Sources = places[:rapid.IntRange(1, nodes).Draw(t, "busy")]
	for range rapid.IntRange(0, 2).Draw(t, "slow") {
		l.Slow[rapid.IntRange(0, nodes-1).Draw(t, "receiver")] = rapid.SampledFrom([]float64{0.5, 0.95, 0.99}).Draw(t, "how slow")
	}
	return l
}

// Guarantees 1, 3 and 4 in every cycle of random runs: each message reaches every other node once and in order, rings
// keep a free place, turns are fair by the theorem, entrants of rings are passed in at most two ticks, and in the end the
// network drains.
func TestEveryCycleOfRandomMachinesAndLoads(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPlan(rt, 64)
		n := newLoaded(p, drawLoad(rt, p.Nodes))
		w, j, passes, all := newWatch(t, n), newJudge(p), newPassWatch(n), ringsOf(n)
		for n.Cycle() < 300 {
			n.Evaluate()
			require.NoError(rt, j.network(n), "cycle %d", n.cycle)
			require.NoError(rt, passes.cycle())
			n.finish()
			for _, ring := range all {
				require.Less(rt, takenPlaces(n, ring), places(n, ring), "cycle %d: the ring of %v", n.cycle, ring[0])
			}
		}
		w.drain()
	})
}

// tight are runs that reach the bounds of the theorem, and in which every weakness of a rule shows.
var tight = []struct {
	r    rings
	load traffic.Load
}{
	{rings{{2, 1}}, traffic.Load{Rate: 1, Stall: 0.5, Seed: 1}},
	{rings{{2, 1}}, traffic.Load{Rate: 0.2, Slow: map[int]float64{0: 0.95}, Seed: 1}},
	{rings{{4, 1}}, traffic.Load{Rate: 1, Stall: 0.6, Seed: 1}},
	{rings{{4, 1}}, traffic.Load{Rate: 0.1, Slow: map[int]float64{0: 0.9}, Seed: 2}},
	{rings{{8, 1}}, traffic.Load{Rate: 1, Slow: map[int]float64{3: 0.97}, Seed: 1}},
	{rings{{8, 1}}, traffic.Load{Rate: 1, Slow: map[int]float64{3: 0.9}, Sources: []int{0, 1, 4}, Seed: 1}},
	{rings{{6, 2}}, traffic.Load{Rate: 0.3, Stall: 0.8, Seed: 1}},
	{rings{{3, 1}, {4, 1}}, traffic.Load{Rate: 0.05, Slow: map[int]float64{5: 0.9}, Seed: 1}},
}

func TestTheoremIsReached(t *testing.T) {
	if testing.Short() {
		t.Skip("the bounds of the theorem are reached in long runs")
	}
	for _, l := range []int{0, 1, 3} {
		share, wait, interval := -100, -100, -100
		for _, c := range tight {
			for _, v := range variants {
				p := newPlan(t, c.r, v.With(registers(l))...)
				n, j := newLoaded(p, c.load), newJudge(p)
				for n.Cycle() < 4000 {
					n.Evaluate()
					require.NoError(t, j.network(n), "%v %s, L = %d: cycle %d", c.r, v.Name, l, n.cycle)
					n.finish()
				}
				t.Logf("%v %s, L = %d: dist + %d, 2 dist + %d, 2 dist + %d", c.r, v.Name, l, j.share, j.wait, j.interval)
				share, wait, interval = max(share, j.share), max(wait, j.wait), max(interval, j.interval)
			}
		}
		assert.Equal(t, shareSlack, share, "L = %d", l)
		assert.Equal(t, waitSlack, wait, "L = %d", l)
		assert.Equal(t, tickSlack, interval, "L = %d", l)
	}
}

func TestEveryLineOfThePaceRuleIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("a short run leaves out most of the weakened models")
	}
	if !inWeakenedModel(t) {
		return
	}
	contradicted := func(wrong flaw) error {
		for _, c := range tight {
			n := newLoaded(newPlan(t, c.r), c.load)
			wrong(n.rules)
			j := newJudge(n.plan)
			for n.Cycle() < 3000 {
				n.Evaluate()
				if err := j.network(n); err != nil {
					return err
				}
				n.finish()
			}
		}
		return nil
	}
	require.NoError(t, contradicted(right))
	for _, name := range []string{
		"an injection costs nothing", "the last link is not read", "nobody is behind", "the cap and the rest are more", "always done",
		"the refill is twice as large", "credit without a tick", "always open",
	} {
		err := contradicted(paceFlaws[name])
		t.Log(name, ": ", err)
		assert.Error(t, err, name)
	}
}

// The lines that let a router advance: a single sender injects in every cycle, because nodes that offer nothing are
// done and because a tick adds a turn.
func TestALoneSenderInjectsInEveryCycle(t *testing.T) {
	if !inWeakenedModel(t) {
		return
	}
	for _, r := range corner {
		for _, v := range variants {
			p := newPlan(t, r, v.Options...)
			n := newRunFrom(p, random(1, 0, 1), []int{p.Nodes / 2})
			for n.Cycle() < 200 {
				n.Step()
			}
			require.EqualValues(t, 200, n.injections[p.Nodes/2], "%v %s", r, v.Name)
		}
	}
	for name, most := range map[string]int{"those who offer nothing wait": 5, "there is no refill": 1} {
		n := newRunFrom(newPlan(t, rings{{8, 1}}), random(1, 0, 1), []int{4})
		paceFlaws[name](n.rules)
		for n.Cycle() < 200 {
			n.Step()
		}
		require.LessOrEqual(t, n.injections[4], most, name)
	}
}
