// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// linked describes a machine of dimensions, each m, rho and the registers of its links, and blocks.
func linked(blocks string, dimensions ...[3]int) string {
	var b strings.Builder
	b.WriteString("machine \"linked\" {\n")
	for i, d := range dimensions {
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %d\n    rho = %d\n    link {\n      kind      = \"wires\"\n      registers = %d\n    }\n  }\n", i+1, d[0], d[1], d[2])
	}
	b.WriteString(blocks + "}\n")
	return b.String()
}

// Machines with every kind of link: slices, credits, and a dimension without registers.
var (
	linkedRing = linked("  message {\n    payload_bits = 2\n  }\n", [3]int{5, 1, 1})
	linkedPair = linked("  message {\n    payload_bits = 2\n  }\n  router {\n    barrier = true\n  }\n", [3]int{2, 1, 2})
	linkedMany = linked("  message {\n    payload_bits = 2\n    destination  = true\n  }\n  router {\n    barrier = true\n  }\n",
		[3]int{4, 1, 1}, [3]int{4, 1, 3}, [3]int{3, 1, 0})
	linkedTorus = linked("  message {\n    payload_bits = 2\n    destination  = true\n  }\n  router {\n    barrier = true\n  }\n", [3]int{4, 1, 1}, [3]int{4, 1, 3})
	linkedFar   = linked("  message {\n    payload_bits = 2\n  }\n", [3]int{8, 2, 3})
)

func TestWiringOfLinksWithRegisters(t *testing.T) {
	for name, text := range map[string]string{"ring": linkedRing, "pair": linkedPair, "many": linkedMany, "far": linkedFar} {
		t.Run(name, func(t *testing.T) {
			if name == "many" {
				needs.Time(t)
			}
			t.Parallel()
			_, out := generateText(t, text)
			assertWired(t, "linked", out)
		})
	}
}

// The place of a link in a ring is that of any queue, so that its kind and its number of places do not matter. A ring of 43
// nodes with links has 129 places.
func TestRingsWithRegistersKeepAHole(t *testing.T) {
	for name, text := range map[string]string{"ring": linkedRing, "torus": linkedTorus, "far": linkedFar} {
		t.Run(name, func(t *testing.T) {
			if name != "ring" {
				needs.Time(t)
			}
			t.Parallel()
			m, out := generateText(t, text)
			assertRings(t, m, out)
		})
	}
	_, out := generateText(t, linked("", [3]int{43, 1, 1}))
	assert.NoFileExists(t, out+"/formal/linked_rings0.sby")
}

// Machines with links between clocks: alone, beside links with registers, in two dimensions that are not neighbours, and with
// errors of one bit for each region.
var (
	clockedRing = "machine \"clocked\" {\n" + betweenClocks(4) + "  message {\n    payload_bits = 2\n  }\n}\n"
	clockedRows = "machine \"clocked\" {\n  node_errors = true\n  dimension \"x\" {\n    m   = 4\n    rho = 1\n    link {\n      kind      = \"wires\"\n      registers = 3\n    }\n  }\n" +
		betweenClocks(4) + "  message {\n    payload_bits = 2\n    destination  = true\n  }\n  router {\n    barrier = true\n  }\n}\n"
	clockedBoth = "machine \"clocked\" {\n" + betweenClocks(2) + "  dimension \"x\" {\n    m   = 3\n    rho = 1\n  }\n" + betweenClocks(4) +
		"  message {\n    payload_bits = 2\n    destination  = true\n  }\n}\n"
	clockedPair = "machine \"clocked\" {\n  node_errors = true\n" + betweenClocks(2) + "  message {\n    payload_bits = 2\n    destination  = true\n  }\n}\n"
)

// betweenClocks is a dimension whose nodes have clocks of their own.
func betweenClocks(m int) string {
	return fmt.Sprintf("  dimension \"clocks%d\" {\n    m   = %[1]d\n    rho = 1\n    link {\n      kind = \"clocks\"\n    }\n  }\n", m)
}

func TestWiringOfLinksBetweenClocks(t *testing.T) {
	for name, text := range map[string]string{"ring": clockedRing, "rows": clockedRows, "both": clockedBoth, "pair": clockedPair} {
		t.Run(name, func(t *testing.T) {
			if name == "both" {
				needs.Time(t)
			}
			t.Parallel()
			_, out := generateText(t, text)
			assertWired(t, "clocked", out)
		})
	}
}

func TestRoutersOfLinksWithRegistersAreProved(t *testing.T) {
	needs.Time(t)
	for name, text := range map[string]string{"ring": linkedRing, "pair": linkedPair, "torus": linkedTorus, "far": linkedFar} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, out := generateText(t, text)
			assertProved(t, out, m.Name)
		})
	}
}

