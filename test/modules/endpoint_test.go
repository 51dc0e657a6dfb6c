// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// endpoint holds parameters of testdata/endpoint/bench.v, as in "AXI=1 GETS=0"; the others have their defaults there.
type endpoint string

func (e endpoint) String() string {
	if e == "" {
		return "3x4 nodes"
	}
	return string(e)
}

// run runs the bench on the modules of the folder and returns what it prints.
func (e endpoint) run(t *testing.T, dir string) string {
	t.Helper()
	bench, err := filepath.Abs("testdata/endpoint/bench.v")
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "bench.vvp")
	arguments := []string{"-g2005", "-Wall", "-o", program, "-y", ".", "-s", "bench"}
	for _, parameter := range strings.Fields(string(e)) {
		arguments = append(arguments, "-Pbench."+parameter)
	}
	text, err := runTool(t, dir, "iverilog", append(arguments, bench)...)
	require.NoError(t, err, text)
	assert.Empty(t, text)
	text, err = runTool(t, dir, "vvp", "-n", program)
	require.NoError(t, err, text)
	return text
}

const (
	wishbone  endpoint = ""
	axi4lite  endpoint = "AXI=1"
	twoNodes  endpoint = "DIMENSIONS=1 M1=2 ADDRESS_BITS=8"
	fiveNodes endpoint = "DIMENSIONS=1 M1=5"
	sixNodes  endpoint = "DIMENSIONS=1 M1=6"
	chips     endpoint = "TIMEOUT=40"
)

// Endpoints do what docs/endpoints.md says in every cycle, behind both buses: with all options and without, with the smallest
// network and memory, and with a queue that is a power of two and one that is not.
func TestEndpointsFollowTheContract(t *testing.T) {
	dir, _ := library(t)
	for i, e := range []endpoint{
		wishbone, chips, "AXI=1 DIMENSIONS=3 M1=3 M2=2 M3=2 ADDRESS_BITS=12", twoNodes, twoNodes + " AXI=1 GETS=0 ADDS=0",
		"GETS=0", "ADDS=0", "GETS=0 ADDS=0", axi4lite, axi4lite + " GETS=0", axi4lite + " ADDS=0", fiveNodes, sixNodes,
		"DIMENSIONS=2 M1=8 M2=8 ADDRESS_BITS=9", axi4lite + " TIMEOUT=64", "AXI=1 GETS=0 TIMEOUT=25", twoNodes + " ADDS=0 TIMEOUT=33",
	} {
		t.Run(e.String(), func(t *testing.T) {
			if i > 3 {
				needs.Time(t)
			}
			assert.Equal(t, "PASS\n", e.run(t, dir))
		})
	}
}

