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

// comparison is a router beside hcgen's. Ratios are above 1 where hcgen's is better.
type comparison struct{ router, ours otherRouter }

// broadcastNS are the times of the broadcast.
func (r *otherRouter) broadcastNS() (ns []float64) {
	for _, cycles := range r.broadcast {
		ns = append(ns, nanoseconds(cycles, r.mhz))
	}
	return ns
}

var comparisonColumns = []column[comparison]{
	{"router", "router", "", "%s", func(c comparison) any { return c.router.name }},
	{"lut4", "LUT4", "", "%d", func(c comparison) any { return c.router.lut4 }},
	{"lut4_ratio", "ratio", "above 1: hcgen's router is better", "%.2f", func(c comparison) any { return float64(c.router.lut4) / float64(c.ours.lut4) }},
	{"ff", "FF", "", "%d", func(c comparison) any { return c.router.ff }},
	{"ff_ratio", "ratio", "", "%.2f", func(c comparison) any { return float64(c.router.ff) / float64(c.ours.ff) }},
	{"mhz", "MHz", "", "%.0f", func(c comparison) any { return c.router.mhz }},
	{"mhz_ratio", "ratio", "", "%.2f", func(c comparison) any { return c.ours.mhz / c.router.mhz }},
	{"ns_per_hop", "ns/hop", "", "%.1f", func(c comparison) any { return nanoseconds(c.router.cyclesPerHop, c.router.mhz) }},
	{"broadcast_cycles", "broadcast, cycles", "from a corner / from the centre, if they differ", "%d", func(c comparison) any { return c.router.broadcast }},
	{"broadcast_ns", "broadcast, ns", "", "%.0f", func(c comparison) any { return c.router.broadcastNS() }},
	{"broadcast_ratio", "ratio", "", "%.2f", func(c comparison) any {
		var ratios []float64
		for _, ns := range c.router.broadcastNS() {
			ratios = append(ratios, ns/c.ours.broadcastNS()[0])
		}
		return ratios
	}},
}

// compared are hcgen's 4x4 torus and the other routers, none if the torus was not measured.
func compared(results []*result) (all []comparison) {
	for _, r := range results {
		if r.name == reference {
			ours := otherRouter{"hcgen, 4x4 torus", r.router.LUT4, r.router.FF, r.router.Clock.Median, r.stages, []int{r.cycles}}
			for _, router := range append([]otherRouter{ours}, otherRouters...) {
				all = append(all, comparison{router, ours})
			}
		}
	}
	return all
}

// nanoseconds is what cycles take at a clock.
func nanoseconds(cycles int, mhz float64) float64 { return float64(cycles) * 1e3 / mhz }
