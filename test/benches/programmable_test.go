// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/plan/registers"
	"github.com/hcgen/hcgen/sim/traces"
	"github.com/hcgen/hcgen/test/internal/harness"
	"github.com/hcgen/hcgen/verilator"
)

// Limits of the programmable router of the bench, those of the paper's prototype, and
// the width of its payload.
const (
	programmableDimensions = 4
	programmableNodes      = 15
	programmablePayload    = 16
)

// libraryFault is a change of the library. Where is a line of a module or a part of it, with %s in the
// place of an expression; From and To are that expression before and after the change.
type libraryFault struct{ name, where, from, to string }

// programmable compiles the bench of the programmable router. One program has all faults, and run
// selects the active fault by its number, from 1; 0: none.
func programmable(t *testing.T, faults ...libraryFault) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/programmable")))
	harness.Library(t, dir)
	for _, name := range []string{"bench.h", "bus.h", "checks.h"} {
		data, err := fs.ReadFile(verilator.Files, name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hc_registers.h"), []byte(registers.Programmable().C()), 0o644))
	flags := "-std=c++17 -Wall -Wextra -Werror -I.. -DWISHBONE"
	if len(faults) > 0 {
		flags += " -DFAULTS"
		replaceOnce(t, filepath.Join(dir, "programmable.v"), "    input  wire         clk,", "    input  wire [7:0]   fault,\n    input  wire         clk,")
		for n, f := range faults {
			shown := fmt.Sprintf("(programmable.fault == 8'd%d ? (%s) : (%s))", n+1, f.to, f.from)
			replaceOnce(t, filepath.Join(dir, "hc_*.v"), fmt.Sprintf(f.where, f.from), fmt.Sprintf(f.where, shown))
		}
	}
	build := exec.Command("verilator", "-Wall", "--cc", "--exe", "--build", "-j", "2", "-O3", "--x-assign", "unique", "--x-initial", "unique",
		"-CFLAGS", flags, "-MAKEFLAGS", "OPT_FAST=-O2 OPT_SLOW=-O0",
		"-y", ".", "--top-module", "programmable", "--prefix", "Vprogrammable", "-Mdir", "build",
		"programmable.v", "main.cpp")
	build.Dir = dir
	text, err := build.CombinedOutput()
	require.NoError(t, err, string(text))
	return filepath.Join(dir, "build", "Vprogrammable")
}

// replaceOnce replaces a text that occurs once in the files of a pattern.
func replaceOnce(t *testing.T, pattern, from, to string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	places := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		places += strings.Count(string(data), from)
		require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(data), from, to, 1)), 0o644))
	}
	require.Equal(t, 1, places, "places of %q", from)
}

// within reports whether a machine is within the limits of the bench.
func within(g *hypercycle.Graph) bool {
	ok := g.Rank() <= programmableDimensions
	for i := 1; i <= g.Rank(); i++ {
		ok = ok && g.Dimension(i).M <= programmableNodes
	}
	return ok
}

// replays writes traces and the lines that make the bench replay them.
type replays struct {
	t     *testing.T
	dir   string
	lines []string
}

func (r *replays) add(kind, name string, p *plan.Plan, write func(w io.Writer) error) {
	r.t.Helper()
	path := filepath.Join(r.dir, fmt.Sprintf("%d.trace", len(r.lines)))
	f, err := os.Create(path)
	require.NoError(r.t, err)
	require.NoError(r.t, write(f))
	require.NoError(r.t, f.Close())
	line := fmt.Sprintf("%s %s %s %d %d %d %d", kind, name, path, p.WdBits, p.WcBits, int(p.Machine.Preference), len(p.Dims))
	for _, d := range p.Dims {
		line += fmt.Sprintf(" %d %d", d.M, d.Rho)
	}
	r.lines = append(r.lines, line)
}

