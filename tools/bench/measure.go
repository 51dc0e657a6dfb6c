// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// result holds the measurements of a machine.
type result struct {
	Machine     string `json:"machine"`
	Title       string `json:"title"`
	Nodes       int    `json:"nodes"`
	Degree      int    `json:"degree"`
	PayloadBits int    `json:"payload_bits"`

	// One broadcast alone in the RTL: cycles from the injection to the last delivery.
	Cycles      int     `json:"broadcast_cycles"`
	CyclesBound int     `json:"broadcast_cycles_bound"` // D + 1; with two stages 2 D + 1
	BroadcastNS float64 `json:"broadcast_ns,omitempty"`

	// Not measured for an example, whose latency only is checked.
	Router  *router     `json:"router,omitempty"`
	Network *network    `json:"network,omitempty"` // missing if it is not placed
	Load    *saturation `json:"saturated,omitempty"`
}

// router is the synthesized router of a machine.
type router struct {
	LUT4     int     `json:"lut4"`
	FF       int     `json:"ff"`
	Clock    clock   `json:"clock"`
	NSPerHop float64 `json:"ns_per_hop"` // one cycle for each stage

	// Ratios to the goals: below 1 is better for LUT4, above 1 for MHz.
	LUT4Goal  int     `json:"lut4_goal,omitempty"`
	LUT4Ratio float64 `json:"lut4_ratio,omitempty"`
	MHzGoal   float64 `json:"mhz_goal,omitempty"`
	MHzRatio  float64 `json:"mhz_ratio,omitempty"`
}

// network is the synthesized network of a machine, placed behind few pins.
type network struct {
	LUT4     int     `json:"lut4"`
	FF       int     `json:"ff"`
	Clock    clock   `json:"clock"`
	MHzGoal  float64 `json:"mhz_goal"`
	MHzRatio float64 `json:"mhz_ratio"`
}

type clock struct {
	Min    float64 `json:"min_mhz"`
	Median float64 `json:"median_mhz"`
	Max    float64 `json:"max_mhz"`
}

// saturation is the network while every node always has a message and every receiver is
// ready, in the reference model.
type saturation struct {
	Cycles     int     `json:"cycles"`
	Deliveries float64 `json:"deliveries_per_node_and_cycle"`
	Bound      float64 `json:"bound"`
	Injections int     `json:"injections_min"`     // fewest of a node
	Fairness   float64 `json:"fairness,omitempty"` // fewest to most injections of a node; 0 if the run is too short
}

// ahead is the number of deliveries by which the nodes may be ahead of the bound at the end of a run. A
// bound above 1 is that of the busiest link, and messages that wait for the link, one of each node, may
// have been delivered elsewhere. A bound of 1 is that of the local output, which no delivery precedes.
func (l *saturation) ahead(nodes int) float64 {
	if l.Bound > 1 {
		return float64(nodes-1) / float64(l.Cycles)
	}
	return 0
}

// contradictions describe measurements that contradict a guarantee.
func (r *result) contradictions() []string {
	var wrong []string
	if r.Cycles != r.CyclesBound {
		wrong = append(wrong, fmt.Sprintf("%s: one broadcast alone takes %d cycles in RTL, not %d", r.Machine, r.Cycles, r.CyclesBound))
	}
	if l := r.Load; l != nil {
		if l.Deliveries > l.Bound+l.ahead(r.Nodes) {
			wrong = append(wrong, fmt.Sprintf("%s: %.4f deliveries per node and cycle are more than the bound %g", r.Machine, l.Deliveries, l.Bound))
		}
		if l.Injections == 0 && l.Cycles >= cyclesForFairness(r.Nodes) {
			wrong = append(wrong, fmt.Sprintf("%s: a node sends nothing in %d saturated cycles", r.Machine, l.Cycles))
		}
	}
	return wrong
}

