// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/formal"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/options"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/verilator"
)

// Hand-written files that list ports have those of the table in plan/wire.go.

// number evaluates a constant expression, whose names have these values.
func number(t *testing.T, expression string, names map[string]int) int {
	t.Helper()
	text := regexp.MustCompile(`[A-Za-z_]\w*`).ReplaceAllStringFunc(expression, func(name string) string {
		require.Contains(t, names, name, "a name of %q", expression)
		return strconv.Itoa(names[name])
	})
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	require.NoError(t, err, expression)
	n, exact := constant.Int64Val(value.Value)
	require.True(t, exact, expression)
	return int(n)
}

var (
	comments   = regexp.MustCompile(`(?m)//.*$`)
	parameters = regexp.MustCompile(`(?m)^    parameter integer (\w+)\s*= (.*?),?\s*$`)
	ports      = regexp.MustCompile(`(?m)^    (input|output)\s+(?:wire|reg)\s+(?:\[(.*):0\]\s*)?(\w+),?\s*$`)
)

// kind is the direction and the width of a port.
func kind(output bool, width int) string {
	if output {
		return fmt.Sprintf("an output of %d bits", width)
	}
	return fmt.Sprintf("an input of %d bits", width)
}

// headerOf reads the ports of a module, with values of parameters other than their defaults.
func headerOf(t *testing.T, text, module string, values map[string]int) map[string]string {
	t.Helper()
	_, header, found := strings.Cut(comments.ReplaceAllString(text, ""), "\nmodule "+module+" ")
	require.True(t, found, module)
	header, _, found = strings.Cut(header, "\n);")
	require.True(t, found, module)
	names := map[string]int{}
	for _, m := range parameters.FindAllStringSubmatch(header, -1) {
		names[m[1]] = number(t, m[2], names)
		if value, ok := values[m[1]]; ok {
			names[m[1]] = value
		}
	}
	list := map[string]string{}
	for _, m := range ports.FindAllStringSubmatch(header, -1) {
		width := 1
		if m[2] != "" {
			width = number(t, m[2], names) + 1
		}
		list[m[3]] = kind(m[1] == "output", width)
	}
	assert.Len(t, list, strings.Count(header, "\n    input")+strings.Count(header, "\n    output"), "%s: not every line is understood", module)
	return list
}

// inTable returns ports of the table, by name.
func inTable(wires []plan.Wire) map[string]string {
	list := map[string]string{}
	for _, w := range wires {
		list[w.Name] = kind(w.Output, w.Width())
	}
	return list
}

// samePorts compares the ports of a file with those of the table.
func samePorts(t *testing.T, file string, want, got map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if what, ok := got[name]; !ok {
			t.Errorf("%s has no port %s, which is %s in the table of plan/wire.go", file, name, want[name])
		} else if what != want[name] {
			t.Errorf("%s: %s is %s, but %s in the table of plan/wire.go", file, name, what, want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s, %s, is not in the table of plan/wire.go", file, name, got[name])
		}
	}
}

func source(t *testing.T, module string) string {
	t.Helper()
	text, err := hdl.Source(module)
	require.NoError(t, err)
	return string(text)
}

