// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/smt"
)

// ring is a ring of link inputs and ring ports. The messages that enter, their weights, and the times of
// their other copies are arbitrary.
type ring struct{ nodes, slots, bypass int }

func (r ring) String() string {
	return fmt.Sprintf("%d nodes, %d slots, bypass %d", r.nodes, r.slots, r.bypass)
}

// Questions about a ring.
type question int

const (
	keepsPlace  question = iota // a place is always free
	staysFull                   // a full ring never has a free place again
	becomesFull                 // a run in which the ring becomes full
)

// places adds the declarations and returns the conditions that places are taken and that registers are
// consistent.
func (r ring) places(b *strings.Builder) (taken, fits []string) {
	const bodyBits, wcBits = 1, 2
	word := bodyBits + wcBits
	for v := range r.nodes {
		look := func(width int, signal string) string {
			fmt.Fprintf(b, "    (* hierconn *) wire [%d:0] \\%s ;\n", width-1, signal)
			return "\\" + signal + " "
		}
		free := look(r.slots, fmt.Sprintf("in%d.free_q", v))
		pending := look(2, fmt.Sprintf("in%d.pending_q", v))
		taken = append(taken, look(1, fmt.Sprintf("out%d.register.full_q", v)), pending+"[1]")
		fits = append(fits, fmt.Sprintf("(%s== 0) == %s[0]", pending, free))
		if r.slots == 1 {
			continue
		}
		slots := look((r.slots-1)*word, fmt.Sprintf("in%d.queue.slots_q", v))
		for n := 1; n < r.slots; n++ {
			taken = append(taken, fmt.Sprintf("!%s[%d] && %s[%d+:%d] != 0", free, n, slots, (n-1)*word+bodyBits, wcBits))
			fits = append(fits, fmt.Sprintf("(%s[%d] || !%s[%d])", free, n, free, n-1))
		}
	}
	return taken, fits
}

func (r ring) proof(t *testing.T, asked question, faults ...string) *proof {
	t.Helper()
	var b strings.Builder
	last := r.nodes - 1
	fmt.Fprintf(&b, "module ring (input clk, input rst, input [%[1]d:0] request, input [%[1]d:0] enter_valid, input [%[2]d:0] words, input [%[3]d:0] grant);\n",
		last, 3*r.nodes-1, r.nodes-1)
	fmt.Fprintf(&b, "    wire [%[1]d:0] valid, ready, continue_valid, continue_grant;\n    wire [%[2]d:0] data, next;\n    wire [%[3]d:0] requests;\n",
		last, 3*r.nodes-1, 2*r.nodes-1)
	for v := range r.nodes {
		before := (v + last) % r.nodes
		fmt.Fprintf(&b, `    hc_link_input #(.WC_BITS(2), .LARGEST(3), .CONTINUES(1), .TARGETS(2), .BODY_BITS(1), .SLOTS(%[3]d), .BYPASS(%[4]d)) in%[1]d (
        .clk(clk), .rst(rst), .s_axis_tvalid(valid[%[2]d]), .s_axis_tready(ready[%[2]d]), .wd(1'b1), .wc(data[3*%[2]d+1+:2]), .body(data[3*%[2]d]),
        .head_next_wc(next[3*%[1]d+1+:2]), .head_body(next[3*%[1]d]), .valid(continue_valid[%[1]d]), .request(requests[2*%[1]d+:2]),
        .grant({continue_grant[%[1]d], grant[%[1]d]}), .header_error());
    hc_ring_port #(.WORD_BITS(3)) out%[1]d (
        .clk(clk), .rst(rst), .continue_request(requests[2*%[1]d+1]), .continue_valid(continue_valid[%[1]d]), .continue_word(next[3*%[1]d+:3]),
        .continue_grant(continue_grant[%[1]d]), .enter_request(request[%[1]d]), .enter_valid(enter_valid[%[1]d]), .enter_words(words[3*%[1]d+:3]), .enter_grant(),
        .m_axis_tvalid(valid[%[1]d]), .m_axis_tready(ready[%[1]d]), .m_axis_tdata(data[3*%[1]d+:3]));
`, v, before, r.slots, r.bypass)
	}
	taken, fits := r.places(&b)
	fmt.Fprint(&b, "    reg live = 0;\n    always @(posedge clk) live <= 1;\n    always @* if (!live) assume (rst);\n")
	fmt.Fprintf(&b, "    wire [%d:0] taken;\n", len(taken)-1)
	for i, place := range taken {
		fmt.Fprintf(&b, "    assign taken[%d] = %s;\n", i, place)
	}
	switch asked {
	case keepsPlace:
		fmt.Fprint(&b, "    always @* if (live) assert (~&taken);\n")
		fmt.Fprintf(&b, "    always @* if (live) assert (%s);\n", strings.Join(fits, " && "))
		fmt.Fprintf(&b, "    wire [%d:0] free = ~taken;\n    always @* cover (live && (free & (free - 1)) == 0);\n", len(taken)-1)
	case staysFull:
		fmt.Fprint(&b, "    reg full_q = 0;\n    always @(posedge clk) full_q <= live && !rst && &taken;\n")
		fmt.Fprintf(&b, "    always @* if (live) assert (!full_q || &taken);\n    always @* if (live) assert (%s);\n", strings.Join(fits, " && "))
	case becomesFull:
		fmt.Fprintf(&b, "    always @* if (live) assert (%s);\n    always @* cover (live && &taken);\n", strings.Join(fits, " && "))
	}
	fmt.Fprint(&b, "endmodule\n")
	p := bare(t, append([]string{"hc_link_input"}, ringPort()...), faults...)
	p.within("ring", b.String(), 1)
	p.compile()
	return p
}