// Links that are exchanged, of another kind or length, and paces that are later or earlier than their link.
func TestWiringOfLinksFindsFaults(t *testing.T) {
	needs.Time(t)
	_, out := generateText(t, linkedTorus)
	for _, c := range []struct {
		name, old, changed, says string
	}{
		{"a slice too many", ".STAGES(1)\n    ) n0_p0_link (", ".STAGES(2)\n    ) n0_p0_link (", "n0_p0_link: expected linked_hc_link_slices with STAGES 1 and WIDTH 10, found linked_hc_link_slices with STAGES 2 and WIDTH 10"},
		{"credits for another latency", ".LATENCY(3)\n    ) n5_p2_link (", ".LATENCY(4)\n    ) n5_p2_link (", "n5_p2_link: expected linked_hc_link_credits with LATENCY 3 and WIDTH 10, found linked_hc_link_credits with LATENCY 4 and WIDTH 10"},
		{"a pace earlier than its link", ".CYCLES(3)\n    ) n5_p2_late_pace (", ".CYCLES(2)\n    ) n5_p2_late_pace (", "n5_p2_late_pace: expected linked_hc_delay with CYCLES 3 and WIDTH 4, found linked_hc_delay with CYCLES 2 and WIDTH 4"},
		{"a pace of the barrier later than its link", ".CYCLES(1)\n    ) n5_p0_late_barrier_pace (", ".CYCLES(3)\n    ) n5_p0_late_barrier_pace (", "n5_p0_late_barrier_pace: expected linked_hc_delay with CYCLES 1 and WIDTH 2, found linked_hc_delay with CYCLES 3 and WIDTH 2"},
		{"a link takes the valid of another", ".s_axis_tvalid(n0_p0_tvalid)", ".s_axis_tvalid(n0_p1_tvalid)", "s_axis_tvalid[0] of n0_p0_link: expected m_axis_link_tvalid[0] of node 0, found m_axis_link_tvalid[1] of node 0"},
		{"a link takes the words of another", ".s_axis_tdata(n0_p0_tdata)", ".s_axis_tdata(n1_p0_tdata)", "s_axis_tdata[0] of n0_p0_link: expected m_axis_link_tdata[0] of node 0, found m_axis_link_tdata[0] of node 1"},
		{"a link sees the ready of another", ".m_axis_tready(n0_p0_far_tready)", ".m_axis_tready(n2_p0_far_tready)", "m_axis_tready[0] of n0_p0_link: expected s_axis_link_tready[1] of node 1, found s_axis_link_tready[1] of node 3"},
		{"the far ends of two links are exchanged", ".s_axis_link_tvalid({n12_p2_far_tvalid, n4_p3_far_tvalid, n3_p0_far_tvalid, n1_p1_far_tvalid})",
			".s_axis_link_tvalid({n12_p2_far_tvalid, n4_p3_far_tvalid, n1_p1_far_tvalid, n3_p0_far_tvalid})",
			"s_axis_link_tvalid[0] of node 0 (port 0, dimension 1, distance 1 clockwise): expected m_axis_tvalid[0] of n1_p1_link, found m_axis_tvalid[0] of n3_p0_link"},
		{"a link is bypassed", ".s_axis_link_tvalid({n12_p2_far_tvalid, n4_p3_far_tvalid, n3_p0_far_tvalid, n1_p1_far_tvalid})",
			".s_axis_link_tvalid({n12_p2_far_tvalid, n4_p3_far_tvalid, n3_p0_far_tvalid, n1_p1_tvalid})",
			"s_axis_link_tvalid[0] of node 0 (port 0, dimension 1, distance 1 clockwise): expected m_axis_tvalid[0] of n1_p1_link, found m_axis_link_tvalid[1] of node 1"},
		{"a pace is not delayed", ".link_pace({n12_p2_far_pace, n4_p3_far_pace,", ".link_pace({n12_p2_far_pace, n4_pace,",
			"link_pace[8] of node 0 (port 2, dimension 2, distance 1 clockwise): expected late[0] of n4_p3_late_pace, found pace[0] of node 4"},
		{"a delay shows the wrong clock", ".value(n5_pace),\n        .late(n5_p0_far_pace)", ".value(n5_barrier_pace),\n        .late(n5_p0_far_pace)",
			"value[0] of n5_p0_late_pace: expected pace[0] of node 5, found barrier_pace[0] of node 5"},
		{"a link has another clock", ".clk(clk),\n        .rst(rst),\n        .s_axis_tvalid(n0_p0_tvalid)", ".clk(rst),\n        .rst(clk),\n        .s_axis_tvalid(n0_p0_tvalid)",
			"clk[0] of n0_p0_link: expected clk[0] of the network, found rst[0] of the network"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := wiring(t, out, [3]string{"rtl/linked_network.v", c.old, c.changed})
			assert.False(t, ok, text)
			assert.Contains(t, text, "FAIL: linked_network: "+c.says)
		})
	}
}

