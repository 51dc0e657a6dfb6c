// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan/registers"
	"github.com/hcgen/hcgen/schedule/check"
)

// required holds what every block of description() needs.
var required = map[string]map[string]string{
	"dimension": {"m": "8", "rho": "1"},
	"traffic":   {"cycles": "100"},
	"broadcast": {"sources": "[[0]]"},
	"send":      {"from": "[0]", "to": "[1]"},

	"collective in traffic": {"operation": `"broadcast"`},
	"collective in machine": {"operation": `"broadcast"`},
	"stall":                 {"receivers": "[[0]]"},
	"random":                {"rate": "0.5"},
	"variable":              {"default": "1"},
}

// change is one attribute of one block with another value; without a value the
// attribute is left out.
type change struct{ block, attribute, value string }

// description is a small machine with one block of every type, and with what the change needs.
func description(c change) string {
	pattern := c.attribute == "pattern"
	hotspot := c.attribute == "hot" || c.attribute == "share"
	addressed := c.block == "send" || c.block == "collective in traffic" || pattern || hotspot || c.attribute == "broadcasts" || c.attribute == "deliver_destination"
	body := func(block string) string {
		attributes := map[string]string{}
		for k, v := range required[block] {
			attributes[k] = v
		}
		if limit := strings.HasPrefix(c.attribute, "max_"); limit || c.attribute == "config_bus" {
			switch { // only a programmable router has them, and the machine is within any limit
			case block == "router":
				attributes["kind"] = `"programmable"`
			case block == "dimension" && limit:
				attributes["m"] = "2"
			}
		}
		switch {
		case block == "message":
			attributes["destination"], attributes["last"] = fmt.Sprint(addressed), fmt.Sprint(c.attribute == "last")
		case block == "broadcast" && pattern:
			attributes["sources"] = "[[0, 0]]"
		case block == "random" && hotspot:
			attributes["pattern"] = `"hotspot"`
		case block == "collective in machine" && strings.HasPrefix(c.attribute, "operator") && c.attribute != "operator_latency":
			attributes["operation"] = `"reduce-scatter"`
		case block == "collective in machine" && c.attribute == "operator_latency":
			attributes["operation"], attributes["operator_module"] = `"reduce-scatter"`, `"adder"`
		case block == "collective in machine" && c.attribute == "words":
			attributes["operation"] = `"all-reduce"`
		}
		if block == c.block {
			attributes[c.attribute] = c.value
		}
		text := ""
		for _, k := range sorted(attributes) {
			if attributes[k] != "" {
				text += k + " = " + attributes[k] + "\n"
			}
		}
		return text
	}
	second, more := "", ""
	if pattern { // one of them needs a second dimension
		second = "dimension \"y\" {\nm = 2\nrho = 1\n}\n"
	}
	if c.block == "send" || c.block == "collective in traffic" || c.block == "stall" {
		name, _, _ := strings.Cut(c.block, " ")
		more = name + " {\n" + body(c.block) + "}\n"
	}
	collective := ""
	if c.block == "collective in machine" || c.attribute == "routers" {
		collective = "collective \"c\" {\n" + body("collective in machine") + "}\n"
	}
	if c.attribute == "routers" && c.value == "false" { // nor what needs them
		return "machine \"a\" {\n" + body("machine") + "dimension \"x\" {\n" + body("dimension") + "}\n" + collective + "}\n"
	}
	return body("") +
		"machine \"a\" {\n" + body("machine") +
		"dimension \"x\" {\n" + body("dimension") + "}\n" + second + collective +
		"message {\n" + body("message") + "}\n" +
		"router {\n" + body("router") + "}\n}\n" +
		"traffic \"t\" {\n" + body("traffic") +
		"broadcast {\n" + body("broadcast") + "}\n" + more +
		"random {\n" + body("random") + "}\n}\n" +
		"synthesis \"s\" {\n" + body("synthesis") + "}\n" +
		"variable \"v\" {\n" + body("variable") + "}\n"
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// errorsOf returns what the loader says about a description.
func errorsOf(c change) hcl.Diagnostics {
	_, _, diags := machine.LoadBytes("machine.hcl", []byte(description(c)), nil)
	var errors hcl.Diagnostics
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			errors = append(errors, d)
		}
	}
	return errors
}

// blockOf is the block that a section is about.
func blockOf(heading string) string {
	return strings.Join(codes(heading), " in ")
}

