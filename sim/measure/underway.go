// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/model"
)

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

// follow records a node in a cycle that has been evaluated.
func (r *Run) follow(v int, router *model.Router) {
	p := r.Network.Plan()
	for d := range p.Deliveries {
		if m := router.Delivered(d); m != nil {
			r.underWay.deliver(m, r.Network.Cycle())
		}
	}
	if router.CopiesLocal() {
		r.begin(MessageID{v, r.count.injections[v]})
	}
	for q := range p.Ports {
		if p.Ports[q].Ring {
			waiting, passes := router.Passes(q)
			r.underWay.countPasses(v*p.Degree+q, waiting, passes, router.Ticks())
		}
	}
}

// begin records the first copy of a message.
func (r *Run) begin(id MessageID) {
	if r.underWay.messages[id] == nil {
		r.underWay.messages[id] = &journey{first: r.Network.Cycle(), left: r.receivers(id)}
	}
}

// receivers is the number of nodes that a message is for.
func (r *Run) receivers(id MessageID) int {
	p := r.Network.Plan()
	if p.Destination == nil {
		return p.Nodes - 1
	}
	return p.Machine.Graph.Size(r.Nodes.Sent(id.Node, int(id.Seq)).To, id.Node)
}

// deliver counts a delivery handshake.
func (u *underWay) deliver(m *sim.Message, cycle int) {
	id := MessageID{int(m.Source), m.Seq}
	j := u.messages[id]
	if j.left--; j.left == 0 {
		u.longest = max(u.longest, cycle-j.first)
		delete(u.messages, id)
	}
}

// countPasses counts a cycle of a ring port.
func (u *underWay) countPasses(at int, waiting, passes, tick bool) {
	c := &u.passed[at]
	if !waiting {
		*c = passCount{}
		return
	}
	c.passed = c.passed || passes
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
