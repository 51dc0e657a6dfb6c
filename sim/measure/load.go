// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// Saturate runs a network under the load for the given number of cycles and
// returns its figures. Rate 1 is overload: every source always has a message.
func Saturate(p *plan.Plan, load traffic.Load, o model.Options, cycles int) Summary {
	r := newRun(p, load.Nodes(p), o)
	for r.Cycle() < cycles {
		r.Step()
	}
	return r.Summary()
}

// sourcesOfLoad are the nodes that inject.
func sourcesOfLoad(p *plan.Plan, l traffic.Load) []int {
	if l.Sources != nil {
		return l.Sources
	}
	all := make([]int, p.Nodes)
	for v := range all {
		all[v] = v
	}
	return all
}

// loadBound returns an upper bound of deliveries per node and cycle if all sources inject equally often.
func loadBound(p *plan.Plan, l traffic.Load) float64 {
	sources := sourcesOfLoad(p, l)
	if len(sources) == p.Nodes && len(l.Slow) == 0 { // all nodes are alike
		return DeliveryBound(p) * (1 - l.Stall)
	}
	carried := make([]int, p.Nodes*p.Degree) // by node and link input: sources whose messages arrive there
	for _, u := range sources {
		tree := p.Machine.Graph.Broadcast(u, p.Machine.Preference)
		for v := range p.Nodes {
			if v != u {
				carried[v*p.Degree+p.Ports[tree.Port[v]].Opposite]++
			}
		}
	}
	rate := 1. // injections of a source per cycle
	for v := range p.Nodes {
		ready, all := 1-l.Stall, 0
		if stall, own := l.Slow[v]; own {
			ready = 1 - stall
		}
		for _, messages := range carried[v*p.Degree:][:p.Degree] {
			all += messages
			if messages > 0 {
				rate = min(rate, 1/float64(messages))
				if p.Machine.Delivery == machine.PerPort {
					rate = min(rate, ready/float64(messages))
				}
			}
		}
		if all > 0 && p.Machine.Delivery == machine.Merged {
			rate = min(rate, ready/float64(all))
		}
	}
	return rate * float64(len(sources)) * float64(p.Nodes-1) / float64(p.Nodes)
}
