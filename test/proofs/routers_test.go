// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// smallRouter has messages that enter, continue and transfer, and payloads of few bits, because the time of a
// proof grows with them.
const smallRouter = `
machine "tiny" {
  dimension "x" {
    m   = 6
    rho = 2
  }
  message {
    payload_bits = 3
  }
}
`

// stagedRouter has two stages, so two slots at its link inputs, and a delivery for each link.
var stagedRouter = harness.With(2, machine.PerPort, 2, false, false, 2)

func generateText(t *testing.T, text string) (*machine.Machine, string) {
	t.Helper()
	return harness.Generate(t, harness.Text(t, text), nil)
}

// assertProved checks that make prove, without hcgen, proves everything, and returns its
// output.
func assertProved(t *testing.T, out, name string, variables ...string) string {
	t.Helper()
	arguments := append([]string{"prove", "PROVE_TIME=1800"}, variables...) // enough for a busy machine
	text := harness.Make(t.Context(), t, out, arguments...)
	assert.Contains(t, text, "structure  proved")
	assert.Contains(t, text, "behaviour  proved, for runs of any length")
	assert.Contains(t, text, "covers     all reached")
	assert.Regexp(t, `PASS: (.*, )?`+name+`_router(, .*)?: all is proved`, text)
	return text
}

// For all messages: a router with groups below a dimension and a source id, and a router with messages that
// transfer.
func TestRoutersAreProved(t *testing.T) {
	needs.Time(t)
	for name, text := range map[string]string{"groups": harness.Groups, "transfers": smallRouter} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, out := generateText(t, text)
			text := assertProved(t, out, m.Name)

			harness.Make(t.Context(), t, out, "report")
			report, err := os.ReadFile(filepath.Join(out, "build", "report.html"))
			require.NoError(t, err)
			counts := regexp.MustCompile(`(\d+) assertions, (\d+) covers`).FindStringSubmatch(text)
			require.NotNil(t, counts, text)
			assert.Contains(t, string(report), fmt.Sprintf("%s_router: PASS. %s assertions, %s covers, %s of them reached.", m.Name, counts[1], counts[2], counts[2]))
			for _, task := range []string{"network script", "router script", "router base", "router induction", "router cover"} {
				assert.Regexp(t, `<th scope="row">`+m.Name+"_"+task+`</th><td>passed</td><td>\d+</td>`, string(report))
			}
		})
	}
}

// With two stages, with a delivery for each link, with both, and with many slots.
func TestRoutersWithOptionsAreProved(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		options    harness.Options
		dimensions []string
	}{
		{harness.With(2, machine.Merged, 2, false, false, 2), []string{"2, 1", "2, 1"}},
		{harness.With(1, machine.PerPort, 3, false, false, 2), []string{"2, 1", "2, 1"}},
		{harness.With(2, machine.PerPort, 2, true, false, 2), []string{"4, 1"}},
		{harness.With(2, machine.Merged, 16, false, false, 2), []string{"4, 1"}},
	} {
		t.Run(fmt.Sprintf("%d stages, %s, %d slots", c.options.Stages, c.options.Delivery, c.options.FifoDepth), func(t *testing.T) {
			t.Parallel()
			m, out := harness.Generate(t, c.options.Machine(t, c.dimensions...), nil)
			assertProved(t, out, m.Name)
		})
	}
}

// The number of assertions is that of hcgen: with one port, with ports that are never fed, with a single tag,
// with many slots, with a link for both directions.
func TestAssertionsAreCounted(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		options    harness.Options
		dimensions []string
	}{
		{harness.With(2, machine.PerPort, 2, true, false, 1), []string{"2, 1"}},
		{harness.With(1, machine.Merged, 9, false, false, 16), []string{"5, 2"}},
		{harness.With(2, machine.PerPort, 8, true, false, 16), []string{"3, 1"}},
		{harness.With(1, machine.PerPort, 2, false, false, 3), []string{"7, 3"}},
		{harness.With(1, machine.Merged, 2, false, false, 3), []string{"4, 2", "2, 1"}},
	} {
		t.Run(strings.Join(c.dimensions, "; "), func(t *testing.T) {
			t.Parallel()
			_, out := harness.Generate(t, c.options.Machine(t, c.dimensions...), nil)
			text, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "SMTBMC=false").CombinedOutput()
			require.Error(t, err)
			assert.Regexp(t, "options_router: [1-9][0-9]+ assertions, [1-9][0-9]* covers\n", string(text))
			assert.Contains(t, string(text), "structure  proved")
			assert.Contains(t, string(text), "the solver came to no result")
		})
	}
}

