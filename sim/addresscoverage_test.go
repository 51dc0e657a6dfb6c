// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/plan"
)

// entered tells whether messages enter a dimension by a port.
func (c *coverage) entered(q *plan.Port) bool { return q.First > 0 || c.shape.address != nil }

// everyone returns the ports that a message for all nodes of the ring enters group j by.
func (c *coverage) everyone(j int) uint32 {
	if a := c.shape.address; a != nil {
		return a.dims[j].entered
	}
	return c.shape.groups[j].entered
}

// restName names a rest of credit. With destinations those between the numbers of the pace rule are taken together.
func (c *coverage) restName(rest uint8) string {
	for _, between := range [][2]uint8{{1, plan.TurnCost - 2}, {plan.TurnCost + 1, plan.CreditCap - 1}} {
		if c.shape.address != nil && between[0] <= rest && rest <= between[1] {
			return fmt.Sprintf("%d to %d", between[0], between[1])
		}
	}
	return fmt.Sprint(rest)
}

// addAddressed adds the situations of messages with destinations.
func (c *coverage) addAddressed() {
	a, node := c.shape.address, RouterNode(c.plan)
	for j := range a.dims {
		d := &a.dims[j]
		c.add("the local input sends to all of dimension %d", j+1)
		if len(a.dims) > 1 {
			c.add("the local input stays in dimension %d", j+1)
		}
		if 1<<d.DigitBits > d.m {
			c.add("the digit of dimension %d is out of range", j+1)
		}
		c.add("the local input begins with dimension %d", j+1)
		if len(a.dims) > 1 {
			c.add("group %d alone has the message of the local input", j+1)
		}
		c.add("group %d selects a message for all", j+1)
		for digit := range min(d.m, manyValues) {
			if flag, x := d.way(c.plan.Machine.Graph.Digit(node, j+1), digit); x > 0 {
				c.add("the local input sends to %d, %d of dimension %d", flag, x, j+1)
			}
		}
		// A link brings each distance in both directions, if there is a dimension above.
		for x := 1; x <= min(d.MaxDistance, manyValues) && j+1 < len(a.dims); x++ {
			c.add("group %d selects a link's message for 0, %d", j+1, x)
			c.add("group %d selects a link's message for 1, %d", j+1, x)
		}
	}
	c.add("a message to nobody")
	c.add("illegal destinations in two cycles")
	c.add("a legal destination after an illegal one")
	for i, q := range c.plan.Ports {
		if q.D > 1 {
			c.add("input %d continues and spreads", i)
			c.add("input %d continues and does not spread", i)
		}
		for j := 1; j < q.Dimension; j++ {
			c.add("input %d spreads to group %d and no further", i, j)
			c.add("input %d spreads to all of dimension %d", i, j)
			if f := a.dims[j-1]; f.MaxDistance < 1<<f.DistanceBits-1 {
				c.add("the distance of dimension %d is malformed at input %d", j, i)
			}
		}
		if q.Dimension > 1 {
			c.add("input %d spreads to delivery alone", i)
		}
	}
	for rest := 1; rest <= plan.TurnCost; rest++ {
		c.add("a message to one node with rest %d", rest)
	}
	for _, rest := range []uint8{1, plan.TurnCost - 1} {
		c.add("a message to several nodes waits with rest %s", c.restName(rest))
	}
	for _, rest := range []uint8{plan.TurnCost, plan.TurnCost + 1, plan.CreditCap} {
		c.add("a message to several nodes with rest %s", c.restName(rest))
	}
	c.add("a message to one node waits for credit")
	c.add("done because served")
	c.add("held although served")
	c.add("not served, and 17 to 31 of credit is too much to be done")
	c.add("not served, and 32 of credit is too much to be done")
}

