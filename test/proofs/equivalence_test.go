// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// limits are the limits of a programmable router: dimensions, nodes of a dimension, ports.
type limits [3]int

// programmed returns the description of a programmable router that is configured as a product of rings, each
// m and rho.
func programmed(name string, rings [][2]int, preference string, payload int, sourceID bool, l limits) string {
	var b strings.Builder
	fmt.Fprintf(&b, "machine %q {\n", name)
	for i, r := range rings {
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %d\n    rho = %d\n  }\n", i+1, r[0], r[1])
	}
	fmt.Fprintf(&b, "  network = false\n  message {\n    payload_bits = %d\n    source_id    = %t\n  }\n", payload, sourceID)
	fmt.Fprintf(&b, "  router {\n    kind           = \"programmable\"\n    preference     = %q\n", preference)
	fmt.Fprintf(&b, "    max_dimensions = %d\n    max_nodes      = %d\n    max_degree     = %d\n  }\n}\n", l[0], l[1], l[2])
	return b.String()
}

var (
	proofSize = regexp.MustCompile(`_router: (\d+) assertions, (\d+) covers`)
	prototype = limits{4, 15, 16}
)

// For all inputs, a programmable router that has been configured as its machine equals the generated router
// of that machine in every cycle. The proof works without hcgen and covers runs of any length.
func TestProgrammableRoutersAreProvedToBeTheSpecializedOnes(t *testing.T) {
	needs.Time(t)
	ring8, c6, c8 := [][2]int{{8, 1}}, [][2]int{{6, 2}}, [][2]int{{8, 3}}
	torus, cube, plane := [][2]int{{4, 1}, {2, 1}}, [][2]int{{2, 1}, {2, 1}}, [][2]int{{3, 1}, {3, 1}}
	for _, c := range []struct {
		name       string
		rings      [][2]int
		preference string
		payload    int
		sourceID   bool
		limits     limits
		always     bool // in make test, too
	}{
		{"ring8", ring8, "clockwise", 8, false, limits{1, 8, 2}, false},
		{"ring8_above", ring8, "clockwise", 8, false, limits{2, 9, 3}, false},
		{"c6_2", c6, "clockwise", 8, true, limits{1, 6, 4}, false},
		{"c6_2_above", c6, "clockwise", 8, true, limits{2, 7, 5}, true},
		{"c6_2_counterclockwise", c6, "counterclockwise", 8, false, limits{1, 6, 4}, false},
		{"c6_2_balanced", c6, "balanced", 8, false, limits{2, 7, 5}, false},
		{"c8_3", c8, "clockwise", 8, false, limits{1, 8, 6}, true}, // blocks of three links: two steps to collect them
		{"c8_3_above", c8, "counterclockwise", 8, false, limits{2, 9, 7}, false},
		{"c12_5", [][2]int{{12, 5}}, "clockwise", 8, false, limits{1, 12, 10}, false}, // three
		{"cube2", cube, "clockwise", 8, false, limits{2, 2, 2}, false},
		{"cube2_above", cube, "clockwise", 8, false, limits{3, 3, 3}, false},
		{"ring4x2", torus, "clockwise", 8, false, limits{2, 4, 3}, true},
		{"ring4x2_above", torus, "balanced", 8, true, limits{3, 5, 4}, false},
		{"torus3x3", plane, "clockwise", 8, false, limits{2, 3, 4}, false},
		{"torus3x3_above", plane, "clockwise", 8, false, limits{3, 4, 5}, false},
		{"torus4x4", [][2]int{{4, 1}, {4, 1}}, "clockwise", 32, false, limits{2, 4, 4}, false},
		{"c4_2", [][2]int{{4, 2}}, "clockwise", 8, false, limits{1, 4, 3}, false},
		{"c4_2_above", [][2]int{{4, 2}}, "clockwise", 8, false, limits{2, 5, 4}, false},
		{"two_bit", [][2]int{{2, 1}}, "clockwise", 1, false, limits{1, 2, 1}, false},
		{"ring4x2_prototype", torus, "clockwise", 8, false, prototype, false},
		{"c6_2_prototype", c6, "clockwise", 8, false, prototype, false},
	} {
		if !c.always && os.Getenv("HCGEN_EQUIVALENCE") == "" { // make campaign WHAT=equivalence
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, out := generateText(t, programmed(c.name, c.rings, c.preference, c.payload, c.sourceID, c.limits))
			proved(t, c.name, out)
		})
	}
	if os.Getenv("HCGEN_EQUIVALENCE") != "" {
		t.Run("programmable.hcl", func(t *testing.T) {
			t.Parallel()
			_, out := harness.Example(t, "programmable", nil)
			proved(t, "programmable", out)
		})
	}
}

