// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
)

// yamlBlock decodes the YAML block of a page that has the given key.
func yamlBlock(t *testing.T, p page, key string, into any) {
	t.Helper()
	for _, f := range p.fences {
		if f.is("yaml") && regexp.MustCompile(`(?m)^`+key+`:`).MatchString(f.text) {
			require.NoError(t, yaml.Unmarshal([]byte(f.text), into))
			return
		}
	}
	t.Fatalf("%s has no block with %s", p.name, key)
}

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct{ ID, Name, Description, Entry, Language, Files string }

func hooks(t *testing.T) []hook {
	t.Helper()
	data, err := os.ReadFile("../.pre-commit-hooks.yaml")
	require.NoError(t, err)
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	d.KnownFields(true)
	var all []hook
	require.NoError(t, d.Decode(&all))
	return all
}

func TestContinuousIntegrationRunsHereToo(t *testing.T) {
	p := read(t, integration)
	var workflow struct{ Jobs map[string]job }
	yamlBlock(t, p, "jobs", &workflow)
	assert.Equal(t, tested, workflow.Jobs["machine"].Container)
	s := newSession(t, p)
	s.write("machine.hcl", s.read("torus4x4.hcl"))
	s.succeed("hcgen -c machine.hcl -o out")
	makefile := s.read("out/Makefile")
	ran := 0
	for _, step := range workflow.Jobs["machine"].Steps {
		switch words := strings.Fields(step.Run); {
		case len(words) == 0:
			if path := step.With["path"]; path != "" {
				assert.Equal(t, "out/build/sim/*.xml", path)
				assert.Contains(t, makefile, "+junit=$(BUILD)/sim/")
				ran++
			}
		case words[0] == "hcgen":
			s.succeed(step.Run)
			ran++
		case words[0] == "make":
			s.succeed(strings.Replace(step.Run, "make", "make -n", 1))
			ran++
		}
	}
	assert.Equal(t, 4, ran)
}

func TestPreCommitHookChecksTheFormat(t *testing.T) {
	p := read(t, integration)
	var config struct {
		Repos []struct {
			Repo  string
			Hooks []hook
		}
	}
	yamlBlock(t, p, "repos", &config)
	offered := hooks(t)
	require.Len(t, offered, 1)
	assert.Equal(t, offered[0].ID, config.Repos[0].Hooks[0].ID)
	assert.Equal(t, "golang", offered[0].Language)
	assert.Regexp(t, offered[0].Files, "machines/torus4x4.hcl")
	assert.NotRegexp(t, offered[0].Files, "machine.json")
	shown := config.Repos[0].Hooks[0].Files
	assert.Regexp(t, shown, "machines/torus4x4.hcl")
	assert.NotRegexp(t, shown, "deploy/web.nomad.hcl", "the hook shown takes the .hcl of other programs")

	s := newSession(t, p)
	s.succeed(offered[0].Entry + " torus4x4.hcl")
	s.write("untidy.hcl", " "+s.read("torus4x4.hcl"))
	s.run(offered[0].Entry + " torus4x4.hcl untidy.hcl")
	assert.Equal(t, 3, s.code)
}

