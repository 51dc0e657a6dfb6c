// SPDX-License-Identifier: Apache-2.0

package benches

import (
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

// systems are machines with endpoints.
var systems = map[string]string{
	"box": "machine \"system\" {\n dimension \"x\" {\n m = 2\n rho = 1\n }\n dimension \"y\" {\n m = 2\n rho = 1\n }\n endpoint {\n bus = \"wishbone\"\n address_bits = 11\n }\n }\n",
	// A digit can be illegal, and a link has registers.
	"ring": "machine \"system\" {\n dimension \"x\" {\n m = 3\n rho = 1\n " + twoRegisters + "}\n endpoint {\n bus = \"axi4lite\"\n address_bits = 8\n }\n }\n",
	// All messages are puts, and the system has a collective network.
	"puts": "machine \"system\" {\n dimension \"x\" {\n m = 3\n rho = 1\n }\n endpoint {\n bus = \"axi4lite\"\n address_bits = 8\n gets = false\n adds = false\n }\n collective \"sum\" {\n operation = \"all-reduce\"\n operator = \"add\"\n payload_bits = 8\n }\n }\n",
	// Two chips of two nodes, and four of one, with cables of two kinds.
	"boxes": "machine \"system\" {\n dimension \"x\" {\n m = 2\n rho = 1\n }\n dimension \"y\" {\n m = 2\n rho = 1\n " + betweenChips("") + "}\n endpoint {\n bus = \"wishbone\"\n address_bits = 9\n timeout = 2048\n }\n }\n",
	"chips": "machine \"system\" {\n dimension \"x\" {\n m = 2\n rho = 1\n " + betweenChips("word_bits = 8\n ") + "}\n dimension \"y\" {\n m = 2\n rho = 1\n " + betweenChips("") + "}\n endpoint {\n bus = \"axi4lite\"\n address_bits = 8\n timeout = 2048\n }\n }\n",
	"adds":  "machine \"system\" {\n dimension \"x\" {\n m = 2\n rho = 1\n }\n endpoint {\n bus = \"wishbone\"\n address_bits = 9\n gets = false\n }\n }\n",
}

// simSystem runs both benches of the system in an output folder.
func simSystem(t *testing.T, out string, arguments ...string) (string, error) {
	t.Helper()
	needs.Tools(t, "make", "verilator", "g++")
	command := exec.CommandContext(t.Context(), "make", append([]string{"-C", out, "--no-print-directory", "-k", "sim-system", "sim-system-random"}, arguments...)...)
	text, err := command.CombinedOutput()
	return string(text), err
}

// simBoards runs the bench of a system of several chips.
func simBoards(t *testing.T, out string) (string, error) {
	t.Helper()
	needs.Tools(t, "make", "verilator", "g++")
	text, err := exec.CommandContext(t.Context(), "make", "-C", out, "--no-print-directory", "sim-system-random", "ACCESSES=2000").CombinedOutput()
	return string(text), err
}

// Systems do what their trace has, and all random accesses have effects that the page permits.
func TestSystemsWithEndpoints(t *testing.T) {
	needs.Time(t)
	for name, text := range systems {
		t.Run(name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, text), nil)
			if strings.Contains(text, "chips") { // cycles over cables cannot be compared, and cost more
				assert.NoFileExists(t, filepath.Join(out, "golden", "system.trace"))
				result, err := simBoards(t, out)
				require.NoError(t, err, result)
				assert.Regexp(t, `PASS: system_system\.random: .*; [1-9]\d+ accesses to others ended well, and while cables were dead [1-9]\d* gets and [1-9]\d* puts and adds late\n`, result)
				return
			}
			result, err := simSystem(t, out)
			require.NoError(t, err, result)
			assert.Regexp(t, `PASS: system_system\.system: \d+ cycles, [1-9]\d+ accesses, [1-9]\d* with a bus error, [1-9]\d* changes of interrupts and [1-9]\d* words of memory compared, 0 mismatches`, result)
			assert.Contains(t, result, "PASS: system_system.random: 2")
			assert.Equal(t, name == "puts" || name == "adds", strings.Contains(result, " 0 gets,"), result)
			assert.Equal(t, name == "puts", strings.Contains(result, " 0 adds,"), result)
			if name == "box" {
				tracesThatDiffer(t, out)
			}
		})
	}
}

