// SPDX-License-Identifier: Apache-2.0

// Package plan turns a machine into plain data from which both the generated
// text and the reference model are made: every width, constant, index and
// connection is computed here and nowhere else.
package plan

import (
	"math/bits"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// RingDepth is the number of slots of a ring port: the output slot, and a waiting slot
// each for what continues and what enters. They are part of why the network never
// locks up (docs/architecture.md), so a description cannot change them.
const RingDepth = 3

// InputDepth is the number of slots of a link input, if it has a queue: a message goes
// through in every cycle with two, and why the network never locks up does not depend on
// how many there are.
const InputDepth = 2

// Constants of the injection gate, chosen by measurement (docs/architecture.md).
const (
	StandstillBits = 2 // an output blocked for a window of 2^StandstillBits cycles stands still
	LeastBits      = 4 // a window of level 0 is at least 2^LeastBits cycles,
	MostBits       = 7 // and at most 2^MostBits
	RaisedBits     = 5 // one of level e above 0 is 2^(RaisedBits + e LevelBits), twice as long above LargestSmall nodes
	LevelBits      = 2
	TopLevel       = 4   // highest level of congestion
	MemoryBits     = 7   // 2^MemoryBits windows without a standstill clear the level
	FirstQuotaBits = 4   // the first quota is 2^FirstQuotaBits
	GrowthBits     = 11  // the largest is 2^GrowthBits times the power of two above N - 1
	LeastCap       = 128 // smallest cap of the balance, a power of two
	LargestSmall   = 32  // nodes
)

// Plan describes one router and its network completely.
type Plan struct {
	Machine *machine.Machine

	Name          string // of the machine
	RouterModule  string // <name>_router
	NetworkModule string // <name>_network

	Nodes       int
	Degree      int
	RouterPorts int // of the router's module; those from Degree up, only of a programmable one, stay silent
	PayloadBits int
	SourceBits  int // bits of an address, in a programmable router of the largest; 0 without source id
	WdBits      int // smallest that hold r, or of a programmable router max_dimensions
	WcBits      int // smallest that hold the largest D_i, or floor(max_nodes / 2)
	LinkBits    int // wd, wc, source, payload

	Stages        int // cycles per hop: 2 if link inputs have queues, of InputDepth slots, else 1
	DeliveryDepth int // slots of a delivery queue
	Deliveries    int // delivery queues, each a local output: 1, or Degree with one per link

	Dims  []Dim  // [0] is dimension 1
	Ports []Port // in the fixed order
	Gate  Gate

	Programmable *Programmable // nil: the router is specialized
}

// Dim is one dimension as the router sees it: the group of ports on which a
// message entering the dimension is put.
type Dim struct {
	Index   int // 1..r
	Name    string
	M, Rho  int
	D, A, K int
	// Entered lists the ports that get a copy of every message that enters the
	// dimension: those with First > 0. There is always at least one.
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
	D        int // of its dimension: the largest legal weight

	// First is the weight of a message entering the port, 0 if none does.
	First int
	// Ring is set for a port of distance rho in a dimension with D >= 2, where
	// messages also continue.
	Ring bool
	// Depth is the number of slots of the output queue; 0 if the port is never
	// fed, and then it has none.
	Depth int
	// ContinueFrom is the input whose messages continue on this port, the link
	// of distance rho in the other direction; -1 unless Ring.
	ContinueFrom int
	// TransferFrom lists the inputs of distance 1..rho-1 whose messages
	// transfer onto this port; empty unless Ring.
	TransferFrom []int
	// ContinueTo is the port onto which a message that arrives on this link
	// with weight above 1 goes; -1 if D = 1.
	ContinueTo int
}

// Gate holds the constants of self-clocked injection (docs/architecture.md).
type Gate struct {
	Cost        int // balance paid per injection, N - 1
	CapBits     int // what is saved up beyond 2^CapBits is lost in long frames
	QuotaBits   int // the largest quota is 2^QuotaBits
	BalanceBits int // bits of the balance as a two's complement number
	WindowBits  int // the window of level 0 is 2^WindowBits cycles
	ScaleBits   int // those of the levels above, and what is counted in them, are 2^ScaleBits times as long as on small machines; 0 or 1
	RaisedBits  int // they are 2^(RaisedBits + e LevelBits) cycles
}

// New computes the plan of a machine.
func New(m *machine.Machine) *Plan {
	g := m.Graph
	p := &Plan{
		Machine:       m,
		Name:          m.Name,
		RouterModule:  m.Name + "_router",
		NetworkModule: m.Name + "_network",
		Nodes:         g.Nodes(),
		Degree:        g.Degree(),
		RouterPorts:   g.Degree(),
		PayloadBits:   m.PayloadBits,
		WdBits:        bits.Len(uint(g.Rank())),
		Stages:        m.Stages,
		DeliveryDepth: m.FIFODepth,
		Deliveries:    1,
	}
	if m.Delivery == machine.PerPort {
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
	p.LinkBits = p.WdBits + p.WcBits + p.SourceBits + p.PayloadBits
	if m.Programmable != nil {
		p.program(*m.Programmable)
	}

	cost := p.Nodes - 1
	p.Gate = Gate{
		Cost:      cost,
		CapBits:   bits.Len(uint(max(LeastCap, cost) - 1)),
		QuotaBits: bits.Len(uint(cost)) + GrowthBits,
	}
	if p.Nodes > LargestSmall {
		p.Gate.ScaleBits = 1
	}
	p.Gate.RaisedBits = RaisedBits + p.Gate.ScaleBits
	farthest := g.Diameter() * p.Stages // cycles
	p.Gate.WindowBits = min(max(bits.Len(uint(4*farthest-1)), LeastBits), MostBits)
	// from -2 Cost to below 10 largest quotas
	p.Gate.BalanceBits = p.Gate.QuotaBits + 5

	weights := g.Weights(m.Preference)
	for i, port := range g.Ports() {
		ring := g.Dimension(port.Dimension)
		q := Port{Port: port, Opposite: g.Opposite(i), D: ring.D(), First: weights[i], ContinueFrom: -1, ContinueTo: -1}
		if q.D >= 2 {
			q.ContinueTo = g.PortIndex(port.Dimension, -port.Direction, ring.Rho)
			q.Ring = port.Distance == ring.Rho
		}
		switch {
		case q.Ring:
			q.Depth = RingDepth
			q.ContinueFrom = q.Opposite
			for x := 1; x < ring.Rho; x++ {
				q.TransferFrom = append(q.TransferFrom, g.PortIndex(port.Dimension, -port.Direction, x))
			}
		case q.First > 0:
			q.Depth = m.FIFODepth
		}
		p.Ports = append(p.Ports, q)
	}
	for i := 1; i <= g.Rank(); i++ {
		ring := g.Dimension(i)
		d := Dim{Index: i, Name: m.Dimensions[i-1].Name, M: ring.M, Rho: ring.Rho, D: ring.D(), A: ring.A(), K: ring.K()}
		for _, q := range p.Ports {
			switch {
			case q.Dimension == i && q.First > 0:
				d.Entered = append(d.Entered, q.Index)
			case q.Dimension > i:
				d.Sources = append(d.Sources, q.Index)
			}
		}
		p.Dims = append(p.Dims, d)
	}
	return p
}
