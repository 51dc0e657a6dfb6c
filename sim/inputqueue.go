// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// With stages = 2 every link input has a queue of two slots. The first one is where the
// message of the link itself is with stages = 1, so that the crossbar needs to know
// nothing of queues; arrivals.full tells which second slots hold a message.

// It does not compile if the queues have another depth.
var _ = [1]struct{}{}[plan.InputDepth-2]

// leave removes the heads of some queues.
func (a *arrivals) leave(s *shape, from, behind []Message, heads uint32) {
	for v := heads; v != 0; v &= v - 1 {
		p := lowest(v)
		from[p+1] = behind[p]
		a.set(s, p, &from[p+1], a.full>>p&1)
	}
	a.full &^= heads
}

// join puts a message into the queue of link input p, which must have a free slot.
func (a *arrivals) join(s *shape, from, behind []Message, p int, m *Message) {
	if a.valid>>p&1 == 0 {
		from[p+1] = *m
		a.set(s, p, m, 1)
		return
	}
	behind[p] = *m
	a.full |= 1 << p
}

// inputQueues are the queues of the link inputs of a router on its own.
type inputQueues struct {
	heads  arrivals
	from   [maxDegree + 1]Message // by requester of a group
	behind [maxDegree]Message
	taken  uint32             // link inputs that complete a handshake in the cycle evaluated
	coming [maxDegree]Message // what they bring
}

// offer notes what the links bring in a cycle to the inputs that are ready.
func (i *inputQueues) offer(in *Inputs, ready uint32) {
	i.taken = in.LinkValid & ready
	for v := i.taken; v != 0; v &= v - 1 {
		p := lowest(v)
		i.coming[p] = in.Link[p]
	}
}

// step is the clock edge: the heads leave, and what the links have brought joins.
func (i *inputQueues) step(s *shape, heads uint32) {
	i.heads.leave(s, i.from[:], i.behind[:], heads)
	for v := i.taken; v != 0; v &= v - 1 {
		p := lowest(v)
		i.heads.join(s, i.from[:], i.behind[:], p, &i.coming[p])
	}
}
