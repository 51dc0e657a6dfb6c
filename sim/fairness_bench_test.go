// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// BenchmarkOverload measures what docs/architecture.md promises of saturation,
// fairness and latency; run it with -benchtime 1x. Metrics: deliveries per node
// and cycle (1 is the most that a delivery port can take), fewest to most
// injections of a source, the share of the source with the fewest (1 is an Nth of
// all), largest wait of an injection and mean latency of a delivery in cycles.
func BenchmarkOverload(b *testing.B) {
	for _, m := range overloaded {
		p := newPlan(b, m.r)
		n := p.Nodes
		sets := sourceSets(n)
		half := sets["busy=half"]
		for _, c := range []struct {
			name   string
			load   Load
			cycles int
		}{
			{"rate=1", Load{Rate: 1}, 10000},
			{"rate=0.8", Load{Rate: 0.8}, 10000},
			{"rate=0.5", Load{Rate: 0.5}, 10000},
			{"rate=0.3", Load{Rate: 0.3}, 10000},
			{"rate=0.2", Load{Rate: 0.2}, 10000},
			{"rate=0.1", Load{Rate: 0.1}, 10000},
			{"light=0.25", Load{Rate: 0.25 / float64(n-1)}, 10000},
			{"light=0.9", Load{Rate: 0.9 / float64(n-1)}, 10000},
			{"busy=n-1", Load{Rate: 1, Sources: sets["busy=n-1"]}, 60000},
			{"busy=3/4,random", Load{Rate: 1, Sources: sets["busy=3/4,random"]}, 60000},
			{"busy=half", Load{Rate: 1, Sources: half}, 60000},
			{"busy=half,random", Load{Rate: 1, Sources: sets["busy=half,random"]}, 60000},
			{"busy=3", Load{Rate: 1, Sources: sets["busy=3"]}, 60000},
			{"busy=3,random", Load{Rate: 1, Sources: sets["busy=3,random"]}, 60000},
			{"busy=2", Load{Rate: 1, Sources: sets["busy=2"]}, 60000},
			{"busy=1", Load{Rate: 1, Sources: sets["busy=1"]}, 60000},
			{"stall=0.5", Load{Rate: 1, Stall: 0.5}, 10000},
			{"busy=1,stall=0.5", Load{Rate: 1, Stall: 0.5, Sources: []int{0}}, 60000},
			{"busy=1,slow=0.5", Load{Rate: 1, Sources: []int{0}, Slow: map[int]float64{n / 2: 0.5}}, 60000},
			{"busy=half,stall=0.5", Load{Rate: 1, Stall: 0.5, Sources: half}, 60000},
			{"slow=0.1", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.1}}, 20000},
			{"slow=0.2", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.2}}, 100000},
			{"slow=0.3", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.3}}, 100000},
			{"slow=0.7", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.7}}, 20000},
			{"slow=0.5", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.5}}, 100000},
			{"slow=1", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.9}}, 20000},
			{"slow=3%", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.97}}, 100000},
			{"slow=2%", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.98}}, 400000},
			{"slow=1%", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.99}}, 400000},
			{"slow=0.5%", Load{Rate: 1, Slow: map[int]float64{n / 2: 0.995}}, 400000},
		} {
			b.Run(fmt.Sprintf("%s/%s", m.name, c.name), func(b *testing.B) {
				var s Summary
				for b.Loop() {
					c.load.Seed = 1
					s = Saturate(p, c.load, c.cycles)
				}
				report(b, p.Nodes, s)
			})
		}
		b.Run(m.name+"/busy=changing", func(b *testing.B) {
			var s Summary
			for b.Loop() {
				s = turns(p, 1, 120_000, nil).Summary()
			}
			b.ReportMetric(s.DeliveriesPerNode, "deliveries")
			b.ReportMetric(float64(n), "nodes")
			b.ReportMetric(float64(s.MaxInjectionWait), "max-wait")
			b.ReportMetric(0, "ns/op")
		})
		b.Run(m.name+"/periodic=4of600", func(b *testing.B) {
			var s Summary
			for b.Loop() {
				s = slowReceiver{ready: 4, of: 600}.past(p, 1, 400000)
			}
			report(b, p.Nodes, s)
		})
		for _, c := range []struct {
			name   string
			load   heavy
			from   int // deliveries count from here on
			cycles int
		}{
			{"busy=1,stall-once=64", heavy{receiver: n / 2, stall: 64}, 0, 10000},
			{"heavy=1,light=0.2", heavy{light: 0.2}, 0, 20000},
			{"heavy=1,light=0.2,stall-once=100", heavy{light: 0.2, receiver: n / 2, stall: 100}, recovered(p), recovered(p) + 20000},
			{"heavy=1,rare,stall-once=100", heavy{rare: true, receiver: n / 2, stall: 100}, recovered(p), recovered(p) + 20000},
		} {
			b.Run(fmt.Sprintf("%s/%s", m.name, c.name), func(b *testing.B) {
				var s Summary
				for b.Loop() {
					c.load.seed = 1
					var deliveries float64
					deliveries, s = c.load.later(p, c.from, c.cycles)
					s.DeliveriesPerNode = deliveries
				}
				report(b, p.Nodes, s)
			})
		}
	}
}