// Clocks of another region, links and paces of other nodes, and errors of another region.
func TestWiringOfLinksBetweenClocksFindsFaults(t *testing.T) {
	needs.Time(t)
	_, out := generateText(t, clockedRows)
	_, ring := generateText(t, clockedRing)
	for _, c := range []struct {
		name, out, old, changed, says string
	}{
		{"the clocks of a queue are exchanged", out, ".s_clk(clk[0]),\n        .s_rst(rst[0]),\n        .s_axis_tvalid(n0_p2_tvalid),\n        .s_axis_tready(n0_p2_tready),\n        .s_axis_tdata(n0_p2_tdata),\n        .m_clk(clk[1])",
			".s_clk(clk[1]),\n        .s_rst(rst[0]),\n        .s_axis_tvalid(n0_p2_tvalid),\n        .s_axis_tready(n0_p2_tready),\n        .s_axis_tdata(n0_p2_tdata),\n        .m_clk(clk[0])",
			"s_clk[0] of n0_p2_link: expected clk[0] of the network, found clk[1] of the network"},
		{"the reader of a queue has the clock of the writer", out, ".s_axis_tdata(n0_p2_tdata),\n        .m_clk(clk[1])", ".s_axis_tdata(n0_p2_tdata),\n        .m_clk(clk[0])",
			"m_clk[0] of n0_p2_link: expected clk[1] of the network, found clk[0] of the network"},
		{"the reader of a queue has the reset of the writer", out, ".m_rst(rst[1]),\n        .m_axis_tvalid(n0_p2_far_tvalid)", ".m_rst(rst[0]),\n        .m_axis_tvalid(n0_p2_far_tvalid)",
			"m_rst[0] of n0_p2_link: expected rst[1] of the network, found rst[0] of the network"},
		{"a router has the clock of another region", out, ".clk(clk[1]),\n        .rst(rst[1]),\n        .node_digits({2'd1, 2'd2})", ".clk(clk[2]),\n        .rst(rst[1]),\n        .node_digits({2'd1, 2'd2})",
			"clk[0] of node 6: expected clk[1] of the network, found clk[2] of the network"},
		{"a router has the reset of another region", ring, "node3 (\n        .clk(clk[3]),\n        .rst(rst[3])", "node3 (\n        .clk(clk[3]),\n        .rst(rst[2])",
			"rst[0] of node 3: expected rst[3] of the network, found rst[2] of the network"},
		{"registers have the clock of another region", out, ".clk(clk[0]),\n        .rst(rst[0]),\n        .s_axis_tvalid(n0_p0_tvalid)", ".clk(clk[1]),\n        .rst(rst[0]),\n        .s_axis_tvalid(n0_p0_tvalid)",
			"clk[0] of n0_p0_link: expected clk[0] of the network, found clk[1] of the network"},
		{"a queue has more places", out, ".PLACES_BITS(4)\n    ) n5_p3_link (", ".PLACES_BITS(5)\n    ) n5_p3_link (",
			"n5_p3_link: expected clocked_hc_link_clocks with PLACES_BITS 4 and WIDTH 10, found clocked_hc_link_clocks with PLACES_BITS 5 and WIDTH 10"},
		{"two links are exchanged", out, ".s_axis_link_tvalid({n12_p2_far_tvalid, n4_p3_far_tvalid,", ".s_axis_link_tvalid({n4_p3_far_tvalid, n12_p2_far_tvalid,",
			"s_axis_link_tvalid[2] of node 0 (port 2, dimension 2, distance 1 clockwise): expected m_axis_tvalid[0] of n4_p3_link, found m_axis_tvalid[0] of n12_p2_link"},
		{"a link takes the words of another", ring, ".s_axis_tdata(n0_p0_tdata)", ".s_axis_tdata(n2_p1_tdata)",
			"s_axis_tdata[0] of n0_p0_link: expected m_axis_link_tdata[0] of node 0, found m_axis_link_tdata["},
		{"a link is bypassed", ring, ".s_axis_link_tdata({n3_p0_far_tdata, n1_p1_far_tdata})", ".s_axis_link_tdata({n3_p0_far_tdata, n1_p1_tdata})",
			"s_axis_link_tdata[0] of node 0 (port 0, dimension 1, distance 1 clockwise): expected m_axis_tdata[0] of n1_p1_link, found m_axis_link_tdata["},
		{"a pace crosses from another node", out, ".from_count(n0_pace),\n        .to_clk(clk[1])", ".from_count(n1_pace),\n        .to_clk(clk[1])",
			"from_count[0] of n0_p2_late_pace: expected pace[0] of node 0, found pace[0] of node 1"},
		{"a pace of the barrier crosses to another clock", out, ".to_clk(clk[1]),\n        .to_count(n0_p2_far_barrier_pace)", ".to_clk(clk[0]),\n        .to_count(n0_p2_far_barrier_pace)",
			"to_clk[0] of n0_p2_late_barrier_pace: expected clk[1] of the network, found clk[0] of the network"},
		{"a pace does not cross", ring, ".link_pace({n3_p0_far_pace, n1_p1_far_pace})", ".link_pace({n3_p0_far_pace, n1_pace})",
			"link_pace[0] of node 0 (port 0, dimension 1, distance 1 clockwise): expected to_count[0] of n1_p1_late_pace, found pace[0] of node 1"},
		{"the errors of a region have those of another router", out, "assign header_error[1] = |{link_error[31:28],", "assign header_error[1] = |{link_error[35:32],",
			"header_error[1] of the network: expected the OR of header_error of region 1, found an OR without header_error[0] of node 7"},
		{"the errors of a region are those of another", out, "assign header_error[1] = |{link_error[31:28], link_error[27:24], link_error[23:20], link_error[19:16]}",
			"assign header_error[1] = |{link_error[15:12], link_error[11:8], link_error[7:4], link_error[3:0]}",
			"header_error[1] of the network: expected the OR of header_error of region 1, found the OR of header_error of region 0"},
		{"the errors of destinations of another region", out, "assign destination_error[1] = |{destination_errors[7],", "assign destination_error[1] = |{destination_errors[8],",
			"destination_error[1] of the network: expected the OR of destination_error of region 1, found an OR without destination_error[0] of node 7"},
		{"a region has one error more", out, "assign destination_error[1] = |{destination_errors[7],", "assign destination_error[1] = |{destination_errors[8], destination_errors[7],",
			"destination_error[1] of the network: expected the OR of destination_error of region 1, found an OR of 5 bits"},
		{"the errors of a node are those of another", ring, "assign header_error[1] = |link_error[3:2]", "assign header_error[1] = |link_error[5:4]",
			"header_error[1] of the network: expected the OR of header_error of node 1, found the OR of header_error of node 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := wiring(t, c.out, [3]string{"rtl/clocked_network.v", c.old, c.changed})
			assert.False(t, ok, text)
			assert.Contains(t, text, "FAIL: clocked_network: "+c.says)
		})
	}
}

