// SPDX-License-Identifier: Apache-2.0

package check

import (
	"cmp"
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// items follows every item from where it begins. Translated items have the same fate, so
// those of the listed nodes stand for all.
func (c *checker) items() {
	all := make([]collective.Transfer, len(c.Transfers))
	for i, t := range c.Transfers {
		by := c.shift(t.Item.Node)
		all[i] = collective.Transfer{Step: t.Step, From: c.translate(t.From, by), To: c.translate(t.To, by), Item: c.moved(t.Item, by), Add: t.Add}
	}
	slices.SortFunc(all, func(a, b collective.Transfer) int {
		return cmp.Or(compareItems(a.Item, b.Item), cmp.Compare(a.Step, b.Step), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	f := &follower{checker: c, got: make([]int32, c.nodes), stamp: make([]int32, c.nodes)}
	next := 0
	c.expected(func(i collective.Item) {
		end := next
		for end < len(all) && all[end].Item == i {
			end++
		}
		f.follow(i, all[next:end])
		next = end
	})
}

// expected calls visit for every item that the operation is about, in order; of
// translated ones for that of a listed node.
func (c *checker) expected(visit func(collective.Item)) {
	for node := range int32(c.nodes) {
		switch {
		case c.Operation == collective.Broadcast && int(node) != c.Root, collective.Rooted(c.Operation) && c.Operation != collective.Broadcast && int(node) == c.Root, !c.listed(node):
			continue
		}
		fors := []int32{-1}
		if c.Operation == collective.TotalExchange {
			fors = fors[:0]
			for to := range int32(c.nodes) {
				if to != node {
					fors = append(fors, to)
				}
			}
		}
		for _, to := range fors {
			for packet := range int32(c.Packets) {
				visit(collective.Item{Node: node, For: to, Packet: packet})
			}
		}
	}
}

// follower follows one item after the other.
type follower struct {
	*checker
	got   []int32 // step in which a node received the item, if its stamp is the item's
	stamp []int32
	item  int32 // its number, from 1
}

func (f *follower) follow(i collective.Item, transfers []collective.Transfer) {
	f.item++
	switch f.Operation {
	case collective.Broadcast, collective.AllGather:
		f.copies(i, transfers)
	case collective.Scatter:
		f.moves(i, int32(f.Root), i.Node, transfers)
	case collective.Gather:
		f.moves(i, i.Node, int32(f.Root), transfers)
	case collective.TotalExchange:
		f.moves(i, i.Node, i.For, transfers)
	default:
		f.sums(i, transfers)
	}
}

// has reports whether a node can send the item in a step.
func (f *follower) has(node, step int32) bool {
	return f.stamp[node] == f.item && f.got[node] < step
}

// get lets a node receive the item.
func (f *follower) get(node, step int32) { f.stamp[node], f.got[node] = f.item, step }

// copies follows an item that every node is to receive once, but for its origin.
func (f *follower) copies(i collective.Item, transfers []collective.Transfer) {
	f.get(i.Node, 0)
	for _, t := range transfers {
		switch {
		case !f.has(t.From, t.Step):
			f.fault(TooEarly, t.Step, t.From, i, "the node sends the item to node %d before it has it", t.To)
			return
		case f.stamp[t.To] == f.item:
			f.fault(Twice, t.Step, t.To, i, "the node receives the item from node %d, but has it from step %d", t.From, f.got[t.To])
			return
		}
		f.get(t.To, t.Step)
	}
	for node := range int32(f.nodes) {
		if f.stamp[node] != f.item {
			f.fault(Missing, int32(f.Steps), node, i, "the node never receives the item")
			return
		}
	}
}

// moves follows an item that goes from one node to another and visits no node twice.
func (f *follower) moves(i collective.Item, from, to int32, transfers []collective.Transfer) {
	at := from
	f.get(at, 0)
	for _, t := range transfers {
		switch {
		case at != t.From || !f.has(t.From, t.Step):
			f.fault(TooEarly, t.Step, t.From, i, "the node sends the item to node %d, but does not hold it", t.To)
			return
		case at == to:
			f.fault(Twice, t.Step, t.From, i, "the node sends the item to node %d, but it is for this node", t.To)
			return
		case f.stamp[t.To] == f.item:
			f.fault(Twice, t.Step, t.To, i, "the node receives the item from node %d, but had it from step %d", t.From, f.got[t.To])
			return
		}
		at = t.To
		f.get(at, t.Step)
	}
	if at != to {
		f.fault(Missing, int32(f.Steps), to, i, "the node never receives the item; it ends at node %d", at)
	}
}

// sums follows the partial sums of one result. Every node begins with its own part. A
// message carries a copy of the sender's sum, and the receiver adds it to its own; so no
// part may be in both. A node may instead take over a sum in which nothing is missing.
func (f *follower) sums(i collective.Item, transfers []collective.Transfer) {
	parts := make([][]int32, f.nodes) // nodes whose parts a sum has; nil: the node's own
	seen := make([]int32, f.nodes)
	sum := func(node int32) []int32 {
		if parts[node] == nil {
			return []int32{node}
		}
		return parts[node]
	}
	mark := int32(0)
	for len(transfers) > 0 {
		end := 1
		for end < len(transfers) && transfers[end].Step == transfers[0].Step {
			end++
		}
		sent := make([][]int32, end) // as they were when the step began
		for k, t := range transfers[:end] {
			sent[k] = sum(t.From)
		}
		for k, t := range transfers[:end] {
			have := sum(t.To)
			switch complete := len(sent[k]) == f.nodes; {
			case f.Phases && complete == t.Add:
				f.fault(WrongPhase, t.Step, t.From, i, "the transfer to node %d is said to %s, but the sum has %d of %d parts", t.To, t.Phase(), len(sent[k]), f.nodes)
				return
			case len(have) == f.nodes:
				f.fault(Twice, t.Step, t.To, i, "the node receives a sum from node %d, but has the result", t.From)
				return
			case complete && f.Operation == collective.AllReduce:
				parts[t.To] = sent[k]
				continue
			}
			mark++
			both := make([]int32, 0, len(have)+len(sent[k]))
			for _, part := range append(append(both, have...), sent[k]...) {
				if seen[part] == mark {
					f.fault(Twice, t.Step, t.To, i, "the sum from node %d counts the part of node %d a second time", t.From, part)
					return
				}
				seen[part] = mark
				both = append(both, part)
			}
			parts[t.To] = both
		}
		transfers = transfers[end:]
	}
	for node := range int32(f.nodes) {
		if (f.Operation == collective.AllReduce || node == i.Node) && len(sum(node)) != f.nodes {
			f.fault(Missing, int32(f.Steps), node, i, "the result of the node has %d of %d parts", len(sum(node)), f.nodes)
			return
		}
	}
}

// waiting counts the values that wait at a node: what arrives in a step and leaves later than in the next one, if it does not
// belong to the result of the node itself. It is the most of any node.
func (c *checker) waiting() int {
	type at struct {
		node int32
		item collective.Item
	}
	arrivals, sends := map[at][]int32{}, map[at]map[bool]int32{} // steps; of sends the last one, by whether it adds
	for _, t := range c.Transfers {
		by := c.shift(t.To)
		to := at{c.translate(t.To, by), c.moved(t.Item, by)}
		from := at{t.From, t.Item}
		if !slices.Contains(arrivals[to], t.Step) {
			arrivals[to] = append(arrivals[to], t.Step)
		}
		if sends[from] == nil {
			sends[from] = map[bool]int32{}
		}
		sends[from][t.Add] = max(sends[from][t.Add], t.Step)
	}
	n := map[int32]int{}
	for place, steps := range arrivals {
		if collective.Reduces(c.Operation) && place.item.Node == place.node {
			continue
		}
		added := sends[place][true]
		for _, step := range steps {
			last := sends[place][false]
			if step < added {
				last = added
			}
			if last > step+1 {
				n[place.node]++
			}
		}
	}
	if c.Operation == collective.Broadcast && sends[at{int32(c.Root), collective.Item{Node: int32(c.Root), For: -1}}][false] > 1 {
		n[int32(c.Root)]++ // its word is there in step 1 alone
	}
	most := 0
	for _, k := range n {
		most = max(most, k)
	}
	return most
}
