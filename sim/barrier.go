// SPDX-License-Identifier: Apache-2.0

package sim

// barrier is the barrier of a router (docs/barrier.md).
type barrier struct {
	// Registers.
	pace    uint8
	phase   int
	release bool

	tick bool // wire of the cycle evaluated: pace and phase advance
}

// decide finds whether the barrier advances: it does not hold, and no neighbour is behind.
func (b *barrier) decide(x *rules, arrive bool, linkPace uint64) {
	holds := b.phase == 0 && !(arrive && !b.release)
	b.tick = x.plan.Machine.Barrier && !holds && !x.behind(b.pace, linkPace)
}

// step is the clock edge.
func (b *barrier) step(x *rules) {
	if b.tick {
		b.pace = (b.pace + 1) & paceMask
		b.phase = (b.phase + 1) % (x.plan.Machine.Graph.Diameter() + 1)
	}
	b.release = b.tick && b.phase == 0
}

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
