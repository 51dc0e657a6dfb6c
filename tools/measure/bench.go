// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/plan"
)

// What bench writes.
var (
	benchPlace = place{"docs/performance.md", "bench"}
	frontPlace = place{"README.md", "figures"}
)

// bench measures cells and clock of routers and networks over several seeds, cycles and nanoseconds of one broadcast in RTL,
// saturated load and fairness in the reference model, and the ratios of these to the goals.
func bench(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	seedList := flags.String("seeds", "1 2 3 4 5", "`seeds` of placement, with blanks or commas between them")
	machines := flags.String("machines", "", "measure only machines with these `names`")
	return func(ctx context.Context) (*report, error) {
		program, err := campaign.Program()
		if err != nil {
			return nil, err
		}
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		chosen, err := choose(split(*machines))
		if err != nil {
			return nil, err
		}
		var units []unit
		results := make([]*result, len(chosen))
		for i := range chosen {
			results[i] = &result{subject: &chosen[i]}
			more, err := results[i].units(program, seeds)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", chosen[i].name, err)
			}
			units = append(units, more...)
		}
		if err := r.run(ctx, []string{"g++", "verilator", "yosys", "nextpnr-ice40"}, units); err != nil {
			return nil, err
		}
		for _, measured := range results {
			if use := cmp.Or(measured.router.Overflow, measured.network.Overflow); use != nil {
				return nil, fmt.Errorf("%s: %w", measured.name, &synthesis.Overflow{Use: *use})
			}
		}
		return benchReport(results, fmt.Sprintf("Measured with Go %s, Verilator %s, nextpnr-ice40 %s, yosys %s; seeds %s.",
			strings.TrimPrefix(runtime.Version(), "go"), synthesis.Short(r.versions["verilator"]), synthesis.Short(r.versions["nextpnr-ice40"]),
			synthesis.Short(r.versions["yosys"]), words(seeds))), nil
	}
}

// units are the units that measure the subject.
func (r *result) units(program string, seeds []int) (all []unit, err error) {
	m, err := r.machine()
	if err != nil {
		return nil, err
	}
	r.stages, r.rightCycles = m.Stages, plan.New(m).Crossing()+1
	add := func(what string, t task, into any) { all = append(all, unit{r.name + "." + what, t, into}) }
	add("broadcast", task{Broadcast: &broadcastTask{string(m.HCL()), program}}, &r.cycles)
	add("load", task{Saturation: &saturationTask{string(m.HCL()), program}}, &r.load)
	t, err := synthesis.NewTask(m, "", synthesis.Options{Target: r.target(m, seeds, false)})
	if err != nil {
		return nil, err
	}
	add("router", task{Synthesis: t}, &r.router)
	if r.networkMHz > 0 {
		if t, err = synthesis.NewTask(m, "", synthesis.Options{Target: r.target(m, seeds, true), Network: true}); err != nil {
			return nil, err
		}
		add("network", task{Synthesis: t}, &r.network)
	}
	return all, nil
}

// benchReport has the tables of the results.
func benchReport(results []*result, conditions string) *report {
	all := &report{Conditions: conditions}
	var placed []*result
	for _, r := range results {
		r.check(all)
		if r.networkMHz > 0 {
			placed = append(placed, r)
		}
	}
	const routersTitle = "routers on the HX8K"
	networks := tableOf("networks on the HX8K, behind few pins", networkColumns, placed)
	all.Tables = []table{
		tableOf(routersTitle, only(machineColumns, "machine", "degree", "payload_bits", "lut4", "lut4_goal", "lut4_ratio", "ff",
			"clock_mhz", "clock_goal", "clock_ratio", "ns_per_hop"), results),
		networks,
		tableOf("broadcasts and load", only(machineColumns, "machine", "nodes", "broadcast_cycles", "broadcast_ns", "deliveries", "deliveries_bound",
			"fairness"), results),
	}
	all.pages = []page{
		{benchPlace, []table{
			tableOf(routersTitle, only(machineColumns, "machine", "degree", "payload_bits", "lut4", "ff", "clock_mhz", "ns_per_hop", "broadcast_cycles",
				"broadcast_ns"), results),
			networks,
		}, conditions},
		{frontPlace, []table{
			tableOf("routers", only(machineColumns, "machine", "payload_bits", "lut4", "ff", "clock_mhz", "broadcast_cycles", "broadcast_ns"), results),
		}, ""},
	}
	return all
}

// split splits a list at blanks or commas.
func split(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ' ' || c == ',' })
}

// parseSeeds reads a list of seeds.
func parseSeeds(list string) ([]int, error) {
	var seeds []int
	for _, word := range split(list) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, &badFlag{fmt.Sprintf("the seed %q is not a whole number", word)}
		}
		if slices.Contains(seeds, n) {
			return nil, &badFlag{fmt.Sprintf("the seed %d is there twice", n)}
		}
		seeds = append(seeds, n)
	}
	if len(seeds) == 0 {
		return nil, &badFlag{"there is no seed"}
	}
	return seeds, nil
}
