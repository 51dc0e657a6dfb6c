// SPDX-License-Identifier: Apache-2.0

// Bench measures the figures of the documentation: cells and clock of routers and networks over
// several seeds, cycles and nanoseconds of one broadcast in RTL, saturated load and fairness in the
// reference model, the speed of simulation, and the ratios of these to the goals and to other open
// routers. It fails if a measurement contradicts a guarantee.
//
//	go run ./tools/bench -hcgen build/hcgen     (in the top folder of the project)
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/tools/internal/page"
)

// The files that -docs writes.
const (
	document   = "docs/performance.md"
	place      = "bench" // of the tables in it
	front      = "README.md"
	frontPlace = "figures" // of the table in it

	collectivesPlace = "collective-figures" // of the table of collective networks in it
)

func main() {
	switch err := run(os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run prints the report to out.
func run(arguments []string, out io.Writer) error {
	b := bench{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	seeds := flags.String("seeds", "1 2 3 4 5", "`seeds` of placement, with blanks or commas between them")
	machines := flags.String("machines", "", "measure only machines with these `names`, and neither the other examples nor the benchmarks")
	stages := flags.String("stages", "", "measure the machines, and nothing else, with this number of `cycles` per hop")
	delivery := flags.String("delivery", "", "measure the machines, and nothing else, with this `kind` of delivery")
	collectives := flags.Bool("collectives", false, "measure only the collective networks and the routers that they are compared with; -docs writes their table")
	jsonFile := flags.String("json", "", "write all figures as JSON into this `file`")
	docs := flags.Bool("docs", false, "write the tables of "+document+" and "+front)
	flags.StringVar(&b.hcgen, "hcgen", "build/hcgen", "the `command` to measure")
	flags.StringVar(&b.work, "work", "build/bench", "`folder` for what is generated")
	flags.IntVar(&b.jobs, "jobs", 0, "seeds placed at once, and files compiled; 0 means one for each processor")
	err := flags.Parse(arguments)
	if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", flags.Arg(0))
	}
	if b.seeds, err = parseSeeds(*seeds); err != nil {
		return err
	}
	if b.jobs < 0 {
		return fmt.Errorf("-jobs is %d: give 1 or more, or 0 for one for each processor", b.jobs)
	}
	if _, err := os.Stat("configs"); err != nil {
		return fmt.Errorf("%w: bench runs in the top folder of the project", err)
	}
	names := split(*machines)
	if *collectives {
		if len(names) > 0 || *stages != "" || *delivery != "" {
			return errors.New("-collectives chooses the machines, as they are: leave out -machines, -stages and -delivery")
		}
		names = []string{carrier}
	}
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	b.vars = map[string]string{}
	for name, value := range map[string]string{"stages": *stages, "delivery": *delivery} {
		if value != "" {
			b.vars[name] = value
		}
	}
	everything := len(names) == 0 && len(b.vars) == 0
	if *docs { // before the minutes that it takes
		if !everything && !*collectives {
			return errors.New("-docs needs all machines, as they are")
		}
		for _, p := range []struct{ file, name string }{{document, place}, {front, frontPlace}, {front, collectivesPlace}} {
			if err := page.Check(p.file, p.name); err != nil {
				return fmt.Errorf("%w (bench runs in the top folder of the project)", err)
			}
		}
	}
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return err
	}
	if *jsonFile != "" { // before the minutes that it takes
		if _, err := os.Stat(filepath.Dir(*jsonFile)); err != nil {
			return fmt.Errorf("-json %s: %w", *jsonFile, err)
		}
	}

	r := report{Seeds: b.seeds, Tools: map[string]string{"Go": strings.TrimPrefix(runtime.Version(), "go")}, Contradictions: []string{}}
	if r.Tools["Verilator"], err = b.checkTools(); err != nil {
		return err
	}
	for i := range chosen {
		measured, err := b.measure(&chosen[i], r.Tools)
		if err != nil {
			return fmt.Errorf("%s: %w", chosen[i].name, err)
		}
		r.Machines = append(r.Machines, measured)
	}
	if ours := referenceOf(r.Machines); ours != nil {
		for i := range otherRouters {
			r.Others = append(r.Others, compare(&otherRouters[i], ours))
		}
	}
	if router := resultOf(r.Machines, carrier); router != nil && len(b.vars) == 0 {
		if r.Collectives, err = b.collectives(router, r.Tools); err != nil {
			return err
		}
	}
	if everything {
		if err := b.rest(&r); err != nil {
			return err
		}
	}
	for _, measured := range slices.Concat(r.Machines, r.Examples) {
		r.Contradictions = append(r.Contradictions, measured.contradictions()...)
	}

	if _, err := io.WriteString(out, r.String()); err != nil {
		return err
	}
	if *jsonFile != "" {
		text, err := json.MarshalIndent(&r, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(*jsonFile, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	if len(r.Contradictions) > 0 { // the documentation gets no contradicted figures
		return errors.New(strings.Join(r.Contradictions, "\nerror: "))
	}
	if *docs {
		if err := page.Write(front, collectivesPlace, markdown(collectiveRows(r.Machines, r.Collectives))); err != nil || *collectives {
			return err
		}
		if err := page.Write(document, place, r.document()); err != nil {
			return err
		}
		return page.Write(front, frontPlace, markdown(frontRows(otherRows(r.Machines, r.Others))))
	}
	return nil
}

// rest measures everything that does not belong to a single subject.
func (b *bench) rest(r *report) error {
	files, err := furtherExamples("configs")
	if err != nil {
		return err
	}
	for _, file := range files {
		p, err := load(file, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		example, err := b.broadcast(p, file, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		r.Examples = append(r.Examples, example)
	}
	if r.Speeds, err = b.speeds(); err != nil {
		return err
	}
	if r.Overload, err = b.benchmarks("./sim", "Overload"); err != nil {
		return err
	}
	r.Generation, err = b.benchmarks("./internal/assemble", "Generate")
	return err
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
		p, err := load(file, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if p.Machine.Network {
			further = append(further, file)
		}
	}
	return further, nil
}

// checkTools checks that all tools are installed, before minutes of work, and returns the version of
// Verilator, which no summary of synthesis has.
func (b *bench) checkTools() (string, error) {
	for _, tool := range []string{"make", "g++", "verilator", "yosys", "nextpnr-ice40"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%s is not installed: make setup installs it", tool)
		}
	}
	if _, err := exec.LookPath(b.hcgen); err != nil {
		return "", fmt.Errorf("%w: make hcgen builds it", err)
	}
	text, err := output(b.command("verilator", "--version"))
	if err != nil {
		return "", err
	}
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return "", fmt.Errorf("verilator --version prints %q", text)
	}
	return fields[1], nil
}

// split splits a list at blanks or commas.
func split(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ' ' || c == ',' })
}

func parseSeeds(list string) ([]int, error) {
	var seeds []int
	for _, word := range split(list) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("the seed %q is not a whole number", word)
		}
		if slices.Contains(seeds, n) {
			return nil, fmt.Errorf("the seed %d is there twice", n)
		}
		seeds = append(seeds, n)
	}
	if len(seeds) == 0 {
		return nil, errors.New("there is no seed")
	}
	return seeds, nil
}

// progress reports the current step on stderr.
func progress(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", arguments...)
}
