// SPDX-License-Identifier: Apache-2.0

package traces

import (
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

// packetsMachine has a payload of more than two words and addresses that fill their bits only in part.
const packetsMachine = `
machine "packets" {
  dimension "x" {
    m   = 5
    rho = 1
  }
  message {
    payload_bits = 70
    source_id    = true
    last         = true
  }
}
`

// The bench of hc_packets passes, and sees each of these faults.
func TestBenchOfPacketsFindsFaults(t *testing.T) {
	needs.Time(t)
	_, good := harness.Generate(t, harness.Text(t, packetsMachine), nil)
	for _, c := range []struct{ name, old, changed, says string }{
		{"none", "", "", "PASS: packets_packets.random: "},
		{"a queue overflows", "s_axis_tready = !stored[DEPTH_BITS] &", "s_axis_tready = !(&stored) &", " is wrong"},
		{"packets are mixed", "goes_on ? source_q : sources_q[SOURCE_BITS-1:0]", "sources_q[SOURCE_BITS-1:0]", "tid: expected "},
		{"a part that is cut off is not flagged", "take & ends & !s_axis_tlast", "1'b0", "packet_split: expected 1"},
		{"the end of a part is lost", "<= {ends, s_axis_tdata}", "<= {s_axis_tlast, s_axis_tdata}", "tlast or tdata of a message of source "},
		{"a message is overwritten while the receiver stalls", "(!full_q | m_axis_tready)", "1'b1", "m_axis changes before its handshake"},
		{"a message is handed out twice", "full_q       <= fetch | (full_q & !m_axis_tready)", "full_q       <= fetch | full_q", "a message is handed out, but no packet is complete"},
		{"a reset keeps packets", "                if (rst) waiting_q[n] <= 1'b0;\n", "", "cycle "},
		{"bits of the payload are lost", "<= {ends, s_axis_tdata}", "<= {ends, s_axis_tdata & {WIDTH{1'b1}} >> 1}", "tlast or tdata of a message of source "},
		{"packets stay", "fetch  = (goes_on | waiting_q[0]) &", "fetch  = (goes_on | &waiting_q) &", "messages of complete packets are missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			own := filepath.Join(t.TempDir(), "out")
			require.NoError(t, os.CopyFS(own, os.DirFS(good)))
			file := filepath.Join(own, "rtl", "packets_hc_packets.v")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			if c.old != "" {
				require.Equal(t, 1, strings.Count(string(text), c.old))
				require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.changed, 1)), 0o644))
			}
			said, err := exec.CommandContext(t.Context(), "make", "-C", own, "sim-packets", "JOBS=1").CombinedOutput()
			assert.Equal(t, c.old == "", err == nil, string(said))
			assert.Contains(t, string(said), c.says)
			assert.Equal(t, c.old != "", strings.Contains(string(said), "FAIL: packets_packets.random: "), string(said))
		})
	}
}
