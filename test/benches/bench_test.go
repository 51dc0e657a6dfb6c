// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/verilator"
)

// Exit statuses of the benches.
const (
	equal    = 0
	fault    = 1
	badInput = 2
	differs  = 3
)

// bench is a compiled bench of the stand-in design.
type bench struct{ program string }

// standinFolder is the folder in which the bench of the stand-in router is built.
var standinFolder string

func TestMain(m *testing.M) {
	var err error
	standinFolder, err = os.MkdirTemp("", "standin")
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(standinFolder)
	os.Exit(code)
}

// standin compiles the bench of the stand-in router, once.
var standin = sync.OnceValue(func() error { return compile(standinFolder, "router") })

// build compiles a bench of the stand-in. faults are pairs of a line of the top module's
// Verilog and its replacement.
func build(t *testing.T, top string, faults ...string) bench {
	t.Helper()
	needs.Tools(t, "verilator")
	require.NoError(t, standin())
	dir := standinFolder
	if top != "router" || len(faults) > 0 {
		dir = t.TempDir()
		require.NoError(t, compile(dir, top, faults...))
	}
	return bench{filepath.Join(dir, "build", top, "V"+top)}
}

// compile arranges the stand-in and the sources as hcgen does and compiles a bench with the
// command of bench.h, unoptimized because the runs are short. Sources that do not depend on
// the design are compiled only once.
func compile(dir, top string, faults ...string) error {
	if err := os.CopyFS(dir, os.DirFS("testdata/standin")); err != nil {
		return err
	}
	module := map[string]string{"router": "router", "network": "network", "array": "router"}[top]
	design := filepath.Join(dir, "rtl", "standin_"+module+".v")
	good, err := os.ReadFile(design)
	if err != nil {
		return err
	}
	bad := string(good)
	for i := 0; i < len(faults); i += 2 {
		if strings.Count(bad, faults[i]) != 1 {
			return fmt.Errorf("%d times in %s: %s", strings.Count(bad, faults[i]), design, faults[i])
		}
		bad = strings.Replace(bad, faults[i], faults[i+1], 1)
	}
	if err := os.WriteFile(design, []byte(bad), 0o644); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(dir, "tb"), verilator.Files); err != nil {
		return err
	}
	made := filepath.Join(dir, "build", top)
	if err := os.MkdirAll(made, 0o755); err != nil {
		return err
	}
	args := []string{"-Wall", "--cc", "--exe", "--build", "-j", "2", "--trace", "--x-assign", "unique", "--x-initial", "unique",
		"-CFLAGS", "-std=c++17 -Wall -Wextra -Werror", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
		"--prefix", "V" + module, "--l2-name", "bench", "--top-module", "standin_" + module, "-o", "V" + top,
		"-Mdir", "build/" + top, "-f", "filelist.f"}
	switch top {
	case "network":
		args = append(args, "tb/network.vlt")
	case "array":
		args = append(args, "-GNODE_FAULTS=0") // as the network has it
	}
	sources, err := filepath.Glob(filepath.Join(dir, "tb", "*.cpp"))
	if err != nil {
		return err
	}
	for _, s := range sources {
		if !strings.HasSuffix(s, "_main.cpp") || strings.HasSuffix(s, top+"_main.cpp") {
			args = append(args, s)
		}
	}
	objects, err := filepath.Glob(filepath.Join(standinFolder, "build", "router", "[a-uw-z]*.o"))
	if err != nil {
		return err
	}
	verilated, err := filepath.Glob(filepath.Join(standinFolder, "build", "router", "verilated*.o"))
	if err != nil {
		return err
	}
	for _, object := range append(objects, verilated...) {
		data, err := os.ReadFile(object)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(made, filepath.Base(object)), data, 0o644); err != nil {
			return err
		}
	}
	cmd := exec.Command("verilator", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("verilator: %w\n%s", err, out)
	}
	return nil
}

// run replays a trace (none if empty) and returns exit status, stdout and
// stderr, in which the path of the trace is replaced by "TRACE".
func (b bench) run(t *testing.T, golden string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "golden.trace")
	if golden != "" {
		require.NoError(t, os.WriteFile(path, []byte(golden), 0o644))
		args = append([]string{"+golden=" + path}, args...)
	}
	var outBuffer, errBuffer bytes.Buffer
	cmd := exec.Command(b.program, args...)
	cmd.Stdout, cmd.Stderr = &outBuffer, &errBuffer
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), outBuffer.String(), strings.ReplaceAll(errBuffer.String(), path, "TRACE")
}