// Does what FuseSoC does with the core shown: looks up the generator, writes its file, runs it in
// an empty folder, and looks for cores there.
func TestFuseSoCCanCallTheGenerator(t *testing.T) {
	type core struct {
		Name     string
		Filesets map[string]struct{ Depend, Files []string }
		Generate map[string]struct {
			Generator  string
			Parameters map[string]any
		}
		Generators map[string]struct {
			Interpreter, Command, Usage string
			Cache                       string `yaml:"cache_type"`
			FileInputs                  string `yaml:"file_input_parameters"`
		}
		Targets map[string]struct{ Generate []string }
	}
	var caller, offered core
	p := read(t, integration)
	yamlBlock(t, p, "generate", &caller)
	library, err := filepath.Abs("../tools/fusesoc")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(library, "hcgen.core"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &offered))
	assert.Contains(t, caller.Filesets["rtl"].Depend, offered.Name)

	s := newSession(t, p)
	instance := caller.Targets["default"].Generate[0]
	call := caller.Generate[instance]
	generator, known := offered.Generators[call.Generator]
	require.True(t, known, call.Generator)
	input, err := yaml.Marshal(map[string]any{
		"files_root": s.dir, "gapi": "1.0", "vlnv": "::my_design-" + instance + ":0", "parameters": call.Parameters,
	})
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, "generated"), 0o755))
	s.write("generated/"+instance+"_input.yml", string(input))
	run := generator.Interpreter + " " + filepath.Join(library, generator.Command) + " $PWD/" + instance + "_input.yml"
	s.succeed("cd generated && " + run)

	found, err := filepath.Glob(filepath.Join(s.dir, "generated/*/*.core"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	text, err = os.ReadFile(found[0])
	require.NoError(t, err)
	var made struct {
		Name     string
		Filesets map[string]struct{ Files []any }
	}
	require.NoError(t, yaml.Unmarshal(text, &made))
	assert.Equal(t, "::my_design-"+instance+":0", made.Name)
	for _, file := range made.Filesets["rtl"].Files {
		assert.FileExists(t, filepath.Join(filepath.Dir(found[0]), file.(string)))
	}
	assert.Contains(t, s.read("generated/torus4x4/tb/bench_config.h"), "kPayloadBits = 64;")

	// What FuseSoC keeps it finds again by the parameters and the files that they name: with another
	// version of hcgen that would be stale hardware.
	assert.Contains(t, []string{"", "none"}, generator.Cache, "cache_type")
	names := strings.Fields(generator.FileInputs)
	for _, m := range regexp.MustCompile(`(?m)^(\w+): `).FindAllStringSubmatch(generator.Usage, -1) {
		names = append(names, m[1])
	}
	require.GreaterOrEqual(t, len(names), 2, "parameters that the core tells of")
	for _, name := range append(names, "no_parameter") {
		s.write("call.yml", "{gapi: '1.0', vlnv: '::a:0', files_root: ., parameters: {"+name+": ''}}")
		answer := s.run("hcgen fusesoc call.yml")
		require.Equal(t, 2, s.code, answer)
		assert.Equal(t, name == "no_parameter", strings.Contains(answer, "unknown parameter"), "%s: %s", name, answer)
	}

	missing := s.run("cd generated && HCGEN=not-there " + run)
	assert.Equal(t, 4, s.code)
	assert.Contains(t, missing, "hcgen.sh: error: not-there is not installed\nhint: ")
}

// FuseSoC compiles the files of both cores together.
func TestFuseSoCCanCallTheGeneratorTwice(t *testing.T) {
	s := newSession(t, read(t, usage))
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, "generated"), 0o755))
	declared := map[string]string{}
	for _, machine := range []string{"ring4", "torus4x4"} {
		s.write("generated/"+machine+".yml", "{gapi: '1.0', vlnv: '::my_design-"+machine+":0', files_root: "+s.dir+", parameters: {config: "+machine+".hcl}}")
		s.succeed("cd generated && hcgen fusesoc " + machine + ".yml")
		folder := "generated/" + machine + "/"
		assert.Contains(t, s.read(folder+machine+".core"), "\nname: ::my_design-"+machine+":0\n")
		for _, file := range strings.Fields(s.read(folder + "filelist.f")) {
			for _, m := range regexp.MustCompile(`(?m)^module (\w+)`).FindAllStringSubmatch(s.read(folder+file), -1) {
				assert.Empty(t, declared[m[1]], "%s is declared twice, also in %s", m[1], file)
				declared[m[1]] = file
			}
		}
	}
	assert.Greater(t, len(declared), 20)
}

func TestTargetsOfFuseSoCAreThoseOfTheCoreFile(t *testing.T) {
	p := read(t, integration)
	s := newSession(t, p)
	s.succeed("hcgen -c torus4x4.hcl -o out")
	var core struct{ Targets map[string]any }
	require.NoError(t, yaml.Unmarshal([]byte(strings.TrimPrefix(s.read("out/torus4x4.core"), "CAPI=2:\n")), &core))
	assert.ElementsMatch(t, sorted(core.Targets), p.tableOf(t, "target of FuseSoC").column(0))
}