// BenchmarkPlacements measures how evenly nodes at random places share, when some of them
// always have a message, at eight placements each, from reset to three times; run it with
// -benchtime 1x. Metrics: of fewest to most injections of a source the smallest, the median
// (of eight the lower one) and the largest, and the smallest part of the bound that is delivered.
func BenchmarkPlacements(b *testing.B) {
	const placements = 8
	times := []int{60_000, 120_000, 240_000}
	for _, m := range overloaded[:6] {
		if m.name == "15-ring" {
			continue
		}
		p := newPlan(b, m.r)
		for _, busy := range []struct {
			name  string
			nodes int
		}{{"three-quarters", p.Nodes * 3 / 4}, {"half", p.Nodes / 2}, {"3", 3}} {
			fairness, parts := make([][]float64, len(times)), make([]float64, len(times))
			for placement := range uint64(placements) {
				sources := placed(p.Nodes, busy.nodes, placement+1)
				n := newNetwork(p, random(1, 0, 1), sources)
				for i, cycles := range times {
					for n.Cycle() < cycles {
						n.Step()
					}
					s := n.Summary()
					part := s.DeliveriesPerNode / bound(p, sources)
					if fairness[i] = append(fairness[i], s.Fairness); placement == 0 || part < parts[i] {
						parts[i] = part
					}
				}
			}
			for i, cycles := range times {
				b.Run(fmt.Sprintf("%s/%s/%d", m.name, busy.name, cycles), func(b *testing.B) {
					slices.Sort(fairness[i])
					b.ReportMetric(fairness[i][0], "least-fairness")
					b.ReportMetric(fairness[i][(placements-1)/2], "median-fairness")
					b.ReportMetric(fairness[i][placements-1], "most-fairness")
					b.ReportMetric(parts[i], "least-part")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

// busyNumbers are how many nodes send in the Busy benchmark: on machines of up to 31 nodes every number
// from 2 to N - 1, on larger ones a few, some of which have frames that are cut off.
func busyNumbers(nodes int) (numbers []int) {
	switch nodes {
	case 64:
		return []int{2, 3, 16, 32, 33, 43, 44, 52, 57, 63}
	case 125:
		return []int{2, 3, 31, 62, 65, 84, 101, 124}
	}
	for busy := 2; busy < nodes; busy++ {
		numbers = append(numbers, busy)
	}
	return numbers
}

// BenchmarkBusy measures how evenly nodes at random places share, by how many they are; run it
// with -benchtime 1x. Metrics after each of the times of a run: the least and the median of fewest to
// most injections of the placements, and the least of the deliveries, to the bound.
func BenchmarkBusy(b *testing.B) {
	times := []int{60_000, 240_000}
	for _, m := range overloaded {
		p, numbers := newPlan(b, m.r), busyNumbers(m.r.nodes())
		placements := uint64(8)
		if p.Nodes > 31 {
			placements = 4
		}
		runs := make([][][]Summary, len(numbers)) // by number, time and placement
		var all sync.WaitGroup
		processors := make(chan struct{}, runtime.GOMAXPROCS(0))
		for i, busy := range numbers {
			runs[i] = make([][]Summary, len(times))
			all.Go(func() {
				processors <- struct{}{}
				for seed := uint64(100); seed < 100+placements; seed++ {
					n := newNetwork(p, random(1, 0, 1), placed(p.Nodes, busy, seed))
					for j, cycles := range times {
						for n.Cycle() < cycles {
							n.Step()
						}
						runs[i][j] = append(runs[i][j], n.Summary())
					}
				}
				<-processors
			})
		}
		all.Wait()
		for i, busy := range numbers {
			for j, cycles := range times {
				b.Run(fmt.Sprintf("%s/%d/%d", m.name, busy, cycles), func(b *testing.B) {
					var fairness []float64
					part := 1.
					for _, s := range runs[i][j] {
						fairness, part = append(fairness, s.Fairness), min(part, s.DeliveriesPerNode*float64(p.Nodes)/float64(p.Nodes-1))
					}
					slices.Sort(fairness)
					b.ReportMetric(fairness[0], "least-fairness")
					b.ReportMetric(fairness[(len(fairness)-1)/2], "median-fairness")
					b.ReportMetric(part, "least-part")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

// BenchmarkOptions measures what networks deliver with all combinations of stages and
// delivery, when all nodes, half of them, 3 or 1 always have a message; run it with
// -benchtime 1x. Metrics: deliveries per node and cycle, the most that there can be if
// these nodes send equally often, and fewest to most injections of a source.
func BenchmarkOptions(b *testing.B) {
	for _, m := range overloaded[:6] {
		if m.name == "15-ring" {
			continue
		}
		nodes := m.r.nodes()
		for _, busy := range []struct {
			name    string
			sources []int
		}{
			{"all", placed(nodes, nodes, 1)},
			{"half", placed(nodes, nodes/2, 1)},
			{"3", placed(nodes, 3, 1)},
			{"1", []int{0}},
		} {
			for _, v := range variants {
				p := newPlan(b, m.r, v.options...)
				b.Run(fmt.Sprintf("%s/%s/stages=%d,%s", m.name, busy.name, p.Stages, p.Machine.Delivery), func(b *testing.B) {
					var s Summary
					for b.Loop() {
						s = Saturate(p, Load{Rate: 1, Seed: 1, Sources: busy.sources}, 60_000)
					}
					b.ReportMetric(s.DeliveriesPerNode, "deliveries")
					b.ReportMetric(bound(p, busy.sources), "bound")
					b.ReportMetric(s.Fairness, "fairness")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

func report(b *testing.B, nodes int, s Summary) {
	b.ReportMetric(float64(nodes), "nodes")
	b.ReportMetric(s.DeliveriesPerNode, "deliveries")
	b.ReportMetric(s.Fairness, "fairness")
	b.ReportMetric(share(nodes, s), "share")
	b.ReportMetric(float64(s.MaxInjectionWait), "max-wait")
	b.ReportMetric(s.MeanDeliveryLatency, "latency")
	b.ReportMetric(0, "ns/op")
}