// find returns the number of the n-th line (from 0) that matches.
func (t *trace) find(pattern string, n int) int {
	expr := regexp.MustCompile(pattern)
	for i, line := range t.lines {
		if expr.MatchString(line) {
			if n == 0 {
				return i
			}
			n--
		}
	}
	panic("no such line in the trace: " + pattern)
}

// column returns column c of line i.
func (t *trace) column(i, c int) string { return strings.Fields(t.lines[i])[c] }

// set replaces column c of line i.
func (t *trace) set(i, c int, value string) {
	fields := strings.Fields(t.lines[i])
	fields[c] = value
	t.lines[i] = strings.Join(fields, " ")
}

// insert inserts a line before line i; remove removes line i.
func (t *trace) insert(i int, line string) {
	t.lines = append(t.lines[:i], append([]string{line}, t.lines[i:]...)...)
}
func (t *trace) remove(i int) { t.lines = append(t.lines[:i], t.lines[i+1:]...) }

// counts returns the transfers and stalls of all streams of the trace whose
// name begins with prefix.
func (t *trace) counts(prefix string) (transfers, stalls int) {
	for i := range t.lines {
		switch name := t.column(i, 2); {
		case !isStream(name) || !strings.HasPrefix(name, prefix):
		case t.column(i, 3) == "1":
			transfers++
		default:
			stalls++
		}
	}
	return transfers, stalls
}

// longest returns the closing line with the longest times of a network's trace of a number of
// cycles, in which the messages of a node have different payloads.
func longest(t *trace, cycles int) string {
	type message struct{ node, offered, from, deliveries, last int }
	var messages []*message
	find := map[string]*message{} // by source and payload
	under := func(source, payload string, cycle int) *message {
		key := source + " " + payload
		if find[key] == nil {
			find[key] = &message{number(source), cycle, -1, 0, -1}
			messages = append(messages, find[key])
		}
		return find[key]
	}
	longestWait, wait, undelivered, most := 0, "", 0, 0
	var injections []int // their cycles
	longestTime, time := 0, ""
	waits := map[*message]int{}
	for i := range t.lines {
		cycle, done := number(t.column(i, 0)), t.column(i, 3) == "1"
		switch t.column(i, 2) {
		case "s_local":
			m := under(t.column(i, 1), t.column(i, 5), cycle)
			if waits[m] = cycles - m.offered; done {
				waits[m] = cycle - m.offered
				m.from = cycle
				injections = append(injections, cycle)
			}
		case "m_local":
			if done {
				m := under(t.column(i, 4), t.column(i, 5), cycle)
				m.deliveries++
				m.last = cycle
			}
		}
	}
	for _, m := range messages { // waits: the earliest of equally long ones
		if waits[m] > longestWait {
			longestWait, wait = waits[m], fmt.Sprintf(" (node %d, from cycle %d)", m.node, m.offered)
		}
	}
	slices.SortStableFunc(messages, func(a, b *message) int { return cmp.Or(a.from-b.from, a.node-b.node) })
	for _, m := range messages {
		if m.from >= 0 {
			if m.deliveries < standinNodes-1 {
				undelivered++
				m.last = cycles
			}
			others := -1 // the message itself is counted below
			for _, cycle := range injections {
				if cycle >= m.from && cycle < m.last {
					others++
				}
			}
			most = max(most, others)
			if m.last-m.from > longestTime {
				longestTime, time = m.last-m.from, fmt.Sprintf(" (source %d, from cycle %d)", m.node, m.from)
			}
		}
	}
	return fmt.Sprintf("under way: longest %d cycles%s, at most %d injections meanwhile, %d undelivered when the trace ends; longest wait %d cycles%s", longestTime, time, most, undelivered, longestWait, wait)
}

// isStream reports whether a name of a trace is the name of a stream, which transfers and
// stalls.
func isStream(name string) bool {
	return strings.HasPrefix(name, "m_") || strings.HasPrefix(name, "s_")
}

// difference is a change of a good trace and the message that must report it.
type difference struct {
	name   string
	change func(*trace) string // returns the beginning of the message
}

// place is the name of the stream of line i in messages.
func (t *trace) place(i int) string {
	name := t.column(i, 2)
	if port := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz_"); port != "" {
		name += fmt.Sprintf(" (port %s)", strings.TrimPrefix(port, "0"))
	}
	return fmt.Sprintf("cycle %s, node %s, stream %s: ", t.column(i, 0), t.column(i, 1), name)
}

