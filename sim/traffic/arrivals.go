// SPDX-License-Identifier: Apache-2.0

package traffic

// arrivals decides when nodes arrive at their barriers: a node that has not arrived does so in each cycle with the
// probability arrivalRate.
type arrivals struct {
	arrived []bool   // by node
	keys    []uint64 // by node
	rate    chance
}

// arrivalRate is the probability in a cycle that a node arrives at its barrier, in traffic.
const arrivalRate = 1. / 16

func newArrivals(nodes int, seed uint64) *arrivals {
	return &arrivals{arrived: make([]bool, nodes), keys: nodeKeys(seed, purposeArrive, nodes), rate: newChance(arrivalRate)}
}

// begin lets nodes arrive in a cycle.
func (a *arrivals) begin(cycle int) {
	for v := range a.arrived {
		a.arrived[v] = a.arrived[v] || a.rate.hit(drawOf(a.keys[v], uint64(cycle)))
	}
}
