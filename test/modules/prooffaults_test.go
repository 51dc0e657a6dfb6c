// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

// faultParameters are the parameters of modules whose faults do not show with the smallest parameters.
var faultParameters = map[string][]string{
	"hc_link_input":    {"-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 3 -chparam CONTINUES 1 -chparam TARGETS 3 -chparam BODY_BITS 2 -chparam SLOTS 2"},
	"hc_output":        {"-chparam WORD_BITS 2"},
	"hc_port_delivery": {"-chparam SOURCES 2 -chparam BODY_BITS 2"},
	"hc_local_input":   {"-chparam DIMENSIONS 3"},
	"hc_arbiter":       {"-chparam REQUESTERS 6"},
	"hc_select":        {"-chparam WORDS 5 -chparam WORD_BITS 2"},
	"hc_tree_arbiter":  {"-chparam REQUESTERS 6 -chparam LOWEST 3 -chparam ALONE 1 -chparam WORD_BITS 2"},
	"hc_delivery":      {"-chparam SOURCES 3 -chparam BODY_BITS 2"},
	"hc_group":         {"-chparam SOURCES 2 -chparam PORTS 2 -chparam BODY_BITS 2"},
	"hc_ring_port":     {"-chparam ENTRANTS 2 -chparam WORD_BITS 3"},
	"hc_link_slices":   {"-chparam STAGES 2 -chparam WIDTH 2"},
	"hc_link_credits":  {"-chparam LATENCY 3 -chparam WIDTH 2"},
	"hc_delay":         {"-chparam CYCLES 3 -chparam WIDTH 2"},
}