// run makes a program replay all traces and returns its answers. The argument of a program with
// faults is the number of the active fault.
func (r *replays) run(program string, arguments ...string) []string {
	r.t.Helper()
	var out bytes.Buffer
	command := exec.Command(program, arguments...)
	command.Stdin = strings.NewReader(strings.Join(r.lines, "\n") + "\n")
	command.Stdout = &out
	command.Stderr = os.Stderr
	require.NoError(r.t, command.Run())
	answers := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(r.t, answers, len(r.lines))
	return answers
}

// addMachine adds the golden traces of hcgen for the specialized router and network of a
// machine.
func (r *replays) addMachine(m *machine.Machine, routerCycles int) {
	p := plan.New(m)
	r.add("router", m.Name+".router", p, func(w io.Writer) error {
		return traces.WriteRouter(w, p, routerCycles, 1, nil)
	})
	if !m.Network {
		return
	}
	for _, t := range append([]machine.Traffic{p.Alone(0)}, m.Traffic...) {
		r.addNetwork(p, t)
	}
}

// addAlone adds the trace of one broadcast in the network of a machine that has none in its example.
func (r *replays) addAlone(m *machine.Machine) {
	p := plan.New(m)
	r.addNetwork(p, p.Alone(0))
}

func (r *replays) addNetwork(p *plan.Plan, t machine.Traffic) {
	r.add("network", p.Machine.Name+"."+t.Name, p, func(w io.Writer) error {
		_, err := traces.WriteNetwork(w, p, t, nil)
		return err
	})
}

// examples are the machines of configs/ within the limits, with the payload of the bench.
func examples(t *testing.T) []*machine.Machine {
	configs, err := filepath.Glob("../../configs/*.hcl")
	require.NoError(t, err)
	var machines []*machine.Machine
	for _, config := range configs {
		m, _, diags := machine.Load(config, nil)
		require.False(t, diags.HasErrors(), diags.Error())
		if !within(m.Graph) || m.Destination {
			continue
		}
		m.PayloadBits, m.SourceID = programmablePayload, false
		machines = append(machines, m)
	}
	require.GreaterOrEqual(t, len(machines), 13)
	return machines
}

// drawnMachine returns a random machine of the prototype's range with some preference.
func drawnMachine(t *testing.T, i int) *machine.Machine {
	m := product(t, rapid.Custom(func(t *rapid.T) []hypercycle.Dimension {
		return arbitrary.Rings(t, arbitrary.Limits{Nodes: math.MaxInt32, Rank: programmableDimensions, Ring: programmableNodes, Degree: machine.MostDegree})
	}).Example(i)...)
	m.Name, m.Preference = fmt.Sprintf("drawn%d", i), hypercycle.Preference(i%3)
	m.Network = m.Graph.Nodes() < 32
	if m.Network {
		m.Traffic = []machine.Traffic{{Name: "storm", Cycles: 300, Random: &machine.Random{Rate: 0.5, Stall: 0.2, Seed: int64(i)}}}
	}
	return m
}

// product is a machine without network of the given rings, dimension 1 first.
func product(t *testing.T, rings ...hypercycle.Dimension) *machine.Machine {
	m, err := machine.Bare(rings...)
	require.NoError(t, err)
	m.Name, m.PayloadBits, m.Hash = "", programmablePayload, strings.Repeat("0", 64)
	for _, d := range rings {
		m.Name += fmt.Sprintf("ring%d_%d", d.M, d.Rho)
	}
	return m
}

// Machines unlike the examples: rings in which several short links transfer onto each ring
// port, and a large diameter with more than 32 nodes.
var (
	longLinks  = []hypercycle.Dimension{{M: 14, Rho: 4}, {M: 8, Rho: 3}, {M: 13, Rho: 5}, {M: 15, Rho: 6}}
	longWindow = []hypercycle.Dimension{{M: 5, Rho: 1}, {M: 15, Rho: 1}}
)

