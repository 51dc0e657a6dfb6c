// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"iter"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
)

// cpu runs a program at a node, one access after the other.
type cpu struct {
	plan  *plan.Plan
	node  int
	last  Done
	pause int // cycles before the next access

	yield func(Access) bool
	next  func() (Access, bool)
	stop  func()

	asks Access
	some bool
	from int // cycle from which it asks
}

// cpus are programs at all nodes.
type cpus struct {
	list    []*cpu
	running int
	longest int
}

// stopped ends a program.
type stopped struct{}

// newCPUs starts a program at each node.
func newCPUs(p *plan.Plan, program func(c *cpu)) *cpus {
	all := &cpus{running: p.Nodes}
	for v := range p.Nodes {
		c := &cpu{plan: p, node: v}
		c.next, c.stop = iter.Pull(func(yield func(Access) bool) {
			defer func() {
				if r := recover(); r != nil && r != (stopped{}) {
					panic(r)
				}
			}()
			c.yield = yield
			program(c)
		})
		all.list = append(all.list, c)
		all.advance(c, 0)
	}
	return all
}

// end ends all programs.
func (all *cpus) end() {
	for _, c := range all.list {
		c.stop()
	}
}

func (all *cpus) advance(c *cpu, cycle int) {
	c.pause = 0
	if c.asks, c.some = c.next(); !c.some {
		all.running--
	}
	c.from = cycle + c.pause
}

func (all *cpus) Next(v, cycle int) (Access, bool) {
	c := all.list[v]
	return c.asks, c.some && cycle >= c.from
}

func (all *cpus) Ended(d Done) {
	c := all.list[d.Node]
	c.last = d
	all.longest = max(all.longest, d.End-d.Cycle)
	all.advance(c, d.End+1)
}

// over reports whether all programs have ended.
func (all *cpus) over() bool { return all.running == 0 }

// do makes an access and returns its answer.
func (c *cpu) do(a Access) Done {
	if !c.yield(a) {
		panic(stopped{})
	}
	return c.last
}

func (c *cpu) to(v int) hypercycle.Destination { return c.plan.Machine.Graph.To(v) }

func (c *cpu) all() hypercycle.Destination {
	return hypercycle.Everywhere(len(c.plan.Dims))
}

func (c *cpu) at(region int, to hypercycle.Destination, word int) uint32 {
	return Address(c.plan, region, to, uint32(4*word))
}

func (c *cpu) write(word int, data uint32) Done {
	return c.do(Access{true, c.at(plan.RegionMemory, nil, word), 15, data})
}

func (c *cpu) read(word int) uint32 {
	return c.do(Access{Address: c.at(plan.RegionMemory, nil, word)}).Answer.Data
}

func (c *cpu) put(to hypercycle.Destination, word int, data uint32) Done {
	return c.do(Access{true, c.at(plan.RegionMessages, to, word), 15, data})
}

func (c *cpu) get(v, word int) uint32 {
	return c.do(Access{Address: c.at(plan.RegionMessages, c.to(v), word)}).Answer.Data
}

func (c *cpu) add(to hypercycle.Destination, word int, data uint32) Done {
	return c.do(Access{true, c.at(plan.RegionAdd, to, word), 15, data})
}

func (c *cpu) set(register int, data uint32) Done {
	return c.do(Access{true, c.at(plan.RegionRegisters, nil, register), 15, data})
}

func (c *cpu) register(register int) uint32 {
	return c.do(Access{Address: c.at(plan.RegionRegisters, nil, register)}).Answer.Data
}

// doorbell is the word of the doorbell.
func (c *cpu) doorbell() int { return 1<<(c.plan.Machine.Endpoint.AddressBits-2) - 1 }
