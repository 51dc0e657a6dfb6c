// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/hcgen/hcgen/machine"
)

// big replays loads on the 50,625 routers of configs/prototype15.hcl in RTL, cycle by cycle against the reference model, with
// time and memory: one broadcast, and 1,000 at once.
func big(*flag.FlagSet) func(context.Context, io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		m, err := loadMachine("configs/prototype15.hcl", nil)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "== generating")
		g, remove, err := generate(ctx, m)
		if err != nil {
			return err
		}
		defer remove()
		for _, run := range []struct {
			what string
			load machine.Traffic
		}{
			{"one broadcast", g.plan.Alone(m.Graph.Nodes() / 2)},
			{"1,000 broadcasts at once", thousand(m)},
		} {
			fmt.Fprintf(out, "\n== %s\n", run.what)
			start := time.Now()
			if err := g.array(ctx, run.load, out, "BENCH_OPT=-O2"); err != nil {
				return err
			}
			_, memory, err := used()
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "model: %d KB\nwall time: %.0f s\n", memory, time.Since(start).Seconds())
		}
		return nil
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
