// SPDX-License-Identifier: Apache-2.0

// Package soak takes machines through generation, lint and simulation against the reference model, as a user would, and looks
// for the smallest machine that fails as a random one does.
package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traces"
)

// Stages at which a machine can fail.
const (
	Load     = "load"     // the description is refused, or the JSON variant is another machine
	Generate = "generate" // the output cannot be made
	Lint     = "lint"     // verilator -Wall objects
	Simulate = "simulate" // a bench cannot be built, or RTL and reference model differ
	Panic    = "panic"    // hcgen itself fails
	Time     = "time"     // a tool does not come to an end
)

// Failure is the stage at which a machine fails and the output of the tool.
type Failure struct {
	Stage string `json:"stage"`
	Bench string `json:"bench,omitempty"` // router, network or array, if RTL and reference model differ
	Text  string `json:"text"`
}

func (f *Failure) Error() string { return f.Stage + ": " + f.Text }

// like reports whether two failures are of the same kind.
func (f *Failure) like(g *Failure) bool { return f != nil && f.Stage == g.Stage && f.Bench == g.Bench }

// Last is the last stage that a check needs to show a failure like this one.
func (f *Failure) Last() string {
	if f.Stage == Load || f.Stage == Generate || f.Stage == Lint {
		return f.Stage
	}
	return ""
}

// Counts are the amounts of comparisons.
type Counts struct {
	Traces    int `json:"traces"`
	Cycles    int `json:"cycles"`
	Values    int `json:"values"`
	Transfers int `json:"transfers"`
	Stalls    int `json:"stalls"`
}

// Add adds the counts of another machine.
func (c *Counts) Add(d Counts) {
	c.Traces += d.Traces
	c.Cycles += d.Cycles
	c.Values += d.Values
	c.Transfers += d.Transfers
	c.Stalls += d.Stalls
}

// Checker takes machines through all stages.
type Checker struct {
	Limit time.Duration // for one machine
	files func(*plan.Plan) ([]artifact.File, error)
}

// NewChecker returns a checker that gives each machine 20 minutes; on an idle computer it takes seconds.
func NewChecker() *Checker {
	return &Checker{20 * time.Minute, func(p *plan.Plan) ([]artifact.File, error) { return assemble.Files(p, assemble.Options{}) }}
}

// Tools returns the version of Verilator. The error wraps *process.ToolError if a tool cannot be used.
func Tools(ctx context.Context) (verilator string, err error) {
	versions, err := synthesis.Versions(ctx, "verilator", "g++", "make")
	return versions["verilator"], err
}

// Check takes a description through all stages. again is the same machine in the JSON variant, or empty. Stages after the last
// one are left out; empty: none are. A nil failure means that all passed. The error is no fault of the machine.
func (c *Checker) Check(ctx context.Context, hcl, again []byte, last string) (counts Counts, failure *Failure, err error) {
	dir, err := os.MkdirTemp("", "hcgen-soak")
	if err != nil {
		return counts, nil, err
	}
	defer os.RemoveAll(dir)
	limited, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	r := &run{Checker: c, ctx: limited, out: filepath.Join(dir, "out"), counts: &counts}
	failure = r.stages(hcl, again, last)
	switch {
	case ctx.Err() != nil:
		return counts, nil, ctx.Err() // whatever seemed to be wrong
	case limited.Err() != nil && failure != nil:
		failure = &Failure{Stage: Time, Text: fmt.Sprintf("it is not done after %v; then: %v", c.Limit, failure)}
	}
	return counts, failure, nil
}

// run is the check of one machine.
type run struct {
	*Checker
	ctx    context.Context
	out    string
	plan   *plan.Plan
	counts *Counts
}

func (r *run) stages(hcl, again []byte, last string) (failure *Failure) {
	defer func() {
		if fault := recover(); fault != nil {
			failure = &Failure{Stage: Panic, Text: fmt.Sprintf("%v\n%s", fault, debug.Stack())}
		}
	}()
	for _, s := range []struct {
		name string
		do   func() error
	}{
		{Load, func() error { return r.load(hcl, again) }},
		{Generate, r.generate},
		{Lint, func() error { _, err := r.make("lint-verilator"); return err }},
		{Simulate, r.simulate},
	} {
		if err := s.do(); err != nil {
			failure := &Failure{Stage: s.name, Text: err.Error()}
			if is := failed.FindStringSubmatch(failure.Text); is != nil {
				failure.Bench = is[1]
			}
			return failure
		}
		if s.name == last {
			break
		}
	}
	return nil
}

