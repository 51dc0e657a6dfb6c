// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/hcgen/hcgen/internal/fpga"
)

// fuseSoC is the part of a core file that the tests use.
type fuseSoC struct {
	Name     string
	Filesets map[string]struct {
		FileType string `yaml:"file_type"`
		Files    []yaml.Node
	}
	Parameters map[string]struct{ Datatype, Default, Description, Paramtype string }
	Targets    map[string]struct {
		Filesets    []string
		Toplevel    string
		Parameters  []string
		Flow        string
		FlowOptions struct {
			Tool             string
			Mode             string
			VerilatorOptions []string `yaml:"verilator_options"`
			YosysOptions     []string `yaml:"yosys_synth_options"`
			NextpnrOptions   []string `yaml:"nextpnr_options"`
		} `yaml:"flow_options"`
	}
	Description string
}

// fileAttributes are the attributes of a file in a core file.
type fileAttributes struct {
	Include  bool   `yaml:"is_include_file"`
	FileType string `yaml:"file_type"`
	CopyTo   string
}

// files lists the files of a fileset by their paths.
func (c fuseSoC) files(t *testing.T, fileset string) (paths []string, about map[string]fileAttributes) {
	t.Helper()
	about = map[string]fileAttributes{}
	for _, n := range c.Filesets[fileset].Files {
		if n.Kind == yaml.ScalarNode {
			paths = append(paths, n.Value)
			continue
		}
		var entry map[string]fileAttributes
		require.NoError(t, n.Decode(&entry))
		require.Len(t, entry, 1)
		for path, a := range entry {
			paths = append(paths, path)
			about[path] = a
		}
	}
	return paths, about
}

// strictYAML decodes a text and fails at an unknown key.
func strictYAML(t *testing.T, text string, into any) {
	t.Helper()
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	require.NoError(t, d.Decode(into), text)
}

func TestPackageFilesListTheFilesOfTheFileList(t *testing.T) {
	for _, network := range []bool{true, false} {
		source := ring5
		if !network {
			source = strings.Replace(ring5, `machine "ring5" {`, "machine \"ring5\" {\n  network = false", 1)
		}
		made := contents(t, loaded(t, source))
		list := strings.Fields(made["filelist.f"])

		text, ok := strings.CutPrefix(made["ring5.core"], "CAPI=2:\n")
		require.True(t, ok, "the first line must tell the format")
		var core fuseSoC
		strictYAML(t, text, &core)
		rtl, _ := core.files(t, "rtl")
		assert.Equal(t, list, rtl)
		assert.Equal(t, "verilogSource-2005", core.Filesets["rtl"].FileType)
		for name := range core.Filesets {
			paths, about := core.files(t, name)
			for _, path := range paths {
				assert.Contains(t, made, path)
				if strings.HasSuffix(path, ".h") || strings.HasSuffix(path, ".vh") {
					assert.True(t, about[path].Include, path)
				}
			}
		}
		assert.Equal(t, "::ring5:0", core.Name)
		top := "ring5_router"
		if network {
			top = "ring5_network"
		}
		assert.Len(t, core.Targets, 4)
		for target, want := range map[string]struct{ flow, tool, top string }{
			"default": {"", "", top},
			"lint":    {"lint", "verilator", top},
			"sim":     {"sim", "verilator", "ring5_router"},
			"synth":   {"icestorm", "", "ring5_router_pins"},
		} {
			got := core.Targets[target]
			assert.Equal(t, want, struct{ flow, tool, top string }{got.Flow, got.FlowOptions.Tool, got.Toplevel}, target)
			assert.Equal(t, "rtl", got.Filesets[0], target)
			for _, fileset := range got.Filesets {
				assert.Contains(t, core.Filesets, fileset)
			}
			for _, parameter := range got.Parameters {
				assert.Contains(t, core.Parameters, parameter)
			}
		}
		assert.Equal(t, []string{"--hx8k", "--package ct256", "--no-promote-globals", "--placer-heap-timingweight 100", "--placer-heap-beta 0.8", "--timing-allow-fail", "--freq 100"}, core.Targets["synth"].FlowOptions.NextpnrOptions)

		var bender struct {
			Package struct{ Name string }
			Sources []string
		}
		strictYAML(t, made["Bender.yml"], &bender)
		assert.Equal(t, "ring5", bender.Package.Name)
		assert.Equal(t, list, bender.Sources)
	}
}

