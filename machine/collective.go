// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"

	"github.com/hcgen/hcgen/collective"
)

// collective reads a collective block of traffic: the messages by which the network carries the general schedule of the
// operation. cycles is 0 if it is unknown. After an error it returns no messages.
func (l *loader) collective(b *block, cycles int, m *Machine, r *rings) []Send {
	operation, ok := b.oneOf("operation")
	at, timeOK := b.integer("at", cyclesOf(cycles))
	root := 0
	v, e, given := b.value("root")
	if given {
		root = l.address(element{value: v, at: e.Range(), expr: e}, "root", r)
	}
	if !ok {
		return nil
	}
	if given && !collective.Rooted(operation) {
		b.without(withRoot, func(string) string {
			return fmt.Sprintf("%s has no root, because all nodes take the same part: remove the line, or give broadcast, scatter or gather.", operation)
		})
		return nil
	}
	if operation != collective.Broadcast && operation != collective.AllGather && !m.Destination {
		l.errorAt(b.Attributes["operation"].Expr.Range(), "Operation without destinations",
			"%s sends messages to single nodes: write destination = true in the message block, or give broadcast or all-gather.", operation)
		return nil
	}
	if r.graph == nil || !timeOK || root < 0 {
		return nil
	}
	if n := collective.MessageCount(operation, r.graph.Nodes()); n > MaxSends {
		l.errorAt(b.Attributes["operation"].Expr.Range(), "Too many messages",
			"%s has %d messages on %d nodes, but a traffic block schedules at most %d: use a smaller machine.", operation, n, r.graph.Nodes(), MaxSends)
		return nil
	}
	if l.noSchedules(b.Attributes["operation"].Expr.Range()) {
		return nil
	}
	messages, err := l.schedules.messages(r.graph, operation, root)
	if err != nil {
		l.errorAt(b.Attributes["operation"].Expr.Range(), "No schedule", "%s: use a smaller machine.", err)
		return nil
	}
	var list []Send
	for _, message := range messages {
		send := Send{From: message.From, At: at}
		if message.To != collective.ToAll {
			send.To = r.graph.To(message.To)
		}
		list = append(list, send)
	}
	return list
}
