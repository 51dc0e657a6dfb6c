// SPDX-License-Identifier: Apache-2.0

package hypercycle

import "slices"

// PortLoads returns, by port, how many messages leave every node by that port when each
// node broadcasts once. All nodes are alike, so these are the messages of one broadcast that
// leave by that port, wherever they are. Their sum is N - 1.
func (g *Graph) PortLoads(p Preference) []int {
	loads, weights := make([]int, len(g.ports)), g.Weights(p)
	// The source and all nodes that it has reached in higher dimensions enter a dimension. An
	// entering weight of w makes a message on that port and w - 1 on the longest links after it.
	for i, port := range g.ports {
		w := weights[i]
		if w == 0 {
			continue
		}
		d := port.Dimension - 1
		entering := g.nodes / (g.unit[d] * g.dims[d].M)
		loads[i] += entering
		if w > 1 {
			loads[g.PortIndex(port.Dimension, port.Direction, g.dims[d].Rho)] += (w - 1) * entering
		}
	}
	return loads
}

// DeliveryBound bounds the deliveries per node and cycle when all nodes broadcast equally often and
// a link carries one message per cycle: N - 1 divided by the messages of the busiest link when each
// node broadcasts once. It is at least 1.
func (g *Graph) DeliveryBound(p Preference) float64 {
	return float64(g.nodes-1) / float64(slices.Max(g.PortLoads(p)))
}

// BusiestLink returns the number of messages that the busiest link carries, in one direction, when each
// of the given nodes broadcasts once. Time and memory are proportional to N per given node.
func (g *Graph) BusiestLink(sources []int, p Preference) int {
	loads := make([]int, g.nodes*len(g.ports))
	for _, source := range sources {
		g.Sends(source, p, func(s Send) { loads[s.From*len(g.ports)+s.Port]++ })
	}
	return slices.Max(loads)
}
