// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// oddNames are names of folders that make, Verilator or a shell does not take literally. Each
// attempt to run a command leaves the file HIT.
var oddNames = []string{
	"R&D", "C#", "out(1)", "it's", "a=b", "a:b", "a$b", "x;touch HIT", `a\b`, "a\tb", "a\nb", "a\\\nb", "a b", `q"q`, "~x", "p%q", "a*b", "a?b",
	"[x]", "{a}", "a|b", "a<b", "a>b", "a!b", "^", "a\x01b", "`touch HIT`", "x$(touch HIT)", "x$(shell touch HIT)", `"; touch HIT; "`, "'; touch HIT; '",
}

var plainNames = []string{"out", "Out_1-2.3+4,5", "größe", "网络"}

// made runs make in the folder and returns what it prints.
func (r *reported) made(arguments ...string) (code int, text string) {
	r.t.Helper()
	command := exec.CommandContext(r.t.Context(), "make", arguments...)
	command.Dir = r.dir
	printed, err := command.CombinedOutput()
	if err != nil {
		require.ErrorAs(r.t, err, new(*exec.ExitError))
	}
	return command.ProcessState.ExitCode(), string(printed)
}

// nothingRan fails if a name has run a command.
func (r *reported) nothingRan(name string) {
	r.t.Helper()
	assert.NoFileExists(r.t, filepath.Join(r.dir, "HIT"), name)
}

func TestMakefileTakesFolderNamesLiterally(t *testing.T) {
	needs.Tools(t, "make")
	r := newReported(t, ring5)
	above := filepath.Dir(r.dir)
	move := func(name string) {
		to := filepath.Join(above, name)
		require.NoError(t, os.Rename(r.dir, to))
		r.dir = to
	}
	// The bench of the router, built from scratch and with its shared part built.
	commands := [][]string{{"-n", "build/shared/shared.o"}, {"-n", "-o", "build/shared/shared.o", "build/router/Vrouter"}}
	for _, name := range oddNames {
		move(name)
		for _, command := range commands {
			code, text := r.made(command...)
			assert.Equal(t, 2, code, "%q: %s", name, text)
			assert.Contains(t, text, `*** no bench can be built in "`+r.dir+`": its path may have only letters, digits, characters beyond ASCII, and . _ - / + ,; rename`)
			r.nothingRan(name)
		}
		code, text := r.made("report")
		assert.Zero(t, code, "%q: %s", name, text)
		r.nothingRan(name)
	}
	for _, name := range plainNames {
		move(name)
		for _, command := range commands {
			code, text := r.made(command...)
			assert.Zero(t, code, "%q: %s", name, text)
		}
	}
}

func TestMakefileTakesBuildLiterally(t *testing.T) {
	needs.Tools(t, "make")
	r := newReported(t, ring5)
	for _, name := range append([]string{"", "-x"}, oddNames...) {
		for _, target := range []string{"help", "report", "clean"} {
			code, text := r.made("BUILD="+name, target)
			assert.Equal(t, 2, code, "%q: %s", name, text)
			assert.Contains(t, text, `*** BUILD is "`+name+`", which make or a shell would not take literally`)
			r.nothingRan(name)
		}
	}
	for _, name := range append([]string{"../elsewhere", filepath.Join(t.TempDir(), "a/b")}, plainNames...) {
		code, text := r.made("-s", "BUILD="+name, "report")
		assert.Zero(t, code, "%q: %s", name, text)
		assert.Equal(t, "report: "+name+"/report.html\n", text)
	}
}

// Variables that are not part of target names reach the tools and scripts unchanged.
func TestMakefileQuotesVariables(t *testing.T) {
	needs.Tools(t, "make")
	r := newReported(t, ring5)
	const odd = "it's $$(touch HIT) `touch HIT`"
	for _, variable := range []string{"JOBS", "CLOCK", "SEEDS", "YOSYS", "NEXTPNR", "CELLS_SIM", "PROVE_TIME", "PROVE_DEPTH", "PROVE_ACCEPT", "SMTBMC", "SOLVER"} {
		for _, target := range []string{"synth", "prove", "netlist", "build/shared/shared.o"} {
			r.made("YOSYS=absent", "VERILATOR=:", "CXX=:", variable+"="+odd, target)
			r.nothingRan(variable + " " + target)
		}
	}
	for variable, argument := range map[string]string{"GOLDEN": "+golden=", "CYCLES": "+free-run="} {
		_, text := r.made("-n", "-o", "build/array/Varray", "-o", "build/network/Vnetwork", variable+"="+odd, "sim-array", "free-run")
		assert.Contains(t, text, " '"+argument+`it'\''s $(touch HIT) `+"`touch HIT`' ")
	}
}

// Benches of another optimization, and those with waves, have folders of their own.
func TestMakefileKeepsBenchesApart(t *testing.T) {
	needs.Tools(t, "make")
	r := newReported(t, ring5)
	for _, odd := range []string{"", "O2", "-O4", "-O1 -O2"} {
		code, text := r.made("-n", "BENCH_OPT="+odd, "sim-alone")
		assert.Equal(t, 2, code, "%q: %s", odd, text)
		assert.Contains(t, text, `*** BENCH_OPT is "`+odd+`": it must be -O0, -O1, -O2 or -O3; leave it out for -O0`)
	}
	for folder, variables := range map[string][]string{
		"network":          nil,
		"network-O2":       {"BENCH_OPT=-O2"},
		"network-waves":    {"PLUSARGS=+seed=2 '+trace=a.vcd'"},
		"network-O1-waves": {"BENCH_OPT=-O1", "PLUSARGS=+trace=a.vcd"},
	} {
		code, text := r.made(append([]string{"-n", "sim-alone"}, variables...)...)
		require.Zero(t, code, text)
		assert.Contains(t, text, "\nbuild/"+folder+"/Vnetwork +golden=")
		assert.Equal(t, strings.Contains(folder, "waves"), strings.Contains(text, " --trace "), folder)
	}
}

// goldenTrace is a golden trace in a recipe.
var goldenTrace = regexp.MustCompile(`golden/\w+\.trace`)

// What make replays is in the folder: a system of several chips has no trace, and routers alone none of a network.
func TestMakefileReplaysTracesOfTheFolder(t *testing.T) {
	needs.Tools(t, "make")
	chips := "machine \"boxes\" {\n  dimension \"x\" {\n    m   = 2\n    rho = 1\n    link {\n      kind = \"chips\"\n    }\n  }\n  %s}\n"
	for name, description := range map[string]string{
		"network": ring5, "chips": fmt.Sprintf(chips, ""), "endpoints on chips": fmt.Sprintf(chips, "endpoint {}\n"),
		"endpoints": "machine \"box\" {\n  dimension \"x\" {\n    m   = 2\n    rho = 1\n  }\n  endpoint {}\n}\n",
	} {
		r := newReported(t, description)
		code, text := r.made("-n", "sim", "netlist")
		require.Equal(t, 0, code, text)
		traces := goldenTrace.FindAllString(text, -1)
		assert.NotEmpty(t, traces, name)
		for _, trace := range traces {
			assert.FileExists(t, filepath.Join(r.dir, trace), name)
		}
	}
}