// summary is the content of summary.json, from synthesis.
type summary struct {
	Machine string
	Placed  string
	Router  struct{ LUT4, FF int }
	Node    *struct{ LUT4, FF int } // in place of the router, of a collective network
	Network *struct{ LUT4, FF int }
	Clock   clock
	Seeds   []struct{ Seed int }
	Tools   map[string]string
}

// parseSummary reads the summary of a machine whose router, node or network was placed with these seeds.
func parseSummary(text []byte, machine, placed string, seeds []int) (*summary, error) {
	var s summary
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Node != nil {
		s.Router = *s.Node
	}
	var with []int
	for _, seed := range s.Seeds {
		with = append(with, seed.Seed)
	}
	switch c := s.Clock; {
	case s.Machine != machine:
		return nil, fmt.Errorf("it is about %q, not %q", s.Machine, machine)
	case s.Placed != placed:
		return nil, fmt.Errorf("it is about a placed %q, not a %s", s.Placed, placed)
	case !slices.Equal(with, seeds):
		return nil, fmt.Errorf("it has the seeds %v, not %v", with, seeds)
	case s.Router.LUT4 <= 0 || s.Router.FF <= 0, placed == "network" && (s.Network == nil || s.Network.LUT4 <= 0 || s.Network.FF <= 0):
		return nil, errors.New("it has no cells")
	case c.Min <= 0 || c.Median < c.Min || c.Max < c.Median:
		return nil, fmt.Errorf("it has a clock of min %g, median %g, max %g MHz", c.Min, c.Median, c.Max)
	}
	return &s, nil
}

// newRouter returns the figures of a summary with the ratios to the goals of the subject.
func newRouter(sum *summary, s *subject, stages int) *router {
	r := &router{
		LUT4: sum.Router.LUT4, FF: sum.Router.FF,
		Clock:    sum.Clock,
		NSPerHop: nanoseconds(stages, sum.Clock.Median),
		LUT4Goal: s.lut4, MHzGoal: s.mhz,
	}
	if s.lut4 > 0 {
		r.LUT4Ratio = float64(r.LUT4) / float64(s.lut4)
	}
	if s.mhz > 0 {
		r.MHzRatio = r.Clock.Median / s.mhz
	}
	return r
}

// newNetwork returns the figures of a summary with the ratio to the goal of the subject.
func newNetwork(sum *summary, s *subject) *network {
	return &network{LUT4: sum.Network.LUT4, FF: sum.Network.FF, Clock: sum.Clock, MHzGoal: s.network, MHzRatio: sum.Clock.Median / s.network}
}

var latencyLine = regexp.MustCompile(`(?m)^latency: (\d+) cycles`)

// latency finds the cycles of a broadcast in the output of a bench.
func latency(output string) (int, error) {
	found := latencyLine.FindStringSubmatch(output)
	if found == nil {
		return 0, fmt.Errorf("the bench prints no latency:\n%s", output)
	}
	return strconv.Atoi(found[1])
}

// cyclesForFairness is the length of a saturated run in which every node sends about ten messages:
// at one delivery per node and cycle, each message takes one cycle of the N - 1 other nodes.
func cyclesForFairness(nodes int) int { return 10 * nodes }

// saturate measures the saturated all-to-all of a network.
func saturate(p *plan.Plan) *saturation {
	cycles := 10_000
	if p.Nodes > 1024 {
		cycles = 1000 // half a minute; enough cycles for fairness would take hours
	}
	s := sim.Saturate(p, sim.Load{Rate: 1}, cycles)
	l := &saturation{Cycles: cycles, Deliveries: s.DeliveriesPerNode, Bound: s.DeliveryBound, Injections: s.InjectionsMin}
	if cycles >= cyclesForFairness(p.Nodes) {
		l.Fairness = s.Fairness
	}
	return l
}

// bench runs the tools.
type bench struct {
	hcgen string // the command
	work  string // folder for generated files
	seeds []int
	vars  map[string]string // values of variables of the descriptions
	jobs  int               // seeds placed at once and files compiled at once; 0 leaves it to the generated Makefile
}

