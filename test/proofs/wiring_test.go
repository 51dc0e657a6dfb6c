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
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// wiringMachine describes a machine of these dimensions, each m and rho, and blocks.
func wiringMachine(blocks string, dimensions ...[2]int) string {
	var b strings.Builder
	b.WriteString("machine \"wired\" {\n")
	for i, d := range dimensions {
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %d\n    rho = %d\n  }\n", i+1, d[0], d[1])
	}
	b.WriteString(blocks + "}\n")
	return b.String()
}

const (
	allFields = "  message {\n    payload_bits = 5\n    source_id    = true\n    destination  = true\n    last         = true\n  }\n"
	broadcast = "  message {\n    payload_bits = 5\n    source_id    = true\n  }\n"
)

// programmableOn is a programmable router whose limits exceed the ports, dimensions and nodes of the machine.
func programmableOn(bus string) string {
	return "  router {\n    kind           = \"programmable\"\n    config_bus     = \"" + bus +
		"\"\n    max_dimensions = 3\n    max_nodes      = 9\n    max_degree     = 7\n  }\n"
}

// wiring checks the wiring of a network, after changes of files: the name of a file, a text that occurs once, and its
// replacement.
func wiring(t *testing.T, out string, changes ...[3]string) (string, bool) {
	t.Helper()
	return proveClaims(t, changed(t, out, changes...), "_network.sby")
}