// A property or a lane that is lost on the way to the solver is missed by its number.
func TestMissingPropertiesAreFound(t *testing.T) {
	_, out := harness.Generate(t, stagedRouter.Machine(t, "2, 1"), nil)
	for name, change := range map[string][3]string{
		"a property": {"formal/hc_prove_pace.v", "        assert (pace == ticks);\n", ""},
		"a section":  {"formal/hc_prove_local.v", "        assert (!tready || (tvalid && open));\n        assert (!requested_q || open);\n", "`ifdef NEVER\n        assert (!tready || (tvalid && open));\n        assert (!requested_q || open);\n`endif\n"},
		"a lane":     {"formal/hc_prove_output.v", "for (m = 0; m < MARKS; m = m + 1) begin : mark", "for (m = 1; m < MARKS; m = m + 1) begin : mark"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, ok := proveClaims(t, changed(t, out, change), "_router.sby")
			assert.False(t, ok, text)
			assert.Regexp(t, `FAIL: options_router: not so: Yosys has made the (\d+) assertions and \d+ covers that hcgen has written \(Assertion failed: selection contains \d+ elements instead of the asserted (\d+)`, text)
			assert.Contains(t, text, "Error 3")
		})
	}
}

// Yosys 0.40 and later keeps assertions as $check until chformal -lower.
func TestProofLowersAssertionsOfNewerYosys(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	_, out := harness.Generate(t, stagedRouter.Machine(t, "2, 1"), nil)
	tool := filepath.Join(t.TempDir(), "yosys")
	require.NoError(t, os.WriteFile(tool, []byte(`#!/bin/sh
case $2 in
    'help chformal') echo '    -lower'; exit ;;
    *'async2sync; chformal -lower; dffunmap;'*) exec yosys -p "$(echo "$2" | sed 's/chformal -lower;//')" ;;
    *write_smt2*) exit 1 ;;
esac
exec yosys "$@"
`), 0o755))
	assertProved(t, out, "options", "YOSYS="+tool)
}

// fault is a change of one file of a router.
type fault struct{ name, file, old, changed string }

// findsFaults checks that the proof of a router fails after each of the changes.
func findsFaults(t *testing.T, out, router string, faults []fault) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			text, ok := proves(t, out, f.file, f.old, f.changed, "PROVE_TIME=1800", "PROVE_DEPTH=7")
			assert.False(t, ok)
			assert.Contains(t, text, "FAIL: "+router+": ")
			assert.Regexp(t, "waves: |a register has another width than the proof expects", text, "there are waves, unless no proof began")
			assert.Contains(t, text, "Error 3", "the exit code for a check that failed")
		})
	}
}

// proves runs the proof of a router after a change of one of its files, and returns its output and whether it
// holds.
func proves(t *testing.T, out, file, old, replaced string, variables ...string) (string, bool) {
	t.Helper()
	own := changed(t, out, [3]string{file, old, replaced})
	command := exec.CommandContext(t.Context(), "make", append([]string{"-C", own, "prove"}, variables...)...)
	text, err := command.CombinedOutput()
	return string(text), err == nil
}

