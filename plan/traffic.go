// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/hcgen/hcgen/machine"

// RouterTraffic names the traffic of one router that is driven at all its ports.
const RouterTraffic = "router"

// SystemTraffic names the accesses at all nodes of a network with endpoints.
const SystemTraffic = "system"

// GoldenPath is the path of a traffic's golden trace in the output folder.
func GoldenPath(traffic string) string { return "golden/" + traffic + ".trace" }

// GoldenCollectivePath is the path of the golden trace of a collective network in the output folder.
func GoldenCollectivePath(name string) string { return "golden/" + name + ".collective" }

// Traffics lists the workloads of the network: one broadcast of node 0 in an idle network, if there
// is a network top, and the traffic of the description.
func (p *Plan) Traffics() []machine.Traffic {
	if !p.HasTrace() {
		return p.Machine.Traffic
	}
	return append([]machine.Traffic{p.Alone(0)}, p.Machine.Traffic...)
}

// Alone is one broadcast in an idle network. It takes D + 1 cycles, 2 D + 1 with two stages, and more with registers on links.
func (p *Plan) Alone(source int) machine.Traffic {
	return machine.Traffic{
		Name:   "alone",
		Cycles: p.Crossing() + 8, // the broadcast and some silence
		Sends:  []machine.Send{{From: source, At: 2}},
	}
}