// Each block has a section, and the attributes in its table are those of the loader.
func TestAttributeTablesAreThoseOfTheLoader(t *testing.T) {
	var wanted, shown []string
	for _, a := range machine.Attributes() {
		wanted = append(wanted, fmt.Sprintf("%s: | `%s` | %s | %s | %s |", a.Block, a.Name, a.Range, a.Default, a.Meaning))
	}
	p := read(t, configuration)
	for _, tab := range p.tablesOf("attribute") {
		require.Equal(t, []string{"attribute", "range", "default", "meaning"}, tab.header)
		for _, row := range tab.rows {
			shown = append(shown, blockOf(tab.heading)+": | "+strings.Join(row, " | ")+" |")
		}
	}
	assert.Equal(t, wanted, shown, "write the rows of the loader")
}

// The loader reads each attribute with the range and the default that the table states.
func TestAttributesHaveTheirRangeAndDefault(t *testing.T) {
	require.Empty(t, errorsOf(change{}))
	for _, a := range machine.Attributes() {
		t.Run(a.Block+"."+a.Name, func(t *testing.T) {
			try := func(value string) hcl.Diagnostics { return errorsOf(change{a.Block, a.Name, value}) }
			if a.Block == "variable" {
				assert.Equal(t, a.Name == "default", len(try("")) > 0, "required without --var")
				return
			}
			if a.Default == "required" {
				assert.NotEmpty(t, try(""), "the loader does not require it")
			} else {
				value, ok := map[string]string{
					"node 0": "[0]", "all nodes": "[[0], [1], [2], [3], [4], [5], [6], [7]]", "to the end": "100", "none": "",
				}[a.Default]
				if !ok {
					value = codes(a.Default)[0]
				}
				written := loaded(t, description(change{a.Block, a.Name, value}))
				assert.Equal(t, loaded(t, description(change{a.Block, a.Name, ""})).Hash, written.Hash, "another default")
			}
			accepted, rejected := rangeOf(t, a.Range)
			for _, v := range accepted {
				assert.Empty(t, try(v), v)
			}
			for _, v := range rejected {
				assert.NotEmpty(t, try(v), "%s is accepted", v)
			}
		})
	}
}

// rangeOf gives values that a range in a table includes and excludes.
func rangeOf(t *testing.T, text string) (accepted, rejected []string) {
	t.Helper()
	switch text {
	case "`true` or `false`":
		return []string{"true", "false"}, []string{"1", `"true"`}
	case "one or more addresses":
		return []string{"[[0]]", "[[7], [0]]"}, []string{"[]", "[[8]]", "[0]", "[[0, 0]]"}
	case "one or more different addresses":
		accepted, rejected = rangeOf(t, "one or more addresses")
		return accepted, append(rejected, "[[0], [1], [0]]")
	case "a device of nextpnr-ice40", "a package of the device":
		return nil, []string{`"none"`, "1"}
	case "an address, or one or more addresses":
		return []string{"[0]", "[7]", "[[0]]", "[[7], [0]]"}, []string{"[]", "[[8]]", "[8]", "[0, 0]", "[[0, 0]]", `["*"]`, "0"}
	case "an address with `\"*\"` for all digits":
		return []string{"[7]", `["*"]`}, []string{"[]", "[[1]]", "[8]", "[1, 1]", `["1"]`, `"*"`, "1"}
	case "the name of a module":
		return []string{`"fp_adder"`}, []string{`"add"`, `"a b"`, `""`, "1"}
	case "the name of a file":
		return nil, []string{`"none.json"`, `""`, "1"} // a file that is read is that of a machine: see the tests of package machine
	case "an address":
		return []string{"[0]", "[7]"}, []string{"[]", "[[0]]", "[8]", "[0, 0]", `["*"]`, "0"}
	case "1 to 100 different numbers from 0 to 2^31 - 1":
		return []string{"[0]", "[2147483647]", "range(100)"}, []string{"[]", "range(101)", "[-1]", "[2147483648]", "[1, 1]"}
	}
	if values := codes(text); len(values) > 0 {
		assert.Equal(t, "`"+strings.Join(values, "`, `")+"`", text)
		return values, []string{`"none"`, "1"}
	}
	// as in description(): m = 8, cycles = 100; max_dimensions is 4
	numbers := strings.NewReplacer("floor(m/2)", "4", "max_dimensions", "4", "cycles - 1", "99", "cycles - at", "100", "2^63 - 1", "9223372036854775807").Replace(text)
	m := regexp.MustCompile(`^(above )?(\d+) to (below )?(\d+)$`).FindStringSubmatch(numbers)
	require.NotNil(t, m, "a range the test does not know: %s", text)
	lo, hi := m[2], m[4]
	rejected = []string{lo + " - 1", hi + " + 1", `"` + lo + `"`}
	for _, end := range []struct{ open, value string }{{m[1], lo}, {m[3], hi}} {
		if end.open != "" {
			rejected = append(rejected, end.value)
		} else {
			accepted = append(accepted, end.value)
		}
	}
	return accepted, rejected
}

