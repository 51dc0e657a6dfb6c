// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// against checks a text in YAML against a schema in testdata.
func against(t *testing.T, schema, text string) error {
	t.Helper()
	if schema == capi2 { // FuseSoC removes this line, too
		rest, ok := strings.CutPrefix(text, "CAPI=2:\n")
		require.True(t, ok, "the first line must tell the format")
		text = rest
	}
	var value any
	require.NoError(t, yaml.Unmarshal([]byte(text), &value), text)
	asJSON, err := json.Marshal(value)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	require.NoError(t, err)
	compiled, err := jsonschema.NewCompiler().Compile("testdata/" + schema)
	require.NoError(t, err, "the schema itself is not valid")
	return compiled.Validate(doc)
}

const (
	capi2  = "capi2.schema.json"
	bender = "bender.schema.json"
)

func TestPackageFilesOfEveryKindOfMachineFitTheirSchemas(t *testing.T) {
	change := func(from, to string) string {
		changed := strings.Replace(ring5, from, to, 1)
		require.NotEqual(t, ring5, changed)
		return changed
	}
	for name, description := range map[string]string{
		"network": ring5, "router": change(`machine "ring5" {`, "machine \"ring5\" {\n  network = false"),
		"programmable":   change(`machine "ring5" {`, "machine \"ring5\" {\n  router {\n    kind = \"programmable\"\n  }"),
		"another device": ring5 + "synthesis \"tiny\" {\n  device = \"up5k\"\n  package = \"sg48\"\n  clock_mhz = 12.5\n}\n",
	} {
		made := contents(t, loaded(t, description))
		assert.NoError(t, against(t, capi2, made["ring5.core"]), name)
		assert.NoError(t, against(t, bender, made["Bender.yml"]), name)
	}
}

func TestGeneratorOfFuseSoCFitsTheSchema(t *testing.T) {
	text, err := os.ReadFile("../../tools/fusesoc/hcgen.core")
	require.NoError(t, err)
	assert.NoError(t, against(t, capi2, string(text)))

	page, err := os.ReadFile("../../docs/integration.md")
	require.NoError(t, err)
	_, caller, ok := strings.Cut(string(page), "```yaml\nCAPI=2:\n")
	require.True(t, ok, "the page shows a core that calls it")
	caller, _, _ = strings.Cut(caller, "```")
	assert.NoError(t, against(t, capi2, "CAPI=2:\n"+caller))
}

// The schema rejects a wrong package file.
func TestSchemasOfPackageFilesSeeMistakes(t *testing.T) {
	made := contents(t, loaded(t, ring5))
	for _, wrong := range [][2]string{
		{"name: ::ring5:0", "name: ring5"},
		{"name: ::ring5:0", "nam: ::ring5:0"},
		{"\nfilesets:\n", "\nfileset:\n"},
		{"file_type: verilogSource-2005", "file_type: verilog"},
		{"file_type: verilogSource-2005", "filetype: verilogSource-2005"},
		{"{is_include_file: true}", "{is_include_file: maybe}"},
		{"{is_include_file: true}", "{include: true}"},
		{"copyto: ", "copy_to: "},
		{"datatype: str", "datatype: string"},
		{"    paramtype: plusarg\n", ""},
		{"  default:\n    filesets", "  first:\n    filesets"},
		{"flow: lint", "flow: linting"},
		{"    flow: sim\n", ""},
		{"tool: verilator", "tool: verilate"},
		{"mode: cc", "mode: c++"},
		{"yosys_synth_options: ", "yosys_options: "},
		{"nextpnr_options: [--hx8k", "nextpnr_options: [hx8k"},
		{"verilator_options: [-Wall]", "verilator_options: -Wall"},
		{"toplevel: ring5_router_pins", "toplevel: ring5-router-pins"},
	} {
		text := strings.Replace(made["ring5.core"], wrong[0], wrong[1], 1)
		require.NotEqual(t, made["ring5.core"], text, wrong[0])
		assert.Error(t, against(t, capi2, text), "%q instead of %q", wrong[1], wrong[0])
	}
	for _, wrong := range [][2]string{
		{"package:", "packages:"}, {`  name: "ring5"`, `  title: "ring5"`}, {"sources:", "source:"}, {".v\n", ".c\n"}, {"sources:\n", "sources:\n  - {file: a.v}\n"},
	} {
		text := strings.Replace(made["Bender.yml"], wrong[0], wrong[1], 1)
		require.NotEqual(t, made["Bender.yml"], text, wrong[0])
		assert.Error(t, against(t, bender, text), "%q instead of %q", wrong[1], wrong[0])
	}
}
