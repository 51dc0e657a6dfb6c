// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

var placersPlace = place{"docs/performance.md", "placers"}

// placers places equal netlists of an HX8K with every placer of the iCE40 family: Debian's, and the newest in WebAssembly.
func placers(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	return func(ctx context.Context) (*report, error) {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		chosen, err := choose([]string{reference})
		if err != nil {
			return nil, err
		}
		routers, err := chosen[0].machine()
		if err != nil {
			return nil, err
		}
		target := chosen[0].target(routers, seeds, false)
		programs := fpga.Named(target.Family).Placers
		var all []placed
		var units []unit
		add := func(design, name string, m *machine.Machine, collective string) {
			for _, program := range programs {
				p := placed{design: design, on: program, made: &synthesis.Measured{}}
				t, fault := synthesis.NewTask(m, collective, synthesis.Options{Target: target, Variables: []string{"NEXTPNR=" + program}})
				err = errors.Join(err, fault)
				all, units = append(all, p), append(units, unit{name + "." + program, task{Synthesis: t}, p.made})
			}
		}
		add(fmt.Sprintf("%s, %d bits", chosen[0].title, routers.PayloadBits), reference, routers, "")
		m, c := collectiveTorus(collective.AllGather)
		add(fmt.Sprintf("%s node, %d bits", c.Operation, c.PayloadBits), "4x4."+c.Operation, m, c.Name)
		if err != nil {
			return nil, err
		}
		if err := r.run(ctx, append([]string{"yosys"}, programs...), units); err != nil {
			return nil, err
		}
		columns := append(only(placedColumns, "design"), column[placed]{"placer", "placer", "", "%s", func(p placed) any {
			return p.on + " " + p.made.Tools[programs[0]]
		}})
		columns = append(columns, only(placedColumns, "lut4", "ff")...)
		columns = append(columns, column[placed]{"cells", "logic cells", "", "%d", func(p placed) any { return p.made.Logic.Used }}, placedClock)
		made := &report{Tables: []table{tableOf("equal netlists on the HX8K", columns, all)}}
		made.Conditions = fmt.Sprintf("Yosys %s; %g MHz wanted, seeds %s.", synthesis.Short(r.versions["yosys"]), target.ClockMHz, words(seeds))
		made.pages = []page{{placersPlace, made.Tables, made.Conditions}}
		return made, nil
	}
}
