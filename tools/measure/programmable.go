// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/templates"
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
// The last table compares it with the prototype of the paper.
func programmable(flags *flag.FlagSet) func(context.Context, io.Writer) error {
	r := newRunner(flags)
	degree := flags.Int("degree", fullDegree, "`ports` of the router; the other limits stay")
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	limit := flags.Duration("time", 25*time.Minute, "time that a seed may take; what is placed by then and not routed has the clock that nextpnr estimates")
	return func(ctx context.Context, out io.Writer) error {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return err
		}
		if *degree < 1 || *degree > fullDegree || *limit <= 0 {
			return &badFlag{fmt.Sprintf("-degree is 1 to %d, and -time above 0", fullDegree)}
		}
		var units []unit
		var cells [2]synthesis.Measured
		var generic [3]map[string]int
		name := func(what string) string { return fmt.Sprintf("%s.degree%d", what, *degree) }
		for i, module := range []string{engineModule, routerModule} {
			t, err := newProgrammableTask(programmableTask{Module: module, Degree: *degree, Options: programmableOptions()})
			if err != nil {
				return err
			}
			units = append(units, unit{name(module), task{Programmable: t}, &cells[i]})
		}
		for i, g := range []struct{ what, module, parameters string }{
			{"engine", engineModule, ""},
			{"router", routerModule, ""},
			{"destinations", routerModule, " -set DESTINATION_BITS 13 -set TDEST_BITS 20 -set DIGITS_BITS 16"},
		} {
			m, err := newMapping(mapping{Modules: library, Commands: fmt.Sprintf("chparam -set DEGREE %d%s %s; synth -lut 4 -flatten -top %[3]s", *degree, g.parameters, g.module)})
			if err != nil {
				return err
			}
			units = append(units, unit{name("lut4." + g.what), task{Mapping: m}, &generic[i]})
		}
		placed := make([]synthesis.Measured, len(seeds))
		for i, seed := range seeds {
			o := programmableOptions(seed)
			o.Time = *limit
			t, err := newProgrammableTask(programmableTask{Module: routerModule, Degree: *degree, Options: o})
			if err != nil {
				return err
			}
			units = append(units, unit{name(fmt.Sprintf("seed%d", seed)), task{Programmable: t}, &placed[i]})
		}
		if err := r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units); err != nil {
			return err
		}

		fmt.Fprintf(out, "4 dimensions, 15 nodes, degree %d, 8-bit payload:\n", *degree)
		for i, module := range []string{engineModule, routerModule} {
			fmt.Fprintf(out, "%s: iCE40 %s; synth -lut 4: %s\n", module, onICE40(cells[i]), onLUT4(generic[i]))
		}
		fmt.Fprintf(out, "with destinations: synth -lut 4: %s\n", onLUT4(generic[2]))
		for i, seed := range seeds {
			fmt.Fprintf(out, "HX8K, seed %d: %s\n", seed, placement(placed[i], *limit))
		}
		if *degree != fullDegree { // only that is the prototype's
			return nil
		}
		return compareWithPrototype(out, cells, placed)
	}
}

// onICE40 and onLUT4 are the cells of a module.
func onICE40(m synthesis.Measured) string { return fmt.Sprintf("%d LUT4, %d FF", m.LUT4, m.FF) }

func onLUT4(cells map[string]int) string {
	ff := 0
	for kind, n := range cells {
		if strings.HasPrefix(kind, "$_") && strings.Contains(kind, "DFF") {
			ff += n
		}
	}
	return fmt.Sprintf("%d LUT4, %d FF", cells["$lut"], ff)
}

// placement describes one placement.
func placement(m synthesis.Measured, limit time.Duration) string {
	switch {
	case m.Overflow != nil:
		return fmt.Sprintf("does not fit: %s logic cells", logic(m))
	case !m.Seeds[0].Routed:
		return fmt.Sprintf("not routed in %.0f s; %.2f MHz as estimated after placement, %s logic cells", limit.Seconds(), m.Clock.Median, logic(m))
	}
	return fmt.Sprintf("%.2f MHz, %s logic cells", m.Clock.Median, logic(m))
}

func logic(m synthesis.Measured) string {
	use := m.Logic
	if m.Overflow != nil {
		use = *m.Overflow
	}
	return fmt.Sprintf("%d/ %d", use.Used, use.Available)
}

// compareWithPrototype prints the comparison with the prototype of the paper.
func compareWithPrototype(out io.Writer, cells [2]synthesis.Measured, placed []synthesis.Measured) error {
	source, intermediate, err := hopCycles("degree16")
	if err != nil {
		return err
	}
	_, ring, err := hopCycles("ring8")
	if err != nil {
		return err
	}
	var clocks []float64
	for _, m := range placed {
		if m.Overflow == nil && m.Seeds[0].Routed {
			clocks = append(clocks, m.Clock.Median)
		}
	}
	slices.Sort(clocks)
	clock, median := "not routed", 0.0
	if n := len(clocks); n > 0 {
		median = (clocks[(n-1)/2] + clocks[n/2]) / 2
		clock = fmt.Sprintf("%.1f / %.1f / %.1f MHz, min / median / max", clocks[0], median, clocks[n-1])
	}
	message := func(cycles int) string {
		text := fmt.Sprintf("%d cycles", cycles)
		if cycles == 1 {
			text = "1 cycle"
		}
		if median > 0 {
			text += fmt.Sprintf(", %.1f ns", nanoseconds(cycles, median))
		}
		return text
	}
	for _, row := range [][3]string{
		{"", "prototype", "this router"},
		{"device", "XC4013, 98 % used", "HX8K, " + logic(placed[len(placed)-1]) + " logic cells"},
		{"weights alone", "2106 cells, 62 pins", onICE40(cells[0])},
		{"whole router", "-", onICE40(cells[1])},
		{"clock", "25 MHz", clock},
		{"source, 4 dimensions, degree 16", "125 cycles, 5 us", message(source)},
		{"intermediate node, 4 dimensions, degree 16", "100 cycles, 4 us", message(intermediate)},
		{"intermediate node, 1 dimension", "15 cycles, 0.6 us", message(ring)},
	} {
		fmt.Fprintf(out, "%-44s %-28s %s\n", row[0], row[1], row[2])
	}
	fmt.Fprintln(out, "(cycles of this router: the most of a broadcast alone in 15x15x15x15 with rho 2 and in the 8-ring, which it is compared with)")
	return nil
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
	script, err := templates.Files.ReadFile("synth/synth.sh")
	if err != nil {
		return nil, err
	}
	files["synth/synth.sh"], files["synth/"+path.Base(pinsFile)] = string(script), string(wrapper)
	for name, text := range files {
		files[name] = degreeDefault.ReplaceAllString(text, fmt.Sprintf("$1 %d", t.Degree))
	}
	return &synthesis.Design{Machine: "programmable", Collective: "module", Node: t.Module, Files: files}, nil
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
