// SPDX-License-Identifier: Apache-2.0

package integration

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// description is a machine of six nodes. The text before its dimensions and the blocks behind them are given.
func description(name, before, blocks string) string {
	return fmt.Sprintf(`
machine %q {
  %s
  dimension "x" {
    m   = 3
    rho = 1
  }
  dimension "y" {
    m   = 2
    rho = 1
  }
  %s
}
`, name, before, blocks)
}

const (
	allOfMessages = "message {\n payload_bits = 8\n source_id = true\n destination = true\n last = true\n }\n"
	networks      = "collective \"sums\" {\n operation = \"reduce-scatter\"\n }\ncollective \"tx\" {\n operation = \"all-gather\"\n payload_bits = 7\n }\ncollective \"any\" {\n operations = [\"gather\", \"all-reduce\", \"scatter\"]\n payload_bits = 12\n }\n" +
		"collective \"any_GATHER\" {\n operation = \"gather\"\n }" // constants of the operations of any have other names
	vectors = "collective \"sums\" {\n operation = \"reduce-scatter\"\n vector = 9\n }\ncollective \"tx\" {\n operation = \"total-exchange\"\n payload_bits = 7\n vector = 1\n }"
	limits  = "max_dimensions = 3\n max_nodes = 5\n max_degree = 4\n }"
)

// descriptions are machines that together have every option, with and without a network, by name.
var descriptions = map[string]string{
	"plain":  description("plain", "", "message {\n payload_bits = 1\n }"),
	"every":  description("every", "node_errors = true", allOfMessages+"router {\n barrier = true\n }"),
	"lanes":  description("lanes", "", allOfMessages+"router {\n stages = 2\n delivery = \"per_port\"\n }"),
	"router": description("router_only", "network = false", allOfMessages+"router {\n delivery = \"per_port\"\n }"),
	"wb":     description("wb", "node_errors = true", "message {\n payload_bits = 8\n }\nrouter {\n kind = \"programmable\"\n config_bus = \"wishbone\"\n "+limits),
	"axi":    description("axi", "", allOfMessages+"router {\n kind = \"programmable\"\n config_bus = \"axi4lite\"\n "+limits),
	"pair":   "machine \"pair\" {\n node_errors = true\n dimension \"x\" {\n m = 2\n rho = 1\n }\n " + allOfMessages + "router {\n barrier = true\n }\n }\n",
	"system": description("system", "", allOfMessages+"router {\n barrier = true\n }\n"+networks),
	"memory": description("memory", "", allOfMessages+"router {\n barrier = true\n }\n"+vectors),
	"alone":  description("alone", "routers = false", networks),
	"clocks": severalClocks["rows"],
	"single": "machine \"single\" {\n dimension \"x\" {\n m = 2\n rho = 1\n }\n message {\n source_id = true\n destination = true\n }\n }\n",
}

// folder is the output of a machine.
type folder struct {
	p        *plan.Plan
	networks []*plan.Collective
	path     string
}

func generate(t *testing.T, name string) folder {
	t.Helper()
	require.Contains(t, descriptions, name)
	return generated(t, descriptions[name])
}

// generated is the output of a description.
func generated(t *testing.T, description string) folder {
	t.Helper()
	m, out := harness.Generate(t, harness.Text(t, description), nil)
	networks, err := plan.Collectives(m, schedule.ForNetwork)
	require.NoError(t, err)
	return folder{plan.New(m), networks, out}
}

// networkWires are the ports of a collective network, or of that with its memories.
func (f folder) networkWires(t *testing.T, name string) []plan.Wire {
	t.Helper()
	at := slices.IndexFunc(f.networks, func(c *plan.Collective) bool { return c.Name == name })
	require.GreaterOrEqual(t, at, 0, name)
	return f.networks[at].OuterWires()
}

// each runs a test for each machine, or for those with a network.
func each(t *testing.T, network bool, test func(t *testing.T, f folder)) {
	ran := 0
	for name := range descriptions {
		if network && name == "router" {
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, generate(t, name))
		})
	}
	require.Greater(t, ran, 5)
}

// top is the module that the files instantiate, with its ports.
func (f folder) top() (string, []plan.Wire) {
	if f.p.HasSystem() {
		return f.p.Name + "_system", f.p.SystemWires(f.networks)
	}
	if f.p.Machine.Network {
		return f.p.NetworkModule, f.p.NetworkWires()
	}
	return f.p.RouterModule, f.p.RouterWires()
}

// rtl are the Verilog files of the machine, as filelist.f lists them, and the module with all networks if there is one.
func (f folder) rtl(t *testing.T) []string {
	t.Helper()
	list := strings.Fields(f.read(t, "filelist.f"))
	if f.p.HasSystem() {
		list = append(list, f.file("_system.v"))
	}
	return list
}

// file names a file of the folder integration.
func (f folder) file(suffix string) string { return "integration/" + f.p.Name + suffix }

func (f folder) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.path, name))
	require.NoError(t, err)
	return string(text)
}

func (f folder) write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(f.path, name), []byte(text), 0o644))
}

// run runs a tool in the folder of the output.
func (f folder) run(t *testing.T, words ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Dir = f.path
	text, err := command.CombinedOutput()
	return string(text), err
}

// clean runs a tool that has to succeed and to print nothing.
func (f folder) clean(t *testing.T, words ...string) {
	t.Helper()
	text, err := f.run(t, words...)
	require.NoError(t, err, "%s: %s", words[0], text)
	assert.Empty(t, text, words[0])
}

// icarus compiles a bench with the files of the machine and returns what it prints.
func (f folder) icarus(t *testing.T, top string, files ...string) string {
	t.Helper()
	f.clean(t, append([]string{"iverilog", "-g2005", "-Wall", "-Wno-timescale", "-Iintegration", "-o", top + ".vvp", "-s", top}, append(files, f.rtl(t)...)...)...)
	text, err := f.run(t, "vvp", "-n", top+".vvp")
	require.NoError(t, err, text)
	return text
}
