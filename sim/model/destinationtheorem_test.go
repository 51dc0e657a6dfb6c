// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traffic"
)

// kinds of messages that the nodes of a run send.
var kinds = []struct {
	name       string
	broadcasts bool // only broadcasts
	choose     func(p *plan.Plan) func(v, seq int) traffic.Message
}{
	{"single", false, func(p *plan.Plan) func(int, int) traffic.Message { return mixed(p, 10, 0) }},
	{"single and to all", false, func(p *plan.Plan) func(int, int) traffic.Message { return mixed(p, 5, 5) }},
	{"most single", false, func(p *plan.Plan) func(int, int) traffic.Message { return mixed(p, 8, 1) }},
	{"sets", false, func(p *plan.Plan) func(int, int) traffic.Message { return mixed(p, 0, 5) }},
	{"to all", true, func(p *plan.Plan) func(int, int) traffic.Message { return mixed(p, 0, 10) }},
	{"even nodes single, odd nodes to all", false, func(p *plan.Plan) func(int, int) traffic.Message {
		single, all := mixed(p, 10, 0), mixed(p, 0, 10)
		return func(v, seq int) traffic.Message {
			if v%2 == 0 {
				return single(v, seq)
			}
			return all(v, seq)
		}
	}},
}

// contradictedWithDestinations runs networks with wrong rules under tight loads of all kinds of messages. It returns the
// first contradiction of the theorem, and the largest excess over the distance in the bounds of shares, waits and intervals
// between ticks.
func contradictedWithDestinations(t *testing.T, wrong flaw, cycles int) (share, wait, interval int, err error) {
	share, wait, interval = -1<<30, -1<<30, -1<<30
	for _, c := range tight {
		for _, kind := range kinds {
			p := newPlan(t, c.r, destination())
			n, j := newLoaded(p, c.load), newJudge(p)
			n.offers.Choose = kind.choose(p)
			if kind.broadcasts { // the rule of routers without destinations
				j.factor, j.slack = 1, shareSlack
			}
			wrong(n.rules)
			for n.Cycle() < cycles {
				n.Evaluate()
				if err := j.network(n); err != nil {
					return 0, 0, 0, fmt.Errorf("%v %s: cycle %d: %w", c.r, kind.name, n.cycle, err)
				}
				n.finish()
			}
			t.Logf("%v %s: %d dist + %d/8, 2 dist + %d/8", c.r, kind.name, j.factor, j.share, j.wait)
			interval = max(interval, j.interval)
			if !kind.broadcasts {
				share = max(share, j.share)
			}
			wait = max(wait, j.wait)
		}
	}
	return share, wait, interval, nil
}

// The theorem of fair turns holds for messages of every kind. The bound of waits is reached. The bound of shares is not
// reached, because the first tick of a node, at a rest of 8, adds 8 and not 2: at most 2 turns of its 5 remain.
func TestTheoremOfMixedMessagesIsReached(t *testing.T) {
	needs.Time(t)
	share, wait, interval, err := contradictedWithDestinations(t, right, 4000)
	require.NoError(t, err)
	assert.Equal(t, 2*plan.TurnCost, share)
	assert.Equal(t, waitSlack*plan.TurnCost, wait)
	assert.Equal(t, tickSlack*plan.TurnCost, interval)
}

// The theorem of fair turns in every cycle of random runs, for messages of every kind: each message reaches each node of
// its set once and no other, turns are fair, entrants of rings are passed in at most two ticks, and in the end the network
// drains.
func TestEveryCycleOfRandomMachinesAndLoadsWithDestinations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPlan(rt, 64, destination(), last())
		n := newLoaded(p, drawLoad(rt, p.Nodes))
		n.offers.Choose = rapid.SampledFrom(kinds).Draw(rt, "kind").choose(p)
		w, j, passes := watchAddressed(t, n), newJudge(p), newPassWatch(n)
		for n.Cycle() < 300 {
			n.Evaluate()
			require.NoError(rt, j.network(n), "cycle %d", n.cycle)
			require.NoError(rt, passes.cycle())
			n.finish()
		}
		w.drain()
	})
}

// Without any one of the lines that limit a router, the theorem does not hold for messages of every kind.
func TestEveryLineOfThePaceRuleOfDestinationsIsNeeded(t *testing.T) {
	needs.Time(t)
	if !inWeakenedModel(t) {
		return
	}
	flaws := map[string]flaw{}
	for _, name := range []string{
		"always done", "nobody is behind", "an injection costs nothing", "the cap and the rest are more", "the refill is twice as large", "credit without a tick",
	} {
		flaws[name] = paceFlaws[name]
	}
	for _, name := range []string{"the refill is 9", "done with a rest of 16", "every message costs 1"} {
		flaws[name] = destinationPaceFlaws[name]
	}
	for name, wrong := range flaws {
		_, _, _, err := contradictedWithDestinations(t, wrong, 2000)
		t.Log(name, ": ", err)
		assert.Error(t, err, name)
	}
}

// A tick waits until a node that always offers has injected a message to a single node, and does not wait for a node that
// offers nothing. In the ring of 8, node 0 sends to its neighbour, node 4 sends to all, and the others send nothing: both
// inject in every cycle.
func TestBroadcastsBesideSingleMessages(t *testing.T) {
	if !inWeakenedModel(t) {
		return
	}
	const cycles = 400
	for _, c := range []struct {
		name    string
		wrong   flaw
		perTick int // cycles from tick to tick
	}{
		{"the contract", right, 1},
		{"done with a rest of 14 only", destinationPaceFlaws["done with a rest of 14 only"], 2},
		{"done with a rest of 8 only", destinationPaceFlaws["done with a rest of 8 only"], 8},
		{"those who offer nothing wait", paceFlaws["those who offer nothing wait"], cycles},
	} {
		p := newPlan(t, rings{{8, 1}}, destination(), perPort())
		n := newRunFrom(p, random(1, 0, 1), []int{0, 4})
		n.offers.Choose = func(v, _ int) traffic.Message {
			if v == 0 {
				return traffic.Message{To: p.Machine.Graph.To(1)}
			}
			return traffic.Message{To: hypercycle.Everywhere(1)}
		}
		c.wrong(n.rules)
		for n.Cycle() < cycles {
			n.Step()
		}
		t.Logf("%s: %d messages to one node, %d broadcasts", c.name, n.injections[0], n.injections[4])
		require.InDelta(t, cycles/c.perTick, n.injections[4], 5, c.name)
	}
}
