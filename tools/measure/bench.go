// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

// What bench writes with -docs.
var (
	benchPlace = place{"docs/performance.md", "bench"}
	frontPlace = place{"README.md", "figures"}
)

// benchRun is what a run of bench measures.
type benchRun struct {
	seeds   []int
	vars    map[string]string // values of variables of the descriptions
	program string
	units   []unit
}

// bench measures cells and clock of routers and networks over several seeds, cycles and nanoseconds of one broadcast in RTL,
// saturated load and fairness in the reference model, the speed of simulation, and the ratios of these to the goals and to other
// open routers. It fails if a measurement contradicts a guarantee.
func bench(flags *flag.FlagSet) func(context.Context, io.Writer) error {
	r := newRunner(flags)
	seeds := flags.String("seeds", "1 2 3 4 5", "`seeds` of placement, with blanks or commas between them")
	machines := flags.String("machines", "", "measure only machines with these `names`, and neither the other examples nor the benchmarks")
	stages := flags.String("stages", "", "measure the machines, and nothing else, with this number of `cycles` per hop")
	delivery := flags.String("delivery", "", "measure the machines, and nothing else, with this `kind` of delivery")
	jsonFile := flags.String("json", "", "write all figures as JSON into this `file`")
	docs := flags.Bool("docs", false, "write the tables of "+benchPlace.file+" and "+frontPlace.file)
	return func(ctx context.Context, out io.Writer) error {
		program, err := campaign.Program()
		if err != nil {
			return err
		}
		b := benchRun{vars: map[string]string{}, program: program}
		if b.seeds, err = parseSeeds(*seeds); err != nil {
			return err
		}
		names := split(*machines)
		chosen, err := choose(names)
		if err != nil {
			return err
		}
		for name, value := range map[string]string{"stages": *stages, "delivery": *delivery} {
			if value != "" {
				b.vars[name] = value
			}
		}
		everything := len(names) == 0 && len(b.vars) == 0
		if *docs { // before the minutes that it takes
			if !everything {
				return &badFlag{"-docs needs all machines, as they are"}
			}
			if err := checkPlaces(benchPlace, frontPlace); err != nil {
				return err
			}
		}
		if *jsonFile != "" {
			if _, err := os.Stat(filepath.Dir(*jsonFile)); err != nil {
				return fmt.Errorf("-json %s: %w", *jsonFile, err)
			}
		}
		report, err := b.measure(ctx, r, chosen, everything)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, report.String()); err != nil {
			return err
		}
		if *jsonFile != "" {
			text, err := json.MarshalIndent(report, "", "  ")
			if err != nil {
				return err
			}
			if err := os.WriteFile(*jsonFile, append(text, '\n'), 0o644); err != nil {
				return err
			}
		}
		if len(report.Contradictions) > 0 { // the documentation gets no contradicted figures
			return errors.New(strings.Join(report.Contradictions, "\nerror: "))
		}
		if !*docs {
			return nil
		}
		if err := benchPlace.write(report.document()); err != nil {
			return err
		}
		return frontPlace.write(frontRows(otherRows(report.Machines, report.Others)).markdown())
	}
}

