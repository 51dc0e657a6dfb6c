// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/traffic"
)

// entered reports whether messages enter a dimension by a port.
func (c *coverage) entered(q *plan.Port) bool { return q.First > 0 || c.plan.Destination != nil }

// everyone returns the ports by which a message for all nodes of the ring enters dimension j + 1.
func (c *coverage) everyone(j int) (ports []int) {
	for _, q := range c.plan.Dims[j].Entered {
		if c.plan.Ports[q].First > 0 {
			ports = append(ports, q)
		}
	}
	return ports
}

// restName names a rest of credit. With destinations the values between the numbers of the pace rule are one situation.
func (c *coverage) restName(rest int) string {
	for _, between := range [][2]int{{1, plan.TurnCost - 2}, {plan.TurnCost + 1, c.plan.DoneRest() - 1}} {
		if c.plan.Destination != nil && between[0] <= rest && rest <= between[1] {
			return fmt.Sprintf("%d to %d", between[0], between[1])
		}
	}
	return fmt.Sprint(rest)
}

// addAddressed adds the situations of messages with destinations.
func (c *coverage) addAddressed() {
	fields, r := c.plan.Destination.Fields, NewRouter(c.plan, traffic.RouterNode(c.plan))
	for j, f := range fields {
		m := c.plan.Dims[j].M
		c.add("the local input sends to all of dimension %d", j+1)
		if len(fields) > 1 {
			c.add("the local input stays in dimension %d", j+1)
		}
		if 1<<f.DigitBits > m {
			c.add("the digit of dimension %d is out of range", j+1)
		}
		c.add("the local input begins with dimension %d", j+1)
		if len(fields) > 1 {
			c.add("group %d alone has the message of the local input", j+1)
		}
		c.add("group %d selects a message for all", j+1)
		for digit := range min(m, manyValues) {
			if flag, x := r.way(j+1, digit); x > 0 {
				c.add("the local input sends to %d, %d of dimension %d", flag, x, j+1)
			}
		}
		// A link carries each distance in both directions, if a higher dimension exists.
		for x := 1; x <= min(f.MaxDistance, manyValues) && j+1 < len(fields); x++ {
			c.add("group %d selects a link's message for 0, %d", j+1, x)
			c.add("group %d selects a link's message for 1, %d", j+1, x)
		}
	}
	c.add("a message without receivers")
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
			if f := fields[j-1]; f.MaxDistance < 1<<f.DistanceBits-1 {
				c.add("the distance of dimension %d is malformed at input %d", j, i)
			}
		}
		if q.Dimension > 1 {
			c.add("input %d spreads to delivery alone", i)
		}
	}
	for rest := 1; rest <= c.plan.CreditCap(); rest++ {
		c.add("a message to one node with rest %d", rest)
	}
	for _, rest := range []int{1, plan.TurnCost - 1} {
		c.add("a message to several nodes waits with rest %s", c.restName(rest))
	}
	for _, rest := range []int{plan.TurnCost, plan.TurnCost + 1, c.plan.DoneRest(), c.plan.CreditCap()} {
		c.add("a message to several nodes with rest %s", c.restName(rest))
	}
	c.add("a message to one node waits for credit")
	c.add("done with rest 15 although a message is offered")
	c.add("held by a neighbour with rest 15")
	c.add("not done with rest 16")
	c.add("done with rest 16 because nothing is offered")
}

// observeAddressed counts the situations of messages with destinations in a cycle that has been evaluated.
func (c *coverage) observeAddressed(r *Router, in *sim.Inputs) {
	here := &r.inputs[local]
	nobody := true
	for j := range c.plan.Dims {
		if in.LocalValid {
			all, digit := r.part(in.LocalDest, j+1)
			illegal := !all && digit >= c.plan.Dims[j].M
			c.hit(illegal, "the digit of dimension %d is out of range", j+1)
			nobody = nobody && !illegal
		}
		flag, x := r.field(here.wire.Route, j+1)
		c.hit(here.done && x == 0 && flag == flagAll, "the local input sends to all of dimension %d", j+1)
		c.hit(here.done && x == 0 && flag == 0, "the local input stays in dimension %d", j+1)
		c.hit(here.done && x > 0, "the local input sends to %d, %d of dimension %d", flag, x, j+1)
		first := j+1 == len(c.plan.Dims) || here.wire.Route == r.below(here.wire.Route, j+2) // nothing in higher dimensions
		c.hit(here.requests[j+1] && first, "the local input begins with dimension %d", j+1)
		alone := here.served[j+1]
		for other := range c.plan.Dims {
			alone = alone && (other == j || !here.served[other+1])
		}
		c.hit(alone, "group %d alone has the message of the local input", j+1)
		if g := &r.groups[j]; slices.Contains(g.taken, true) {
			flag, x := r.field(r.inputs[g.selected].head.Route, j+1)
			c.hit(x == 0, "group %d selects a message for all", j+1)
			c.hit(x > 0 && g.selected != local, "group %d selects a link's message for %d, %d", j+1, flag, x)
		}
	}
	c.hit(r.offer.illegal && nobody, "a message without receivers")
	c.hit(r.offer.illegal && r.errors.destination, "illegal destinations in two cycles")
	c.hit(r.offer.legal && r.errors.destination, "a legal destination after an illegal one")
	for p := range c.plan.Ports {
		c.observeSpread(r, p)
	}
	c.observeCredit(r, in)
}

