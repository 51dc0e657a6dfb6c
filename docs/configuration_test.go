// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule"
)

// required holds what every block of description() needs.
var required = map[string]map[string]string{
	"dimension": {"m": "8", "rho": "1"},
	"link":      {"kind": `"wires"`},
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
		case block == "link" && slices.Contains([]string{"word_bits", "flight", "silence"}, c.attribute):
			attributes["kind"] = `"chips"`
			if c.attribute == "silence" { // the least one is that of the shortest flight
				attributes["flight"] = "0"
			}
		case block == "broadcast" && pattern:
			attributes["sources"] = "[[0, 0]]"
		case block == "random" && hotspot:
			attributes["pattern"] = `"hotspot"`
		case block == "collective in machine" && slices.Contains([]string{"operator", "operator_module", "chunk_bits"}, c.attribute):
			attributes["operation"] = `"reduce-scatter"`
		case block == "collective in machine" && c.attribute == "operator_latency":
			attributes["operation"], attributes["operator_module"] = `"reduce-scatter"`, `"adder"`
		case block == "collective in machine" && c.attribute == "pipelined":
			attributes["operation"], attributes["operator_module"], attributes["operator_latency"] = `"reduce-scatter"`, `"adder"`, "1"
		case block == "collective in machine" && c.attribute == "operations" && c.value != "": // in place of operation
			delete(attributes, "operation")
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
	link := ""
	switch {
	case c.block == "link":
		link = "link {\n" + body("link") + "}\n"
	case c.attribute == "timeout": // only endpoints on several chips have it
		link = "link {\nkind = \"chips\"\nflight = 0\nsilence = 256\n}\n"
	}
	collective := ""
	if c.block == "collective in machine" || c.attribute == "routers" {
		collective = "collective \"c\" {\n" + body("collective in machine") + "}\n"
	}
	if c.attribute == "routers" && c.value == "false" { // nor what needs them
		return "machine \"a\" {\n" + body("machine") + "dimension \"x\" {\n" + body("dimension") + "}\n" + collective + "}\n"
	}
	message := "message {\n" + body("message") + "}\n"
	if c.block == "endpoint" { // which computes the messages
		message = "endpoint {\n" + body("endpoint") + "}\n"
	}
	return body("") +
		"machine \"a\" {\n" + body("machine") +
		"dimension \"x\" {\n" + body("dimension") + link + "}\n" + second + collective +
		message +
		"router {\n" + body("router") + "}\n}\n" +
		"traffic \"t\" {\n" + body("traffic") +
		"broadcast {\n" + body("broadcast") + "}\n" + more +
		"random {\n" + body("random") + "}\n}\n" +
		"synthesis \"s\" {\n" + body("synthesis") + "}\n" +
		"variable \"v\" {\n" + body("variable") + "}\n"
}

// errorsOf returns what the loader says about a description.
func errorsOf(c change) hcl.Diagnostics {
	_, _, diags := machine.LoadBytes("machine.hcl", []byte(description(c)), nil, machine.WithSchedules(schedule.LoadFile, schedule.Messages))
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
			if strings.HasPrefix(a.Default, "required") {
				assert.NotEmpty(t, try(""), "the loader does not require it")
			} else {
				value, ok := map[string]string{
					"node 0": "[0]", "all nodes": "[[0], [1], [2], [3], [4], [5], [6], [7]]", "to the end": "100", "none": "", "no memories": "", "chosen by hcgen": "", "16 times the longest `silence`": "4096",
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
	case "a device of the family", "a package of the device":
		return nil, []string{`"none"`, "1"}
	case "a list of different operations":
		return []string{`["all-gather"]`, `["all-gather", "total-exchange", "reduce-scatter"]`}, []string{"[]", `"all-gather"`, `["gather", "gather"]`, `["none"]`, "[1]"}
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
	case "8, 16, 32, 64":
		return strings.Split(text, ", "), []string{"0", "24", "128", "8.5", `"8"`}
	}
	if values := codes(text); len(values) > 0 {
		assert.Equal(t, "`"+strings.Join(values, "`, `")+"`", text)
		return values, []string{`"none"`, "1"}
	}
	// as in description(): m = 8, cycles = 100; max_dimensions is 4, and words have 32 bits
	numbers := strings.NewReplacer("floor(m/2)", "4", "max_dimensions", "4", "payload_bits", "32", "cycles - 1", "99", "cycles - at", "100", "2^63 - 1", "9223372036854775807", "2^24", "16777216", "2^28", "268435456").Replace(text)
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
		fmt.Sprint("bytes of a schedule file: ", schedule.MaxFileBytes),
	}, shown)
}

func TestDevicesOfThePageAreThoseOfTheTableOfFamilies(t *testing.T) {
	var rows [][]string
	code := func(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
	for _, f := range fpga.Families {
		rows = append(rows, []string{"`" + f.Name + "`", code(f.DeviceNames()), code(f.Placers)})
	}
	assert.Equal(t, rows, read(t, "configuration.md").tableOf(t, "family").rows)
}