// functionValues has an example of each function and its value.
var functionValues = [][2]string{
	{`abs(-3)`, `3`},
	{`can(tonumber("x"))`, `false`},
	{`ceil(1.2)`, `2`},
	{`chunklist([1, 2, 3], 2)`, `[[1, 2], [3]]`},
	{`coalesce(null, 5)`, `5`},
	{`concat([1], [2, 3])`, `[1, 2, 3]`},
	{`contains([1, 2], 2)`, `true`},
	{`distinct([1, 1, 2])`, `[1, 2]`},
	{`element([1, 2, 3], 4)`, `2`},
	{`flatten([[1], [2, 3]])`, `[1, 2, 3]`},
	{`floor(1.8)`, `1`},
	{`format("%s%02d", "d", 1)`, `"d01"`},
	{`formatlist("d%d", [1, 2])`, `["d1", "d2"]`},
	{`join("-", ["a", "b"])`, `"a-b"`},
	{`keys({a = 1, b = 2})`, `["a", "b"]`},
	{`length([1, 2])`, `2`},
	{`log(16, 2)`, `4`},
	{`lookup({a = 1}, "b", 0)`, `0`},
	{`lower("AB")`, `"ab"`},
	{`max(1, 5, 3)`, `5`},
	{`merge({a = 1}, {b = 2})`, `{a = 1, b = 2}`},
	{`min(1, 5, 3)`, `1`},
	{`parseint("ff", 16)`, `255`},
	{`pow(2, 10)`, `1024`},
	{`range(4)`, `[0, 1, 2, 3]`},
	{`replace("a-b", "-", "_")`, `"a_b"`},
	{`reverse([1, 2, 3])`, `[3, 2, 1]`},
	{`setproduct([0, 1], [2, 3])`, `[[0, 2], [0, 3], [1, 2], [1, 3]]`},
	{`slice([1, 2, 3], 0, 2)`, `[1, 2]`},
	{`sort(["b", "a"])`, `["a", "b"]`},
	{`split(",", "a,b")`, `["a", "b"]`},
	{`substr("torus", 0, 3)`, `"tor"`},
	{`sum([1, 2, 3])`, `6`},
	{`tobool("true")`, `true`},
	{`tonumber("4")`, `4`},
	{`tostring(4)`, `"4"`},
	{`try(tonumber("x"), 0)`, `0`},
	{`upper("ab")`, `"AB"`},
	{`values({a = 1, b = 2})`, `[1, 2]`},
	{`zipmap(["a"], [1])`, `{a = 1}`},
}

func TestFunctionTableListsAll(t *testing.T) {
	assert.ElementsMatch(t, machine.Functions(), read(t, configuration).tableOf(t, "values").column(1))
}

func TestEveryFunctionHasItsValue(t *testing.T) {
	var names []string
	for _, f := range functionValues {
		name, _, _ := strings.Cut(f[0], "(")
		names = append(names, name)
		same := fmt.Sprintf(`format("%%#v", %s) == format("%%#v", %s)`, f[0], f[1])
		assert.True(t, loaded(t, description(change{"message", "source_id", same})).SourceID, "%s is not %s", f[0], f[1])
	}
	assert.Equal(t, machine.Functions(), names)
}

