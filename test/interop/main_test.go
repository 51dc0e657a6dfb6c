// SPDX-License-Identifier: Apache-2.0

// Package interop hands the output of hcgen to tools of other people: the newest versions, readers of other authors, and
// benches and descriptions of other projects. tools/python installs them.
package interop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// environment is the folder of the tools that tools/python/install.sh installs.
const environment = "../../build/interop"

// ready skips a test in make test, and without the tools. make interop and make test-all install them.
func ready(t testing.TB) {
	t.Helper()
	needs.Time(t)
	needs.Tools(t, environment+"/bin/python", "verilator", "yosys", "iverilog", "ghdl", "make")
}

// tool is the path of a command of the environment.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(environment, "bin", name))
	require.NoError(t, err)
	require.FileExists(t, path)
	return path
}

var pin = regexp.MustCompile(`(?m)^([a-z-]+)==(\S+)`)

// pinned are the versions of all packages of the environment, by name.
func pinned(t testing.TB) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../tools/python/requirements.txt")
	require.NoError(t, err)
	versions := map[string]string{}
	for _, m := range pin.FindAllStringSubmatch(string(text), -1) {
		versions[m[1]] = m[2]
	}
	require.NotEmpty(t, versions)
	return versions
}

// folder is the output of a machine.
type folder struct {
	p        *plan.Plan
	networks []*plan.Collective
	path     string
}

func newFolder(t testing.TB, m *machine.Machine, path string) folder {
	t.Helper()
	networks, err := plan.Collectives(m, schedule.ForNetwork)
	require.NoError(t, err)
	return folder{plan.New(m), networks, path}
}

// options are machines that together have every option and every kind of module, by name.
var options = map[string]string{
	"every": `
  node_errors = true
  message {
    payload_bits        = 8
    source_id           = true
    destination         = true
    last                = true
    deliver_destination = true
  }
  router {
    barrier = true
  }`,
	"lanes": `
  message {
    source_id   = true
    destination = true
    last        = true
  }
  router {
    stages   = 2
    delivery = "per_port"
  }`,
	"router_only": `
  network = false
  message {
    source_id = true
    last      = true
  }`,
	"wishbone": `
  router {
    kind           = "programmable"
    config_bus     = "wishbone"
    max_dimensions = 3
    max_nodes      = 5
    max_degree     = 4
  }`,
	"axi4lite": `
  node_errors = true
  message {
    source_id   = true
    destination = true
    last        = true
  }
  router {
    kind           = "programmable"
    config_bus     = "axi4lite"
    max_dimensions = 3
    max_nodes      = 5
    max_degree     = 4
  }`,
	"collectives": `
  collective "sum" {
    operation = "all-reduce"
    operator  = "add"
    words     = "one"
  }
  collective "rows" {
    operation = "all-gather"
  }
  collective "spread" {
    operation = "scatter"
  }
  collective "choice" {
    operations = ["all-gather", "total-exchange", "reduce-scatter"]
  }`,
	"no_routers": `
  routers = false
  collective "largest" {
    operation = "reduce-scatter"
    operator  = "max"
  }`,
}

// described is the description of a machine of six nodes with options.
func described(name, options string) string {
	return fmt.Sprintf("machine %q {\n  dimension \"x\" {\n    m   = 3\n    rho = 1\n  }\n  dimension \"y\" {\n    m   = 2\n    rho = 1\n  }%s\n}\n", name, options)
}

// generate makes the output of a machine of the table.
func generate(t testing.TB, name string) folder {
	t.Helper()
	require.Contains(t, options, name)
	m, out := harness.Generate(t, harness.Text(t, described(name, options[name])), nil)
	return newFolder(t, m, out)
}

// drawn is the number of random machines.
const drawn = 4

