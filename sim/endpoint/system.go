// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/model"
)

// Programs are what the masters at the buses do. A master has one access at a time.
type Programs interface {
	// Next returns the access that a node offers from this cycle on, or none. It is called in each cycle in which the node has
	// no access.
	Next(node, cycle int) (a Access, some bool)
	// Ended is called in the cycle in which an access has ended. The next one of the node can be offered in the next cycle.
	Ended(d Done)
}

// Done is an access that has ended.
type Done struct {
	Access
	Answer
	Node       int
	Cycle, End int // first cycle in which it was offered, and that of ack, err or the valid response
}

// System is a network with an endpoint at each node, cycle by cycle: Evaluate, then Step.
type System struct {
	plan      *plan.Plan
	network   *model.Network
	endpoints []*endpoint
	sent      [][]message // by node and number: a message can arrive while other copies of it are still on offer
	offering  []bool      // by node: the last of sent is on offer
	programs  Programs
	open      []*Done // by node: the access that it offers, or nil
}

// New is the system of the plan after reset. The machine must have endpoints.
func New(p *plan.Plan, programs Programs) *System {
	s := &System{plan: p, sent: make([][]message, p.Nodes), offering: make([]bool, p.Nodes), programs: programs, open: make([]*Done, p.Nodes)}
	for v := range p.Nodes {
		s.endpoints = append(s.endpoints, newEndpoint(p, v))
	}
	s.network = model.NewNetwork(p, nodes{s}, model.Options{})
	return s
}

// Cycle is the number of completed cycles.
func (s *System) Cycle() int { return s.network.Cycle() }

// Interrupt is the interrupt of a node in the cycle to come.
func (s *System) Interrupt(node int) bool { return s.endpoints[node].registers.interrupt() }

// Memory is the memory of a node, by word; words that it lacks are 0.
func (s *System) Memory(node int) map[uint32]uint32 { return s.endpoints[node].memory.words }

// Idle reports whether nothing is under way in the network and the endpoints.
func (s *System) Idle() bool {
	for v, e := range s.endpoints {
		if !e.idle() || s.open[v] != nil {
			return false
		}
	}
	return s.network.Empty()
}

// Run runs one cycle.
func (s *System) Run() {
	s.Evaluate()
	s.Step()
}

// Evaluate computes all wires of the cycle.
func (s *System) Evaluate() {
	for v, e := range s.endpoints {
		if s.open[v] == nil {
			if a, some := s.programs.Next(v, s.Cycle()); some {
				s.open[v] = &Done{Access: a, Node: v, Cycle: s.Cycle()}
			}
		}
		if d := s.open[v]; d != nil {
			e.bus.drive(&d.Access)
		} else {
			e.bus.drive(nil)
		}
	}
	s.network.Evaluate()
}

// Step is the clock edge that ends the cycle evaluated.
func (s *System) Step() {
	cycle := s.Cycle()
	s.network.Step()
	for v, e := range s.endpoints {
		if answer, ends := e.bus.ends(); ends {
			d := *s.open[v]
			d.Answer, d.End, s.open[v] = answer, cycle, nil
			s.programs.Ended(d)
		}
		e.step()
	}
}

// nodes are the endpoints as the network sees them.
type nodes struct{ *System }

func (n nodes) Begin(int) {
	for v, e := range n.endpoints {
		r := n.network.Router(v)
		var delivered *message
		if m := r.Offers(0); m != nil {
			delivered = &n.sent[m.Source][m.Seq]
		}
		e.evaluate(delivered, r.Released())
		if e.offered != none && !n.offering[v] {
			m, _ := e.offer()
			n.sent[v], n.offering[v] = append(n.sent[v], m), true
		}
	}
}

func (n nodes) Offering(v int) bool { return n.endpoints[v].offered != none }

func (n nodes) Offer(v int, in *sim.Inputs) {
	_, dest := n.endpoints[v].offer()
	in.LocalSeq, in.LocalDest = uint32(len(n.sent[v])-1), dest
}

func (n nodes) Ready(v, _ int) bool { return n.endpoints[v].accepts }

func (n nodes) Arrived(v int) bool { return n.endpoints[v].registers.waits }

func (n nodes) Taken(v int) {
	n.endpoints[v].taken, n.offering[v] = true, false
}

func (n nodes) Released(int) {} // the register was read as the cycle began
