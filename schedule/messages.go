// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// Messages lists the messages of an operation, one of collective.Carried, in the order of its general schedule. The
// error is that of Make.
func Messages(g *hypercycle.Graph, operation string, root int) ([]collective.Message, error) {
	s, err := Make(g, Request{Operation: operation, Root: root})
	if err != nil {
		return nil, err
	}
	return s.Messages(), nil
}

// Messages lists the messages by which a network carries a schedule of one of collective.Carried, one for each item, in
// the order in which their sources send the items in the schedule. An item of several packets is one message.
func (s *Schedule) Messages() []collective.Message {
	var list []collective.Message
	seen := map[collective.Message]bool{}
	for _, t := range s.Plain().Transfers {
		m := collective.Message{From: int(t.Item.Node), To: collective.ToAll}
		switch s.Operation {
		case collective.Scatter:
			m = collective.Message{From: s.Root, To: int(t.Item.Node)}
		case collective.Gather:
			m.To = s.Root
		case collective.TotalExchange:
			m.To = int(t.Item.For)
		}
		if int(t.From) != m.From || seen[m] {
			continue
		}
		seen[m] = true
		list = append(list, m)
	}
	return list
}