// measure takes a subject through generation, simulation and synthesis, and adds the tools that
// synthesis used to tools.
func (b *bench) measure(s *subject, tools map[string]string) (*result, error) {
	file, err := s.description(b.work)
	if err != nil {
		return nil, err
	}
	p, err := s.load(file, b.vars)
	if err != nil {
		return nil, err
	}
	r, err := b.broadcast(p, file, s.variables(b.vars))
	if err != nil {
		return nil, err
	}
	r.Machine, r.Title = s.name, s.title

	sum, err := b.synthesize(p, "router", s.asked("router"), tools)
	if err != nil {
		return nil, err
	}
	r.Router = newRouter(sum, s, p.Stages)
	r.BroadcastNS = nanoseconds(r.Cycles, r.Router.Clock.Median)
	if s.network > 0 {
		if sum, err = b.synthesize(p, "network", s.asked("network"), tools); err != nil {
			return nil, err
		}
		r.Network = newNetwork(sum, s)
	}

	progress("%s: saturated load in the model", s.name)
	r.Load = saturate(p)
	return r, nil
}

// synthesize takes a generated machine through synthesis, and its router or its network through
// placement, which aim for a clock in MHz, or for that of the description if it is 0. The tools
// that it used are put into tools.
func (b *bench) synthesize(p *plan.Plan, placed string, clock float64, tools map[string]string) (*summary, error) {
	progress("%s: synthesis of the %s, seeds %s", p.Name, placed, words(b.seeds))
	folder := map[string]string{"router": "synth", "network": "synth-network"}[placed]
	arguments := []string{"synth", "PLACE=" + placed, "SEEDS=" + words(b.seeds)}
	if clock > 0 {
		arguments = append(arguments, fmt.Sprintf("CLOCK=%g", clock))
	}
	if _, err := b.make(p, arguments...); err != nil {
		return nil, err
	}
	return b.summary(p, folder, placed, tools)
}

// summary reads what synthesis left in a folder, and puts the tools that it used into tools.
func (b *bench) summary(p *plan.Plan, folder, placed string, tools map[string]string) (*summary, error) {
	name := filepath.Join(b.out(p), "build", folder, p.Machine.Synthesis[0].Name, "summary.json")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	sum, err := parseSummary(text, p.Name, placed, b.seeds)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for tool, version := range sum.Tools {
		tools[tool] = version
	}
	return sum, nil
}

// broadcast generates a machine and runs one broadcast alone in its RTL: in the network
// top if there is one, else in an array of routers.
func (b *bench) broadcast(p *plan.Plan, file string, vars map[string]string) (*result, error) {
	progress("%s: one broadcast in RTL", p.Name)
	if _, err := output(b.command(b.hcgen, append([]string{"-c", file, "-o", b.out(p)}, varFlags(vars)...)...)); err != nil {
		return nil, err
	}
	var text string
	var err error
	if p.Machine.Network {
		text, err = b.make(p, "sim-alone")
	} else {
		text, err = b.array(p, file, vars)
	}
	if err != nil {
		return nil, err
	}
	cycles, err := latency(text)
	if err != nil {
		return nil, err
	}
	return &result{
		Machine: p.Name, Title: p.Name, Nodes: p.Nodes, Degree: p.Degree, PayloadBits: p.PayloadBits,
		Cycles: cycles, CyclesBound: p.Stages*p.Machine.Graph.Diameter() + 1,
	}, nil
}

