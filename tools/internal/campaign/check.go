// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// Stages at which a machine can fail.
const (
	StageLoad     = "load"     // the description is refused, or the JSON variant is another machine
	StageGenerate = "generate" // the output cannot be made
	StageLint     = "lint"     // verilator -Wall objects
	StageBuild    = "build"    // a bench cannot be compiled
	StageSimulate = "simulate" // RTL and reference model differ
	StagePanic    = "panic"    // hcgen itself fails
	StageTime     = "time"     // a tool does not come to an end
	StageTool     = "tool"     // a tool cannot be run; no fault of the machine
)

// Failure is the stage at which a machine fails and the output of the tool.
type Failure struct {
	Stage string
	Bench string // router, network or array, if the stage is StageSimulate
	Text  string
}

func (f *Failure) Error() string { return f.Stage + ": " + f.Text }

// like reports whether two failures are of the same kind.
func (f *Failure) like(g *Failure) bool { return f.Stage == g.Stage && f.Bench == g.Bench }

// Counts are the amounts of comparisons.
type Counts struct{ Machines, Runs, Cycles, Values, Transfers, Stalls int }

// Add adds the counts of another machine.
func (c *Counts) Add(d Counts) {
	c.Machines += d.Machines
	c.Runs += d.Runs
	c.Cycles += d.Cycles
	c.Values += d.Values
	c.Transfers += d.Transfers
	c.Stalls += d.Stalls
}

// Checker takes machines through generation, lint and simulation.
type Checker struct {
	dir     string // for the output of machines
	root    string // Verilator's files
	runtime []string
	limit   time.Duration // for one machine
	files   func(*plan.Plan) ([]output.File, error)
}

// NewChecker prepares the folder dir, which must exist, and compiles the sources that
// all benches share.
func NewChecker(ctx context.Context, dir string) (*Checker, error) {
	for _, tool := range []string{"verilator", "g++", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, &Failure{Stage: StageTool, Text: fmt.Sprintf("%s is missing; make setup installs it", tool)}
		}
	}
	root, err := exec.CommandContext(ctx, "verilator", "--getenv", "VERILATOR_ROOT").Output()
	if err != nil {
		return nil, &Failure{Stage: StageTool, Text: fmt.Sprintf("verilator does not print the folder of its files: %v", err)}
	}
	// seconds on an idle computer
	c := &Checker{dir: dir, root: strings.TrimSpace(string(root)), limit: 20 * time.Minute,
		files: func(p *plan.Plan) ([]output.File, error) { return assemble.Files(p, assemble.Options{}) }}
	for _, source := range []string{"verilated", "verilated_threads"} {
		object := filepath.Join(dir, source+".o")
		if f := c.compile(ctx, dir, dir, filepath.Join(c.root, "include", source+".cpp"), object); f != nil {
			return nil, f
		}
		c.runtime = append(c.runtime, object)
	}
	return c, nil
}

// Check takes a machine through all stages. A nil failure means that all passed. If
// like is not nil, checks that cannot show a failure like it are left out.
func (c *Checker) Check(ctx context.Context, m *Machine, like *Failure) (Counts, *Failure) {
	return c.check(ctx, m.HCL(), m.JSON(), like)
}

// CheckText does the same with a description.
func (c *Checker) CheckText(ctx context.Context, hcl string) (Counts, *Failure) {
	return c.check(ctx, hcl, "", nil)
}

func (c *Checker) check(ctx context.Context, hcl, json string, like *Failure) (counts Counts, failure *Failure) {
	dir, err := os.MkdirTemp(c.dir, "machine")
	if err != nil {
		return counts, &Failure{Stage: StageTool, Text: err.Error()}
	}
	defer os.RemoveAll(dir)
	limited, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	defer func() {
		if fault := recover(); fault != nil {
			failure = &Failure{Stage: StagePanic, Text: fmt.Sprintf("%v\n%s", fault, debug.Stack())}
		}
		switch {
		case ctx.Err() != nil:
			failure = &Failure{Stage: StageTool, Text: ctx.Err().Error()} // whatever seemed to be wrong
		case limited.Err() != nil && failure != nil:
			failure = &Failure{Stage: StageTime, Text: fmt.Sprintf("it is not done after %v; then: %v", c.limit, failure)}
		}
	}()
	r := &run{Checker: c, ctx: limited, out: filepath.Join(dir, "out"), counts: &counts}
	if like != nil {
		r.bench = like.Bench
	}
	counts.Machines = 1
	failure = r.load(hcl, json)
	steps := []func() *Failure{r.generate, r.lint, r.simulate}
	if like != nil {
		if done := slices.Index([]string{StageLoad, StageGenerate, StageLint}, like.Stage); done >= 0 {
			steps = steps[:done]
		}
	}
	for _, step := range steps {
		if failure == nil {
			failure = step()
		}
	}
	return counts, failure
}

