// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRouterBench(t *testing.T) {
	t.Parallel()
	b := build(t, "router")
	const cycles = 400
	good := func() *trace { return routerTrace(1, cycles) }

	t.Run("an equal design passes whatever must not matter", func(t *testing.T) {
		golden := good()
		transfers, stalls := golden.counts("")
		for seed := range 5 {
			status, stdout, stderr := b.run(t, golden.String(), "+require-stalls", fmt.Sprintf("+seed=%d", seed))
			assert.Equal(t, equal, status)
			assert.Empty(t, stderr)
			assert.Regexp(t, fmt.Sprintf(`^PASS: standin_router\.router: %d cycles, 11 streams, \d+ values compared, `+
				`%d transfers, %d stalls, %d expected header errors, 0 mismatches\n$`,
				cycles, transfers, stalls, strings.Count(golden.String(), "header_error")), stdout)
		}
	})

	t.Run("each difference is named", func(t *testing.T) {
		checkDifferences(t, b, good, []difference{
			{"header of a link", wrongValue(" m_link01 ", 4, "header", linkHeader)},
			{"payload of a link", wrongValue(" m_link02 ", 5, "payload", plain)},
			{"source of a delivery", wrongValue(" m_local ", 4, "header", source)},
			{"payload of a delivery", wrongValue(" m_local ", 5, "payload", plain)},
			{"ready of a link input", wrongValue(" s_link00 1 ", 3, "ready", plain)},
			{"ready of the local input", wrongValue(" s_local 1 ", 3, "ready", plain)},
			{"valid of a link not expected", missing(" m_link00 ", linkHeader)},
			{"valid of delivery not expected", missing(" m_local ", source)},
			{"valid of a link missing", extra("m_link01", "valid: expected 1 with header ")},
			{"valid of delivery missing", extra("m_local", "valid: expected 1 with header ")},
			{"error pulse missing", extra("header_error02", "header_error: expected 1, got 0")},
			{"pace", wrongPace(1, 7)},
			{"error pulse not expected", func(t *trace) string {
				i := t.find(" header_error01 ", 1)
				want := t.place(i) + "header_error: expected 0, got 1"
				t.remove(i)
				return want
			}},
		})
	})

	t.Run("outputs valid in reset are named", func(t *testing.T) {
		status, _, stderr := b.run(t, routerTrace(3, 20).String())
		assert.Equal(t, differs, status)
		assert.Regexp(t, "(?m)^mismatch [0-9]+: reset cycle 1, node 3, stream m_local: valid: expected 0, got 1 with header ", stderr)
	})

	t.Run("a malformed message in reset must not be reported", func(t *testing.T) {
		status, _, stderr := b.run(t, quietTrace(3, 20).String(), "+max-mismatch=100")
		assert.Equal(t, differs, status)
		for _, want := range []string{"reset cycle 3, ", "first cycle after a reset, ", "cycle 0, "} {
			assert.Regexp(t, "(?m)^mismatch [0-9]+: "+want+"node 3, stream header_error0[0-2] .*: header_error: expected 0, got 1$", stderr)
		}
	})

	t.Run("a reset takes one cycle", func(t *testing.T) {
		status, _, stderr := b.run(t, quietTrace(0, 20).String(), "+max-mismatch=1")
		assert.Equal(t, differs, status)
		assert.Regexp(t, `^mismatch 1: cycle 0, node 0, stream s_local: ready: expected 1, got 0\n`, stderr)
	})

	t.Run("a receiver that is not ready for long without a message must not matter", func(t *testing.T) {
		status, _, stderr := b.run(t, quietTrace(2, 2000).String(), "+max-mismatch=1")
		assert.Equal(t, differs, status)
		assert.Regexp(t, `^mismatch 1: cycle \d+, node 2, stream m_local: valid: expected 0, got 1 with `, stderr)
	})

	t.Run("a difference shows the lines before it and the one expected", func(t *testing.T) {
		golden := good()
		i := golden.find(" m_local ", 20)
		golden.set(i, 5, flip(golden.column(i, 5)))
		first := i // the first line of its cycle
		for golden.column(first-1, 0) == golden.column(i, 0) {
			first--
		}
		want := ""
		for k, shown := first-1, 0; shown < 5; k-- {
			if name := golden.column(k, 2); name == "pace" || name == "link_pace" {
				continue
			}
			want = fmt.Sprintf("    TRACE:%d: %s\n", k+2, golden.lines[k]) + want
			shown++
		}
		want += fmt.Sprintf("  > TRACE:%d: %s\n", i+2, golden.lines[i])
		_, _, stderr := b.run(t, golden.String())
		assert.Contains(t, stderr, "\n"+want)
	})

	t.Run("the run stops after +max-mismatch differences", func(t *testing.T) {
		golden := good()
		for i := range golden.lines {
			if golden.column(i, 2) == "m_link00" {
				golden.set(i, 5, flip(golden.column(i, 5)))
			}
		}
		for _, c := range []struct {
			args []string
			want int
		}{{nil, 10}, {[]string{"+max-mismatch=3"}, 3}} {
			status, stdout, stderr := b.run(t, golden.String(), c.args...)
			assert.Equal(t, differs, status)
			assert.Equal(t, c.want, strings.Count(stderr, "payload: expected"))
			assert.Contains(t, stderr, fmt.Sprintf("stopped after %d mismatches", c.want))
			assert.Contains(t, stdout, fmt.Sprintf(" %d mismatches\n", c.want))
		}
		status, _, stderr := b.run(t, golden.String(), "+max-mismatch=100000")
		assert.Equal(t, differs, status)
		transfers, stalls := golden.counts("m_link00")
		assert.Equal(t, transfers+stalls, strings.Count(stderr, "payload: expected"), "only what differs is reported")
		assert.NotContains(t, stderr, "stopped after")
	})

	t.Run("+require-stalls rejects a run that proves nothing", func(t *testing.T) {
		golden := newTrace("router", 10)
		r := newRouter(1)
		for c := range 10 {
			r.linkPace = r.pace * 0b010101
			r.localIn = stream{valid: c == 2, message: message{payload: 7}}
			for p := range r.link {
				r.link[p].ready = p > 0 || c > 5
			}
			r.accept()
			golden.cycle(c, []*standinRouter{r}, true)
			r.tick()
		}
		status, _, stderr := b.run(t, golden.String())
		assert.Equal(t, equal, status, stderr)
		status, _, stderr = b.run(t, golden.String(), "+require-stalls")
		assert.Equal(t, differs, status)
		assert.Equal(t, "mismatch 1: node 1, stream m_link01: never stalled\n"+
			"mismatch 2: node 1, stream m_link02: never stalled\n"+
			"mismatch 3: node 1, stream s_local: never stalled\n", stderr)
		status, _, stderr = b.run(t, silentTrace(10).String(), "+require-stalls")
		assert.Equal(t, differs, status)
		assert.Contains(t, stderr, "no stream of the trace is ever valid")
	})

	t.Run("JUnit report of the streams", func(t *testing.T) {
		golden := good()
		path := filepath.Join(t.TempDir(), "junit.xml")
		status, _, _ := b.run(t, golden.String(), "+junit="+path)
		require.Equal(t, equal, status)
		suite := readJUnit(t, path).Suites[0]
		assert.Equal(t, "standin_router.router", suite.Name)
		assert.Equal(t, []int{12, 0, 0}, []int{suite.Tests, suite.Failures, suite.Errors})
		require.Len(t, suite.Cases, 12)
		assert.Equal(t, "header_error00", suite.Cases[0].Name)
		assert.Equal(t, "s_local", suite.Cases[10].Name)
		assert.Equal(t, "pace", suite.Cases[11].Name)
		properties := map[string]string{}
		for _, p := range suite.Properties {
			properties[p.Name] = p.Value
		}
		assert.Equal(t, fmt.Sprint(cycles), properties["cycles"])
		assert.Contains(t, golden.String(), " config="+properties["config"]+" ")
		assert.Regexp(t, `^[0-9]+\.[0-9]+`, properties["verilator"])
		assert.Equal(t, fmt.Sprint(len(golden.lines)), properties["lines"])
		for _, name := range []string{"m_link01", "m_local", "s_link02", "s_local"} {
			transfers, stalls := golden.counts(name)
			assert.Equal(t, fmt.Sprint(transfers), properties["transfers."+name])
			assert.Equal(t, fmt.Sprint(stalls), properties["stalls."+name])
		}

		i := golden.find(" m_link01 ", 0)
		golden.set(i, 5, flip(golden.column(i, 5)))
		status, _, _ = b.run(t, golden.String(), "+junit="+path)
		require.Equal(t, differs, status)
		suite = readJUnit(t, path).Suites[0]
		assert.Equal(t, 1, suite.Failures)
		require.Len(t, suite.Cases[4].Failures, 1)
		assert.Equal(t, "m_link01", suite.Cases[4].Name)
		assert.Contains(t, suite.Cases[4].Failures[0].Message, "stream m_link01 (port 1): payload: expected ")

		status, _, _ = b.run(t, "nonsense\n", "+junit="+path)
		require.Equal(t, badInput, status)
		suite = readJUnit(t, path).Suites[0]
		assert.Equal(t, 1, suite.Errors)
		require.Len(t, suite.Cases, 1)
		require.Len(t, suite.Cases[0].Errors, 1)
		assert.Contains(t, suite.Cases[0].Errors[0].Message, "not a golden trace")
	})

	t.Run("the result for the report is appended", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "result.tsv")
		require.NoError(t, os.WriteFile(path, []byte("of\ta\tb\n"), 0o644))
		golden := good()
		status, stdout, _ := b.run(t, golden.String(), "+result="+path)
		require.Equal(t, equal, status)
		_, passed, _ := strings.Cut(stdout, "PASS: standin_router.router: ")
		passed, _, _ = strings.Cut(passed, "\n")

		i := golden.find(" m_link01 ", 0)
		golden.set(i, 5, flip(golden.column(i, 5)))
		status, stdout, _ = b.run(t, golden.String(), "+result="+path)
		require.Equal(t, differs, status)
		_, failed, _ := strings.Cut(stdout, "FAIL: standin_router.router: ")
		failed, _, _ = strings.Cut(failed, "\n")

		status, _, _ = b.run(t, "non\tsense\n", "+result="+path)
		require.Equal(t, badInput, status)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var results [][]string
		for line := range strings.Lines(string(text)) {
			results = append(results, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
		require.Len(t, results, 7)
		assert.Equal(t, []string{"of", "a", "b"}, results[0])
		for _, k := range []int{1, 3, 5} {
			require.Len(t, results[k], 2)
			assert.Equal(t, "tools", results[k][0])
			assert.Regexp(t, `^Verilator [0-9]+\.[0-9]+`, results[k][1])
		}
		assert.Equal(t, []string{"result", "passed", passed}, results[2])
		require.Len(t, results[4], 3)
		assert.Equal(t, []string{"result", "failed"}, results[4][:2])
		assert.Contains(t, results[4][2], failed+", first: cycle ")
		require.Len(t, results[6], 3)
		assert.Equal(t, []string{"result", "broken"}, results[6][:2])
		assert.Contains(t, results[6][2], "not a golden trace")
	})

	t.Run("waves are written", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "waves.vcd")
		status, _, _ := b.run(t, good().String(), "+trace="+path)
		require.Equal(t, equal, status)
		waves, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Contains(t, string(waves), " m_axis_local_tvalid ")
		assert.Contains(t, string(waves), "$timescale 1ns $end\n")
		cycles := number(regexp.MustCompile(` cycles=(\d+)`).FindStringSubmatch(good().header)[1])
		last := fmt.Sprintf("\n#%d\nb%b cycle\n", 10*(cycles-1), cycles-1)
		_, changes, _ := strings.Cut(string(waves), "$enddefinitions $end\n")
		assert.Regexp(t, `^\s*#0\nb0 cycle\n`, changes, "the waves begin with cycle 0")
		assert.Contains(t, changes, last)
		assert.Less(t, len(regexp.MustCompile(`\n#\d+0\n`).FindAllString(changes, -1)), cycles+64, "the waves end when nothing moves")

		path = filepath.Join(t.TempDir(), "all.vcd")
		status, _, _ = b.run(t, good().String(), "+trace="+path, "+trace-all")
		require.Equal(t, equal, status)
		waves, err = os.ReadFile(path)
		require.NoError(t, err)
		_, changes, _ = strings.Cut(string(waves), "$enddefinitions $end\n")
		const before = 3*128 + 2*4 + 1 // cycles with random inputs, and resets
		early, _, found := strings.Cut(changes, fmt.Sprintf("\n#%d\nb0 cycle\n", 10*before))
		assert.True(t, found, "cycle 0 after %d others", before)
		assert.Contains(t, early, "#0\n")
		assert.NotContains(t, early, " cycle\n", "before cycle 0 the signal cycle has no value")
	})

	t.Run("a trace that cannot be replayed is rejected with its line", func(t *testing.T) { checkBadTraces(t, b, good) })
	t.Run("wrong arguments are rejected with the usage", func(t *testing.T) { checkBadArguments(t, b, good().String()) })
}

