// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim/traffic"
)

// loaded are the machines in the tables of loads.
var loaded = []struct {
	name string
	r    rings
}{
	{"8-ring", rings{{8, 1}}},
	{"15-ring", rings{{15, 1}}},
	{"31-ring", rings{{31, 1}}},
	{"4x4", rings{{4, 1}, {4, 1}}},
	{"4-cube", rings{{2, 1}, {2, 1}, {2, 1}, {2, 1}}},
	{"(6,2)x(5,1)", rings{{5, 1}, {6, 2}}},
	{"5x5x5", rings{{5, 1}, {5, 1}, {5, 1}}},
	{"8x8", rings{{8, 1}, {8, 1}}},
}

// The figures in the tables of loads obey the theorem and the bound. A short run leaves out the two largest machines.
func TestMeasuredLoadsKeepTheirBounds(t *testing.T) {
	for i, m := range loaded {
		p := newPlan(t, m.r, variants[i%4].Options...)
		if testing.Short() && p.Nodes > 31 {
			continue
		}
		for _, l := range traffic.Loads(p.Nodes) {
			x := Load(p, l, 5000)
			where := fmt.Sprintf("%s %s: %+v", m.name, l.Name, x)
			require.LessOrEqual(t, x.LongestWait, x.WaitBound, where)
			require.LessOrEqual(t, x.InjectionsMax-x.InjectionsMin, p.Machine.Graph.Diameter()+2, where)
			if len(l.Slow) == 0 { // with slow receivers the run is too short to decide
				require.LessOrEqual(t, x.DeliveriesPerNode, x.Bound+20/5000., where)
				require.GreaterOrEqual(t, x.DeliveriesPerNode, 0.65*x.Bound, where)
			}
		}
	}
}

// Worked out by hand for a ring of 4: messages of every node use the links of both sides, and go clockwise to the antipode.
func TestBoundsOfLoadsByHand(t *testing.T) {
	merged, perPort := newPlan(t, rings{{4, 1}}), newPlan(t, rings{{4, 1}}, perPort())
	for _, c := range []struct {
		load            traffic.Load
		merged, perPort float64
	}{
		{traffic.Load{Rate: 1}, 1, 1.5}, // 3 arrivals when every node sends a message, 2 of them over the same link
		{traffic.Load{Rate: 1, Stall: 0.5}, 0.5, 0.75},
		{traffic.Load{Rate: 1, Sources: []int{0}}, 0.75, 0.75},
		{traffic.Load{Rate: 1, Sources: []int{0, 2}}, 0.75, 1.5}, // their links differ
		{traffic.Load{Rate: 1, Sources: []int{0}, Slow: map[int]float64{0: 0.9}}, 0.75, 0.75},
		{traffic.Load{Rate: 1, Sources: []int{0}, Slow: map[int]float64{1: 0.9}}, 0.075, 0.075},
	} {
		require.InDelta(t, c.merged, loadBound(merged, c.load), 1e-9, "%+v", c.load)
		require.InDelta(t, c.perPort, loadBound(perPort, c.load), 1e-9, "%+v", c.load)
	}
	require.Equal(t, 2*(2*1+4)+2*2+4, waitBound(merged, []int{0, 1, 2, 3}))
	require.Zero(t, waitBound(merged, []int{3}))
}

// BenchmarkOverload measures networks under all loads; run it with -benchtime 1x. Metrics: deliveries per node and
// cycle, and their share of the bound; fewest to most injections of a source; the longest wait of an injection in cycles,
// and in messages of others with the bound of the theorem; mean latency of a delivery in cycles.
func BenchmarkOverload(b *testing.B) {
	for _, m := range loaded {
		p := newPlan(b, m.r)
		for _, l := range traffic.Loads(p.Nodes) {
			b.Run(fmt.Sprintf("%s/%s", m.name, l.Name), func(b *testing.B) {
				var x Measurement
				for b.Loop() {
					x = Load(p, l, 20_000)
				}
				b.ReportMetric(x.DeliveriesPerNode, "deliveries")
				b.ReportMetric(x.DeliveriesPerNode/x.Bound, "of-bound")
				b.ReportMetric(x.Fairness, "fairness")
				b.ReportMetric(float64(x.MaxInjectionWait), "max-wait")
				b.ReportMetric(float64(x.LongestWait), "wait")
				b.ReportMetric(float64(x.WaitBound), "wait-bound")
				b.ReportMetric(x.MeanDeliveryLatency, "latency")
			})
		}
	}
}
