// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// Measurement holds the figures of a network under a load or a traffic.
type Measurement struct {
	Summary
	// Bound is an upper bound of deliveries per node and cycle if all sources broadcast equally often: in a
	// cycle a source injects at most one message, a link carries at most one, and a local output delivers at
	// most one if its receiver is ready. It includes random stalls and ignores scheduled stalls. It is 0 if
	// some messages are not broadcasts.
	Bound float64 `json:"bound,omitempty"`
	// LongestWait is the most turns that all other nodes together took from the
	// cycle in which a node began to offer a message to the cycle before its injection. A turn is one message; with
	// destinations it is one message to several nodes, or plan.TurnCost messages to single nodes. Sums are rounded up
	// to whole turns.
	LongestWait int `json:"longest_wait"`
	// WaitBound is the bound of LongestWait by the theorem of docs/fairness.md: the largest sum, for
	// any source, of 2 lead dist + 4 over all other sources.
	WaitBound int `json:"wait_bound"`
}

// Traffic measures a network under the traffic for its cycles. It calls progress, if not nil, at intervals, and stops when
// progress returns an error.
func Traffic(p *plan.Plan, t machine.Traffic, progress func(done, total int) error) (Measurement, error) {
	sources := sourcesOf(p, t)
	m := Measurement{WaitBound: waitBound(p, sources)}
	if onlyBroadcasts(t) {
		stall := 0.
		if t.Random != nil {
			stall = t.Random.Stall
		}
		m.Bound = loadBound(p, traffic.Load{Stall: stall, Sources: sources})
	}
	return m, m.measure(NewRun(p, t, model.Options{}), sources, t.Cycles, progress)
}

// Load measures a network under the load for the given number of cycles.
func Load(p *plan.Plan, load traffic.Load, cycles int) Measurement {
	sources := sourcesOfLoad(p, load)
	m := Measurement{Bound: loadBound(p, load), WaitBound: waitBound(p, sources)}
	_ = m.measure(newRun(p, load.Nodes(p), model.Options{}), sources, cycles, nil) // only progress can return an error
	return m
}

// measure measures the run for the given number of cycles.
func (m *Measurement) measure(r *Run, sources []int, cycles int, progress func(done, total int) error) error {
	n := r.Network
	w, every := newWaits(n.Plan().Nodes, sources), ProgressEvery(n.Plan())
	for r.Cycle() < cycles {
		n.Evaluate()
		w.cycle(r.Nodes.Offering, func(v int) int { return n.Router(v).Pays() })
		r.Finish()
		if progress != nil && r.Cycle()%every == 0 {
			if err := progress(r.Cycle(), cycles); err != nil {
				return err
			}
		}
	}
	m.Summary = r.Summary()
	turn := n.Plan().Turn
	m.LongestWait = (w.longest + turn - 1) / turn
	return nil
}

// waits counts the injections of others while a source has a message on offer. All counts are parts of a turn.
type waits struct {
	sources []int
	total   int   // injected by all nodes before this cycle
	own     []int // by node: injected by itself
	since   []int // by node with a message on offer: injected by the others when it began
	waiting []bool
	longest int
}

func newWaits(nodes int, sources []int) *waits {
	return &waits{sources: sources, own: make([]int, nodes), since: make([]int, nodes), waiting: make([]bool, nodes)}
}

// cycle counts a cycle of a node: whether it has a message on offer, and the cost of the message that it injects, 0 if
// none.
func (w *waits) cycle(offers func(v int) bool, pays func(v int) int) {
	injected := 0
	for _, v := range w.sources {
		if !offers(v) {
			continue
		}
		others := w.total - w.own[v]
		if !w.waiting[v] {
			w.waiting[v], w.since[v] = true, others
		}
		w.longest = max(w.longest, others-w.since[v])
		if cost := pays(v); cost > 0 {
			w.waiting[v] = false
			w.own[v] += cost
			injected += cost
		}
	}
	w.total += injected
}

// sourcesOf are the nodes that can send messages of a traffic, in ascending order.
func sourcesOf(p *plan.Plan, t machine.Traffic) (sources []int) {
	sends := make([]bool, p.Nodes)
	for _, s := range t.Sends {
		sends[s.From] = true
	}
	if r := t.Random; r != nil && r.Rate > 0 {
		for _, v := range r.Sources {
			sends[v] = true
		}
		for v := range sends {
			sends[v] = sends[v] || r.Sources == nil
		}
	}
	for v, sending := range sends {
		if sending {
			sources = append(sources, v)
		}
	}
	return sources
}

// onlyBroadcasts reports whether every message of a traffic is for all nodes.
func onlyBroadcasts(t machine.Traffic) bool {
	for _, s := range t.Sends {
		if !s.To.Broadcast() {
			return false
		}
	}
	return t.Random == nil || t.Random.Pattern == machine.ToAll
}

// waitBound is the largest sum for a source of the turns that the others can take while it waits.
func waitBound(p *plan.Plan, sources []int) (most int) {
	candidates := sources
	if len(sources) == p.Nodes {
		candidates = sources[:1] // all nodes are alike
	}
	for _, u := range candidates {
		sum := 0
		for _, v := range sources {
			if v != u {
				sum += 2*p.Lead*p.Machine.Graph.Distance(u, v) + 4
			}
		}
		most = max(most, sum)
	}
	return most
}
