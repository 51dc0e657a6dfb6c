// SPDX-License-Identifier: Apache-2.0

// Adversary searches for traffic that keeps a message under way for long: nodes that send without a pause, single stalls, and
// messages of other nodes. It improves scenarios step by step, by the longest time under way in the reference model, prints the
// worst scenario of each machine, and fails if a message is held (docs/fairness.md).
//
//	go run ./tools/adversary
//
// Exit codes: 0 fine, 2 bad flags, 3 a message is held.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

func main() {
	runs := flag.Int("runs", 1000, "`scenarios` of each machine")
	cycles := flag.Int("cycles", 1500, "`cycles` of a scenario, 100 or more")
	seed := flag.Uint64("seed", 1, "seed of the search")
	flag.Parse()
	if flag.NArg() > 0 || *runs < 1 || *cycles < 100 {
		fmt.Fprintln(os.Stderr, "error: -runs is 1 or more, -cycles is 100 or more, and there are no other arguments")
		os.Exit(2)
	}
	held, err := campaign(os.Stdout, *runs, *cycles, *seed)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	if held {
		os.Exit(3)
	}
}

// simulate returns the figures of a network under a traffic.
func simulate(p *plan.Plan, t machine.Traffic) sim.Summary {
	n := sim.NewNetwork(p, t)
	for n.Cycle() < t.Cycles {
		n.Step()
	}
	return n.Summary()
}

// campaign attacks all machines and prints the worst scenarios. It reports whether a message is held.
func campaign(out io.Writer, runs, cycles int, seed uint64) (held bool, err error) {
	list, err := subjects()
	if err != nil {
		return false, err
	}
	worst := make([]attack, len(list))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i, s := range list {
		work.Go(func() error {
			worst[i] = search(s.plan, runs, cycles, seed, simulate)
			return nil
		})
	}
	_ = work.Wait() // no search fails
	for i, s := range list {
		a := worst[i]
		fmt.Fprintf(out, "%s: longest %d cycles under way, passed in %d ticks\n%s", s.title, a.MaxTimeUnderWay, a.MaxPassedTicks, a.scenario)
		if fault := fault(a.Summary, cycles); fault != nil {
			held = true
			fmt.Fprintf(out, "FAIL: %v\n", fault)
		}
	}
	return held, nil
}
