// SPDX-License-Identifier: Apache-2.0

// Package machine reads the HCL description of a parallel machine and returns the validated
// machine, or diagnostics with the position of every error.
package machine

import (
	"slices"
	"strconv"

	"github.com/hcgen/hcgen/hypercycle"
)

// Machine is a validated description: every value is in its legal range. It
// has at least one Synthesis, and at least one Traffic unless N is above
// MaxTrafficNodes; Load adds defaults if the file has none.
type Machine struct {
	Name        string      // label of the machine block; a Verilog identifier
	Dimensions  []Dimension // [0] is dimension 1, the lowest digit
	PayloadBits int         // 1..MaxPayloadBits
	SourceID    bool        // messages carry the address of their source
	Destination bool        // messages carry a destination; otherwise all are broadcasts
	Last        bool        // messages carry tlast
	Scope       bool        // deliveries have the dimensions in which the destination is all; with Destination
	Barrier     bool        // routers have a barrier
	Preference  hypercycle.Preference
	FIFODepth   int      // slots of a hop: the output register and the slots of the link input, which has one more with two stages; MinFIFODepth..MaxFIFODepth
	Stages      int      // cycles per hop, MinStages..MaxStages
	Delivery    Delivery // local outputs of a router
	NoRouters   bool     // generate collective networks only
	Network     bool     // generate the network top in addition to the router
	NodeErrors  bool     // the network has the errors of each node
	Traffic     []Traffic
	Synthesis   []Synthesis
	Collectives []Collective // in the order of the file

	Programmable *Programmable // nil: the router is specialized for this machine
	Endpoint     *Endpoint     // nil: the nodes have streams

	Graph *hypercycle.Graph
	Hash  string // sha256 (hex) of CanonicalJSON, that is of everything above but Graph
}

// Bare returns a machine of these rings, [0] dimension 1, with messages of one bit,
// the fewest slots, one stage, merged delivery and neither traffic nor synthesis. It serves
// programs that enumerate machines without descriptions. The error is that of hypercycle.New.
func Bare(rings ...hypercycle.Dimension) (*Machine, error) {
	g, err := hypercycle.New(rings...)
	if err != nil {
		return nil, err
	}
	m := &Machine{Name: "m", PayloadBits: 1, FIFODepth: MinFIFODepth, Stages: MinStages, Graph: g}
	for i, r := range rings {
		m.Dimensions = append(m.Dimensions, Dimension{Name: "d" + strconv.Itoa(i+1), Dimension: r})
	}
	return m, nil
}

// Dimension is one labelled ring.
type Dimension struct {
	Name string
	hypercycle.Dimension
	Link Link
}

// Link is what the links of a dimension are made of.
type Link struct {
	Kind      LinkKind
	Registers int // on the way, 0..MaxLinkRegisters; 0 if Kind is not Wires

	// Of links between chips, otherwise 0.
	WordBits int // of a cable: one of wordBits
	Flight   int // cycles of a word from one chip to the other, 0..MaxFlight
	Silence  int // cycles without a frame after which a cable is silent, MinSilence..MaxSilence
}

// clocksLatency is the latency of links between clocks that are equal, whatever their phase is: of a register in Gray code, the
// phase, and two stages of a synchronizer (docs/links.md).
const clocksLatency = 4

// largestFrame is a number of words that no frame between chips exceeds: it has a payload and fewer than 256 other bits.
func (l Link) largestFrame(payload int) int { return (payload + 256) / l.WordBits }

// Cycles of the ends of a cable between chips, beside those of its flight and of the words of a frame (docs/chips.md, Sizes).
const (
	CableEnters = 3  // from the handshake of a message to the beginning of a frame that carries it
	CableOffers = 10 // from the beginning of the frame until the message is offered
	CableStates = 8  // from the beginning of a frame until the states that it carries hold
	CableFrees  = 1  // from the handshake at the far end to the beginning of a frame that says so
	CableWaits  = 3  // from a state that a message has waited for to the beginning of a frame that carries it
)

// Latency is the number of cycles that a message takes more than on a wire, and so does the pace within a chip. With a frame between
// chips, which has this number of words, it is that of an idle cable; frames are planned in package plan.
func (l Link) Latency(frame int) int {
	switch l.Kind {
	case Clocks:
		return clocksLatency
	case Chips:
		return l.Flight + frame + CableEnters + CableOffers
	}
	return l.Registers
}

