// SPDX-License-Identifier: Apache-2.0

package configs

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

	"github.com/hcgen/hcgen/machine"
)

// smallRouter has messages that enter, continue and transfer, and payloads of few bits,
// because a proof takes the longer the more there are.
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

// queuedRouter has queues at its link inputs and a delivery for each link.
var queuedRouter = options{2, machine.PerPort, 2, false, false, 2}

func generateText(t *testing.T, text string) (*machine.Machine, string) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "machine.hcl")
	require.NoError(t, os.WriteFile(config, []byte(text), 0o644))
	return generate(t, config, nil)
}

// assertProved checks that make prove, without hcgen, proves all that it is to prove, and
// returns what it printed.
func assertProved(t *testing.T, out, name string, variables ...string) string {
	t.Helper()
	arguments := append([]string{"prove", "PROVE_TIME=1800"}, variables...) // however busy the machine is
	text := runMake(t.Context(), t, out, arguments...)
	assert.Contains(t, text, "structure  proved")
	assert.Contains(t, text, "behaviour  proved, for runs of any length")
	assert.Contains(t, text, "covers     all reached")
	assert.Contains(t, text, "PASS: "+name+"_router is proved")
	return text
}

// Whatever is sent: a router with groups under a dimension and a source id, and one with
// messages that transfer.
func TestRoutersAreProved(t *testing.T) {
	for name, text := range map[string]string{"groups": netlistMachine, "transfers": smallRouter} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, out := generateText(t, text)
			text := assertProved(t, out, m.Name)

			runMake(t.Context(), t, out, "report")
			report, err := os.ReadFile(filepath.Join(out, "build", "report.html"))
			require.NoError(t, err)
			counts := regexp.MustCompile(`(\d+) assertions, (\d+) covers`).FindStringSubmatch(text)
			require.NotNil(t, counts, text)
			assert.Contains(t, string(report), fmt.Sprintf("Verdict: <strong>PASS</strong>. %s assertions, %s covers, %s of them reached.", counts[1], counts[2], counts[2]))
			for _, task := range []string{"structure", "base", "induction", "cover"} {
				assert.Regexp(t, `<th scope="row">`+task+`</th><td>passed</td><td>\d+</td>`, string(report))
			}
		})
	}
}

// With queues at the link inputs, with a delivery for each link, with both, and with a queue in
// a memory.
func TestRoutersWithOptionsAreProved(t *testing.T) {
	for _, c := range []struct {
		options
		dimensions []string
	}{
		{options{2, machine.Merged, 2, false, false, 2}, []string{"2, 1", "2, 1"}},
		{options{1, machine.PerPort, 3, false, false, 2}, []string{"2, 1", "2, 1"}},
		{options{2, machine.PerPort, 2, true, false, 2}, []string{"4, 1"}},
		{options{1, machine.Merged, 8, false, false, 16}, []string{"4, 1"}}, // in a memory
	} {
		t.Run(fmt.Sprintf("%d stages, %s, %d slots", c.stages, c.delivery, c.depth), func(t *testing.T) {
			t.Parallel()
			m, out := generate(t, optionMachine(t, c.options, c.dimensions...), nil)
			assertProved(t, out, m.Name)
		})
	}
}

// As many as hcgen says: with one port, with ports that are never fed, without two tags,
// with a queue in a memory, with one link that is both directions.
func TestAssertionsAreCounted(t *testing.T) {
	for _, c := range []struct {
		options
		dimensions []string
	}{
		{options{2, machine.PerPort, 2, true, false, 1}, []string{"2, 1"}},
		{options{1, machine.Merged, 9, false, false, 16}, []string{"5, 2"}},
		{options{2, machine.PerPort, 8, true, false, 16}, []string{"3, 1"}},
		{options{1, machine.PerPort, 2, false, false, 3}, []string{"7, 3"}},
	} {
		t.Run(strings.Join(c.dimensions, "; "), func(t *testing.T) {
			t.Parallel()
			_, out := generate(t, optionMachine(t, c.options, c.dimensions...), nil)
			text, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "SMTBMC=false").CombinedOutput()
			require.Error(t, err)
			assert.Regexp(t, "options_router: [1-9][0-9]+ assertions, [1-9][0-9]* covers\n", string(text))
			assert.Contains(t, string(text), "structure  proved")
			assert.Contains(t, string(text), "the solver came to no result")
		})
	}
}