// proved runs the proof in a folder and logs its cost.
func proved(t *testing.T, name, out string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "PROVE_TIME=1800") // however busy the machine is
	said, err := command.CombinedOutput()
	text := string(said)
	require.NoError(t, err, text)
	assert.Contains(t, text, "configured proved")
	assert.Contains(t, text, "behaviour  proved, for runs of any length")
	assert.Contains(t, text, "covers     all reached")
	assert.Contains(t, text, "PASS: "+name+"_configured, "+name+"_router: all is proved")
	size := proofSize.FindStringSubmatch(text)
	require.NotNil(t, size, text)
	t.Logf("%s: %s assertions, %s covers, %.0f s of processor", name, size[1], size[2], command.ProcessState.UserTime().Seconds()+command.ProcessState.SystemTime().Seconds())
}

// Every fault in either router, or in the computation of the constants of the machine, has a run that shows it.
func TestProofOfEquivalenceFindsFaults(t *testing.T) {
	needs.Time(t)
	// blocks of two links, and of three
	_, two := generateText(t, programmed("pair", [][2]int{{6, 2}}, "clockwise", 2, false, limits{2, 7, 5}))
	_, three := generateText(t, programmed("pair", [][2]int{{8, 3}}, "clockwise", 2, false, limits{1, 8, 6}))
	_, links := generateText(t, programmed("pair", [][2]int{{2, 1}, {2, 1}, {4, 1}}, "clockwise", 2, false, limits{3, 4, 4})) // three enter dimension 1
	for _, c := range []struct{ out, name, file, old, changed, says string }{
		{links, "a group numbers its links from 0", "rtl/hc_programmable_group.v", ".LOWEST    (DEGREE - LINKS)", ".LOWEST    (0)", "waves: "},
		{links, "the local input shares a half with links", "rtl/hc_programmable_group.v", ".ALONE     (1)", ".ALONE     (0)", "waves: "},
		{two, "a weight is computed wrong", "rtl/hc_weight.v", "antipodal ? ONE : q + more", "antipodal ? ONE : q", "pair_configured: not so: the configuration gives the constants of the plan in time"},
		{two, "ports change while the router runs", "rtl/hc_weight_engine.v", "if (shifting)", "if (shifting || state_q == OPEN && rank == 3'd0)", "pair_configured.v:"},
		{two, "the router runs unannounced", "rtl/hc_weight_engine.v", "running <= will_run;", "running <= will_run | state_q == OPEN;", "pair_configured.v:"},
		{two, "the router runs after a reset", "rtl/hc_weight_engine.v", "will_run  = !rst & (", "will_run  = (", "pair_configured.v:"},
		{two, "ports are right too late for what follows from them", "rtl/hc_weight_engine.v", "running <= will_run;", "running <= will_run; if (state_q == SETTLE) ports[0] <= 1'b1; if (state_q == FILL) ports[0] <= 1'b0;", "pair_configured: not so: the configuration gives the constants of the plan in time"},
		{two, "a mask is wrong", "rtl/hc_ring_masks.v", "<= same & opposite & farthest[q]", "<= same & opposite", "waves: "},
		{three, "a mask of farther ports is wrong", "rtl/hc_ring_masks.v", "joined_q <= ~|first[p+(1<<s):p+1];", "joined_q <= ~first[p+(1<<s)];", "waves: "},
		{three, "links hear only of the next one that continues", "rtl/hc_ring_arbiter.v", "for (step = 0; 1 << step < LONGEST - 1;", "for (step = 0; 1 << step < SPAN;", "waves: "},
		{two, "a weight above D is accepted", "rtl/hc_programmable_input.v", "wd == dimension && |wc && fits", "wd == dimension && |wc", "waves: "},
		{two, "the group keeps its turn at a ring", "rtl/hc_ring_arbiter.v", "(group_select & group_valid & enter_ready) |", "", "waves: "},
		{three, "links of a ring do not take turns", "rtl/hc_ring_arbiter.v", "passed | (winner & ~(enter_ready & valid))", "winner & ~(enter_ready & valid)", "waves: "},
		{two, "a port that the machine does not have is ready", "rtl/hc_programmable_input.v", "|dimension & will_run &", "will_run &", "waves: "},
		{two, "a port that the machine does not have holds the pace back", "rtl/hc_programmable_injection.v", "there[p] ? link_pace[2*p+:2] : pace", "link_pace[2*p+:2]", "waves: "},
		{two, "a port that has taken a message takes no other", "rtl/hc_programmable_port.v", "(rst | group_complete |", "(rst |", "waves: "},
		{two, "a message that is held is overwritten", "rtl/hc_programmable_input.v", "if (ready_q) slot_q", "slot_q", "waves: "},
		{two, "a malformed message is held", "rtl/hc_programmable_input.v", "stays   = valid & |rest", "stays   = |rest", "waves: "},
		{two, "what transfers is not marked", "rtl/hc_ring_arbiter.v", "entrant_below = transfers & valid", "entrant_below = {DEGREE{1'b0}}", "waves: "},
		{three, "a transfer from the shortest link clears no mark", "rtl/hc_ring_arbiter.v", "winner_below[p] | joined[step*DEGREE+p-(1<<step)] & winner_below[p-(1<<step)]", "winner_below[p] | (step < 1) & joined[step*DEGREE+p-(1<<step)] & winner_below[p-(1<<step)]", "waves: "},
		{two, "the group clears a mark that it should not", "rtl/hc_ring_arbiter.v", "group_request & ~block_due", "group_request", "waves: "},
		{two, "a programmable router does not hold its pace", "rtl/hc_programmable_crossbar.v", "hold           = |holds", "hold          = 1'b0", "waves: "},
		{two, "the specialized router has no bubble rule", "formal/hc_ring_port.v", "ready & !continue_request", "ready & !(continue_request & continue_valid)", "waves: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := proves(t, c.out, c.file, c.old, c.changed, "PROVE_TIME=1800", "PROVE_DEPTH=7")
			assert.False(t, ok)
			assert.Regexp(t, "FAIL: pair_(router|configured): ", text)
			assert.Contains(t, text, c.says)
			assert.Contains(t, text, "Error 3", "the exit code for a check that failed")
		})
	}
}

