// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// OneWord is the all-reduce of one word per node in D steps. Dimension after dimension, every node sends the sum
// that it has so far to the others of its ring, and adds theirs.
//
// Of the m - 1 other nodes of a ring, floor(m / 2) lie above and the others below, so that an antipode counts
// once. The sum of a node at distance j + n rho, 1 <= j <= rho, makes n hops of length rho and then one of length j.
// The node that makes the last hop adds up what has come from the same side for it, so that each link carries
// one message. For j = rho these sums go straight on and are added at each node that they pass.
func OneWord(g *hypercycle.Graph) *collective.Streaming {
	w := &oneWord{graph: g, total: collective.Sum{{Source: collective.Own}}}
	for i := 1; i <= g.Rank(); i++ {
		w.ring(i)
	}
	registers := 1
	for _, writes := range w.program.Writes {
		if writes[fromAbove] != nil || writes[fromBelow] != nil {
			registers = 3
		}
	}
	for k := range w.program.Writes {
		w.program.Writes[k] = w.program.Writes[k][:registers]
	}
	w.program.Result = w.total
	return &collective.Streaming{Operation: collective.AllReduceWord, Steps: g.Diameter(), Registers: registers, Accumulators: registers,
		Programs: []collective.Program{w.program}, Class: make([]int, g.Nodes())}
}

// The accumulators. Those of sides hold what came from nodes at distances of rho, 2 rho, .. and the node's own sum.
const (
	inTotal = iota
	fromAbove
	fromBelow
)

// oneWord is the program so far.
type oneWord struct {
	graph   *hypercycle.Graph
	program collective.Program
	total   collective.Sum // all that is added, in the next step
}

// side is one side of a node in a ring.
type side struct {
	register  int32
	nodes     int                  // on this side
	direction hypercycle.Direction // of messages from there
}

// ring adds the steps of a dimension.
func (w *oneWord) ring(i int) {
	d := w.graph.Dimension(i)
	for step := 1; step <= d.D(); step++ {
		sends, writes := make([]collective.Sum, w.graph.Degree()), make([]collective.Sum, 3)
		writes[inTotal] = w.total
		total := collective.Sum{{Source: collective.Held, Index: inTotal}}
		for _, s := range []side{{fromAbove, d.M / 2, hypercycle.CCW}, {fromBelow, (d.M - 1) / 2, hypercycle.CW}} {
			from := func(j int) (port int, arrived collective.Term) {
				port = w.graph.PortIndex(i, s.direction, j)
				return port, collective.Term{Source: collective.Arrived, Index: int32(w.graph.Opposite(port))}
			}
			_, last := from(d.Rho)
			passed := collective.Sum{{Source: collective.Held, Index: s.register}} // the node's own sum, and what came until the step before last
			if step == 2 {
				passed = collective.Sum{{Source: collective.Held, Index: inTotal}}
			}
			for j := 1; j <= d.Rho; j++ {
				port, arrived := from(j)
				hops := (s.nodes - j + d.Rho) / d.Rho // of the farthest node that makes a hop of length j
				switch {
				case hops == 0 || step > hops && j == d.Rho || step < d.D() && j < d.Rho:
					continue
				case step == 1:
					sends[port] = w.total
				case j == d.Rho:
					sends[port] = collective.Sum{last}
				case hops < step:
					sends[port] = passed
				default:
					sends[port] = append(slices.Clone(passed), last)
				}
				total = append(total, arrived)
			}
			if d.Rho > 1 && 1 < step && step < d.D() {
				writes[s.register] = append(slices.Clone(passed), last)
			}
		}
		w.total = total
		w.program.Sends, w.program.Writes = append(w.program.Sends, sends), append(w.program.Writes, writes)
		w.program.Delivers = append(w.program.Delivers, slices.Repeat([]int32{-1}, w.graph.Degree()))
	}
}
