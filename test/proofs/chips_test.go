// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/internal/needs"
)

// cutMachine describes a machine of these dimensions, each m and rho, of which those with between are between chips.
func cutMachine(blocks string, between []bool, dimensions ...[2]int) string {
	text := strings.Replace(wiringMachine(blocks, dimensions...), "wired", "cut", 1)
	for i, d := range dimensions {
		if between[i] {
			ring := fmt.Sprintf("  dimension \"d%d\" {\n    m   = %d\n    rho = %d\n", i+1, d[0], d[1])
			text = strings.Replace(text, ring, ring+"    link {\n      kind = \"chips\"\n    }\n", 1)
		}
	}
	return text
}

const barrierBlock = "  router {\n    barrier = true\n  }\n"

// The wiring of chips, and of the network that joins them: one node on a chip and several, cables in several dimensions, among them the
// lowest, cables to each other chip, and links with registers within a chip. A short run has one machine.
func TestWiringOfChips(t *testing.T) {
	needs.Tools(t, "yosys")
	registers := strings.Replace(cutMachine("  message {\n    destination = true\n  }\n"+barrierBlock, []bool{false, true}, [2]int{4, 1}, [2]int{3, 1}),
		"rho = 1\n  }", "rho = 1\n    link {\n      kind      = \"wires\"\n      registers = 2\n    }\n  }", 1)
	for i, c := range []struct{ name, text string }{
		{"two dimensions, source ids, barrier", cutMachine(broadcast+barrierBlock, []bool{false, true, true}, [2]int{3, 1}, [2]int{4, 1}, [2]int{2, 1})},
		{"a node on a chip", cutMachine("", []bool{true}, [2]int{4, 1})},
		{"the lowest dimension, per port, all fields", cutMachine(allFields+"  router {\n    delivery = \"per_port\"\n  }\n", []bool{true, false}, [2]int{5, 2}, [2]int{3, 1})},
		{"registers within chips, destinations", registers},
		{"errors of nodes", cutMachine("  node_errors = true\n"+allFields, []bool{false, true}, [2]int{2, 1}, [2]int{3, 1})},
	} {
		t.Run(c.name, func(t *testing.T) {
			if i > 0 {
				needs.Time(t)
			}
			_, out := generateText(t, c.text)
			assertWired(t, "cut", out)
		})
	}
}

