// SPDX-License-Identifier: Apache-2.0

package hdl_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// faultParameters are those of modules whose faults do not show with the smallest ones.
var faultParameters = map[string][]string{
	"hc_link_input":    {"-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 3 -chparam CONTINUES 1 -chparam TARGETS 3"},
	"hc_queued_input":  {"-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 2 -chparam CONTINUES 1 -chparam TARGETS 3 -chparam BODY_BITS 2"},
	"hc_port_delivery": {"-chparam SOURCES 2 -chparam WIDTH 2"},
	"hc_count":         {"-chparam BITS 5"},
	"hc_local_input":   {"-chparam GROUPS 3"},
	"hc_arbiter":       {"-chparam REQUESTERS 6"},
	"hc_tree_arbiter":  {"-chparam REQUESTERS 6 -chparam LOWEST 3 -chparam ALONE 1 -chparam WIDTH 2"},
	"hc_delivery":      {"-chparam SOURCES 3 -chparam WIDTH 2"},
	"hc_entry_port":    {"-chparam WIDTH 2"},
	"hc_group":         {"-chparam SOURCES 2 -chparam PORTS 2 -chparam WIDTH 2"},
	"hc_ring_port":     {"-chparam ENTRANTS 2 -chparam WIDTH 3"},
}

func TestProofsFindFaults(t *testing.T) {
	cases := []struct {
		name    string
		sources []string
		faults  []string
		steps   int
	}{
		{"Wishbone answers twice", []string{"hc_wishbone"}, []string{" & !wb_ack_o & !wb_err_o", ""}, 5},
		{"Wishbone acknowledges what is refused", []string{"hc_wishbone"}, []string{"strobe & !refused", "strobe"}, 5},
		{"Wishbone writes without a cycle", []string{"hc_wishbone"}, []string{"wb_cyc_i & wb_stb_i &", "wb_stb_i &"}, 5},
		{"AXI4-Lite takes an address without data", []string{"hc_axi4lite"}, []string{"s_axi_awvalid & s_axi_wvalid &", "s_axi_awvalid &"}, 6},
		{"AXI4-Lite loses a response", []string{"hc_axi4lite"}, []string{"if (s_axi_bready) s_axi_bvalid", "if (s_axi_rready) s_axi_bvalid"}, 6},
		{"AXI4-Lite reads and writes at once", []string{"hc_axi4lite"}, []string{" & !write_next;", ";"}, 6},
		{"AXI4-Lite overwrites a response", []string{"hc_axi4lite"}, []string{"!read_q & read_free &", "!read_q &"}, 6},
		{"a link input is ready without its last copy", []string{"hc_link_input"}, []string{"&(made_q | made | ~wanted)", "|(made_q | made | ~wanted)"}, 4},
		{"a link input asks again", []string{"hc_link_input"}, []string{"& wanted & ~made_q", "& wanted"}, 4},
		{"a link input accepts a weight of 0", []string{"hc_link_input"}, []string{"accept = wd == DIMENSION && wc != {WC_BITS{1'b0}};", "accept = wd == DIMENSION;"}, 4},
		{"a queued input loses what comes while one waits", []string{"hc_queued_input"}, []string{"s_axis_tready = !waits_q", "s_axis_tready = 1'b1"}, 5},
		{"a queued input shows the other slot", []string{"hc_queued_input"}, []string{"head_body     = odd_q ?", "head_body     = !odd_q ?"}, 4},
		{"a queued input mixes weights", []string{"hc_queued_input"}, []string{"if (!waits_q & odd_q) next_wc_even_q", "if (odd_q) next_wc_even_q"}, 6},
		{"a queued input asks again", []string{"hc_queued_input"}, []string{"ask_q & ~made;", "ask_q;"}, 5},
		{"a queued input leaves before the last copy", []string{"hc_queued_input"}, []string{"&(~ask_q | made)", "|(~ask_q | made)"}, 5},
		{"a queued input keeps what is malformed", []string{"hc_queued_input"}, []string{"leave = !accept_q | &(", "leave = &("}, 5},
		{"a queued input accepts what is too heavy", []string{"hc_queued_input"}, []string{"wc != {WC_BITS{1'b0}} && wc <= LARGEST", "wc != {WC_BITS{1'b0}}"}, 4},
		{"a queued input counts what is not there", []string{"hc_queued_input"}, []string{"header_error <= ask_q[0] & !accept_q", "header_error <= !accept_q"}, 4},
		{"a queued input passes the one that waits", []string{"hc_queued_input"}, []string{"accept_q <= waits_q ? waits_accept_q : arrives_accept", "accept_q <= arrives_accept"}, 6},
		{"a queued input keeps one over a reset", []string{"hc_queued_input"}, []string{"            waits_q      <= 1'b0;\n", ""}, 6},
		{"a delivery mixes links", portDelivery(), []string{"bodies[i*WIDTH+:WIDTH]", "bodies[0+:WIDTH]"}, 5},
		{"a delivery of each link writes what is malformed", portDelivery(), []string{"(made[i] & accept[i])", "(made[i])"}, 5},
		{"a delivery of each link waits for all", portDelivery(), []string{"made[i] = ask[i] & room", "made[i] = &ask & room"}, 5},
		{"a delivery of each link has no room", portDelivery(), []string{"made[i] = ask[i] & room", "made[i] = ask[i]"}, 6},
		{"a count leaves out the last", []string{"hc_count"}, []string{"i < BITS; i = i + 1", "i < BITS - 1; i = i + 1"}, 2},
		{"a count overflows", []string{"hc_count"}, []string{"count = count + {{COUNT_BITS - 1{1'b0}}, bits[i]}", "count = count ^ {{COUNT_BITS - 1{1'b0}}, bits[i]}"}, 2},
		{"a local input asks before the gate opens", []string{"hc_local_input"}, []string{"{GROUPS{open_next}}", "{GROUPS{1'b1}}"}, 4},
		{"a local input keeps what it noted", []string{"hc_local_input"}, []string{"waits ? needed_q & ~made : {GROUPS{open_next}}", "needed_q & ~made"}, 4},
		{"a local input forgets what it noted", []string{"hc_local_input"}, []string{"waits ? needed_q & ~made", "waits ? needed_q"}, 4},
		{"a ring port enters past one that asks to continue", ringPort(), []string{"first    = continue_full_q | continue_ask;", "first    = continue_full_q | (continue_ask & continue_accept);"}, 5},
		{"a ring port takes what it has no room for", ringPort(), []string{"continue_made = continue_ask & !continue_full_q", "continue_made = continue_ask"}, 5},
		{"a ring port loses what waits to enter", ringPort(), []string{"enters & (first | !load)", "enters & !load"}, 6},
		{"a group offers again what was taken", group(), []string{"= {PORTS{|ask}} & ~taken_q", "= {PORTS{|ask}}"}, 5},
		{"a group is done before the last port", group(), []string{"&(taken_q | room)", "|(taken_q | room)"}, 5},
		{"a group notes what a malformed message has taken", group(), []string{"(room & {PORTS{offer_accept}})", "room"}, 5},
		{"delivery takes what it has no room for", delivery(), []string{"made = {SOURCES{room}} & select", "made = select"}, 6},
		{"delivery writes what is malformed", delivery(), []string{"completed = room & (|ask) & accepted", "completed = room & (|ask)"}, 5},
		{"delivery writes where there is no room", delivery(), []string{
			"made = {SOURCES{room}} & select", "made = select", "completed = room & (|ask) & accepted", "completed = (|ask) & accepted",
		}, 6},
		{"a delivery of each link loses what comes while one waits", portDelivery(), []string{"(bodies[i*WIDTH+:WIDTH])", "(m_axis_tvalid[i] ? {WIDTH{1'b0}} : bodies[i*WIDTH+:WIDTH])"}, 6},
		{"a delivery of each link changes the second of two", portDelivery(), []string{"? slots_q[(i+1)*WIDTH+:WIDTH] : write_data", "? ~slots_q[(i+1)*WIDTH+:WIDTH] : write_data"}, 6},
		{"delivery loses what comes while one waits", delivery(), []string{".write_data   (body)", ".write_data   (m_axis_tvalid ? {WIDTH{1'b0}} : body)"}, 6},
		{"delivery exchanges bits on the way out", delivery(), []string{".m_axis_tdata (m_axis_tdata)", ".m_axis_tdata ({m_axis_tdata[0], m_axis_tdata[1]})"}, 6},
		{"an entry port loses what comes while one waits", entryPort(), []string{"(offer_body)", "(m_axis_tvalid ? {WIDTH{1'b0}} : offer_body)"}, 6},
		{"an entry port changes the second of two", entryPort(), []string{"(offer_body)", "(m_axis_tvalid & !m_axis_tready ? ~offer_body : offer_body)"}, 6},
		{"an entry port writes where there is no room", entryPort(), []string{"(offer & offer_accept & room)", "(offer & offer_accept)"}, 6},
		{"an entry port writes what is malformed", entryPort(), []string{"(offer & offer_accept & room)", "(offer & room)"}, 5},
		{"an arbiter grants what does not ask", []string{"hc_arbiter"}, []string{"chosen[b] & first[i] & !below", "chosen[b] & !below"}, 3},
		{"an arbiter grants two", []string{"hc_arbiter"}, []string{"chosen[b] & first[i] & !below", "chosen[b] & first[i]"}, 3},
		{"an arbiter grants one in each block", []string{"hc_arbiter"}, []string{"~|some_due & ~|(some & ~({BLOCKS{1'b1}} << b))", "~|some_due"}, 3},
		{"an arbiter grants one in each block that is due", []string{"hc_arbiter"}, []string{"some_due[b] ? ~|(some_due & ~({BLOCKS{1'b1}} << b))", "some_due[b] ? 1'b1"}, 5},
		{"an arbiter passes a block that is due", []string{"hc_arbiter"}, []string{"some[b] & ~|some_due &", "some[b] &"}, 5},
		{"an arbiter lets one pass twice", []string{"hc_arbiter"}, []string{"(first[i] & !completed)", "first[i]"}, 6},
		{"an arbiter changes before it is done", []string{"hc_arbiter"}, []string{"again = select[0] & !completed", "again = 1'b0"}, 6},
		{"an arbiter begins anew when nothing asks", []string{"hc_arbiter"}, []string{"if (|some) turn_q[LOWEST+i]", "turn_q[LOWEST+i]"}, 6},
		{"a tree looks at no turns", []string{"hc_tree_arbiter"}, []string{"(turn_q[n] | !asks[lower(n)])", "!asks[lower(n)]"}, 4},
		{"a tree selects a half that does not ask", []string{"hc_tree_arbiter"}, []string{"asks[n] & (turn_q[n] | !asks[lower(n)])", "turn_q[n] | !asks[lower(n)]"}, 4},
		{"a tree grants what does not ask", []string{"hc_tree_arbiter"}, []string{"select = chosen & request", "select = chosen"}, 3},
		{"a tree grants one in each half", []string{"hc_tree_arbiter"}, []string{"chosen[n]        = reached[n] & upper[n]", "chosen[n]        = upper[n]"}, 3},
		{"a node of a tree gives the word of the other half", []string{"hc_tree_arbiter"}, []string{"upper[n] ? passed[n*WIDTH+:WIDTH] : passed[lower(n)*WIDTH+:WIDTH]", "upper[n] ? passed[lower(n)*WIDTH+:WIDTH] : passed[n*WIDTH+:WIDTH]"}, 3},
		{"a tree changes before it is done", []string{"hc_tree_arbiter"}, []string{"upper[m] ^ completed", "!upper[m]"}, 5},
		{"a tree stays with who is done", []string{"hc_tree_arbiter"}, []string{"upper[m] ^ completed", "upper[m]"}, 5},
		{"nodes of a tree change that did not select", []string{"hc_tree_arbiter"}, []string{"if (reached[m] & some[m])", "if (some[m])"}, 5},
		{"a tree begins anew when nothing asks", []string{"hc_tree_arbiter"}, []string{"if (reached[m] & some[m])", "if (reached[m])"}, 5},
		{"it is the turn of an upper half after reset", []string{"hc_tree_arbiter"}, []string{"if (rst) turn_q <= {REQUESTERS - 1{1'b0}}", "if (rst) turn_q <= {REQUESTERS - 1{1'b1}}"}, 3},
		{"who is alone shares a half with links", []string{"hc_tree_arbiter"}, []string{"ALONE != 0 && node == 1 ? LARGEST :", ""}, 5},
		{"a half begins below the lowest number", []string{"hc_tree_arbiter"}, []string{"node - half(node) < ALONE ? ALONE : node - half(node)", "node - 1"}, 5},
		{"the engine opens without rank", engine(), []string{"rank == 3'd0 || ", ""}, 6},
		{"the engine keeps an old error", engine(), []string{"            error_code <= 3'd0;\n", ""}, 8},
		{"the engine counts a dimension once too often", engine(), []string{"grow       = state_q == MULTIPLY & |left", "grow       = state_q == MULTIPLY"}, 8},
		{"the engine counts the nodes of a dimension from 1", engine(), []string{"                rest_q  <= m;\n", "                rest_q  <= m - 1'b1;\n"}, 9},
		{"the engine does not count the last dimension", engine(), []string{"multiplied = state_q == MULTIPLY & ~|left", "multiplied = state_q == MULTIPLY & ~|left & !last"}, 9},
		{"the engine passes m = 1", engine(), []string{"half == {WC_BITS{1'b0}} || ", ""}, 9},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := prove(t, c.sources, c.faults...)
			if p.top == "hc_port_delivery" {
				p.instances("hc_queue", 2)
			}
			p.compile(faultParameters[c.sources[0]]...)
			text, ok := p.smtbmc("-t", strconv.Itoa(c.steps))
			assert.False(t, ok, text)
		})
	}
}
