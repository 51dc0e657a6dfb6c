// SPDX-License-Identifier: Apache-2.0

package main

// otherRouter is an open router that hcgen's are compared with.
type otherRouter struct {
	name         string
	lut4, ff     int
	mhz          float64
	cyclesPerHop int
	broadcast    []int // cycles of one broadcast to 16 nodes: from a corner and, where it differs, from the centre; empty: it cannot
}

// otherRouters were measured once by the authors of hcgen; they do not change with the
// run. All have five ports and 32 bits of payload. LUT4 and FF are cells of Yosys for
// iCE40, the clock is the median of three seeds of nextpnr-ice40 0.4 on the HX8K, and the cycles are those of the same work in simulation: one node sends to
// all of 16, as 15 unicasts where the router knows no multicast.
var otherRouters = []otherRouter{
	{"FlooNoC, multicast (meshes only)", 1577, 656, 42, 1, []int{7, 5}},
	{"BaseJump mesh router, 15 unicasts", 774, 397, 87, 1, []int{16}},
	{"ProNoC, broadcast mode (meshes only)", 1918, 1180, 63, 2, []int{14, 11}},
	{"ProNoC torus, 15 unicasts", 1581, 1274, 67, 2, []int{18}},
	{"HopliteRT, torus without flow control", 137, 67, 189, 1, nil},
	{"axis_broadcast, 1 to 5, no network", 48, 71, 161, 1, nil},
}

// comparison is another router next to one of hcgen's. Ratios are above 1 where
// hcgen's is better.
type comparison struct {
	Router         string    `json:"router"`
	LUT4           int       `json:"lut4"`
	FF             int       `json:"ff"`
	MHz            float64   `json:"mhz"`
	NSPerHop       float64   `json:"ns_per_hop"`
	Cycles         []int     `json:"broadcast_cycles,omitempty"`
	NS             []float64 `json:"broadcast_ns,omitempty"`
	LUT4Ratio      float64   `json:"lut4_ratio"` // theirs to ours
	FFRatio        float64   `json:"ff_ratio"`   // theirs to ours
	MHzRatio       float64   `json:"mhz_ratio"`  // ours to theirs
	BroadcastRatio []float64 `json:"broadcast_ratio,omitempty"`
}

// compare puts a router next to the measured one.
func compare(o *otherRouter, ours *result) comparison {
	c := comparison{
		Router: o.name, LUT4: o.lut4, FF: o.ff, MHz: o.mhz,
		NSPerHop:  nanoseconds(o.cyclesPerHop, o.mhz),
		Cycles:    o.broadcast,
		LUT4Ratio: float64(o.lut4) / float64(ours.Router.LUT4),
		FFRatio:   float64(o.ff) / float64(ours.Router.FF),
		MHzRatio:  ours.Router.Clock.Median / o.mhz,
	}
	for _, cycles := range o.broadcast {
		ns := nanoseconds(cycles, o.mhz)
		c.NS = append(c.NS, ns)
		c.BroadcastRatio = append(c.BroadcastRatio, ns/ours.BroadcastNS)
	}
	return c
}

// nanoseconds is what cycles take at a clock.
func nanoseconds(cycles int, mhz float64) float64 { return float64(cycles) * 1e3 / mhz }
