// SPDX-License-Identifier: Apache-2.0

package configs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// toldMachine has a ring port, a source id, and a port, a node and a dimension fewer than
// its router has room for.
const toldMachine = `
machine "told" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 5
    source_id    = true
  }
  router {
    kind           = "programmable"
    config_bus     = "BUS"
    preference     = "balanced"
    max_dimensions = 2
    max_nodes      = 5
    max_degree     = 3
  }
}
traffic "storm" {
  cycles = 300
  random {
    rate  = 0.4
    stall = 0.3
  }
}
`

// told generates the machine with a bus.
func told(t *testing.T, bus string) string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "told.hcl")
	require.NoError(t, os.WriteFile(config, []byte(strings.Replace(toldMachine, "BUS", bus, 1)), 0o644))
	_, out := generate(t, config, nil)
	return out
}

// The example has the other bus.
func TestProgrammableRoutersEqualTheModelOverAXI4Lite(t *testing.T) {
	t.Parallel()
	out := told(t, "axi4lite")
	text := runMake(t.Context(), t, out, "lint", "sim", "sim-array", "GOLDEN=golden/storm.trace", "JOBS=1")
	for _, run := range []string{"told_router.router", "told_network.alone", "told_network.storm", "told_array.storm"} {
		assert.Contains(t, text, "PASS: "+run+": ")
	}
	assert.Regexp(t, `told again under load: \d+ messages taken, \d+ deliveries before the routers open again\nPASS: told_network`, text)
}

// The benches see what is wrong with the way from the bus to the routers, and with what
// the machine leaves unused.
func TestBenchesOfProgrammableRoutersFindFaults(t *testing.T) {
	for _, c := range []struct{ name, file, from, to, target, found string }{
		{"routers change before all have drained", "told_network.v", "wire drained = &idle;", "wire drained = idle[0] & |idle;", "sim-storm",
			"told again under load: "},
		{"a message is changed while the routers are closed", "hc_router_programmable.v", "] = s_axis_link_tdata[p*LINK_BITS+:BODY_BITS];",
			"] = s_axis_link_tdata[p*LINK_BITS+:BODY_BITS] ^ {{BODY_BITS - 1{1'b0}}, !accepting};", "sim-storm", "but not the ones that were sent"},
		{"a router does not hear the bus", "told_network.v", ".wb_stb_i(wb_stb_i),\n        .wb_we_i(wb_we_i)", ".wb_stb_i(wb_stb_i),\n        .wb_we_i(1'b0)", "sim-alone",
			"the design is not configured in time"},
		{"a port that the machine does not have takes messages", "hc_router_programmable.v", "dimension != {WD_BITS{1'b0}} & will_run", "will_run", "sim-router",
			"a port that the machine does not have: header_error: expected 0, got 1"},
		{"a limit is built in wrong", "told_router.v", ".NODES(5)", ".NODES(3)", "sim-router", "the design is not configured in time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := told(t, "wishbone")
			file := filepath.Join(out, "rtl", c.file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			wrong := strings.Replace(string(text), c.from, c.to, 1)
			require.NotEqual(t, string(text), wrong)
			require.NoError(t, os.WriteFile(file, []byte(wrong), 0o644))
			said, err := exec.CommandContext(t.Context(), "make", "-C", out, c.target, "JOBS=1").CombinedOutput()
			require.Error(t, err, string(said))
			assert.Contains(t, string(said), c.found)
		})
	}
}
