// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
)

// running runs programs until all have ended and nothing is under way.
func running(t testing.TB, p *plan.Plan, program func(c *cpu)) (*System, *cpus) {
	all := newCPUs(p, program)
	t.Cleanup(all.end)
	s := New(p, all)
	for !all.over() || !s.Idle() {
		s.Run()
		require.Less(t, s.Cycle(), 1_000_000, "an access does not end")
	}
	return s, all
}

var machinesOfPrograms = [][][2]int{{{2, 1}, {2, 1}}, {{4, 1}, {4, 1}}, {{5, 1}, {3, 1}}, {{6, 2}}}

// A node that sees a flag has the data that was put to the same set before the flag was added to, whatever the ignored digits are.
func TestFlagsFollowData(t *testing.T) {
	const rounds = 60
	for _, rings := range machinesOfPrograms {
		p := endpoints(t, "", rings...)
		seen := 0
		running(t, p, func(c *cpu) {
			random := rand.New(rand.NewPCG(1, uint64(c.node)))
			for k := range uint32(rounds) {
				to := c.all()
				if c.node%2 == 1 { // a row
					to = c.plan.Machine.Graph.Row(c.node)
				}
				c.do(Access{true, ignored(p, random, c.at(plan.RegionMessages, to, 2*c.node)), 15, k + 1})
				c.do(Access{true, ignored(p, random, c.at(plan.RegionAdd, to, 2*c.node+1)), 15, 1})
				for range 2 {
					u := random.IntN(c.plan.Nodes)
					flag := c.read(2*u + 1)
					if data := c.read(2 * u); data < flag {
						t.Errorf("node %d has flag %d of node %d, but data %d", c.node, flag, u, data)
					}
					if flag > 0 {
						seen++
					}
				}
			}
		})
		assert.Greater(t, seen, rounds)
	}
}

// ignored puts random digits under `all`.
func ignored(p *plan.Plan, random *rand.Rand, address uint32) uint32 {
	for i, f := range p.Destination.Fields {
		if address>>(p.Endpoint.AllLow+i)&1 == 1 {
			address |= random.Uint32N(1<<f.DigitBits) << (p.Endpoint.DigitsLow + f.DigitLow)
		}
	}
	return address
}

// A get is a fence. Node 0 puts to node 6, and then to node 9, which passes it on to node 6. On the ring of 16 the first message goes
// by nodes 1 to 5, which send to node 6 all the time, and the other ones go around.
func TestGetsAreFences(t *testing.T) {
	const rounds = 40
	p := endpoints(t, "", [2]int{16, 1})
	late := map[bool]int{}
	for _, fenced := range []bool{true, false} {
		over := false
		running(t, p, func(c *cpu) {
			switch c.node {
			case 0:
				for k := range uint32(rounds) {
					c.put(c.to(6), 0, k+1)
					if fenced {
						c.get(6, 5)
					}
					c.put(c.to(9), 0, k+1)
					c.pause = 300
				}
			case 1, 2, 3, 4, 5:
				for !over {
					c.add(c.to(6), 2, 1)
				}
			case 6:
				for flag := uint32(0); flag < rounds; {
					flag = c.read(1)
					if c.read(0) < flag {
						late[fenced]++
					}
				}
				over = true
			case 9:
				for flag := uint32(0); flag < rounds; {
					if now := c.read(0); now != flag {
						flag = now
						c.put(c.to(6), 1, flag)
					}
				}
			}
		})
	}
	assert.Zero(t, late[true])
	assert.Positive(t, late[false], "the test sees a message that is late")
}

// A word that several nodes add to is the sum.
func TestAddsAreSums(t *testing.T) {
	for _, rings := range machinesOfPrograms {
		p := endpoints(t, "", rings...)
		sums := make([]uint32, p.Nodes)
		s, _ := running(t, p, func(c *cpu) {
			random := rand.New(rand.NewPCG(3, uint64(c.node)))
			for range 50 {
				x := random.Uint32()
				if random.IntN(2) == 0 {
					v := random.IntN(p.Nodes)
					c.add(c.to(v), 7, x)
					sums[v] += x
					continue
				}
				c.add(c.all(), 7, x)
				for v := range sums {
					if v != c.node {
						sums[v] += x
					}
				}
			}
		})
		for v, sum := range sums {
			assert.Equal(t, sum, s.Memory(v)[7], "%v: node %d", rings, v)
		}
	}
}

