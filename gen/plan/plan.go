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

// Depths of the queues in messages, chosen by measurement (docs/architecture.md).
const (
	RingDepth  = 3 // of a ring port: entering at full rate needs two free slots in every cycle
	QueueDepth = 2 // of every other port and of delivery
)

// Constants of the injection gate, chosen by measurement (docs/architecture.md).
const (
	SilenceBits    = 5   // a window of 2^SilenceBits calm cycles refills the balance at level 0
	StandstillBits = 3   // an output blocked for a window of 2^StandstillBits cycles raises level 0
	ScaleBits      = 3   // these windows grow 2^ScaleBits times from level to level
	MemoryBits     = 11  // a window of 2^MemoryBits cycles, times the scale, without a standstill lowers the level
	TopLevel       = 3   // highest level of congestion; hc_congestion.v has four levels
	LeastCap       = 128 // smallest largest balance, a power of two
	LeastPatience  = 64  // shortest window that a node waits at an open gate before it pauses, a power of two
	LeastPause     = 16  // shortest pause of delivery in cycles, a power of two
)

// Plan describes one router and its network completely.
type Plan struct {
	Machine *machine.Machine

	Name          string // of the machine
	RouterModule  string // <name>_router
	NetworkModule string // <name>_network

	Nodes       int
	Degree      int
	PayloadBits int
	SourceBits  int // bits of an address; 0 without source id
	WdBits      int // smallest that hold r
	WcBits      int // smallest that hold the largest D_i
	LinkBits    int // wd, wc, source, payload

	Dims  []Dim  // [0] is dimension 1
	Ports []Port // in the fixed order
	Gate  Gate
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
	Cost           int // balance paid per injection, N - 1
	Cap            int // largest balance, a power of two, LeastCap or more and Cost or more
	BalanceBits    int // bits of the balance as a two's complement number
	SilenceBits    int
	StandstillBits int
	MemoryBits     int
	ScaleBits      int
	TopLevel       int
	PatienceBits   int // the patience P is 2^PatienceBits cycles, 8 to 16 per node but LeastPatience at least
	PauseBits      int // the pause L is 2^PauseBits cycles, 2 to 4 per router step but LeastPause at least; less than the patience
	TimerBits      int // bits of the longest window of all
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
		PayloadBits:   m.PayloadBits,
		WdBits:        bits.Len(uint(g.Rank())),
	}
	largest, steps := 0, 0
	for i := 1; i <= g.Rank(); i++ {
		largest = max(largest, g.Dimension(i).D())
		steps += g.Dimension(i).D()
	}
	p.WcBits = bits.Len(uint(largest))
	if m.SourceID {
		p.SourceBits = bits.Len(uint(p.Nodes - 1))
	}
	p.LinkBits = p.WdBits + p.WcBits + p.SourceBits + p.PayloadBits

	cost := p.Nodes - 1
	share := powerOfTwo(cost)
	patience := max(LeastPatience, 8*share)
	p.Gate = Gate{
		Cost:           cost,
		Cap:            max(LeastCap, share),
		SilenceBits:    SilenceBits,
		StandstillBits: StandstillBits,
		MemoryBits:     MemoryBits,
		ScaleBits:      ScaleBits,
		TopLevel:       TopLevel,
		PatienceBits:   bits.TrailingZeros(uint(patience)),
		PauseBits:      bits.TrailingZeros(uint(max(LeastPause, powerOfTwo(2*steps)))),
	}
	p.Gate.TimerBits = max(p.Gate.PatienceBits, MemoryBits+TopLevel*ScaleBits)
	// from -2 Cost to Cap, and Cost <= Cap: Cap itself must be representable
	p.Gate.BalanceBits = bits.Len(uint(p.Gate.Cap)) + 1

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
			q.Depth = QueueDepth
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

// powerOfTwo is the smallest power of two that is at least n, for n >= 1.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }
