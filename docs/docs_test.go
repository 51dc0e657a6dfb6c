// SPDX-License-Identifier: Apache-2.0

// The tests run what the pages show and compare what they list with the program:
//
//   - a block ```hcl is a complete description without diagnostics, ```hcl wrong
//     one with errors; both, and ```json, may name the file that the page's
//     commands read them from;
//   - in a block ```console the commands, such as "$ hcgen ..." and "$ make ...", are run
//     one after the other and what they print is compared; a line "..." stands for any lines;
//   - tables are compared with what the program knows, in both directions.

package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/program"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule"
)

// Pages of this folder, and the one above it.
const (
	configuration = "configuration.md"
	commandLine   = "command-line.md"
	simulation    = "simulation.md"
	architecture  = "architecture.md"
	verification  = "verification.md"
	choice        = "explore.md"
	collectives   = "collectives.md"
	gallery       = "gallery.md"
	usage         = "using-the-network.md"
	reportPage    = "report.md"
	tutorial      = "tutorial.md"
	ownMachine    = "tutorial-machine.md"
	ownProgram    = "tutorial-program.md"
	algorithm     = "algorithm.md"
	synthesis     = "synthesis.md"
	extending     = "extending.md"
	addressed     = "addressed-messages.md"
	barrier       = "barrier.md"
	endpoints     = "endpoints.md"
	longLinks     = "links.md"
	vectors       = "vectors.md"
	programmable  = "programmable.md"
	integration   = "integration.md"
	glossary      = "glossary.md"
	performance   = "performance.md"
	fairness      = "fairness.md"
	index         = "README.md"
	readme        = "../README.md"
)

func TestMain(m *testing.M) { program.Main(m) }

// session runs commands in a folder of its own.
type session struct {
	t    testing.TB
	dir  string
	code int    // of the last command
	home string // in place of the user's home folder; may be empty
}

// newSession lays out the example machines and the named blocks of a page.
func newSession(t testing.TB, p page) *session {
	t.Helper()
	s := &session{t: t, dir: t.TempDir()}
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "configs"), os.DirFS("../configs")))
	s.write("torus4x4.hcl", s.read("configs/torus4x4.hcl"))
	for _, f := range p.fences {
		if name := f.file(); name != "" {
			s.write(name, f.text)
		}
	}
	return s
}

func (s *session) write(name, text string) {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644))
}

func (s *session) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	require.NoError(s.t, err)
	return string(data)
}

// run returns what a command prints, messages included.
func (s *session) run(command string) string {
	s.t.Helper()
	cmd := exec.Command("sh", "-c", fmt.Sprintf("(exit %d)\n%s", s.code, command))
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=0", "PATH="+program.Folder(s.t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if s.home != "" {
		cmd.Env = append(cmd.Env, "HOME="+s.home, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=")
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(s.t, err)
	}
	s.code = cmd.ProcessState.ExitCode()
	return out.String()
}

// succeed is run for a command that must end with exit code 0.
func (s *session) succeed(command string) string {
	s.t.Helper()
	out := s.run(command)
	require.Zero(s.t, s.code, "%s\n%s", command, out)
	return out
}

// pages returns all pages for users, and what else is written in Markdown.
func pages(t testing.TB) []page {
	t.Helper()
	var all []page
	for _, pattern := range []string{"*.md", "../*.md", "../examples/*/*.md"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names, pattern)
		for _, name := range names {
			all = append(all, read(t, name))
		}
	}
	return all
}

func TestDescriptionsShownAreRightOrWrongAsMarked(t *testing.T) {
	descriptions := 0
	for _, p := range pages(t) {
		for _, f := range p.fences {
			isJSON := f.is("json") && f.file() != ""
			if !f.is("hcl") && !isJSON {
				continue
			}
			descriptions++
			name := f.file()
			if name == "" {
				name = "machine.hcl"
			}
			m, files, diags := machine.LoadBytes(name, []byte(f.text), nil, machine.WithSchedules(schedule.LoadFile, schedule.Messages))
			var messages bytes.Buffer
			require.NoError(t, machine.WriteDiagnostics(&messages, "", files, diags))
			if len(f.info) > 1 && f.info[1] == "wrong" {
				assert.True(t, diags.HasErrors(), "%s:%d: has no errors", p.name, f.line)
				continue
			}
			assert.Empty(t, messages.String(), "%s:%d", p.name, f.line)
			assert.NotNil(t, m, "%s:%d", p.name, f.line)
		}
	}
	assert.Greater(t, descriptions, 5)
}