// run is the check of one machine.
type run struct {
	*Checker
	ctx    context.Context
	out    string
	bench  string // the only one to use; "": all
	plan   *plan.Plan
	counts *Counts
}

// load reads the description, and its JSON variant if there is one.
func (r *run) load(hcl, json string) *Failure {
	loaded, files, diags := machine.LoadBytes("machine.hcl", []byte(hcl), nil)
	if len(diags) > 0 {
		var b bytes.Buffer
		_ = machine.WriteDiagnostics(&b, "", files, diags) // a Buffer does not fail
		return &Failure{Stage: StageLoad, Text: b.String()}
	}
	r.plan = plan.New(loaded)
	if json == "" {
		return nil
	}
	again, _, diags := machine.LoadBytes("machine.hcl.json", []byte(json), nil)
	switch {
	case again == nil:
		return &Failure{Stage: StageLoad, Text: "the JSON variant is refused: " + diags.Error()}
	case again.Hash != loaded.Hash:
		return &Failure{Stage: StageLoad, Text: "the JSON variant is another machine: hash " + again.Hash + ", want " + loaded.Hash}
	}
	return nil
}

// generate writes the output folder.
func (r *run) generate() *Failure {
	files, err := r.files(r.plan)
	if err != nil {
		return &Failure{Stage: StageGenerate, Text: err.Error()}
	}
	meta := output.Meta{Version: "campaign", Machine: r.plan.Name, ConfigHash: r.plan.Machine.Hash}
	if err := output.Write(r.ctx, r.out, files, meta, output.Options{}); err != nil {
		return &Failure{Stage: StageGenerate, Text: err.Error()}
	}
	return nil
}

func (r *run) lint() *Failure {
	return r.tool(r.out, StageLint, "make", "--no-print-directory", "lint-verilator")
}

// simulate replays every golden trace on the benches of the output folder. Without a
// network top it also replays those of the whole network, on an array of routers, if
// that is not too large.
func (r *run) simulate() *Failure {
	m := r.plan.Machine
	type replay struct{ trace, top string }
	var replays []replay
	traces, err := filepath.Glob(filepath.Join(r.out, "golden", "*.trace"))
	if err != nil {
		return &Failure{Stage: StageTool, Text: err.Error()}
	}
	for _, t := range traces {
		top := "router"
		if m.Network && filepath.Base(t) != plan.RouterTraffic+".trace" {
			top = "network"
		}
		replays = append(replays, replay{t, top})
	}
	if !m.Network && r.plan.Nodes <= arrayNodes {
		for i, t := range append([]machine.Traffic{r.plan.Alone(r.plan.Nodes - 1)}, m.Traffic...) {
			name := filepath.Join(r.out, fmt.Sprintf("array%d.trace", i))
			if err := r.writeTrace(name, t); err != nil {
				return &Failure{Stage: StageTool, Text: err.Error()}
			}
			replays = append(replays, replay{name, "array"})
		}
	}
	built := map[string]string{}
	for _, p := range replays {
		if r.bench != "" && r.bench != p.top {
			continue
		}
		if built[p.top] == "" {
			bench, f := r.build(p.top)
			if f != nil {
				return f
			}
			built[p.top] = bench
		}
		if f := r.replay(built[p.top], p.trace); f != nil {
			f.Bench = p.top
			return f
		}
	}
	return nil
}

func (r *run) writeTrace(name string, t machine.Traffic) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = sim.WriteNetworkTrace(f, r.plan, t, nil)
	return err
}

