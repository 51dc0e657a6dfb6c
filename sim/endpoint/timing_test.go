// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// alone runs a program at node 0 of an idle system until nothing is under way.
func alone(p *plan.Plan, program func(c *cpu)) {
	all := newCPUs(p, func(c *cpu) {
		if c.node == 0 {
			program(c)
		}
	})
	defer all.end()
	s := New(p, all)
	for !all.over() || !s.Idle() {
		s.Run()
		if s.Cycle() > 100_000 {
			panic("an access does not end")
		}
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
		after := 2 // cycles from the turn of the add to the begin of the read
		if p.Machine.Endpoint.Bus == machine.AXI4Lite {
			after = 3
		}
		check("own read after an add", c.last, 3-after+1) // its turn is in the third
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
	})
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

// pins finds the first cycle in which a bus of AXI4-Lite does not what the contract says, for a master that has a write and a read at
// once, and lets responses wait.
func pins(p *plan.Plan) (fault string) {
	e := newEndpoint(p, 0)
	x := e.bus.(*axi4lite)
	own := func(word uint32) Access { return Access{Address: 4 * word, Strobes: 15, Data: 100 + word} }
	expect := func(want, why string) {
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
		if what != want && fault == "" {
			fault = fmt.Sprintf("%s: %q, not %q", why, what, want)
		}
	}
	x.pins.write, x.pins.read = own(1), own(1)
	x.pins.awvalid, x.pins.arvalid = true, false
	expect("-", "no data is valid")
	expect("-", "no data is valid")
	x.pins.wvalid, x.pins.arvalid = true, true
	expect("-", "it begins in the next cycle")
	expect("write1 b", "after reset a write comes before a read")
	x.pins.awvalid, x.pins.wvalid = false, false
	expect("- b", "the response of the write waits")
	expect("read1 b", "but the read begins")
	expect("- b r101", "it has its word in the next cycle")
	x.pins.write = own(2)
	x.pins.awvalid, x.pins.wvalid, x.pins.arvalid = true, true, true
	for range 3 {
		expect("- b r101", "both responses wait")
	}
	x.pins.rready = true
	expect("- b", "the response of the read is taken")
	x.pins.rready = false
	expect("read1 b", "so a read begins")
	expect("- b r101", "it has its word in the next cycle")
	x.pins.bready, x.pins.rready = true, true
	expect("-", "both responses are taken")
	expect("write2 b", "after a read a write comes first")
	expect("-", "its response is taken")
	expect("read1", "after a write a read comes first")
	return fault
}

func TestPinsOfAXI4Lite(t *testing.T) {
	assert.Empty(t, pins(endpoints(t, "bus = \"axi4lite\"", [2]int{2, 1})))
}

// strobed finds out whether an access on Wishbone begins without cyc or stb.
func strobed(p *plan.Plan) (fault string) {
	e := newEndpoint(p, 0)
	w := e.bus.(*wishbone)
	for _, pins := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		w.pins.cyc, w.pins.stb = pins[0], pins[1]
		e.evaluate(nil, false)
		if (e.access != nil) != (pins[0] && pins[1]) {
			fault = fmt.Sprintf("with cyc and stb of %v an access begins: %v", pins, e.access != nil)
		}
		e.step()
	}
	return fault
}

func TestPinsOfWishbone(t *testing.T) { assert.Empty(t, strobed(endpoints(t, "", [2]int{2, 1}))) }

// clearing is a program that rings at all nodes and clears EVENTS all the time.
func clearing(c *cpu) {
	c.set(regEnable, 511)
	for {
		c.put(c.all(), c.doorbell(), 1)
		c.set(regEvents, 511)
		c.set(regEvents, 511)
	}
}

// Addresses of the page.
func TestAddress(t *testing.T) {
	p := endpoints(t, "address_bits = 8", [2]int{3, 1}, [2]int{5, 2})
	assert.Equal(t, uint32(0b10_01_100_00_00001100), Address(p, plan.RegionMessages, hypercycle.Destination{hypercycle.All, 4}, 12))
	assert.Equal(t, uint32(0b11_00_010_01_11111100), Address(p, plan.RegionAdd, hypercycle.Destination{1, 2}, 252))
	assert.Equal(t, uint32(0b01_00_000_00_00010100), Address(p, plan.RegionRegisters, nil, 4*regEvents))
}