// Yosys 0.40 and later keeps assertions as $check, until it is told to lower them.
func TestProofLowersAssertionsOfNewerYosys(t *testing.T) {
	t.Parallel()
	_, out := generate(t, optionMachine(t, queuedRouter, "2, 1"), nil)
	tool := filepath.Join(t.TempDir(), "yosys")
	require.NoError(t, os.WriteFile(tool, []byte(`#!/bin/sh
for last; do :; done
case $last in
    'help chformal') echo '    -lower' >help.log; exit ;;
    *'async2sync; chformal -lower; dffunmap'*) exec yosys "$1" "$2" "$3" "$4" "$(echo "$last" | sed 's/chformal -lower;//')" ;;
    *write_smt2*) exit 1 ;;
esac
exec yosys "$@"
`), 0o755))
	assertProved(t, out, "options", "YOSYS="+tool)
}

// proves runs the proof of a router after a change of one of its files, and returns what
// it says and whether it holds.
func proves(t *testing.T, out, file, old, changed string, variables ...string) (string, bool) {
	t.Helper()
	own := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.CopyFS(own, os.DirFS(out)))
	path := filepath.Join(own, filepath.FromSlash(file))
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(good), old), "%q is once in %s", old, file)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(good), old, changed, 1)), 0o644))
	command := exec.CommandContext(t.Context(), "make", append([]string{"-C", own, "prove"}, variables...)...)
	text, err := command.CombinedOutput()
	return string(text), err == nil
}

// A design with a fault has a run that shows it, from reset on.
func TestProofOfARouterFindsFaults(t *testing.T) {
	_, out := generateText(t, smallRouter)
	for _, c := range []struct{ name, file, old, changed string }{
		{"a copy is made twice", "rtl/hc_link_input.v", "made_q       <= (made_q | made)", "made_q       <= made"},
		{"a port takes the message of its group twice", "rtl/hc_group.v", "offer        = {PORTS{|ask}} & ~taken_q", "offer        = {PORTS{|ask}}"},
		{"a copy is lost where there is no room", "rtl/hc_entry_port.v", ".room         (room)", ".room         ()"},
		{"the weight is not counted down", "rtl/hc_link_input.v", "next_wc       = wc - 1'b1", "next_wc       = wc"},
		{"the weight on entering is wrong", "rtl/tiny_router.v", "{1'd1, 2'd2, out0_body}", "{1'd1, 2'd1, out0_body}"},
		{"a copy has the payload of another message", "rtl/hc_ring_port.v", "continue_q <= continue_word", "continue_q <= enter_word"},
		{"bits of a payload change places", "rtl/tiny_router.v", "in1_body = s_axis_link_tdata[8:6]", "in1_body = {s_axis_link_tdata[7], s_axis_link_tdata[8], s_axis_link_tdata[6]}"},
		{"a malformed message is forwarded", "rtl/hc_link_input.v", "accept = wd == DIMENSION && wc != {WC_BITS{1'b0}} && wc <= LARGEST", "accept = wd == DIMENSION && wc != {WC_BITS{1'b0}}"},
		{"a dropped message is not counted", "rtl/hc_link_input.v", "header_error <= s_axis_tvalid & !accept", "header_error <= s_axis_tvalid & !accept & |wc"},
		{"valid drops", "rtl/hc_ring_port.v", "if (load) output_full_q <= first ? continues : enters;", "output_full_q <= load & (first ? continues : enters);"},
		{"a payload changes while it waits", "rtl/hc_ring_port.v", "if (load) output_q <= chosen;", "output_q <= chosen;"},
		{"ready before the last copy", "rtl/hc_link_input.v", "&(made_q | made | ~wanted)", "|(made_q | made | ~wanted)"},
		{"the bubble rule is ignored", "rtl/hc_ring_port.v", "first    = continue_full_q | continue_ask", "first    = continue_full_q | (continue_ask & continue_accept)"},
		{"a message that waits is left over by reset", "rtl/hc_ring_port.v", "            enter_full_q    <= 1'b0;\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := proves(t, out, c.file, c.old, c.changed, "PROVE_TIME=1800", "PROVE_DEPTH=7")
			assert.False(t, ok)
			assert.Contains(t, text, "FAIL: tiny_router: ")
			assert.Contains(t, text, "waves: ")
			assert.Contains(t, text, "Error 3", "the exit code for a check that failed")
		})
	}
}

