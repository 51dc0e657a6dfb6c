// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// The bench of vectors finds faults of the counter, and of the places of vectors.
func TestBenchOfVectorsFindsFaults(t *testing.T) {
	needs.Time(t)
	for name, f := range map[string]struct{ module, from, to string }{
		"a vector has the place of another":              {"m__net_memory", "2'd2};  // port 0", "2'd1};  // port 0"},
		"words arrive at the place of another":           {"m__net_memory", "receive0_slot = 1'd1", "receive0_slot = 1'd0"},
		"a word has the number of deliveries":            {"m__net_memory", "send0_slot, send_number}", "send0_slot, receive_number}"},
		"deliveries have the number of the next word":    {"m__net_memory", "receive0_slot, receive_number}", "receive0_slot, send_number}"},
		"a write for nobody counts":                      {"m__net_memory", "{w_bank, w_slot} = {4'd0, ", "{w_bank, w_slot} = {4'd1, "},
		"a word is read from the bank of another":        {"m__net_memory", "r_bank_q <= r_bank;", "r_bank_q <= r_bank + 1'b1;"},
		"a start counts while an operation is under way": {"m_hc_vector_counter", "accepted = start & ready", "accepted = start"},
		"a vector is a word short":                       {"m_hc_vector_counter", "count - 1'b1", "count - 2'd2"},
		"one lane: the index of another port counts":     {"m__net_memory", ".select(s_request)", ".select(s_request << 1)"},
		"one lane: the word of another port arrives":     {"m__net_memory", ".words (m_data)", ".words ({m_data[WIDTH-1:0], m_data[4*WIDTH-1:WIDTH]})"},
		"a reset keeps the number":                       {"m_hc_vector_counter", "            send_number    <= {BITS{1'b0}};\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			n := network{rings{"4, 1", "3, 1"}, "total-exchange", "vector = 3\npayload_bits = 8\n"}
			if strings.HasPrefix(name, "one lane") {
				n.attributes += oneLane
			}
			c, out := n.generate(t)
			path := filepath.Join(out, "rtl", f.module+".v")
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Contains(t, string(text), f.from)
			require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), f.from, f.to, 1)), 0o644))
			printed, err := simulate(t, n, c, out, c.Module("vectors"), "vectors.cpp")
			assert.Error(t, err, printed)
			t.Log(printed)
		})
	}
}
