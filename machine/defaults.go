// SPDX-License-Identifier: Apache-2.0

package machine

// addDefaults gives a machine without traffic or synthesis blocks what is
// needed to simulate and synthesize it, so that a description of dimensions
// alone is complete.
//
// Traffic "corner": node 0 and node N-1 broadcast at cycle 0. Traffic "storm",
// if there is a network: all nodes broadcast at random (rate 0.3, stall 0.2,
// seed 1) for 1000 cycles. Synthesis "hx8k": the defaults of a synthesis block.
// A machine of more than MaxTrafficNodes nodes gets no traffic.
//
// With destinations node 0 of "corner" sends to node N-1 after its broadcast, and node
// N-1 to its row; "storm" is uniform with a fifth of broadcasts, and traffic "rows" is
// the same within rows.
func (m *Machine) addDefaults() {
	if len(m.Traffic) == 0 && m.Graph.Nodes() <= MaxTrafficNodes {
		// either broadcast alone takes D + 1 cycles; the rest is room for both
		// to meet and for the network to be seen idle again
		cycles := min(4*m.Graph.Diameter()+40, MaxCycles)
		last := m.Graph.Nodes() - 1
		corner := Traffic{
			Name:   "corner",
			Cycles: cycles,
			Sends:  []Send{{From: 0}, {From: last}},
		}
		if m.Destination {
			corner.Sends = append(corner.Sends, Send{From: 0, To: m.Graph.To(last)}, Send{From: last, To: allAsNil(m.Graph.Row(last))})
		}
		m.Traffic = append(m.Traffic, corner)
		storm := func(name string, pattern Pattern, broadcasts float64) {
			m.Traffic = append(m.Traffic, Traffic{
				Name:   name,
				Cycles: 1000,
				Random: &Random{Rate: 0.3, Stall: 0.2, Seed: 1, Pattern: pattern, Broadcasts: broadcasts},
			})
		}
		switch {
		case !m.Network:
		case m.Destination:
			storm("storm", ToUniform, 0.2)
			storm("rows", ToRow, 0.2)
		default:
			storm("storm", ToAll, 0)
		}
	}
	if len(m.Synthesis) == 0 {
		m.Synthesis = append(m.Synthesis, Synthesis{
			Name:     defaultDevice,
			Family:   defaultFamily,
			Device:   defaultDevice,
			Package:  defaultPackage,
			ClockMHz: defaultClock,
			Seeds:    defaultSeeds(),
		})
	}
}
