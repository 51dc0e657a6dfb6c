// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// alone runs a program at node 0 of an idle system until nothing is under way. see, if not nil, is called before each cycle.
func alone(p *plan.Plan, program func(c *cpu), see func(s *System)) {
	all := newCPUs(p, func(c *cpu) {
		if c.node == 0 {
			program(c)
		}
	})
	defer all.end()
	s := New(p, all)
	for !all.over() || !s.Idle() {
		if see != nil {
			see(s)
		}
		s.Run()
	}
}

// timing finds the first access of an idle system whose cycles are not those of the contract.
func timing(p *plan.Plan) (fault string) {
	check := func(what string, d Done, want int) {
		if p.Machine.Endpoint.Bus == machine.AXI4Lite {
			want++ // it begins a cycle later
		}
		want++ // the answer comes in the cycle after it is done
		if got := d.End - d.Cycle; got != want && fault == "" {
			fault = fmt.Sprintf("%s: %d cycles, not %d", what, got, want)
		}
	}
	g := p.Machine.Graph
	rests := func(c *cpu) { c.pause = 40 } // the credit is whole, and the port free
	alone(p, func(c *cpu) {
		check("register", c.set(regEnable, 1), 0)
		check("bus error", c.do(Access{Write: true, Address: c.at(plan.RegionRegisters, nil, regID), Strobes: 15}), 0)
		check("own doorbell", c.put(c.to(0), c.doorbell(), 1), 0)
		check("own write", c.write(1, 2), 0)
		check("own put", c.put(c.to(0), 1, 3), 0)
		c.read(1)
		check("own read", c.last, 1)
		c.get(0, 1)
		check("own get", c.last, 1)
		check("own add", c.add(c.to(0), 1, 4), 0)
		c.read(1)
		wait := 3 // its turn comes three cycles after that of the add, and it begins two after it
		if p.Machine.Endpoint.Bus == machine.AXI4Lite {
			wait = 2
		}
		check("own read after an add", c.last, wait-2+1)
		for v := 1; v < p.Nodes; v++ {
			rests(c)
			check("put", c.put(c.to(v), 1, 5), 1)
			rests(c)
			check("add", c.add(c.to(v), 1, 6), 1)
			rests(c)
			c.get(v, 1)
			check("get", c.last, 1+(g.Distance(0, v)+1)+2+2+(g.Distance(v, 0)+1))
		}
		rests(c)
		check("put to all", c.put(c.all(), 1, 7), 1)
	}, nil)
	return fault
}

func TestCyclesOfAccessesInAnIdleSystem(t *testing.T) {
	for _, bus := range []string{machine.Wishbone, machine.AXI4Lite} {
		for _, rings := range [][][2]int{{{2, 1}}, {{4, 1}, {4, 1}}, {{5, 2}, {3, 1}}} {
			assert.Empty(t, timing(endpoints(t, fmt.Sprintf("bus = %q", bus), rings...)), "%s %v", bus, rings)
		}
	}
}

// events finds the first interrupt of an idle system that does not come in the cycle of the contract.
func events(p *plan.Plan) (fault string) {
	g := p.Machine.Graph
	far := p.Nodes - 1
	rings, barrier, seen := 0, 0, map[int]int{}
	all := newCPUs(p, func(c *cpu) {
		c.set(regEnable, 1<<3|1<<8)
		if c.node == 0 {
			c.pause = 50
			rings = c.put(c.to(far), c.doorbell(), 1<<3).End
		}
		if c.node == far {
			c.pause = 100
			c.register(regEvents)
			if c.last.Answer.Data != 1<<3 {
				fault = "the doorbell is not in EVENTS"
			}
			c.set(regEvents, 1<<3)
		}
		c.pause = 300 - c.last.End
		barrier = c.set(regBarrier, 0).End
	})
	defer all.end()
	s := New(p, all)
	for s.Cycle() < 400 {
		for v := range p.Nodes {
			if _, before := seen[v]; s.Interrupt(v) && (!before || v == far && s.Cycle() > 250 && seen[v] < 250) {
				seen[v] = s.Cycle()
				if v == far && s.Cycle() < 250 {
					// the message was accepted in the cycle before the answer
					if want := rings - 1 + g.Distance(0, far) + 1 + 1; s.Cycle() != want {
						fault = fmt.Sprintf("the doorbell rings in cycle %d, not %d", s.Cycle(), want)
					}
				}
			}
		}
		s.Run()
	}
	for v := range p.Nodes {
		if want := barrier + g.Diameter() + 2; seen[v] != want && fault == "" { // the arrival is in the cycle of the answer
			fault = fmt.Sprintf("node %d is released in cycle %d, not %d", v, seen[v], want)
		}
	}
	return fault
}

