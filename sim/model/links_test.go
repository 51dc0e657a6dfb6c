// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/traffic"
)

// linked are machines with registers on links: with register slices, with credits, with both, and with wires in one dimension.
// They have the special cases of the mathematics.
var linked = []struct {
	r         rings
	registers []int // by dimension
}{
	{rings{{2, 1}}, []int{1}},
	{rings{{3, 1}}, []int{2}},
	{rings{{4, 2}}, []int{3}},
	{rings{{5, 2}}, []int{8}}, // D = 1
	{rings{{8, 1}}, []int{1}},
	{rings{{8, 1}}, []int{8}},
	{rings{{4, 1}, {4, 1}}, []int{2, 0}},
	{rings{{4, 1}, {4, 1}}, []int{0, 8}},
	{rings{{6, 2}, {5, 1}}, []int{1, 3}},
	{rings{{3, 1}, {5, 1}}, []int{4, 2}},
	{rings{{2, 1}, {3, 1}, {4, 2}, {5, 1}}, []int{1, 2, 3, 0}},
	{rings{{17, 8}}, []int{2}}, // degree 16
	{rings{{12, 3}}, []int{3}},
}

// linkedOptions are options of the machine with a number.
func linkedOptions(at, i int) []option {
	return variants[(at+i)%len(variants)].With(registers(linked[at].registers...), preference(preferences[(at+i)%3]), fifoDepth(2+(at+i)%3), withBarrier())
}

// Guarantees 1, 3 and 4 with registers, in every cycle: each message reaches every node of its destination once and in order,
// rings keep a free place, turns are fair by the theorem with the lead, entrants of rings are passed in at most two ticks, and
// in the end the network drains. A short run has one load of each machine.
func TestEveryCycleOfMachinesWithRegisters(t *testing.T) {
	cycles := 500
	if testing.Short() {
		cycles = 200
	}
	for at, m := range linked {
		for i := range 6 {
			if testing.Short() && i != at%6 {
				continue
			}
			options := linkedOptions(at, i)
			if i >= 3 {
				options = append(options, destination(), last())
			}
			p := newPlan(t, m.r, options...)
			load := []traffic.Load{{Rate: 1, Stall: 0.3, Seed: 1}, {Rate: 0.05, Slow: map[int]float64{0: 0.9}, Seed: 2}, adversarial(p.Nodes, int64(at))}[i%3]
			n := newLoaded(p, load)
			drain := newWatch(t, n).drain
			if p.Destination != nil {
				n.offers.Choose = mixed(p, 6, 1)
				drain = watchAddressed(t, n).drain
			}
			j, passes, all := newJudge(p), newPassWatch(n), ringsOf(n)
			for n.Cycle() < cycles {
				n.Evaluate()
				require.NoError(t, j.network(n), "%v cycle %d", m, n.cycle)
				require.NoError(t, passes.cycle(), "%v", m)
				n.finish()
				for _, ring := range all {
					require.Less(t, takenPlaces(n, ring), places(n, ring), "%v cycle %d: the ring of %v", m, n.cycle, ring[0])
				}
			}
			require.Positive(t, n.deliveries, "%v", m)
			drain()
			require.Zero(t, n.Held())
			require.True(t, n.Empty())
		}
	}
}

// lateness runs a network and compares the paces that routers read with those that their neighbours had L cycles before.
func lateness(t *testing.T, p *plan.Plan, wrong flaw) error {
	n := newRun(p, random(0.5, 0.5, 1))
	wrong(n.rules)
	var paces, barrierPaces [][]uint8 // by cycle and node
	var in sim.Inputs
	var out sim.Outputs
	advances := 0
	for n.Cycle() < 200 {
		n.Evaluate()
		paces, barrierPaces = append(paces, make([]uint8, p.Nodes)), append(barrierPaces, make([]uint8, p.Nodes))
		for v := range p.Nodes {
			paces[n.cycle][v], barrierPaces[n.cycle][v] = n.routers[v].Pace(), n.routers[v].BarrierPace()
			advances += int(bit(n.cycle > 0 && barrierPaces[n.cycle][v] != barrierPaces[max(0, n.cycle-1)][v]))
		}
		for v := range p.Nodes {
			n.Wires(v, &in, &out)
			for q, u := range n.neighbors(v) {
				var pace, barrierPace uint8
				if then := n.cycle - p.Ports[q].Queue.Latency; then >= 0 {
					pace, barrierPace = paces[then][u], barrierPaces[then][u]
				}
				if in.LinkPace[q] != pace || in.LinkBarrierPace[q] != barrierPace {
					return fmt.Errorf("cycle %d: node %d reads pace %d and barrier pace %d at port %d, expected %d and %d", n.cycle, v, in.LinkPace[q], in.LinkBarrierPace[q], q, pace, barrierPace)
				}
			}
		}
		n.finish()
	}
	require.Positive(t, advances)
	return nil
}

