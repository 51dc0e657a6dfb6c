// SPDX-License-Identifier: Apache-2.0

package hdl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
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

// paces is a network of hc_pace alone, all of whose nodes offer and inject when they like.
func paces(t *testing.T, g *hypercycle.Graph, refill, most int, faults ...string) *proof {
	t.Helper()
	nodes := g.Nodes()
	var b strings.Builder
	fmt.Fprintf(&b, "module paces (input clk, input rst, input [%[1]d:0] offered, input [%[1]d:0] injected);\n", nodes-1)
	fmt.Fprintf(&b, "    wire [%d:0] pace;\n    wire [%[2]d:0] open, done, tick, always_offered;\n", 2*nodes-1, nodes-1)
	for v := range nodes {
		fmt.Fprintf(&b, "    (* hierconn *) wire [5:0] \\node%[1]d.f_ticks , \\node%[1]d.f_injections ;\n", v)
		fmt.Fprintf(&b, "    (* hierconn *) wire \\node%[1]d.done , \\node%[1]d.tick , \\node%[1]d.f_always ;\n", v)
		fmt.Fprintf(&b, "    assign done[%[1]d] = \\node%[1]d.done , tick[%[1]d] = \\node%[1]d.tick , always_offered[%[1]d] = \\node%[1]d.f_always ;\n", v)
		var links []string
		for p := range g.Degree() {
			links = append([]string{fmt.Sprintf("pace[%d+:2]", 2*g.Neighbor(v, p))}, links...)
		}
		fmt.Fprintf(&b, "    hc_pace #(.LINKS(%d), .REFILL(%d), .CAP(%d)) node%[4]d (.clk(clk), .rst(rst), .link_pace({%[5]s}),\n",
			g.Degree(), refill, most, v, strings.Join(links, ", "))
		fmt.Fprintf(&b, "        .offered(offered[%[1]d]), .injected(injected[%[1]d]), .pace(pace[%[2]d+:2]), .open(open[%[1]d]));\n", v, 2*v)
	}
	fmt.Fprint(&b, "    reg live = 0;\n    always @(posedge clk) live <= 1;\n    always @* if (!live) assume (rst);\n")
	fmt.Fprint(&b, "    always @* assume ((injected & ~(open & offered)) == 0);\n")
	fmt.Fprint(&b, "    always @* if (live) assert (!(&done) || |tick);\n")
	far := 0
	for v := range nodes {
		if g.Distance(0, v) > g.Distance(0, far) {
			far = v
		}
		for u := range v {
			if u > 0 && g.Distance(u, v) > 1 {
				continue // the networks look the same from all nodes
			}
			ticks, shares := g.Distance(u, v), refill*g.Distance(u, v)+most
			fmt.Fprintf(&b, "    wire [5:0] ticks_%[1]d_%[2]d = \\node%[1]d.f_ticks - \\node%[2]d.f_ticks + %[3]d;\n", u, v, ticks)
			fmt.Fprintf(&b, "    wire [5:0] shares_%[1]d_%[2]d = \\node%[1]d.f_injections - \\node%[2]d.f_injections + %[3]d;\n", u, v, shares)
			fmt.Fprintf(&b, "    always @* if (live) assert (ticks_%d_%d <= %d);\n", u, v, 2*ticks)
			if u > 0 {
				continue
			}
			fmt.Fprintf(&b, "    always @* if (live && always_offered[%[1]d] && always_offered[%[2]d]) assert (shares_%[1]d_%[2]d <= %[3]d);\n", u, v, 2*shares)
		}
	}
	fmt.Fprintf(&b, "    always @* cover (live && ticks_0_%d == %d);\n", far, 2*g.Distance(0, far))
	fmt.Fprintf(&b, "    always @* cover (live && always_offered[0] && always_offered[%[1]d] && shares_0_%[1]d == 0);\n", far)
	fmt.Fprint(&b, "endmodule\n")

	p := prove(t, []string{"hc_pace"}, faults...)
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

// In whole networks paces differ by at most the distance, the numbers of messages of two nodes that
// always offer by at most that and the cap, and if all have used their credit one of them ticks.
// The bounds are reached.
func TestPacesOfNetworksStayTogether(t *testing.T) {
	for _, c := range []struct {
		name         string
		dimensions   []hypercycle.Dimension
		refill, most int
	}{
		{"ring of 3", []hypercycle.Dimension{{M: 3, Rho: 1}}, 1, 2},
		{"ring of 4", []hypercycle.Dimension{{M: 4, Rho: 1}}, 1, 2},
		{"ring of 5", []hypercycle.Dimension{{M: 5, Rho: 1}}, 1, 2},
		{"torus of 2 x 3", []hypercycle.Dimension{{M: 2, Rho: 1}, {M: 3, Rho: 1}}, 1, 2},
		{"cube", []hypercycle.Dimension{{M: 2, Rho: 1}, {M: 2, Rho: 1}, {M: 2, Rho: 1}}, 1, 2},
		{"ring of 5, 2 a tick, at most 3", []hypercycle.Dimension{{M: 5, Rho: 1}}, 2, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := paces(t, graph(t, c.dimensions...), c.refill, c.most)
			p.holds(1)
			p.reaches(16)
		})
	}
}
