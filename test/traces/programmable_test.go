// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// smallMachine has a ring port, a source id, and a port, a node and a dimension fewer than
// its router has room for.
const smallMachine = `
machine "small5" {
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

// generateSmall generates the machine with a bus.
func generateSmall(t *testing.T, bus string) string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "small.hcl")
	require.NoError(t, os.WriteFile(config, []byte(strings.Replace(smallMachine, "BUS", bus, 1)), 0o644))
	_, out := harness.Generate(t, config, nil)
	return out
}

// The example has the other bus.
func TestProgrammableRoutersEqualTheModelOverAXI4Lite(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	out := generateSmall(t, "axi4lite")
	text := harness.Make(t.Context(), t, out, "lint", "sim", "sim-array", "GOLDEN=golden/storm.trace", "JOBS=1")
	for _, run := range []string{"small5_router.router", "small5_network.alone", "small5_network.storm", "small5_array.storm"} {
		assert.Contains(t, text, "PASS: "+run+": ")
	}
	assert.Regexp(t, `configured again under load: \d+ messages taken, \d+ deliveries before the routers open again\nread over the bus: 28 registers, as the plan and the ports say\nPASS: small5_network`, text)
}

// Destinations: with a dimension fewer than the limits; with links for both directions, transfers and rings of an
// odd and an even number of nodes.
func TestProgrammableRoutersWithDestinationsEqualTheModel(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name, dimensions, limits string
		targets                  []string
	}{
		{"a ring and a pair", "5 1 2 1", "max_dimensions = 3\n    max_nodes = 5\n    max_degree = 4", []string{"lint", "sim"}},
		{"shorter links", "7 2 4 2 5 1", "", []string{"sim-router"}},
		{"as many dimensions", "3 1 2 1 6 3 4 2", "", []string{"sim-router"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			fields := strings.Fields(c.dimensions)
			for i := 0; i < len(fields); i += 2 {
				fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %s\n    rho = %s\n  }\n", i/2, fields[i], fields[i+1])
			}
			config := filepath.Join(t.TempDir(), "addressed.hcl")
			require.NoError(t, os.WriteFile(config, []byte(fmt.Sprintf(addressedMachine, b.String(), c.limits)), 0o644))
			_, out := harness.Generate(t, config, nil)
			text := harness.Make(t.Context(), t, out, append(c.targets, "JOBS=1")...)
			assert.Contains(t, text, "PASS: addressed_router.router: ")
			assert.Contains(t, harness.Make(t.Context(), t, out, "prove"), "PASS: addressed_network: all is proved\n")
		})
	}
}

const addressedMachine = `
machine "addressed" {
%s
  message {
    payload_bits = 16
    source_id    = true
    destination  = true
    last         = true
  }
  router {
    kind = "programmable"
    %s
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

// fileFault is a change of a Verilog file. Where is a part of its text, with %s in the place of an
// expression; From and To are that expression before and after the change.
type fileFault struct{ name, file, where, from, to, found string }

// The benches detect faults on the way from the bus to the routers, in the parts that the machine does not use,
// and in the values of registers. All faults of a bench are in one program, and a file selects the active fault
// by its number.
func TestBenchesOfProgrammableRoutersFindFaults(t *testing.T) {
	needs.Time(t)
	const registers, whole, input, network = "hc_config_registers.v", "hc_router_programmable.v", "hc_programmable_input.v", "small5_network.v"
	for target, faults := range map[string][]fileFault{
		"sim-storm": {
			{"routers change before all have drained", network, "wire drained = %s;", "&idle", "idle[0] & |idle", "configured again under load: "},
			{"a message is changed while the routers are closed", whole, ".s_axis_tdata(%s)", "s_axis_link_tdata",
				"s_axis_link_tdata ^ {DEGREE{{WD_BITS + WORD_BITS - 1{1'b0}}, !configured}}", "but not the ones that were sent"},
			{"a router ignores the bus", network, ".wb_stb_i(wb_stb_i),\n        .wb_we_i(%s)", "wb_we_i", "1'b0",
				"the design is not configured in time"},
			{"a neighbour's pace is not heard", network, ".link_pace({2'd0, %s, n1_pace})", "n3_pace", "n0_pace", "pace: expected"},
			{"LIMITS has another limit", registers, "read_data[LIMITS_MAX_NODES+:8]      = %s;", "NODES[7:0]", "DIMENSIONS[7:0]",
				"read in the trace, register LIMITS at 0x00: expected 0x01030502, got 0x01030202"},
			{"CONSTANTS has a wrong k", registers, "read_data[CONSTANTS_K+:WC_BITS]      = %s;", "constants[(i*3+2)*WC_BITS+:WC_BITS]",
				"constants[(i*3+1)*WC_BITS+:WC_BITS]",
				"read in the trace, register CONSTANTS of dimension 1 at 0x30: expected 0x00000102, got 0x00010102"},
			{"SIDES are exchanged", registers, "read_data[SIDES_CLOCKWISE_Q+:WC_BITS]        = %s;", "sides[i*4*WC_BITS+:WC_BITS]",
				"sides[(i*4+2)*WC_BITS+:WC_BITS]", "read in the trace, register SIDES of dimension 1 at 0x40: expected 0x00010002, got 0x00010001"},
			{"ACCEPTED counts cycles, not handshakes", whole, ".accepted(%s)", "s_axis_local_tvalid & s_axis_local_tready", "s_axis_local_tvalid",
				"read after the trace, register ACCEPTED at 0x50: expected 0x"},
			{"FORWARDED counts cycles, not handshakes", whole, ".forwarded(%s)", "m_axis_link_tvalid & m_axis_link_tready", "m_axis_link_tvalid",
				"read after the trace, register FORWARDED at 0x54: expected 0x"},
			{"DELIVERED is not cleared at a start", registers, "delivered_q      <= %s;\n            dropped_q", "32'd0", "rst ? 32'd0 : delivered_q",
				"read when configured again, register DELIVERED at 0x58: expected 0x"},
		},
		"sim-router": {
			{"a port that the machine does not have takes messages", input, "ready_q      <= %s & (rst", "|dimension & will_run", "will_run",
				"a port that the machine does not have: ready: expected 0, got 1"},
			{"DROPPED counts cycles with a header error, not header errors", registers, "drops_q          <= %s;\n        accepted_q", "drops", "{4'd0, |drops}",
				"read after the trace, register DROPPED at 0x5c: expected 0x"},
			{"DELIVERED counts cycles, not handshakes", whole, ".delivered(%s)", "m_axis_local_tvalid & m_axis_local_tready", "m_axis_local_tvalid",
				"read after the trace, register DELIVERED at 0x58: expected 0x"},
		},
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			out := generateSmall(t, "wishbone")
			files := map[string]bool{}
			for n, f := range faults {
				files[f.file] = true
				shown := fmt.Sprintf("(hc_fault[0] == 8'd%d ? (%s) : (%s))", n+1, f.to, f.from)
				replaceFirst(t, harness.File(t, out, "rtl/"+f.file), fmt.Sprintf(f.where, f.from), fmt.Sprintf(f.where, shown))
			}
			for file := range files {
				replaceFirst(t, harness.File(t, out, "rtl/"+file), "\n);\n",
					"\n);\n    reg [7:0] hc_fault [0:0];\n    initial $readmemh(\"fault.hex\", hc_fault);\n")
			}
			run := func(fault int) (string, error) {
				require.NoError(t, os.WriteFile(filepath.Join(out, "fault.hex"), []byte(fmt.Sprintf("%02x\n", fault)), 0o644))
				said, err := exec.CommandContext(t.Context(), "make", "-C", out, target, "JOBS=1").CombinedOutput()
				return string(said), err
			}
			said, err := run(0)
			require.NoError(t, err, "without fault: "+said)
			assert.Contains(t, said, "read over the bus: ")
			for n, f := range faults {
				t.Run(f.name, func(t *testing.T) {
					said, err := run(n + 1)
					require.Error(t, err, said)
					assert.Contains(t, said, f.found)
				})
			}
		})
	}
	t.Run("a limit is built in wrong", func(t *testing.T) {
		t.Parallel()
		out := generateSmall(t, "wishbone")
		replaceFirst(t, filepath.Join(out, "rtl", "small5_router.v"), ".NODES(5)", ".NODES(3)")
		said, err := exec.CommandContext(t.Context(), "make", "-C", out, "sim-router", "JOBS=1").CombinedOutput()
		require.Error(t, err, string(said))
		assert.Contains(t, string(said), "the design is not configured in time")
	})
}

// replaceFirst replaces a text where it is first in a file.
func replaceFirst(t *testing.T, file, from, to string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	text := harness.Unaligned(string(data), from)
	require.Contains(t, text, from)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(text, from, to, 1)), 0o644))
}