// A pace is the pace of the neighbour L cycles ago, and 0 in the first L cycles.
func TestPacesAreLate(t *testing.T) {
	if !inWeakenedModel(t) {
		return
	}
	for at, m := range linked {
		p := newPlan(t, m.r, linkedOptions(at, 0)...)
		require.NoError(t, lateness(t, p, right), "%v", m)
		for _, line := range []string{"a pace is late", "a barrier pace is late"} {
			require.Error(t, lateness(t, p, off(line)), "%v: %s", m, line)
		}
	}
}

// With the lead a lone sender injects in every cycle, and all other nodes get a message in every cycle. With a lead of one less
// it cannot.
func TestALoneSenderIsAsFastWithRegisters(t *testing.T) {
	const cycles = 300
	for at, m := range linked {
		for i := range variants {
			p := newPlan(t, m.r, linkedOptions(at, i)...)
			run := func(wrong flaw) *run {
				n := newRunFrom(p, random(1, 0, 1), []int{p.Nodes / 2})
				wrong(n.rules)
				for n.Cycle() < cycles {
					n.Step()
				}
				return n
			}
			n := run(right)
			require.EqualValues(t, cycles, n.injections[p.Nodes/2], "%v", m)
			longest := p.Machine.Graph.Diameter()*(p.Stages+p.Machine.Registers()) + 1
			require.GreaterOrEqual(t, n.deliveries, (cycles-longest)*(p.Nodes-1), "%v", m)
			slower := run(func(x *rules) { x.lead-- }).injections[p.Nodes/2]
			require.InDelta(t, cycles*(p.Lead-1)/p.Lead, slower, 4, "%v", m)
		}
	}
}

// A lead above what the modulus distinguishes stops all clocks: a neighbour that is ahead by the lead then counts as behind.
func TestTheModulusFitsTheLead(t *testing.T) {
	// The lead of L = 2 is 3, the largest for 3 bits.
	p := newPlan(t, rings{{8, 1}}, registers(2))
	require.Equal(t, 3, p.PaceBits)
	injected := func(lead uint8) int {
		n := newLoaded(p, traffic.Load{Rate: 1, Slow: map[int]float64{3: 0.9}, Sources: []int{0, 1, 4}, Seed: 1})
		n.lead = lead
		for n.Cycle() < 3000 {
			n.Step()
		}
		before := n.injected()
		for n.Cycle() < 6000 {
			n.Step()
		}
		return n.injected() - before
	}
	require.Greater(t, injected(3), 100)
	require.Zero(t, injected(4))
}

// driven are machines with registers whose router traces are checked.
var driven = []struct {
	r         rings
	registers int
}{
	{rings{{2, 1}}, 1},
	{rings{{8, 1}}, 2},
	{rings{{4, 1}, {4, 1}}, 1},
	{rings{{4, 1}, {4, 1}}, 8},
	{rings{{6, 2}, {5, 1}}, 3},
}

// The router traces of machines with registers meet every situation. A short run has one variant of each machine.
func TestRouterTracesWithRegistersMeetEverySituation(t *testing.T) {
	t.Parallel()
	for i, m := range driven {
		for j, v := range variants {
			if testing.Short() && j != i%len(variants) {
				continue
			}
			meetsAll(t, newPlan(t, m.r, v.With(registers(m.registers), withBarrier())...), fmt.Sprint(m, " ", v.Name))
		}
	}
}

// The router traces of machines with registers show flaws of the clock and of the barrier.
func TestRouterTracesShowWrongRulesWithRegisters(t *testing.T) {
	t.Parallel()
	if !inWeakenedModel(t) {
		return
	}
	for _, m := range driven {
		p := newPlan(t, m.r, registers(m.registers), withBarrier())
		require.Equal(t, traffic.RouterCycles(p), firstDifference(p, &mutant{}), "%v", m)
		x := &mutants{plan: p}
		x.clock()
		x.line("a barrier advances once in a period", 0)
		x.flaw(func(x *rules) { x.paceMask >>= 1 }, "clock: the pace has a bit less")
		x.after(func(b *Router) {
			if b.barrier.wait == 0 {
				b.barrier.wait = 1
			} else {
				b.barrier.wait--
			}
		}, "barrier: another cycle of the period")
		for _, mutant := range x.list {
			assert.Less(t, firstDifference(p, &mutant), traffic.RouterCycles(p), "%v: %s", m, mutant.name)
		}
	}
}
