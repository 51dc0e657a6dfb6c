// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/hcgen/hcgen/internal/synthesis"
)

// variants are settings of the synthesis script that differ from its defaults, one at a time.
var variants = []struct {
	title     string
	variables []string
}{
	{"as they are", nil},
	{"Yosys: the default script of abc9", []string{"ABC9_SCRIPT="}},
	{"Yosys: abc9.script.flow", []string{"ABC9_SCRIPT=flow"}},
	{"Yosys: abc9.script.flow3", []string{"ABC9_SCRIPT=flow3"}},
	{"Yosys: abc9 with a goal of 4 ns", []string{"ABC9_DELAY=4000"}},
	{"Yosys: abc9 with a goal of 20 ns", []string{"ABC9_DELAY=20000"}},
	{"OPTIMIZE=area", []string{"OPTIMIZE=area"}},
	{"Yosys: abc9 with 5 ns, and 0.7 ns for a wire", []string{"ABC9_DELAY=5000", "ABC9_WIRE=700"}},
	{"Yosys: clock enables for any group", []string{"YOSYS_OPTIONS=-abc9"}},
	{"Yosys: abc instead of abc9", []string{"YOSYS_OPTIONS=-dffe_min_ce_use 8"}},
	{"Yosys: abc with retiming", []string{"YOSYS_OPTIONS=-dffe_min_ce_use 8 -retime"}},
	{"nextpnr: default options", []string{"NEXTPNR_OPTIONS="}},
	{"nextpnr: no globals but the clock, only", []string{"NEXTPNR_OPTIONS=--no-promote-globals"}},
}

// toolOptions synthesizes the router of a machine with other options of Yosys and nextpnr, one at a time, for every target, and
// prints LUT4, flip-flops and the clock with each. Options that do not work are reported and left out.
func toolOptions(flags *flag.FlagSet) func(context.Context, io.Writer) error {
	r := newRunner(flags)
	config := flags.String("config", "configs/torus4x4.hcl", "`file` with the description")
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	return func(ctx context.Context, out io.Writer) error {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return err
		}
		m, err := loadMachine(*config, nil)
		if err != nil {
			return err
		}
		if m.NoRouters {
			return fmt.Errorf("%s has no routers", *config)
		}
		var units []unit
		results := make([]synthesis.Measured, len(variants)*len(m.Synthesis))
		for i, v := range variants {
			for j, target := range m.Synthesis {
				target.Seeds = seeds
				t, err := synthesis.NewTask(m, "", synthesis.Options{Target: target, Variables: v.variables})
				if err != nil {
					return err
				}
				at := i*len(m.Synthesis) + j
				units = append(units, unit{fmt.Sprintf("%s.%s.%d", m.Name, target.Name, i), task{Synthesis: t}, &results[at]})
			}
		}
		measured := r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units)
		if measured != nil && !errors.As(measured, new(*unfinished)) {
			return measured
		}
		fmt.Fprintf(out, "%-46s %6s %6s   min / median / max MHz over seeds %s\n", "options", "LUT4", "FF", words(seeds))
		for i, result := range results {
			v, target := variants[i/len(m.Synthesis)], m.Synthesis[i%len(m.Synthesis)]
			if result.LUT4 == 0 {
				fmt.Fprintf(out, "%-46s failed\n", v.title)
				continue
			}
			clock := "does not fit"
			if result.Overflow == nil {
				clock = list("%.2f", result.Clock.Min, result.Clock.Median, result.Clock.Max)
			}
			fmt.Fprintf(out, "%-46s %6d %6d   %s on %s-%s\n", v.title, result.LUT4, result.FF, clock, target.Device, target.Package)
		}
		return measured
	}
}
