// SPDX-License-Identifier: Apache-2.0

package smt

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/templates"
)

// counter counts to LAST, with the assertion that it stays below LIMIT.
const counter = `
module counter (input clk, input go);
    parameter LAST = 5, LIMIT = 6;
    reg  [2:0] count_q = 0;
    wire       more    = go && count_q != LAST;
    wire [2:0] next    = more ? count_q + 3'd1 : count_q;
    always @(posedge clk) count_q <= next;
    always @* begin
        assert (count_q < LIMIT);
        cover (count_q == 3);
        cover (count_q == 7);
    end
endmodule
`

const minute = time.Minute

// compile makes the formula of the counter.
func compile(t *testing.T, parameters ...string) Formula {
	t.Helper()
	needs.Tools(t, Tools...)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "counter.v"), []byte(counter), 0o644))
	f, err := Compile(t.Context(), dir, "counter", append([]string{"read_verilog -formal counter.v"}, Elaborate("counter", parameters...)...)...)
	require.NoError(t, err)
	return f
}

func TestVerdicts(t *testing.T) {
	below := []string{"counter.v:8.20-9.33"}
	for _, c := range []struct {
		name       string
		parameters []string
		task       Task
		want       Verdict
	}{
		{"base", nil, Base(9), Verdict{Passed: true, Step: 8}},
		{"base skips steps", []string{"-chparam LIMIT 5"}, append(Base(0)[:1], "6:7"), Verdict{Failures: below, Step: 6}},
		{"induction", nil, Induction(2), Verdict{Passed: true}},
		{"base finds the first failure", []string{"-chparam LIMIT 5"}, Base(9), Verdict{Failures: below, Step: 5}},
		{"induction finds a failure", []string{"-chparam LIMIT 5"}, Induction(2), Verdict{Failures: below}},
		{"a cover is not reached", nil, Cover(9), Verdict{Reached: 1}},
		{"all covers are reached", []string{"-chparam LAST 7", "-chparam LIMIT 8"}, Cover(9), Verdict{Passed: true, Reached: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := compile(t, c.parameters...)
			require.Equal(t, []int{1, 2}, []int{f.Assertions, f.Covers})
			v, err := f.Solve(t.Context(), minute, c.task)
			require.NoError(t, err)
			t.Log(v.Log)
			v.Log = ""
			assert.Equal(t, c.want, v)
		})
	}
}

// A run that ends in a failure is kept as waves.
func TestFailureHasWaves(t *testing.T) {
	f := compile(t, "-chparam LIMIT 5")
	v, err := f.Solve(t.Context(), minute, append(Base(9), "--dump-vcd", "failure.vcd"))
	require.NoError(t, err)
	require.False(t, v.Passed)
	waves, err := os.ReadFile(filepath.Join(f.Dir, "failure.vcd"))
	require.NoError(t, err)
	assert.Contains(t, string(waves), "count_q")
}