// The same with queues at the inputs and with deliveries for each link.
func TestProofOfARouterWithOptionsFindsFaults(t *testing.T) {
	_, out := generate(t, optionMachine(t, queuedRouter, "4, 1"), nil)
	for _, c := range []struct{ name, file, old, changed string }{
		{"ready with both slots full", "rtl/hc_queued_input.v", "s_axis_tready = !waits_q", "s_axis_tready = 1'b1"},
		{"not ready with a slot free", "rtl/hc_queued_input.v", "s_axis_tready = !waits_q", "s_axis_tready = !waits_q & !ask_q[0]"},
		{"the head has the payload of the message behind it", "rtl/hc_queued_input.v", "head_body     = odd_q ?", "head_body     = !odd_q ?"},
		{"the head has the weight of the message behind it", "rtl/hc_queued_input.v", "head_next_wc = odd_q ?", "head_next_wc = !odd_q ?"},
		{"the message behind the head goes on as what arrives", "rtl/hc_queued_input.v", "{waits_q ? waits_on_q : s_axis_tvalid & arrives_on,", "{s_axis_tvalid & arrives_on,"},
		{"a copy is made twice", "rtl/hc_queued_input.v", "next_ask : ask_q & ~made", "next_ask : ask_q"},
		{"the head leaves before the last copy", "rtl/hc_queued_input.v", "&(~ask_q | made)", "|(~ask_q | made)"},
		{"a malformed message is forwarded", "rtl/hc_queued_input.v", "wc != {WC_BITS{1'b0}} && wc <= LARGEST", "wc != {WC_BITS{1'b0}}"},
		{"a malformed message stays", "rtl/hc_queued_input.v", "leave = !accept_q | &(", "leave = &("},
		{"a dropped message is not counted", "rtl/hc_queued_input.v", "header_error <= ask_q[0] & !accept_q", "header_error <= ask_q[0] & !accept_q & !waits_q & s_axis_tvalid"},
		{"a message in the queue is left over by reset", "rtl/hc_queued_input.v", "            ask_q        <= {TARGETS{1'b0}};\n", ""},
		{"deliveries of two links change places", "rtl/options_router.v", ".bodies({in1_body, in0_body})", ".bodies({in0_body, in1_body})"},
		{"a delivery is lost where there is no room", "rtl/hc_port_delivery.v", "made[i] = ask[i] & room", "made[i] = ask[i]"},
		{"a malformed message is delivered", "rtl/hc_port_delivery.v", "(made[i] & accept[i])", "(made[i])"},
		{"what is delivered behind another is lost", "rtl/hc_port_delivery.v", "(bodies[i*WIDTH+:WIDTH])", "(m_axis_tvalid[i] ? {WIDTH{1'b0}} : bodies[i*WIDTH+:WIDTH])"},
		{"a link's delivery waits for the other's", "rtl/hc_port_delivery.v", ".write        (made[i] & accept[i])", ".write        (made[i] & accept[i] & made[0])"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := proves(t, out, c.file, c.old, c.changed, "PROVE_TIME=1800", "PROVE_DEPTH=7")
			assert.False(t, ok)
			assert.Contains(t, text, "FAIL: options_router: ")
			assert.Contains(t, text, "waves: ")
			assert.Contains(t, text, "Error 3", "the exit code for a check that failed")
		})
	}
}

// Where induction does not reach, the script says how many cycles were searched, as many as
// the covers take, and why there is no proof. That is accepted only if it is asked for, and only if
// there was no time: an induction that does not hold may be a fault of later cycles.
func TestProofThatInductionDoesNotReachIsBounded(t *testing.T) {
	t.Parallel()
	_, out := generate(t, optionMachine(t, options{1, machine.Merged, 2, false, false, 2}, "4, 1"), nil)
	weaken := []string{"formal/hc_prove_group.v", "assert (taken == 0 ||", "assert (live || taken == 0 ||"}
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
		told := regexp.MustCompile(`BOUNDED: options_router: nothing fails in the first (\d+) cycles after reset, but not all is proved: ` + c.why + `\n`).FindStringSubmatch(text)
		require.NotNil(t, told, text)
		bound, err := strconv.Atoi(told[1])
		require.NoError(t, err)
		assert.Greater(t, bound, 2, "no cover is reached in so few cycles as were asked for")
		assert.Contains(t, text, "NOT PROVED ("+c.why+"): holds for the first "+told[1]+" cycles after reset")
		assert.NotContains(t, text, "PASS")
		assert.Equal(t, !c.passes, strings.Contains(text, "Error 3"))
	}
	text, ok := proves(t, out, weaken[0], weaken[1], weaken[2], "PROVE_ACCEPT=anything")
	assert.False(t, ok)
	assert.Contains(t, text, `PROVE_ACCEPT is proved or bounded, not "anything"`)
	assert.Contains(t, text, "Error 2")
}

