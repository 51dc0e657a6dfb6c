// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
)

// The modules that programmable measures, and the wrapper for placement.
const (
	engineModule = "hc_weight_engine"
	routerModule = "hc_router_programmable"
	pinsFile     = "tools/measure/hc_router_programmable_pins.v"

	fullDegree = 16 // of the prototype, and the default of the modules
)

// programmable measures the programmable router of the prototype's limits with 8-bit payload: LUTs and flip-flops of the weight
// engine alone and of the whole router, on iCE40 and as generic LUTs of 4 inputs, and the clock on an HX8K, if it can be placed.
// With all ports it has also the times that the paper gives for its prototype.
func programmable(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	degree := flags.Int("degree", fullDegree, "`ports` of the router; the other limits stay")
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	limit := flags.Duration("time", 25*time.Minute, "time that a seed may take; what is placed by then and not routed has the clock that nextpnr estimates")
	return func(ctx context.Context) (*report, error) {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		if *degree < 1 || *degree > fullDegree || *limit <= 0 {
			return nil, &badFlag{fmt.Sprintf("-degree is 1 to %d, and -time above 0", fullDegree)}
		}
		var units []unit
		add := func(what string, t task, into any) {
			units = append(units, unit{fmt.Sprintf("%s.degree%d", what, *degree), t, into})
		}
		modules := []*moduleCells{
			{what: "weight engine", module: engineModule},
			{what: "router", module: routerModule},
			{what: "router with destinations", module: routerModule, parameters: " -set DESTINATION_BITS 13 -set TDEST_BITS 20 -set DIGITS_BITS 16"},
		}
		for _, c := range modules {
			if c.parameters == "" {
				t, err := newProgrammableTask(programmableTask{Module: c.module, Degree: *degree, Options: programmableOptions()})
				if err != nil {
					return nil, err
				}
				add(c.module, task{Programmable: t}, &c.ice40)
			}
			m, err := newMapping(mapping{Modules: library, Commands: fmt.Sprintf("chparam -set DEGREE %d%s %s; synth -lut 4 -flatten -top %[3]s", *degree, c.parameters, c.module)})
			if err != nil {
				return nil, err
			}
			add("lut4."+strings.ReplaceAll(c.what, " ", "-"), task{Mapping: m}, &c.generic)
		}
		var placements []*placement
		for _, seed := range seeds {
			o := programmableOptions(seed)
			o.Time = *limit
			t, err := newProgrammableTask(programmableTask{Module: routerModule, Degree: *degree, Options: o})
			if err != nil {
				return nil, err
			}
			p := &placement{seed: seed}
			placements = append(placements, p)
			add(fmt.Sprintf("seed%d", seed), task{Programmable: t}, &p.made)
		}
		if err := r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units); err != nil {
			return nil, err
		}
		all := &report{Tables: []table{
			tableOf(fmt.Sprintf("4 dimensions, 15 nodes, degree %d, 8-bit payload", *degree), moduleColumns, modules),
			tableOf("placements on an HX8K", placementColumns, placements),
		}}
		if *degree == fullDegree { // only that is the prototype's
			hops, err := prototypeHops(placements)
			if err != nil {
				return nil, err
			}
			all.Tables = append(all.Tables, tableOf("the most time of a message at a node, of a broadcast alone", hopColumns, hops))
		}
		return all, nil
	}
}

// moduleCells are the cells of a module.
type moduleCells struct {
	what, module, parameters string
	ice40                    synthesis.Measured // of the default parameters only
	generic                  map[string]int     // as generic LUTs, by type
}

var moduleColumns = []column[*moduleCells]{
	{"module", "module", "", "%s", func(c *moduleCells) any { return c.what }},
	{"ice40_lut4", "iCE40 LUT4", "", "%d", func(c *moduleCells) any { return unlessZero(c.ice40.LUT4) }},
	{"ice40_ff", "FF", "", "%d", func(c *moduleCells) any { return unlessZero(c.ice40.FF) }},
	{"generic_lut4", "generic LUT4", "of synth -lut 4", "%d", func(c *moduleCells) any { return c.generic["$lut"] }},
	{"generic_ff", "FF", "", "%d", func(c *moduleCells) any {
		ff := 0
		for kind, n := range c.generic {
			if strings.HasPrefix(kind, "$_") && strings.Contains(kind, "DFF") {
				ff += n
			}
		}
		return ff
	}},
}

// placement is one placement of the router.
type placement struct {
	seed int
	made synthesis.Measured
}

var placementColumns = []column[*placement]{
	{"seed", "seed", "", "%d", func(p *placement) any { return p.seed }},
	{"mhz", "MHz", "as estimated after placement, if it is not routed in the time of a seed", "%.2f", func(p *placement) any { return unlessZero(p.made.Clock.Median) }},
	{"state", "state", "", "%s", func(p *placement) any {
		switch {
		case p.made.Overflow != nil:
			return "no fit"
		case p.routed():
			return "routed"
		}
		return "not routed"
	}},
	{"logic_cells", "logic cells", "used / available", "%d", func(p *placement) any {
		use := p.made.Logic
		if p.made.Overflow != nil {
			use = *p.made.Overflow
		}
		return []int{use.Used, use.Available}
	}},
}

