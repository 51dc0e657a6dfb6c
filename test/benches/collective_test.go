// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule/check"
	"github.com/hcgen/hcgen/sim/collective"
	"github.com/hcgen/hcgen/verilator"
)

// collectiveStandin plans the machine and the network of the stand-in in testdata/collective.
func collectiveStandin(t *testing.T) (*plan.Plan, *plan.Collective) {
	t.Helper()
	m, err := machine.Bare(hypercycle.Dimension{M: 2, Rho: 1})
	require.NoError(t, err)
	m.Name, m.Hash = "standin", standinHash
	c, err := plan.NewCollective(m, machine.Collective{Name: "sum", Operation: check.AllReduce, PayloadBits: 16, Operator: "add"})
	require.NoError(t, err)
	return plan.New(m), c
}

// buildCollective compiles the bench of the stand-in with the command of collective_main.cpp. faults are as in build.
func buildCollective(t *testing.T, faults ...string) bench {
	t.Helper()
	needs.Tools(t, "verilator")
	dir := t.TempDir()
	design, err := os.ReadFile("testdata/collective/standin_sum_network.v")
	require.NoError(t, err)
	text := string(design)
	for i := 0; i < len(faults); i += 2 {
		require.Equal(t, 1, strings.Count(text, faults[i]), faults[i])
		text = strings.Replace(text, faults[i], faults[i+1], 1)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "standin_sum_network.v"), []byte(text), 0o644))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "tb"), verilator.Files))
	for _, f := range gen.CollectiveBench(collectiveStandin(t)) {
		var b bytes.Buffer
		require.NoError(t, f.Content(&b))
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Path), b.Bytes(), 0o644))
	}
	args := []string{"-Wall", "--cc", "--exe", "--build", "-j", "2", "--trace", "--x-assign", "unique", "--x-initial", "unique",
		"-CFLAGS", "-std=c++17 -Wall -Wextra -Werror -include ../tb/sum_collective.h", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
		"--prefix", "Vcollective", "--l2-name", "bench", "--top-module", "standin_sum_network", "-Mdir", "build", "standin_sum_network.v"}
	for _, source := range []string{"collective_main", "options", "program", "report", "trace_lines"} {
		args = append(args, "tb/"+source+".cpp")
	}
	cmd := exec.Command("verilator", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return bench{filepath.Join(dir, "build", "Vcollective")}
}

// collectiveTrace is the golden trace of the stand-in.
func collectiveTrace(t *testing.T) *trace {
	t.Helper()
	_, c := collectiveStandin(t)
	var b bytes.Buffer
	require.NoError(t, collective.Write(&b, c, standinHash, nil))
	lines := strings.Split(b.String(), "\n")
	return &trace{header: lines[0], lines: lines[1 : len(lines)-1]}
}