// Every faulty design has a run from reset that shows the fault.
func TestProofOfARouterFindsFaults(t *testing.T) {
	needs.Time(t)
	_, out := generateText(t, smallRouter)
	findsFaults(t, out, "tiny_router", []fault{
		{"a copy is made twice", "rtl/hc_link_input.v", "rest   = request & ~grant &", "rest   = request &"},
		{"a port takes the message of its group twice", "rtl/hc_group.v", "port_request = {PORTS{|request}} & ~done_q", "port_request        = {PORTS{|request}}"},
		{"a copy is lost where there is no room", "rtl/hc_output.v", "full_q <= valid | !ready", "full_q <= valid"},
		{"the weight is not counted down", "rtl/hc_link_input.v", "link_word    = {wc - 1'b1, body}", "link_word    = {wc, body}"},
		{"the weight on entering is wrong", "rtl/tiny_router.v", "{1'd1, 2'd2, out0_body}", "{1'd1, 2'd1, out0_body}"},
		{"a copy has the payload of another message", "rtl/hc_ring_port.v", "continue_request ? continue_word : enter_word", "continue_request & ~|enter_request ? continue_word : enter_word"},
		{"bits of a payload change places", "rtl/tiny_router.v", ".body(s_axis_link_tdata[8:6])", ".body({s_axis_link_tdata[7], s_axis_link_tdata[8], s_axis_link_tdata[6]})"},
		{"a malformed message is forwarded", "rtl/hc_link_input.v", "assign valid     = !bypass | well_formed", "assign valid    = !bypass | 1'b1"},
		{"a malformed message is queued", "rtl/hc_link_input.v", "rest   = request & ~grant & {TARGETS{valid}}", "rest   = request & ~grant"},
		{"a dropped message is not counted", "rtl/hc_link_input.v", "s_axis_tready & !well_formed", "s_axis_tready & !well_formed & |wc"},
		{"a payload changes while it waits", "rtl/hc_output.v", "if (ready) data_q", "data_q"},
		{"done before the last copy", "rtl/hc_link_input.v", "stays  = |rest", "stays  = &rest"},
		{"ready without a slot", "rtl/hc_link_input.v", "s_axis_tready = free_q[SLOTS-1]", "s_axis_tready = free_q[SLOTS-1] | pending_q[0]"},
		{"the bubble rule is ignored", "rtl/hc_ring_port.v", "enter_ready   = ready & !continue_request", "enter_ready  = ready & !(continue_request & continue_valid)"},
		{"a message that waits is left over by reset", "rtl/hc_output.v", "        if (rst) full_q <= 1'b0;\n", ""},
		{"the local input asks without credit", "rtl/tiny_router.v", ".open(local_open),\n        .request", ".open(1'b1),\n        .request"},
		{"paces of two ports change places", "rtl/tiny_router.v", ".link_pace(link_pace)", ".link_pace({link_pace[7:4], link_pace[3:2], link_pace[3:2]})"},
		{"a held pace ticks", "rtl/hc_pace.v", " & !hold", ""},
		{"a turn of another length", "rtl/tiny_router.v", ".TURN(1)", ".TURN(2)"},
		{"one ring port does not hold the pace", "rtl/tiny_router.v", ".hold(|{out3_hold, out1_hold})", ".hold(out1_hold)"},
		{"a message that transfers is not marked", "rtl/hc_ring_port.v", ".waiting((|(enter_request & enter_valid))", ".waiting((enter_request[0] & enter_valid[0])"},
		{"a malformed message is marked", "rtl/hc_ring_port.v", ".waiting((|(enter_request & enter_valid))", ".waiting((|enter_request)"},
		{"a message that is blocked passes", "rtl/hc_ring_port.v", "continue_request & continue_valid & ready", "continue_request & continue_valid"},
		{"a mark outlives its entrant", "rtl/hc_ring_mark.v", "waiting & (twice_q |", "(twice_q |"},
		{"a message is injected that is not", "rtl/tiny_router.v", ".inject(s_axis_local_tvalid & s_axis_local_tready)", ".inject(s_axis_local_tvalid)"},
	})
}

// The same with two slots at the inputs, without bypass, and with deliveries for each link.
func TestProofOfARouterWithOptionsFindsFaults(t *testing.T) {
	needs.Time(t)
	_, out := harness.Generate(t, stagedRouter.Machine(t, "4, 1"), nil)
	findsFaults(t, out, "options_router", []fault{
		{"ready with both slots full", "rtl/hc_link_input.v", "s_axis_tready = free_q[SLOTS-1]", "s_axis_tready = 1'b1"},
		{"not ready with a slot free", "rtl/hc_link_input.v", "s_axis_tready = free_q[SLOTS-1]", "s_axis_tready = free_q[0]"},
		{"the message behind the head goes on as what arrives", "rtl/hc_link_input.v", "next_targets = waits ? waiting_targets :", "next_targets = waits ? link_targets :"},
		{"the message behind the head is passed", "rtl/hc_link_input.v", "next_word    = waits ? slots_q[WORD_BITS-1:0] : link_word", "next_word    = link_word"},
		{"the message behind the head is overwritten", "rtl/hc_link_input.v", "if (free_q[n] | !stays) slots_q", "if (s_axis_tvalid) slots_q"},
		{"the head leaves before the last copy", "rtl/hc_link_input.v", "stays  = |rest", "stays  = &rest"},
		{"a malformed message comes to the head", "rtl/hc_link_input.v", "arrival = s_axis_tvalid & s_axis_tready & well_formed", "arrival = s_axis_tvalid & s_axis_tready"},
		{"a message passes the slots", "rtl/hc_link_input.v", "bypass = BYPASS != 0 && free_q[0]", "bypass = free_q[0]"},
		{"a message in the queue is left over by reset", "rtl/hc_link_input.v", "            pending_q    <= {TARGETS{1'b0}};\n", ""},
		{"deliveries of two links change places", "rtl/options_router.v", ".bodies({in1_body, in0_body})", ".bodies({in0_body, in1_body})"},
		{"a malformed message is delivered", "rtl/hc_link_input.v", "well_formed = wd == DIMENSION && wc != {WC_BITS{1'b0}} && wc <= LARGEST", "well_formed = wd == DIMENSION && wc != {WC_BITS{1'b0}}"},
		{"a link's delivery waits for the other's", "rtl/hc_port_delivery.v", "(request[i] & valid[i])", "(request[i] & valid[i] & grant[0])"},
	})
}

