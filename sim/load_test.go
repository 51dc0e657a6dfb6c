// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"testing"
)

// loaded are the machines that the tables of loads are about.
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

func BenchmarkLoads(b *testing.B) {
	for _, m := range loaded {
		p := newPlan(b, m.r)
		for _, l := range Loads(p.Nodes) {
			b.Run(fmt.Sprintf("%s/%s", m.name, l.Name), func(b *testing.B) {
				var x Measurement
				for b.Loop() {
					x = MeasureLoad(p, l, 20_000)
				}
				b.ReportMetric(x.DeliveriesPerNode, "deliveries")
				b.ReportMetric(x.DeliveriesPerNode/x.Bound, "of-bound")
				b.ReportMetric(x.Fairness, "fairness")
				b.ReportMetric(float64(x.InjectionsMin), "fewest")
				b.ReportMetric(float64(x.InjectionsMax), "most")
				b.ReportMetric(float64(x.LongestWait), "wait")
				b.ReportMetric(float64(x.WaitBound), "wait-bound")
				b.ReportMetric(float64(x.MaxInjectionWait), "cycles")
			})
		}
	}
}