func TestCyclesOfInterrupts(t *testing.T) {
	for _, bus := range []string{machine.Wishbone, machine.AXI4Lite} {
		for _, rings := range [][][2]int{{{2, 1}}, {{4, 1}, {4, 1}}, {{5, 2}, {3, 1}}} {
			assert.Empty(t, events(endpoints(t, fmt.Sprintf("bus = %q", bus), rings...)), "%s %v", bus, rings)
		}
	}
}

// A master of AXI4-Lite can have a write and a read at once, and responses can wait.
func TestPinsOfAXI4Lite(t *testing.T) {
	e := newEndpoint(endpoints(t, "bus = \"axi4lite\"", [2]int{2, 1}), 0)
	x := e.bus.(*axi4lite)
	own := func(word uint32) Access { return Access{Address: 4 * word, Strobes: 15, Data: 100 + word} }
	begun := func() string {
		before := e.access
		e.evaluate(nil, false)
		what := "-"
		if e.access != nil && before == nil {
			what = "read"
			if e.access.Write {
				what = "write"
			}
			what += fmt.Sprint(e.access.word)
		}
		e.step()
		if x.bvalid {
			what += " b"
		}
		if x.rvalid {
			what += fmt.Sprint(" r", x.r.Data)
		}
		return what
	}
	x.pins.write, x.pins.read = own(1), own(1)
	x.pins.awvalid, x.pins.arvalid = true, false
	require.Equal(t, "-", begun(), "the data is not valid")
	require.Equal(t, "-", begun())
	x.pins.wvalid, x.pins.arvalid = true, true
	require.Equal(t, "-", begun())
	require.Equal(t, "write1 b", begun(), "a write comes before a read")
	x.pins.awvalid, x.pins.wvalid = false, false
	require.Equal(t, "- b", begun(), "the response waits; the read is seen")
	require.Equal(t, "read1 b", begun())
	require.Equal(t, "- b r101", begun())
	x.pins.write = own(2)
	x.pins.awvalid, x.pins.wvalid, x.pins.arvalid = true, true, true
	for range 3 {
		require.Equal(t, "- b r101", begun(), "both responses wait")
	}
	x.pins.rready = true
	require.Equal(t, "- b", begun(), "the response is taken, so the read is seen")
	x.pins.rready = false
	require.Equal(t, "read1 b", begun())
	require.Equal(t, "- b r101", begun())
	x.pins.bready, x.pins.rready = true, true
	require.Equal(t, "-", begun())
	require.Equal(t, "write2 b", begun(), "a write comes before a read")
}

// Addresses of the page.
func TestAddress(t *testing.T) {
	p := endpoints(t, "address_bits = 8", [2]int{3, 1}, [2]int{5, 2})
	assert.Equal(t, uint32(0b10_01_100_00_00001100), Address(p, plan.RegionMessages, hypercycle.Destination{hypercycle.All, 4}, 12))
	assert.Equal(t, uint32(0b11_00_010_01_11111100), Address(p, plan.RegionAdd, hypercycle.Destination{1, 2}, 252))
	assert.Equal(t, uint32(0b01_00_000_00_00010100), Address(p, plan.RegionRegisters, nil, 4*regEvents))
}