// Each kind of connection of chips, wired wrongly.
func TestWiringOfChipsFindsFaults(t *testing.T) {
	needs.Time(t)
	const chip, network = "rtl/cut_chip.v", "rtl/cut_network.v"
	_, out := generateText(t, cutMachine(broadcast+barrierBlock, []bool{false, true, true}, [2]int{3, 1}, [2]int{4, 1}, [2]int{2, 1}))
	for _, c := range []struct{ name, file, old, changed, says string }{
		{"the links of two nodes are exchanged at the end of a cable", chip, "cable2_in_tvalid[0], n2_p0_tvalid", "cable2_in_tvalid[1], n2_p0_tvalid",
			"s_axis_link_tvalid[2] of node N (port 2, dimension 2, distance 1 clockwise): expected m_axis_tvalid[0] of cable2 of chip N, found m_axis_tvalid[1] of cable2 of chip N"},
		{"a port has the cable of the opposite port", chip, "cable2_in_pace[4:0], n2_pace", "cable3_in_pace[4:0], n2_pace",
			"link_pace[10] of node N (port 2, dimension 2, distance 1 clockwise): expected link_pace[0] of cable2 of chip N, found link_pace[0] of cable3 of chip N"},
		{"the readies of two cables are exchanged", chip, "{cable4_out_tready[0], cable3_out_tready[0],", "{cable3_out_tready[0], cable4_out_tready[0],",
			"m_axis_link_tready[3] of node N (port 3, dimension 2, distance 1 counterclockwise): expected s_axis_tready[0] of cable3 of chip N, found s_axis_tready[0] of cable4 of chip N"},
		{"a cable takes the links of another", chip, ".s_axis_tdata     (cable2_out_tdata)", ".s_axis_tdata     (cable3_out_tdata)",
			"s_axis_tdata[0] of cable2 of chip N: expected m_axis_link_tdata[28] of node N, found m_axis_link_tdata[42] of node N"},
		{"the paces of two places are exchanged", chip, ".pace             ({n2_pace, n1_pace, n0_pace}),\n        .link_pace        (cable4_in_pace)",
			".pace             ({n1_pace, n2_pace, n0_pace}),\n        .link_pace        (cable4_in_pace)",
			"pace[5] of cable4 of chip N: expected pace[0] of node N, found pace[0] of node N"},
		{"the neighbour is in the other direction", chip, ".STEP(1),\n        .BITS(2)\n    ) cable2_neighbor", ".STEP(3),\n        .BITS(2)\n    ) cable2_neighbor",
			" of cable2 of chip N: expected constant "},
		{"the digits of the neighbour are exchanged", chip, ".neighbor         ({chip[2], cable2_digit})", ".neighbor         ({cable2_digit, chip[2]})",
			" of cable2 of chip N: expected constant "},
		{"the address of a node misses a digit", chip, " + {4'd0, chip[2]} * 5'd12", "", "] of node N: expected constant "},
		{"a cable expects another port", chip, ".FAR_PORT   (3)", ".FAR_PORT   (2)", "cable2: expected FAR_PORT 3, found 2"},
		{"both ends have frames of their own", chip, ".NUMBER_BITS(5),\n        .FREED_BITS (5),\n        .SILENCE    (4096),\n        .CHIP_BITS  (3),\n        .PORT       (2)",
			".NUMBER_BITS(6),\n        .FREED_BITS (5),\n        .SILENCE    (4096),\n        .CHIP_BITS  (3),\n        .PORT       (2)", "expected NUMBER_BITS "},
		{"a session hears of another cable", chip, ".newer            (newer[0]),\n        .newer_session    (newer_sessions[7:0])", ".newer            (newer[0]),\n        .newer_session    (newer_sessions[15:8])",
			"is also driven by "},
		{"a node has the reset of the chip", chip, ".rst                (reset),\n        .node_id            (first_node + 5'd1)", ".rst                (rst),\n        .node_id            (first_node + 5'd1)",
			"rst[0] of node N: expected reset[0] of sessions of chip N, found rst["},
		{"a cable leads to the port of the same direction", network, ".cable2_rx_word    (chip2_cable3_word)", ".cable2_rx_word    (chip2_cable2_word)",
			"rx_word[0] of cable2 of chip 1: expected tx_word[0] of cable3 of chip 2, found tx_word[0] of cable2 of chip 2"},
		{"words arrive in the clock of another chip", network, ".cable4_rx_clk     (clk[5])", ".cable4_rx_clk     (clk[4])",
			"rx_clk[0] of cable4 of chip 1: expected clk[5] of the network, found clk[4] of the network"},
		{"a chip has the digits of another", network, ".chip              (3'd1)", ".chip              (3'd2)", " of chip 1: expected constant "},
		{"the streams of two nodes of a chip are exchanged", network, "{s_axis_tvalid[5], s_axis_tvalid[4], s_axis_tvalid[3]}", "{s_axis_tvalid[4], s_axis_tvalid[5], s_axis_tvalid[3]}",
			"s_axis_local_tvalid[0] of node 4: expected s_axis_tvalid[4] of the network, found s_axis_tvalid[5] of the network"},
		{"the restart of another chip", network, ".restart           (restart[1])", ".restart           (restart[2])",
			"restart[0] of sessions of chip 1: expected restart[1] of the network, found restart[2] of the network"},
		{"the errors of a chip are left out", chip, "= |link_error;", "= |link_error[13:0];",
			"header_error[0] of the network: expected the OR of header_error of region 0, found an OR without header_error[4] of node N"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := wiring(t, out, [3]string{c.file, c.old, c.changed})
			assert.False(t, ok, text)
			if c.file == chip { // Yosys orders the chips
				text = regexp.MustCompile(`(node|chip) \d+`).ReplaceAllString(text, "$1 N")
			}
			assert.Regexp(t, "FAIL: cut_network: .*"+regexp.QuoteMeta(c.says), text)
		})
	}
}