// array compares one broadcast in an array of routers with its trace, which is piped from hcgen to the
// bench.
func (b *bench) array(p *plan.Plan, file string, vars map[string]string) (string, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	trace := b.command(b.hcgen, append([]string{"simulate", "-c", file, "--trace", "-"}, varFlags(vars)...)...)
	trace.Stdout = write
	var messages strings.Builder
	trace.Stderr = &messages
	if err := trace.Start(); err != nil {
		return "", errors.Join(err, read.Close(), write.Close())
	}
	check := b.makeCommand(p, "sim-array")
	check.Stdin = read
	// Only the two commands may hold the pipe; otherwise neither sees the end of the other.
	if err := write.Close(); err != nil {
		return "", err
	}
	text, err := output(check)
	closed := read.Close()
	traced := trace.Wait()
	if err != nil { // a bench that stops early is no fault of hcgen
		return "", err
	}
	if traced != nil {
		return "", fmt.Errorf("hcgen simulate: %w\n%s", traced, messages.String())
	}
	return text, closed
}

// varFlags sets variables on the command line of hcgen.
func varFlags(vars map[string]string) []string {
	var flags []string
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		flags = append(flags, "--var", name+"="+vars[name])
	}
	return flags
}

// out is the folder in which a machine is generated, one for each width of its payload.
func (b *bench) out(p *plan.Plan) string {
	return filepath.Join(b.work, fmt.Sprintf("%s_%d", p.Name, p.PayloadBits))
}

func (b *bench) make(p *plan.Plan, arguments ...string) (string, error) {
	return output(b.makeCommand(p, arguments...))
}

func (b *bench) makeCommand(p *plan.Plan, arguments ...string) *exec.Cmd {
	arguments = append([]string{"-C", b.out(p), "--no-print-directory", "BUILD=build"}, arguments...)
	if b.jobs > 0 {
		arguments = append(arguments, "JOBS="+strconv.Itoa(b.jobs))
	}
	return b.command("make", arguments...)
}

// command is a command that does not inherit the variables of a calling make.
func (b *bench) command(name string, arguments ...string) *exec.Cmd {
	c := exec.Command(name, arguments...)
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "MAKEFLAGS=") || strings.HasPrefix(v, "MFLAGS=")
	})
	return c
}

// output runs a command and returns its output, which is also part of an error.
func output(c *exec.Cmd) (string, error) {
	text, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, text)
	}
	return string(text), nil
}

// benchmark is a line of go test -bench.
type benchmark struct {
	Name    string             `json:"name"`
	Metrics map[string]float64 `json:"metrics"`
}

// benchmarks runs the benchmarks of a package once.
func (b *bench) benchmarks(pkg, name string) ([]benchmark, error) {
	text, err := b.gotest(pkg, name, "-benchtime", "1x")
	if err != nil {
		return nil, err
	}
	return parseBenchmarks(text, "Benchmark"+name+"/")
}

func (b *bench) gotest(pkg, name string, more ...string) (string, error) {
	progress("go test %s -bench %s", pkg, name)
	return output(b.command("go", append([]string{"test", pkg, "-run", "^$", "-bench", "^Benchmark" + name + "$"}, more...)...))
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
func (b *bench) speeds() ([]speed, error) {
	text, err := b.gotest("./sim", "LoadedTorus", "-count", "3")
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
	p, err := load(filepath.Join("configs", reference+".hcl"), nil)
	if err != nil {
		return nil, err
	}
	verilated := 0.0
	for range 3 {
		progress("%s: simulation of the RTL alone", reference)
		text, err := b.make(p, "speed")
		if err != nil {
			return nil, err
		}
		found, err := freeRun(text)
		if err != nil {
			return nil, err
		}
		verilated = max(verilated, found)
	}
	return []speed{newSpeed("reference model", model, modelGoal), newSpeed("Verilated RTL", verilated, verilatedGoal)}, nil
}

var freeRunLine = regexp.MustCompile(`(?m)^free run: .* ([0-9.]+) million router cycles per second`)

// freeRun finds the speed in the output of a bench.
func freeRun(output string) (float64, error) {
	found := freeRunLine.FindStringSubmatch(output)
	if found == nil {
		return 0, fmt.Errorf("the bench prints no speed:\n%s", output)
	}
	return strconv.ParseFloat(found[1], 64)
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
