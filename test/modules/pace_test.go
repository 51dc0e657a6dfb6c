// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
)

// Turns of the credit, in routers for broadcasts and in routers with destinations.
const broadcastTurn, destinationTurn = 1, plan.TurnCost

// onePace is hc_pace with its properties.
func onePace(t *testing.T, links, turn, lead int, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_pace"}, faults...)
	p.compile(fmt.Sprintf("-chparam DEGREE %d -chparam TURN %d -chparam LEAD %d", links, turn, lead))
	return p
}

// Credit, injections and ticks balance, for the turns of the routers and another turn, and for leads that use all bits of the
// pace and that do not.
func TestPaceIsProved(t *testing.T) {
	for _, c := range []struct{ links, turn, lead int }{
		{1, broadcastTurn, 1}, {4, broadcastTurn, 1}, {1, destinationTurn, 1}, {4, destinationTurn, 1}, {2, 2, 1},
		{2, broadcastTurn, 2}, {2, destinationTurn, 3}, {1, broadcastTurn, 4},
	} {
		t.Run(fmt.Sprintf("%d links, turn of %d, lead of %d", c.links, c.turn, c.lead), func(t *testing.T) {
			p := onePace(t, c.links, c.turn, c.lead)
			p.holds(2)
			p.reaches(24)
		})
	}
}

func TestProofOfPaceFindsFaults(t *testing.T) {
	needs.Time(t)
	both, destinations := []int{broadcastTurn, destinationTurn}, []int{destinationTurn}
	for _, c := range []struct {
		name  string
		turns []int // with which the change is a fault
		fault [2]string
	}{
		{"ticks though it is held", both, [2]string{" & !hold", ""}},
		{"does not wait for a neighbour", both, [2]string{"tick = done & ~|behind", "tick = done & ~&behind"}},
		{"waits for a neighbour that is ahead", both, [2]string{"== pace_q - AHEAD", "== pace_q + AHEAD"}},
		{"does not wait for its node", both, [2]string{"done     = !full | !valid", "done = 1'b1"}},
		{"waits for a node without messages", both, [2]string{"done     = !full | !valid", "done     = !full"}},
		{"done only if 2 of the credit are used", both, [2]string{"full     = rest_q[BITS-1]", "full     = rest_q[BITS-1] | &rest_q[BITS-2:0]"}},
		{"done only if a turn is used", destinations, [2]string{"done     = !full | !valid", "done     = !full & ~|rest_q[BITS-3:0] | !valid"}},
		{"a tick gives more than the cap", both, [2]string{"has_turn ? MOST : rest_q | ADDED", "rest_q + ADDED"}},
		{"a tick gives all credit", both, [2]string{"has_turn ? MOST : rest_q | ADDED", "MOST"}},
		{"an injection costs nothing", both, [2]string{"inject ? paid : credit", "credit"}},
		{"a turn costs nothing", both, [2]string{"(single ? ONE : ADDED)", "(single ? ONE : {BITS{1'b0}})"}},
		{"a message for a single node costs a turn", destinations, [2]string{"(single ? ONE : ADDED)", "ADDED"}},
		{"the local input may ask without credit", both, [2]string{"open = single ? |rest_q : has_turn", "open = 1'b1"}},
		{"the local input may ask for more than it can pay", destinations, [2]string{"open = single ? |rest_q : has_turn", "open = |rest_q"}},
		{"a message for a single node needs a turn", destinations, [2]string{"open = single ? |rest_q : has_turn", "open = has_turn"}},
		{"there is no credit after reset", both, [2]string{"rest_q <= ADDED", "rest_q <= {BITS{1'b0}}"}},
	} {
		for _, turn := range c.turns {
			t.Run(fmt.Sprintf("%s, turn of %d", c.name, turn), func(t *testing.T) {
				onePace(t, 2, turn, 1, c.fault[:]...).fails(8)
			})
		}
	}
	t.Run("a lead of 1 in place of 2", func(t *testing.T) {
		onePace(t, 2, broadcastTurn, 2, "== pace_q - AHEAD", "== pace_q - 1'b1").fails(8)
	})
}

// latePace is hc_pace and a neighbour, each of which sees the other late.
func latePace(t *testing.T, links, lead int, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_pace"}, faults...)
	p.add("hc_pace_late.v")
	p.compile(fmt.Sprintf("-chparam DEGREE %d -chparam LEAD %d", links, lead))
	return p
}

// Neighbours are at most lead ticks apart, whatever the delay of the wires between them.
func TestNeighboursStayTogether(t *testing.T) {
	for _, c := range []struct{ links, lead int }{{1, 1}, {3, 1}, {1, 2}, {3, 3}, {1, 4}} {
		t.Run(fmt.Sprintf("%d links, lead of %d", c.links, c.lead), func(t *testing.T) {
			p := latePace(t, c.links, c.lead)
			p.holds(2)
			p.reaches(14 + 2*c.lead)
		})
	}
}