// The bound counts cycles after reset: what fails in the last of them is found, a cycle later not.
func TestBoundCountsCyclesAfterReset(t *testing.T) {
	t.Parallel()
	_, out := generate(t, optionMachine(t, options{1, machine.Merged, 2, false, false, 2}, "2, 1"), nil)
	for _, cycle := range []int{6, 7} { // after reset, from 1 on
		const header = "header_error <= s_axis_tvalid & !accept;"
		text, ok := proves(t, out, "rtl/hc_link_input.v", header, fmt.Sprintf(`begin : late
                reg [4:0] n;
                n = rst ? 5'd0 : n + !(&n);
                header_error <= s_axis_tvalid & !accept | n == 5'd%d;
            end`, cycle-1), "PROVE_TIME=1800", "PROVE_DEPTH=6", "PROVE_ACCEPT=bounded")
		assert.False(t, ok)
		if cycle == 6 {
			assert.Contains(t, text, "FAIL: options_router: ")
			continue
		}
		assert.Contains(t, text, "BOUNDED: options_router: nothing fails in the first 6 cycles after reset, but not all is proved: induction does not hold\n")
	}
}

// The solver may be a path, and the folder may have a name that cannot stand in PATH: the formula
// reaches the solver as variables and equations all the same.
func TestSolverOfAProofMayBeAPath(t *testing.T) {
	t.Parallel()
	_, made := generate(t, optionMachine(t, options{1, machine.Merged, 2, false, false, 2}, "2, 1"), nil)
	out := filepath.Join(t.TempDir(), "a:b $c")
	require.NoError(t, os.CopyFS(out, os.DirFS(made)))
	stand := t.TempDir() // tells what it is asked
	require.NoError(t, os.WriteFile(filepath.Join(stand, "z3"), []byte("#!/bin/sh\necho \"asked $0\"\ncat\n"), 0o755))
	require.NoError(t, os.CopyFS(filepath.Join(out, "own"), os.DirFS(stand)))
	asks := filepath.Join(stand, "smtbmc")
	require.NoError(t, os.WriteFile(asks, []byte(`#!/bin/sh
for last; do
    [ "$before" != -s ] || solver=$last
    before=$last
done
echo '(define-fun |UNROLL#1| () Bool true)' | "$solver" -smt2 -in
exit 1
`), 0o755))
	for _, c := range []struct{ solver, asked string }{
		{filepath.Join(stand, "z3"), filepath.Join(stand, "z3")},
		{"./own/z3", "own/z3"},
	} {
		text, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "SMTBMC="+asks, "SOLVER="+c.solver).CombinedOutput()
		require.Error(t, err)
		assert.Regexp(t, "asked .*"+regexp.QuoteMeta(c.asked)+"\n", string(text))
		assert.Contains(t, string(text), "(declare-fun |UNROLL#1| () Bool)\n(assert (= |UNROLL#1| true))\n")
		assert.Contains(t, string(text), "Error 3")
	}
	// no program, so that what stands before the solver would be passed by
	text, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "SOLVER=echo").CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(text), `prove.sh: error: SOLVER is "echo", in place of which`)
	assert.Contains(t, string(text), "hint: SOLVER is the name of a solver that yosys-smtbmc knows")
	assert.Contains(t, string(text), "Error 2")
	for _, solver := range []string{"/no/such/z3", "own"} {
		text, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "SOLVER="+solver).CombinedOutput()
		require.Error(t, err)
		assert.Contains(t, string(text), solver+" is not installed")
		assert.Contains(t, string(text), "Error 4")
	}
}