// generated is the text of a generated file.
func generated(t *testing.T, p *plan.Plan, path string) string {
	t.Helper()
	files, err := Files(p, nil, "")
	require.NoError(t, err)
	at := slices.IndexFunc(files, func(f artifact.File) bool { return f.Path == path })
	require.GreaterOrEqual(t, at, 0, path)
	var b strings.Builder
	require.NoError(t, files[at].Content(&b))
	return b.String()
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// strobes are the ports between a bridge and the router that it configures.
var strobes = map[string]string{
	"write": "an input of 1 bits", "whole": "an input of 1 bits", "address": "an input of 6 bits",
	"write_data": "an input of 32 bits", "read_data": "an output of 32 bits", "refused": "an output of 1 bits",
}

func TestBridgesHaveThePortsOfTheTable(t *testing.T) {
	for _, bus := range []string{machine.Wishbone, machine.AXI4Lite} {
		p := options.Of("m", options.Torus, "", fmt.Sprintf("kind = \"programmable\"\nconfig_bus = %q", bus))
		want := inTable(append(p.RouterWires()[:2], p.BusWires()...)) // with clk and rst
		got := headerOf(t, source(t, "hc_"+bus), "hc_"+bus, nil)
		for name := range strobes {
			assert.Contains(t, got, name)
			delete(got, name)
		}
		samePorts(t, "hdl/programmable/hc_"+bus+".v", want, got)
	}
}

// The router of the library has a body in place of the fields of a machine's router, and strobes in place of its bus.
func TestProgrammableRouterOfTheLibraryHasThePortsOfTheTable(t *testing.T) {
	for name, p := range options.Machines() {
		if p.Programmable == nil {
			continue
		}
		want := maps.Clone(strobes)
		for _, w := range p.RouterWires() {
			isBus := slices.Contains(p.BusWires(), w)
			switch {
			case w.Field == plan.FieldPayload:
				want[w.Name] = kind(w.Output, p.BodyBits())
			case w.Field == "" && !isBus:
				want[w.Name] = kind(w.Output, w.Width())
			}
		}
		destination, tdest, digits := 0, 1, 1
		if d := p.Destination; d != nil {
			destination, tdest, digits = 1+d.RouteBits, d.TDestBits, d.DigitsBits
		} else { // the library module always has these
			want["s_axis_local_tdest"], want["node_digits"], want["destination_error"] = kind(false, 1), kind(false, 1), kind(true, 1)
		}
		got := headerOf(t, source(t, "hc_router_programmable"), "hc_router_programmable", map[string]int{
			"DIMENSIONS": p.Programmable.MaxDimensions, "NODES": p.Programmable.MaxNodes, "DEGREE": p.RouterPorts,
			"WD_BITS": p.WdBits, "WC_BITS": p.WcBits, "NODE_BITS": p.Programmable.NodeBits,
			"DESTINATION_BITS": destination, "TDEST_BITS": tdest, "DIGITS_BITS": digits, "BODY_BITS": p.BodyBits(),
		})
		samePorts(t, "hdl/programmable/hc_router_programmable.v, "+name, want, got)
	}
}

func TestStandInsHaveThePortsOfTheTable(t *testing.T) {
	const folder = "../test/benches/testdata/"
	p := options.Of("standin", "dimension \"x\" {\nm = 4\nrho = 2\n}", "payload_bits = 39\nsource_id = true", "")
	for module, wires := range map[string][]plan.Wire{p.RouterModule: p.RouterWires(), p.NetworkModule: p.NetworkWires()} {
		path := folder + "standin/rtl/" + module + ".v"
		samePorts(t, path, inTable(wires), headerOf(t, fileText(t, path), module, nil))
	}
	p = options.Of("programmable", options.Torus, "payload_bits = 16", "kind = \"programmable\"")
	path := folder + "programmable/programmable.v"
	samePorts(t, path, inTable(p.RouterWires()), headerOf(t, fileText(t, path), "programmable", nil))
}

// The stand-in of hc_configuration in proofs has its ports, with the values that the router gives to its parameters.
func TestStandInOfTheConfigurationHasItsPorts(t *testing.T) {
	p := options.Machines()["programmable"]
	standIn := generated(t, p, "formal/"+p.Module("standin")+".v")
	values := map[string]int{
		"DIMENSIONS": p.Programmable.MaxDimensions, "NODES": p.Programmable.MaxNodes, "DEGREE": p.RouterPorts,
		"WD_BITS": p.WdBits, "WC_BITS": p.WcBits, "NODE_BITS": p.Programmable.NodeBits,
	}
	assert.Equal(t, headerOf(t, source(t, "hc_configuration"), "hc_configuration", values), headerOf(t, standIn, p.Name+"_hc_configuration", nil))
}

var (
	instances   = regexp.MustCompile(`(?s)\n *(\w+) (?:#\([^;]*?\n *\) )?\w+ \(\n(.*?)\n *\);`)
	connections = regexp.MustCompile(`(?m)^ *\.(\w+) *\(`)
)

// instanceOf lists the ports that are connected at each instance of a module in a text.
func instancesOf(text, module string) (all [][]string) {
	for _, m := range instances.FindAllStringSubmatch(comments.ReplaceAllString(text, ""), -1) {
		if m[1] == module {
			var names []string
			for _, c := range connections.FindAllStringSubmatch(m[2], -1) {
				names = append(names, c[1])
			}
			all = append(all, names)
		}
	}
	return all
}

// Every port of every instance is connected, in generated and in hand-written files.
func TestInstancesConnectThePortsOfTheTable(t *testing.T) {
	names := func(list map[string]string) []string { return slices.Collect(maps.Keys(list)) }
	library := names(headerOf(t, source(t, "hc_router_programmable"), "hc_router_programmable", nil))
	configuration := names(headerOf(t, source(t, "hc_configuration"), "hc_configuration", nil))
	found := map[string]int{}
	check := func(file, text, module string, want []string) {
		for _, got := range instancesOf(text, module) {
			assert.ElementsMatch(t, want, got, "%s: ports of %s", file, module)
			found[filepath.Base(file)+" "+module]++
		}
	}
	for _, p := range options.Machines() {
		files, err := Files(p, nil, "")
		require.NoError(t, err)
		for _, f := range files {
			if filepath.Ext(f.Path) != ".v" {
				continue
			}
			var b strings.Builder
			require.NoError(t, f.Content(&b))
			want := names(inTable(p.RouterWires()))
			if strings.HasSuffix(f.Path, "_equivalence.v") { // outputs that only the programmable router has are not compared
				want = slices.DeleteFunc(want, func(name string) bool {
					return name == "idle" || slices.ContainsFunc(p.BusWires(), func(w plan.Wire) bool { return w.Output && w.Name == name })
				})
			}
			check(f.Path, b.String(), p.RouterModule, want)
			check(f.Path, b.String(), p.NetworkModule, names(inTable(p.NetworkWires())))
			if p.Programmable != nil {
				special := formal.Specialized(p)
				check(f.Path, b.String(), special.RouterModule, names(inTable(special.RouterWires())))
			}
			check(f.Path, b.String(), p.Name+"_hc_router_programmable", library)
			check(f.Path, b.String(), p.Name+"_hc_configuration", configuration)
		}
	}
	for _, path := range []string{"../tools/measure/hc_router_programmable_pins.v", "../test/benches/testdata/programmable/programmable.v"} {
		check(path, fileText(t, path), "hc_router_programmable", library)
	}
	for _, instance := range []string{
		"all_network.v all_router", "all_router_pins.v all_router", "all_network_pins.v all_network", "all_load.v all_network",
		"all_proof.v all_router", "all_structure.v all_router", "programmable_network.v programmable_router",
		"programmable_router.v programmable_hc_router_programmable", "programmable_hc_router_programmable.v programmable_hc_configuration",
		"programmable_configured.v programmable_hc_configuration", "programmable_equivalence.v programmable_router",
		"programmable_equivalence.v programmable_specialized",
		"hc_router_programmable_pins.v hc_router_programmable", "programmable.v hc_router_programmable",
	} {
		assert.NotZero(t, found[instance], "no instance found: %s", instance)
	}
}

// A generated module uses its ports: none was added to the table alone.
func TestModulesUseThePortsOfTheTable(t *testing.T) {
	for name, p := range options.Machines() {
		for module, wires := range map[string][]plan.Wire{p.RouterModule: p.RouterWires(), p.NetworkModule: p.NetworkWires()} {
			text := comments.ReplaceAllString(generated(t, p, "rtl/"+module+".v"), "")
			_, body, found := strings.Cut(text, "\n);\n")
			require.True(t, found, module)
			for _, w := range wires {
				assert.Regexp(t, `[^.\w]`+w.Name+`\b`, body, "%s: templates/rtl have nothing for the port %s of the table in plan/wire.go", name, w.Name)
			}
		}
	}
}

// The model says by which port of the router each of its inputs and outputs goes. Fields of messages are a type of their own.
func TestModelHasThePortsOfTheTable(t *testing.T) {
	text := fileText(t, "../sim/ports.go")
	_, inputs, found := strings.Cut(text, "type Inputs struct {")
	require.True(t, found)
	inputs, outputs, found := strings.Cut(inputs, "type Outputs struct {")
	require.True(t, found)
	for _, p := range options.Machines() {
		for _, w := range p.RouterWires() {
			if w.IsClock() || w.Constant() || w.Option == plan.OptionProgrammable || w.Output && w.Field != "" && w.Field != plan.FieldPayload {
				continue
			}
			side := inputs
			if w.Output {
				side = outputs
			}
			assert.Regexp(t, `(?m)// .*\b`+w.Name+`\b`, side, "sim/ports.go does not have the port %s of the table in plan/wire.go", w.Name)
		}
	}
}

var (
	boundPorts = regexp.MustCompile(`\b(?:t\.|t->|top_->)(\w+)`)
	boundWidth = regexp.MustCompile(`\((?:t\.|t->)(\w+),\s*([^"]*),\s*"(\w+)"\)`)
	constants  = regexp.MustCompile(`(?m)^(?:inline )?const(?:expr)? (?:unsigned|std::size_t|bool) (k\w+) = (.*);$`)
)

// The benches use every port, with the width of the table.
func TestBenchesHaveThePortsOfTheTable(t *testing.T) {
	read := func(name string) string {
		text, err := fs.ReadFile(verilator.Files, name)
		require.NoError(t, err)
		return string(text)
	}
	// Members of Verilator's class that are no ports, and ports that no bench uses.
	verilated := []string{"contextp", "eval", "final", "rootp", "trace"}
	unused := []string{"illegal"}

	tables := map[bool]map[string]bool{true: {}, false: {}} // of the router: true
	for _, p := range options.Machines() {
		for _, w := range p.RouterWires() {
			tables[true][w.Name] = true
		}
		for _, w := range p.NetworkWires() {
			tables[false][w.Name] = true
		}
	}
	common := read("configured.h") + read("model.h")
	for main, router := range map[string]bool{"router_main.cpp": true, "array_main.cpp": true, "network_main.cpp": false} {
		bound := map[string]bool{}
		for _, m := range boundPorts.FindAllStringSubmatch(read(main)+common, -1) {
			bound[m[1]] = true
		}
		for _, name := range slices.Sorted(maps.Keys(bound)) {
			assert.True(t, tables[router][name] || slices.Contains(verilated, name), "%s uses %s, which is not in the table of plan/wire.go", main, name)
		}
		for _, name := range slices.Sorted(maps.Keys(tables[router])) {
			assert.True(t, bound[name] || slices.Contains(unused, name), "%s does not use the port %s of the table of plan/wire.go", main, name)
		}
		if main == "array_main.cpp" { // it checks widths when it runs
			continue
		}
		for name, p := range options.Machines() {
			checkWidths(t, main+", "+name, p, router, read(main), read("trace.cpp"))
		}
	}
}

// checkWidths compares the widths with which a bench binds ports.
func checkWidths(t *testing.T, where string, p *plan.Plan, router bool, main, streams string) {
	t.Helper()
	config := generated(t, p, "tb/bench_config.h")
	names := map[string]int{}
	plain := strings.NewReplacer("std::size_t{kNodes}", "kNodes", "kLast ? 1 : 0", strconv.Itoa(p.LastBits))
	for _, m := range constants.FindAllStringSubmatch(config+streams+main, -1) {
		switch value := plain.Replace(m[2]); {
		case value == "true" || value == "false":
		case strings.Contains(value, "/"), strings.Contains(value, "<<"): // words of a payload, bytes of a buffer
		default:
			names[m[1]] = number(t, value, names)
		}
	}
	wires := p.NetworkWires()
	if router {
		wires = p.RouterWires()
	}
	widths := map[string]int{}
	for _, w := range wires {
		widths[w.Name] = w.Width()
	}
	found := 0
	for _, m := range boundWidth.FindAllStringSubmatch(main, -1) {
		assert.Equal(t, m[1], m[3], "%s: the name of a port in a message", where)
		if width, ok := widths[m[1]]; ok {
			assert.Equal(t, width, number(t, plain.Replace(m[2]), names), "%s: bits of %s; expected are those of the table in plan/wire.go", where, m[1])
			found++
		}
	}
	for _, w := range wires {
		if w.Network != plan.Shared && w.Option != plan.OptionProgrammable {
			found--
		}
	}
	assert.Zero(t, found, "%s: not every port has a width", where)
}

// The comment at the top of a module is one block, and names the parts of a route that links carry.
func TestHeadersOfModulesAreWhole(t *testing.T) {
	for name, p := range options.Machines() {
		files, err := Files(p, nil, "")
		require.NoError(t, err)
		modules := 0
		for _, f := range files {
			if f.Path != "rtl/"+p.RouterModule+".v" && f.Path != "rtl/"+p.NetworkModule+".v" {
				continue
			}
			modules++
			var text strings.Builder
			require.NoError(t, f.Content(&text))
			head, _, found := strings.Cut(text.String(), "\n\n`default_nettype none\n")
			require.True(t, found, "%s: %s", name, f.Path)
			for line := range strings.Lines(head) {
				assert.True(t, strings.HasPrefix(line, "//"), "%s: %s: %q", name, f.Path, line)
			}
			if p.Destination != nil && p.Programmable == nil && f.Path == "rtl/"+p.RouterModule+".v" {
				assert.Contains(t, head, "\n//   dimension 1: digit [2:0], x [1:0]\n//   dimension 2: digit [1:0]\n")
			}
		}
		assert.Equal(t, 2, modules, name)
	}
}