// standIn replaces a tool by a script.
func standIn(t *testing.T, tool, script string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, tool), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// A solver that is stopped, that fails, or that does not name the failed assertion has no verdict.
func TestNoVerdict(t *testing.T) {
	f := compile(t)
	for _, c := range []struct{ name, tool, script, says string }{
		{"stopped", "z3", "[ \"$1\" = --version ] || exec sleep 100", "no result in time"},
		{"no solver", "z3", "read -r line; exit 1", "yosys-smtbmc in "},
		{"nothing said", "yosys-smtbmc", "exit 0", "yosys-smtbmc in "},
		{"contradicts itself", "yosys-smtbmc", "echo 'Status: PASSED'; exit 1", "exit status 1: Status: PASSED"},
		{"no assertion named", "yosys-smtbmc", "echo 'Status: FAILED'; exit 1", "exit status 1: Status: FAILED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			standIn(t, c.tool, c.script)
			limit := minute
			if c.name == "stopped" {
				limit = 2 * time.Second
			}
			v, err := f.Solve(t.Context(), limit, Base(2))
			require.ErrorContains(t, err, c.says)
			assert.False(t, v.Passed)
			assert.Equal(t, c.name == "stopped", errors.Is(err, ErrNoResult))
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := f.Solve(ctx, minute, Base(2))
	assert.ErrorIs(t, err, context.Canceled)
}

// A design that Yosys rejects, or that connects ports of different widths, makes no formula.
func TestCompileRefusesDesigns(t *testing.T) {
	for _, c := range []struct{ script, says string }{
		{"read_verilog -formal missing.v", "missing.v"},
		{"read_verilog -formal counter.v wide.v; hierarchy -top wide; flatten; prep", "a port has another width than what it is connected to"},
		{"read_verilog -formal counter.v wide.v; hierarchy -top narrow; prep", "the formula is not that of one flat module"},
	} {
		dir := compile(t).Dir
		require.NoError(t, os.WriteFile(filepath.Join(dir, "wide.v"), []byte(`
module wide (input clk, input [1:0] go);
    counter below (.clk(clk), .go(go));
endmodule
module narrow (input clk, input go);
    counter below (.clk(clk), .go(!go));
endmodule
`), 0o644))
		_, err := Compile(t.Context(), dir, "design", c.script)
		assert.ErrorContains(t, err, c.says)
	}
}

// differs matches output of yosys-smtbmc that varies between runs: the time, and arbitrary values.
var differs = regexp.MustCompile(`(?m)^##[ 0-9:]+|^.*Value for anyconst.*\n`)

// Cutting does not change the meaning of a formula: the same assertions hold and fail in the same
// steps, and the same covers are reached.
func TestCutFormulaSaysTheSame(t *testing.T) {
	for _, c := range []struct {
		parameters              []string
		base, induction, covers bool
	}{
		{nil, true, true, false},
		{[]string{"-chparam LIMIT 5"}, false, false, false},
		{[]string{"-chparam LAST 7", "-chparam LIMIT 8"}, true, true, true},
	} {
		cut := compile(t, c.parameters...)
		text, err := os.ReadFile(filepath.Join(cut.Dir, cut.File))
		require.NoError(t, err)
		assert.NotRegexp(t, `define-fun \|[^ ]*#\d`, string(text), "a wire is not cut")
		assert.Regexp(t, `\(= \(\|[^ ]*#\d+\| state\) `, string(text))

		whole := cut
		whole.File = "counter.wires"
		said := func(f Formula, task Task, passes bool) string {
			v, err := f.Solve(t.Context(), minute, task)
			require.NoError(t, err)
			assert.Equal(t, passes, v.Passed, v.Log)
			return differs.ReplaceAllString(v.Log, "")
		}
		for _, task := range []struct {
			Task
			passes bool
		}{{append(Base(9), "--presat"), c.base}, {Induction(2), c.induction}, {Cover(9), c.covers}} {
			assert.Equal(t, said(whole, task.Task, task.passes), said(cut, task.Task, task.passes))
		}
	}
}

// prove.sh works without hcgen. It calls the solver in the same way and counts the same texts.
func TestScriptOfOutputFoldersDoesTheSame(t *testing.T) {
	text, err := templates.Files.ReadFile("formal/prove.sh")
	require.NoError(t, err)
	script := string(text)
	assert.Contains(t, script, `"$smtbmc" `+strings.Join(solve[1:len(solve)-1], " ")+` "$solver" "$@" "$formula"`)
	assert.Contains(t, script, "awk -f cut.awk")
	for _, word := range []string{"Status: PASSED", "Status: FAILED", "Assert failed in ", "Checking assertions in step ", "Resizing cell port"} {
		assert.Contains(t, script, word)
	}
	count := regexp.MustCompile(`(?m)^count\(\) .*$`).FindString(script)
	require.NotEmpty(t, count)
	f := compile(t)
	v, err := f.Solve(t.Context(), minute, Cover(9))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(f.Dir, "cover.log"), []byte(v.Log), 0o644))
	counted := regexp.MustCompile(`count ('.*?') "\$(?:name(?:\.cover)?\.)?(smt2|log)"`).FindAllStringSubmatch(script, -1)
	numbers := map[string]int{"'" + assertMark + "'": f.Assertions, "'" + coverMark + "'": f.Covers, "'" + reachMark + "'": v.Reached}
	for _, c := range counted {
		require.Contains(t, numbers, c[1])
		file := map[string]string{"smt2": f.File, "log": "cover.log"}[c[2]]
		said, err := runTool(t.Context(), f.Dir, "sh", "-c", count+"\ncount "+c[1]+" "+file)
		require.NoError(t, err, said)
		assert.Equal(t, strconv.Itoa(numbers[c[1]])+"\n", said)
	}
	assert.Len(t, counted, 3)
}

// An interrupt reaches the processes that a solver has started, even if its parent ends without
// passing on the interrupt. The output stays open until the last process has ended.
func TestInterruptsReachChildren(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	output, end, err := os.Pipe()
	require.NoError(t, err)
	defer output.Close()
	command := process.Command(ctx, "sh", "-c", "sleep 100 & echo begun; wait")
	command.Stdout = end
	require.NoError(t, command.Start())
	require.NoError(t, end.Close())
	require.NoError(t, output.SetReadDeadline(time.Now().Add(20*time.Second)))
	begun := make([]byte, len("begun\n"))
	_, err = io.ReadFull(output, begun)
	require.NoError(t, err)
	cancel()
	require.Error(t, command.Wait())
	_, err = io.ReadAll(output)
	require.NoError(t, err, "a child runs on")
}