func TestBenchOfEndpointsFindsFaults(t *testing.T) {
	for i, c := range []struct {
		name     string
		endpoint endpoint
		module   string
		fault    [2]string
		says     string
	}{
		{"a delivered doorbell writes the memory", wishbone, "hc_endpoint_receive", [2]string{"writes & !rings", "writes"}, "mem_"},
		{"a put to the own doorbell writes the memory", wishbone, "hc_endpoint_access", [2]string{"access_same & !rings", "access_same"}, "mem_"},
		{"a read of the doorbell rings it", wishbone, "hc_endpoint_access", [2]string{"access_same & access_write & offset_doorbell", "access_same & offset_doorbell"}, ""},
		{"a doorbell rings without its strobe", wishbone, "hc_endpoint_core", [2]string{"delivered_doorbell & delivered_strobes[0]", "delivered_doorbell"}, ""},
		{"an add rings the doorbell", wishbone, "hc_endpoint_receive", [2]string{"!adds & &address", "&address"}, ""},
		{"a clear wins over an event", wishbone, "hc_endpoint_registers", [2]string{"(events_q & ~clear_events) | {barrier_release, doorbells}", "(events_q | {barrier_release, doorbells}) & ~clear_events"}, ""},
		{"a clear clears all errors", wishbone, "hc_endpoint_registers", [2]string{"errors_q & ~clear_errors", "errors_q & {3{~|clear_errors}}"}, "word of a read"},
		{"the interrupt is not enabled", wishbone, "hc_endpoint_registers", [2]string{"|(events_q & enable_q)", "|events_q"}, "interrupt"},
		{"a barrier that has released a node is not left", wishbone, "hc_endpoint_registers", [2]string{"(barrier_arrive | arrives) & !barrier_release", "barrier_arrive | arrives"}, "barrier"},
		{"a dimension has the register of the one before", wishbone, "hc_endpoint_registers", [2]string{"RINGS[32*i+:32]", "RINGS[31:0]"}, "word of a read"},
		{"the queue of gets is a place short", sixNodes, "hc_endpoint_requests", [2]string{"$clog2(NODES - 1) : 1", "$clog2(NODES - 2) : 1"}, ""},
		{"a word for a reply is read before the last reply has left", wishbone, "hc_endpoint_requests", [2]string{"!reads_q & !reply_valid", "!reads_q"}, "mem_en"},
		{"a word for a reply is read before the last word has come", wishbone, "hc_endpoint_requests", [2]string{"known_q & !reads_q &", "|count_q &"}, "mem_"},
		{"a get is taken a cycle late", wishbone, "hc_endpoint_requests", [2]string{"oldest_q <= places[out_q]", "oldest_q <= places[out_q - 1'b1]"}, "mem_we or mem_addr"},
		{"a reply goes to the node that asks last", wishbone, "hc_endpoint_requests", [2]string{"reply_dest <= oldest_dest", "reply_dest <= get_dest"}, "message sent"},
		{"gets in the queue are miscounted", wishbone, "hc_endpoint_requests", [2]string{"if (memory_turn & !get)", "if (memory_turn)"}, ""},
		{"the memory port has no turns", wishbone, "hc_endpoint_memory", [2]string{".complete(1'b1)", ".complete(1'b0)"}, "mem_"},
		{"a sum can be overtaken while it is computed", wishbone, "hc_endpoint_memory", [2]string{"held      = sums_q | stores_q", "held      = stores_q"}, "mem_"},
		{"a sum and a turn use the port at once", wishbone, "hc_endpoint_memory", [2]string{"held      = sums_q | stores_q", "held      = sums_q"}, ""},
		{"an add forgets the word", wishbone, "hc_endpoint_memory", [2]string{"sum_q + mem_rdata", "sum_q"}, "mem_wdata"},
		{"an add writes in its turn", wishbone, "hc_endpoint_memory", [2]string{"delivered_turn & !delivered_add", "delivered_turn"}, "mem_we or mem_addr"},
		{"writes ignore their strobes", wishbone, "hc_endpoint_memory", [2]string{"{4{stores_q}} | (strobes & {4{write}})", "{4{stores_q | write}}"}, "mem_we or mem_addr"},
		{"writes ignore their strobes if there are no adds", "ADDS=0", "hc_endpoint_memory", [2]string{"mem_we    = strobes & {4{write}}", "mem_we    = {4{write}}"}, "mem_we or mem_addr"},
		{"a message changes while it waits", wishbone, "hc_endpoint_send", [2]string{".complete(m_axis_tready)", ".complete(1'b1)"}, "message sent"},
		{"a get names no node", wishbone, "hc_endpoint_send", [2]string{"offer_write ? offer_data : asker", "offer_data"}, "message sent"},
		{"a get has strobes", wishbone, "hc_endpoint_send", [2]string{"!answer & offer_write}", "!answer}"}, "message sent"},
		{"a get does not wait for its reply", wishbone, "hc_endpoint_access", [2]string{"accepted & !access_write & !over & GETS != 0", "1'b0"}, ""},
		{"a get ends when it is sent", wishbone, "hc_endpoint_access", [2]string{"(accepted & access_write)", "accepted"}, ""},
		{"a put of a set that has no destination is refused", wishbone, "hc_endpoint_access", [2]string{"misplaced    = access_region[1] ? !access_legal : !access_zero", "misplaced    = !access_legal | access_set"}, ""},
		{"an error of both kinds is counted twice", wishbone, "hc_endpoint_access", [2]string{"access & !misplaced & !supported", "access & !supported"}, "word of a read"},
		{"an add of some bytes is not refused", wishbone, "hc_endpoint_access", [2]string{"access_write & whole & ADDS != 0", "access_write & ADDS != 0"}, ""},
		{"an add is not refused where there is none", "ADDS=0", "hc_endpoint_access", [2]string{"access_write & whole & ADDS != 0", "access_write & whole"}, ""},
		{"a get is not refused where there is none", "GETS=0", "hc_endpoint_access", [2]string{"(!access_set & GETS != 0)", "!access_set"}, ""},
		{"a get from a set is not refused", wishbone, "hc_endpoint_access", [2]string{"(!access_set & GETS != 0)", "(GETS != 0)"}, ""},
		{"a register is written in part", wishbone, "hc_endpoint_access", [2]string{"(register_writable & whole)", "register_writable"}, ""},
		{"all nodes of a dimension are this node", wishbone, "hc_endpoint_digit", [2]string{"!all & digit == own", "digit == own"}, ""},
		{"a digit is legal from m on", wishbone, "hc_endpoint_digit", [2]string{"digit < NODES", "digit <= NODES"}, ""},
		{"the digit of all nodes must be legal", wishbone, "hc_endpoint_digit", [2]string{"all | digit < NODES", "digit < NODES"}, ""},
		{"Wishbone acknowledges an access twice", wishbone, "hc_endpoint_wishbone", [2]string{" & !wb_ack_o & !wb_err_o", ""}, ""},
		{"Wishbone acknowledges what is refused", wishbone, "hc_endpoint_wishbone", [2]string{"done & !refused", "done"}, "answer"},
		{"AXI4-Lite begins a write while a read is under way", axi4lite, "hc_endpoint_axi4lite", [2]string{"write_next = idle &", "write_next = !write_q &"}, ""},
		{"AXI4-Lite loses a response", axi4lite, "hc_endpoint_axi4lite", [2]string{"s_axi_arvalid & read_free", "s_axi_arvalid"}, ""},
		{"AXI4-Lite reads while it writes", axi4lite, "hc_endpoint_axi4lite", [2]string{" & !write_next;", ";"}, ""},
		{"AXI4-Lite reads only if nothing is written", axi4lite, "hc_endpoint_axi4lite", [2]string{" & !(can_read & wrote_q)", ""}, ""},
		{"an access ends a cycle too late", chips, "hc_endpoint_access", [2]string{"MOST       = TIMEOUT - 1", "MOST       = TIMEOUT"}, ""},
		{"an access that is done in its last cycle is late", chips, "hc_endpoint_access", [2]string{"late = over & !answered", "late = over"}, ""},
		{"a get that has ended late takes a reply", chips, "hc_endpoint_access", [2]string{"!(reply | over)", "!reply"}, ""},
		{"the message of a late access is taken back", chips, "hc_endpoint_late", [2]string{"late & offered & !offer_ready", "1'b0"}, ""},
		{"a message that was not offered is left behind", chips, "hc_endpoint_late", [2]string{"late & offered & !offer_ready", "late & message_valid & !offer_ready"}, ""},
		{"a message that was left behind is not kept", chips, "hc_endpoint_late", [2]string{"if (!left_q) message_q", "message_q"}, "message sent"},
		{"a get does not wait for the reply that is owed", chips, "hc_endpoint_late", [2]string{" & (message_write | !owed_q)", ""}, ""},
		{"a put waits for the reply that is owed", chips, "hc_endpoint_late", [2]string{"(message_write | !owed_q)", "!owed_q"}, ""},
		{"a message that was left behind ends the next access", chips, "hc_endpoint_late", [2]string{"!owed_q) & !left_q", "!owed_q)"}, ""},
		{"messages do not wait for cables", chips, "hc_endpoint_late", [2]string{"message_valid & linked", "message_valid"}, ""},
		{"a late access is no error", chips, "hc_endpoint_registers", [2]string{"write_data[3])) | late", "write_data[3]))"}, ""},
		{"AXI4-Lite begins a write without its data", axi4lite, "hc_endpoint_axi4lite", [2]string{"s_axi_awvalid & s_axi_wvalid", "s_axi_awvalid"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if i > 4 {
				needs.Time(t)
			}
			dir, _ := library(t)
			change(t, dir, c.module, c.fault[0], c.fault[1])
			assert.Regexp(t, `^FAIL: cycle \d+: .*`+c.says, c.endpoint.run(t, dir))
		})
	}
}