// flip inverts the lowest bit of a hex number.
func flip(hex string) string {
	var v uint64
	if _, err := fmt.Sscanf(hex, "%x", &v); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%0*x", len(hex), v^1)
}

func wrongValue(pattern string, column int, what string, show func(string) string) func(*trace) string {
	return func(t *trace) string {
		i := t.find(pattern, 3)
		got := t.column(i, column)
		t.set(i, column, flip(got))
		return t.place(i) + what + ": expected " + show(flip(got)) + ", got " + show(got)
	}
}

// wrongPace changes the pace of a node in the n-th line of paces.
func wrongPace(node, n int) func(*trace) string {
	return func(t *trace) string {
		i := t.find(" pace ", n)
		var paces uint64
		if _, err := fmt.Sscanf(t.column(i, 5), "%x", &paces); err != nil {
			panic(err)
		}
		lane := 2 * node
		if len(t.column(i, 5)) == 1 { // of a router alone
			lane = 0
		}
		got := paces >> lane & 3
		t.set(i, 5, fmt.Sprintf("%0*x", len(t.column(i, 5)), paces^1<<lane))
		return fmt.Sprintf("cycle %s, node %d, pace: expected %d, got %d\n", t.column(i, 0), node, got^1, got)
	}
}

func plain(s string) string { return s }

func linkHeader(s string) string {
	var v int
	if _, err := fmt.Sscanf(s, "%x", &v); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s (wd %d, wc %d, source %d)", s, v>>3, v>>2&1, v&3)
}

func source(s string) string { return fmt.Sprintf("%s (source %s)", s, s) }

// missing removes a line of an output: the design is valid, the trace is not.
func missing(pattern string, show func(string) string) func(*trace) string {
	return func(t *trace) string {
		i := t.find(pattern, 2)
		want := t.place(i) + "valid: expected 0, got 1 with header " + show(t.column(i, 4)) + ", payload " + t.column(i, 5)
		t.remove(i)
		return want
	}
}

// extra repeats the line of a transfer in the next cycle, in which the stream
// is not valid.
func extra(name, message string) func(*trace) string {
	return func(t *trace) string {
		for i := range t.lines {
			if t.column(i, 2) != name || t.column(i, 3) != "1" {
				continue
			}
			var cycle int
			if _, err := fmt.Sscan(t.column(i, 0), &cycle); err != nil {
				panic(err)
			}
			line := fmt.Sprintf("%d %s %s 1 %s %s", cycle+1, t.column(i, 1), name, t.column(i, 4), t.column(i, 5))
			key := func(line string) string {
				f := strings.Fields(line)
				return fmt.Sprintf("%8s %8s %s", f[0], f[1], f[2])
			}
			at := i
			for at < len(t.lines) && key(t.lines[at]) < key(line) {
				at++
			}
			if at < len(t.lines) && key(t.lines[at]) == key(line) {
				continue // valid again at once
			}
			t.insert(at, line)
			return t.place(at) + message
		}
		panic("no such line")
	}
}

func checkDifferences(t *testing.T, b bench, good func() *trace, cases []difference) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			golden := good()
			want := c.change(golden)
			status, stdout, stderr := b.run(t, golden.String(), "+max-mismatch=1")
			assert.Equal(t, differs, status)
			assert.Contains(t, stderr, "mismatch 1: "+want)
			assert.Contains(t, stdout, "FAIL: ")
			assert.Contains(t, stdout, ", 1 mismatches\n")
		})
	}
}

// junit is the part of a JUnit report that the tests use.
type junit struct {
	Suites []struct {
		Name       string `xml:"name,attr"`
		Tests      int    `xml:"tests,attr"`
		Failures   int    `xml:"failures,attr"`
		Errors     int    `xml:"errors,attr"`
		Properties []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
		} `xml:"properties>property"`
		Cases []struct {
			Name     string `xml:"name,attr"`
			Failures []struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
			Errors []struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func readJUnit(t *testing.T, path string) junit {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var report junit
	require.NoError(t, xml.Unmarshal(data, &report))
	require.Len(t, report.Suites, 1)
	return report
}

// properties returns the properties of a JUnit report.
func properties(t *testing.T, path string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for _, p := range readJUnit(t, path).Suites[0].Properties {
		values[p.Name] = p.Value
	}
	return values
}

// number returns a decimal number of a trace.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}
