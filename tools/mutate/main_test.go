// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/smt"
)

// tiny is a ring with messages that continue, and little else.
const tiny = `
machine "tiny" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 2
  }
}
traffic "storm" {
  cycles = 200
  random {
    rate  = 0.4
    stall = 0.3
  }
}
`

func started(t *testing.T, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), arguments, &out, &err)
	return code, out.String(), err.String()
}

// secondLook is where a tree looks again whether who is selected asks: nothing changes without it
// for the second of two.
func secondLook(t *testing.T) string {
	t.Helper()
	const module, text = "hc_tree_arbiter", "chosen & request;"
	source, err := hdl.Source(module)
	require.NoError(t, err)
	before, _, found := strings.Cut(source, text)
	require.True(t, found)
	line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n")
	return fmt.Sprintf("rtl/tiny_%s.v:%d.%d-%d.%d", module, line, column, line, column+len(text)-1)
}

// A valid that is inverted, an error that is never told, a look at a request that has been looked at, a bit of
// a weight that is 0 in every message, and wires that change places: what is a fault is caught, by the check that is there for it, and
// what is none is shown to be none. A run whose benches see no malformed header lets that
// fault through and fails.
func TestMutants(t *testing.T) {
	needs.Time(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "tiny.hcl")
	require.NoError(t, os.WriteFile(config, []byte(tiny), 0o644))
	figures := filepath.Join(dir, "figures.json")
	mutate := func(stages string, more ...string) (code int, results []result, stdout, stderr string) {
		code, stdout, stderr = started(t, append([]string{"-work", filepath.Join(dir, "work"), "-machines", config, "-json", figures,
			"-count", "1", "-wires", "3", "-stages", stages, "-filter", "-mode inv -port Q -wire m_axis_tvalid",
			"-filter", "-mode const0 -port Q -wire header_error", "-filter", "-mode const1 -port B -portbit 1 -src " + secondLook(t),
			"-filter", "-mode const0 -port head_next_wc -portbit 1 -cell in0"}, more...)...)
		text, err := os.ReadFile(figures)
		require.NoError(t, err, stderr)
		var r report
		require.NoError(t, json.Unmarshal(text, &r))
		require.Len(t, r.Machines, 1)
		assert.Len(t, r.Machines[0].Sources, 64)
		assert.Contains(t, r.Tools["yosys"], "Yosys ")
		assert.Contains(t, r.Tools["verilator"], "Verilator ")
		assert.Contains(t, r.Tools["z3"], "Z3 ")
		return code, r.Machines[0].Results, stdout, stderr
	}

	code, all, stdout, stderr := mutate("router network")
	require.Zero(t, code, stderr)
	assert.Contains(t, stderr, "tiny: checking without a mutant: router")
	require.Len(t, all, 7)
	for _, one := range all[:2] {
		assert.Equal(t, []string{stageRouter, caught}, []string{one.Stage, one.Verdict}, one.mutation)
		assert.Contains(t, one.Detail, "router: ")
		assert.NotEmpty(t, one.Sources)
	}
	assert.Equal(t, []string{stageCompared, equivalent}, []string{all[2].Stage, all[2].Verdict}, all[2].mutation)
	assert.Equal(t, []string{stageCompared, reachable}, []string{all[3].Stage, all[3].Verdict}, all[3].mutation)
	for _, one := range all[4:] {
		assert.Equal(t, []string{stageNetwork, caught}, []string{one.Stage, one.Verdict}, one.mutation)
	}
	assert.Contains(t, stdout, "\n| tiny | 7 | 2 | 3 | 0 | 0 | 1 | 1 | 0 |\n")
	assert.Contains(t, stdout, "tiny: equivalent: mutant 3: const1 at B bit 1 of ")

	// Again: nothing is left to do.
	again, _, same, stderr := mutate("router network")
	assert.Zero(t, again)
	assert.Equal(t, stdout, same)
	assert.NotContains(t, stderr, "checking", "results are kept")

	// What the bench of the network cannot see the proof of a module does.
	code, all, _, stderr = mutate("network modules")
	require.Zero(t, code, stderr)
	assert.Equal(t, []string{stageModules, caught}, []string{all[1].Stage, all[1].Verdict}, all[1].mutation)
	assert.Contains(t, all[1].Detail, "tiny_hc_link_input: properties/tiny_hc_link_input.v:")
	assert.Equal(t, equivalent, all[2].Verdict)

	// So does the proof of the router, and what is no fault passes it.
	code, all, _, stderr = mutate("network proof")
	require.Zero(t, code, stderr)
	assert.Contains(t, stderr, "tiny: checking without a mutant: proof")
	assert.Equal(t, []string{stageProof, caught}, []string{all[1].Stage, all[1].Verdict}, all[1].mutation)
	assert.Contains(t, all[1].Detail, "tiny_router: ")
	assert.Equal(t, equivalent, all[2].Verdict)

	// Nor does anything else, without that.
	code, all, _, stderr = mutate("network")
	assert.Equal(t, 3, code)
	assert.Equal(t, []string{stageCompared, differs}, []string{all[1].Stage, all[1].Verdict}, all[1].mutation)
	assert.Contains(t, stderr, "tiny: mutant 2 survives: const0 at Q bit 0 of ")
	assert.Contains(t, stderr, "(header_error[0]), rtl/tiny_hc_link_input.v:")
	assert.Contains(t, stderr, "compared: differs, in cycle ")

	code, stdout, stderr = started(t, "-work", filepath.Join(dir, "work"), "-machines", config, "-count", "9", "-filter", "-wire open")
	assert.NotEqual(t, 0, code, stdout)
	assert.Contains(t, stderr, "-count asks for 9")

	// What an older run has left does not pass as what a failed one says.
	require.FileExists(t, figures)
	code, _, _ = started(t, "-work", filepath.Join(dir, "work"), "-machines", "nothing", "-json", figures)
	assert.Equal(t, 2, code)
	assert.NoFileExists(t, figures)
}