// The header for FuseSoC replaces the header that Verilator makes without --prefix, and the
// bench of the router needs no other.
func TestRouterBenchIncludesOneHeaderOfVerilator(t *testing.T) {
	made := contents(t, loaded(t, ring5))
	assert.Contains(t, made["fusesoc/Vrouter.h"], "#include \"Vring5_router.h\"\n")
	assert.Equal(t, 1, strings.Count(made["tb/router_main.cpp"], `#include "V`))
	assert.Contains(t, made["tb/router_main.cpp"], `#include "Vrouter.h"`)
}

// Lint as in the core file.
func TestLintTargetOfTheCoreFileIsClean(t *testing.T) {
	made := contents(t, loaded(t, ring5))
	dir := t.TempDir()
	for path, content := range made {
		name := filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
	}
	var core fuseSoC
	strictYAML(t, strings.TrimPrefix(made["ring5.core"], "CAPI=2:\n"), &core)
	lint := core.Targets["lint"]
	files, _ := core.files(t, "rtl")
	arguments := append([]string{"--lint-only", "--top-module", lint.Toplevel}, lint.FlowOptions.VerilatorOptions...)
	clean(t, dir, "verilator", append(arguments, files...)...)
}

// The target synth of FuseSoC is there for families that FuseSoC can place.
func TestCoreFileSynthesizesForTheFamiliesOfFuseSoC(t *testing.T) {
	for _, f := range fpga.Families {
		var core fuseSoC
		strictYAML(t, strings.TrimPrefix(contents(t, loaded(t, ring5+fmt.Sprintf("synthesis \"only\" {\n  family = %q\n}\n", f.Name)))["ring5.core"], "CAPI=2:\n"), &core)
		synth, found := core.Targets["synth"]
		assert.Equal(t, f.Flow, synth.Flow)
		assert.Equal(t, f.Flow != "", found, f.Name)
	}
}

func TestWavesOfCornerMachines(t *testing.T) {
	two := contents(t, loaded(t, strings.Replace(strings.Replace(ring5, "m   = 5", "m   = 2", 1), "[3]", "[1]", 1)+`
synthesis "tiny" {
  device    = "up5k"
  package   = "sg48"
  clock_mhz = 12.5
}
`))
	assert.Contains(t, two["ring5.core"], "-device u]")
	assert.Contains(t, two["ring5.core"], "[--up5k, --package sg48, --no-promote-globals, --placer-heap-timingweight 100, --placer-heap-beta 0.8, --timing-allow-fail, --freq 12.5]")
	for _, line := range []string{
		"top.bench.s_axis_tvalid[1:0]", "top.bench.m_axis_tdata[63:0]",
		"top.bench.node1.s_axis_local_tvalid", "top.bench.node1.s_axis_local_tdata[31:0]", "top.bench.node1.header_error[0]",
	} {
		assert.Contains(t, two["waves/network.gtkw"], "\n"+line+"\n")
	}
	large := contents(t, loaded(t, strings.Replace(ring5, "m   = 5", "m   = 20", 1)))
	assert.Contains(t, large["waves/network.gtkw"], "\n-node15\n")
	assert.NotContains(t, large["waves/network.gtkw"], "node16")
}

// The views of a machine with destinations show destinations, sources and dropped messages.
func TestWavesOfAddressedMessages(t *testing.T) {
	source, err := os.ReadFile("../../configs/addressed4x4.hcl")
	require.NoError(t, err)
	made := contents(t, loaded(t, string(source)))
	for view, lines := range map[string][]string{
		"waves/network.gtkw": {"s_axis_tdest[95:0]", "s_axis_tlast[15:0]", "m_axis_tid[63:0]", "m_axis_tlast[15:0]", "destination_error",
			"barrier_arrive[15:0]", "barrier_release[15:0]", "node15.s_axis_local_tdest[5:0]", "node15.m_axis_local_tid[3:0]"},
		"waves/router.gtkw": {"s_axis_local_tdest[5:0]", "s_axis_local_tlast", "m_axis_local_tid[3:0]", "m_axis_local_tlast",
			"destination_error", "barrier_arrive", "barrier_release"},
	} {
		for _, line := range lines {
			assert.Contains(t, made[view], "\ntop.bench."+line+"\n", view)
		}
	}
}
