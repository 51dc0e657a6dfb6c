// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/hypercycle"
)

// maxDegree bounds the ports of a router, so that sets of ports are masks.
const maxDegree = hypercycle.MaxDegree

// shape is what all routers of a machine share: the plan as masks. Bit p of a
// mask of ports stands for port p; in a mask of requesters of a group bit 0 is
// the local input and bit p+1 is link input p, which keeps their order.
type shape struct {
	plan   *plan.Plan
	degree int
	ports  [maxDegree]portShape
	groups []groupShape
	ring   uint32 // ring ports
	slots  int    // of all queues of a router, delivery last
	local  uint8  // first slot of the delivery queue
	// enterFirst breaks the bubble rule: entering a ring needs one free slot and
	// goes before continue. Only a test sets it, to show what the rule is worth.
	enterFirst bool
}

type portShape struct {
	wd           uint8  // dimension
	d            uint32 // largest legal weight
	first        uint32 // weight on entering
	slot         uint8  // first slot of its queue
	depth        uint8  // slots of its queue
	continueFrom uint8
	transferBase uint8  // input of distance 1 among transfers
	transfers    uint32 // mask of inputs
	continues    bool   // a message that arrives here can continue
}

type groupShape struct {
	entered    uint32 // mask of ports
	requesters uint32 // mask of requesters
	base       uint8  // first link input among the requesters; degree if there is none
}

// number is the set of requesters as the arbiter numbers them: the local input
// is 0 and the link inputs from base on follow.
func (g *groupShape) number(requesters uint32) uint32 {
	return requesters&1 | requesters>>g.base&^1
}

// bit is the bit of the requester with that number in a mask of requesters.
func (g *groupShape) bit(number uint8) uint8 {
	if number == 0 {
		return 0
	}
	return number + g.base
}

// newShape panics if the plan has more ports than a router can have, which
// package machine excludes.
func newShape(p *plan.Plan) *shape {
	if p.Degree > maxDegree {
		panic(fmt.Sprintf("sim: degree %d is above %d", p.Degree, maxDegree))
	}
	s := &shape{plan: p, degree: p.Degree}
	for i, q := range p.Ports {
		ps := &s.ports[i]
		*ps = portShape{
			wd:        uint8(q.Dimension),
			d:         uint32(q.D),
			first:     uint32(q.First),
			slot:      uint8(s.slots),
			depth:     uint8(q.Depth),
			continues: q.ContinueTo >= 0,
		}
		s.slots += q.Depth
		if q.Ring {
			s.ring |= 1 << i
			ps.continueFrom = uint8(q.ContinueFrom)
			for x, from := range q.TransferFrom {
				if x == 0 {
					ps.transferBase = uint8(from)
				}
				if from != q.TransferFrom[0]+x {
					panic("sim: the transfers of a port are not neighbours in port order")
				}
				ps.transfers |= 1 << from
			}
		}
	}
	s.local = uint8(s.slots)
	s.slots += plan.QueueDepth
	for _, d := range p.Dims {
		g := groupShape{requesters: 1, base: uint8(p.Degree - len(d.Sources))}
		for _, q := range d.Entered {
			g.entered |= 1 << q
		}
		for i, q := range d.Sources {
			if q != int(g.base)+i {
				panic("sim: the sources of a group are not the last ports")
			}
			g.requesters |= 1 << (q + 1)
		}
		s.groups = append(s.groups, g)
	}
	return s
}
