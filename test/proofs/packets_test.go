// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// withPackets has hc_packets, with addresses that fill their bits only in part.
var withPackets = addressed([][2]int{{5, 1}}, "    payload_bits = 8\n    source_id = true\n"+last, "")

// make prove proves hc_packets of a folder that has it, with the sources of the machine and reduced depths and widths.
func TestPacketsAreProved(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	_, out := generateText(t, withPackets)
	text := assertProved(t, out, "addressed")
	assert.Contains(t, text, "addressed_hc_packets: 17 assertions, 4 covers\n  behaviour  proved, for runs of any length (induction)\n  covers     all reached: 4\n")
	assert.Equal(t, "SOURCES 5, SOURCE_BITS 3, DEPTH_BITS 1, PACKETS 3, WIDTH 2", parametersOfPackets(t, out))
	assert.Contains(t, harness.Make(t.Context(), t, out, "report"), "report: ")
}

// A machine of more sources than the solver manages is proved with fewer of them.
func TestPacketsOfManySourcesAreProvedWithFewer(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	_, out := generateText(t, addressed([][2]int{{5, 1}, {4, 1}}, "    payload_bits = 1\n    source_id = true\n"+last, ""))
	text, ok := proveClaims(t, out, "_hc_packets.sby")
	assert.True(t, ok, text)
	assert.Equal(t, "SOURCES 16, SOURCE_BITS 4, DEPTH_BITS 1, PACKETS 3, WIDTH 1", parametersOfPackets(t, out))
}

// parametersOfPackets are the parameters with which the module is proved.
func parametersOfPackets(t *testing.T, out string) string {
	t.Helper()
	claim, err := os.ReadFile(filepath.Join(out, "formal", "addressed_hc_packets.sby"))
	require.NoError(t, err)
	list := regexp.MustCompile(`-chparam (\w+ \d+)`).FindAllStringSubmatch(string(claim), -1)
	var parameters []string
	for _, p := range list {
		parameters = append(parameters, p[1])
	}
	return strings.Join(parameters, ", ")
}

// A fault in hc_packets, or in its proof, is found before the router is proved.
func TestProofOfPacketsFindsFaults(t *testing.T) {
	needs.Time(t)
	_, out := generateText(t, withPackets)
	for _, c := range []struct{ name, file, old, changed, says string }{
		{"a packet goes out before its end", "rtl/hc_packets.v", "push = take & ends", "push = take", "waves: "},
		{"packets alternate", "rtl/hc_packets.v", "source = goes_on ? source_q :", "source = 1'b0 ? source_q :", "waves: "},
		{"a full queue takes more", "rtl/hc_packets.v", "!stored[DEPTH_BITS] &", "", "waves: "},
		{"a long packet is not cut", "rtl/hc_packets.v", "ends    = s_axis_tlast | &length", "ends    = s_axis_tlast", "waves: "},
		{"a message is overwritten", "rtl/hc_packets.v", "(!full_q | m_axis_tready)", "1'b1", "waves: "},
		{"a place is read in the wrong order", "rtl/hc_packets.v", "if (pop | !waiting_q[n]) sources_q", "if (pop) sources_q", "waves: "},
		{"a property is missing", "formal/packets_properties.v", "        if (f_none) assert (!packet_split);\n", "", "Yosys has made the 17 assertions and 4 covers that hcgen has written (Assertion failed: selection contains 16 elements instead of the asserted 17"},
		{"the module never starts", "formal/packets_properties.v", "if (!f_past) assume (rst);", "assume (rst);", "0 of 4 covers are reached"},
		{"the properties do not fit", "rtl/hc_packets.v", "reg  [SOURCES*COUNT_BITS-1:0] read_q;", "", "not so: the properties fit the module"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := proves(t, out, c.file, c.old, c.changed, "PROVE_TIME=1800")
			assert.False(t, ok)
			assert.Contains(t, text, "FAIL: addressed_hc_packets: ")
			assert.Contains(t, text, c.says)
			assert.NotContains(t, text, "addressed_router: ")
			assert.Contains(t, text, "Error 3", "the exit code for a check that failed")
		})
	}
}