// observeAddressed counts the situations of messages with destinations in a cycle that has been evaluated.
func (c *coverage) observeAddressed(r *Router, in *Inputs, wanted *asks, bad uint32) {
	a, now, next := c.shape.address, &r.router, &r.next
	nobody := true
	for j := range a.dims {
		d := &a.dims[j]
		if in.LocalValid {
			everyone := in.LocalDest>>(d.TDestLow+d.DigitBits)&1 != 0
			illegal := !everyone && int(in.LocalDest>>d.TDestLow&(1<<d.DigitBits-1)) >= d.m
			c.hit(illegal, "the digit of dimension %d is out of range", j+1)
			nobody = nobody && !illegal
		}
		flag, x := a.field(now.message(0).Route, j+1)
		c.hit(next.done&1 != 0 && x == 0 && flag == flagAll, "the local input sends to all of dimension %d", j+1)
		c.hit(next.done&1 != 0 && x == 0 && flag == 0, "the local input stays in dimension %d", j+1)
		c.hit(next.done&1 != 0 && x > 0, "the local input sends to %d, %d of dimension %d", flag, x, j+1)
		c.hit(wanted.wants[j+1]&1 != 0 && a.targets(now.message(0).Route, len(a.dims)+1)>>(j+2) == 0, "the local input begins with dimension %d", j+1)
		alone := now.group[j].made&1 != 0
		for other := range a.dims {
			alone = alone && (other == j || now.group[other].made&1 == 0)
		}
		c.hit(alone, "group %d alone has the message of the local input", j+1)
		if g := &next.group[j]; next.enters&c.shape.groups[j].entered != 0 {
			flag, x := a.field(now.message(int(g.who)).Route, j+1)
			c.hit(x == 0, "group %d selects a message for all", j+1)
			c.hit(x > 0 && g.who > 0, "group %d selects a link's message for %d, %d", j+1, flag, x)
		}
	}
	c.hit(r.in.illegal && nobody, "a message to nobody")
	c.hit(r.in.illegal && r.illegal, "illegal destinations in two cycles")
	c.hit(r.in.offered && r.illegal, "a legal destination after an illegal one")
	for p := range c.shape.degree {
		c.observeSpread(r, in, p, wanted, bad)
	}
	k := &r.clock
	rest, unicast := k.credit-k.cost, r.in.cost == plan.UnicastCost
	c.hit(next.done&1 != 0 && unicast, "a message to one node with rest %d", rest)
	c.hit(next.done&1 != 0 && !unicast, "a message to several nodes with rest %s", c.restName(rest))
	c.hit(r.in.offered && !unicast && rest < plan.TurnCost, "a message to several nodes waits with rest %s", c.restName(rest))
	c.hit(r.in.offered && unicast && rest == 0, "a message to one node waits for credit")
	behind := false
	for p := range c.shape.degree {
		behind = behind || uint8(in.LinkPace>>(plan.PaceBits*p))&paceMask == (k.pace-1)&paceMask
	}
	served := k.served || k.cost > 0
	c.hit(served && rest > k.unit && r.in.offered && !behind, "done because served")
	c.hit(served && behind, "held although served")
	c.hit(!served && rest > k.unit && r.in.offered && !behind, "not served, and %s of credit is too much to be done", c.restName(rest))
}

// observeSpread counts the situations of a link input.
func (c *coverage) observeSpread(r *Router, in *Inputs, p int, wanted *asks, bad uint32) {
	a, now := c.shape.address, &r.router
	i := int(c.shape.ports[p].wd)
	for j := 1; j < i && in.LinkValid&^now.full>>p&1 != 0; j++ {
		_, x := a.field(in.Link[p].Route, j)
		c.hit(x > a.dims[j-1].MaxDistance, "the distance of dimension %d is malformed at input %d", j, p)
	}
	if wanted.asking&^(bad<<1)>>(p+1)&1 == 0 {
		return
	}
	m, delivers := now.message(p+1), wanted.deliver>>p&1 != 0
	c.hit(m.WC > 1 && m.Spread, "input %d continues and spreads", p)
	c.hit(m.WC > 1 && !m.Spread, "input %d continues and does not spread", p)
	groups := 0
	for j := i - 1; j >= 1; j-- {
		if wanted.wants[j]>>(p+1)&1 == 0 {
			continue
		}
		groups++
		_, x := a.field(m.Route, j)
		c.hit(x > 0 && !delivers, "input %d spreads to group %d and no further", p, j)
		c.hit(x == 0, "input %d spreads to all of dimension %d", p, j)
	}
	c.hit(groups == 0 && delivers, "input %d spreads to delivery alone", p)
}

// addressedMachines are those of the test of addressed router traces.
var addressedMachines = append([]rings{{{5, 1}, {5, 1}, {5, 1}}, {{17, 7}, {3, 1}}}, corner...)

func TestAddressedRouterTracesMeetEverySituation(t *testing.T) {
	t.Parallel()
	for i, r := range addressedMachines {
		for j, v := range variants {
			options := v.with(destination(), payloadBits(8), preference(preferences[(i+j)%3]), fifoDepth([]int{2, 2, 3, 5}[(i+j)%4]))
			meetsAll(t, newPlan(t, r, options...), fmt.Sprint(r, " ", v.name, ", destinations"))
		}
	}
}

func TestAddressedRouterTracesOfRandomMachinesMeetEverySituation(t *testing.T) {
	t.Parallel()
	for seed := range 40 {
		rapid.Custom(func(rt *rapid.T) *plan.Plan {
			r, options := drawMachine(rt, 1<<16)
			p := newPlan(t, r, append(options, payloadBits(8), destination())...)
			meetsAll(t, p, fmt.Sprint(r, p.Stages, p.Machine.Delivery, p.Machine.Preference))
			return p
		}).Example(seed)
	}
}