// load reads the description, and its JSON variant if there is one.
func (r *run) load(hcl, again []byte) error {
	loaded, files, diags := machine.LoadBytes("machine.hcl", hcl, nil)
	if len(diags) > 0 {
		var b bytes.Buffer
		_ = machine.WriteDiagnostics(&b, "", files, diags) // a Buffer does not fail
		return errors.New(b.String())
	}
	r.plan = plan.New(loaded)
	if len(again) == 0 {
		return nil
	}
	other, _, diags := machine.LoadBytes("machine.hcl.json", again, nil)
	if other == nil {
		return fmt.Errorf("the JSON variant is refused: %w", diags)
	}
	if other.Hash != loaded.Hash {
		return fmt.Errorf("the JSON variant is another machine: hash %s, want %s", other.Hash, loaded.Hash)
	}
	return nil
}

// generate writes the output folder.
func (r *run) generate() error {
	files, err := r.files(r.plan)
	if err != nil {
		return err
	}
	meta := output.Meta{Version: "soak", Machine: r.plan.Name, ConfigHash: r.plan.Machine.Hash}
	return output.Write(r.ctx, r.out, files, meta, output.Options{})
}

// clockCycles is the length of the run of a network with several clocks, in cycles of the slowest clock.
const clockCycles = 8000

// simulate replays every golden trace on the benches of the output folder, and runs that of several clocks. Without a network
// top it also replays those of the whole network, on an array of routers, if that is not too large and its links are wires: an
// array has no registers on links.
func (r *run) simulate() error {
	golden, _ := filepath.Glob(filepath.Join(r.out, "golden", "*.trace")) // the pattern is right
	if err := r.replay(len(golden), "sim", fmt.Sprint("CLOCK_CYCLES=", clockCycles)); err != nil {
		return err
	}
	m := r.plan.Machine
	if m.Network || r.plan.Nodes > machines.ArrayNodes || r.plan.Lead > 1 {
		return nil
	}
	for i, t := range append([]machine.Traffic{r.plan.Alone(r.plan.Nodes - 1)}, m.Traffic...) {
		name := fmt.Sprintf("array%d.trace", i)
		f, err := os.Create(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		_, err = traces.WriteNetwork(f, r.plan, t, nil)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		if err := r.replay(1, "sim-array", "GOLDEN="+name); err != nil {
			return err
		}
	}
	return nil
}

var (
	passed  = regexp.MustCompile(`(?m)^PASS: \S+: (\d+) cycles, (?:\d+ streams, (\d+) values compared, (\d+) transfers, (\d+) stalls|\d+ accesses), `)
	failed  = regexp.MustCompile(`(?m)^FAIL: \S+_(router|network|array|system)\.`)
	latency = regexp.MustCompile(`(?m)^PASS: \S+\.alone: .*\nlatency: (\d+) cycles`)
)

// replay runs a target that replays traces, and counts what is compared.
func (r *run) replay(traces int, target string, variables ...string) error {
	text, err := r.make(append([]string{target, "PLUSARGS=+max-mismatch=3"}, variables...)...)
	if err != nil {
		return err
	}
	all := passed.FindAllStringSubmatch(text, -1)
	if len(all) != traces {
		return fmt.Errorf("make %s ends with 0, but PASS is said of %d traces, want %d:\n%s", target, len(all), traces, text)
	}
	number := func(s string) int {
		n, _ := strconv.Atoi(s) // the patterns admit nothing else, but that a trace of accesses counts only cycles
		return n
	}
	for _, is := range all {
		r.counts.Add(Counts{1, number(is[1]), number(is[2]), number(is[3]), number(is[4])})
	}
	want := r.plan.Crossing() + 1
	if is := latency.FindStringSubmatch(text); is != nil && number(is[1]) != want {
		return fmt.Errorf("one broadcast alone takes %s cycles, want %d:\n%s", is[1], want, text)
	}
	return nil
}

// make runs make in the output folder and returns what it prints, shortened to its end, without the name of the folder, which
// differs between runs.
func (r *run) make(arguments ...string) (string, error) {
	command := process.Make(r.ctx, r.out, append([]string{"JOBS=1"}, arguments...)...)
	out, err := command.CombinedOutput()
	text := strings.ReplaceAll(string(out), r.out+string(filepath.Separator), "")
	if err == nil {
		return text, nil
	}
	const most = 4000
	if len(text) > most {
		text = "...\n" + text[len(text)-most:]
	}
	return "", fmt.Errorf("make %s: %w\n%s", arguments[0], err, text)
}
