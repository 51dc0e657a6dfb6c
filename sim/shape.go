// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// maxDegree bounds the ports of a router, so that sets of ports are masks.
const maxDegree = hypercycle.MaxDegree

// lowest returns the first port of a mask of ports that is not empty. The & changes
// nothing: it saves the compiler the checks of shifts and of indices into arrays.
func lowest(ports uint32) int { return bits.TrailingZeros32(ports) & (maxDegree - 1) }

// all returns all bits if the condition holds, else none: a selection without a
// branch. What happens in a router under load is as good as random, and a branch
// that a processor predicts wrongly takes longer than the work that it saves.
func all(condition bool) uint32 {
	var one uint32
	if condition {
		one = 1
	}
	return -one
}

// shape is what all routers of a machine share: the plan as masks. Bit p of a
// mask of ports stands for port p; in a mask of requesters of a group bit 0 is
// the local input and bit p+1 is link input p, as in one of a tree.
type shape struct {
	plan       *plan.Plan
	degree     int
	ports      [maxDegree]portShape
	opposite   [maxDegree]uint8 // by port: the same link at the neighbour
	groups     []groupShape
	ring       uint32 // ring ports
	arbitrated uint32 // ring ports that others than the group enter: the transfers of shorter links
	sides      []side // ring ports and those across
	// continues holds the link inputs on which a message that arrives can continue.
	continues uint32
	slots     int    // of all ports of a router, delivery last
	local     uint16 // first slot of the delivery queues
	queued    bool   // link inputs have queues
	perPort   bool   // each link input has a delivery queue of its own
	// deliverySlots is the number of slots kept for a delivery queue: one more than
	// it can fill, so that one is always free to be written before it is known whether
	// the message is delivered.
	deliverySlots uint8
	deliveryDepth uint8 // messages that it takes
	rule          wrongRule
}

// wrongRule replaces rules of ring ports, link inputs, deliveries and trees by wrong ones. Only
// tests set it, to show what the right ones are worth, and that a wrong one is noticed.
type wrongRule struct {
	// write changes which ports have room for what enters and for what continues.
	write func(r *Router, enterable, open uint32) (uint32, uint32)
	// take replaces the choice of what output slots take.
	take func(r *Router, free uint32) (on, in uint32)
	// accept changes which queues of link inputs are ready.
	accept func(r *Router, ready uint32) uint32
	// deliver changes which of the link inputs that ask are delivered, with a queue each.
	deliver func(r *Router, asks, bad, made uint32) uint32
	// turn replaces the clock edge of trees: of the groups by dimension - 1, delivery last.
	turn func(at int, was tree, req uint32, who uint8, completed bool) tree
}

type portShape struct {
	wd           uint8  // dimension
	d            uint32 // largest legal weight
	first        uint32 // weight on entering
	slot         uint16 // the first of its slots
	depth        uint8  // number of them
	continueFrom uint8
	transferBase uint8  // input of distance 1 among transfers
	transfers    uint32 // mask of inputs
}

type groupShape struct {
	entered    uint32 // mask of ports
	requesters uint32 // mask of requesters
}

// side is the clockwise ring ports of dimensions of one rho; the counterclockwise
// ones follow after rho ports.
type side struct {
	clockwise uint32
	rho       uint8
}

func (s *shape) addSide(clockwise, rho int) {
	for i := range s.sides {
		if int(s.sides[i].rho) == rho {
			s.sides[i].clockwise |= 1 << clockwise
			return
		}
	}
	s.sides = append(s.sides, side{1 << clockwise, uint8(rho)})
}

// across exchanges the ring ports of both directions of each dimension in a mask of
// them: what arrives on one continues on the other.
func (s *shape) across(ports uint32) (others uint32) {
	for i := range s.sides {
		d := &s.sides[i]
		others |= ports&d.clockwise<<(d.rho&15) | ports>>(d.rho&15)&d.clockwise
	}
	return others
}

// newShape panics if the plan has more ports than a router can have, which
// package machine excludes.
func newShape(p *plan.Plan) *shape {
	if p.Degree > maxDegree {
		panic(fmt.Sprintf("sim: degree %d is above %d", p.Degree, maxDegree))
	}
	s := &shape{plan: p, degree: p.Degree, queued: p.Stages == 2, perPort: p.Machine.Delivery == machine.PerPort}
	for i, q := range p.Ports {
		ps := &s.ports[i]
		*ps = portShape{
			wd:    uint8(q.Dimension),
			d:     uint32(q.D),
			first: uint32(q.First),
			slot:  uint16(s.slots),
			depth: uint8(q.Depth),
		}
		s.opposite[i] = uint8(q.Opposite)
		if q.ContinueTo >= 0 {
			s.continues |= 1 << i
		}
		s.slots += q.Depth
		if q.Ring {
			s.ring |= 1 << i
			ps.continueFrom = uint8(q.ContinueFrom)
			if q.ContinueFrom > i {
				s.addSide(i, q.ContinueFrom-i)
			}
			if len(q.TransferFrom) > 0 {
				s.arbitrated |= 1 << i
			}
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
	s.local = uint16(s.slots)
	s.deliveryDepth, s.deliverySlots = uint8(p.DeliveryDepth), uint8(p.DeliveryDepth+1)
	s.slots += p.Deliveries * int(s.deliverySlots)
	for _, d := range p.Dims {
		g := groupShape{requesters: 1}
		for _, q := range d.Entered {
			g.entered |= 1 << q
		}
		for _, q := range d.Sources {
			g.requesters |= 1 << (q + 1)
		}
		s.groups = append(s.groups, g)
	}
	return s
}
