// SPDX-License-Identifier: Apache-2.0

package sim

// underWay follows messages from their first copy to their last delivery. A message is under way from the cycle in which
// a port takes the first copy of it at its source. Finished messages are dropped.
type underWay struct {
	messages map[MessageID]*journey
	longest  int // cycles of a finished message

	passed    []passCount // [node*degree + port], of ring ports
	mostTicks int
}

// MessageID names a message.
type MessageID struct {
	Node int    `json:"node"` // its source
	Seq  uint32 `json:"seq"`  // its number among the messages of the source, from 0
}

// journey is a message under way.
type journey struct {
	first int // cycle of its first copy
	left  int // deliveries left
}

// passCount counts the ticks of a router in which messages passed the entrants of a ring port, while an entrant has been
// waiting.
type passCount struct {
	passed bool // since the last tick
	ticks  int
}

func newUnderWay(nodes, degree int) underWay {
	return underWay{messages: map[MessageID]*journey{}, passed: make([]passCount, nodes*degree)}
}

// followNode records a node in a cycle that has been evaluated.
func (n *Network) followNode(v int, r *Router) {
	for d := range r.deliveries {
		if r.deliveries[d].leaves {
			n.underWay.deliver(&r.deliveries[d].message, n.cycle)
		}
	}
	if r.copiesLocal() {
		n.begin(MessageID{v, n.count.injections[v]})
	}
	for p := range r.outputs {
		if n.plan.Ports[p].Ring {
			n.underWay.countPasses(v*n.plan.Degree+p, &r.outputs[p].marks, r.clock.tick)
		}
	}
}

// begin records the first copy of a message.
func (n *Network) begin(id MessageID) {
	if n.underWay.messages[id] == nil {
		n.underWay.messages[id] = &journey{first: n.cycle, left: n.receivers(id)}
	}
}

// copiesLocal reports whether a port takes a copy of the message at the local input.
func (r *Router) copiesLocal() bool {
	for p := range r.outputs {
		if r.outputs[p].takes == enters && r.groups[r.plan.Ports[p].Dimension-1].selected == local {
			return true
		}
	}
	return false
}

// receivers is the number of nodes that a message is for.
func (n *Network) receivers(id MessageID) int {
	if !n.addressed() {
		return n.plan.Nodes - 1
	}
	return n.plan.Machine.Graph.Size(n.offers.sent(int32(id.Node), int(id.Seq)).to, id.Node)
}

// deliver counts a delivery handshake.
func (u *underWay) deliver(m *Message, cycle int) {
	id := MessageID{int(m.Source), m.Seq}
	j := u.messages[id]
	if j.left--; j.left == 0 {
		u.longest = max(u.longest, cycle-j.first)
		delete(u.messages, id)
	}
}

// countPasses counts a cycle of a ring port.
func (u *underWay) countPasses(at int, m *marks, tick bool) {
	c := &u.passed[at]
	if !m.waiting {
		*c = passCount{}
		return
	}
	c.passed = c.passed || m.passes
	if tick && c.passed {
		c.ticks++
		u.mostTicks = max(u.mostTicks, c.ticks)
	}
	c.passed = c.passed && !tick
}

// summary adds the figures of messages under way, before a cycle.
func (u *underWay) summary(s *Summary, cycle int) {
	s.MaxTimeUnderWay, s.MaxPassedTicks, s.Undelivered = u.longest, u.mostTicks, len(u.messages)
	for id, j := range u.messages {
		s.MaxTimeUnderWay = max(s.MaxTimeUnderWay, cycle-j.first)
		if s.Oldest == nil || j.before(id, u.messages[*s.Oldest], *s.Oldest) {
			s.Oldest = &id
		}
	}
}

// before orders messages under way by their first copies, and within a cycle by their sources.
func (j *journey) before(id MessageID, other *journey, otherID MessageID) bool {
	return j.first < other.first || j.first == other.first && id.Node < otherID.Node
}
