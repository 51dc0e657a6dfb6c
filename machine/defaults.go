// SPDX-License-Identifier: Apache-2.0

package machine

// onTheWay is the latency of the links of a shortest path to the farthest node, or somewhat more.
func (m *Machine) onTheWay() (latency int) {
	for _, d := range m.Dimensions {
		if latency += d.D() * d.Link.Latency(0); d.Link.Kind == Chips {
			latency += d.D() * d.Link.largestFrame(m.PayloadBits)
		}
	}
	return latency
}

// defaultTraffic is the traffic of a machine without traffic blocks, so that a
// description of dimensions alone is complete.
//
// Traffic "corner": node 0 and node N-1 broadcast at cycle 0. Traffic "storm",
// if there is a network: all nodes broadcast at random (rate 0.3, stall 0.2,
// seed 1) for 1000 cycles.
// A machine of more than MaxTrafficNodes nodes gets no traffic.
//
// With destinations node 0 of "corner" sends to node N-1 after its broadcast, and node
// N-1 to its row; "storm" is uniform with a fifth of broadcasts, and traffic "rows" is
// the same within rows.
func (m *Machine) defaultTraffic() []Traffic {
	if m.Graph.Nodes() > MaxTrafficNodes {
		return nil
	}
	last := m.Graph.Nodes() - 1
	corner := Traffic{
		Name: "corner",
		// either broadcast alone takes D + 1 cycles, more with two stages or registers on the way; the rest is room for both
		// to meet and for the network to be seen idle again
		Cycles: min(4*(m.Graph.Diameter()+m.onTheWay())+40, MaxCycles),
		Sends:  []Send{{From: 0}, {From: last}},
	}
	if m.Destination {
		corner.Sends = append(corner.Sends, Send{From: 0, To: m.Graph.To(last)}, Send{From: last, To: allAsNil(m.Graph.Row(last))})
	}
	storm := func(name string, pattern Pattern, broadcasts float64) Traffic {
		return Traffic{
			Name:   name,
			Cycles: 1000,
			Random: &Random{Rate: 0.3, Stall: 0.2, Seed: 1, Pattern: pattern, Broadcasts: broadcasts},
		}
	}
	switch {
	case !m.Network:
		return []Traffic{corner}
	case m.Destination:
		return []Traffic{corner, storm("storm", ToUniform, 0.2), storm("rows", ToRow, 0.2)}
	}
	return []Traffic{corner, storm("storm", ToAll, 0)}
}
