// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/plan"

// barrier is the barrier of a router (docs/barrier.md).
type barrier struct {
	pace    uint8
	phase   int
	release bool
}

// step is the clock edge of a cycle with these paces of the neighbours, of so many links, in a machine of this diameter.
func (b *barrier) step(linkPace uint64, links, diameter int, arrive bool) {
	holds := b.phase == 0 && (!arrive || b.release)
	b.release = false
	for p := range links {
		if pace := uint8(linkPace>>(plan.PaceBits*p)) & paceMask; pace == (b.pace-1)&paceMask {
			holds = true
		}
	}
	if holds {
		return
	}
	b.pace = (b.pace + 1) & paceMask
	b.phase = (b.phase + 1) % (diameter + 1)
	b.release = b.phase == 0
}

// barriers are those of all routers of a network. A node that has not arrived does so in each cycle with the
// probability arrival.
type barriers struct {
	neighbor []int32 // [node*degree + port]
	degree   int
	diameter int
	at       []barrier // by node
	arrived  set
	keys     []uint64 // by node
	arrival  chance
}

// arrivalRate is the probability in a cycle that a node arrives at its barrier, in traffic.
const arrivalRate = 1. / 16

func newBarriers(p *plan.Plan, neighbor []int32, seed uint64) *barriers {
	return &barriers{
		neighbor: neighbor, degree: p.Degree, diameter: p.Machine.Graph.Diameter(), at: make([]barrier, p.Nodes),
		arrived: make(set, (p.Nodes+63)/64), keys: nodeKeys(seed, purposeArrive, p.Nodes), arrival: newChance(arrivalRate),
	}
}

// begin lets nodes arrive in a cycle.
func (b *barriers) begin(cycle int) {
	for v := range b.at {
		if b.arrival.hit(drawOf(b.keys[v], uint64(cycle))) {
			b.arrived.add(int32(v))
		}
	}
}

// linkPace returns the barrier paces that the router of a node reads.
func (b *barriers) linkPace(v int) (paces uint64) {
	for p, u := range b.neighbor[v*b.degree:][:b.degree] {
		paces |= uint64(b.at[u].pace) << (plan.PaceBits * p)
	}
	return paces
}

// commit is the clock edge.
func (b *barriers) commit() {
	read := make([]uint64, len(b.at))
	for v := range b.at {
		read[v] = b.linkPace(v)
	}
	for v := range b.at {
		released := b.at[v].release
		b.at[v].step(read[v], b.degree, b.diameter, b.arrived.has(int32(v)))
		if released {
			b.arrived.remove(int32(v))
		}
	}
}

// packed returns word w of the paces of all nodes, node 0 lowest.
func (b *barriers) packed(w int) (word uint64) {
	for i := range 64 / plan.PaceBits {
		if v := 64/plan.PaceBits*w + i; v < len(b.at) {
			word |= uint64(b.at[v].pace) << (plan.PaceBits * i)
		}
	}
	return word
}