// build compiles a bench: the generated sources with the command lines of
// tb/bench.h, but all in one translation unit and without waves, which takes a
// quarter of the time.
func (r *run) build(top string) (bench string, f *Failure) {
	folder := filepath.Join(r.out, "build", top)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", &Failure{Stage: StageTool, Text: err.Error()}
	}
	module, class := r.plan.RouterModule, "Vrouter"
	arguments := []string{"-Wall", "--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique", "--l2-name", "bench", "-f", "filelist.f", "-Mdir", folder}
	if top == "network" {
		module, class = r.plan.NetworkModule, "Vnetwork"
		arguments = append(arguments, "tb/network.vlt")
	}
	if f := r.tool(r.out, StageBuild, "verilator", append(arguments, "--prefix", class, "--top-module", module)...); f != nil {
		return "", f
	}
	sources, _ := filepath.Glob(filepath.Join(folder, "*.cpp")) // the pattern is right
	benches, _ := filepath.Glob(filepath.Join(r.out, "tb", "*.cpp"))
	for _, b := range benches {
		if !strings.HasSuffix(b, "_main.cpp") || filepath.Base(b) == top+"_main.cpp" {
			sources = append(sources, b)
		}
	}
	var all strings.Builder
	for _, s := range sources {
		fmt.Fprintf(&all, "#include %q\n", s)
	}
	unit := filepath.Join(folder, "all.cc")
	if err := os.WriteFile(unit, []byte(all.String()), 0o666); err != nil {
		return "", &Failure{Stage: StageTool, Text: err.Error()}
	}
	if f := r.compile(r.ctx, r.out, folder, unit, unit+".o"); f != nil {
		return "", f
	}
	bench = filepath.Join(folder, "bench")
	link := append([]string{"-o", bench, unit + ".o"}, r.runtime...)
	return bench, r.tool(r.out, StageBuild, "g++", append(link, "-pthread", "-latomic")...)
}

// compile compiles a C++ file that may include those of folder.
func (c *Checker) compile(ctx context.Context, dir, folder, source, object string) *Failure {
	r := &run{Checker: c, ctx: ctx, out: dir}
	include := filepath.Join(c.root, "include")
	return r.tool(dir, StageBuild, "g++", "-std=c++17", "-O0", "-w", "-faligned-new", "-DVM_TRACE=0", "-DVM_COVERAGE=0", "-DVM_SC=0",
		"-I", folder, "-I", filepath.Join(dir, "tb"), "-I", include, "-I", filepath.Join(include, "vltstd"), "-c", source, "-o", object)
}

var (
	passed  = regexp.MustCompile(`(?m)^PASS: \S+: (\d+) cycles, \d+ streams, (\d+) values compared, (\d+) transfers, (\d+) stalls, `)
	latency = regexp.MustCompile(`(?m)^latency: (\d+) cycles`)
)

// replay runs a bench.
func (r *run) replay(bench, trace string) *Failure {
	command := exec.CommandContext(r.ctx, bench, "+golden="+trace, "+max-mismatch=3")
	command.Dir = r.out
	text, err := command.CombinedOutput()
	if err != nil {
		return &Failure{Stage: StageSimulate, Text: fmt.Sprintf("%s\n%s", err, r.plain(text))}
	}
	is := passed.FindSubmatch(text)
	if is == nil {
		return &Failure{Stage: StageSimulate, Text: "the bench ends with 0 but does not say PASS:\n" + r.plain(text)}
	}
	number := func(s []byte) int {
		n, _ := strconv.Atoi(string(s)) // the pattern admits nothing else
		return n
	}
	r.counts.Add(Counts{0, 1, number(is[1]), number(is[2]), number(is[3]), number(is[4])})
	if bytes.Contains(is[0], []byte(".alone: ")) {
		want := r.plan.Stages*r.plan.Machine.Graph.Diameter() + 1
		if took := latency.FindSubmatch(text); took == nil || number(took[1]) != want {
			return &Failure{Stage: StageSimulate, Text: fmt.Sprintf("one broadcast alone does not take %d cycles:\n%s", want, r.plain(text))}
		}
	}
	return nil
}

// plain shortens the output of a tool and removes the folder, which differs between
// runs.
func (r *run) plain(text []byte) string {
	const most = 4000
	s := strings.ReplaceAll(string(text), r.out+string(filepath.Separator), "")
	if len(s) > most {
		s = s[:most] + "\n...\n"
	}
	return s
}

// tool runs a tool of the check.
func (r *run) tool(dir, stage, tool string, arguments ...string) *Failure {
	command := exec.CommandContext(r.ctx, tool, arguments...)
	command.Dir = dir
	text, err := command.CombinedOutput()
	if err != nil {
		return &Failure{Stage: stage, Text: fmt.Sprintf("%s: %v\n%s", tool, err, r.plain(text))}
	}
	return nil
}
