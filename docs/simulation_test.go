// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/fpga"
)

func TestTargetsAndVariablesAreThoseOfTheMakefile(t *testing.T) {
	p := read(t, simulation)
	s := newSession(t, p)
	s.succeed("hcgen -c torus4x4.hcl -o out")
	makefile := s.read("out/Makefile")
	var targets []string
	for _, m := range regexp.MustCompile(`(?m)^([a-z0-9-]+):.*## `).FindAllStringSubmatch(makefile, -1) {
		targets = append(targets, m[1])
	}
	documented := p.tableOf(t, "target").column(0)
	for i, d := range documented {
		documented[i] = map[string]string{"sim-TRAFFIC": "sim-corner", "synth-NAME": "synth-hx8k", "netlist-NAME": "netlist-hx8k"}[d]
		if documented[i] == "" {
			documented[i] = d
		}
	}
	others := []string{"sim-packets", "sim-system", "sim-system-random", "sim-clocks", "sim-chips", "synth-system", "netlist-system"} // of machines with hc_packets, with endpoints, with several clocks, and with several chips
	template, err := os.ReadFile("../templates/build/Makefile.tmpl")
	require.NoError(t, err)
	for _, target := range others {
		require.Regexp(t, `(?m)^`+target+`:.*## `, string(template))
	}
	assert.ElementsMatch(t, append(targets, others...), append(documented, "sim-storm", "sim-overload"))

	set := map[string]bool{"CURDIR": true, "MAKEFILE_LIST": true} // those of make itself
	for _, m := range regexp.MustCompile(`(?m)^([A-Z_]+) +:?= `).FindAllStringSubmatch(makefile, -1) {
		set[m[1]] = true
	}
	free := map[string]bool{}
	for _, m := range regexp.MustCompile(`\$\(([A-Z_]+)\)`).FindAllStringSubmatch(makefile, -1) {
		free[m[1]] = !set[m[1]]
	}
	variables := []string{"ACCESSES", "CLOCK_CYCLES", "CHIP_CYCLES", "CHIP_MESSAGES"}
	for _, name := range variables {
		require.Regexp(t, name+" +\\?= ", string(template))
	}
	for _, name := range sorted(free) {
		if free[name] {
			variables = append(variables, name)
		}
	}
	assert.ElementsMatch(t, variables, p.tableOf(t, "variable").column(0))
}

func TestPlusargsAndExitCodesAreThoseOfTheBenches(t *testing.T) {
	p := read(t, simulation)
	source := func(name string) string {
		data, err := os.ReadFile("../verilator/tb/" + name)
		require.NoError(t, err)
		return string(data)
	}
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`"(\+[a-z-]+)"`).FindAllStringSubmatch(source("bench.cpp"), -1) {
		known[m[1]] = true
	}
	var documented []string
	for _, c := range p.tableOf(t, "plusarg").column(0) {
		name, _, _ := strings.Cut(c, "=")
		if strings.HasPrefix(name, "+") {
			documented = append(documented, name)
		}
	}
	// these two are read as numbers, by names without the plus
	assert.Contains(t, source("bench.cpp"), `number("max-mismatch"`)
	assert.Contains(t, source("bench.cpp"), `number("seed"`)
	assert.ElementsMatch(t, sorted(known), documented)

	enum := regexp.MustCompile(`enum Exit \{(.*)\}`).FindStringSubmatch(source("bench.h"))
	require.NotNil(t, enum)
	_, sentence, found := strings.Cut(p.text, "A bench exits with ")
	require.True(t, found)
	sentence, _, _ = strings.Cut(sentence, ".\n")
	assert.Equal(t, regexp.MustCompile(`\d+`).FindAllString(enum[1], -1), regexp.MustCompile(`\d+`).FindAllString(sentence, -1))
}

func TestFirstDifferenceIsAboutTheRealRTLAndTrace(t *testing.T) {
	p := read(t, simulation)
	s := newSession(t, p)
	s.succeed("hcgen -c torus4x4.hcl -o out")
	trace := strings.Split(s.read("out/golden/alone.trace"), "\n")
	lines, broken := 0, 0
	for _, f := range p.fences {
		for _, m := range regexp.MustCompile(`golden/alone\.trace:(\d+): (.*)`).FindAllStringSubmatch(f.text, -1) {
			n, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			require.Greater(t, len(trace), n)
			assert.Equal(t, trace[n-1], m[2])
			lines++
		}
		if f.is("verilog") {
			assert.Contains(t, s.read("out/rtl/torus4x4_hc_link_input.v"), "\n"+f.text)
			broken++
		}
	}
	assert.Equal(t, 2, lines)
	assert.Equal(t, 1, broken)
	assert.Contains(t, s.read("out/golden/alone.trace"), "\n3 0 m_link00 1 6 ", "what the text says about cycle 3")
	assert.Contains(t, s.read("out/golden/alone.trace"), " m_local ", "what the grep finds")
}