func TestBadFlags(t *testing.T) {
	for want, arguments := range map[string][]string{
		"it takes no argument":                   {"ring"},
		"-count is 0, want 1 to 10000":           {"-count", "0"},
		"-wires is -1, want 0 to 100":            {"-wires", "-1"},
		"-jobs is 0, want 1 or more":             {"-jobs", "0"},
		"-seed is 2147483648, want 0 to":         {"-seed", "2147483648"},
		"-machines names no machine":             {"-machines", " "},
		`-stages has "bench": there are router`:  {"-stages", "bench"},
		`-filter is "-mode inv; shell"`:          {"-filter", "-mode inv; shell"},
		"neither a file nor one of tools":        {"-machines", "nothing", "-work", t.TempDir()},
		"flag provided but not defined: -mutant": {"-mutant", "3"},
	} {
		code, stdout, stderr := started(t, arguments...)
		assert.Equal(t, 2, code, arguments)
		assert.Contains(t, stderr, want)
		assert.Empty(t, stdout)
	}
	code, _, _ := started(t, "-help")
	assert.Zero(t, code)
}

func TestMissingToolsAndInterrupts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, stderr bytes.Buffer
	assert.Equal(t, 130, run(ctx, []string{"-machines", "ring", "-work", t.TempDir()}, &out, &stderr))
	assert.Contains(t, stderr.String(), "interrupted")

	t.Setenv("PATH", t.TempDir())
	code, _, text := started(t, "-work", t.TempDir())
	assert.Equal(t, 4, code)
	assert.Contains(t, text, "yosys is not installed: make setup installs it")
}

// Mutants are of a specialized router.
func TestProgrammableMachinesAreRefused(t *testing.T) {
	code, _, stderr := started(t, "-machines", "../../configs/programmable.hcl", "-work", t.TempDir())
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "programmable.hcl: its router is programmable, and mutants are of specialized ones")
}

func TestParseMutations(t *testing.T) {
	all, err := parseMutations(`mutate -ctrl mutant 32 1 -mode cnot0 -module $paramod$06c1\hc_pace -cell $procdff$4249 -port Q -portbit 1 -ctrlbit 3 -wire credit_q -wirebit 1 -src rtl/hc_pace.v:48.31-48.38 -src rtl/hc_pace.v:81.5-96.8
mutate -ctrl mutant 32 2 -mode const1 -module $paramod\hc_arbiter\REQUESTERS=s32'0010 -cell $procmux$3274 -port A -portbit 0 -src rtl/hc_arbiter.v:57.33-57.42
mutate -ctrl mutant 32 3 -mode inv -module ring_router -cell out0 -port m_axis_tdata -portbit 2
`)
	require.NoError(t, err)
	require.Len(t, all, 3)
	var texts []string
	for _, m := range all {
		texts = append(texts, m.Module+": "+m.String())
	}
	assert.Equal(t, []string{
		"hc_pace: cnot0 at Q bit 1 of $procdff$4249, by bit 3 (credit_q[1]), rtl/hc_pace.v:81",
		"hc_arbiter: const1 at A bit 0 of $procmux$3274, rtl/hc_arbiter.v:57",
		"ring_router: inv at m_axis_tdata bit 2 of out0, ring_router",
	}, texts)
	assert.True(t, strings.HasPrefix(all[0].Command, "mutate -mode cnot0 "))

	_, err = parseMutations("mutate -mode inv\n")
	assert.ErrorContains(t, err, "is not understood")
}