// measure measures the chosen subjects, and with everything also the other examples and the benchmarks.
func (b *benchRun) measure(ctx context.Context, r *runner, chosen []subject, everything bool) (*report, error) {
	all := &report{Seeds: b.seeds, Contradictions: []string{}}
	synthesized := make([]subjectCells, len(chosen))
	for i := range chosen {
		measured, err := b.addSubject(&chosen[i], &synthesized[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", chosen[i].name, err)
		}
		all.Machines = append(all.Machines, measured)
	}
	if everything {
		files, err := furtherExamples("configs")
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			m, err := loadMachine(file, nil)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			all.Examples = append(all.Examples, b.addBroadcast(m.Name, m))
		}
	}
	if err := r.run(ctx, []string{"g++", "verilator", "yosys", "nextpnr-ice40"}, b.units); err != nil {
		return nil, err
	}
	all.Tools = map[string]string{
		"Go": strings.TrimPrefix(runtime.Version(), "go"), "Verilator": synthesis.Short(r.versions["verilator"]),
		"yosys": synthesis.Short(r.versions["yosys"]), "nextpnr-ice40": synthesis.Short(r.versions["nextpnr-ice40"]),
	}
	for i, measured := range all.Machines {
		if err := synthesized[i].add(&chosen[i], measured); err != nil {
			return nil, fmt.Errorf("%s: %w", chosen[i].name, err)
		}
	}
	if ours := referenceOf(all.Machines); ours != nil {
		for i := range otherRouters {
			all.Others = append(all.Others, compare(&otherRouters[i], ours))
		}
	}
	for _, measured := range slices.Concat(all.Machines, all.Examples) {
		all.Contradictions = append(all.Contradictions, measured.contradictions()...)
	}
	if !everything {
		return all, nil
	}
	var err error
	if all.Speeds, err = speeds(ctx); err != nil {
		return nil, err
	}
	if all.Overload, err = benchmarks(ctx, "./sim/measure", "Overload"); err != nil {
		return nil, err
	}
	all.Generation, err = benchmarks(ctx, "./internal/assemble", "Generate")
	return all, err
}

// subjectCells are the designs of a subject that are synthesized.
type subjectCells struct {
	stages          int
	router, network synthesis.Measured
}

// addSubject adds the units of a subject.
func (b *benchRun) addSubject(s *subject, into *subjectCells) (*result, error) {
	m, err := s.machine(b.vars)
	if err != nil {
		return nil, err
	}
	into.stages = m.Stages
	measured := b.addBroadcast(s.name, m)
	measured.Machine, measured.Title, measured.Load = s.name, s.title, &saturation{}
	b.add(s.name+".load", task{Saturation: &saturationTask{string(m.HCL()), b.program}}, measured.Load)
	if err := b.addSynthesis(s.name+".router", m, synthesis.Options{Target: s.target(m, b.seeds, false)}, &into.router); err != nil {
		return nil, err
	}
	if s.network > 0 {
		if err := b.addSynthesis(s.name+".network", m, synthesis.Options{Target: s.target(m, b.seeds, true), Network: true}, &into.network); err != nil {
			return nil, err
		}
	}
	return measured, nil
}

// addBroadcast adds the unit of one broadcast in RTL.
func (b *benchRun) addBroadcast(name string, m *machine.Machine) *result {
	measured := &result{
		Machine: m.Name, Title: m.Name, Nodes: m.Graph.Nodes(), Degree: m.Graph.Degree(), PayloadBits: m.PayloadBits,
		CyclesBound: m.Stages*m.Graph.Diameter() + 1,
	}
	b.add(name+".broadcast", task{Broadcast: &broadcastTask{string(m.HCL()), b.program}}, &measured.Cycles)
	return measured
}

// addSynthesis adds the unit of a router or of a network.
func (b *benchRun) addSynthesis(name string, m *machine.Machine, o synthesis.Options, into *synthesis.Measured) error {
	t, err := synthesis.NewTask(m, "", o)
	b.add(name, task{Synthesis: t}, into)
	return err
}

func (b *benchRun) add(name string, t task, into any) {
	b.units = append(b.units, unit{name, t, into})
}

// add puts the figures of synthesis beside the others of a subject.
func (c *subjectCells) add(s *subject, r *result) error {
	if o := cmp.Or(c.router.Overflow, c.network.Overflow); o != nil {
		return &synthesis.Overflow{Use: *o}
	}
	r.Router = newRouter(&c.router, s, c.stages)
	r.BroadcastNS = nanoseconds(r.Cycles, r.Router.Clock.Median)
	if s.network > 0 {
		r.Network = newNetwork(&c.network, s)
	}
	return nil
}

// furtherExamples are the descriptions in a folder that have a network and are not
// measured as subjects.
func furtherExamples(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.hcl"))
	if err != nil {
		return nil, err
	}
	var further []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".hcl")
		if slices.ContainsFunc(subjects(), func(s subject) bool { return s.config == name }) {
			continue
		}
		m, err := loadMachine(file, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if m.Network {
			further = append(further, file)
		}
	}
	return further, nil
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