// observeCredit counts the situations of the pace.
func (c *coverage) observeCredit(r *Router, in *sim.Inputs) {
	k, offered, injected := r.clock, r.offer.legal, r.inputs[local].done
	rest, unicast := k.rest(), r.offer.cost == plan.UnicastCost
	c.hit(injected && unicast, "a message to one node with rest %d", rest)
	c.hit(injected && !unicast, "a message to several nodes with rest %s", c.restName(rest))
	c.hit(offered && !unicast && rest < plan.TurnCost, "a message to several nodes waits with rest %s", c.restName(rest))
	c.hit(offered && unicast && rest == 0, "a message to one node waits for credit")
	behind := r.behind(in.LinkPace[:], r.before(k.pace))
	c.hit(k.tick && offered, "done with rest %d although a message is offered", rest)
	c.hit(!k.tick && offered && behind, "held by a neighbour with rest %d", rest)
	c.hit(!k.tick && offered && !behind && !k.seen.held, "not done with rest %d", rest)
	c.hit(k.tick && !offered, "done with rest %d because nothing is offered", rest)
}

// observeSpread counts the situations of the link input of port p.
func (c *coverage) observeSpread(r *Router, p int) {
	in := &r.inputs[linkInput(p)]
	for j := 1; j < in.dimension && in.arrives; j++ {
		_, x := r.field(in.wire.Route, j)
		c.hit(x > c.plan.Destination.Fields[j-1].MaxDistance, "the distance of dimension %d is malformed at input %d", j, p)
	}
	if !in.wellFormed() {
		return
	}
	c.hit(in.head.WC > 1 && in.head.Spread, "input %d continues and spreads", p)
	c.hit(in.head.WC > 1 && !in.head.Spread, "input %d continues and does not spread", p)
	wanted := *in // its targets, whether they are served or not
	wanted.requests = make([]bool, len(in.requests))
	r.targets(&wanted)
	delivers, groups := wanted.requests[deliveryTarget], 0
	for j := in.dimension - 1; j >= 1; j-- {
		if !wanted.requests[j] {
			continue
		}
		groups++
		_, x := r.field(in.head.Route, j)
		c.hit(x > 0 && !delivers, "input %d spreads to group %d and no further", p, j)
		c.hit(x == 0, "input %d spreads to all of dimension %d", p, j)
	}
	c.hit(groups == 0 && delivers, "input %d spreads to delivery alone", p)
}

// addressedMachines are those of the test of addressed router traces.
var addressedMachines = append([]rings{{{5, 1}, {5, 1}, {5, 1}}, {{17, 7}, {3, 1}}}, corner...)

// A short run has one variant of each machine.
func TestAddressedRouterTracesMeetEverySituation(t *testing.T) {
	t.Parallel()
	for i, r := range addressedMachines {
		for j, v := range variants {
			if testing.Short() && j != i%len(variants) {
				continue
			}
			options := v.With(destination(), payloadBits(8), preference(preferences[(i+j)%3]), fifoDepth([]int{2, 2, 3, 5}[(i+j)%4]))
			meetsAll(t, newPlan(t, r, options...), fmt.Sprint(r, " ", v.Name, ", destinations"))
		}
	}
}

func TestAddressedRouterTracesOfRandomMachinesMeetEverySituation(t *testing.T) {
	t.Parallel()
	for seed := range map[bool]int{false: 40, true: 8}[testing.Short()] {
		rapid.Custom(func(rt *rapid.T) *plan.Plan {
			p := drawPlan(rt, 1<<16, payloadBits(8), destination(), registers(0))
			meetsAll(t, p, fmt.Sprint(p.Machine.Dimensions, p.Stages, p.Machine.Delivery, p.Machine.Preference))
			return p
		}).Example(seed)
	}
}