// tracesThatDiffer changes the trace, and checks that the bench of the system names each difference, or the fault of the trace.
func tracesThatDiffer(t *testing.T, out string) {
	t.Helper()
	good, err := os.ReadFile(filepath.Join(out, "golden", "system.trace"))
	require.NoError(t, err)
	for _, c := range []struct {
		name, line, change string
		status             int
		says               string
	}{
		{"another word", `(?m)^(access .* r .* ok .*)([0-7])$`, "${1}f", differs, `mismatch 1: cycle \d+, node \d, access [0-9a-f]{5} r: expected ok with [0-9a-f]{7}f, found ok with [0-9a-f]{8}\n  > .*system\.trace:\d+: access `},
		{"no bus error", `(?m)^(access .*) err 0`, "$1 ok 0", differs, `, access [0-9a-f]{5} [rw].*: expected ok.*, found a bus error`},
		{"an answer too late", `(?m)^(access .*) (\d+) ok`, "$1 ${2}0 ok", differs, `: expected an answer in cycle \d+0, found ok`},
		{"an interrupt too much", `(?m)^(interrupt \d+ \d) 1\n(?s:.*)`, "$1 1\ninterrupt 900000 3 1\n", differs, `, interrupt: expected `},
		{"another word at the end", `(?m)^(memory .*)([0-7])$`, "${1}f", differs, `, word [0-9a-f]{3} of the memory: expected [0-9a-f]{7}f, found [0-9a-f]{8}\n  > `},
		{"a word too much at the end", `memory .*\n`, "", differs, `: expected 00000000, found `},
		{"a trace of another machine", `v1 system`, "v1 other", badInput, `system\.trace:1: not a golden trace of this system; wanted "# hcgen-accesses v1 system"`},
		{"a wide address", `(?m)^(access \d+ \d . )`, "${1}0", badInput, `address "[0-9a-f]{6}" has 6 digits; wanted 5`},
		{"lines in another order", `(?m)^(access .*\n)(access .*\n)`, "$2$1", badInput, `lines are not in the order of cycle, node and kind`},
	} {
		place := regexp.MustCompile(c.line).FindSubmatchIndex(good)
		require.NotNil(t, place, c.name)
		text := append([]byte{}, good[:place[0]]...)
		text = append(regexp.MustCompile(c.line).Expand(text, []byte(c.change), good, place), good[place[1]:]...)
		name := filepath.Join(t.TempDir(), "system.trace")
		require.NoError(t, os.WriteFile(name, text, 0o644))
		command := exec.CommandContext(t.Context(), filepath.Join(out, "build", "system", "Vsystem"), "+golden="+name)
		said, _ := command.CombinedOutput()
		assert.Equal(t, c.status, command.ProcessState.ExitCode(), "%s: %s", c.name, said)
		assert.Regexp(t, c.says, string(said), c.name)
	}
}

