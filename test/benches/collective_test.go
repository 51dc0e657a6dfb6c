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

	"github.com/hcgen/hcgen/collective"
	generated "github.com/hcgen/hcgen/gen/bench"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	model "github.com/hcgen/hcgen/sim/collective"
	"github.com/hcgen/hcgen/verilator"
)

// collectiveStandin plans the machine and the network of the stand-in in testdata/collective.
func collectiveStandin(t *testing.T) (*plan.Plan, *plan.Collective) {
	t.Helper()
	return collectivePlan(t, machine.Collective{Name: "sum", Operation: collective.AllReduce, PayloadBits: 16, Operator: "add"}, hypercycle.Dimension{M: 2, Rho: 1})
}

func collectivePlan(t *testing.T, c machine.Collective, dims ...hypercycle.Dimension) (*plan.Plan, *plan.Collective) {
	t.Helper()
	m, err := machine.Bare(dims...)
	require.NoError(t, err)
	m.Name, m.Hash = "standin", standinHash
	p, err := plan.NewCollective(m, c, schedule.ForNetwork)
	require.NoError(t, err)
	return plan.New(m), p
}

// buildCollective compiles the bench of the stand-in with the command of collective_main.cpp. faults are as in build.
func buildCollective(t *testing.T, faults ...string) bench {
	t.Helper()
	design, err := os.ReadFile("testdata/collective/standin__sum_network.v")
	require.NoError(t, err)
	text := string(design)
	for i := 0; i < len(faults); i += 2 {
		require.Equal(t, 1, strings.Count(text, faults[i]), faults[i])
		text = strings.Replace(text, faults[i], faults[i+1], 1)
	}
	p, c := collectiveStandin(t)
	return compileCollective(t, p, c, text)
}

// compileCollective compiles the bench of a network with this text.
func compileCollective(t *testing.T, p *plan.Plan, c *plan.Collective, design string) bench {
	t.Helper()
	needs.Tools(t, "verilator")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, c.NetworkModule+".v"), []byte(design), 0o644))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "tb"), verilator.Files))
	for _, f := range generated.CollectiveBench(p, c) {
		var b bytes.Buffer
		require.NoError(t, f.Content(&b))
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Path), b.Bytes(), 0o644))
	}
	args := []string{"-Wall", "--cc", "--exe", "--build", "-j", "2", "--trace", "--x-assign", "unique", "--x-initial", "unique",
		"-CFLAGS", "-std=c++17 -Wall -Wextra -Werror -include ../tb/" + c.Name + "_collective.h", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
		"--prefix", "Vcollective", "--l2-name", "bench", "--top-module", c.NetworkModule, "-Mdir", "build", c.NetworkModule + ".v"}
	for _, source := range []string{"collective_main", "bench"} {
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
	return traceOf(t, c)
}