// LinkKind is a kind of link.
type LinkKind int

// Kinds of links.
const (
	Wires  LinkKind = iota // on one clock, with or without registers
	Clocks                 // between nodes with clocks of their own
	Chips                  // between chips, by cables that lose and change bits
)

// linkKinds are the values of the kind attribute, by LinkKind.
var linkKinds = []string{"wires", "clocks", "chips"}

// String returns the name of a LinkKind in descriptions.
func (k LinkKind) String() string { return linkKinds[k] }

// Registers is the largest number of registers on the way of a link.
func (m *Machine) Registers() (most int) {
	for _, d := range m.Dimensions {
		most = max(most, d.Link.Registers)
	}
	return most
}

// Clocks reports whether there are links between clocks.
func (m *Machine) Clocks() bool { return m.has(Clocks) }

// Chips reports whether there are links between chips.
func (m *Machine) Chips() bool { return m.has(Chips) }

// SeveralClocks reports whether the nodes have several clocks: those of regions or of chips.
func (m *Machine) SeveralClocks() bool { return m.Clocks() || m.Chips() }

func (m *Machine) has(k LinkKind) bool {
	return slices.ContainsFunc(m.Dimensions, func(d Dimension) bool { return d.Link.Kind == k })
}

// Traffic is one workload and gives one golden trace.
type Traffic struct {
	Name   string
	Cycles int     // length of the trace, 1..MaxCycles
	Sends  []Send  // sorted by At, and within a cycle in the order of the file
	Random *Random // nil: none
	Stalls []Stall // sorted by At; a receiver stalls if any of these or Random stalls it
}

// Send schedules one message: node From offers it from cycle At on (cycle 0 is the first one
// after reset) until the router takes it.
type Send struct {
	From int
	To   hypercycle.Destination // nil: all nodes
	At   int
	Last bool // tlast; false unless the machine has it
}

// Stall keeps receivers from being ready: no local output of these nodes is ready from cycle At on.
type Stall struct {
	Receivers []int // ascending, each node once
	At        int
	Cycles    int // 0: to the end of the traffic
}

// Pattern selects the destinations of random traffic. Without destinations it is ToAll.
type Pattern int

const (
	ToAll       Pattern = iota // broadcasts
	ToUniform                  // one node, all others with equal probability
	ToTranspose                // one node, whose digits are those of the source in reverse order, modulo m_i; sources that would be their own destination are silent
	ToHotSpot                  // one node: Hot with probability Share, otherwise as ToUniform; messages of Hot as ToUniform
	ToNeighbour                // one neighbour, over each link with equal probability
	ToRow                      // all nodes of the row of the source in dimension 1
)

// patternNames are the values of the pattern attribute, by Pattern.
var patternNames = []string{"broadcast", "uniform", "transpose", "hotspot", "neighbour", "rows"}

// String returns the name of a Pattern in descriptions.
func (p Pattern) String() string { return patternNames[p] }

// Random is saturating or partial load.
type Random struct {
	Sources []int   // the nodes that send, ascending, each once; nil: all
	Rate    float64 // probability that an idle source offers a message in a cycle, 0..1
	Stall   float64 // probability that a receiver is not ready in a cycle, 0..1, below 1
	Seed    int64   // 0 or more

	Pattern    Pattern
	Broadcasts float64 // probability that a message of another pattern is a broadcast instead, 0..1
	Hot        int     // node, of ToHotSpot
	Share      float64 // probability that a message goes to Hot, 0..1, of ToHotSpot
}

// Synthesis is one target for synthesis, placement and routing.
type Synthesis struct {
	Name     string
	Family   string // such as "ice40"; package fpga has the table of families
	Device   string // such as "hx8k"
	Package  string // such as "ct256"
	ClockMHz float64
	Seeds    []int // placement seeds, distinct, 0 or more
}

// Delivery is the number of streams by which a router delivers messages to its node.
type Delivery int

const (
	// Merged is one stream; a tree arbiter selects among the links.
	Merged Delivery = iota
	// PerPort is a stream for each link.
	PerPort
)

// deliveryNames are the values of the delivery attribute, by Delivery.
var deliveryNames = []string{"merged", "per_port"}

// String returns the name of a Delivery in descriptions.
func (d Delivery) String() string { return deliveryNames[d] }
