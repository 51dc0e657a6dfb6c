// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Summary holds the figures of a run of a network. A source is a node that had
// a message on offer at least once.
type Summary struct {
	Cycles              int     `json:"cycles"`
	Sources             int     `json:"sources"`
	InjectionsMin       int     `json:"injections_min"` // fewest of a source
	InjectionsMax       int     `json:"injections_max"` // most of a source
	Injections          int     `json:"injections"`     // of all nodes
	Deliveries          int     `json:"deliveries"`     // handshakes of all local outputs
	DeliveriesPerNode   float64 `json:"deliveries_per_node_and_cycle"`
	DeliveryBound       float64 `json:"delivery_bound"` // see DeliveryBound
	Fairness            float64 `json:"fairness"`       // injections_min / injections_max; 1 if nothing was injected
	MaxInjectionWait    int     `json:"max_injection_wait"`
	MeanDeliveryLatency float64 `json:"mean_delivery_latency"`
	MaxDeliveryLatency  int     `json:"max_delivery_latency"`
	InFlight            int     `json:"in_flight"` // messages in the registers and slots of all routers

	MaxTimeUnderWay int        `json:"max_time_under_way"`           // cycles from the first copy of a message to its last delivery
	Undelivered     int        `json:"undelivered"`                  // messages with a copy that have not reached all their nodes
	Oldest          *MessageID `json:"oldest_undelivered,omitempty"` // of them: the one with the earliest first copy
	MaxPassedTicks  int        `json:"max_passed_ticks"`             // most ticks of a router in which messages passed a waiting entrant of a ring port; at most 2
}

// The wait of an injection counts the cycles from the first in which the
// message is on offer to that of its handshake; offers not yet taken at the end
// count with the cycles so far. The latency of a delivery is the number of
// cycles from the first in which the message was on offer to that of the
// delivery handshake: copies leave independently, so a message can be delivered
// somewhere before its injection handshake. A message is under way from the cycle in which a port takes its first copy at
// the source to that of its last delivery handshake; messages that are under way at the end count with the cycles so far.

// DeliveryBound is the most deliveries per node and cycle possible when all nodes broadcast equally
// often: 1 with one local output, with several the limit of the busiest link
// (hypercycle.Graph.DeliveryBound).
func DeliveryBound(p *plan.Plan) float64 {
	if p.Machine.Delivery == machine.Merged {
		return 1
	}
	return p.Machine.Graph.DeliveryBound(p.Machine.Preference)
}

// counts collects what a Summary says.
type counts struct {
	injections []uint32
	deliveries int
	maxWait    int
	latency    int // sum over all deliveries
	maxLatency int
}

func newCounts(nodes int) counts {
	return counts{injections: make([]uint32, nodes)}
}

func (c *counts) inject(v int32, wait int) {
	c.injections[v]++
	c.maxWait = max(c.maxWait, wait)
}

func (c *counts) deliver(latency int) {
	c.deliveries++
	c.latency += latency
	c.maxLatency = max(c.maxLatency, latency)
}

func (c *counts) summary(n *Network) Summary {
	s := Summary{
		DeliveryBound:      DeliveryBound(n.plan),
		Cycles:             n.cycle,
		Deliveries:         c.deliveries,
		Fairness:           1,
		MaxInjectionWait:   c.maxWait,
		MaxDeliveryLatency: c.maxLatency,
	}
	for v, injected := range c.injections {
		i := int(injected)
		waiting := n.offers.on[v]
		if waiting {
			s.MaxInjectionWait = max(s.MaxInjectionWait, n.cycle-n.offers.start(int32(v), injected))
		}
		if i == 0 && !waiting {
			continue
		}
		if s.Sources == 0 || i < s.InjectionsMin {
			s.InjectionsMin = i
		}
		s.Sources++
		s.InjectionsMax = max(s.InjectionsMax, i)
		s.Injections += i
	}
	if s.InjectionsMax > 0 {
		s.Fairness = float64(s.InjectionsMin) / float64(s.InjectionsMax)
	}
	if n.cycle > 0 {
		s.DeliveriesPerNode = float64(s.Deliveries) / float64(n.plan.Nodes) / float64(n.cycle)
	}
	if s.Deliveries > 0 {
		s.MeanDeliveryLatency = float64(c.latency) / float64(s.Deliveries)
	}
	for _, r := range n.routers {
		s.InFlight += r.held()
	}
	n.underWay.summary(&s, n.cycle)
	return s
}
