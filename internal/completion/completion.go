// SPDX-License-Identifier: Apache-2.0

// Package completion measures in the reference models in how many cycles networks complete collective operations: from
// the first injection or the start to the last delivery. The cycle of the injection or the start is cycle 0, as in the latency
// of a message and in the cycles of a collective network.
package completion

import (
	"errors"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	model "github.com/hcgen/hcgen/sim/collective"
	"github.com/hcgen/hcgen/sim/measure"
)

// Routers returns the cycles of an operation by messages, and a bound for any network in which a node injects and receives one
// message per cycle. The messages have destinations if the machine has them or the operation needs them.
func Routers(m *machine.Machine, operation string) (cycles, bound int, err error) {
	made, err := schedule.Make(m.Graph, schedule.Request{Operation: operation})
	if err != nil {
		return 0, 0, err
	}
	carrier := *m
	var traffic machine.Traffic
	for _, message := range made.Messages() {
		send := machine.Send{From: message.From}
		if message.To != collective.ToAll {
			send.To, carrier.Destination = m.Graph.To(message.To), true
		}
		traffic.Sends = append(traffic.Sends, send)
	}
	bound = made.Bound
	if operation != collective.Broadcast { // some node sends or receives N - 1 messages, one in a cycle
		bound = max(bound, m.Graph.Nodes()-1)
	}
	return measure.Complete(plan.New(&carrier), traffic) - 1, bound + 1, nil // with the cycle of a delivery
}

// Network returns the cycles of an operation on a collective network, with combinational operators. It is 0 if the schedule does
// not work as hardware.
func Network(m *machine.Machine, operation string) (int, error) {
	c := machine.Collective{Name: "measured", Operation: operation, PayloadBits: 1}
	if operation == collective.AllReduceWord {
		c.Operation, c.OneWord = collective.AllReduce, true
	}
	if collective.Reduces(c.Operation) {
		c.Operator = "add"
	}
	p, err := plan.NewCollective(m, c, schedule.ForNetwork)
	if unstreamable := (*schedule.Unstreamable)(nil); errors.As(err, &unstreamable) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return model.Complete(p) - 1, nil
}
