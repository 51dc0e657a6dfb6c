// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// result holds the measurements of a machine.
type result struct {
	Machine     string `json:"machine"`
	Title       string `json:"title"`
	Nodes       int    `json:"nodes"`
	Degree      int    `json:"degree"`
	PayloadBits int    `json:"payload_bits"`

	// One broadcast alone in the RTL: cycles from the injection to the last delivery.
	Cycles      int     `json:"broadcast_cycles"`
	CyclesBound int     `json:"broadcast_cycles_bound"` // D + 1; with two stages 2 D + 1
	BroadcastNS float64 `json:"broadcast_ns,omitempty"`

	// Not measured for an example, whose latency only is checked.
	Router  *router     `json:"router,omitempty"`
	Network *network    `json:"network,omitempty"` // missing if it is not placed
	Load    *saturation `json:"saturated,omitempty"`
}

// router is the synthesized router of a machine.
type router struct {
	LUT4     int             `json:"lut4"`
	FF       int             `json:"ff"`
	Clock    synthesis.Clock `json:"clock"`
	NSPerHop float64         `json:"ns_per_hop"` // one cycle for each stage

	// Ratios to the goals: below 1 is better for LUT4, above 1 for MHz.
	LUT4Goal  int     `json:"lut4_goal,omitempty"`
	LUT4Ratio float64 `json:"lut4_ratio,omitempty"`
	MHzGoal   float64 `json:"mhz_goal,omitempty"`
	MHzRatio  float64 `json:"mhz_ratio,omitempty"`
}

// network is the synthesized network of a machine, placed behind few pins.
type network struct {
	LUT4     int             `json:"lut4"`
	FF       int             `json:"ff"`
	Clock    synthesis.Clock `json:"clock"`
	MHzGoal  float64         `json:"mhz_goal"`
	MHzRatio float64         `json:"mhz_ratio"`
}

// saturation is the network while every node always has a message and every receiver is
// ready, in the reference model.
type saturation struct {
	Cycles     int     `json:"cycles"`
	Deliveries float64 `json:"deliveries_per_node_and_cycle"`
	Bound      float64 `json:"bound"`
	Injections int     `json:"injections_min"`     // fewest of a node
	Fairness   float64 `json:"fairness,omitempty"` // fewest to most injections of a node; 0 if the run is too short
}

// ahead is the number of deliveries by which the nodes may be ahead of the bound at the end of a run. A
// bound above 1 is that of the busiest link, and messages that wait for the link, one of each node, may
// have been delivered elsewhere. A bound of 1 is that of the local output, which no delivery precedes.
func (l *saturation) ahead(nodes int) float64 {
	if l.Bound > 1 {
		return float64(nodes-1) / float64(l.Cycles)
	}
	return 0
}

// contradictions describe measurements that contradict a guarantee.
func (r *result) contradictions() []string {
	var wrong []string
	if r.Cycles != r.CyclesBound {
		wrong = append(wrong, fmt.Sprintf("%s: one broadcast alone takes %d cycles in RTL, not %d", r.Machine, r.Cycles, r.CyclesBound))
	}
	if l := r.Load; l != nil {
		if l.Deliveries > l.Bound+l.ahead(r.Nodes) {
			wrong = append(wrong, fmt.Sprintf("%s: %.4f deliveries per node and cycle are more than the bound %g", r.Machine, l.Deliveries, l.Bound))
		}
		if l.Injections == 0 && l.Cycles >= cyclesForFairness(r.Nodes) {
			wrong = append(wrong, fmt.Sprintf("%s: a node sends nothing in %d saturated cycles", r.Machine, l.Cycles))
		}
	}
	return wrong
}

// newRouter returns the figures of a synthesis with the ratios to the goals of the subject.
func newRouter(made *synthesis.Measured, s *subject, stages int) *router {
	r := &router{
		LUT4: made.LUT4, FF: made.FF,
		Clock:    made.Clock,
		NSPerHop: nanoseconds(stages, made.Clock.Median),
		LUT4Goal: s.lut4, MHzGoal: s.mhz,
	}
	if s.lut4 > 0 {
		r.LUT4Ratio = float64(r.LUT4) / float64(s.lut4)
	}
	if s.mhz > 0 {
		r.MHzRatio = r.Clock.Median / s.mhz
	}
	return r
}

// newNetwork returns the figures of a synthesis with the ratio to the goal of the subject.
func newNetwork(made *synthesis.Measured, s *subject) *network {
	return &network{LUT4: made.Network.LUT4, FF: made.Network.FF, Clock: made.Clock, MHzGoal: s.network, MHzRatio: made.Clock.Median / s.network}
}

// cyclesForFairness is the length of a saturated run in which every node sends about ten messages:
// at one delivery per node and cycle, each message takes one cycle of the N - 1 other nodes.
func cyclesForFairness(nodes int) int { return 10 * nodes }

// saturationTask measures the saturated all-to-all of a network.
type saturationTask struct {
	Description string
	Program     string // with the model
}

func (t *saturationTask) do() (*saturation, error) {
	m, err := parseMachine(t.Description)
	if err != nil {
		return nil, err
	}
	cycles := 10_000
	if m.Graph.Nodes() > 1024 {
		cycles = 1000 // half a minute; enough cycles for fairness would take hours
	}
	s := measure.Saturate(plan.New(m), traffic.Load{Rate: 1}, model.Options{}, cycles)
	l := &saturation{Cycles: cycles, Deliveries: s.DeliveriesPerNode, Bound: s.DeliveryBound, Injections: s.InjectionsMin}
	if cycles >= cyclesForFairness(m.Graph.Nodes()) {
		l.Fairness = s.Fairness
	}
	return l, nil
}
