// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
)

// Credit, injections and ticks balance, for the values of the routers and others.
func TestPaceIsProved(t *testing.T) {
	for _, c := range []struct{ links, refill, most int }{{1, 1, 2}, {4, 1, 2}, {2, 1, 1}, {2, 2, 4}, {2, 3, 3}, {2, 2, 5}} {
		t.Run(fmt.Sprintf("%d links, %d a tick, at most %d", c.links, c.refill, c.most), func(t *testing.T) {
			p := prove(t, []string{"hc_pace"})
			p.compile(fmt.Sprintf("-chparam LINKS %d -chparam REFILL %d -chparam CAP %d", c.links, c.refill, c.most))
			p.holds(2)
			p.reaches(18)
		})
	}
}

// latePace is hc_pace beside a neighbour, each of which sees the other late.
func latePace(t *testing.T, links int, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_pace"}, faults...)
	p.add("hc_pace_late.v")
	p.compile(fmt.Sprintf("-chparam LINKS %d", links))
	return p
}

// Neighbours are at most one tick apart, whatever the delay of the wires between them.
func TestNeighboursStayTogether(t *testing.T) {
	for _, links := range []int{1, 3} {
		t.Run(fmt.Sprintf("%d links", links), func(t *testing.T) {
			p := latePace(t, links)
			p.holds(2)
			p.reaches(16)
		})
	}
}

// paces is a network of hc_pace alone. Its nodes offer and inject at any time, and its
// clocks are held at any time. With shares its messages are counted, too, by the properties of hc_pace.
func paces(t *testing.T, g *hypercycle.Graph, shares bool, refill, most int, faults ...string) *proof {
	t.Helper()
	nodes := g.Nodes()
	var b strings.Builder
	fmt.Fprintf(&b, "module paces (input clk, input rst, input [%[1]d:0] offered, input [%[1]d:0] injected, input [%[1]d:0] held);\n", nodes-1)
	fmt.Fprintf(&b, "    wire [%d:0] pace;\n    reg [%[1]d:0] pace_q;\n    wire [%[2]d:0] open, done, tick;\n", 2*nodes-1, nodes-1)
	fmt.Fprint(&b, "    always @(posedge clk) pace_q <= rst ? 0 : pace;\n")
	for v := range nodes {
		var links []string
		for p := range g.Degree() {
			links = append([]string{fmt.Sprintf("pace[%d+:2]", 2*g.Neighbor(v, p))}, links...)
		}
		fmt.Fprintf(&b, "    hc_pace #(.LINKS(%d), .REFILL(%d), .CAP(%d)) node%d (.clk(clk), .rst(rst), .link_pace({%s}),\n",
			g.Degree(), refill, most, v, strings.Join(links, ", "))
		fmt.Fprintf(&b, "        .offered(offered[%[1]d]), .injected(injected[%[1]d]), .held(held[%[1]d]), .pace(pace[%[2]d+:2]), .tick(tick[%[1]d]), .open(open[%[1]d]));\n", v, 2*v)
		fmt.Fprintf(&b, "    (* hierconn *) wire \\node%[1]d.done ;\n    assign done[%[1]d] = \\node%[1]d.done ;\n", v)
		// Ticks modulo 2^6, from the pace.
		fmt.Fprintf(&b, "    reg [5:0] before%[1]d;\n    wire [1:0] step%[1]d = pace[%[2]d+:2] - pace_q[%[2]d+:2];\n", v, 2*v)
		fmt.Fprintf(&b, "    wire [5:0] ticks%[1]d = before%[1]d + step%[1]d;\n    always @(posedge clk) before%[1]d <= rst ? 0 : ticks%[1]d;\n", v)
		fmt.Fprintf(&b, "    always @* if (live) assert (ticks%d[1:0] == pace[%d+:2]);\n", v, 2*v)
		if shares {
			fmt.Fprintf(&b, "    (* hierconn *) wire [5:0] \\node%[1]d.f_injections , \\node%[1]d.f_ticks ;\n    (* hierconn *) wire \\node%[1]d.f_always ;\n", v)
			fmt.Fprintf(&b, "    always @* if (live) assert (ticks%[1]d == \\node%[1]d.f_ticks );\n", v)
		}
	}
	fmt.Fprint(&b, "    reg live = 0;\n    always @(posedge clk) live <= 1;\n    always @* if (!live) assume (rst);\n")
	fmt.Fprint(&b, "    always @* assume ((injected & ~(open & offered)) == 0);\n")
	fmt.Fprint(&b, "    always @* if (live) assert (!(&done && held == 0) || |tick);\n")
	far := 0
	for v := range nodes {
		if g.Distance(0, v) > g.Distance(0, far) {
			far = v
		}
		for u := range v {
			if u > 0 && g.Distance(u, v) > 1 {
				continue // the networks look the same from all nodes
			}
			distance := g.Distance(u, v)
			fmt.Fprintf(&b, "    wire [5:0] apart_%[1]d_%[2]d = ticks%[1]d - ticks%[2]d + %[3]d;\n", u, v, distance)
			fmt.Fprintf(&b, "    always @* if (live) assert (apart_%d_%d <= %d);\n", u, v, 2*distance)
			if shares && u == 0 {
				most := refill*distance + most
				fmt.Fprintf(&b, "    wire [5:0] more%[1]d = \\node0.f_injections - \\node%[1]d.f_injections + %[2]d;\n", v, most)
				fmt.Fprintf(&b, "    always @* if (live && \\node0.f_always && \\node%[1]d.f_always ) assert (more%[1]d <= %[2]d);\n", v, 2*most)
			}
		}
	}
	fmt.Fprintf(&b, "    always @* cover (live && apart_0_%d == %d);\n", far, 2*g.Distance(0, far))
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

// In whole networks paces differ by at most the distance, which is reached, and if all routers are done
// with their tick and no clock is held one of them ticks.
func TestPacesOfNetworksStayTogether(t *testing.T) {
	needs.Time(t)
	two := hypercycle.Dimension{M: 2, Rho: 1}
	for _, c := range []struct {
		name       string
		dimensions []hypercycle.Dimension
	}{
		{"ring of 3", []hypercycle.Dimension{{M: 3, Rho: 1}}},
		{"ring of 4", []hypercycle.Dimension{{M: 4, Rho: 1}}},
		{"ring of 5", []hypercycle.Dimension{{M: 5, Rho: 1}}},
		{"torus of 2 x 3", []hypercycle.Dimension{two, {M: 3, Rho: 1}}},
		{"cube", []hypercycle.Dimension{two, two, two}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := paces(t, graph(t, c.dimensions...), false, 1, 2)
			p.holds(1)
			p.reaches(12)
		})
	}
}

