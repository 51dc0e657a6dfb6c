// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"math"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// PayloadBits is the width of the payload that the estimate is for.
const PayloadBits = 32

// costOf tells the LUT4 of each of the parts of a router. The constants are fitted to the
// routers in testdata/measured.csv (payload of 32 bits, no source id, fifo_depth 2,
// Yosys 0.23 for iCE40); make measure-cost measures them again and prints the fit.
var costOf = [...]float64{8.21, 38.55, 41.06, 37.36}

// parts counts what a router is made of, as far as LUTs go: bits of the weight wc; ring ports;
// ports by which messages enter a dimension; and choices, the requesters of the arbiters but
// for one of each, as one word of n is chosen by n - 1 choices between two, and whose turn it is
// takes as many bits.
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
	return []float64{float64(p.WcBits), float64(rings), float64(entered), float64(choices)}
}

// estimate is the sum of the parts by their cost.
func estimate(parts []float64) float64 {
	sum := 0.0
	for i, n := range parts {
		sum += costOf[i] * n
	}
	return sum
}

// Cost estimates the LUT4 of the router of a machine with the payload and fifo_depth that
// the constants are for.
func Cost(m *machine.Machine) int { return int(math.Round(estimate(parts(plan.New(m))))) }