// The benches find each of these faults: the trace, the random accesses, or both.
func TestBenchOfSystemsFindsFaults(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name, machine, file string
		changes             []string // a text and its replacement, in pairs
		trace               bool     // the trace shows it
		says                string   // of the random accesses; "": they cannot show it
	}{
		{"the word of a get is taken a cycle late", "box", "rtl/hc_endpoint_requests.v", []string{"if (reads_q) reply_data", "if (reply_valid) reply_data"}, true, " r: expected "},
		{"an add does not hold the port", "box", "rtl/hc_endpoint_memory.v", []string{"= sums_q | stores_q;", "= stores_q;"}, true, "for an add 2 cycles ago, expected the sum, found "},
		{"a put is accepted before its turn", "box", "rtl/hc_endpoint_receive.v", []string{"memory_turn | !memory_request;", "memory_turn | !memory_request | !memory_add;"}, true, ", expected before it a write of word "},
		{"a reply is replaced before the network accepts it", "box", "rtl/hc_endpoint_requests.v", []string{"!reads_q & !reply_valid;", "!reads_q;"}, true, "has waited for its end for "},
		{"messages of the own bus come before replies", "ring", "rtl/hc_endpoint_send.v", []string{"{reply_valid, offer_valid}", "{reply_valid & !offer_valid, offer_valid}"}, true, ""},
		{"an add to the doorbell rings it", "box", "rtl/hc_endpoint_receive.v", []string{"= !adds & &address;", "= &address;"}, true, ", expected before it an add to word "},
		{"a set with the own digits is the own node", "box", "rtl/hc_endpoint_digit.v", []string{"= !all & digit == own;", "= digit == own;"}, true, ", which no access does, or none now"},
		{"an access that is both sets two errors", "ring", "rtl/hc_endpoint_access.v", []string{"access & !misplaced & !supported;", "access & !supported;"}, false, ": expected 0000000"},
		{"the release of the barrier is no event", "box", "rtl/hc_endpoint_registers.v", []string{"{barrier_release, doorbells}", "{1'b0, doorbells}"}, true, "expected 1 in bits 100"},
		{"a reset does not disable events", "box", "rtl/hc_endpoint_registers.v", []string{"enable_q       <= 9'd0;", ""}, false, ", irq is 1, expected 0: no event that is enabled can have happened"},
		{"a response is replaced before it is taken", "ring", "rtl/hc_endpoint_axi4lite.v", []string{"!s_axi_rvalid | s_axi_rready;", "1'b1;"}, false, "is accepted while the response of the one before waits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, systems[c.machine]), nil)
			change(t, out, c.file, c.changes)
			result, err := simSystem(t, out)
			require.Error(t, err, result)
			assert.Equal(t, c.trace, strings.Contains(result, "FAIL: system_system.system: "), result)
			assert.Equal(t, c.says != "", strings.Contains(result, "FAIL: system_system.random: "), result)
			assert.Contains(t, result, c.says)
		})
	}
}

// The bench of systems of several chips finds each of these faults of what happens with dead cables. Nobody at a bus sees whether a
// message of an access that ended late is lost: the proofs of hc_endpoint_late do.
func TestBenchOfDeadCablesFindsFaults(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name, machine, file string
		changes             []string // a text and its replacement, in pairs
		says                string
	}{
		{"accesses do not end", "boxes", "rtl/hc_endpoint_access.v", []string{"= outward & timer_q == LAST;", "= outward & timer_q == LAST & rst;"}, "(?s)cut: access .* has waited for "},
		{"a late access is no bus error", "boxes", "rtl/hc_endpoint_access.v", []string{"illegal | late;", "illegal;"}, "ended well across a dead cable|a cut: access .*: expected "},
		{"a late reply ends the next get", "boxes", "rtl/hc_endpoint_late.v", []string{" & (message_write | !owed_q)", ""}, "after the cut: access .*: expected "},
		{"a chip that was reset alone sends", "boxes", "rtl/hc_endpoint_late.v", []string{"message_valid & linked", "message_valid & (linked | message_valid)"}, "the reset of a chip alone: access .*: ended well"},
		{"a chip is linked for ever", "boxes", "rtl/hc_endpoint_linked.v", []string{"if (rst) linked", "if (rst & !linked) linked"}, "the reset of a chip alone: access .*: ended well"},
		{"all nodes of a chip have the number of the first chip", "boxes", "rtl/system_board.v", []string{"} * 2'd2;", "} * 2'd0;"}, "expected 0000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, systems[c.machine]), nil)
			change(t, out, c.file, c.changes)
			result, err := simBoards(t, out)
			require.Error(t, err, result)
			assert.Contains(t, result, "FAIL: system_system.random: ")
			assert.Regexp(t, c.says, result)
		})
	}
}