// The limits of single attributes stand in their tables.
func TestLimitsAreTheLoaders(t *testing.T) {
	var shown []string
	for _, row := range read(t, configuration).tableOf(t, "limit").rows {
		shown = append(shown, row[0]+": "+row[1])
	}
	assert.Equal(t, []string{
		fmt.Sprint("degree, the ports of a router: ", hypercycle.MaxDegree),
		fmt.Sprint("nodes N, the product of all m: ", math.MaxInt32),
		fmt.Sprint("nodes of a machine with a network top: ", machine.MaxNetworkNodes),
		fmt.Sprint("nodes of a machine with traffic: ", machine.MaxTrafficNodes),
		fmt.Sprint("scheduled messages of a traffic block: ", machine.MaxSends),
		fmt.Sprint("characters of a name: ", machine.MaxNameLength),
		fmt.Sprint("bytes of a description: ", machine.MaxFileBytes),
		fmt.Sprint("bytes of a schedule file: ", machine.MaxScheduleBytes),
	}, shown)
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

func TestJSONFieldsAreThoseOfTheOutput(t *testing.T) {
	p := read(t, commandLine)
	s := newSession(t, p)
	s.succeed("hcgen -c torus4x4.hcl -o out")
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c torus4x4.hcl --json"))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c configs/degree16.hcl --json"))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c configs/programmable.hcl --json"))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen query -c torus4x4.hcl"))
	assertFields(t, p.tableOf(t, "field of check"), s.succeed("hcgen check -c torus4x4.hcl --json"))
	assertFields(t, p.tableOf(t, "field of check"), s.run("hcgen check -c torus4x4.hcl --var payload_bits=0 --json"))
	require.Equal(t, 2, s.code)
	assertFields(t, p.tableOf(t, "field of check"), s.run("hcgen check -c torus4x4.hcl --var unknown=0 --json"))
	require.Equal(t, 2, s.code)
	assertFields(t, p.tableOf(t, "field of simulate"), s.succeed("hcgen simulate -c torus4x4.hcl --json"))
	s.write("addressed.hcl", strings.Replace(s.read("torus4x4.hcl"), "message {", "message {\n    destination = true", 1))
	assertFields(t, p.tableOf(t, "field of simulate"), s.succeed("hcgen simulate -c addressed.hcl --to '1,*' --json"))
	assertFields(t, p.tableOf(t, "field of a load"), s.succeed("hcgen simulate -c torus4x4.hcl --traffic storm --json"))
	assertFields(t, p.tableOf(t, "field of a load"), s.succeed("hcgen simulate -c addressed.hcl --traffic storm --json"))
	assertFields(t, p.tableOf(t, "field of schedule"), s.succeed("hcgen schedule -c torus4x4.hcl --operation total-exchange --json"))
	assertFields(t, p.tableOf(t, "field of schedule"), s.succeed("hcgen schedule -c torus4x4.hcl --operation scatter --json"))
	assertFields(t, p.tableOf(t, "field of schedule"), s.succeed("hcgen schedule -c configs/gh2_4.hcl --operation scatter --algorithm bsg --json"))
	assertFields(t, p.tableOf(t, "field of manifest.json"), s.read("out/manifest.json"))
	assertFields(t, read(t, choice).tableOf(t, "field of explore"), s.succeed("hcgen explore --nodes 8 --format json"))
	measured := explore.Measured{LUT4: 1, FF: 1, Clock: explore.Clock{Min: 1, Median: 1, Max: 1}}
	var list strings.Builder
	require.NoError(t, explore.WriteJSON(&list, explore.Table{
		Query: explore.Query{Destination: true, Collective: check.AllGather, Measured: true},
		Machines: []explore.Machine{{
			Rings: []hypercycle.Dimension{{M: 2, Rho: 1}}, Nodes: 2, Degree: 1, Diameter: 1, Links: 1, AllGather: 1, TotalExchange: 1, AllReduce: 1, LUT4: 1,
			Router: measured, Node: measured, Cycles: explore.Cycles{AllGather: 1, TotalExchange: 1}, Collective: explore.Collective{Steps: 1, LUT4: 1},
		}},
	}))
	assertFields(t, read(t, choice).tableOf(t, "field of explore"), list.String())
}

// The table lists the accesses that the bench on the page makes, with the registers of the map.
func TestAccessesShownAreThoseOfTheRegisterMap(t *testing.T) {
	p := read(t, programmable)
	var bench string
	for _, f := range p.fences {
		bench += f.text
	}
	rows := p.tableOf(t, "step").rows
	require.Greater(t, len(rows), 5)
	dimension := 0
	for _, row := range rows {
		at := slices.IndexFunc(registers.Map(), func(r registers.Register) bool { return r.Name == codes(row[2])[0] })
		require.GreaterOrEqual(t, at, 0, row[2])
		r := registers.Map()[at]
		offset := r.Offset
		if r.PerDimension {
			offset += registers.Word * dimension
			dimension++
		}
		assert.Equal(t, fmt.Sprintf("0x%02x", offset), codes(row[3])[0], r.Name)
		assert.Contains(t, bench, fmt.Sprintf("\n%-5s %s %s ack\n", row[1], codes(row[3])[0], codes(row[4])[0]), "step %s", row[0])
	}
}

