// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"math/rand/v2"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Load is a random load for measurements.
type Load struct {
	Name    string  // for tables
	Rate    float64 // probability that an idle source offers a message in a cycle, 0..1
	Stall   float64 // probability that a receiver is not ready in a cycle, 0..1, below 1
	Seed    int64   // 0 or more
	Sources []int   // the nodes that inject, each once; nil means all

	// As in machine.Random, for a machine whose messages have destinations.
	Pattern    machine.Pattern
	Broadcasts float64
	Hot        int
	Share      float64

	// Slow gives single receivers a Stall of their own, by node.
	Slow map[int]float64
}

// Loads returns the loads with which networks of the given number of nodes, at least 8, are measured. Every source
// always has a message; the choice of random nodes depends only on the number of nodes.
func Loads(nodes int) []Load {
	places := rand.New(rand.NewPCG(1, uint64(nodes))).Perm(nodes)
	var others, everyOther []int
	for v := range nodes {
		if v != nodes/2 {
			others = append(others, v)
		}
		if v%2 == 0 {
			everyOther = append(everyOther, v)
		}
	}
	slow := func(stall float64) map[int]float64 { return map[int]float64{nodes / 2: stall} }
	return []Load{
		{Name: "all", Rate: 1},
		{Name: "all but one", Rate: 1, Sources: others},
		{Name: "three quarters, random", Rate: 1, Sources: places[:nodes*3/4]},
		{Name: "every other", Rate: 1, Sources: everyOther},
		{Name: "half, random", Rate: 1, Sources: places[:nodes/2]},
		{Name: "7 adjacent", Rate: 1, Sources: []int{0, 1, 2, 3, 4, 5, 6}},
		{Name: "3 adjacent", Rate: 1, Sources: []int{0, 1, 2}},
		{Name: "3, random", Rate: 1, Sources: places[:3]},
		{Name: "2", Rate: 1, Sources: []int{0, nodes / 2}},
		{Name: "1", Rate: 1, Sources: []int{0}},
		{Name: "all, one receiver ready 90 %", Rate: 1, Slow: slow(0.1)},
		{Name: "all, one receiver ready 50 %", Rate: 1, Slow: slow(0.5)},
		{Name: "all, one receiver ready 10 %", Rate: 1, Slow: slow(0.9)},
		{Name: "all, one receiver ready 1 %", Rate: 1, Slow: slow(0.99)},
		{Name: "all, receivers ready 50 %", Rate: 1, Stall: 0.5},
		{Name: "half, random, receivers ready 50 %", Rate: 1, Stall: 0.5, Sources: places[:nodes/2]},
	}
}

// Nodes are the nodes of a network under a load.
func (l Load) Nodes(p *plan.Plan) *Nodes {
	n := New(p, machine.Traffic{
		Name: "load",
		Random: &machine.Random{
			Rate: l.Rate, Stall: l.Stall, Seed: l.Seed,
			Pattern: l.Pattern, Broadcasts: l.Broadcasts, Hot: l.Hot, Share: l.Share,
		},
	}, l.Sources)
	n.slow(l.Slow)
	return n
}
