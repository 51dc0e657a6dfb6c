// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// maxDegree is above the ports of every router, so that sets of ports and of requesters
// are masks of as many bits.
const maxDegree = 32

var _ [maxDegree - 1 - hypercycle.MaxDegree]struct{} // there is a bit for every requester

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
// mask of ports stands for port p. Requesters are numbered in another way: 0 is the
// local input and p+1 link input p, in masks of requesters and wherever something is
// kept by requester.
type shape struct {
	plan       *plan.Plan
	address    *addressing // nil: every message is for all nodes
	degree     int
	ports      [maxDegree]portShape
	opposite   [maxDegree]uint8 // by port: the same link at the neighbour
	groups     []groupShape
	ring       uint32 // ring ports
	arbitrated uint32 // ring ports with rho > 1: shorter links transfer to them
	side       side   // ring ports of one rho and those across,
	sides      []side // and those of others
	continues  uint32 // link inputs whose messages continue
	wayPast    uint32 // link inputs with a way past their slots: all or none
	perPort    bool   // each link input has a delivery register of its own

	slots uint8 // of the queue of a link input
	// A queue is kept in a power of two of places: its slots, one for the message on the
	// link, and one for that which the link brings next.
	placeBits uint8

	unit uint8 // credit that a broadcast costs and a tick adds
}

type portShape struct {
	wd           uint8  // dimension
	d            uint32 // largest legal weight
	first        uint32 // weight on entering
	continueFrom uint8  // input whose messages continue here
	transferBase uint8  // input of distance 1 among transfers
	transfers    uint32 // mask of inputs
}

type groupShape struct {
	index      int    // of the dimension
	entered    uint32 // mask of ports
	requesters uint32 // mask of requesters
	arbitrated uint32 // ring ports of the dimension with an arbiter
	transfers  uint32 // link inputs that transfer to them
}

// side is the clockwise ring ports of dimensions of one rho; the counterclockwise
// ones follow after rho ports.
type side struct {
	clockwise uint32
	rho       uint8
}

func (s *shape) addSide(clockwise, rho int) {
	if s.side.rho == 0 || int(s.side.rho) == rho {
		s.side = side{s.side.clockwise | 1<<clockwise, uint8(rho)}
		return
	}
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
func (s *shape) across(ports uint32) uint32 {
	others := s.side.across(ports)
	if len(s.sides) > 0 {
		others |= s.acrossOthers(ports)
	}
	return others
}

func (s *shape) acrossOthers(ports uint32) (others uint32) {
	for _, d := range s.sides {
		others |= d.across(ports)
	}
	return others
}

func (d side) across(ports uint32) uint32 {
	return ports&d.clockwise<<(d.rho&15) | ports>>(d.rho&15)&d.clockwise
}

// newShape panics if the plan has more ports than a router can have, which
// package machine excludes.
func newShape(p *plan.Plan) *shape {
	if p.Degree > hypercycle.MaxDegree {
		panic(fmt.Sprintf("sim: degree %d is above %d", p.Degree, hypercycle.MaxDegree))
	}
	s := &shape{
		plan:      p,
		address:   newAddressing(p),
		degree:    p.Degree,
		wayPast:   all(p.Stages == 1),
		perPort:   p.Machine.Delivery == machine.PerPort,
		slots:     uint8(p.InputSlots),
		placeBits: uint8(bits.Len(uint(p.InputSlots + 1))),
	}
	s.unit = plan.Refill
	if s.address != nil {
		s.unit = plan.TurnCost
	}
	for i, q := range p.Ports {
		ps := &s.ports[i]
		*ps = portShape{wd: uint8(q.Dimension), d: uint32(q.D), first: uint32(q.First)}
		s.opposite[i] = uint8(q.Opposite)
		if q.ContinueTo >= 0 {
			s.continues |= 1 << i
		}
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
	for _, d := range p.Dims {
		g := groupShape{index: d.Index, requesters: 1}
		for _, q := range d.Entered {
			g.entered |= 1 << q
		}
		for _, q := range d.Sources {
			g.requesters |= 1 << (q + 1)
		}
		for i, q := range p.Ports {
			if q.Dimension == d.Index && s.arbitrated>>i&1 != 0 {
				g.arbitrated |= 1 << i
				g.transfers |= s.ports[i].transfers
			}
		}
		s.groups = append(s.groups, g)
	}
	return s
}