func TestCommandsAndFlagsAreThoseOfTheHelp(t *testing.T) {
	p := read(t, commandLine)
	s := newSession(t, p)
	root := s.succeed("hcgen --help")
	_, list, _ := strings.Cut(root, "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	commands := []string{""}
	for _, line := range strings.Split(list, "\n") {
		commands = append(commands, strings.Fields(line)[0])
	}
	var documented []string
	for _, m := range regexp.MustCompile("(?m)^- `hcgen ([a-z-]+)").FindAllStringSubmatch(p.text, -1) {
		c := m[1]
		if c == "-c" {
			c = ""
		}
		documented = append(documented, c)
	}
	assert.ElementsMatch(t, commands, documented)

	flags := map[string]bool{}
	for _, c := range commands {
		_, text, _ := strings.Cut(s.succeed("hcgen "+c+" --help"), "\nFlags:\n")
		for _, m := range regexp.MustCompile(`(?m)^ +(?:(-\w), )?(--[a-z]+)`).FindAllStringSubmatch(text, -1) {
			flags[m[1]], flags[m[2]] = true, true
		}
	}
	delete(flags, "")
	documented = nil
	for _, f := range p.tableOf(t, "flag").column(0) {
		documented = append(documented, strings.Fields(f)[0])
	}
	require.NotEmpty(t, documented)
	assert.Subset(t, sorted(flags), documented)

	_, exits, _ := strings.Cut(root, "Exit codes:")
	exits, _, _ = strings.Cut(exits, "\n\n")
	want := regexp.MustCompile(`\d+`).FindAllString(exits, -1)
	var shown []string
	for _, row := range p.tableOf(t, "code").rows {
		shown = append(shown, row[0])
	}
	assert.ElementsMatch(t, want, shown, "exit codes")
}

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
	const packets = "sim-packets" // of machines with hc_packets
	template, err := os.ReadFile("../templates/build/Makefile.tmpl")
	require.NoError(t, err)
	require.Regexp(t, `(?m)^`+packets+`:.*## `, string(template))
	assert.ElementsMatch(t, append(targets, packets), append(documented, "sim-storm", "sim-overload"))

	set := map[string]bool{"CURDIR": true, "MAKEFILE_LIST": true} // those of make itself
	for _, m := range regexp.MustCompile(`(?m)^([A-Z_]+) +:?= `).FindAllStringSubmatch(makefile, -1) {
		set[m[1]] = true
	}
	free := map[string]bool{}
	for _, m := range regexp.MustCompile(`\$\(([A-Z_]+)\)`).FindAllStringSubmatch(makefile, -1) {
		free[m[1]] = !set[m[1]]
	}
	var variables []string
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
	for _, m := range regexp.MustCompile(`"(\+[a-z-]+)"`).FindAllStringSubmatch(source("options.cpp"), -1) {
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
	assert.Contains(t, source("options.cpp"), `number("max-mismatch"`)
	assert.Contains(t, source("options.cpp"), `number("seed"`)
	assert.ElementsMatch(t, sorted(known), documented)

	enum := regexp.MustCompile(`enum Exit \{(.*)\}`).FindStringSubmatch(source("program.h"))
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
	for _, m := range regexp.MustCompile(`\$\{(PLACE|OPTIMIZE|(?:ABC9|YOSYS|NEXTPNR)_[A-Z]+):?-([^$}]*)`).FindAllStringSubmatch(string(script), -1) {
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
	assert.Len(t, table.column(1), len(defaults)-2)
}

func TestBenchesWriteWhatThePageSaysOfJUnit(t *testing.T) {
	section := regexp.MustCompile(`(?s)\n## JUnit\n(.*?)\n## `).FindStringSubmatch(read(t, simulation).text)
	require.NotNil(t, section)
	for _, source := range []string{"bench.cpp", "collective_main.cpp"} {
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
