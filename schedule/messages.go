// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// Message is an item that a network of routers carries from its source to its destinations by itself.
type Message struct {
	From int
	To   hypercycle.Destination // nil: all nodes
}

// Carried lists the operations whose items a network can carry: all but the reductions, which combine items on their way.
func Carried() []string {
	return []string{check.Broadcast, check.AllGather, check.Scatter, check.Gather, check.TotalExchange}
}

// MessageCount is the number of messages of an operation, one of Carried, on a machine with the given number of nodes.
func MessageCount(operation string, nodes int) int {
	switch operation {
	case check.Broadcast:
		return 1
	case check.AllGather:
		return nodes
	case check.TotalExchange:
		return nodes * (nodes - 1)
	}
	return nodes - 1
}

// Messages lists the messages by which a network carries a schedule of one of Carried, one for each item, in
// the order in which their sources send the items in the schedule. An item of several packets is one message.
func (s *Schedule) Messages() []Message {
	type item struct{ from, to int32 } // to is -1 of an item for all nodes
	var list []Message
	seen := map[item]bool{}
	for _, t := range s.Plain().Transfers {
		i := item{t.Item.Node, -1}
		switch s.Operation {
		case check.Scatter:
			i = item{int32(s.Root), t.Item.Node}
		case check.Gather:
			i.to = int32(s.Root)
		case check.TotalExchange:
			i.to = t.Item.For
		}
		if t.From != i.from || seen[i] {
			continue
		}
		seen[i] = true
		m := Message{From: int(i.from)}
		if i.to >= 0 {
			m.To = s.Graph.To(int(i.to))
		}
		list = append(list, m)
	}
	return list
}
