// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"math"

	"github.com/hcgen/hcgen/plan"
)

// takes tells how long the long steps of the Makefile take on two cores, roughly and in words. All of them grow with the number
// of crosspoints: of a router with its degree, squared, and of a network with the number of its routers.
type takes struct {
	Router, Network, Load, Chip, System        string // compiling the benches
	RouterNetlist, NetworkNetlist              string // compiling the benches of netlists
	RouterSynthesis, NetworkSynthesis, Netlist string // Yosys for one, and for both
	EndpointSynthesis, SystemSynthesis         string // Yosys
	SystemNetlist                              string // compiling its bench
	FreeRun                                    string // 100,000 cycles of a free run
}

// Seconds on two cores: of a step, and for each crosspoint. Benches and Yosys are measured on ring8 and torus4x4; loads
// and the benches of netlists are estimated.
const (
	benchStart, benchCrosspoint     = 8, 0.02
	systemStart, systemNode         = 15, 0.5
	loadStart, loadCrosspoint       = 10, 0.05
	netlistStart, netlistCrosspoint = 12, 0.15
	synthStart, synthCrosspoint     = 2, 0.13 // for words of 36 bits
	endpointSynth, endpointNetlist  = 5, 1
	freeCrosspoint                  = 0.02 // of 100,000 cycles
)

func newTakes(p *plan.Plan) takes {
	router := float64(p.Degree * p.Degree)
	network := router * float64(p.Nodes)
	// Yosys synthesizes identical routers once. They differ if they know their node.
	different := 1.
	if p.SourceBits > 0 || p.Destination != nil {
		different = float64(p.Nodes)
	}
	bits := float64(p.PayloadBits+p.WdBits+p.WcBits) / 36
	synthesis := func(routers float64) float64 { return synthStart + synthCrosspoint*router*routers*bits }
	chip := 0. // crosspoints
	if p.Chips != nil {
		chip = network / float64(p.Chips.Count)
	}
	return takes{
		Chip:             about(benchStart + benchCrosspoint*chip),
		Router:           about(benchStart + benchCrosspoint*router),
		Network:          about(benchStart + benchCrosspoint*network),
		System:           about(systemStart + benchCrosspoint*network + systemNode*float64(p.Nodes)),
		Load:             about(loadStart + loadCrosspoint*network),
		RouterNetlist:    about(netlistStart + netlistCrosspoint*router),
		NetworkNetlist:   about(netlistStart + netlistCrosspoint*network),
		FreeRun:          about(freeCrosspoint * network),
		RouterSynthesis:  about(synthesis(1)),
		NetworkSynthesis: about(synthesis(different)),
		Netlist:          about(synthesis(1) + synthesis(different)),

		EndpointSynthesis: about(synthStart + endpointSynth),
		SystemSynthesis:   about(endpointSynth + synthesis(different)),
		SystemNetlist:     about(netlistStart + netlistCrosspoint*network + endpointNetlist*float64(p.Nodes)),
	}
}

// collectiveTakes are the times for a collective network, which grow with the number of its lanes.
type collectiveTakes struct {
	BenchTakes, NetlistTakes string // compiling the benches
	NodeTakes, NetworkTakes  string // Yosys
}

// Seconds on two cores for each lane of a collective network, estimated.
const benchLane, netlistLane, synthLane = 0.1, 0.5, 0.5

func newCollectiveTakes(c *plan.Collective) collectiveTakes {
	lanes := float64(c.Nodes * c.Degree)
	return collectiveTakes{
		BenchTakes: about(benchStart + benchLane*lanes), NetlistTakes: about(netlistStart + netlistLane*lanes),
		NodeTakes: about(synthStart + synthLane*float64(c.Degree)), NetworkTakes: about(synthStart + synthLane*lanes),
	}
}

// about is a time in words, as in synth.sh.
func about(seconds float64) string {
	switch minutes := seconds / 60; {
	case seconds < 15:
		return "some seconds"
	case seconds < 45:
		return "about half a minute"
	case seconds < 90:
		return "about a minute"
	case minutes < 10:
		return fmt.Sprintf("about %.0f minutes", minutes)
	default:
		return fmt.Sprintf("about %.0f minutes", 5*math.Round(minutes/5))
	}
}