// proveClaims proves the claims in an output folder whose files match an ending.
func proveClaims(t *testing.T, out, ending string) (string, bool) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-c", "BUILD=build PROVE_TIME=1800 sh formal/prove.sh prove formal/*"+ending)
	command.Dir = out
	text, err := command.CombinedOutput()
	if err != nil {
		text = fmt.Appendf(text, "Error %d", command.ProcessState.ExitCode())
	}
	return string(text), err == nil
}

// assertWired checks the wiring of the network of a machine.
func assertWired(t *testing.T, name, out string) {
	t.Helper()
	start := time.Now()
	text, ok := wiring(t, out)
	require.True(t, ok, text)
	assert.Regexp(t, `wiring +proved: each of the [1-9]\d+ connections`, text)
	assert.Contains(t, text, "PASS: "+name+"_network: all is proved")
	t.Logf("%s, in %.1f s", regexp.MustCompile(`\d+ connections`).FindString(text), time.Since(start).Seconds())
}

// A short run has a torus and links of distance 2.
func TestWiringOfExamples(t *testing.T) {
	for _, config := range harness.Examples(t) {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			if config != "torus4x4" && config != "mixed" {
				needs.Time(t)
			}
			m, out := harness.Example(t, config, nil)
			if !m.Network { // make prove compares no connections
				assert.NoFileExists(t, filepath.Join(out, "formal", m.Name+"_network.sby"))
				return
			}
			assertWired(t, m.Name, out)
		})
	}
}

// Networks of routers with every option, with links over half a ring and rings of two nodes; the largest network.
func TestWiringOfOptions(t *testing.T) {
	perPort := "  router {\n    delivery = \"per_port\"\n    barrier  = true\n  }\n"
	for _, c := range []struct{ name, text string }{
		{"per port, all fields, barrier", wiringMachine(allFields+perPort, [2]int{5, 2}, [2]int{4, 2}, [2]int{2, 1})},
		{"stages", wiringMachine("  router {\n    stages = 2\n  }\n", [2]int{3, 1}, [2]int{6, 3})},
		{"programmable, Wishbone", wiringMachine(broadcast+programmableOn("wishbone"), [2]int{5, 1}, [2]int{4, 2})},
		{"programmable, AXI4-Lite, all fields", wiringMachine(allFields+programmableOn("axi4lite"), [2]int{3, 1}, [2]int{4, 2})},
		{"errors of nodes", wiringMachine("  node_errors = true\n"+allFields, [2]int{2, 1})},
		{"programmable, errors of nodes", wiringMachine("  node_errors = true\n"+allFields+programmableOn("wishbone"), [2]int{3, 1}, [2]int{4, 2})},
		{"1024 nodes", wiringMachine("", [2]int{16, 1}, [2]int{8, 1}, [2]int{8, 1})},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(c.name, "1024") {
				needs.Time(t)
			}
			_, out := generateText(t, c.text)
			assertWired(t, "wired", out)
		})
	}
}

// Without a proof of the router, make prove checks only the wiring, and reports this.
func TestWiringWithoutAProofOfTheRouter(t *testing.T) {
	t.Parallel()
	_, out := generateText(t, wiringMachine(allFields+programmableOn("wishbone"), [2]int{3, 1}))
	text := harness.Make(t.Context(), t, out, "prove", "SOLVER=no-such-solver")
	assert.Contains(t, text, "  router     NOT PROVED: there is no proof of a programmable router with destination or last\nPASS: wired_network: all is proved\n")
	result, err := os.ReadFile(filepath.Join(out, "build", "prove", "result.json"))
	require.NoError(t, err)
	assert.Contains(t, string(result), `"assertions": null`)

	_, out = generateText(t, wiringMachine("  network = false\n"+allFields+programmableOn("wishbone"), [2]int{3, 1}))
	said, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove").CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(said), "there is no proof of a programmable router with destination or last")
	assert.NoDirExists(t, filepath.Join(out, "formal"))
}

// Each kind of connection, wired wrongly.
func TestWiringFindsFaults(t *testing.T) {
	needs.Time(t)
	const network, router, script = "rtl/wired_network.v", "rtl/wired_router.v", "formal/wiring.awk"
	_, special := generateText(t, wiringMachine("  node_errors = true\n"+allFields+"  router {\n    barrier = true\n  }\n", [2]int{4, 1}, [2]int{3, 1}))
	_, perPort := generateText(t, wiringMachine("  message {\n    payload_bits = 5\n  }\n  router {\n    delivery = \"per_port\"\n  }\n", [2]int{5, 1}))
	_, programmed := generateText(t, wiringMachine(broadcast+programmableOn("wishbone"), [2]int{5, 1}))
	for _, c := range []struct {
		name, out string
		change    [3]string
		says      string
	}{
		{"the digits of a node are those of another", special, [3]string{network, ".node_digits({2'd1, 2'd0})", ".node_digits({2'd1, 2'd1})"},
			"node_digits[0] of node 4: expected constant 0, found constant 1"},
		{"a source id", special, [3]string{network, ".node_id(4'd6)", ".node_id(4'd2)"}, "node_id[2] of node 6: expected constant 1, found constant 0"},
		{"two paces are exchanged", special, [3]string{network, ".link_pace({n8_pace, n4_pace, n3_pace, n1_pace})", ".link_pace({n8_pace, n4_pace, n1_pace, n3_pace})"},
			"link_pace[0] of node 0 (port 0, dimension 1, distance 1 clockwise): expected pace[0] of node 1, found pace[0] of node 3"},
		{"a pace of the barrier", special, [3]string{network, ".link_barrier_pace({n8_barrier_pace, n4_barrier_pace", ".link_barrier_pace({n8_barrier_pace, n4_pace"},
			"link_barrier_pace[4] of node 0 (port 2, dimension 2, distance 1 clockwise): expected barrier_pace[0] of node 4, found pace[0] of node 4"},
		{"the valid of two links is exchanged", special, [3]string{network, ".s_axis_link_tvalid({n8_p2_tvalid, n4_p3_tvalid, n3_p0_tvalid, n1_p1_tvalid})",
			".s_axis_link_tvalid({n4_p3_tvalid, n8_p2_tvalid, n3_p0_tvalid, n1_p1_tvalid})"},
			"s_axis_link_tvalid[2] of node 0 (port 2, dimension 2, distance 1 clockwise): expected m_axis_link_tvalid[3] of node 4, found m_axis_link_tvalid[2] of node 8"},
		{"the valid of a link comes from the port of the other direction", special, [3]string{network, "n3_p0_tvalid, n1_p1_tvalid})", "n3_p0_tvalid, n1_p0_tvalid})"},
			"s_axis_link_tvalid[0] of node 0 (port 0, dimension 1, distance 1 clockwise): expected m_axis_link_tvalid[1] of node 1, found m_axis_link_tvalid[0] of node 1"},
		{"the ready of two links is exchanged", special, [3]string{network, ".s_axis_link_tready({n8_p2_tready, n4_p3_tready, n3_p0_tready, n1_p1_tready})",
			".s_axis_link_tready({n8_p2_tready, n4_p3_tready, n1_p1_tready, n3_p0_tready})"},
			"m_axis_link_tready[1] of node 1 (port 1, dimension 1, distance 1 counterclockwise): expected s_axis_link_tready[0] of node 0, found s_axis_link_tready[1] of node 0"},
		{"what two nodes send is exchanged", special, [3]string{network, ".s_axis_local_tvalid(s_axis_tvalid[1])", ".s_axis_local_tvalid(s_axis_tvalid[2])"},
			"s_axis_local_tvalid[0] of node 1: expected s_axis_tvalid[1] of the network, found s_axis_tvalid[2] of the network"},
		{"a slice of the payload is shifted", special, [3]string{network, ".s_axis_local_tdata(s_axis_tdata[9:5])", ".s_axis_local_tdata(s_axis_tdata[10:6])"},
			"s_axis_local_tdata[0] of node 1: expected s_axis_tdata[5] of the network, found s_axis_tdata[6] of the network"},
		{"a slice of the destination is shifted", special, [3]string{network, ".s_axis_local_tdest(s_axis_tdest[11:6])", ".s_axis_local_tdest(s_axis_tdest[10:5])"},
			"s_axis_local_tdest[0] of node 1: expected s_axis_tdest[6] of the network, found s_axis_tdest[5] of the network"},
		{"last of another node", special, [3]string{network, ".s_axis_local_tlast(s_axis_tlast[1])", ".s_axis_local_tlast(s_axis_tlast[0])"},
			"s_axis_local_tlast[0] of node 1: expected s_axis_tlast[1] of the network, found s_axis_tlast[0] of the network"},
		{"ready of another node", special, [3]string{network, ".m_axis_local_tready(m_axis_tready[1])", ".m_axis_local_tready(m_axis_tready[3])"},
			"m_axis_local_tready[0] of node 1: expected m_axis_tready[1] of the network, found m_axis_tready[3] of the network"},
		{"a delivery goes nowhere", special, [3]string{network, ".m_axis_local_tvalid(m_axis_tvalid[1])", ".m_axis_local_tvalid()"},
			"m_axis_tvalid[1] of the network: expected m_axis_local_tvalid[0] of node 1, found nothing"},
		{"bits of a delivery are exchanged", special, [3]string{network, ".m_axis_local_tid(m_axis_tid[7:4])", ".m_axis_local_tid({m_axis_tid[6], m_axis_tid[7], m_axis_tid[5:4]})"},
			"m_axis_tid[6] of the network: expected m_axis_local_tid[2] of node 1, found m_axis_local_tid[3] of node 1"},
		{"arrivals are exchanged", special, [3]string{network, ".barrier_arrive(barrier_arrive[1])", ".barrier_arrive(barrier_arrive[0])"},
			"barrier_arrive[0] of node 1: expected barrier_arrive[1] of the network, found barrier_arrive[0] of the network"},
		{"two nodes drive a release", special, [3]string{network, ".barrier_release(barrier_release[1])", ".barrier_release(barrier_release[0])"},
			"of node 1 is also driven by barrier_release[0] of node 0"},
		{"errors of a node are left out", special, [3]string{network, "assign header_error = |link_error", "assign header_error = |link_error[46:0]"},
			"header_error[0] of the network: expected the OR of header_error of all nodes, found an OR without header_error[3] of node 11"},
		{"errors of nodes are ANDed", special, [3]string{network, "assign destination_error = |", "assign destination_error = &"},
			"destination_error[0] of the network: expected the OR of destination_error of all nodes, found the AND of destination_error of all nodes"},
		{"errors have one more", special, [3]string{network, "assign header_error = |link_error", "assign header_error = |{rst, link_error}"},
			"header_error[0] of the network: expected the OR of header_error of all nodes, found an OR of 49 bits"},
		{"an error is inverted", special, [3]string{network, "assign header_error = |link_error", "assign header_error = ~|link_error"}, "not so: the network has only routers, ORs and ANDs"},
		{"errors of another node", special, [3]string{network, "assign node_header_error[1] = |link_error[7:4]", "assign node_header_error[1] = |link_error[11:8]"},
			"node_header_error[1] of the network: expected the OR of header_error of node 1, found the OR of header_error of node 2"},
		{"errors of a link are left out", special, [3]string{network, "assign node_header_error[1] = |link_error[7:4]", "assign node_header_error[1] = |link_error[7:5]"},
			"node_header_error[1] of the network: expected the OR of header_error of node 1, found an OR without header_error[0] of node 0"},
		{"errors of links of two nodes", special, [3]string{network, "assign node_header_error[1] = |link_error[7:4]", "assign node_header_error[1] = |link_error[8:5]"},
			"node_header_error[1] of the network: expected the OR of header_error of node 1, found an OR without header_error[0] of node 1"},
		{"errors of nodes are rotated", special, [3]string{network, "assign node_destination_error = destination_errors;",
			"assign node_destination_error = {destination_errors[10:0], destination_errors[11]};"},
			"node_destination_error[0] of the network: expected destination_error[0] of node 0, found destination_error[0] of node 11"},
		{"a reset is constant", special, [3]string{network, ".rst(rst),\n        .node_id(4'd7)", ".rst(1'b0),\n        .node_id(4'd7)"},
			"rst[0] of node 7: expected rst[0] of the network, found constant 0"},
		{"clk and rst are exchanged", special, [3]string{network, ".clk(clk),\n        .rst(rst),\n        .node_id(4'd7)", ".clk(rst),\n        .rst(clk),\n        .node_id(4'd7)"},
			"clk[0] of node 7: expected clk[0] of the network, found rst[0] of the network"},
		{"a node has no router", special, [3]string{network, " node11 (", " node12 ("}, "node 11 is not there"},
		{"a router has a port of its own", special, [3]string{router, "input  wire clk,", "input  wire clk,\n    input  wire spy,"}, "wiring.awk knows no input spy of a router"},
		{"a comparison is left out", special, [3]string{script, `i <= loads`, `i < loads`}, "connections, of which "},

		{"deliveries of two ports are exchanged", perPort, [3]string{network, ".m_axis_local_tvalid(m_axis_tvalid[3:2])", ".m_axis_local_tvalid({m_axis_tvalid[2], m_axis_tvalid[3]})"},
			"m_axis_tvalid[2] of the network: expected m_axis_local_tvalid[0] of node 1, found m_axis_local_tvalid[1] of node 1"},
		{"ready of another port", perPort, [3]string{network, ".m_axis_local_tready(m_axis_tready[3:2])", ".m_axis_local_tready(m_axis_tready[4:3])"},
			"m_axis_local_tready[0] of node 1: expected m_axis_tready[2] of the network, found m_axis_tready[3] of the network"},

		{"a router drains alone", programmed, [3]string{network, "wire drained = &idle;", "wire drained = &idle[3:0];"},
			"drained[0] of node 0: expected the AND of idle of all nodes, found an AND without idle[0] of node 4"},
		{"another router answers", programmed, [3]string{network, "= answers[35:0];", "= answers[71:36];"},
			"wb_dat_o[0] of the network: expected wb_dat_o[0] of node 0, found wb_dat_o[0] of node 1"},
		{"a router reads another bus", programmed, [3]string{network, ".wb_stb_i(wb_stb_i),\n        .wb_we_i(wb_we_i),\n        .wb_adr_i(wb_adr_i),\n        .wb_dat_i(wb_dat_i),\n        .wb_sel_i(wb_sel_i),\n        .wb_dat_o(answers[69:38])",
			".wb_stb_i(wb_cyc_i),\n        .wb_we_i(wb_we_i),\n        .wb_adr_i(wb_adr_i),\n        .wb_dat_i(wb_dat_i),\n        .wb_sel_i(wb_sel_i),\n        .wb_dat_o(answers[69:38])"},
			"wb_stb_i[0] of node 1: expected wb_stb_i[0] of the network, found wb_cyc_i[0] of the network"},
		{"a port that the machine does not have receives", programmed, [3]string{network, ".s_axis_link_tvalid({5'd0, n4_p0_tvalid, n1_p1_tvalid})", ".s_axis_link_tvalid({5'd4, n4_p0_tvalid, n1_p1_tvalid})"},
			"s_axis_link_tvalid[4] of node 0 (port 4, which the machine does not have): expected constant 0, found constant 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := wiring(t, c.out, c.change)
			assert.False(t, ok, text)
			assert.Contains(t, text, "FAIL: wired_network: ")
			assert.Contains(t, text, c.says)
		})
	}
}