func TestProofsFindFaults(t *testing.T) {
	needs.Time(t)
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
		{"a link input asks again", []string{"hc_link_input"}, []string{"rest   = request & ~grant & {TARGETS{valid}}", "rest   = request & {TARGETS{valid}}"}, 5},
		{"a link input forgets a copy", []string{"hc_link_input"}, []string{"pending_q    <= rest |", "pending_q       <= (rest & {TARGETS{!bypass}}) |"}, 5},
		{"a link input is done before the last copy", []string{"hc_link_input"}, []string{"stays  = |rest", "stays  = &rest"}, 5},
		{"a link input keeps what is malformed", []string{"hc_link_input"}, []string{"rest   = request & ~grant & {TARGETS{valid}}", "rest   = request & ~grant"}, 5},
		{"a link input accepts a weight of 0", []string{"hc_link_input"}, []string{"well_formed = wd == DIMENSION && wc != {WC_BITS{1'b0}};", "well_formed = wd == DIMENSION;"}, 4},
		{"a link input queues what is malformed", []string{"hc_link_input"}, []string{"arrival = s_axis_tvalid & s_axis_tready & well_formed", "arrival = s_axis_tvalid & s_axis_tready"}, 6},
		{"a link input takes what it has no slot for", []string{"hc_link_input"}, []string{"s_axis_tready = free_q[SLOTS-1]", "s_axis_tready = free_q[0] | free_q[SLOTS-1] | !stays"}, 6},
		{"a link input wastes a slot", []string{"hc_link_input"}, []string{"s_axis_tready = free_q[SLOTS-1]", "s_axis_tready = free_q[0]"}, 5},
		{"a link input lets what arrives pass the queue", []string{"hc_link_input"}, []string{"next_word    = waits ? slots_q[WORD_BITS-1:0] : link_word", "next_word    = link_word"}, 7},
		{"a link input gives the targets of what arrives to what waits", []string{"hc_link_input"}, []string{"next_targets = waits ? waiting_targets :", "next_targets = waits ? link_targets :"}, 7},
		{"a link input overwrites the oldest message", []string{"hc_link_input"}, []string{"if (free_q[0] | !stays) head_q", "if (free_q[1] | !stays) head_q"}, 7},
		{"a slot is overwritten", []string{"hc_link_input"}, []string{"if (free_q[n] | !stays) slots_q", "if (s_axis_tvalid) slots_q"}, 7},
		{"a slot that is filled seems free", []string{"hc_link_input"}, []string{"stays ? !(level[n] | (level[n-1] & arrival))", "stays ? !level[n]"}, 7},
		{"a link input counts an error while it is not ready", []string{"hc_link_input"}, []string{"header_error <= s_axis_tvalid & s_axis_tready &", "header_error <= s_axis_tvalid &"}, 7},
		{"a link input keeps copies over a reset", []string{"hc_link_input"}, []string{"            pending_q    <= {TARGETS{1'b0}};\n", ""}, 6},
		{"an output register loses a word that waits", []string{"hc_output"}, []string{"full_q <= valid | !ready", "full_q <= valid"}, 5},
		{"an output register changes a word that waits", []string{"hc_output"}, []string{"if (ready) data_q", "data_q"}, 5},
		{"an output register waits till it is empty", []string{"hc_output"}, []string{"ready = !full_q | m_axis_tready", "ready = !full_q"}, 5},
		{"a delivery mixes links", portDelivery(), []string{"bodies[i*BODY_BITS+:BODY_BITS]", "bodies[0+:BODY_BITS]"}, 5},
		{"a delivery of each link takes what is malformed", portDelivery(), []string{"(request[i] & valid[i])", "(request[i])"}, 5},
		{"a delivery of each link waits for all", portDelivery(), []string{"(request[i] & valid[i])", "(&request & valid[i])"}, 5},
		{"deliveries leave together", portDelivery(), []string{"(m_axis_tready[i])", "(&m_axis_tready)"}, 5},
		{"a local input asks before its pace lets it", []string{"hc_local_input"}, []string{"{DIMENSIONS{s_axis_tvalid & open}} & ~done_q", "{DIMENSIONS{s_axis_tvalid}} & ~done_q"}, 4},
		{"a local input keeps its copies", []string{"hc_local_input"}, []string{"(done_q | grant) & {DIMENSIONS{!s_axis_tready}}", "done_q | grant"}, 5},
		{"a local input forgets its copies", []string{"hc_local_input"}, []string{"(done_q | grant) &", "grant &"}, 5},
		{"a local input is ready before the last copy", []string{"hc_local_input"}, []string{"&(done_q | grant)", "|(done_q | grant)"}, 4},
		{"a ring port enters past one that asks to continue", ringPort(), []string{"enter_ready   = ready & !continue_request", "enter_ready  = ready & !(continue_request & continue_valid)"}, 5},
		{"a ring port enters whatever asks to continue", ringPort(), []string{"enter_ready   = ready & !continue_request", "enter_ready  = ready"}, 5},
		{"a ring port lets what enters go first", ringPort(), []string{"continue_grant = ready", "continue_grant = ready & ~|enter_request"}, 5},
		{"a ring port takes what continues and is malformed", ringPort(), []string{"continue_request ? continue_valid :", "continue_request ? 1'b1 :"}, 5},
		{"a ring port takes what enters and is malformed", ringPort(), []string{"|(enter_select & enter_valid)", "|enter_select"}, 5},
		{"the turn of a ring port passes though its register is full", ringPort(), []string{".complete(entrant_valid & enter_ready)", ".complete(entrant_valid & !continue_request)"}, 6},
		{"a ring port does not wait while its register is full", ringPort(), []string{"!(entrant_valid & enter_ready)", "continue_request"}, 5},
		{"a ring port waits with what is malformed", ringPort(), []string{".waiting((|(enter_request & enter_valid))", ".waiting((|enter_request)"}, 5},
		{"a ring port waits with the selected entrant alone", ringPort(), []string{".waiting((|(enter_request & enter_valid))", ".waiting(entrant_valid"}, 5},
		{"what is malformed passes", ringPort(), []string{"continue_request & continue_valid & ready", "continue_request & ready"}, 5},
		{"what is blocked passes", ringPort(), []string{"continue_request & continue_valid & ready", "continue_request & continue_valid"}, 5},
		{"a mark stays when nothing waits", []string{"hc_ring_mark"}, []string{"waiting & (twice_q |", "(twice_q |"}, 6},
		{"a mark holds after one tick", []string{"hc_ring_mark"}, []string{"hold = twice_q", "hold = once_q"}, 6},
		{"a mark counts ticks without a pass", []string{"hc_ring_mark"}, []string{"(once_q & passed & tick)", "(once_q & tick)"}, 6},
		{"a mark counts passes without a tick", []string{"hc_ring_mark"}, []string{"(once_q & passed & tick)", "(once_q & passed)"}, 6},
		{"a mark forgets a pass before the tick", []string{"hc_ring_mark"}, []string{"passed = passed_q | passes", "passed = passes"}, 6},
		{"a mark counts a pass in every tick", []string{"hc_ring_mark"}, []string{"waiting & passed & !tick", "waiting & passed"}, 6},
		{"delivery takes what it has no room for", delivery(), []string{"grant = {SOURCES{ready}} & select", "grant = select"}, 6},
		{"delivery takes what is malformed", delivery(), []string{"word_valid = (|request) & select_valid", "word_valid = |request"}, 5},
		{"the turn of delivery passes though its register is full", delivery(), []string{"(word_valid & ready)", "(word_valid)"}, 6},
		{"delivery exchanges bits on the way out", delivery(), []string{".m_axis_tdata (m_axis_tdata)", ".m_axis_tdata ({m_axis_tdata[0], m_axis_tdata[1]})"}, 6},
		{"a group offers again what was taken", group(), []string{"= {PORTS{|request}} & ~done_q", "= {PORTS{|request}}"}, 5},
		{"a group is done before the last port", group(), []string{"&(done_q | port_grant)", "|(done_q | port_grant)"}, 5},
		{"a group notes what a malformed message has taken", group(), []string{"(port_grant & {PORTS{port_valid}})", "port_grant"}, 5},
		{"an arbiter grants two", []string{"hc_arbiter"}, []string{"first & ~below", "first"}, 3},
		{"an arbiter grants what does not ask", []string{"hc_arbiter"}, []string{"first & ~below", "~below"}, 3},
		{"an arbiter looks at no turns", []string{"hc_arbiter"}, []string{"|due ? due : request", "request"}, 5},
		{"an arbiter grants only what is due", []string{"hc_arbiter"}, []string{"|due ? due : request", "|pointer_q ? due : request"}, 5},
		{"an arbiter lets one pass twice", []string{"hc_arbiter"}, []string{"complete ? below : below | select", "below | select"}, 6},
		{"an arbiter changes before it is done", []string{"hc_arbiter"}, []string{"complete ? below : below | select", "below"}, 6},
		{"an arbiter forgets the turn of requester 0", []string{"hc_arbiter"}, []string{"next[0] ? {REQUESTERS - 1{1'b0}} :", ""}, 6},
		{"an arbiter begins anew when nothing asks", []string{"hc_arbiter"}, []string{"if (|request) pointer_q", "pointer_q"}, 6},
		{"a multiplexer mixes words", []string{"hc_select"}, []string{"number | i[BITS-1:0]", "i[BITS-1:0] >> 1"}, 1},
		{"a multiplexer leaves a word out", []string{"hc_select"}, []string{"i + (1 << level) < WORDS", "i + (2 << level) < WORDS"}, 1},
		{"a multiplexer takes the lower of two", []string{"hc_select"}, []string{"if (number[level])", "if (!number[level])"}, 1},
		{"a weight above D fits", []string{"hc_wc_step"}, []string{"fits = largest[b]", "fits = wc[b]"}, 1},
		{"a continuation keeps its weight", []string{"hc_wc_step"}, []string{"wc[b] ^ borrow", "wc[b]"}, 1},
		{"a continuation borrows from one bit only", []string{"hc_wc_step"}, []string{"borrow & !wc[b]", "!wc[b]"}, 1},
		{"a tree looks at no turns", []string{"hc_tree_arbiter"}, []string{"(pointer_q[n] | !requests[lower(n)])", "!requests[lower(n)]"}, 4},
		{"a tree selects a half that does not ask", []string{"hc_tree_arbiter"}, []string{"requests[n] & (pointer_q[n] | !requests[lower(n)])", "pointer_q[n] | !requests[lower(n)]"}, 4},
		{"a tree grants what does not ask", []string{"hc_tree_arbiter"}, []string{"select = chosen & request", "select = chosen"}, 3},
		{"a tree grants one in each half", []string{"hc_tree_arbiter"}, []string{"chosen[n]        = reached[n] & upper[n]", "chosen[n]        = upper[n]"}, 3},
		{"a node of a tree gives the word of the other half", []string{"hc_tree_arbiter"}, []string{"upper[n] ? merged[n*WORD_BITS+:WORD_BITS] : merged[lower(n)*WORD_BITS+:WORD_BITS]", "upper[n] ? merged[lower(n)*WORD_BITS+:WORD_BITS] : merged[n*WORD_BITS+:WORD_BITS]"}, 3},
		{"a tree changes before it is done", []string{"hc_tree_arbiter"}, []string{"upper[m] ^ complete", "!upper[m]"}, 5},
		{"a tree stays with who is done", []string{"hc_tree_arbiter"}, []string{"upper[m] ^ complete", "upper[m]"}, 5},
		{"nodes of a tree change that did not select", []string{"hc_tree_arbiter"}, []string{"if (reached[m] & some[m])", "if (some[m])"}, 5},
		{"a tree begins anew when nothing asks", []string{"hc_tree_arbiter"}, []string{"if (reached[m] & some[m])", "if (reached[m])"}, 5},
		{"it is the turn of an upper half after reset", []string{"hc_tree_arbiter"}, []string{"if (rst) pointer_q <= {REQUESTERS - 1{1'b0}}", "if (rst) pointer_q <= {REQUESTERS - 1{1'b1}}"}, 3},
		{"a turn of a tree is not reset", []string{"hc_tree_arbiter"}, []string{"                if (rst) pointer_q <= {REQUESTERS - 1{1'b0}};\n", ""}, 3},
		{"who is alone shares a half with links", []string{"hc_tree_arbiter"}, []string{"ALONE != 0 && node == 1 ? LARGEST :", ""}, 5},
		{"a half begins below the lowest number", []string{"hc_tree_arbiter"}, []string{"node - half(node) < ALONE ? ALONE : node - half(node)", "node - 1"}, 5},
		{"a slice loses its second word", linkSlices(), []string{"full_q  <= stays | arrives | !ready_q", "full_q  <= stays | arrives"}, 6},
		{"a slice takes a third word", linkSlices(), []string{"ready_q <= !(stays & (arrives | !ready_q))", "ready_q <= !(stays & arrives)"}, 6},
		{"a slice has one place", linkSlices(), []string{"ready_q <= !(stays & (arrives | !ready_q))", "ready_q <= !(stays | arrives)"}, 6},
		{"a word overtakes another in a slice", linkSlices(), []string{"ready_q ? data[i*WIDTH+:WIDTH] : tail_q", "data[i*WIDTH+:WIDTH]"}, 7},
		{"a slice changes a word that waits", linkSlices(), []string{"if (!stays) head_q", "head_q"}, 6},
		{"a link has a credit too many", linkCredits(), []string{"credit_q <= -ALL", "credit_q <= -ALL - ONE"}, 4},
		{"a link has a credit too few", linkCredits(), []string{"credit_q <= -ALL", "credit_q <= -ALL + ONE"}, 4},
		{"a credit returns in every cycle in which a word waits", linkCredits(), []string{".value(m_axis_tvalid & m_axis_tready)", ".value(m_axis_tvalid)"}, 9},
		{"a credit returns late", linkCredits(), []string{".CYCLES(LATENCY)", ".CYCLES(LATENCY + 1)"}, 12},
		{"a credit that returns while one is taken is lost", linkCredits(), []string{"if (take ^ back) credit_q", "if (take | back) credit_q"}, 12},
		{"a word is one cycle too long on its way", linkCredits(), []string{"TRAVEL       = LATENCY - 2", "TRAVEL       = LATENCY - 1"}, 7},
		{"the places of a memory are not all used", linkCredits(), []string{"memory[write_q] <=", "memory[write_q % 4] <="}, 9},
		{"a pointer does not wrap", linkCredits(), []string{"if (arrives) write_q", "if (arrives & ~&write_q) write_q"}, 14},
		{"a word is read before it is written", linkCredits(), []string{"(write_q != read_q) &", "arrives &"}, 6},
		{"a word that waits is overwritten", linkCredits(), []string{"& (!full_q | m_axis_tready)", ""}, 8},
		{"a delay is one cycle shorter", []string{"hc_delay"}, []string{"values[CYCLES*WIDTH+:WIDTH]", "values[(CYCLES-1)*WIDTH+:WIDTH]"}, 6},
		{"a delay keeps values over a reset", []string{"hc_delay"}, []string{"rst ? {CYCLES * WIDTH{1'b0}} : ", ""}, 6},
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
				p.instances("hc_output", 2)
			}
			p.compile(faultParameters[c.sources[0]]...)
			p.fails(c.steps)
		})
	}
}