// Where the induction gives no result, the script reports the number of cycles that were searched, which is enough
// for the covers, and the reason. That is accepted only on request, and only if the time ran out: an induction
// that does not hold may mean a fault in later cycles.
func TestProofThatInductionDoesNotReachIsBounded(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	_, out := harness.Generate(t, harness.With(1, machine.Merged, 2, false, false, 2).Machine(t, "4, 1"), nil)
	weaken := []string{"formal/hc_prove_group.v", "assert (done == 0 ||", "assert (live || done == 0 ||"}
	stopped := filepath.Join(t.TempDir(), "smtbmc") // as timeout ends it
	require.NoError(t, os.WriteFile(stopped, []byte("#!/bin/sh\ncase \"$*\" in *' -i '*) exit 124 ;; esac\nexec yosys-smtbmc \"$@\"\n"), 0o755))
	for _, c := range []struct {
		accept, smtbmc, why string
		passes              bool
	}{
		{"bounded", "yosys-smtbmc", "induction does not hold", false},
		{"proved", stopped, "induction has no result in 1800 s", false},
		{"bounded", stopped, "induction has no result in 1800 s", true},
	} {
		text, ok := proves(t, out, weaken[0], weaken[1], weaken[2], "PROVE_TIME=1800", "PROVE_DEPTH=2", "PROVE_ACCEPT="+c.accept, "SMTBMC="+c.smtbmc)
		assert.Equal(t, c.passes, ok, text)
		matched := regexp.MustCompile(`BOUNDED: options_router: nothing fails in the first (\d+) cycles after reset, but not all is proved: ` + c.why + `(; .*)?\n`).FindStringSubmatch(text)
		require.NotNil(t, matched, text)
		bound, err := strconv.Atoi(matched[1])
		require.NoError(t, err)
		assert.Greater(t, bound, 2, "no cover is reached in so few cycles as were asked for")
		assert.Contains(t, text, "NOT PROVED ("+c.why+"): holds for the first "+matched[1]+" cycles after reset")
		assert.Equal(t, c.smtbmc == stopped, strings.Contains(text, "; options_rings1: nothing fails in the first "), text)
		assert.NotContains(t, text, "PASS")
		assert.Equal(t, !c.passes, strings.Contains(text, "Error 3"))
	}
	text, ok := proves(t, out, weaken[0], weaken[1], weaken[2], "PROVE_ACCEPT=anything")
	assert.False(t, ok)
	assert.Contains(t, text, `PROVE_ACCEPT is proved or bounded, not "anything"`)
	assert.Contains(t, text, "Error 2")
}

// The bound counts cycles after reset: a failure in the last cycle is found, a failure one cycle later is not.
func TestBoundCountsCyclesAfterReset(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	_, out := harness.Generate(t, harness.With(1, machine.Merged, 2, false, false, 2).Machine(t, "2, 1"), nil)
	for _, cycle := range []int{6, 7} { // after reset, from 1 on
		const header = "header_error <= s_axis_tvalid & s_axis_tready & !well_formed;"
		text, ok := proves(t, out, "rtl/hc_link_input.v", header, fmt.Sprintf(`begin : late
                reg [4:0] n;
                n = rst ? 5'd0 : n + !(&n);
                header_error <= s_axis_tvalid & s_axis_tready & !well_formed | n == 5'd%d;
            end`, cycle-1), "PROVE_TIME=1800", "PROVE_DEPTH=6", "PROVE_ACCEPT=bounded")
		assert.False(t, ok)
		if cycle == 6 {
			assert.Contains(t, text, "FAIL: options_router: ")
			continue
		}
		assert.Contains(t, text, "BOUNDED: options_router: nothing fails in the first 6 cycles after reset, but not all is proved: induction does not hold\n")
	}
}

