// SPDX-License-Identifier: Apache-2.0

// Package plan computes plain data from a machine, for both the generated text and the reference
// model: every width, constant, index and connection is computed only here.
package plan

import (
	"fmt"
	"math/bits"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// Constants of the neighbour clock (docs/architecture.md and docs/addressed-messages.md, "Pace").
const (
	BarrierPaceBits = 2 // the barrier pace counts modulo 2^BarrierPaceBits

	UnicastCost = 1 // credit that a message to a single node costs
	TurnCost    = 8 // and every other message where messages have destinations

	PassedTicks = 2 // ticks in which an entrant of a ring port is passed before the clock is held
)

// Plan describes one router and its network completely.
type Plan struct {
	Machine *machine.Machine

	Name          string // of the machine
	RouterModule  string // <name>_router
	NetworkModule string // <name>_network

	Nodes       int
	Degree      int
	RouterPorts int // of the router's module; a programmable router can have ports above Degree, which stay silent
	PayloadBits int
	SourceBits  int // bits of an address, in a programmable router of the largest address; 0 without source id
	WdBits      int // bits of r, or in a programmable router of max_dimensions
	WcBits      int // bits of the largest D_i, or in a programmable router of floor(max_nodes / 2)
	LastBits    int // 1 if messages carry tlast, else 0
	ScopeBits   int // one per dimension if deliveries have the dimensions of which the destination is all, else 0
	LinkBits    int // of LinkFields

	Destination *Destination // nil: every message is for all nodes

	Turn int // credit that a tick adds and a broadcast costs: 1, or TurnCost with destinations

	Stages     int // cycles per hop: 1 if a message can pass the slots of a link input, else 2
	InputSlots int // slots of a link input
	Deliveries int // delivery registers, each a local output: 1, or Degree with one per link

	Lead     int // of the pace: what the longest link needs
	PaceBits int // the pace counts modulo 2^PaceBits

	Chips *Chips // nil: the machine is on one chip

	Endpoint *Endpoint // nil: the nodes have streams

	Dims  []Dim  // [0] is dimension 1
	Ports []Port // in the fixed order

	Programmable *Programmable // nil: the router is specialized
}

// CreditCap is the largest credit, two turns.
func (p *Plan) CreditCap() int { return 2 * p.Turn }

// DoneRest is the largest rest with which a router is done with its tick while its node offers a message to other nodes.
func (p *Plan) DoneRest() int { return p.CreditCap() - 1 }

// Dim is one dimension of the router: the group of ports that a message enters.
type Dim struct {
	Index   int // 1..r
	Name    string
	M, Rho  int
	D, A, K int
	Queue   Queue
	// Entered lists the ports that get a copy of every message that enters the
	// dimension: those with First > 0. There is always at least one. With
	// destinations it lists all ports of the dimension, of which a message enters some.
	Entered []int
	// Sources lists the link inputs that a message entering the dimension can
	// come from: all ports of higher dimensions. The local input comes before
	// them.
	Sources []int
}

// Port is one link of the router, with both its directions.
type Port struct {
	hypercycle.Port
	Opposite int // index of the same link at the neighbour
	Rho, D   int // of its dimension; D is the largest legal weight
	Queue    Queue

	// First is the weight of a message entering the port, 0 if none enters.
	First int
	// Ring is set for a port of distance rho in a dimension with D >= 2, where
	// messages also continue.
	Ring bool
	// Fed is set if any message can leave on this port: it has an output register.
	Fed bool
	// ContinueFrom is the input whose messages continue on this port, the link
	// of distance rho in the other direction; -1 unless Ring.
	ContinueFrom int
	// TransferFrom lists the inputs of distance 1..rho-1 whose messages
	// transfer onto this port; empty unless Ring.
	TransferFrom []int
	// ContinueTo is the port on which a message that arrives on this link with a weight above 1
	// continues; -1 if D = 1.
	ContinueTo int
}

// Farthest reports whether the port has distance rho.
func (q Port) Farthest() bool { return q.Distance == q.Rho }

// Describe says in words which port it is.
func (q Port) Describe() string {
	return fmt.Sprintf("dimension %d, %s, distance %d", q.Dimension, q.Direction, q.Distance)
}

// PerPort reports whether each link has a delivery register, and so a local output, of its own.
func (p *Plan) PerPort() bool { return p.Machine.Delivery == machine.PerPort }

// Bypass reports whether a message can pass the slots of a link input.
func (p *Plan) Bypass() bool { return p.Stages == 1 }

// New computes the plan of a machine.
func New(m *machine.Machine) *Plan {
	g := m.Graph
	p := &Plan{
		Machine:     m,
		Name:        m.Name,
		Nodes:       g.Nodes(),
		Degree:      g.Degree(),
		RouterPorts: g.Degree(),
		PayloadBits: m.PayloadBits,
		WdBits:      bits.Len(uint(g.Rank())),
		Stages:      m.Stages,
		InputSlots:  m.FIFODepth + m.Stages - 2,
		Deliveries:  1,
	}
	p.RouterModule, p.NetworkModule = p.Module("router"), p.Module("network")
	if p.PerPort() {
		p.Deliveries = p.Degree
	}
	largest := 0
	for i := 1; i <= g.Rank(); i++ {
		largest = max(largest, g.Dimension(i).D())
	}
	p.WcBits = bits.Len(uint(largest))
	if m.SourceID {
		p.SourceBits = bits.Len(uint(p.Nodes - 1))
	}
	if m.Last {
		p.LastBits = 1
	}
	if m.Scope {
		p.ScopeBits = g.Rank()
	}
	if m.Programmable != nil {
		p.program(*m.Programmable)
	}

	weights := g.Weights(m.Preference)
	for i, port := range g.Ports() {
		ring := g.Dimension(port.Dimension)
		q := Port{Port: port, Opposite: g.Opposite(i), Rho: ring.Rho, D: ring.D(), First: weights[i], ContinueFrom: -1, ContinueTo: -1}
		if q.D >= 2 {
			q.ContinueTo = g.PortIndex(port.Dimension, -port.Direction, ring.Rho)
			q.Ring = q.Farthest()
		}
		q.Fed = q.Ring || q.First > 0 || m.Destination
		if q.Ring {
			q.ContinueFrom = q.Opposite
			for x := 1; x < ring.Rho; x++ {
				q.TransferFrom = append(q.TransferFrom, g.PortIndex(port.Dimension, -port.Direction, x))
			}
		}
		p.Ports = append(p.Ports, q)
	}
	for i := 1; i <= g.Rank(); i++ {
		ring := g.Dimension(i)
		d := Dim{Index: i, Name: m.Dimensions[i-1].Name, M: ring.M, Rho: ring.Rho, D: ring.D(), A: ring.A(), K: ring.K()}
		for _, q := range p.Ports {
			switch {
			case q.Dimension == i && (q.First > 0 || m.Destination):
				d.Entered = append(d.Entered, q.Index)
			case q.Dimension > i:
				d.Sources = append(d.Sources, q.Index)
			}
		}
		p.Dims = append(p.Dims, d)
	}
	p.Turn = 1
	if m.Destination {
		p.Turn = TurnCost
		p.Destination = newDestination(p.Dims, m.Programmable)
	}
	p.LinkBits = p.LinkFields().Bits()
	p.Endpoint = p.newEndpoint()
	p.planLinks()
	return p
}
