// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// waits measures how many messages all nodes inject while one waits.
type waits struct {
	n       *Network
	all     int   // messages so far
	since   []int // by node: messages before its wait; -1: none
	before  []uint32
	longest int
}

func newWaits(n *Network) *waits {
	w := &waits{n: n, since: make([]int, n.plan.Nodes), before: make([]uint32, n.plan.Nodes)}
	for v := range w.since {
		w.since[v] = -1
	}
	return w
}

// step follows a cycle.
func (w *waits) step() {
	for v, injected := range w.n.count.injections {
		w.all += int(injected - w.before[v])
	}
	for v, injected := range w.n.count.injections {
		switch on := w.n.offers.on.has(int32(v)); {
		case !on || injected != w.before[v]:
			w.since[v] = -1
		case w.since[v] < 0:
			w.since[v] = w.all
		default:
			w.longest = max(w.longest, w.all-w.since[v])
		}
		w.before[v] = injected
	}
}

// waitBound is the largest number of messages that others inject while a node waits, if no
// frame ends meanwhile: a frame of so many is a long one, which leaves each of them less than
// the cap, and what they have falls by 1 in sum with each message of theirs.
func waitBound(p *plan.Plan) float64 {
	return float64(longFrame + p.Nodes<<p.Gate.CapBits)
}