func TestCommandsPrintWhatIsShown(t *testing.T) {
	needs.Tools(t, "make", "gcc", "yosys", "verilator", "iverilog", "vvp", "nextpnr-ice40")
	for _, p := range pages(t) {
		t.Run(p.name, func(t *testing.T) {
			if p.name == ownMachine { // builds two benches
				needs.Time(t)
			}
			if p.name == ownProgram { // installs a core, a package of Python
				needs.Time(t)
				needs.Tools(t, "riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objcopy", "python3")
			}
			var s *session
			for _, f := range p.fences {
				if !f.is("console") {
					continue
				}
				if s == nil {
					s = newSession(t, p)
				}
				for _, step := range regexp.MustCompile(`(?m)^\$ `).Split(f.text, -1)[1:] {
					command, want, _ := strings.Cut(step, "\n")
					where := fmt.Sprintf("%s:%d: $ %s", p.name, f.line, command)
					require.Regexp(t, `^(hcgen|echo|make|gcc|iverilog|vvp|verilator|yosys|obj_dir/Vbench|sed|python3|python/bin/pip|riscv64-unknown-elf-gcc|riscv64-unknown-elf-objcopy)\b`, command, "%s: not a program that the test runs", where)
					asked := command == "echo $?"
					if s.code != 0 {
						require.True(t, asked, "%s: the command before it fails, and the page does not say so", where)
					}
					got := s.run(command)
					assert.Regexp(t, outputPattern(want), got, where)
				}
				require.Zero(t, s.code, "%s:%d: the last command fails, and the page does not say so", p.name, f.line)
			}
			// Only these pages show commands and their output.
			with := []string{configuration, commandLine, choice, tutorial, ownMachine, ownProgram, simulation, synthesis, algorithm, collectives, usage, addressed, barrier, longLinks, programmable, integration, endpoints, vectors}
			assert.Equal(t, slices.Contains(with, p.name), s != nil, "console blocks")
		})
	}
}

// outputPattern matches exactly the shown output, with any lines for "...".
func outputPattern(shown string) string {
	pattern := `\A`
	for _, line := range strings.SplitAfter(shown, "\n") {
		if line == "...\n" {
			pattern += `(?s:.*\n)?`
		} else {
			pattern += regexp.QuoteMeta(line)
		}
	}
	return pattern + `\z`
}

func TestOutputPatternSeesEveryDifference(t *testing.T) {
	shown := "a\n...\nb\n"
	for _, same := range []string{"a\nb\n", "a\nx\nb\n", "a\nx\ny\nb\n"} {
		assert.Regexp(t, outputPattern(shown), same)
	}
	for _, other := range []string{"a\n", "b\n", "a\nx\n", "a\nxb\n", "a\nb\nc\n", "", "xa\nb\n"} {
		assert.NotRegexp(t, outputPattern(shown), other)
	}
}

func TestDefaultsAreThoseOfTheTenLineMachine(t *testing.T) {
	short := read(t, readme).blockWith(t, "machine ")
	assert.Equal(t, 10, strings.Count(short, "\n"), "the README promises ten lines")
	var full string
	for _, f := range read(t, configuration).fences {
		if f.file() == "full.hcl" {
			full = f.text
		}
	}
	assert.Equal(t, loaded(t, short).Hash, loaded(t, full).Hash, "the descriptions differ")
}

// loaded returns a machine whose description has no errors.
func loaded(t testing.TB, text string) *machine.Machine {
	t.Helper()
	m, files, diags := machine.LoadBytes("machine.hcl", []byte(text), nil, machine.WithSchedules(schedule.LoadFile, schedule.Messages))
	var messages bytes.Buffer
	require.NoError(t, machine.WriteDiagnostics(&messages, "", files, diags))
	require.False(t, diags.HasErrors(), "%s\n%s", text, messages.String())
	return m
}

