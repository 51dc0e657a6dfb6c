// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"

	"github.com/hcgen/hcgen/collective"
)

// carried is a collective block of traffic.
type carried struct {
	operation string
	root, at  int
}

func (c *carried) rooted() bool { return collective.Rooted(c.operation) }

// collective reads a collective block of traffic: the messages by which the network carries the general schedule of the
// operation. cycles is 0 if it is unknown. After an error it returns no messages.
func (l *loader) collective(b *block, cycles int, m *Machine) []Send {
	var c carried
	b.decode(&c, narrower{"at": func() kind { return cyclesOf(cycles) }})
	operation, r := c.operation, l.rings
	if operation == "" {
		return nil
	}
	if b.given("root") && !c.rooted() {
		b.without(withRoot, func(string) string {
			return fmt.Sprintf("%s has no root, because all nodes take the same part: remove the line, or give broadcast, scatter or gather.", operation)
		})
		return nil
	}
	if operation != collective.Broadcast && operation != collective.AllGather && !m.Destination {
		l.errorAt(b.at("operation"), "Operation without destinations",
			"%s sends messages to single nodes: write destination = true in the message block, or give broadcast or all-gather.", operation)
		return nil
	}
	if r.graph == nil || !b.right("at") || !b.right("root") {
		return nil
	}
	if n := collective.MessageCount(operation, r.graph.Nodes()); n > MaxSends {
		l.errorAt(b.at("operation"), "Too many messages",
			"%s has %d messages on %d nodes, but a traffic block schedules at most %d: use a smaller machine.", operation, n, r.graph.Nodes(), MaxSends)
		return nil
	}
	if l.noSchedules(b.at("operation")) {
		return nil
	}
	messages, err := l.schedules.messages(r.graph, operation, c.root)
	if err != nil {
		l.errorAt(b.at("operation"), "No schedule", "%s: use a smaller machine.", err)
		return nil
	}
	var list []Send
	for _, message := range messages {
		send := Send{From: message.From, At: c.at}
		if message.To != collective.ToAll {
			send.To = r.graph.To(message.To)
		}
		list = append(list, send)
	}
	return list
}