// What is seen from the wires alone, and that the proof notices when it proves nothing.
func TestProofOfARouterFindsWiresAndGaps(t *testing.T) {
	t.Parallel()
	_, out := generateText(t, smallRouter)
	text, ok := proves(t, out, "rtl/hc_delivery.v", "assign made = {SOURCES{room}} & select;",
		"assign made = {SOURCES{room & !bodies[0]}} & select;")
	assert.False(t, ok)
	assert.Contains(t, text, "a payload reaches a header, valid or ready")

	text, ok = proves(t, out, "rtl/hc_ring_port.v", "assign m_axis_tvalid = output_full_q;", "assign m_axis_tvalid = output_full_q & m_axis_tready;")
	assert.False(t, ok)
	assert.Contains(t, text, "or a tready of an output another output in its cycle")

	text, ok = proves(t, out, "rtl/hc_delivery.v", "assign made = {SOURCES{room}} & select;",
		"assign made = {SOURCES{room & m_axis_tready}} & select;")
	assert.False(t, ok)
	assert.Contains(t, text, "or a tready of an output another output in its cycle", "a ready that follows another")

	text, ok = proves(t, out, "formal/tiny_structure.ys", "opt_clean -purge", "opt_clean -pruge")
	assert.False(t, ok)
	assert.Contains(t, text, "Yosys cannot look at the wires")

	text, ok = proves(t, out, "rtl/hc_ring_port.v", "reg                 enter_full_q;", "reg [1:0]           enter_full_q;")
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: tiny_router: ")

	text, ok = proves(t, out, "formal/hc_prove_local.v", "        if (asked_q) assert (open);\n", "")
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: tiny_router: hcgen has written 155 asserts, but 154 were read\n")
	text, ok = proves(t, out, "formal/hc_prove_local.v", "    always @* cover (live && waits && tready);\n", "")
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: tiny_router: hcgen has written 15 covers, but 14 were read\n")

	// tools that leave something out
	for _, c := range []struct{ variable, script, says string }{
		{"YOSYS", "yosys \"$@\" || exit 1\nrm -f proof.smt2\n", "UNKNOWN: tiny_router: Yosys left no formula\n"},
		{"YOSYS", "yosys \"$@\" || exit 1\nrm -f prepare.log\n", "UNKNOWN: tiny_router: Yosys left no log\n"},
		{"YOSYS", "yosys \"$@\" || exit 1\n[ ! -e proof.smt2 ] || sed -i '/yosys-smt2-assert/d' proof.smt2\n", "FAIL: tiny_router: 155 asserts were read, but 0 are in the formula\n"},
		{"SMTBMC", "yosys-smtbmc \"$@\" | sed 's/Reached cover statement/passed/'\n", "FAIL: tiny_router: 0 of 15 covers are reached\n"},
		{"YOSYS", "yosys \"$@\" || exit 1\n[ ! -e cover.smt2 ] || sed -i '/yosys-smt2-cover/d' cover.smt2\n", "FAIL: tiny_router: 15 covers were read, but 0 are in the formula\n"},
	} {
		tool := filepath.Join(t.TempDir(), "tool")
		require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\n"+c.script), 0o755))
		said, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", c.variable+"="+tool).CombinedOutput()
		require.Error(t, err)
		assert.Contains(t, string(said), c.says)
		assert.Contains(t, string(said), "Error 3", "the exit code for what is not proved")
	}

	// a solver, or what stands before it, that says unsat to all that is asked of the assertions
	z3, err := exec.LookPath("z3")
	require.NoError(t, err)
	liar := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(liar, "z3"), []byte(fmt.Sprintf(`#!/bin/sh
[ "$1" != --version ] && [ ! -e cover.log ] || exec %s "$@"
while read -r line; do
    [ "$line" != "(check-sat)" ] || echo unsat
done
`, z3)), 0o755))
	lies := exec.CommandContext(t.Context(), "make", "-C", out, "prove")
	lies.Env = append(os.Environ(), "PATH="+liar+":"+os.Getenv("PATH"))
	said, err := lies.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(said), "UNKNOWN: tiny_router: the solver says that there is no run at all")
	assert.NotContains(t, string(said), "PASS")
	assert.Contains(t, string(said), "Error 3")

	command := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "SOLVER=no-such-solver")
	missing, err := command.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(missing), "no-such-solver is not installed")
	assert.Contains(t, string(missing), "Error 4", "the exit code for a missing tool")
}