func (p *placement) routed() bool { return p.made.Overflow == nil && p.made.Seeds[0].Routed }

// hop is the time of a message at a node.
type hop struct {
	node   string
	cycles int
	mhz    float64 // 0 if the router is not placed
}

var hopColumns = []column[hop]{
	{"node", "node", "", "%s", func(h hop) any { return h.node }},
	{"cycles", "cycles", "", "%d", func(h hop) any { return h.cycles }},
	{"ns", "ns", "at the median clock of the seeds that are routed", "%.1f", func(h hop) any {
		if h.mhz == 0 {
			return nil
		}
		return nanoseconds(h.cycles, h.mhz)
	}},
}

// prototypeHops are the times that the paper gives for its prototype.
func prototypeHops(placements []*placement) ([]hop, error) {
	source, intermediate, err := hopCycles("degree16")
	if err != nil {
		return nil, err
	}
	_, ring, err := hopCycles("ring8")
	if err != nil {
		return nil, err
	}
	var routed []float64
	for _, p := range placements {
		if p.routed() {
			routed = append(routed, p.made.Clock.Median)
		}
	}
	slices.Sort(routed)
	median := 0.0
	if n := len(routed); n > 0 {
		median = (routed[(n-1)/2] + routed[n/2]) / 2
	}
	return []hop{
		{"source, 4 dimensions, degree 16", source, median},
		{"intermediate node, 4 dimensions, degree 16", intermediate, median},
		{"intermediate node, 1 dimension", ring, median},
	}, nil
}

// hopCycles returns, of a broadcast alone on an example in the model, the most cycles from when its source, or any other node,
// takes the message until the next node does. make campaign WHAT=programmable compares the router with this broadcast in every
// cycle.
func hopCycles(config string) (source, others int, err error) {
	m, err := loadMachine(path.Join("configs", config+".hcl"), nil)
	if err != nil {
		return 0, 0, err
	}
	taken := map[int]int{} // the cycle, by node
	for _, d := range measure.Single(plan.New(m), 0, nil).Deliveries {
		taken[d.Node] = d.Cycle
		if d.Step == 1 {
			source = max(source, d.Cycle-1)
		} else {
			others = max(others, d.Cycle-taken[d.Parent])
		}
	}
	return source, others, nil
}

// programmableOptions are the options of synthesis on an HX8K. The commands are the first of the four rounds of abc9's script
// flow2: the best of all that flow2 keeps has the fewest LUTs in a row and up to 200 more in all, but the goal is met by each.
func programmableOptions(seeds ...int) synthesis.Options {
	target := synthesis.HX8K(seeds...)
	target.ClockMHz = 50
	return synthesis.Options{Target: target, Variables: []string{
		"ABC9_SCRIPT=+&scorr; &sweep; &synch2 -K 6 -C 500; &if -m {C} {W} {D} {R} -v; &mfs", "ABC9_DELAY=12900", "ABC9_WIRE=700",
		"NEXTPNR_OPTIONS=--placer-heap-timingweight 20",
	}}
}

// programmableTask synthesizes a module of the library with other ports than its default, and places it behind the wrapper.
type programmableTask struct {
	Module  string
	Degree  int
	Files   string // hash
	Options synthesis.Options
}

// newProgrammableTask completes a task.
func newProgrammableTask(t programmableTask) (*programmableTask, error) {
	d, err := t.design()
	if err != nil {
		return nil, err
	}
	t.Files = d.Hash()
	return &t, nil
}

var degreeDefault = regexp.MustCompile(`(parameter integer DEGREE +=) 16\b`)

// design has the library with the ports as the default of all modules: to set a parameter would change the order in which cells
// come to abc9.
func (t *programmableTask) design() (*synthesis.Design, error) {
	files, err := modules(library...)
	if err != nil {
		return nil, err
	}
	files["filelist.f"] = strings.Join(slices.Sorted(maps.Keys(files)), "\n") + "\n"
	wrapper, err := os.ReadFile(pinsFile)
	if err != nil {
		return nil, err
	}
	if err := addScript(files); err != nil {
		return nil, err
	}
	files["synth/"+path.Base(pinsFile)] = string(wrapper)
	for name, text := range files {
		files[name] = degreeDefault.ReplaceAllString(text, fmt.Sprintf("$1 %d", t.Degree))
	}
	return &synthesis.Design{Machine: "programmable", Collective: "module", Node: t.Module, Files: files}, nil
}

// addScript adds the script of synthesis for the iCE40, and further generated files.
func addScript(files synthesis.Files, more ...artifact.File) error {
	script, err := synth.Script(func(mark string) string { return mark }, fpga.Families[:1])
	if err != nil {
		return err
	}
	for _, f := range append(script, more...) {
		var text strings.Builder
		if err := f.Content(&text); err != nil {
			return err
		}
		files[f.Path] = text.String()
	}
	return nil
}

func (t *programmableTask) do(ctx context.Context) (any, error) {
	d, err := t.design()
	if err != nil {
		return nil, err
	}
	if d.Hash() != t.Files {
		return nil, errOther
	}
	return d.Measure(ctx, t.Options)
}
