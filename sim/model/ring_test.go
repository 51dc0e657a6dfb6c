// SPDX-License-Identifier: Apache-2.0

package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim"
)

// ringPort is a ring port of a node.
type ringPort struct{ node, port int32 }

// ringsOf returns the rings of ring ports of a network: the next one of a port
// is the same port of the node to which it leads.
func ringsOf(n *run) (all [][]ringPort) {
	seen := map[ringPort]bool{}
	for v := range n.routers {
		for q, port := range n.plan.Ports {
			at := ringPort{int32(v), int32(q)}
			if !port.Ring || seen[at] {
				continue
			}
			var ring []ringPort
			for ; !seen[at]; at.node = n.neighbor[int(at.node)*n.plan.Degree+q] {
				seen[at] = true
				ring = append(ring, at)
			}
			all = append(all, ring)
		}
	}
	return all
}

// takenPlaces counts the taken places of a ring as in the section "Why it cannot deadlock". Every word in a link takes one.
func takenPlaces(n *run, ring []ringPort) (taken int) {
	for _, at := range ring {
		if n.routers[at.node].outputs[at.port].valid {
			taken++
		}
		if q := n.queues[int(at.node)*n.plan.Degree+int(at.port)]; q != nil {
			taken += q.held()
		}
		next := n.routers[n.neighbors(int(at.node))[at.port]]
		input := &next.inputs[linkInput(n.plan.Ports[at.port].Opposite)]
		for i, m := range input.slots {
			if m.WC > 1 && (i > 0 || !input.served[input.dimension]) {
				taken++
			}
		}
	}
	return taken
}

// places is the number of places of a ring: output registers, links, and the slots of link inputs.
func places(n *run, ring []ringPort) int {
	return len(ring) * (1 + n.plan.Ports[ring[0].port].Queue.Places + n.plan.InputSlots)
}

// A line of nodes of a dimension has gcd(m, rho) rings in each direction, and overload takes all places but one of
// some ring. A short run has one variant of each machine.
func TestRingsFillUpToOnePlace(t *testing.T) {
	gcd := func(a, b int) int {
		for b > 0 {
			a, b = b, a%b
		}
		return a
	}
	for i, r := range []rings{{{8, 1}}, {{5, 1}, {4, 1}}, {{6, 2}, {5, 1}}, {{4, 1}, {9, 3}}, {{9, 2}}, {{16, 6}}} {
		for j, v := range variants {
			if testing.Short() && j != i%len(variants) {
				continue
			}
			p := newPlan(t, r, v.With(preference(preferences[i%3]), fifoDepth(2+i%3))...)
			n := newRun(p, random(1, 0.8, 5))
			all, want := ringsOf(n), 0
			for _, d := range p.Dims {
				if d.D >= 2 {
					want += 2 * gcd(d.M, d.Rho) * p.Nodes / d.M
				}
			}
			require.Len(t, all, want, "%v", r)
			least := 1 << 30
			for n.Cycle() < 3000 {
				n.Step()
				for _, ring := range all {
					least = min(least, places(n, ring)-takenPlaces(n, ring))
				}
			}
			require.Positive(t, least, "%v %s", r, v.Name)
			if i == 0 && p.Machine.FIFODepth == 2 {
				require.LessOrEqual(t, least, 3, "%v %s: the ring is never close to full", r, v.Name)
			}
		}
	}
}

// Without the bubble rule rings deadlock, with FIFOs of every depth. A short run has two combinations.
func TestWithoutTheBubbleRuleRingsLockUp(t *testing.T) {
	if !inWeakenedModel(t) {
		return
	}
	for i, v := range variants {
		for _, depth := range []int{2, 3} {
			if testing.Short() && i != 3*(depth-2) {
				continue
			}
			locks := func(wrong flaw) bool {
				n := newRun(newPlan(t, rings{{8, 1}}, v.With(fifoDepth(depth))...), random(1, 0.3, 1))
				wrong(n.rules)
				n.options.NoPace = true // rings fill to the limit of their rule
				last := 0
				n.handed = func(int, int, *sim.Message) { last = n.cycle }
				for n.cycle < 10000 && n.cycle-last < 1000 {
					n.Step()
				}
				return n.cycle < 10000
			}
			require.False(t, locks(right), "%s, depth %d", v.Name, depth)
			require.True(t, locks(off("the bubble rule")), "%s, depth %d", v.Name, depth)
		}
	}
}

// Storms: all nodes send, receivers pause, and at the end the network drains. A short run has one variant of each machine.
func TestNothingLocksUp(t *testing.T) {
	machines := append([]rings{{{16, 8}}, {{4, 1}, {4, 1}, {4, 1}}, {{4, 1}, {2, 1}, {3, 1}, {4, 1}}}, corner...)
	for m := 4; m <= 16; m += 3 {
		for rho := 1; 2*rho < m && rho <= 8; rho++ {
			machines = append(machines, rings{{m, rho}})
		}
	}
	for i, r := range machines {
		for j, v := range variants {
			if testing.Short() && j != i%len(variants) {
				continue
			}
			n := newRun(newPlan(t, r, v.With(preference(preferences[(i+j)%3]))...), random(1, []float64{0, 0.5, 0.9}[(i+j/2)%3], int64(i)))
			w := newWatch(t, n)
			for n.Cycle() < 300 {
				n.Step()
			}
			w.drain()
		}
	}
}
