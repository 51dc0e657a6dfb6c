// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/hcgen/hcgen/machine"

// RouterTraffic names the traffic of one router that is driven at all its ports.
const RouterTraffic = "router"

// GoldenPath is where the output folder has the golden trace of a traffic.
func GoldenPath(traffic string) string { return "golden/" + traffic + ".trace" }

// Traffics lists what the network is simulated with: one broadcast of node 0 in an idle network, if
// there is a network top, and what the machine describes.
func (p *Plan) Traffics() []machine.Traffic {
	if !p.Machine.Network {
		return p.Machine.Traffic
	}
	return append([]machine.Traffic{p.Alone(0)}, p.Machine.Traffic...)
}

// Alone is one broadcast in an idle network. It takes D + 1 cycles, 2 D + 1 with two stages.
func (p *Plan) Alone(source int) machine.Traffic {
	return machine.Traffic{
		Name:   "alone",
		Cycles: p.Stages*p.Machine.Graph.Diameter() + 8, // the broadcast and some silence
		Sends:  []machine.Send{{From: source, At: 2}},
	}
}
