// SPDX-License-Identifier: Apache-2.0

package plan

// Nodes whose digits agree in all dimensions with links between clocks share a clock: they are a region. The number of a
// region has these digits, the lowest dimension lowest. A chip is a region, too: no machine has both kinds of links.

// Regions is the number of clocks of the nodes.
func (p *Plan) Regions() int {
	regions := 1
	for _, d := range p.Dims {
		if d.Queue.Crosses() {
			regions *= d.M
		}
	}
	return regions
}

// Region is the number of the region of a node.
func (p *Plan) Region(node int) int {
	region, stride := 0, 1
	for i, d := range p.Dims {
		if d.Queue.Crosses() {
			region += stride * p.Machine.Graph.Digit(node, i+1)
			stride *= d.M
		}
	}
	return region
}

// HasTrace reports whether the network has golden traces. Cycles of different clocks cannot be compared, so a network with
// several clocks has none.
func (p *Plan) HasTrace() bool { return p.Machine.Network && !p.Machine.SeveralClocks() }

// HasSystemTrace reports whether the network with its endpoints has a golden trace.
func (p *Plan) HasSystemTrace() bool { return p.Endpoint != nil && p.HasTrace() }
