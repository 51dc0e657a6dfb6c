// SPDX-License-Identifier: Apache-2.0

// Package check verifies schedules of collective operations from the definition
// of the operation alone. Of this module it imports package collective, for the names of
// operations and the types of schedules, and nothing else: it shares no code with the algorithms of package
// schedule, so that a fault of theirs cannot hide here.
//
// The model is synchronous and store-and-forward: in one step a directed link
// carries one message at most, and what a node receives in a step it can send in
// the next one.
package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// Rule is what a schedule breaks.
type Rule string

// The rules.
const (
	BadTransfer Rule = "transfer" // step, node or item out of range, or not to be listed
	NoLink      Rule = "link"     // no link between the two nodes
	LinkTwice   Rule = "load"     // two messages on a directed link in a step
	TwoSends    Rule = "send"     // one-port: two sends of a node in a step
	TwoReceives Rule = "receive"  // one-port: two receives of a node in a step
	TooEarly    Rule = "cause"    // a node sends what it does not hold
	Twice       Rule = "once"     // a node receives what it has, or a sum counts a part twice
	Missing     Rule = "complete" // somebody lacks an item in the end
	WrongPhase  Rule = "phase"    // a transfer adds a result, or copies a sum in which parts are missing
	WrongSteps  Rule = "steps"    // the number of steps is not that of the last transfer
)

// Fault is the first fault of a schedule, in the order of steps, nodes and items.
type Fault struct {
	Rule Rule
	Step int
	Node int
	Item collective.Item
	Text string
}

// Error names step, node, item and fault.
func (f *Fault) Error() string {
	return fmt.Sprintf("step %d, node %d, item %s: %s", f.Step, f.Node, f.Item, f.Text)
}

// before orders faults.
func (f *Fault) before(g *Fault) bool {
	return cmp.Or(cmp.Compare(f.Step, g.Step), cmp.Compare(f.Node, g.Node), compareItems(f.Item, g.Item)) < 0
}

func compareItems(a, b collective.Item) int {
	return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.For, b.For), cmp.Compare(a.Packet, b.Packet))
}

// checker holds what the rules share.
type checker struct {
	machine Machine
	*collective.Schedule
	nodes int
	first *Fault
	begun bool // transfers from some step on are left out, so nothing is known about the end
}

// fault keeps a fault if it is the first.
func (c *checker) fault(rule Rule, step, node int32, item collective.Item, format string, values ...any) {
	if rule == Missing && c.begun {
		return
	}
	f := &Fault{rule, int(step), int(node), item, fmt.Sprintf(format, values...)}
	if c.first == nil || f.before(c.first) {
		c.first = f
	}
}

// Check verifies a schedule on a machine. The error is a *Fault, or says what is wrong
// with the schedule as a whole. Time and memory grow with the transfers that are listed,
// of reductions with the parts of the sums.
func Check(m Machine, s *collective.Schedule) error {
	c := &checker{machine: m, Schedule: s, nodes: m.Nodes()}
	if err := c.header(); err != nil {
		return err
	}
	c.each()
	if c.first != nil { // what follows calculates with sound addresses
		c.until(c.first.Step)
	}
	c.ports()
	c.items()
	if c.first != nil {
		return c.first
	}
	c.steps()
	if c.first != nil {
		return c.first
	}
	if s.Waiting >= 0 {
		if n := c.waiting(); n != s.Waiting {
			return fmt.Errorf("%d values wait at a node, but the schedule says %d", n, s.Waiting)
		}
	}
	if s.Bound > s.Steps {
		return fmt.Errorf("the bound is %d steps, but the schedule takes %d: it is no lower bound", s.Bound, s.Steps)
	}
	return nil
}

// until leaves out the transfers from a step on.
func (c *checker) until(step int) {
	s := *c.Schedule
	s.Transfers = slices.DeleteFunc(slices.Clone(s.Transfers), func(t collective.Transfer) bool { return int(t.Step) >= step })
	c.Schedule, c.begun = &s, true
}

// header checks what is not about a transfer.
func (c *checker) header() error {
	switch {
	case !slices.Contains(collective.Operations(), c.Operation):
		return fmt.Errorf("there is no operation %q", c.Operation)
	case c.Root < 0 || c.Root >= c.nodes:
		return fmt.Errorf("root %d is outside the machine, whose nodes are 0 to %d", c.Root, c.nodes-1)
	case c.Packets < 1:
		return fmt.Errorf("%d packets: an item has 1 or more", c.Packets)
	case c.Packets > max(1, len(c.Transfers)):
		return fmt.Errorf("%d packets, but %d transfers are listed: each packet is in one at least", c.Packets, len(c.Transfers))
	case len(c.Period) != len(c.machine.M):
		return fmt.Errorf("%d periods, but the machine has %d dimensions", len(c.Period), len(c.machine.M))
	}
	for i, p := range c.Period {
		switch m := c.machine.M[i]; {
		case p < 1 || m%p != 0:
			return fmt.Errorf("dimension %d: the period %d does not divide m = %d", i+1, p, m)
		case collective.Rooted(c.Operation) && p != m:
			return fmt.Errorf("%s has a root, so that its schedule cannot be translated", c.Operation)
		}
	}
	return nil
}

