// SPDX-License-Identifier: Apache-2.0

// Package machine reads the HCL description of a parallel machine and returns the validated
// machine, or diagnostics with the position of every error.
package machine

import (
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
	Preference  hypercycle.Preference
	FIFODepth   int      // slots of a hop, the output register and those of the link input; with two stages one more; MinFIFODepth..MaxFIFODepth
	Stages      int      // cycles per hop, MinStages..MaxStages
	Delivery    Delivery // local outputs of a router
	Network     bool     // generate the network top too, not the router alone
	Traffic     []Traffic
	Synthesis   []Synthesis

	Programmable *Programmable // nil: the router is specialized for this machine

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
}

// Traffic is one workload and gives one golden trace.
type Traffic struct {
	Name       string
	Cycles     int         // length of the trace, 1..MaxCycles
	Broadcasts []Broadcast // sorted by At; those of one cycle in the order of the file
	Random     *Random     // nil: none
}

// Broadcast schedules one message: node Source offers it from cycle At on
// (cycle 0 is the first one after reset) until the router takes it.
type Broadcast struct {
	Source int
	At     int
}

// Random is saturating or partial load by all nodes.
type Random struct {
	Rate  float64 // probability that an idle node offers a message in a cycle, 0..1
	Stall float64 // probability that a receiver is not ready in a cycle, 0..1, below 1
	Seed  int64   // 0 or more
}

// Synthesis is one target for synthesis, placement and routing.
type Synthesis struct {
	Name     string
	Family   string // "ice40"
	Device   string // such as "hx8k"
	Package  string // such as "ct256"
	ClockMHz float64
	Seeds    []int // placement seeds, distinct, 0 or more
}