// random draws machines with a network, whose nodes have one clock, as the example benches that tools read.
func random() (list []*machine.Machine) {
	for seed := 1; len(list) < drawn; seed++ {
		if m := machines.Described().Example(seed); m.Network && !m.Clocks() {
			m.Name = fmt.Sprintf("random%d", len(list)+1)
			// readers know the clock buffer of this family
			m.Synthesis = append(m.Synthesis, machine.Synthesis{Name: "hx8k", Family: "ice40", Device: "hx8k", Package: "ct256", ClockMHz: 100, Seeds: []int{1}})
			list = append(list, m)
		}
	}
	return list
}

// write makes the output of a machine that is no file.
func write(t testing.TB, m *machine.Machine) folder {
	t.Helper()
	p := plan.New(m)
	files, err := assemble.Files(p, assemble.Options{})
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, output.Write(t.Context(), out, files, output.Meta{Version: "test", Machine: m.Name, ConfigHash: m.Hash}, output.Options{}))
	return newFolder(t, m, out)
}

// readers are tools that read the output of every machine, by name. Each test file adds its own.
var readers = map[string]func(t *testing.T, f folder){}

// Every reader reads the output of every example, of every machine of the table and of some random machines.
func TestReaders(t *testing.T) {
	ready(t)
	read := func(name string, made func(t *testing.T) folder) {
		t.Run(name, func(t *testing.T) {
			f := made(t)
			for name, test := range readers {
				t.Run(name, func(t *testing.T) { test(t, f) })
			}
		})
	}
	for _, name := range harness.Examples(t) {
		read(name, func(t *testing.T) folder {
			m, out := harness.Example(t, name, nil)
			return newFolder(t, m, out)
		})
	}
	for name := range options {
		read(name, func(t *testing.T) folder { return generate(t, name) })
	}
	for _, m := range random() {
		read(m.Name, func(t *testing.T) folder { return write(t, m) })
	}
}

// rtl are the Verilog files of the machine, as filelist.f lists them, and the module with all networks.
func (f folder) rtl(t testing.TB) []string {
	t.Helper()
	return append(strings.Fields(f.read(t, "filelist.f")), f.files(t, "integration/*_system.v")...)
}

// integration names a file of the folder integration.
func (f folder) integration(suffix string) string { return "integration/" + f.p.Name + suffix }

func (f folder) read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.path, name))
	require.NoError(t, err)
	return string(text)
}

func (f folder) write(t testing.TB, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(f.path, name), []byte(text), 0o644))
}

// files lists the files of a pattern, relative to the folder.
func (f folder) files(t testing.TB, pattern string) (list []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(f.path, pattern))
	require.NoError(t, err)
	for _, path := range found {
		name, err := filepath.Rel(f.path, path)
		require.NoError(t, err)
		list = append(list, name)
	}
	return list
}

// run runs a tool in the folder of the output, and returns what it prints.
func (f folder) run(t testing.TB, words ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Dir = f.path
	text, err := command.CombinedOutput()
	return string(text), err
}

// clean runs a tool that has to succeed and to print nothing.
func (f folder) clean(t testing.TB, words ...string) {
	t.Helper()
	text, err := f.run(t, words...)
	require.NoError(t, err, "%s: %s", words[0], text)
	assert.Empty(t, text, words[0])
}

// top is the module that other designs instantiate, with its ports.
func (f folder) top() (string, []plan.Wire) {
	switch {
	case f.p.HasSystem():
		return f.p.Module("system"), f.p.SystemWires(f.networks)
	case f.p.Machine.Network:
		return f.p.NetworkModule, f.p.NetworkWires()
	}
	return f.p.RouterModule, f.p.RouterWires()
}

// hasBench reports whether the machine has nodes to bench: streams of routers, or collective networks.
func (f folder) hasBench() bool { return f.hasStreams() || f.p.HasSystem() && f.p.Endpoint == nil }

// hasStreams reports whether the nodes have the streams of a network of routers.
func (f folder) hasStreams() bool {
	return f.p.Machine.Network && !f.p.Machine.NoRouters && f.p.Endpoint == nil
}