func TestCollectiveBench(t *testing.T) {
	t.Parallel()
	b := buildCollective(t)
	good := func() *trace { return collectiveTrace(t) }

	t.Run("an equal design passes whatever must not matter", func(t *testing.T) {
		golden := good()
		head := regexp.MustCompile(`cycles=(\d+) operations=(\d+)$`).FindStringSubmatch(golden.header)
		for seed := range 5 {
			status, stdout, stderr := b.run(t, golden.String(), fmt.Sprintf("+seed=%d", seed))
			assert.Equal(t, equal, status)
			assert.Empty(t, stderr)
			assert.Regexp(t, fmt.Sprintf(`^PASS: standin_sum_network: %s cycles, %s operations, \d+ values compared, 0 mismatches\n$`, head[1], head[2]), stdout)
		}
	})

	t.Run("each difference is named", func(t *testing.T) {
		changed := func(pattern string, column int, value string) func(*trace) int {
			return func(g *trace) int {
				i := g.find(pattern, 2)
				g.set(i, column, value)
				return i
			}
		}
		for _, d := range []struct {
			name    string
			change  func(*trace) int // returns the line that a message shows, or -1
			message string           // behind the cycle
		}{
			{"word", changed(` m_data 0 1 [0-9a-f]{4}$`, 5, "0bad"), `, node \d, port 0, m_data: data: expected 0bad, got [0-9a-f]{4}`},
			{"index of a word", changed(` m_data `, 4, "0"), `, node \d, port 0, m_data: index: expected 0, got 1`},
			{"index of a request", changed(` s_request `, 4, "0"), `, node \d, port 0, s_request: index: expected 0, got 1`},
			{"result", changed(` m_own_data - - [0-9a-f]{4}$`, 5, "0bad"), `, node \d, m_own_data: data: expected 0bad, got [0-9a-f]{4}`},
			{"word not expected", removed(` m_data `), `, node \d, port 0, m_data: valid: expected 0, got 1`},
			{"result not expected", removed(` m_own_data `), `, node \d, m_own_data: valid: expected 0, got 1`},
			{"late not expected", removed(` late `), `, node \d, late: late: expected 0, got 1`},
			{"request not expected", removed(` s_request `), `, node \d, port 0, s_request: s_request: expected 0, got 1`},
			{"ready not expected", removed(` ready `), `, ready: ready: expected 0, got 1`},
			{"word missing", afterReset("m_data 0 1 0bad"), `, node \d, port 0, m_data: valid: expected 1, got 0`},
			{"result missing", afterReset("m_own_data - - 0bad"), `, node \d, m_own_data: valid: expected 1, got 0`},
			{"late missing", afterReset("late - - -"), `, node \d, late: late: expected 1, got 0`},
		} {
			golden := good()
			i := d.change(golden)
			status, stdout, stderr := b.run(t, golden.String(), "+max-mismatch=1")
			assert.Equal(t, differs, status, d.name)
			assert.Regexp(t, `^mismatch 1: cycle \d+`+d.message+`\n`, stderr, d.name)
			if i >= 0 {
				assert.Contains(t, stderr, fmt.Sprintf("  > TRACE:%d: %s\n", i+2, golden.lines[i]), d.name)
			}
			assert.Regexp(t, `^FAIL: standin_sum_network: \d+ cycles, \d+ operations, \d+ values compared, 1 mismatches\n$`, stdout, d.name)
		}
	})

	t.Run("a word in time that the trace has as late", func(t *testing.T) {
		for _, wire := range []string{"s_data", "s_own_data"} {
			golden := good()
			i := golden.find(" "+wire+` [0-9-]+ - [0-9a-f]{4}$`, 0)
			golden.set(i, 5, "late")
			status, _, stderr := b.run(t, golden.String(), "+max-mismatch=1")
			assert.Equal(t, differs, status)
			assert.Regexp(t, `^mismatch 1: cycle \d+, node 0, late: late: expected 0, got 1\n`, stderr)
		}
	})

	t.Run("undefined words are not compared", func(t *testing.T) {
		golden := good()
		i := golden.find(` m_data 0 1 [0-9a-f]{4}$`, 2)
		golden.set(i, 5, "undefined")
		status, _, stderr := b.run(t, golden.String())
		assert.Equal(t, equal, status, stderr)
	})

	t.Run("reports", func(t *testing.T) {
		dir := t.TempDir()
		junit, result := filepath.Join(dir, "junit.xml"), filepath.Join(dir, "result.tsv")
		golden := good()
		status, _, _ := b.run(t, golden.String(), "+junit="+junit, "+result="+result, "+trace="+filepath.Join(dir, "waves.vcd"))
		require.Equal(t, equal, status)
		values := properties(t, junit)
		count := func(pattern string) string {
			return fmt.Sprint(len(regexp.MustCompile(pattern).FindAllString(golden.String(), -1)))
		}
		assert.Equal(t, standinHash, values["config"])
		assert.Equal(t, count(`(?m) done `), values["operations"])
		assert.Equal(t, count(`(?m) m_data `), values["deliveries"])
		assert.Equal(t, count(`(?m) m_own_data `), values["results"])
		assert.Equal(t, count(`(?m) late - - -$`), values["late"])
		text, err := os.ReadFile(result)
		require.NoError(t, err)
		assert.Regexp(t, `^tools\tVerilator [^\n]+\nresult\tpassed\t\d+ cycles, \d+ operations, \d+ values compared, 0 mismatches\n$`, string(text))
	})

	t.Run("malformed traces are refused", func(t *testing.T) {
		edit := func(change func(*trace)) string {
			golden := good()
			change(golden)
			return golden.String()
		}
		for want, golden := range map[string]string{
			`:1: not a golden trace of a collective network; `: edit(func(g *trace) { g.header = "# hcgen-trace v1 machine=standin" }),
			`:1: malformed header; `:                           edit(func(g *trace) { g.header += " more=1" }),
			`:1: the trace is of collective product of machine standin, the design is collective sum of machine standin`: edit(func(g *trace) {
				g.header = strings.Replace(g.header, "collective=sum", "collective=product", 1)
			}),
			`:1: stale golden trace: its config is ff, that of the design is ` + standinHash: edit(func(g *trace) { g.header = strings.Replace(g.header, standinHash, "ff", 1) }),
			`:5: no such signal here: "m_word"`:                                              edit(func(g *trace) { g.set(3, 2, "m_word") }),
			`:2: node "0": this signal has none, wanted "-"`:                                 edit(func(g *trace) { g.set(0, 1, "0") }),
			`is above 1`: edit(func(g *trace) { g.set(g.find(" s_data ", 0), 1, "2") }),
			`is above 0`: edit(func(g *trace) { g.set(g.find(" s_data ", 0), 3, "1") }),
			`: data "late": this stream has none, wanted "-"`:                edit(func(g *trace) { g.set(g.find(" s_request ", 0), 5, "late") }),
			`: data "late" is not lower-case hex`:                            edit(func(g *trace) { g.set(g.find(" m_data ", 0), 5, "late") }),
			`:3: out of order: `:                                             edit(func(g *trace) { g.lines[1] = g.lines[0] }),
			`: the trace has \d+ lines "done", but its header has operation`: edit(func(g *trace) { g.remove(g.find(" done ", 3)) }),
		} {
			status, _, stderr := b.run(t, golden)
			assert.Equal(t, badInput, status, want)
			assert.Regexp(t, `(?m)^error: TRACE.*`+want, stderr)
		}
	})

	t.Run("options of other benches are refused", func(t *testing.T) {
		for _, option := range []string{"+require-stalls", "+threads=2"} {
			status, _, stderr := b.run(t, good().String(), option)
			assert.Equal(t, badInput, status)
			assert.Contains(t, stderr, "error: "+strings.Split(option, "=")[0])
		}
		status, _, stderr := b.run(t, "", "+free-run=10")
		assert.Equal(t, badInput, status)
		assert.Contains(t, stderr, "error: +free-run")
	})
}