// The bubble rule is needed with links, too, and a link that repeats messages, or fills without one, breaks the rings.
func TestProofOfRingsWithRegistersFindsFaults(t *testing.T) {
	needs.Time(t)
	_, out := generateText(t, linkedRing)
	for name, change := range map[string]func(t *testing.T, out string) string{
		"entrants go first":      func(t *testing.T, out string) string { return changed(t, out, entersFirst...) },
		"a link repeats":         inEachRing("filled ? !departs :", "filled ? 1'b1 :"),
		"a link fills by itself": inEachRing(": fills & arrives", ": fills"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, ok := proveClaims(t, change(t, out), "_rings[0-9]*.sby")
			assert.False(t, ok, text)
			assert.Contains(t, text, "FAIL: linked_rings0: linked_rings0: linked_rings.v:")
		})
	}
}

// inEachRing changes a text that occurs in the module of each ring port.
func inEachRing(old, now string) func(t *testing.T, out string) string {
	return func(t *testing.T, out string) string {
		t.Helper()
		own := changed(t, out)
		path := harness.File(t, own, "formal/linked_rings.v")
		good, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(good), old)
		require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(good), old, now)), 0o644))
		return own
	}
}

// A clock with another lead than the machine, and a barrier with another period, are faults of the router.
func TestProofOfRoutersOfLinksFindsFaults(t *testing.T) {
	needs.Time(t)
	_, out := generateText(t, linkedPair)
	for name, change := range map[string][2]string{
		"a lead of 1":                     {"== pace_q - AHEAD", "== pace_q - 1'b1"},
		"the barrier ticks in each cycle": {"~|behind & due", "~|behind"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := "rtl/hc_pace.v"
			if strings.Contains(name, "barrier") {
				file = "rtl/hc_barrier.v"
			}
			text, ok := proveClaims(t, changed(t, out, [3]string{file, change[0], change[1]}), "_router.sby")
			assert.False(t, ok, text)
			assert.Contains(t, text, "FAIL: linked_router: ")
		})
	}
}