// A result that was cut off when the program was killed is decided again.
func TestResultsSurviveAKill(t *testing.T) {
	d := &design{dir: t.TempDir(), mutations: []mutation{{Number: 1}, {Number: 2}, {Number: 3}}}
	s, err := openStore(d, nil)
	require.NoError(t, err)
	require.NoError(t, s.put(result{mutation: mutation{Number: 1}, Verdict: caught}))
	_, err = s.file.WriteString(`{"number":2,"verd`)
	require.NoError(t, err)
	require.NoError(t, s.file.Close())
	s, err = openStore(d, nil)
	require.NoError(t, err)
	_, done := s.get(2)
	assert.False(t, done)
	require.NoError(t, s.put(result{mutation: mutation{Number: 3}, Verdict: caught}))
	require.NoError(t, s.file.Close())
	s, err = openStore(d, nil)
	require.NoError(t, err)
	assert.Len(t, s.all, 2)
	require.NoError(t, s.file.Close())

	// One of another mutation says nothing of this one, whatever its number.
	d.mutations[2].Command = "mutate -mode inv"
	s, err = openStore(d, nil)
	require.NoError(t, err)
	_, done = s.get(3)
	assert.False(t, done)
	_, done = s.get(1)
	assert.True(t, done)
	require.NoError(t, s.file.Close())
}

// Results of other tools or other sources are not taken over.
func TestResultsAreOfTheirTools(t *testing.T) {
	config := filepath.Join(t.TempDir(), "tiny.hcl")
	require.NoError(t, os.WriteFile(config, []byte(tiny), 0o644))
	made := func(text, yosys string) *design {
		require.NoError(t, os.WriteFile(config, []byte(text), 0o644))
		c := &campaign{work: t.TempDir(), count: 1, tools: map[string]string{"yosys": yosys, "z3": "4"}}
		d, err := c.generate(t.Context(), config)
		require.NoError(t, err)
		return d
	}
	one, same, tool := made(tiny, "1"), made(tiny, "1"), made(tiny, "2")
	other := made(strings.Replace(tiny, "rate  = 0.4", "rate  = 0.5", 1), "1")
	assert.Equal(t, filepath.Base(one.dir), filepath.Base(same.dir))
	assert.Equal(t, one.sources, tool.sources)
	assert.NotEqual(t, filepath.Base(one.dir), filepath.Base(tool.dir))
	assert.NotEqual(t, one.sources, other.sources)
	assert.NotEqual(t, filepath.Base(one.dir), filepath.Base(other.dir))
}

// What a bench objects to is told from a bench that was killed or does not work.
func TestEndsOfBenches(t *testing.T) {
	for script, want := range map[string]string{
		"true":                                "",
		"echo 'mismatch 1: cycle 3'; exit 3":  "cycle 3",
		"ulimit -S -t 1; while :; do :; done": "no end in 2m0s of processor time",
		"echo '%Error: Settle region did not converge.'; kill -6 $$": "%Error: Settle region did not converge.",
	} {
		text, ran := exec.CommandContext(t.Context(), "sh", "-c", script).Output()
		said, err := complaint(ran, string(text))
		require.NoError(t, err, script)
		assert.Equal(t, want, said, script)
	}
	for _, script := range []string{"echo here; kill -9 $$", "echo out of memory; kill -6 $$", "echo converge; kill -11 $$", "echo no; exit 2"} {
		text, ran := exec.CommandContext(t.Context(), "sh", "-c", script).Output()
		said, err := complaint(ran, string(text))
		require.Error(t, err, script)
		assert.Empty(t, said, script)
	}
}

// What a proof objects to is told from one that is not found and from a tool that is broken.
func TestEndsOfProofs(t *testing.T) {
	objects := func(script string) (string, error) {
		text, ran := exec.CommandContext(t.Context(), "sh", "-c", script).Output()
		return objection(ran, string(text))
	}
	said, err := objects("echo 'FAIL: tiny_router: out0'; exit 3")
	require.NoError(t, err)
	assert.Equal(t, "tiny_router: out0", said)
	said, err = objects("echo 'PASS: tiny_router is proved'")
	require.NoError(t, err)
	assert.Empty(t, said)
	_, err = objects("echo 'UNKNOWN: tiny_router: not all is proved'; exit 3")
	require.ErrorIs(t, err, smt.ErrNoResult)
	_, err = objects("echo 'BOUNDED: tiny_router: nothing fails in the first 12 cycles'; exit 3")
	require.ErrorIs(t, err, smt.ErrNoResult)
	_, err = objects("echo 'FAIL: tiny_router: the properties do not fit the router'; exit 3")
	require.ErrorIs(t, err, smt.ErrNoResult)
	for _, script := range []string{"echo 'FAIL: tiny_router'; exit 1", "echo 'a FAIL: x'; exit 3", "echo 'FAIL: x'; kill -9 $$", "exit 4"} {
		_, err := objects(script)
		require.Error(t, err, script)
		assert.NotErrorIs(t, err, smt.ErrNoResult, script)
	}
}