func traceOf(t *testing.T, c *plan.Collective) *trace {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, model.Write(&b, c, standinHash, nil))
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
		count := func(pattern string) int {
			return len(regexp.MustCompile(`(?m) `+pattern+`$`).FindAllString(golden.String(), -1))
		}
		values := 3*8 + number(head[1])*10 + // bits: not s_request in the cycles of resets before the trace
			count("s_request .*") + count("m_data .*") + // indices
			count("m_data .* [0-9a-f]{4}") + count("m_own_data .* [0-9a-f]{4}")
		for seed := range 5 {
			status, stdout, stderr := b.run(t, golden.String(), fmt.Sprintf("+seed=%d", seed))
			assert.Equal(t, equal, status)
			assert.Empty(t, stderr)
			assert.Equal(t, fmt.Sprintf("PASS: standin__sum_network: %s cycles, %s operations, %d values compared, 0 mismatches\n", head[1], head[2], values), stdout)
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
			assert.Regexp(t, `^FAIL: standin__sum_network: \d+ cycles, \d+ operations, \d+ values compared, 1 mismatches\n$`, stdout, d.name)
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
	needs.Time(t)
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

// The bench fits the ports of every operation: a network that is always silent, but for ready, differs from its trace in
// everything that the operation has.
func TestCollectiveBenchFitsEveryOperation(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	for _, of := range []machine.Collective{
		{Name: "gather", Operation: collective.Gather, PayloadBits: 1, Root: 4},
		{Name: "broadcast", Operation: collective.Broadcast, PayloadBits: 65, Root: 5},
		{Name: "parts", Operation: collective.ReduceScatter, PayloadBits: 32, Operator: "fp_adder", Latency: 2},
		{Name: "word", Operation: collective.AllReduce, OneWord: true, PayloadBits: 1024, Operator: "max"},
		{Name: "both", Operations: []string{collective.AllGather, collective.ReduceScatter}, PayloadBits: 8, Operator: "add"},
		{Name: "more", Operations: collective.Operations(), PayloadBits: 33, Operator: "xor", ChunkBits: 8, Root: 2},
	} {
		t.Run(of.Name, func(t *testing.T) {
			t.Parallel()
			p, c := collectivePlan(t, of, hypercycle.Dimension{M: 3, Rho: 1}, hypercycle.Dimension{M: 2, Rho: 1})
			var ports, silent []string
			for _, w := range c.Wires() {
				direction, bits := "input", ""
				if w.Vector {
					bits = fmt.Sprintf("[%d:0] ", w.Width()-1)
				}
				if w.Output {
					direction = "output"
					silent = append(silent, fmt.Sprintf("assign %s = {%d{1'b%d}};", w.Name, w.Width(), strings.Count(w.Name, "ready")))
				}
				ports = append(ports, direction+" wire "+bits+w.Name)
			}
			b := compileCollective(t, p, c, fmt.Sprintf("/* verilator lint_off UNUSEDSIGNAL */\nmodule %s (%s);\n%s\nendmodule\n",
				c.NetworkModule, strings.Join(ports, ", "), strings.Join(silent, "\n")))
			status, _, stderr := b.run(t, traceOf(t, c).String(), "+max-mismatch=1000000")
			assert.Equal(t, differs, status)
			for message, has := range map[string]bool{
				"done: done": true, `node \d, late: late`: true, `node \d, port \d, s_request: s_request`: c.Requests(),
				`node \d, port \d, m_data: valid`: c.Delivers(), `node \d, m_own_data: valid`: c.HasResult(),
			} {
				found, err := regexp.MatchString(`(?m)^mismatch \d+: cycle \d+, `+message+`: expected 1, got 0$`, stderr)
				require.NoError(t, err)
				assert.Equal(t, has, found, message)
			}
			if !c.Several() {
				return
			}
			for want, data := range map[string]string{
				`: data "late" has 4 digits; wanted 1`: "late", `: data "00" has 2 digits; wanted 1`: "00", `: data "9" has more than [13] bits`: "9",
			} {
				golden := traceOf(t, c)
				golden.set(golden.find(" operation - - [0-9]$", 1), 5, data)
				status, _, stderr := b.run(t, golden.String())
				assert.Equal(t, badInput, status, want)
				assert.Regexp(t, `(?m)^error: TRACE.*`+want, stderr)
			}
		})
	}
}

// The module that stands in for the user's operator adds, with its latency, and keeps to Verilog-2005.
func TestStandinForAnOperator(t *testing.T) {
	t.Parallel()
	needs.Tools(t, "verilator", "iverilog", "vvp")
	for _, latency := range []int{0, 1, 4} {
		p, c := collectivePlan(t, machine.Collective{Name: "sum", Operation: collective.AllReduce, OneWord: true, PayloadBits: 8, Operator: "fp_adder", Latency: latency}, hypercycle.Dimension{M: 3, Rho: 1})
		files := generated.CollectiveBench(p, c)
		require.Len(t, files, 2)
		assert.Equal(t, "tb/sum_operator.v", files[1].Path)
		dir := t.TempDir()
		var b bytes.Buffer
		require.NoError(t, files[1].Content(&b))
		design, driver := filepath.Join(dir, "fp_adder.v"), filepath.Join(dir, "driver.v")
		require.NoError(t, os.WriteFile(design, b.Bytes(), 0o644))
		require.NoError(t, os.WriteFile(driver, fmt.Appendf(nil, `
module driver;
    reg clk = 0;
    reg [7:0] a = 0, b = 100;
    wire [7:0] y;
    integer cycle;
    fp_adder #(.W(8)) dut (.clk(clk), .a(a), .b(b), .y(y));
    initial for (cycle = 0; cycle < 100; cycle = cycle + 1) begin
        a = 3 * cycle; b = 100 + 4 * cycle;
        #1 if (cycle >= %d) $display("%%0d", y);
        #1 clk = 1;
        #1 clk = 0;
    end
endmodule
`, latency), 0o644))
		out, err := exec.Command("verilator", "--lint-only", "-Wall", "--top-module", "fp_adder", design).CombinedOutput()
		require.NoError(t, err, string(out))
		program := filepath.Join(dir, "driver")
		out, err = exec.Command("iverilog", "-g2005", "-Wall", "-Wno-timescale", "-o", program, design, driver).CombinedOutput()
		require.NoError(t, err, string(out))
		out, err = exec.Command("vvp", program).Output()
		require.NoError(t, err)
		sums := strings.Fields(string(out))
		require.Len(t, sums, 100-latency)
		for cycle, sum := range sums {
			assert.Equal(t, strconv.Itoa((100+7*cycle)%256), sum)
		}
	}
}
