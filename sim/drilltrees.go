// SPDX-License-Identifier: Apache-2.0

package sim

import "math/bits"

// trees lets somebody wait at each node of each tree arbiter, alone at first. The gate must be
// open. It is left out if the payload is so wide that the trace is long enough without it.
func (b *script) trees() {
	if b.lines*traceLine(b.plan) > traceBytes {
		return
	}
	for at, requesters := range treesOf(b.run.router.shape) {
		output, room := b.narrow(at)
		for _, n := range nodesOf(requesters) {
			low, up := bits.TrailingZeros32(n.lower), bits.TrailingZeros32(n.upper)
			b.overtake(output, room, low, up)
			b.overtake(output, room, up, low)
			if others := requesters &^ (n.lower | n.upper); others != 0 {
				// both wait while another is selected, first the one whose turn it is not
				b.overtake(output, room, bits.Len32(others)-1, low, up)
			}
		}
	}
}

// narrow is the output at which what a tree arbiter selects waits after the fewest messages,
// and after how many.
func (b *script) narrow(at int) (output, room int) {
	p := b.plan
	if at == len(p.Dims) {
		return p.Degree, p.DeliveryDepth
	}
	for _, o := range p.Dims[at].Entered {
		q := &p.Ports[o]
		if q.Ring {
			return o, 2 // those that enter have a slot of their own
		}
		output, room = o, q.Depth
	}
	return output, room
}

// overtake lets a requester wait for an output that has room for so many of its messages, and
// others begin to ask meanwhile, one after the other. Each but the first sends one message.
func (b *script) overtake(output, room, first int, others ...int) {
	at := b.soon() + 1
	b.ask(first, at, at+room+1)
	to := at + room + 3 // it has waited alone for a cycle in its own turn
	for _, who := range others {
		b.ask(who, to, to+1)
		to++
	}
	b.block(output, at, to+1)
	b.end(to + room + margin)
}

// ask lets a requester of a tree arbiter send messages from a cycle on and before another.
func (b *script) ask(who, from, to int) {
	if who == 0 {
		b.offer(from, to)
		return
	}
	b.feed(who-1, from, to)
}
