// SPDX-License-Identifier: Apache-2.0

// Fairness measures in the reference model what a network delivers, how fairly nodes share
// it, and how long an injection waits, under the loads of the Overload benchmark of
// package sim. It writes the table in docs/fairness.md and draws docs/fairness.svg.
//
//	go run ./scripts/fairness     (in the top folder of the project)
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/scripts/internal/page"
)

// What it writes.
const (
	document = "docs/fairness.md"
	picture  = "docs/fairness.svg"
	place    = "fairness" // of the table in the document
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run() error {
	if err := page.Check(document, place); err != nil { // before the minutes that it takes
		return fmt.Errorf("%w (fairness runs in the top folder of the project)", err)
	}
	var out bytes.Buffer
	bench := exec.Command("go", "test", "./sim", "-run", "^$", "-bench", "Overload", "-benchtime", "1x", "-timeout", "60m")
	bench.Stdout, bench.Stderr = io.MultiWriter(&out, os.Stderr), os.Stderr
	if err := bench.Run(); err != nil {
		return fmt.Errorf("the Overload benchmark of ./sim failed: %w", err)
	}
	all, err := read(out.String())
	if err != nil {
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
	if err := os.WriteFile(picture, drawing, 0o644); err != nil {
		return err
	}
	return page.Write(document, place, text)
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
	runs     map[string]map[string]figures
}

var (
	line = regexp.MustCompile(`^BenchmarkOverload/([^/\s]+)/(\S+)\s+\d+\s+(.*)$`)
	// go test puts the number of processors after the name, if there are more than one.
	processors = regexp.MustCompile(`-\d+$`)
)

// read takes the lines of the benchmark from what go test prints.
func read(output string) (results, error) {
	all := results{runs: map[string]map[string]figures{}}
	seen := map[string]bool{}
	for text := range strings.Lines(output) {
		found := line.FindStringSubmatch(strings.TrimSpace(text))
		if found == nil {
			continue
		}
		machine, load := found[1], found[2]
		if !known(load) {
			load = processors.ReplaceAllString(load, "")
		}
		metrics := map[string]float64{}
		fields := strings.Fields(found[3])
		for i := 0; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return all, fmt.Errorf("the benchmark prints %q: %w", text, err)
			}
			metrics[fields[i+1]] = value
		}
		needed := []string{"deliveries", "max-wait"}
		if sharing(load) {
			needed = append(needed, "fairness", "share")
		}
		for _, name := range needed {
			if _, ok := metrics[name]; !ok {
				return all, fmt.Errorf("the benchmark prints no %s: %q", name, text)
			}
		}
		if !seen[machine] {
			seen[machine] = true
			all.machines = append(all.machines, machine)
		}
		if all.runs[load] == nil {
			all.runs[load] = map[string]figures{}
		}
		all.runs[load][machine] = figures{metrics["deliveries"], metrics["fairness"], metrics["share"], metrics["max-wait"]}
	}
	if len(all.machines) == 0 {
		return all, fmt.Errorf("the benchmark has printed no figures")
	}
	return all, nil
}

// table returns a row for each load and a column for each machine.
func (r results) table() (string, error) {
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
