// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// small is the smallest router there is: what is tried is the tools.
const small = `
machine "tiny" {
  network = false
  dimension "x" {
    m   = 2
    rho = 1
  }
  message {
    payload_bits = 1
  }
}
synthesis "hx8k" {
  seeds = [1]
}
`

// The router is synthesized by both, within a few LUTs, and the netlist of the newest passes the traces. make measure
// WHAT=newest does it with a machine of the user's.
func TestBothVersionsOfYosysWork(t *testing.T) {
	ready(t)
	m, _, diags := machine.LoadBytes("machine.hcl", []byte(small), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	files, err := assemble.Files(plan.New(m), assemble.Options{})
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "out")
	meta := output.Meta{Version: "test", Machine: m.Name, ConfigHash: m.Hash}
	require.NoError(t, output.Write(t.Context(), out, files, meta, output.Options{}))

	script := exec.CommandContext(t.Context(), "sh", "tools/newest.sh", out, "build/interop")
	script.Dir = "../.."
	text, err := script.CombinedOutput()
	require.NoError(t, err, "%s", text)
	assert.Contains(t, string(text), "PASS: tiny_router.router: ")

	type summary struct {
		Router struct{ LUT4 int }
		Tools  struct{ Yosys string }
	}
	read := func(folder string) (s summary) {
		data, err := os.ReadFile(filepath.Join(out, folder, "synth/hx8k/summary.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &s))
		return s
	}
	debian, newest := read("build"), read("build-newest")
	assert.NotEqual(t, debian.Tools.Yosys, newest.Tools.Yosys)
	assert.Equal(t, pinned(t)["pyosys"], newest.Tools.Yosys)
	assert.Greater(t, debian.Router.LUT4, 10)
	assert.InEpsilon(t, debian.Router.LUT4, newest.Router.LUT4, 0.1)
}
