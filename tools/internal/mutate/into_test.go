// SPDX-License-Identifier: Apache-2.0

package mutate

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

// tiny is a ring with messages that continue, and little else.
const tiny = `
machine "tiny" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 2
  }
}
traffic "storm" {
  cycles = 200
  random {
    rate  = 0.4
    stall = 0.3
  }
}
`

func planOf(t *testing.T, description string) *plan.Plan {
	t.Helper()
	m, _, diags := machine.LoadBytes("a.hcl", []byte(description), nil)
	require.False(t, diags.HasErrors(), diags)
	return plan.New(m)
}

// written is a design of a machine of which there is the output folder.
func written(t *testing.T, description string) *Design {
	t.Helper()
	d := &Design{dir: t.TempDir(), p: planOf(t, description)}
	files, err := assemble.Files(d.p, assemble.Options{})
	require.NoError(t, err)
	meta := output.Meta{Version: "v1", Machine: d.p.Name, ConfigHash: d.p.Machine.Hash}
	require.NoError(t, output.Write(t.Context(), d.file("out"), files, meta, output.Options{}))
	return d
}

// The report shows all written results, whatever their text, and they belong to the present Verilog and
// description.
func TestReportShowsTheResultsOfItsMachine(t *testing.T) {
	into := written(t, tiny).file("out")
	other, d := written(t, strings.NewReplacer("tiny", "other", "m   = 4", "m   = 5").Replace(tiny)), written(t, tiny)
	stale := filepath.Join(into, shown)
	require.NoError(t, os.MkdirAll(filepath.Dir(stale), 0o755))
	require.NoError(t, os.WriteFile(stale, nil, 0o644))
	found, err := Receiver(into, []*Design{other, d})
	require.NoError(t, err)
	assert.Same(t, d, found)
	assert.NoFileExists(t, stale, "what an older run has left")

	left := Mutation{Number: 4, Command: `mutate -mode inv -port \"Q -portbit 2 -cell <in0>`, Module: "hc_output", Sources: []string{"rtl/hc_output.v:80.3-90.4"}}
	wires := Mutation{Number: 8, Module: "tiny_network", Swap: &Swap{Port: "s_axis_link_tdata", Bits: [2]int{1, 2}}}
	fate := func(check, verdict string) Fate { return Fate{Result: Result{Check: check, Verdict: verdict}} }
	fates := []Fate{
		fate(Router, Caught), fate(Router, Caught), fate(Compared, Equivalent),
		{left, Result{Verdict: Differs, Detail: `in "cycle" 7`}},
		fate(Network, Caught), fate(Network, Caught), fate(Network, Caught),
		{wires, Result{Verdict: Unknown, Detail: "same"}},
	}
	require.NoError(t, d.Show(into, 5, map[string]string{"yosys": "Yosys a", "verilator": "Verilator b", "z3": "Z3 c"}, fates))
	page := func() string {
		command := exec.CommandContext(t.Context(), "sh", "report/report.sh")
		command.Dir = into
		said, err := command.CombinedOutput()
		require.NoError(t, err, string(said))
		text, err := os.ReadFile(filepath.Join(into, "build", "report.html"))
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
	refusal := func(want string, d *Design) {
		_, err := Receiver(into, []*Design{d})
		require.ErrorAs(t, err, new(*Refused))
		assert.Contains(t, err.Error(), want)
	}
	refusal("has a machine tiny of another description than those in -machines", other)
	router := filepath.Join(into, "rtl", "tiny_router.v")
	require.NoError(t, os.WriteFile(router, []byte("// changed\n"), 0o644))
	assert.Contains(t, page(), "outdated: the Verilog has changed since")
	refusal("is not what is mutated", d)
	require.NoError(t, os.Remove(router))
	refusal("cannot be read", d)
	into = filepath.Join(into, "nowhere")
	refusal("nowhere does not exist", d)
}
