// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// written is an output folder of a machine.
func written(t *testing.T, description string) string {
	t.Helper()
	m, _, diags := machine.LoadBytes("a.hcl", []byte(description), nil)
	require.False(t, diags.HasErrors(), diags)
	files, err := assemble.Files(plan.New(m), assemble.Options{})
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, output.Write(t.Context(), out, files, output.Meta{Version: "v1", Machine: m.Name, ConfigHash: m.Hash}, output.Options{}))
	return out
}

// The report shows all written results, whatever their text, and they belong to the present Verilog and
// description.
func TestReportShowsTheResultsOfItsMachine(t *testing.T) {
	c := &campaign{work: t.TempDir(), into: written(t, tiny), seed: 5, tools: map[string]string{"yosys": "Yosys a", "verilator": "Verilator b", "z3": "Z3 c"}}
	var designs []*design
	for _, text := range []string{strings.NewReplacer("tiny", "other", "m   = 4", "m   = 5").Replace(tiny), tiny} {
		file := filepath.Join(t.TempDir(), "m.hcl")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		d, err := c.generate(t.Context(), file)
		require.NoError(t, err)
		designs = append(designs, d)
	}
	stale := filepath.Join(c.into, shown)
	require.NoError(t, os.MkdirAll(filepath.Dir(stale), 0o755))
	require.NoError(t, os.WriteFile(stale, nil, 0o644))
	d, err := c.receiver(t.Context(), designs)
	require.NoError(t, err)
	assert.Same(t, designs[1], d)
	assert.NoFileExists(t, stale, "what an older run has left")

	left := mutation{Number: 4, Command: `mutate -mode inv -port \"Q -portbit 2 -cell <in0>`, Module: "hc_output", Sources: []string{"rtl/hc_output.v:80.3-90.4"}}
	results := []result{
		{Verdict: caught, Stage: stageRouter}, {Verdict: caught, Stage: stageRouter}, {Verdict: equivalent},
		{mutation: left, Verdict: differs, Detail: `in "cycle" 7`},
		{Verdict: caught, Stage: stageNetwork}, {Verdict: caught, Stage: stageNetwork}, {Verdict: caught, Stage: stageNetwork},
		{mutation: mutation{Number: 8, Module: "tiny_network", swap: &swap{port: "s_axis_link_tdata", bit: 1, with: 2}}, Verdict: unknown, Detail: "same"},
	}
	require.NoError(t, c.show(d, results))
	page := func() string {
		command := exec.CommandContext(t.Context(), "sh", "report/report.sh")
		command.Dir = c.into
		said, err := command.CombinedOutput()
		require.NoError(t, err, string(said))
		text, err := os.ReadFile(filepath.Join(c.into, "build", "report.html"))
		require.NoError(t, err)
		return string(text)
	}
	for _, part := range []string{
		"2 of 8 mutants survive, drawn with seed 5. Yosys a, Verilator b, Z3 c.",
		"router bench</th><td>2</td>", "network bench</th><td>3</td>", "proofs of modules</th><td>0</td>", "proof of the router</th><td>0</td>",
		"equivalent</th><td>1</td>", "equivalent where reachable</th><td>0</td>", "survive</th><td>2</td>",
		`4</th><td>inv at \&quot;Q bit 2 of &lt;in0&gt;</td><td>rtl/hc_output.v:80</td><td>differs: in &quot;cycle&quot; 7</td>`,
		"8</th><td>bits 1 and 2 of s_axis_link_tdata of node 0 change places</td><td>tiny_network</td><td>not shown: same</td>",
	} {
		assert.Contains(t, page(), part)
	}
	assert.NotContains(t, page(), "outdated:")

	// A folder with other files is rejected before minutes of work.
	refusal := func(want string, designs ...*design) {
		_, err := c.receiver(t.Context(), designs)
		require.ErrorAs(t, err, new(*refused))
		assert.Contains(t, err.Error(), want)
	}
	refusal("has a machine tiny of another description than those in -machines", designs[0])
	router := filepath.Join(c.into, "rtl", "tiny_router.v")
	require.NoError(t, os.WriteFile(router, []byte("// changed\n"), 0o644))
	assert.Contains(t, page(), "outdated: the Verilog has changed since")
	refusal("is not what is mutated", d)
	require.NoError(t, os.Remove(router))
	refusal("cannot be read", d)
	c.into = filepath.Join(c.into, "nowhere")
	refusal("nowhere does not exist", d)
}

// make campaign WHAT=mutate hands the folder on.
func TestMakeTellsWhichFolder(t *testing.T) {
	text, err := exec.CommandContext(t.Context(), "make", "-C", filepath.Join("..", ".."), "--dry-run", "campaign", "WHAT=mutate", "MACHINES=a.hcl", "INTO=a folder").CombinedOutput()
	require.NoError(t, err, string(text))
	assert.Contains(t, string(text), `-machines "a.hcl" -into "a folder"`)
}