func TestReadmeCommandsWorkOnItsMachine(t *testing.T) {
	p := read(t, readme)
	s := newSession(t, p)
	s.write("machine.hcl", p.blockWith(t, "machine "))
	ran := 0
	for _, line := range strings.Split(p.blockWith(t, "hcgen "), "\n") {
		command, _, _ := strings.Cut(line, "#")
		if !strings.HasPrefix(command, "hcgen ") {
			continue // make, which needs tools
		}
		ran++
		assert.NotContains(t, s.succeed(command), "warning", command)
	}
	assert.Equal(t, 2, ran)

	// the tree that it shows
	var shown, got []string
	for _, line := range strings.Split(p.blockWith(t, "out/\n"), "\n")[1:] {
		if fields := strings.Fields(line); len(fields) > 0 {
			shown = append(shown, strings.TrimSuffix(fields[0], "/"))
		}
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, "out"))
	require.NoError(t, err)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	assert.ElementsMatch(t, got, shown)

	// the instance that it shows
	network := s.read("out/rtl/torus4x4_network.v")
	ports := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^    (?:input|output) +wire +(?:\[(\d+):0\])? *(\w+)`).FindAllStringSubmatch(network, -1) {
		ports[m[2]] = m[1]
	}
	connected := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^ *\.(\w+)\(\w+\),? +//? *(?:.*?\[(\d+):0\])?`).FindAllStringSubmatch(p.blockWith(t, "torus4x4_network "), -1) {
		connected[m[1]] = m[2]
	}
	require.NotEmpty(t, ports)
	delete(connected, "clk") // stands there without a comment
	delete(ports, "clk")
	assert.Equal(t, ports, connected, "ports of the network and their highest bits")
}

func TestTutorialShowsThePictureThatItDraws(t *testing.T) {
	p := read(t, tutorial)
	s := newSession(t, p)
	s.succeed("hcgen draw -c ring.hcl --what tree -o ring.svg")
	require.Contains(t, p.text, "$ hcgen draw -c ring.hcl --what tree -o ring.svg\n")
	want, err := os.ReadFile("tutorial/ring.svg")
	require.NoError(t, err)
	assert.True(t, s.read("ring.svg") == string(want), "docs/tutorial/ring.svg is not what its command draws: make pictures")
	s.succeed("hcgen -c ring.hcl -o out")
	assert.FileExists(t, filepath.Join(s.dir, "out/waves/network.gtkw"), "what the page opens with GTKWave")
}

func TestIndexNamesEveryPage(t *testing.T) {
	all, err := filepath.Glob("*.md")
	require.NoError(t, err)
	text := read(t, index).text
	for _, name := range all {
		if name != index {
			assert.Contains(t, text, "]("+name+")")
		}
	}
}

// A word that no other page uses needs no entry.
func TestGlossaryHasWordsOfThePages(t *testing.T) {
	used := ""
	for _, p := range pages(t) {
		if p.name != glossary {
			used += flowed(p) + " "
		}
	}
	entries := 0
	for _, tab := range read(t, glossary).tablesOf("word") {
		for _, row := range tab.rows {
			for _, word := range strings.Split(row[0], ", ") {
				entries++
				assert.True(t, regexp.MustCompile(`\b`+regexp.QuoteMeta(word)+`s?\b`).MatchString(used), "no page uses the word %s", word)
			}
		}
	}
	assert.Greater(t, entries, 20)
}

func TestLinksBetweenPagesLeadSomewhere(t *testing.T) {
	anchor := func(heading string) string {
		heading = strings.ToLower(regexp.MustCompile("[^A-Za-z0-9 -]").ReplaceAllString(heading, ""))
		return strings.ReplaceAll(heading, " ", "-")
	}
	for _, p := range pages(t) {
		for _, m := range regexp.MustCompile(`\]\(([^)#]*)#?([^)]*)\)`).FindAllStringSubmatch(p.text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := p.name
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(p.name), m[1])
			}
			_, err := os.Stat(target)
			assert.NoError(t, err, "%s: %s", p.name, m[0])
			if m[2] == "" {
				continue
			}
			var anchors []string
			for _, h := range read(t, target).headings {
				anchors = append(anchors, anchor(h))
			}
			assert.Contains(t, anchors, m[2], "%s: %s", p.name, m[0])
		}
	}
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// fields lists the paths of all values in a JSON text, such as ports[].index.
func fields(t testing.TB, text string) []string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v), text)
	seen := map[string]bool{}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(strings.TrimPrefix(at+"."+k, "."), x)
			}
		case []any:
			for _, x := range v {
				walk(at+"[]", x)
			}
		default:
			seen[at] = true
		}
	}
	walk("", v)
	return sorted(seen)
}

// assertFields compares a table of fields with a JSON text. A field that may be
// absent has a row that says so.
func assertFields(t *testing.T, tab table, text string) {
	t.Helper()
	got := fields(t, text)
	var documented []string
	for _, row := range tab.rows {
		for _, f := range codes(row[0]) {
			if !strings.Contains(row[1], "absent") || slices.Contains(got, f) {
				documented = append(documented, f)
			}
		}
	}
	assert.ElementsMatch(t, got, documented, tab.header[0])
}