// The ring consists of modules that are proved separately: for all messages, and runs of any length, one place of
// the ring is free, as docs/architecture.md says under "Why it cannot deadlock". At times only one is free.
func TestRingsKeepAPlaceFree(t *testing.T) {
	needs.Time(t)
	for nodes := 2; nodes <= 5; nodes++ {
		for _, r := range []ring{{nodes, 1, 1}, {nodes, 2, 1}, {nodes, 2, 0}, {nodes, 3, 0}} {
			t.Run(r.String(), func(t *testing.T) {
				p := r.proof(t, keepsPlace)
				p.holds(1)
				if nodes <= 3 {
					p.reaches(8 + 4*r.slots)
				}
			})
		}
	}
}

// entersFirst breaks the bubble rule without losing messages: a message that requests to continue waits.
var entersFirst = []string{
	"enter_ready   = ready & !continue_request", "enter_ready   = ready",
	"continue_grant = ready;", "continue_grant = ready & ~|enter_request;",
	"(continue_request ? continue_valid : entrant_valid)", "(~|enter_request ? continue_request & continue_valid : entrant_valid)",
	"(continue_request ? continue_word : enter_word)", "(~|enter_request ? continue_word : enter_word)",
}

// Without the bubble rule a ring becomes full a few cycles after reset, and stays full forever. With two
// stages and one slot, which no machine has, the rule is not sufficient.
func TestRingsWithoutTheBubbleRuleLockUp(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name   string
		ring   ring
		faults []string
	}{
		{"enters first", ring{3, 1, 1}, entersFirst},
		{"enters first, several slots", ring{2, 2, 1}, entersFirst},
		{"enters first, two stages", ring{2, 2, 0}, entersFirst},
		{"two stages, one slot", ring{3, 1, 0}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := c.ring.proof(t, keepsPlace, c.faults...).solve(smt.Induction(1))
			assert.False(t, v.Passed, "the proof notices:\n%s", v.Log)
			c.ring.proof(t, becomesFull, c.faults...).reaches(16)
			p := c.ring.proof(t, staysFull, c.faults...)
			require.Equal(t, 2, p.asserts)
			p.holds(1)
		})
	}
}
