// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"os"
	"time"

	"github.com/hcgen/hcgen/machine"
)

// bigRun is a load on the RTL.
type bigRun struct {
	what    string
	load    machine.Traffic
	memory  int64 // of this process, which has the model, KB
	seconds float64
}

var bigColumns = []column[*bigRun]{
	{"load", "load", "", "%s", func(r *bigRun) any { return r.what }},
	{"seconds", "time, s", "", "%.0f", func(r *bigRun) any { return r.seconds }},
	{"model_kb", "model, KB", "", "%d", func(r *bigRun) any { return r.memory }},
}

// big replays loads on the 50,625 routers of configs/prototype15.hcl in RTL, cycle by cycle against the reference model, with
// time and memory: one broadcast, and 1,000 at once. The bench prints what it does.
func big(*flag.FlagSet) func(context.Context) (*report, error) {
	return func(ctx context.Context) (*report, error) {
		m, err := loadMachine("configs/prototype15.hcl", nil)
		if err != nil {
			return nil, err
		}
		g, remove, err := generate(ctx, m)
		if err != nil {
			return nil, err
		}
		defer remove()
		runs := []*bigRun{
			{what: "one broadcast", load: g.plan.Alone(m.Graph.Nodes() / 2)},
			{what: "1,000 broadcasts at once", load: thousand(m)},
		}
		for _, run := range runs {
			start := time.Now()
			if err := g.array(ctx, run.load, os.Stderr, "BENCH_OPT=-O2"); err != nil {
				return nil, err
			}
			if _, run.memory, err = used(); err != nil {
				return nil, err
			}
			run.seconds = time.Since(start).Seconds()
		}
		return &report{Tables: []table{tableOf("50,625 routers in RTL", bigColumns, runs)}}, nil
	}
}

// thousand is a load of 1,000 broadcasts whose sources are from the generator of Park and Miller.
func thousand(m *machine.Machine) machine.Traffic {
	load := machine.Traffic{Name: "thousand", Cycles: 1200}
	x := 1
	for range 1000 {
		node := 0
		for range m.Dimensions { // the highest first; all have the same m
			x = x * 16807 % 2147483647
			node = node*m.Dimensions[0].M + x%m.Dimensions[0].M
		}
		load.Sends = append(load.Sends, machine.Send{From: node})
	}
	return load
}