// removed takes a line out of a trace.
func removed(pattern string) func(*trace) int {
	return func(g *trace) int {
		g.remove(g.find(pattern, 0))
		return -1
	}
}

// afterReset adds a line of node 0 to the cycle after the first reset, in which nothing is valid.
func afterReset(line string) func(*trace) int {
	return func(g *trace) int {
		cycle := strconv.Itoa(number(g.column(g.find(` rst `, 0), 0)) + 1)
		i := g.find(`^`+cycle+` 0 s_`, 0)
		g.insert(i, cycle+" 0 "+line)
		return i
	}
}

// A design that is wrong in one place differs from its trace.
func TestCollectiveBenchFindsFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]struct{ line, instead, message string }{
		"wrong word":                  {"link1_q <= result0;", "link1_q <= result0 ^ 16'h0100;", `, node 1, port 0, m_data: data: expected `},
		"missing delivery":            {"m_valid     = {2{cycle_q[3]}}", "m_valid     = {1'b0, cycle_q[3]}", `, node 1, port 0, m_data: valid: expected 1, got 0`},
		"missing late":                {"~(s_valid & s_own_valid)", "~(s_valid | s_own_valid)", `, node \d, late: late: expected 1, got 0`},
		"start without ready":         {"start && ready", "start", `, ready: ready: expected 1, got 0`},
		"reset that forgets a result": {"cycle_q <= 3'b000;", "cycle_q <= {cycle_q[2], 2'b00};", `.*: (valid|done): expected 0, got 1`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, _, stderr := buildCollective(t, fault.line, fault.instead).run(t, collectiveTrace(t).String(), "+max-mismatch=1")
			assert.Equal(t, differs, status)
			assert.Regexp(t, `^mismatch 1: cycle \d+`+fault.message, stderr)
		})
	}
}