// Faults that are visible from the wires alone, and a proof that proves nothing, which must fail.
func TestProofOfARouterFindsWiresAndGaps(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	_, out := generateText(t, smallRouter)
	text, ok := proves(t, out, "rtl/hc_delivery.v", "assign grant = {SOURCES{ready}} & select;",
		"assign grant = {SOURCES{ready & !bodies[0]}} & select;")
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: tiny_router: not so: payloads decide nothing")

	text, ok = proves(t, out, "formal/tiny_router.sby", "opt_clean -purge", "opt_clean -pruge")
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: tiny_router: not so: Yosys can look at the wires")

	text, ok = proves(t, out, "rtl/hc_output.v", "reg                 full_q;", "reg [1:0]       full_q;")
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: tiny_router: ")

	text, ok = proves(t, out, "formal/hc_prove_local.v", "        assert (!requested_q || open);\n", "")
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: tiny_router: not so: Yosys has made the 169 assertions and 22 covers that hcgen has written (Assertion failed: selection contains 168 elements")
	text, ok = proves(t, out, "formal/hc_prove_local.v", "    always @* cover (live && waits && tready);\n", "")
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: tiny_router: not so: Yosys has made the 169 assertions and 22 covers that hcgen has written (Assertion failed: selection contains 21 elements")

	// tools that leave something out
	for _, c := range []struct{ variable, script, says string }{
		{"YOSYS", "yosys \"$@\" || exit 1\nrm -f tiny_router.wires\n", "UNKNOWN: tiny_router: tiny_router.wires is no formula that can be cut\n"},
		{"YOSYS", "yosys \"$@\" || exit 1\n[ ! -e tiny_router.wires ] || sed -i '/_h| /d' tiny_router.wires\n", "UNKNOWN: tiny_router: tiny_router.wires is no formula that can be cut\n"},
		{"YOSYS", "yosys \"$@\" || exit 1\n[ ! -e tiny_router.wires ] || sed -i '/yosys-smt2-assert/d' tiny_router.wires\n", "of which 0 and 22 are in the formula\n"},
		{"SMTBMC", "yosys-smtbmc \"$@\" | sed 's/Reached cover statement/passed/'\n", "FAIL: tiny_router: 0 of 22 covers are reached: "},
		{"YOSYS", "yosys \"$@\" || exit 1\n[ ! -e tiny_router.cover.wires ] || sed -i '/yosys-smt2-cover/d' tiny_router.cover.wires\n", "of which 169 and 0 are in the formula\n"},
	} {
		tool := filepath.Join(t.TempDir(), "tool")
		require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\n"+c.script), 0o755))
		said, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", c.variable+"="+tool).CombinedOutput()
		require.Error(t, err)
		assert.Contains(t, string(said), c.says)
		assert.Contains(t, string(said), "Error 3", "the exit code for what is not proved")
	}

	// a solver that answers unsat to every question about assertions
	z3, err := exec.LookPath("z3")
	require.NoError(t, err)
	liar := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(liar, "z3"), []byte(fmt.Sprintf(`#!/bin/sh
[ "$1" != --version ] || exec %s "$@"
while read -r line; do
    [ "$line" != "(check-sat)" ] || echo unsat
done
`, z3)), 0o755))
	lies := exec.CommandContext(t.Context(), "make", "-C", out, "prove")
	lies.Env = append(os.Environ(), "PATH="+liar+":"+os.Getenv("PATH"))
	said, err := lies.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(said), "UNKNOWN: tiny_router: the solver came to no result")
	assert.Contains(t, string(said), "Assumptions are unsatisfiable!")
	assert.NotContains(t, string(said), "PASS")
	assert.Contains(t, string(said), "Error 3")

	command := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "SOLVER=no-such-solver")
	missing, err := command.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(missing), "no-such-solver is not installed")
	assert.Contains(t, string(missing), "Error 4", "the exit code for a missing tool")
}