// The bench resets endpoints in the middle of what they do, and fails if a register keeps its value.
func TestBenchOfEndpointsFindsMissingResets(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		module    string
		endpoint  endpoint
		registers int // that are reset
	}{
		{"hc_endpoint_access", wishbone, 3},
		{"hc_endpoint_memory", wishbone, 2},
		{"hc_endpoint_requests", wishbone, 6},
		{"hc_endpoint_registers", chips, 5},
		{"hc_endpoint_late", chips, 2},
		{"hc_endpoint_wishbone", wishbone, 2},
		{"hc_endpoint_axi4lite", axi4lite, 5},
	} {
		lines := resets(t, c.module)
		assert.Len(t, lines, c.registers, c.module)
		for _, line := range lines {
			t.Run(c.module+" "+strings.TrimSpace(line), func(t *testing.T) {
				dir, _ := library(t)
				// Without its reset the register is 0 at first, as after power-up, so that only later resets can show the fault.
				register, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "if (rst) "), " ")
				change(t, dir, c.module, line, "\n")
				initially0(t, dir, c.module, register)
				assert.Regexp(t, `^FAIL: cycle \d+: `, (c.endpoint+" LIVES=400").run(t, dir))
			})
		}
	}
}

// initially0 sets a register to 0 at first: behind its declaration, or if it is an output at the end of the module.
func initially0(t *testing.T, dir, module, register string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, module+".v"))
	require.NoError(t, err)
	set := "    initial " + register + " = 0;\n"
	if own := regexp.MustCompile(`(?m)^ *reg .*\b` + register + `;.*\n`).FindString(string(text)); own != "" {
		change(t, dir, module, own, own+set)
		return
	}
	change(t, dir, module, "\nendmodule\n", "\n"+set+"\nendmodule\n")
}

// change replaces a text that is in one place of a module of the folder.
func change(t *testing.T, dir, module, from, to string) {
	t.Helper()
	file := filepath.Join(dir, module+".v")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), from), from)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}
