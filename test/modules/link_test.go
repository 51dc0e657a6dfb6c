// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// link is a link with registers: slices if stages is above 0, else credits.
type link struct{ width, stages, latency int }

func (l link) String() string {
	if l.stages > 0 {
		return fmt.Sprintf("%d slices, %d bits", l.stages, l.width)
	}
	return fmt.Sprintf("credits, latency %d, %d bits", l.latency, l.width)
}

// run runs the bench on the modules of the folder and returns what it prints.
func (l link) run(t *testing.T, dir string) string {
	t.Helper()
	bench, err := filepath.Abs("testdata/links/bench.v")
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "bench.vvp")
	text, err := runTool(t, dir, "iverilog", "-g2005", "-Wall", "-o", program, "-y", ".", "-s", "bench",
		fmt.Sprintf("-Pbench.WIDTH=%d", l.width), fmt.Sprintf("-Pbench.STAGES=%d", l.stages), fmt.Sprintf("-Pbench.LATENCY=%d", l.latency), bench)
	require.NoError(t, err, text)
	assert.Empty(t, text)
	text, err = runTool(t, dir, "vvp", "-n", program)
	require.NoError(t, err, text)
	return text
}

// Links do what docs/links.md says in every cycle, whatever their ends do: a bench states the contract with counts and times.
// They have the latency, the places and the full rate.
func TestLinksFollowTheContract(t *testing.T) {
	dir, _ := library(t)
	for i, l := range []link{
		{36, 2, 0}, {36, 0, 3}, {1, 1, 0}, {512, 2, 0}, {1, 0, 3}, {36, 0, 4}, {8, 0, 5}, {512, 0, 8}, {36, 0, 64},
	} {
		t.Run(l.String(), func(t *testing.T) {
			if i > 1 {
				needs.Time(t)
			}
			assert.Equal(t, "PASS\n", l.run(t, dir))
		})
	}
}

func TestBenchOfLinksFindsFaults(t *testing.T) {
	slices, credits := link{8, 2, 0}, link{8, 0, 3}
	for _, c := range []struct {
		name   string
		link   link
		module string
		fault  [2]string
		says   string
	}{
		{"a credit too many", credits, "hc_link_credits", [2]string{"credit_q <= -ALL", "credit_q <= -ALL - ONE"}, "ready at the near end"},
		{"a credit too few", credits, "hc_link_credits", [2]string{"credit_q <= -ALL", "credit_q <= -ALL + ONE"}, "ready at the near end"},
		{"a register less on the way", link{8, 0, 5}, "hc_link_credits", [2]string{"TRAVEL       = LATENCY - 2", "TRAVEL       = LATENCY - 3"}, "valid at the far end"},
		{"a register more on the way", credits, "hc_link_credits", [2]string{"TRAVEL       = LATENCY - 2", "TRAVEL       = LATENCY - 1"}, "valid at the far end"},
		{"a register less on the way back", credits, "hc_link_credits", [2]string{".CYCLES(LATENCY)", ".CYCLES(LATENCY - 1)"}, "ready at the near end"},
		{"credits are lost", credits, "hc_link_credits", [2]string{"take ^ back", "take"}, "ready at the near end"},
		{"the last word instead of the first", credits, "hc_link_credits", [2]string{"word_q <= memory[read_q]", "word_q <= memory[write_q - 1'b1]"}, "data at the far end"},
		{"a word is replaced while it waits", credits, "hc_link_credits", [2]string{"& (!full_q | m_axis_tready)", ""}, "data at the far end"},
		{"words stay in a reset", credits, "hc_link_credits", [2]string{"            read_q  <= {ADDRESS_BITS{1'b0}};\n", ""}, ""},
		{"the words of a slice are swapped", slices, "hc_link_slices", [2]string{"ready_q ? data[i*WIDTH+:WIDTH] : tail_q", "ready_q ? tail_q : data[i*WIDTH+:WIDTH]"}, "data at the far end"},
		{"a slice has one place", slices, "hc_link_slices", [2]string{"ready_q <= !(stays & (arrives | !ready_q))", "ready_q <= !(stays | arrives | !ready_q)"}, "ready at the near end"},
		{"a slice loses the word behind", slices, "hc_link_slices", [2]string{"stays | arrives | !ready_q;", "stays | arrives;"}, "valid at the far end"},
		{"a slice is not reset", slices, "hc_link_slices", [2]string{"full_q  <= 1'b0", "full_q  <= full_q"}, ""},
		{"paces are not late", slices, "hc_delay", [2]string{"late = values[CYCLES*WIDTH+:WIDTH]", "late = value"}, "late pace"},
		{"paces are a cycle too early", credits, "hc_delay", [2]string{"late = values[CYCLES*WIDTH+:WIDTH]", "late = values[(CYCLES-1)*WIDTH+:WIDTH]"}, ""},
		{"paces stay in a reset", credits, "hc_delay", [2]string{"rst ? {CYCLES * WIDTH{1'b0}} : ", ""}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := library(t)
			file := filepath.Join(dir, c.module+".v")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(text), c.fault[0]), c.fault[0])
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), c.fault[0], c.fault[1], 1)), 0o644))
			printed := c.link.run(t, dir)
			assert.Regexp(t, `^FAIL: cycle \d+: .*`+c.says, printed)
		})
	}
}
