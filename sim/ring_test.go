// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// ringPort is a ring port of a node.
type ringPort struct{ node, port int32 }

// ringsOf returns the rings of ring ports of a network: the next one of a port
// is the same port of the node to which it leads.
func ringsOf(n *Network) (all [][]ringPort) {
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

// hasHole tells whether a ring has a hole: the section "Why it never locks up".
func hasHole(n *Network, ring []ringPort) bool {
	for _, at := range ring {
		r := &n.routers[at.node]
		if r.valid&r.waitsOn>>at.port&1 == 0 {
			return true
		}
		to := n.neighbor[int(at.node)*n.plan.Degree+int(at.port)]
		input := n.plan.Ports[at.port].Opposite
		seen := r.front(int(at.port)) // by the input
		if n.shape.queued {
			if n.routers[to].arriving.full>>input&1 == 0 {
				return true
			}
			seen = &n.routers[to].from[input+1]
		}
		if seen.WC == 1 || n.routers[to].continued>>input&1 != 0 {
			return true
		}
	}
	return false
}

// openGate makes the gate let everything in, so that rings are as full as their
// rule allows.
func openGate(n *Network) {
	n.plan.Gate.Cost = 0
}

// Every ring has a hole in every cycle, with rings filled by as many messages as
// can get in; the number of rings is gcd(m, rho) per direction and line of nodes.
func TestEveryRingAlwaysHasAHole(t *testing.T) {
	gcd := func(a, b int) int {
		for b > 0 {
			a, b = b, a%b
		}
		return a
	}
	machines := []rings{{{5, 1}, {4, 1}}, {{6, 2}, {5, 1}}, {{4, 1}, {9, 3}}, {{3, 1}, {4, 1}, {5, 1}}}
	for m := 4; m <= 16; m++ {
		for rho := 1; 2*rho < m; rho++ {
			if (m/2+rho-1)/rho >= 2 { // D
				machines = append(machines, rings{{m, rho}})
			}
		}
	}
	for i, r := range machines {
		for j, load := range []struct{ rate, stall float64 }{{1, 0}, {1, 0.6}, {1, 0.6}, {0.2, 0.3}} {
			p := newPlan(t, r, variants[(i+j)%len(variants)].with(preference(preferences[i%3]))...)
			n := NewNetwork(p, random(load.rate, load.stall, 5))
			openGate(n)
			all := ringsOf(n)
			want := 0
			for _, d := range p.Dims {
				if d.D >= 2 {
					want += 2 * gcd(d.M, d.Rho) * p.Nodes / d.M
				}
			}
			require.Len(t, all, want, "%v", r)
			for n.Cycle() < 400 {
				n.Step()
				for _, ring := range all {
					if !hasHole(n, ring) {
						t.Fatalf("%v: after cycle %d the ring of %v has no hole", r, n.Cycle(), ring[0])
					}
				}
			}
		}
	}
}

// enterFirst takes what enters before what continues.
func enterFirst(r *Router, free uint32) (on, in uint32) {
	in = free & r.waitsIn
	return free & r.waitsOn &^ in, in
}

// enterBeforeWritten takes what enters before what continues in the same cycle, which then
// waits.
func enterBeforeWritten(r *Router, free uint32) (on, in uint32) {
	in = free & r.waitsIn &^ (r.waitsOn &^ r.continuing)
	return free & r.waitsOn &^ in, in
}

// What the bubble rule is worth: if a message could enter the output slot although
// one continues, or waits to, an 8-ring would lose its holes and lock up. With queues at the
// inputs it takes both: a head that has been copied onward stays a hole.
func TestEnteringBeforeContinuingLocksUp(t *testing.T) {
	locks := func(v variant, take func(*Router, uint32) (uint32, uint32), seed int64) (locked, noHole bool) {
		n := NewNetwork(newPlan(t, rings{{8, 1}}, v.options...), random(1, 0.3, seed))
		openGate(n)
		n.shape.rule.take = take
		all := ringsOf(n)
		last, since := 0, 0
		for n.Cycle() < 20000 && !locked {
			n.Step()
			if d := n.count.deliveries; d != last {
				last, since = d, n.Cycle()
			}
			for _, ring := range all {
				noHole = noHole || !hasHole(n, ring)
			}
			locked = n.Cycle()-since > 1000
		}
		return locked, noHole
	}
	for i, v := range variants {
		for seed := int64(0); seed < 3; seed++ {
			for name, wrong := range map[string]func(*Router, uint32) (uint32, uint32){"always": enterFirst, "before written": enterBeforeWritten} {
				want := i%2 == 0 || name == "always"
				locked, noHole := locks(v, wrong, seed)
				require.Equal(t, want, locked, "%s: %s: seed %d", v.name, name, seed)
				require.Equal(t, want, noHole, "%s: %s: seed %d", v.name, name, seed)
			}
			locked, noHole := locks(v, nil, seed)
			require.False(t, locked, "%s: seed %d", v.name, seed)
			require.False(t, noHole, "%s: seed %d", v.name, seed)
		}
	}
}

// The right rule never locks up: rings of every size with every distance, more
// dimensions, open and ordinary gates, rates and stalls. All drain completely.
func TestNothingLocksUp(t *testing.T) {
	machines := []rings{{{4, 1}, {4, 1}}, {{6, 2}, {5, 1}}, {{5, 1}, {6, 2}}, {{8, 3}, {5, 1}}, {{3, 1}, {4, 1}, {5, 1}}, {{4, 1}, {4, 1}, {4, 1}}, {{4, 1}, {2, 1}, {3, 1}, {4, 1}}}
	for m := 4; m <= 16; m++ {
		for rho := 1; 2*rho < m && rho <= 8; rho++ {
			machines = append(machines, rings{{m, rho}})
		}
	}
	for i, r := range machines {
		for j, load := range []struct{ rate, stall float64 }{{1, 0}, {1, 0.7}, {0.3, 0.2}, {0.05, 0.5}} {
			for _, open := range []bool{false, true} {
				v := variants[(i+j)%len(variants)]
				n := NewNetwork(newPlan(t, r, v.with(preference(preferences[(i+j)%3]))...), random(load.rate, load.stall, int64(i)))
				if open {
					openGate(n)
				}
				w := newWatch(t, n)
				for n.Cycle() < 400 {
					n.Step()
				}
				w.drain()
			}
		}
	}
}