// paceNetwork is a network that consists of hc_pace. Its nodes offer and inject any messages at any time, and its clocks are
// held at any time.
type paceNetwork struct {
	lead   int
	bits   int // of the pace, if not the least that suffice
	turn   int
	shares bool // the properties of hc_pace count the messages
}

func (n paceNetwork) proof(t *testing.T, g *hypercycle.Graph, faults ...string) *proof {
	t.Helper()
	nodes, shares, turn, lead, width := g.Nodes(), n.shares, n.turn, n.lead, n.bits
	if width == 0 {
		width = bits.Len(uint(2 * lead))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module paces (input clk, input rst, input [%[1]d:0] valid, input [%[1]d:0] single, input [%[1]d:0] inject, input [%[1]d:0] hold);\n", nodes-1)
	fmt.Fprintf(&b, "    wire [%d:0] pace;\n    reg [%[1]d:0] pace_q;\n    wire [%[2]d:0] open, done, tick;\n", width*nodes-1, nodes-1)
	fmt.Fprint(&b, "    always @(posedge clk) pace_q <= rst ? 0 : pace;\n")
	for v := range nodes {
		var links []string
		for p := range g.Degree() {
			links = append([]string{fmt.Sprintf("pace[%d+:%d]", width*g.Neighbor(v, p), width)}, links...)
		}
		fmt.Fprintf(&b, "    hc_pace #(.DEGREE(%d), .TURN(%d), .LEAD(%d)) node%d (.clk(clk), .rst(rst), .link_pace({%s}),\n",
			g.Degree(), turn, lead, v, strings.Join(links, ", "))
		fmt.Fprintf(&b, "        .valid(valid[%[1]d]), .single(single[%[1]d]), .inject(inject[%[1]d]), .hold(hold[%[1]d]), .pace(pace[%[2]d+:%[3]d]), .tick(tick[%[1]d]), .open(open[%[1]d]));\n", v, width*v, width)
		fmt.Fprintf(&b, "    (* hierconn *) wire \\node%[1]d.done ;\n    assign done[%[1]d] = \\node%[1]d.done ;\n", v)
		// Ticks modulo 2^6, from the pace.
		fmt.Fprintf(&b, "    reg [5:0] before%[1]d;\n    wire [%[4]d:0] step%[1]d = pace[%[2]d+:%[3]d] - pace_q[%[2]d+:%[3]d];\n", v, width*v, width, width-1)
		fmt.Fprintf(&b, "    wire [5:0] ticks%[1]d = before%[1]d + step%[1]d;\n    always @(posedge clk) before%[1]d <= rst ? 0 : ticks%[1]d;\n", v)
		fmt.Fprintf(&b, "    always @* if (live) assert (ticks%d[%d:0] == pace[%d+:%d]);\n", v, width-1, width*v, width)
		if shares {
			fmt.Fprintf(&b, "    (* hierconn *) wire [5:0] \\node%[1]d.f_paid , \\node%[1]d.f_ticks ;\n    (* hierconn *) wire \\node%[1]d.f_always ;\n", v)
			fmt.Fprintf(&b, "    always @* if (live) assert (ticks%[1]d == \\node%[1]d.f_ticks );\n", v)
		}
	}
	fmt.Fprint(&b, "    reg live = 0;\n    always @(posedge clk) live <= 1;\n    always @* if (!live) assume (rst);\n")
	fmt.Fprint(&b, "    always @* assume ((inject & ~(open & valid)) == 0);\n")
	fmt.Fprint(&b, "    always @* if (live) assert (!(&done && hold == 0) || |tick);\n")
	far := 0
	for v := range nodes {
		if g.Distance(0, v) > g.Distance(0, far) {
			far = v
		}
		for u := range v {
			if u > 0 && g.Distance(u, v) > 1 {
				continue // the networks look the same from all nodes
			}
			distance := lead * g.Distance(u, v)
			fmt.Fprintf(&b, "    wire [5:0] apart_%[1]d_%[2]d = ticks%[1]d - ticks%[2]d + %[3]d;\n", u, v, distance)
			fmt.Fprintf(&b, "    always @* if (live) assert (apart_%d_%d <= %d);\n", u, v, 2*distance)
			if shares && u == 0 {
				most := turn*distance + 2*turn
				fmt.Fprintf(&b, "    wire [5:0] more%[1]d = \\node0.f_paid - \\node%[1]d.f_paid + %[2]d;\n", v, most)
				fmt.Fprintf(&b, "    always @* if (live && \\node0.f_always && \\node%[1]d.f_always ) assert (more%[1]d <= %[2]d);\n", v, 2*most)
			}
		}
	}
	fmt.Fprintf(&b, "    always @* cover (live && apart_0_%d == %d);\n", far, 2*lead*g.Distance(0, far))
	below := bare
	if shares {
		below = prove
		fmt.Fprintf(&b, "    always @* cover (live && \\node0.f_always && \\node%[1]d.f_always && more%[1]d == 0);\n", far)
	}
	fmt.Fprint(&b, "endmodule\n")

	p := below(t, []string{"hc_pace"}, faults...)
	p.within("paces", b.String(), nodes)
	p.compile()
	return p
}

func graph(t *testing.T, dimensions ...hypercycle.Dimension) *hypercycle.Graph {
	t.Helper()
	g, err := hypercycle.New(dimensions...)
	require.NoError(t, err)
	return g
}

// In whole networks paces differ by at most the lead times the distance, which is reached. If all routers are done with
// their tick and no clock is held, at least one router ticks.
func TestPacesOfNetworksStayTogether(t *testing.T) {
	needs.Time(t)
	two := hypercycle.Dimension{M: 2, Rho: 1}
	for _, c := range []struct {
		name       string
		dimensions []hypercycle.Dimension
		lead       int
	}{
		{"ring of 3", []hypercycle.Dimension{{M: 3, Rho: 1}}, 1},
		{"ring of 4", []hypercycle.Dimension{{M: 4, Rho: 1}}, 1},
		{"ring of 5", []hypercycle.Dimension{{M: 5, Rho: 1}}, 1},
		{"torus of 2 x 3", []hypercycle.Dimension{two, {M: 3, Rho: 1}}, 1},
		{"cube", []hypercycle.Dimension{two, two, two}, 1},
		{"ring of 4, lead of 2", []hypercycle.Dimension{{M: 4, Rho: 1}}, 2},
		{"torus of 2 x 3, lead of 3", []hypercycle.Dimension{two, {M: 3, Rho: 1}}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := paceNetwork{lead: c.lead, turn: broadcastTurn}.proof(t, graph(t, c.dimensions...))
			p.holds(1)
			p.reaches(10 + 2*c.lead)
		})
	}
}