// shift returns what brings a node among those whose transfers are listed, digit by
// digit. Adding it to an address is translate.
func (c *checker) shift(node int32) []int {
	by := make([]int, len(c.machine.M))
	x := int(node)
	for i, m := range c.machine.M {
		digit := x % m
		by[i] = m - digit + digit%c.Period[i]
		x /= m
	}
	return by
}

// translate adds digits to an address, each mod m.
func (c *checker) translate(node int32, by []int) int32 {
	x, unit, sum := int(node), 1, 0
	for i, m := range c.machine.M {
		sum += (x%m + by[i]) % m * unit
		x, unit = x/m, unit*m
	}
	return int32(sum)
}

// listed reports whether the transfers of a node are listed.
func (c *checker) listed(node int32) bool {
	x := int(node)
	for i, m := range c.machine.M {
		if x%m >= c.Period[i] {
			return false
		}
		x /= m
	}
	return true
}

// each checks every transfer by itself.
func (c *checker) each() {
	n := int32(c.nodes)
	for _, t := range c.Transfers {
		bad := func(format string, values ...any) { c.fault(BadTransfer, t.Step, t.From, t.Item, format, values...) }
		switch i := t.Item; {
		case t.Step < 1 || int(t.Step) > c.Steps:
			bad("the step is outside 1..%d", c.Steps)
		case t.From < 0 || t.From >= n || t.To < 0 || t.To >= n:
			bad("a message from %d to %d leaves the machine, whose nodes are 0 to %d", t.From, t.To, n-1)
		case !c.listed(t.From):
			bad("the schedule is translated, but lists a message of node %d", t.From)
		case !c.machine.linked(t.From, t.To):
			c.fault(NoLink, t.Step, t.From, i, "no link leads to node %d", t.To)
		case i.Node < 0 || i.Node >= n || i.Packet < 0 || int(i.Packet) >= c.Packets:
			bad("there is no such item")
		case (c.Operation == collective.TotalExchange) != (i.For >= 0) || i.For >= n || i.For == i.Node:
			bad("there is no such item")
		case c.Operation == collective.Broadcast && int(i.Node) != c.Root:
			bad("the item of a broadcast is its root, %d", c.Root)
		case (c.Operation == collective.Scatter || c.Operation == collective.Gather) && int(i.Node) == c.Root:
			bad("the root keeps its own item")
		case t.Add && !collective.Reduces(c.Operation):
			c.fault(WrongPhase, t.Step, t.From, i, "%s adds nothing", c.Operation)
		}
	}
}

// ports checks that a link carries one message per step, and if the machine is one-port,
// that a node sends one and receives one.
func (c *checker) ports() {
	// Of every set of translated transfers one starts at a listed node, and one ends there.
	type use struct{ step, node, other int32 }
	sends, receives := make([]use, len(c.Transfers)), []use(nil)
	for i, t := range c.Transfers {
		sends[i] = use{t.Step, t.From, t.To}
		if c.OnePort {
			by := c.shift(t.To)
			receives = append(receives, use{t.Step, c.translate(t.To, by), c.translate(t.From, by)})
		}
	}
	order := func(of []use) []int32 {
		index := make([]int32, len(of))
		for i := range index {
			index[i] = int32(i)
		}
		slices.SortFunc(index, func(a, b int32) int {
			x, y := of[a], of[b]
			return cmp.Or(cmp.Compare(x.step, y.step), cmp.Compare(x.node, y.node), cmp.Compare(x.other, y.other), cmp.Compare(a, b))
		})
		return index
	}
	index := order(sends)
	for k := 1; k < len(index); k++ {
		a, b, item := sends[index[k-1]], sends[index[k]], c.Transfers[index[k]].Item
		switch {
		case a == b:
			c.fault(LinkTwice, b.step, b.node, item, "the link to node %d carries item %s in the same step", b.other, c.Transfers[index[k-1]].Item)
		case c.OnePort && a.step == b.step && a.node == b.node:
			c.fault(TwoSends, b.step, b.node, item, "the node sends to nodes %d and %d in one step, but has one port", a.other, b.other)
		}
	}
	index = order(receives)
	for k := 1; k < len(receives); k++ {
		if a, b := receives[index[k-1]], receives[index[k]]; a.step == b.step && a.node == b.node {
			t := c.Transfers[index[k]]
			item := c.moved(t.Item, c.shift(t.To))
			c.fault(TwoReceives, b.step, b.node, item, "the node receives from nodes %d and %d in one step, but has one port", a.other, b.other)
		}
	}
}

// moved translates an item.
func (c *checker) moved(i collective.Item, by []int) collective.Item {
	i.Node = c.translate(i.Node, by)
	if i.For >= 0 {
		i.For = c.translate(i.For, by)
	}
	return i
}

// steps checks the number of steps.
func (c *checker) steps() {
	last := collective.Transfer{Item: collective.Item{For: -1}}
	for _, t := range c.Transfers {
		if t.Step > last.Step {
			last = t
		}
	}
	if int(last.Step) != c.Steps {
		c.fault(WrongSteps, int32(c.Steps), last.From, last.Item, "the schedule has %d steps, but its last message is in step %d", c.Steps, last.Step)
	}
}