// One compiled router is configured as all machines in turn, without a reset in between, and
// equals the generated router of each machine in every cycle.
func TestProgrammableRouterIsEveryMachine(t *testing.T) {
	needs.Time(t)
	program := programmable(t)
	r := &replays{t: t, dir: t.TempDir()}
	for _, m := range examples(t) {
		r.addMachine(m, 0)
	}
	for _, ring := range longLinks {
		r.addMachine(product(t, ring), 0)
	}
	large := product(t, longWindow...)
	large.Network, large.Traffic = true, []machine.Traffic{{Name: "storm", Cycles: 2000, Random: &machine.Random{Rate: 0.5, Stall: 0.2, Seed: 1}}}
	r.addMachine(large, 0)
	drawn := 20
	if text := os.Getenv("HCGEN_DRAWN_MACHINES"); text != "" { // make campaign WHAT=programmable
		_, err := fmt.Sscan(text, &drawn)
		require.NoError(t, err, "HCGEN_DRAWN_MACHINES=%s", text)
		for _, m := range examples(t) { // 50,625 nodes each, two minutes
			if !m.Network {
				r.addAlone(m)
			}
		}
	}
	for i := range drawn {
		r.addMachine(drawnMachine(t, i), 4000)
	}
	for _, answer := range r.run(program) {
		assert.Regexp(t, "^ok ", answer)
		t.Log(answer)
	}
}

// The bench detects faults of a router, and of the change from one machine to the
// next.
func TestProgrammableBenchFindsFaults(t *testing.T) {
	needs.Time(t)
	r := &replays{t: t, dir: t.TempDir()}
	for _, m := range examples(t) {
		if m.Name == "mixed" {
			r.addMachine(m, 0)
		}
	}
	r.addMachine(product(t, longLinks[0]), 0)
	r.addMachine(product(t, longWindow...), 0)
	faults := []libraryFault{
		{"no bubble", "group_request & pending_q & %s;", "!blocked", "1'b1"},
		{"a message that continues does not come before a transfer", "enter_ready  = ready & %s;", "~continues_above", "{DEGREE{1'b1}}"},
		{"a slot keeps no word", "if (%s) slot_q <=", "ready_q", "1'b1"},
		{"a malformed message stays", "stays   = %s & |rest;", "valid", "1'b1"},
		{"a port takes a message of its group twice", "pending_q & %s);", "!(group_valid & ready & !blocked)", "1'b1"},
		{"transfers take turns otherwise", "(winner & ~(%s))", "enter_ready & valid", "~(enter_ready & valid)"},
		{"links of a ring do not take turns", "(some & (%s |", "passed", "{DEGREE{1'b0}}"},
		{"the group keeps its turn", "(group_select & %s & enter_ready)", "group_valid", "~group_valid"},
		{"a high weight is accepted", "|wc && %s;", "fits", "1'b1"},
		{"neighbours do not hold the pace back", ".link_pace(%s),\n        .valid    (valid)", "paces", "{DEGREE{pace}}"},
		{"who is not there holds the pace back", "paces[2*p+:2] = %s;", "there[p] ? link_pace[2*p+:2] : pace", "link_pace[2*p+:2]"},
		{"a message half taken is dropped on closing", "assign open = %s;", "configured | waiting_q", "configured"},
		{"it does not wait until the machine has drained", "%s", "state_q == DRAIN & drained", "state_q == DRAIN"},
	}
	program := programmable(t, faults...)
	for _, answer := range r.run(program, "0") {
		assert.Regexp(t, "^ok ", answer, "without fault")
	}
	for n, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			answers := (&replays{t: t, lines: r.lines}).run(program, strconv.Itoa(n+1))
			failed := 0
			for _, answer := range answers {
				if strings.HasPrefix(answer, "FAIL ") {
					failed++
				}
			}
			assert.Positive(t, failed, answers)
			t.Log(failed, "of", len(answers), "traces differ")
		})
	}
}
