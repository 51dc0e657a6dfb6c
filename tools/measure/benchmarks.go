// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/internal/process"
)

// benchmark is a line of go test -bench.
type benchmark struct {
	Name    string             `json:"name"`
	Metrics map[string]float64 `json:"metrics"`
}

// benchmarks runs the benchmarks of a package once.
func benchmarks(ctx context.Context, pkg, name string) ([]benchmark, error) {
	text, err := goTest(ctx, pkg, name, "-benchtime", "1x")
	if err != nil {
		return nil, err
	}
	return parseBenchmarks(text, "Benchmark"+name+"/")
}

func goTest(ctx context.Context, pkg, name string, more ...string) (string, error) {
	return text(process.Command(ctx, "go", append([]string{"test", pkg, "-run", "^$", "-bench", "^Benchmark" + name + "$"}, more...)...))
}

// speed is a speed of simulation.
type speed struct {
	What  string  `json:"what"`
	Speed float64 `json:"million_router_cycles_per_second"` // of processor time
	Goal  float64 `json:"goal"`
	Ratio float64 `json:"ratio"` // above 1: faster than the goal
}

func newSpeed(what string, millions, goal float64) speed {
	return speed{what, millions, goal, millions / goal}
}

// speeds measures the model and the RTL of the reference, each the best of three runs, because
// others share the processor.
func speeds(ctx context.Context) ([]speed, error) {
	text, err := goTest(ctx, "./sim/measure", "LoadedTorus", "-count", "3")
	if err != nil {
		return nil, err
	}
	runs, err := parseBenchmarks(text, "BenchmarkLoadedTorus")
	if err != nil {
		return nil, err
	}
	model := 0.0
	for _, run := range runs {
		model = max(model, run.Metrics["router-cycles/cpu-s"]/1e6)
	}
	m, err := loadMachine(filepath.Join("configs", reference+".hcl"), nil)
	if err != nil {
		return nil, err
	}
	g, remove, err := generate(ctx, m)
	if err != nil {
		return nil, err
	}
	defer remove()
	verilated, err := g.fastest(ctx)
	return []speed{newSpeed("reference model", model, modelGoal), newSpeed("Verilated RTL", verilated, verilatedGoal)}, err
}

var processors = regexp.MustCompile(`-\d+$`)

// parseBenchmarks reads the lines that begin with the prefix.
func parseBenchmarks(text, prefix string) ([]benchmark, error) {
	var all []benchmark
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, prefix) {
			continue
		}
		fields := strings.Fields(line)
		result := benchmark{processors.ReplaceAllString(strings.TrimPrefix(fields[0], prefix), ""), map[string]float64{}}
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
			result.Metrics[fields[i+1]] = value
		}
		all = append(all, result)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no line begins with %s:\n%s", prefix, text)
	}
	return all, nil
}
