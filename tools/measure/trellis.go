// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

var (
	trellisPlace         = place{"docs/performance.md", "trellis"}
	trellisNetworksPlace = place{"docs/performance.md", "trellis-networks"}
)

// trellisMHz is the clock that the tools aim for on an LFE5U.
const trellisMHz = 150

var placedClock = column[placed]{"clock_mhz", "clock, min / median / max, MHz", "", "%.0f", func(p placed) any {
	if p.made.Overflow != nil {
		return "no fit"
	}
	return clocks(p.made.Clock)
}}

// trellis places routers and nodes of collective networks, or whole networks that fit on no iCE40, on an LFE5U-85F.
func trellis(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	machines := flags.String("machines", "ring8 torus4x4 cube4", "measure routers of machines with these `names`")
	networks := flags.Bool("networks", false, "place whole networks of the 4x4 torus, one of routers and two collective networks")
	return func(ctx context.Context) (*report, error) {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		chosen, err := choose(split(*machines))
		if *networks {
			chosen, err = choose([]string{reference})
		}
		if err != nil {
			return nil, err
		}
		target := synthesis.LFE5U("85k", seeds...)
		target.ClockMHz = trellisMHz
		placer, err := fpga.Named(target.Family).Placer()
		if err != nil {
			return nil, err
		}
		title, columns, of, at := "routers and nodes on the LFE5U-85F", append(only(placedColumns, "design", "lut4", "ff"), placedClock), " node", trellisPlace
		if *networks {
			title, columns, of, at = "networks of the 4x4 torus on the LFE5U-85F", only(placedColumns, "design", "lut4", "ff", "bram", "mhz"), "", trellisNetworksPlace
		}
		var all []placed
		var units []unit
		add := func(design, name string, m *machine.Machine, collective string) {
			p := placed{design: design, made: &synthesis.Measured{}, network: *networks}
			t, fault := synthesis.NewTask(m, collective, synthesis.Options{Target: target, Network: *networks})
			err = errors.Join(err, fault)
			all, units = append(all, p), append(units, unit{name, task{Synthesis: t}, p.made})
		}
		for i := range chosen {
			m, fault := chosen[i].machine()
			if fault != nil {
				return nil, fault
			}
			add(fmt.Sprintf("%s, %d bits", chosen[i].title, m.PayloadBits), chosen[i].name, m, "")
		}
		for _, operation := range []string{collective.AllReduceWord, collective.AllGather} {
			m, c := collectiveTorus(operation)
			add(fmt.Sprintf("%s%s, %d bits", operation, of, c.PayloadBits), "4x4."+operation, m, c.Name)
		}
		if err != nil {
			return nil, err
		}
		if err := r.run(ctx, []string{"yosys", "nextpnr-ecp5"}, units); err != nil {
			return nil, err
		}
		made := &report{Tables: []table{tableOf(title, columns, all)}}
		made.Conditions = fmt.Sprintf("Yosys %s, %s %s; %d MHz wanted, speed grade 6, seeds %s.", synthesis.Short(r.versions["yosys"]), placer,
			synthesis.Short(r.versions["nextpnr-ecp5"]), trellisMHz, words(seeds))
		made.pages = []page{{at, made.Tables, made.Conditions}}
		return made, nil
	}
}

// collectiveTorus is the 4x4 torus with a collective network of words of 32 bits, and without routers.
func collectiveTorus(operation string) (*machine.Machine, machine.Collective) {
	m, c := shaped("4x4"), explore.CollectiveBlock(operation)
	m.Collectives, m.NoRouters = []machine.Collective{c}, true
	return m, c
}
