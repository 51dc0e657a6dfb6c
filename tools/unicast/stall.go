// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// The table of a receiver that stops, on the page of fair turns.
const (
	stopDocument = "docs/fairness.md"
	stopPlace    = "stopped receiver"
)

// waiting are the numbers of messages for the receiver that stops.
var waiting = []int{1, 4, 16}

// stopTable shows the loss of messages to other nodes while one receiver never accepts: accepted messages relative to a
// run without messages for it, with and without the marks of ring ports.
func stopTable(cycles int) (string, error) {
	type rates struct{ marks, ignored float64 }
	rows := make([][]rates, len(subjects))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, s := range subjects {
		p, err := s.plan(depths[0])
		if err != nil {
			return "", err
		}
		rows[i] = make([]rates, len(waiting))
		work.Go(func() error {
			all := stopped(p, cycles, 0, false)
			for j, messages := range waiting {
				rows[i][j] = rates{stopped(p, cycles, messages, false) / all, stopped(p, cycles, messages, true) / all}
			}
			return nil
		})
	}
	_ = work.Wait() // no run fails
	var b strings.Builder
	b.WriteString("| machine |")
	for _, messages := range waiting {
		fmt.Fprintf(&b, " %d for the receiver |", messages)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", 1+len(waiting)) + "\n")
	for i, s := range subjects {
		fmt.Fprintf(&b, "| %s |", s.title)
		for _, r := range rows[i] {
			fmt.Fprintf(&b, " %.2f / %.2f |", r.marks, r.ignored)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// stopped is the number of messages that are accepted in a run in which a receiver never accepts. The first messages are for
// it, from different nodes if there are enough. Every other message is for a random other node.
func stopped(p *plan.Plan, cycles, messages int, ignoreMarks bool) float64 {
	receiver := p.Nodes / 2
	r := rand.New(rand.NewPCG(1, 1))
	to := make([]hypercycle.Destination, p.Nodes)
	for v := range to {
		to[v] = p.Machine.Graph.To(v)
	}
	t := machine.Traffic{Name: "stopped", Cycles: cycles, Stalls: []machine.Stall{{Receivers: []int{receiver}}}}
	others := slices.DeleteFunc(r.Perm(p.Nodes), func(v int) bool { return v == receiver })
	for i := range messages {
		t.Sends = append(t.Sends, machine.Send{From: others[i%len(others)], To: to[receiver]})
	}
	for range cycles { // a node injects at most one message in a cycle
		for v := range p.Nodes {
			other := others[r.IntN(len(others))]
			if other == v {
				other = others[(slices.Index(others, v)+1)%len(others)]
			}
			t.Sends = append(t.Sends, machine.Send{From: v, To: to[other]})
		}
	}
	n := sim.NewNetwork(p, t)
	if ignoreMarks {
		n.IgnoreMarks()
	}
	for n.Cycle() < cycles {
		n.Step()
	}
	return float64(n.Summary().Injections)
}
