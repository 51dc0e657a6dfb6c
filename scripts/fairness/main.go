// SPDX-License-Identifier: Apache-2.0

// Fairness measures in the reference model what a network delivers, how fairly nodes share
// it, and how long an injection waits, under the loads of the Overload benchmark of
// package sim, how the fairness depends on where the busy nodes are and how long they
// send (its Placements benchmark), and on how many they are (its Busy benchmark). It writes
// three tables in docs/fairness.md and draws docs/fairness.svg.
//
// With -options it measures instead what routers of all combinations of stages and delivery
// deliver (the Options benchmark), and writes the fourth table of the page.
//
//	go run ./scripts/fairness [-options]     (in the top folder of the project)
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/scripts/internal/page"
)

// What it writes.
const (
	document     = "docs/fairness.md"
	picture      = "docs/fairness.svg"
	place        = "fairness" // of the table in the document
	placeOptions = "fairness-options"
	placePlaces  = "fairness-placements"
	placeBusy    = "fairness-busy"
)

func main() {
	onlyOptions, err := arguments(os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	if onlyOptions {
		err = runOptions()
	} else {
		err = run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// arguments reads the command line.
func arguments(args []string, messages io.Writer) (onlyOptions bool, err error) {
	flags := flag.NewFlagSet("fairness", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.BoolVar(&onlyOptions, "options", false, "measure all combinations of stages and delivery")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if flags.NArg() > 0 {
		return false, fmt.Errorf("fairness takes no argument, but got %q", flags.Arg(0))
	}
	return onlyOptions, nil
}

func run() error {
	for _, place := range []string{place, placePlaces, placeBusy} { // before the minutes that it takes
		if err := page.Check(document, place); err != nil {
			return fmt.Errorf("%w (fairness runs in the top folder of the project)", err)
		}
	}
	all := results{runs: map[string]map[string]figures{}}
	if err := benchmark("Overload", all.add); err != nil {
		return err
	}
	text, err := all.table()
	if err != nil {
		return err
	}
	drawing, err := all.draw()
	if err != nil {
		return err
	}
	placed := newGridResults(placements)
	if err := benchmark("Placements", placed.add); err != nil {
		return err
	}
	byPlace, err := placed.table()
	if err != nil {
		return err
	}
	var busy busyResults
	if err := benchmark("Busy", busy.add); err != nil {
		return err
	}
	byNumber, err := busy.table()
	if err != nil {
		return err
	}
	if err := os.WriteFile(picture, drawing, 0o644); err != nil {
		return err
	}
	if err := page.Write(document, place, text); err != nil {
		return err
	}
	if err := page.Write(document, placePlaces, byPlace); err != nil {
		return err
	}
	return page.Write(document, placeBusy, byNumber)
}

func runOptions() error {
	if err := page.Check(document, placeOptions); err != nil {
		return fmt.Errorf("%w (fairness runs in the top folder of the project)", err)
	}
	all := newGridResults(options)
	if err := benchmark("Options", all.add); err != nil {
		return err
	}
	text, err := all.table()
	if err != nil {
		return err
	}
	return page.Write(document, placeOptions, text)
}

// benchmark runs a benchmark of package sim and hands on what it prints, line by line. It
// ends it at the first error, so that what cannot be used does not take minutes.
func benchmark(name string, add func(text string) error) error {
	bench := exec.Command("go", "test", "./sim", "-run", "^$", "-bench", "^Benchmark"+name+"$", "-benchtime", "1x", "-timeout", "60m")
	bench.Stderr = os.Stderr
	out, err := bench.StdoutPipe()
	if err != nil {
		return err
	}
	if err := bench.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(os.Stderr, lines.Text())
		if err := add(lines.Text()); err != nil {
			return errors.Join(err, bench.Process.Kill())
		}
	}
	if err := bench.Wait(); err != nil {
		return fmt.Errorf("the benchmark %s of ./sim failed: %w", name, err)
	}
	return nil
}

// figures are what one run gave.
type figures struct {
	deliveries float64 // per node and cycle
	fairness   float64 // fewest to most injections of the nodes that send
	share      float64 // fewest injections of a node that sends, to an N-th of all
	wait       float64 // longest of an injection, in cycles
}

// results are figures by load, then by machine.
type results struct {
	machines []string // in the order of the benchmark
	nodes    []int    // of each
	runs     map[string]map[string]figures
}

var (
	line = regexp.MustCompile(`^Benchmark[A-Za-z]+/([^/\s]+)/(\S+)\s+\d+\s+(.*)$`)
	// go test puts the number of processors after the name, if there are more than one.
	processors = regexp.MustCompile(`-\d+$`)
)

// split takes a line of a benchmark apart; ok is false if it is none of a run. The name of
// the load is one that is known, or as it is printed.
func split(text string, known func(load string) bool) (machine, load string, metrics map[string]float64, ok bool, err error) {
	found := line.FindStringSubmatch(strings.TrimSpace(text))
	if found == nil {
		return "", "", nil, false, nil
	}
	machine, load = found[1], found[2]
	if short := processors.ReplaceAllString(load, ""); !known(load) && known(short) {
		load = short
	}
	metrics = map[string]float64{}
	fields := strings.Fields(found[3])
	for i := 0; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return "", "", nil, false, fmt.Errorf("the benchmark prints %q: %w", text, err)
		}
		metrics[fields[i+1]] = value
	}
	return machine, load, metrics, true, nil
}

// need returns an error if a figure is not there.
func need(text string, metrics map[string]float64, names ...string) error {
	for _, name := range names {
		if _, ok := metrics[name]; !ok {
			return fmt.Errorf("the benchmark prints no %s: %q", name, text)
		}
	}
	return nil
}

// add takes a line that go test prints.
func (r *results) add(text string) error {
	machine, load, metrics, ok, err := split(text, func(load string) bool { return known(load) || slices.Contains(unshown, load) })
	switch {
	case err != nil || !ok:
		return err
	case slices.Contains(unshown, load):
		return nil
	case !known(load):
		return fmt.Errorf("the benchmark has a load %q that this program does not know", load)
	}
	needed := []string{"nodes", "deliveries", "max-wait"}
	if sharing(load) {
		needed = append(needed, "fairness", "share")
	}
	if err := need(text, metrics, needed...); err != nil {
		return err
	}
	if !slices.Contains(r.machines, machine) {
		if len(r.machines) == len(colours) {
			return fmt.Errorf("machine %q is one more than there are colours, %d", machine, len(colours))
		}
		r.machines, r.nodes = append(r.machines, machine), append(r.nodes, int(metrics["nodes"]))
	}
	if r.runs[load] == nil {
		r.runs[load] = map[string]figures{}
	}
	r.runs[load][machine] = figures{metrics["deliveries"], metrics["fairness"], metrics["share"], metrics["max-wait"]}
	return nil
}

// table returns a row for each load and a column for each machine.
func (r results) table() (string, error) {
	if len(r.machines) == 0 {
		return "", errors.New("the benchmark has printed no figures")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| load | %s |\n|%s\n", strings.Join(r.machines, " | "), strings.Repeat(" --- |", len(r.machines)+1))
	for _, l := range loads {
		fmt.Fprintf(&b, "| %s |", l.text)
		for _, machine := range r.machines {
			f, ok := r.runs[l.key][machine]
			if !ok {
				return "", fmt.Errorf("the benchmark has no %s/%s", machine, l.key)
			}
			if sharing(l.key) {
				fmt.Fprintf(&b, " %.3f, %.2f, %.2f, %.0f |", f.deliveries, f.fairness, f.share, f.wait)
			} else {
				fmt.Fprintf(&b, " %.3f, %.0f |", f.deliveries, f.wait)
			}
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}
