// SPDX-License-Identifier: Apache-2.0

package measure

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
	InFlight            int     `json:"in_flight"` // messages in the registers and slots of all routers and links

	MaxTimeUnderWay int        `json:"max_time_under_way"`           // cycles from the first copy of a message to its last delivery
	Undelivered     int        `json:"undelivered"`                  // messages with a copy that have not reached all their nodes
	Oldest          *MessageID `json:"oldest_undelivered,omitempty"` // the undelivered message with the earliest first copy
	MaxPassedTicks  int        `json:"max_passed_ticks"`             // largest number of ticks of a router in which messages passed a waiting entrant of a ring port; at most 2
}

// The wait of an injection is the number of cycles from the first cycle in which
// the message is on offer to its handshake. The latency of a delivery is the
// number of cycles from that first cycle to the delivery handshake; copies leave
// independently, so a message can be delivered before its injection handshake. A
// message is under way from the cycle in which a port takes its first copy at the
// source to its last delivery handshake. Messages that wait or are under way at
// the end count with the cycles so far.

// DeliveryBound bounds the deliveries per node and cycle when all nodes broadcast equally often: 1 with
// one local output, with several the limit of the busiest link (hypercycle.Graph.DeliveryBound).
func DeliveryBound(p *plan.Plan) float64 {
	if p.Machine.Delivery == machine.Merged {
		return 1
	}
	return p.Machine.Graph.DeliveryBound(p.Machine.Preference)
}

// counts collects the figures of a Summary.
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

func (c *counts) inject(v int, wait int) {
	c.injections[v]++
	c.maxWait = max(c.maxWait, wait)
}

func (c *counts) deliver(latency int) {
	c.deliveries++
	c.latency += latency
	c.maxLatency = max(c.maxLatency, latency)
}

// Summary returns the figures of the completed cycles.
func (r *Run) Summary() Summary {
	n, c := r.Network, &r.count
	s := Summary{
		DeliveryBound:      DeliveryBound(n.Plan()),
		Cycles:             n.Cycle(),
		Deliveries:         c.deliveries,
		Fairness:           1,
		InFlight:           n.Held(),
		MaxInjectionWait:   c.maxWait,
		MaxDeliveryLatency: c.maxLatency,
	}
	for v, injected := range c.injections {
		i := int(injected)
		waiting := r.Nodes.Offering(v)
		if waiting {
			s.MaxInjectionWait = max(s.MaxInjectionWait, n.Cycle()-r.Nodes.Start(v, injected))
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
	if n.Cycle() > 0 {
		s.DeliveriesPerNode = float64(s.Deliveries) / float64(n.Plan().Nodes) / float64(n.Cycle())
	}
	if s.Deliveries > 0 {
		s.MeanDeliveryLatency = float64(c.latency) / float64(s.Deliveries)
	}
	r.underWay.summary(&s, n.Cycle())
	return s
}