// The turns of two nodes that always offer messages to several nodes differ by at most the lead times the distance, and 2,
// which is reached.
func TestSharesOfNetworksStayTogether(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct{ nodes, turn, lead int }{{3, broadcastTurn, 1}, {5, broadcastTurn, 1}, {3, destinationTurn, 1}, {3, broadcastTurn, 2}} {
		t.Run(fmt.Sprintf("ring of %d, turn of %d, lead of %d", c.nodes, c.turn, c.lead), func(t *testing.T) {
			p := paceNetwork{lead: c.lead, turn: c.turn, shares: true}.proof(t, graph(t, hypercycle.Dimension{M: c.nodes, Rho: 1}))
			p.holds(1)
			p.reaches(14)
		})
	}
}

// A router that does not wait for neighbours behind it, or ignores the delay of their paces.
func TestProofsOfPacesFindFaults(t *testing.T) {
	needs.Time(t)
	for name, faults := range map[string][]string{
		"does not wait":                {"tick = done & ~|behind", "tick = done"},
		"waits for one of two":         {"tick = done & ~|behind", "tick = done & ~&behind"},
		"looks at one bit of the pace": {"link_pace[i*PACE_BITS+:PACE_BITS] == pace_q - AHEAD", "link_pace[i*PACE_BITS] == pace_q[0]"},
		"waits for those ahead":        {"== pace_q - AHEAD", "== pace_q + AHEAD"},
		"goes two ticks at once":       {"pace_q + 1'b1", "pace_q + 2'd2"},
	} {
		t.Run(name, func(t *testing.T) {
			paceNetwork{lead: 1, turn: broadcastTurn}.proof(t, graph(t, hypercycle.Dimension{M: 4, Rho: 1}), faults...).fails(8)
			latePace(t, 2, 1, faults...).fails(10)
		})
	}
	// Modulo 2 lead a neighbour that is lead ticks ahead seems to be behind, so both clocks wait for ever.
	t.Run("modulo 4 with a lead of 2", func(t *testing.T) {
		paceNetwork{lead: 2, bits: 2, turn: broadcastTurn}.proof(t, graph(t, hypercycle.Dimension{M: 2, Rho: 1}),
			"[DEGREE*$clog2(2*LEAD+1)-1:0]", "[DEGREE*$clog2(2*LEAD)-1:0]", "[$clog2(2*LEAD+1)-1:0]", "[$clog2(2*LEAD)-1:0]",
			"$clog2(2 * LEAD + 1)", "$clog2(2 * LEAD)").fails(8)
	})
	t.Run("a lead of 2 in place of 1", func(t *testing.T) {
		latePace(t, 2, 1, "LEAD[PACE_BITS-1:0]", "2'd2").fails(10)
	})
}
