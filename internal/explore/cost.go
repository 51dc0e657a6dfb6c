// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"math"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// PayloadBits is the width of the payload that the estimate is for.
const PayloadBits = 32

// costs are the LUT4 of each of the parts of a router, without destinations and with them. The constants are
// fitted to the routers in testdata/measured.csv (payload of 32 bits, no source id, fifo_depth 2,
// Yosys 0.23 for iCE40); make measure WHAT=cost measures them again and prints the fit.
var costs = map[bool][]float64{
	false: {6.96, 41.49, 41.32, 37.67},
	true:  {12.80, 53.39, 47.22, 38.39, 0.76},
}

// parts counts what a router is made of, as far as LUTs go: bits of the weight wc; ring ports;
// ports by which messages enter a dimension; and choices, the requesters of the arbiters but
// for one of each, as one word of n is chosen by n - 1 choices between two, and whose turn it is
// takes as many bits; with destinations, each choice once more for every bit of the route on a link.
func parts(p *plan.Plan) []float64 {
	rings, entered := 0, 0
	choices := p.Degree - 1 // delivery
	for _, q := range p.Ports {
		if q.Ring {
			rings++
			choices += len(q.TransferFrom) // beside the group
		}
	}
	for _, d := range p.Dims {
		entered += len(d.Entered)
		choices += len(d.Sources) // beside the local input
	}
	all := []float64{float64(p.WcBits), float64(rings), float64(entered), float64(choices)}
	if p.Destination != nil {
		all = append(all, float64(choices*p.Destination.RouteBits))
	}
	return all
}

// estimate is the sum of the parts of a router by their cost.
func estimate(p *plan.Plan) float64 {
	cost, sum := costs[p.Destination != nil], 0.0
	for i, n := range parts(p) {
		sum += cost[i] * n
	}
	return sum
}

// packetsCost are the LUT4 of an hc_packets with 32 bits, queues of 4 messages and 4 waiting packets: without
// sources, and of each source. The constants are fitted to testdata/packets.csv (Yosys 0.23 for iCE40); make measure
// WHAT=cost measures it again.
var packetsCost = []float64{62.90, 12.11}

// PacketsCost estimates the LUT4 of hc_packets at a node of a machine with the given number of nodes.
func PacketsCost(nodes int) int {
	return int(math.Round(packetsCost[0] + packetsCost[1]*float64(nodes)))
}

// Cost estimates the LUT4 of the router of a machine with the payload and fifo_depth that
// the constants are for.
func Cost(m *machine.Machine) int { return int(math.Round(estimate(plan.New(m)))) }
