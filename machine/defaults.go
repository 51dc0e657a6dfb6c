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
func (m *Machine) addDefaults() {
	if len(m.Traffic) == 0 && m.Graph.Nodes() <= MaxTrafficNodes {
		// either broadcast alone takes D + 1 cycles; the rest is room for both
		// to meet and for the network to be seen idle again
		cycles := min(4*m.Graph.Diameter()+40, MaxCycles)
		m.Traffic = append(m.Traffic, Traffic{
			Name:   "corner",
			Cycles: cycles,
			Sends:  []Send{{From: 0}, {From: m.Graph.Nodes() - 1}},
		})
		if m.Network {
			m.Traffic = append(m.Traffic, Traffic{
				Name:   "storm",
				Cycles: 1000,
				Random: &Random{Rate: 0.3, Stall: 0.2, Seed: 1},
			})
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