func checkBadTraces(t *testing.T, b bench, good func() *trace) {
	waits := func(golden *trace) int { return golden.find(" s_link01 0 ", 3) }
	after := func(golden *trace, i int) int { // the line that follows for the same stream
		for k := i + 1; ; k++ {
			if golden.column(k, 2) == golden.column(i, 2) {
				return k
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*trace) string // returns the message
	}{
		"other machine": {func(g *trace) string {
			g.header = strings.Replace(g.header, "machine=standin", "machine=other", 1)
			return "TRACE:1: the trace is of machine other, the design is machine standin"
		}},
		"stale": {func(g *trace) string {
			g.header = strings.Replace(g.header, "=0123", "=ffff", 1)
			return "TRACE:1: stale golden trace: its config is ffff456789abcdef"
		}},
		"other version": {func(g *trace) string {
			g.header = strings.Replace(g.header, "v1", "v2", 1)
			return "TRACE:1: not a golden trace; wanted \"# hcgen-trace v1 "
		}},
		"header incomplete": {func(g *trace) string {
			g.header = strings.Replace(g.header, "traffic=router ", "", 1)
			return "TRACE:1: malformed header"
		}},
		"header with more": {func(g *trace) string { g.header += " x=1"; return "TRACE:1: malformed header" }},
		"no cycles": {func(g *trace) string {
			g.header = strings.Replace(g.header, "=400", "=0", 1)
			return "TRACE:1: cycles is 0"
		}},
		"cycles no number": {func(g *trace) string {
			g.header = strings.Replace(g.header, "=400", "=4x", 1)
			return "TRACE:1: cycles \"4x\" is not a decimal number"
		}},
		"cycle beyond the header": {func(g *trace) string {
			last := g.column(len(g.lines)-1, 0)
			g.header = strings.Replace(g.header, "=400", "="+last, 1)
			return fmt.Sprintf("TRACE:%d: cycle %s is beyond the %s cycles of the header", g.find("^"+last+" ", 0)+2, last, last)
		}},
		"node beyond the machine": {func(g *trace) string {
			g.set(4, 1, "4")
			return "TRACE:6: node 4 is beyond the 4 nodes of the machine"
		}},
		"trace of the network": {func(g *trace) string {
			g.set(len(g.lines)-1, 1, "2")
			return fmt.Sprintf("TRACE:%d: node 2 after node 1: a trace of one router has one node", len(g.lines)+1)
		}},
		"no such stream": {func(g *trace) string {
			g.set(4, 2, "m_link03")
			return "TRACE:6: no such stream here: \"m_link03\""
		}},
		"twice": {func(g *trace) string {
			g.insert(5, g.lines[4])
			return "TRACE:7: out of order"
		}},
		"out of order": {func(g *trace) string {
			i := g.find(" m_local ", 9)
			g.lines[i], g.lines[i+1] = g.lines[i+1], g.lines[i]
			return fmt.Sprintf("TRACE:%d: out of order", i+3)
		}},
		"ready": {func(g *trace) string { g.set(4, 3, "2"); return "TRACE:6: ready \"2\" is neither 0 nor 1" }},
		"pulse not ready": {func(g *trace) string {
			i := g.find(" header_error00 ", 0)
			g.set(i, 3, "0")
			return fmt.Sprintf("TRACE:%d: ready of header_error00 is always 1", i+2)
		}},
		"header too short": {func(g *trace) string {
			i := g.find(" m_link00 ", 0)
			g.set(i, 4, "-")
			return fmt.Sprintf("TRACE:%d: header \"-\" is not lower-case hex", i+2)
		}},
		"header where none is": {func(g *trace) string {
			i := g.find(" s_local ", 0)
			g.set(i, 4, "0")
			return fmt.Sprintf("TRACE:%d: header \"0\": this stream has none, wanted \"-\"", i+2)
		}},
		"header too wide": {func(g *trace) string {
			i := g.find(" m_local ", 0)
			g.set(i, 4, "4")
			return fmt.Sprintf("TRACE:%d: header \"4\" has more than 2 bits", i+2)
		}},
		"payload too short": {func(g *trace) string {
			i := g.find(" m_link00 ", 0)
			g.set(i, 5, "12345")
			return fmt.Sprintf("TRACE:%d: payload \"12345\" has 5 digits; wanted 10 (39 bits)", i+2)
		}},
		"payload too wide": {func(g *trace) string {
			i := g.find(" m_link00 ", 0)
			g.set(i, 5, "8000000000")
			return fmt.Sprintf("TRACE:%d: payload \"8000000000\" has more than 39 bits", i+2)
		}},
		"payload in upper case": {func(g *trace) string {
			i := g.find(" m_link00 ", 0)
			g.set(i, 5, "000000000A")
			return fmt.Sprintf("TRACE:%d: payload \"000000000A\" is not lower-case hex", i+2)
		}},
		"column missing": {func(g *trace) string {
			i := g.find(" m_link00 ", 0)
			g.lines[i] = strings.Join(strings.Fields(g.lines[i])[:5], " ")
			return fmt.Sprintf("TRACE:%d: no payload; wanted \"cycle node stream ready header payload\"", i+2)
		}},
		"column more": {func(g *trace) string {
			g.lines[4] += " 1"
			return "TRACE:6: text behind the payload: \"1\""
		}},
		"blank at the end": {func(g *trace) string { g.lines[4] += " "; return "TRACE:6: text behind the payload" }},
		"two blanks": {func(g *trace) string {
			g.lines[4] = strings.Replace(g.lines[4], " ", "  ", 1)
			return "TRACE:6: no node"
		}},
		"empty line":      {func(g *trace) string { g.insert(4, ""); return "TRACE:6: no cycle" }},
		"carriage return": {func(g *trace) string { g.lines[4] += "\r"; return "TRACE:6: payload" }},
		"garbage":         {func(g *trace) string { g.lines[4] = "\x00\xff garbage"; return "TRACE:6: cycle " }},
		"huge number": {func(g *trace) string {
			g.set(4, 0, "99999999999999999999999999")
			return "TRACE:6: cycle 99999999999999999999999999 is above "
		}},
		"endless line": {func(g *trace) string {
			g.lines[4] = strings.Repeat("1", 3<<20)
			return "TRACE:6: the line is too long"
		}},
		"offer withdrawn": {func(g *trace) string {
			i := waits(g)
			g.remove(after(g, i))
			return fmt.Sprintf("TRACE:%d: node 1, stream s_link01 (port 1) is not ready in cycle %s but has no line in", i+2, g.column(i, 0))
		}},
		"offer changed": {func(g *trace) string {
			i := after(g, waits(g))
			g.set(i, 5, flip(g.column(i, 5)))
			return fmt.Sprintf("TRACE:%d: the message of node 1, stream s_link01 (port 1) changes while it waits", i+2)
		}},
		"cut at a line": {func(g *trace) string {
			i := waits(g)
			cycle := g.column(i, 0)
			for g.column(i, 0) == cycle {
				i++
			}
			g.lines = g.lines[:i]
			return fmt.Sprintf("TRACE:%d: no line pace or link_pace in cycle %d: is the trace truncated?", i+1, number(cycle)+1)
		}},
		"no pace of a neighbour": {func(g *trace) string {
			i := g.find(" link_pace ", 9)
			g.remove(i)
			return " no line pace or link_pace in cycle 9"
		}},
		"pace not ready": {func(g *trace) string {
			i := g.find(" pace ", 9)
			g.set(i, 3, "0")
			return fmt.Sprintf("TRACE:%d: ready of a pace is always 1", i+2)
		}},
		"paces of a network": {func(g *trace) string {
			i := g.find(" pace ", 9)
			g.set(i, 5, "00")
			return fmt.Sprintf("TRACE:%d: payload \"00\" has 2 digits; wanted 1 (2 bits)", i+2)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			golden := good()
			want := c.change(golden)
			status, stdout, stderr := b.run(t, golden.String())
			assert.Equal(t, badInput, status)
			assert.True(t, strings.HasPrefix(stderr, "error: TRACE:"), stderr)
			assert.Contains(t, stderr, want)
			assert.NotContains(t, stderr, "usage:")
			assert.Empty(t, stdout)
		})
	}
	t.Run("cut within a line", func(t *testing.T) {
		golden := good()
		text := golden.String()
		status, _, stderr := b.run(t, text[:len(text)-3])
		assert.Equal(t, badInput, status)
		assert.Contains(t, stderr, fmt.Sprintf("TRACE:%d: the last line does not end: the trace is truncated", len(golden.lines)+1))
	})
}

func checkBadArguments(t *testing.T, b bench, golden string) {
	for name, c := range map[string]struct {
		golden string
		args   []string
		want   string
	}{
		"no trace":         {"", nil, "+golden= is missing"},
		"empty name":       {"", []string{"+golden="}, "+golden= needs a file name"},
		"unknown plusarg":  {golden, []string{"+gold=x"}, "unknown argument +gold=x"},
		"no plusarg":       {golden, []string{"extra"}, "unknown argument extra"},
		"value missing":    {golden, []string{"+seed"}, "unknown argument +seed"},
		"value too much":   {golden, []string{"+require-stalls=1"}, "unknown argument +require-stalls=1"},
		"no number":        {golden, []string{"+max-mismatch=many"}, "+max-mismatch=many: wanted a number from 1 to "},
		"number too small": {golden, []string{"+max-mismatch=0"}, "+max-mismatch=0: wanted a number from 1 to "},
		"not the array":    {golden, []string{"+threads=2"}, "+threads=2: only the array has threads"},
		"trace too much":   {golden, []string{"+free-run=9"}, "+free-run= replays no trace: +golden= is too much"},
		"no cycles":        {"", []string{"+free-run=0"}, "+free-run=0: wanted a number from 1 to "},
		"all of no waves":  {golden, []string{"+trace-all"}, "+trace-all needs +trace=FILE"},
		"number too big":   {golden, []string{"+seed=99999999999999999999"}, "+seed=99999999999999999999: wanted a number from 0 to "},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := b.run(t, c.golden, c.args...)
			assert.Equal(t, badInput, status)
			assert.Contains(t, stderr, "error: "+c.want)
			assert.Contains(t, stderr, "usage: ")
			assert.Empty(t, stdout)
		})
	}
	t.Run("file missing", func(t *testing.T) {
		status, _, stderr := b.run(t, "", "+golden=no/such.trace")
		assert.Equal(t, badInput, status)
		assert.Contains(t, stderr, "error: no/such.trace: cannot be read: No such file or directory")
	})
	t.Run("help", func(t *testing.T) {
		status, stdout, _ := b.run(t, "", "+help")
		assert.Equal(t, equal, status)
		assert.Contains(t, stdout, "usage: ")
	})
}