// The numbers of messages of two nodes that always offer differ by at most the distance, times the refill, and
// the cap, which is reached.
func TestSharesOfNetworksStayTogether(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct{ nodes, refill, most int }{{3, 1, 2}, {5, 1, 2}, {4, 2, 3}} {
		t.Run(fmt.Sprintf("ring of %d, %d a tick, at most %d", c.nodes, c.refill, c.most), func(t *testing.T) {
			p := paces(t, graph(t, hypercycle.Dimension{M: c.nodes, Rho: 1}), true, c.refill, c.most)
			p.holds(1)
			p.reaches(14)
		})
	}
}

// A router that does not wait for those behind it, or takes what it knows of them for what it is.
func TestProofsOfPacesFindFaults(t *testing.T) {
	needs.Time(t)
	for name, faults := range map[string][]string{
		"does not wait":                {"tick = done & ~|behind", "tick = done"},
		"waits for one of two":         {"tick = done & ~|behind", "tick = done & ~&behind"},
		"looks at one bit of the pace": {"link_pace[2*i+:2] == pace_q - 2'd1", "link_pace[2*i] == pace_q[0]"},
		"waits for those ahead":        {"== pace_q - 2'd1", "== pace_q + 2'd1"},
		"goes two ticks at once":       {"pace_q + 2'd1", "pace_q + 2'd2"},
	} {
		t.Run(name, func(t *testing.T) {
			paces(t, graph(t, hypercycle.Dimension{M: 4, Rho: 1}), false, 1, 2, faults...).fails(8)
			latePace(t, 2, faults...).fails(10)
		})
	}
}