// The proof fails if it proves nothing about the configuration.
func TestProofOfEquivalenceFindsGaps(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	_, out := generateText(t, programmed("pair", [][2]int{{2, 1}}, "clockwise", 1, false, limits{1, 2, 1}))
	for _, after := range []string{"sed -i '/yosys-smt2-assert/d' *.wires 2>/dev/null || true\n"} {
		tool := filepath.Join(t.TempDir(), "tool")
		require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\nyosys \"$@\" || exit 1\n"+after), 0o755))
		said, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "YOSYS="+tool).CombinedOutput()
		require.Error(t, err)
		assert.Contains(t, string(said), "FAIL: pair_configured: hcgen has written 2 assertions and 0 covers, of which 0 and 0 are in the formula\n")
		assert.Contains(t, string(said), "Error 3", "the exit code for what is not proved")
	}
	text, ok := proves(t, out, "formal/pair_configured.sby", "-n ", "-m ")
	assert.False(t, ok)
	assert.Contains(t, text, "not so: Yosys can execute the configuration")
	for name, change := range map[string][2]string{
		"the writes are not the plan's": {"32'd65538}", "32'd65537}"},
		"the start is not written":      {"32'd1};  // CONTROL", "32'd0};  // CONTROL"},
	} {
		text, ok := proves(t, out, "formal/pair_configured.v", change[0], change[1])
		assert.False(t, ok, name)
		assert.Contains(t, text, "not so: the configuration gives the constants of the plan in time", name)
	}
}