// After a fence and the barrier every node has what the others have put.
func TestBarriers(t *testing.T) {
	for _, rings := range machinesOfPrograms {
		p := endpoints(t, "", rings...)
		running(t, p, func(c *cpu) {
			for k := range uint32(20) {
				to := (c.node + 1 + int(k)) % p.Nodes
				if to != c.node {
					c.put(c.to(to), 1, k+100)
					c.get(to, 0)
				}
				c.set(regBarrier, 0)
				for c.register(regBarrier) == 1 {
				}
				if got := c.read(1); to != c.node && got != k+100 {
					t.Errorf("node %d: round %d: %d", c.node, k, got)
				}
				c.set(regBarrier, 0)
				for c.register(regEvents)&256 == 0 || c.register(regBarrier) == 1 {
				}
				c.set(regEvents, 256)
			}
		})
	}
}

// Whatever the others do, every access ends in a time that does not depend on the length of the run, and every node goes on.
func TestNoNodeStarves(t *testing.T) {
	const cycles = 4000
	for _, c := range []struct {
		name string
		does func(c *cpu)
		// bound is that of the cycles of an access, by nodes.
		bound func(n int) int
	}{
		{"all get from one node", func(c *cpu) { c.get(0, 0) }, func(n int) int { return 20 * n }},
		{"all get from one node, which adds to its own memory", func(c *cpu) {
			if c.node == 0 {
				c.add(c.to(0), 0, 1)
				return
			}
			c.get(0, 0)
		}, func(n int) int { return 20 * n }},
		{"all add to all", func(c *cpu) { c.add(c.all(), 1, 1) }, func(n int) int { return 20 * n }},
		{"all put to all, and one stops", func(c *cpu) {
			if c.node != 1 {
				c.put(c.all(), 1, 1)
				return
			}
			c.pause = cycles
			c.register(regID)
		}, func(n int) int { return 20 * n }},
		{"all get from one node that stops", func(c *cpu) {
			if c.node != 1 {
				c.get(1, 1)
				return
			}
			c.pause = cycles
			c.register(regID)
		}, func(n int) int { return 20 * n }},
		{"half put to all, half get from all", func(c *cpu) {
			if c.node%2 == 0 {
				c.put(c.all(), 1, 1)
				return
			}
			c.get((c.node+1+int(c.last.Cycle)%(c.plan.Nodes-1))%c.plan.Nodes, 1)
		}, func(n int) int { return 40 * n }},
		{"all ring, arrive, and nobody looks", func(c *cpu) {
			c.put(c.all(), c.doorbell(), 0xff)
			c.set(regBarrier, 0)
		}, func(n int) int { return 20 * n }},
	} {
		for _, rings := range [][][2]int{{{2, 1}, {2, 1}}, {{4, 1}, {4, 1}}, {{8, 1}}} {
			t.Run(fmt.Sprint(c.name, rings), func(t *testing.T) {
				p := endpoints(t, "", rings...)
				ended := make([]int, p.Nodes)
				all := newCPUs(p, func(cpu *cpu) {
					for {
						c.does(cpu)
						ended[cpu.node]++
					}
				})
				t.Cleanup(all.end)
				j := newJudge(p, all)
				require.Empty(t, j.run(cycles+1, func() bool { return j.Cycle() == cycles }))
				for v, n := range ended {
					if j.open[v] != nil {
						assert.Less(t, j.Cycle()-j.open[v].Cycle, c.bound(p.Nodes), "node %d waits", v)
					} else {
						assert.True(t, n > 0 || v == 1, "node %d", v)
					}
				}
				assert.Less(t, all.longest, c.bound(p.Nodes))
				t.Logf("longest %d, ended %v, %+v", all.longest, ended, j.stats)
			})
		}
	}
}
