// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"github.com/hcgen/hcgen/plan"
)

// PacketsModule hands packets to a receiver. It stands behind the network, so no router has it.
const PacketsModule = "hc_packets"

// PacketsDepthBits is its DEPTH_BITS in simulation, its default.
const PacketsDepthBits = 4

// HasPackets reports whether hc_packets fits the machine: a node has one stream of deliveries, and these
// have a source id and tlast.
func HasPackets(p *plan.Plan) bool {
	return p.Machine.Last && p.Machine.SourceID && !p.PerPort() && p.Programmable == nil
}