func TestSummaryFieldsAreThoseOfTheScript(t *testing.T) {
	p := read(t, simulation)
	var shown string
	for _, f := range p.fences {
		if f.is("json") {
			shown += f.text
		}
	}

	script, err := os.ReadFile("../templates/synth/synth.sh")
	require.NoError(t, err)
	_, text, ok := strings.Cut(strings.ReplaceAll(string(script), `\`, ""), "summary.json\" <<END\n")
	require.True(t, ok, "the script writes summary.json otherwise than the test knows")
	text, _, _ = strings.Cut(text, "\nEND\n")
	text = strings.Replace(text, `"$placer":`, `"nextpnr-ice40":`, 1) // the placer of the machine on the page
	names := func(text string) []string {
		all := map[string]bool{}
		for _, m := range regexp.MustCompile(`"([a-z0-9_-]+)":`).FindAllStringSubmatch(text, -1) {
			all[m[1]] = true
		}
		return sorted(all)
	}
	assert.Equal(t, names(text), names(shown))
	assert.Greater(t, len(names(text)), 10)
}

func TestResultFieldsAreThoseOfTheScript(t *testing.T) {
	script, err := os.ReadFile("../templates/formal/prove.sh")
	require.NoError(t, err)
	_, text, ok := strings.Cut(strings.ReplaceAll(string(script), `\`, ""), "result.json <<END\n")
	require.True(t, ok, "the script writes result.json otherwise than the test knows")
	text, _, _ = strings.Cut(text, "\nEND\n")
	claim := regexp.MustCompile(`(?s)\{"name": "\$name", "verdict".*?\n.*?\}"`).FindString(strings.ReplaceAll(string(script), `\`, ""))
	require.NotEmpty(t, claim)
	text = strings.Replace(text, "$json", strings.TrimSuffix(claim, `"`), 1)
	task := regexp.MustCompile(`(?m)^ *\$\(awk .*%s(\{"name": .*\})".*\)$`).FindStringSubmatch(text)
	require.NotNil(t, task)
	text = strings.Replace(text, task[0], strings.Replace(task[1], "%d", "0", 1), 1)
	text = regexp.MustCompile(`"\$[^\n]*?"([,}\n])`).ReplaceAllString(text, `""$1`)
	text = regexp.MustCompile(`: \$(\{[^}]*\}|\d)`).ReplaceAllString(text, ": null")
	assertFields(t, read(t, simulation).tableOf(t, "field of result.json"), text)
}

func TestSettingsOfSynthesisAreThoseOfTheScript(t *testing.T) {
	script, err := os.ReadFile("../templates/synth/synth.sh")
	require.NoError(t, err)
	table := read(t, simulation).tableOf(t, "setting of synthesis")
	defaults := map[string]string{}
	for _, m := range regexp.MustCompile(`\$\{(PLACE|OPTIMIZE|AIM|(?:ABC9|YOSYS|NEXTPNR)_[A-Z]+):?-([^$}]*)`).FindAllStringSubmatch(string(script), -1) {
		if m[2] != "1" { // what a check reads in place of none
			defaults[m[1]] = m[2]
		}
	}
	assert.ElementsMatch(t, sorted(defaults), table.column(0))
	for _, row := range table.rows {
		if text := codes(row[1]); len(text) > 0 { // the others follow from the machine and from Yosys
			assert.Equal(t, text[0], defaults[codes(row[0])[0]], row[0])
		}
	}
	assert.Len(t, table.column(1), len(defaults)-5)

	var rows [][]string
	code := func(text string) string {
		if text == "" {
			return ""
		}
		return "`" + text + "`"
	}
	for _, f := range fpga.Families {
		rows = append(rows, []string{code(f.Name), code(f.Synth), code(f.SynthOptions), code(f.PlaceOptions)})
	}
	assert.Equal(t, rows, read(t, simulation).tableOf(t, "family").rows)
}

func TestBenchesWriteWhatThePageSaysOfJUnit(t *testing.T) {
	section := regexp.MustCompile(`(?s)\n## JUnit\n(.*?)\n## `).FindStringSubmatch(read(t, simulation).text)
	require.NotNil(t, section)
	for _, source := range []string{"machine.cpp", "collective_main.cpp"} {
		bench, err := os.ReadFile("../verilator/tb/" + source)
		require.NoError(t, err)
		properties := regexp.MustCompile(`report\.property\("([a-z_.]+)"`).FindAllStringSubmatch(string(bench), -1)
		require.NotEmpty(t, properties)
		for _, m := range properties {
			name := m[1]
			if strings.HasSuffix(name, ".") {
				name += "STREAM"
			}
			assert.Contains(t, codes(section[1]), name)
		}
	}
	makefile, err := os.ReadFile("../templates/build/Makefile.tmpl")
	require.NoError(t, err)
	assert.Contains(t, string(makefile), "+junit=$(BUILD)/sim/{{.Traffic}}.xml")
	assert.Contains(t, codes(section[1]), "out/build/sim/TRAFFIC.xml")
}
