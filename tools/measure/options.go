// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
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

// variantResult is a router with the options of a variant.
type variantResult struct {
	title  string
	target machine.Synthesis
	made   synthesis.Measured
}

var variantColumns = []column[*variantResult]{
	{"options", "options", "", "%s", func(r *variantResult) any { return r.title }},
	{"device", "device", "", "%s", func(r *variantResult) any { return r.target.Device + "-" + r.target.Package }},
	{"lut4", "LUT4", "", "%d", func(r *variantResult) any {
		if r.made.LUT4 == 0 {
			return "failed"
		}
		return r.made.LUT4
	}},
	{"ff", "FF", "", "%d", func(r *variantResult) any { return unlessZero(r.made.FF) }},
	{"clock_mhz", "clock, min / median / max, MHz", "of the seeds", "%.2f", func(r *variantResult) any {
		switch {
		case r.made.LUT4 == 0:
			return nil
		case r.made.Overflow != nil:
			return "no fit"
		}
		return clocks(r.made.Clock)
	}},
}

// toolOptions synthesizes the router of a machine with other options of Yosys and nextpnr, one at a time, for every target.
// Options that do not work are reported as failed.
func toolOptions(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	config := flags.String("config", "configs/torus4x4.hcl", "`file` with the description")
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	return func(ctx context.Context) (*report, error) {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		m, err := loadMachine(*config, nil)
		if err != nil {
			return nil, err
		}
		if m.NoRouters {
			return nil, fmt.Errorf("%s has no routers", *config)
		}
		var units []unit
		var results []*variantResult
		for i, v := range variants {
			for _, target := range m.Synthesis {
				target.Seeds = seeds
				t, err := synthesis.NewTask(m, "", synthesis.Options{Target: target, Variables: v.variables})
				if err != nil {
					return nil, err
				}
				result := &variantResult{title: v.title, target: target}
				results = append(results, result)
				units = append(units, unit{fmt.Sprintf("%s.%s.%d", m.Name, target.Name, i), task{Synthesis: t}, &result.made})
			}
		}
		err = r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units)
		if err != nil && !errors.As(err, new(*unfinished)) {
			return nil, err
		}
		return &report{Tables: []table{tableOf("the router of "+m.Name, variantColumns, results)}, Conditions: "Seeds " + words(seeds) + "."}, err
	}
}