// The scripts for Vivado and Quartus hand over the files of the list in its order. Tcl is that of Yosys.
func TestScriptsOfOtherToolsReadTheFileList(t *testing.T) {
	needs.Tools(t, "yosys")
	p := read(t, integration)
	s := newSession(t, p)
	s.succeed("hcgen -c ring4.hcl -o out")
	want := ""
	for _, file := range strings.Fields(s.read("out/filelist.f")) {
		want += "out/" + file + "\n"
	}
	scripts := 0
	for _, f := range p.fences {
		if !f.is("tcl") {
			continue
		}
		scripts++
		s.write("stubs.tcl", "proc read_verilog {file} {puts $file}\nproc set_global_assignment {-name type file} {puts $file}\n"+f.text)
		assert.Equal(t, want, s.succeed("yosys -Q -q -c stubs.tcl"), f.file())
	}
	assert.Equal(t, 2, scripts)
}

// The script for Vivado gives its commands every module of the design, the top, the part and the clock.
func TestScriptForVivadoSynthesizesTheTop(t *testing.T) {
	needs.Tools(t, "yosys")
	s := newSession(t, read(t, integration))
	stubs := "set argv {%s}\n"
	for _, command := range []string{"read_verilog", "read_xdc", "synth_design", "report_utilization", "report_timing_summary"} {
		stubs += "proc " + command + " args {puts \"" + command + " $args\"}\n"
	}
	for _, c := range []struct{ machine, arguments, part, period, top, more string }{
		{"ring4", "", "xc7a35tcpg236-1", "10.000", "ring4_network", ""},
		{"sum4", "xc7k325tffg900-2 150", "xc7k325tffg900-2", "6.667", "sum4_system", "read_verilog integration/sum4_system.v\n"},
	} {
		s.succeed("hcgen -c " + c.machine + ".hcl -o " + c.machine)
		want := ""
		for _, file := range strings.Fields(s.read(c.machine + "/filelist.f")) {
			want += "read_verilog " + file + "\n"
		}
		want += c.more + "read_xdc -mode out_of_context build/vivado.xdc\nsynth_design -mode out_of_context -top " + c.top + " -part " + c.part +
			"\nreport_utilization \nreport_timing_summary \n"
		s.write(c.machine+"/stubs.tcl", fmt.Sprintf(stubs, c.arguments)+s.read(c.machine+"/integration/vivado.tcl"))
		assert.Equal(t, want, s.succeed("cd "+c.machine+" && yosys -Q -q -c stubs.tcl"))
		assert.Equal(t, "create_clock -name clk -period "+c.period+" [get_ports clk]\n", s.read(c.machine+"/build/vivado.xdc"))
	}
}

// The table of slices has each port of the network that is packed by node, with its width.
func TestSlicesOfNodesAreThoseOfThePlan(t *testing.T) {
	p := plan.New(loaded(t, `machine "m" {
  dimension "x" {
    m   = 5
    rho = 1
  }
  message {
    payload_bits = 7
    source_id    = true
    destination  = true
    last         = true
  }
  router {
    barrier = true
  }
}
`))
	bits := map[string]int{"": 1, "W": p.PayloadBits, "S": p.SourceBits, "T": p.Destination.TDestBits}
	shown := map[string]int{}
	for _, row := range read(t, integration).with(t, "port", "slice of node n").rows {
		lane := strings.TrimSpace(strings.TrimPrefix(row[1], "N"))
		require.Contains(t, bits, lane)
		slice := "[n]"
		if lane != "" {
			slice = "[" + lane + "*n+:" + lane + "]"
		}
		assert.Equal(t, slice, codes(row[2])[0], row[0])
		for _, port := range codes(row[0]) {
			shown[port] = p.Nodes * bits[lane]
		}
	}
	want := map[string]int{}
	for _, w := range p.NetworkWires() {
		if w.Network == plan.PerNode {
			want[w.Name] = w.Width()
		}
	}
	assert.Equal(t, want, shown)
}
