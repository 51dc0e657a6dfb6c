// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// doubling is a tree for a broadcast with one port, and the steps that takes. In every step
// each informed node informs a neighbour: a greedy choice with random ties, repeated until
// the bound is met.
func doubling(g *hypercycle.Graph) (best tree, steps int) {
	bound := Bound(g, collective.Broadcast, OnePort, 1)
	d := newDoubler(g)
	tries := max(4, min(1000, 3_000_000_000/(len(d.to)*len(d.to)))) // up to a tenth of a second
	steps = g.Nodes()
	for try := 0; steps > bound && try < tries; try++ {
		if t := d.try(uint64(try), steps-1); t != nil {
			best = t
			_, _, steps = t.family(OnePort)
		}
	}
	return best, steps
}

// doubler grows the set of informed nodes.
type doubler struct {
	degree     int
	to         []int32   // neighbours, by node and port
	distance   []int32   // from node 0
	uninformed []int32   // by node: its uninformed neighbours
	ties       []int32   // by node: a random number
	byCount    [][]int32 // senders of one step by their uninformed neighbours
}

func newDoubler(g *hypercycle.Graph) *doubler {
	n := g.Nodes()
	d := &doubler{degree: g.Degree(), to: neighbours(g), distance: make([]int32, n), uninformed: make([]int32, n), ties: make([]int32, n), byCount: make([][]int32, g.Degree()+1)}
	for v := range d.distance {
		d.distance[v] = int32(g.Distance(0, v))
	}
	return d
}

func (d *doubler) neighbours(v int32) []int32 { return d.to[int(v)*d.degree : (int(v)+1)*d.degree] }

// try makes a tree from node 0 that takes at most some steps, or returns nil. In every step the
// nodes with the fewest uninformed neighbours choose first. They prefer a neighbour that is
// far from node 0 and has many uninformed neighbours itself.
func (d *doubler) try(random uint64, most int) tree {
	t := make(tree, len(d.distance))
	for v := range t {
		random = random*6364136223846793005 + 1442695040888963407
		t[v], d.uninformed[v], d.ties[v] = -2, int32(d.degree), int32(random>>53)
	}
	t[0] = -1
	senders := []int32{0} // informed nodes with uninformed neighbours
	for _, u := range d.neighbours(0) {
		d.uninformed[u]--
	}
	left := len(t) - 1
	var informed []int32
	for step := 1; step <= most; step++ {
		for k := range d.byCount {
			d.byCount[k] = d.byCount[k][:0]
		}
		informed = informed[:0]
		for _, v := range senders {
			d.byCount[d.uninformed[v]] = append(d.byCount[d.uninformed[v]], v)
		}
		senders = senders[:0]
		for _, list := range d.byCount[1:] {
			senders = append(senders, list...)
			for _, v := range list {
				best, most := int32(-1), int32(-1)
				for _, u := range d.neighbours(v) {
					if value := (d.distance[u]+d.uninformed[u])<<11 + d.ties[u]; t[u] == -2 && value > most {
						best, most = u, value
					}
				}
				if best >= 0 {
					t[best] = v
					informed = append(informed, best)
				}
			}
		}
		for _, v := range informed {
			for _, u := range d.neighbours(v) {
				d.uninformed[u]--
			}
		}
		senders = append(senders, informed...)
		if left -= len(informed); left == 0 {
			return t
		}
	}
	return nil
}
