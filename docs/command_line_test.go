// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/explore"
)

func TestJSONFieldsAreThoseOfTheOutput(t *testing.T) {
	p := read(t, commandLine)
	s := newSession(t, p)
	s.succeed("hcgen -c torus4x4.hcl -o out")
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c torus4x4.hcl --json"))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c configs/degree16.hcl --json"))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c configs/programmable.hcl --json"))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c configs/endpoints2x2.hcl --json"))
	s.write("far.hcl", strings.Replace(s.read("torus4x4.hcl"), "rho = 1", "rho = 1\n    link {\n      kind = \"wires\"\n      registers = 3\n    }", 1))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c far.hcl --json"))
	s.write("clocks.hcl", strings.Replace(s.read("torus4x4.hcl"), "rho = 1", "rho = 1\n    link {\n      kind = \"clocks\"\n    }", 1))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c clocks.hcl --json"))
	s.write("boards.hcl", strings.Replace(s.read("torus4x4.hcl"), "rho = 1", "rho = 1\n    link {\n      kind = \"chips\"\n    }", 1))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c boards.hcl --json"))
	s.write("boxes.hcl", strings.Replace(s.read("configs/endpoints2x2.hcl"), "rho = 1", "rho = 1\n    link {\n      kind = \"chips\"\n    }", 1))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c boxes.hcl --json"))
	s.write("vectors.hcl", strings.Replace(s.read("torus4x4.hcl"), "  dimension", "  collective \"net\" {\n    operation = \"all-gather\"\n    vector = 4\n  }\n  dimension", 1))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c vectors.hcl --json"))
	s.write("sum.hcl", strings.Replace(s.read("torus4x4.hcl"), "  dimension", "  collective \"sum\" {\n    operation = \"all-reduce\"\n    words = \"one\"\n  }\n  dimension", 1))
	assertFields(t, p.tableOf(t, "field of info"), s.succeed("hcgen info -c sum.hcl --json"))
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
		Query: explore.Query{Destination: true, Collective: collective.AllGather, Measured: true},
		Machines: []explore.Machine{{
			Rings: []hypercycle.Dimension{{M: 2, Rho: 1}}, Nodes: 2, Degree: 1, Diameter: 1, Links: 1, AllGather: 1, TotalExchange: 1, AllReduce: 1, LUT4: 1,
			Router: measured, Node: measured, Cycles: explore.Cycles{AllGather: 1, TotalExchange: 1}, Collective: explore.Collective{Steps: 1, LUT4: 1, Chunk: 1, Cycles: 1, MHz: 1, NS: 1},
		}},
	}))
	assertFields(t, read(t, choice).tableOf(t, "field of explore"), list.String())
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
