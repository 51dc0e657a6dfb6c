// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
)

// barrierNetwork lays out a network of the barriers of a machine. A node may arrive in any cycle, and keeps barrier_arrive high until
// it is released. q counts the ticks of a node modulo 4 (D + 1), and done counts its releases modulo 4.
//
// The claim is that all nodes are released in the same cycle, exactly D + 1 cycles after the last arrival. timer counts the cycles
// since the last arrival; all phases are at least timer. Before a release, the node v that arrives last bounds every phase from
// above: the phase of u is at most dist(u, v), or timer if that is larger.
func barrierNetwork(t *testing.T, rings []hypercycle.Dimension, faults ...string) *proof {
	t.Helper()
	g, err := hypercycle.New(rings...)
	require.NoError(t, err)
	p := bare(t, []string{"hc_barrier"}, faults...)
	file := filepath.Join(p.dir, "hc_barrier.v")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	show := strings.Replace(string(text), "    output reg                 barrier_release,", "    output wire [7:0]         shown_phase,\n    output reg                 barrier_release,", 1)
	show = strings.Replace(show, "\nendmodule\n", "\n    assign shown_phase = phase_q;\n\nendmodule\n", 1)
	require.Equal(t, 2, strings.Count(show, "shown_phase"))
	require.NoError(t, os.WriteFile(file, []byte(show), 0o644))

	n, d := g.Nodes(), g.Diameter()
	var b strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&b, format+"\n", values...) }
	line("module network (input clk, input rst, input [%d:0] arrive);", n-1)
	line("    wire [%d:0] released;\n    wire [%d:0] pace;\n    wire [%d:0] phase;", n-1, 2*n-1, 8*n-1)
	line("    reg past = 1'b0;\n    always @(posedge clk) past <= 1'b1;\n    always @* if (!past) assume (rst);")
	line("    reg [%d:0] waiting = 0;\n    always @(posedge clk) waiting <= rst ? 0 : arrive & ~released;\n    always @* assume ((waiting & ~arrive) == 0);", n-1)
	line("    reg [7:0] timer;\n    wire [%d:0] bounds;  // the node bounds every phase", n-1)
	for v := range n {
		var links, behind, bounded []string
		for port := g.Degree() - 1; port >= 0; port-- {
			u := g.Neighbor(v, port)
			links = append(links, fmt.Sprintf("pace[%d:%d]", 2*u+1, 2*u))
			behind = append(behind, fmt.Sprintf("(q%d + 1) %% %d == q%d", u, 4*(d+1), v))
		}
		for u := range n {
			bounded = append(bounded, fmt.Sprintf("(phase[%d:%d] <= %d || phase[%d:%d] <= timer)", 8*u+7, 8*u, g.Distance(u, v), 8*u+7, 8*u))
		}
		line("    hc_barrier #(.DEGREE(%d), .DIAMETER(%d)) node%d (.clk(clk), .rst(rst), .barrier_arrive(arrive[%d]), .shown_phase(phase[%d:%d]), .barrier_release(released[%d]), .barrier_pace(pace[%d:%d]), .link_barrier_pace({%s}));",
			g.Degree(), d, v, v, 8*v+7, 8*v, v, 2*v+1, 2*v, strings.Join(links, ", "))
		line("    reg [7:0] q%d;\n    reg [1:0] done%d;", v, v)
		line("    wire tick%d = !(%s) && (q%d %% %d != 0 || arrive[%d] && !released[%d]);", v, strings.Join(behind, " || "), v, d+1, v, v)
		line("    assign bounds[%d] = %s;", v, strings.Join(bounded, " && "))
		line("    always @(posedge clk) begin\n        if (tick%d) q%d <= (q%d + 1) %% %d;\n        done%d <= done%d + released[%d];\n        if (rst) begin q%d <= 0; done%d <= 0; end\n    end", v, v, v, 4*(d+1), v, v, v, v, v)
	}
	line("    // The cycle of the last arrival is cycle 0 of the timer.")
	line("    always @(posedge clk) timer <= rst || !(&arrive) || |released ? 0 : timer + 1;")
	line("    always @* if (past) begin\n        assert (timer <= %d);", d+1)
	p.asserts = 1
	claim := func(format string, values ...any) {
		line("        assert ("+format+");", values...)
		p.asserts++
	}
	claim("(&released && &arrive) == (timer == %d) && (|released) == (&released)", d+1)
	claim("|released || |bounds")
	for u := range n {
		claim("pace[%d:%d] == q%d %% 4 && phase[%d:%d] == q%d %% %d", 2*u+1, 2*u, u, 8*u+7, 8*u, u, d+1)
		claim("q%d < %d && (done%d + released[%d]) %% 4 == q%d / %d", u, 4*(d+1), u, u, u, d+1)
		claim("phase[%d:%d] == 0 || arrive[%d]", 8*u+7, 8*u, u)
		claim("released[%d] ? phase[%d:%d] == 0 : phase[%d:%d] >= timer", u, 8*u+7, 8*u, 8*u+7, 8*u)
		claim("done%d == done0", u)
		for v := range n {
			if v != u {
				dist := g.Distance(u, v)
				claim("(q%d + %d - q%d + %d) %% %d <= %d", u, 4*(d+1), v, dist, 4*(d+1), 2*dist)
			}
		}
	}
	line("    end\n    always @* begin")
	line("        cover (past && &released);\n        cover (past && timer == %d);\n        cover (past && done0 == 2 && arrive == 0);\n    end\nendmodule", d)
	p.covers = 3
	p.top = "network"
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "network.v"), []byte(b.String()), 0o644))
	p.sources = append(p.sources, "network.v")
	p.compile()
	return p
}

// barrierMachines are small machines with D of 1 to 3, links longer than one, and two dimensions.
var barrierMachines = [][]hypercycle.Dimension{
	{{M: 2, Rho: 1}},
	{{M: 3, Rho: 1}},
	{{M: 5, Rho: 1}},
	{{M: 6, Rho: 2}},
	{{M: 2, Rho: 1}, {M: 2, Rho: 1}},
	{{M: 3, Rho: 1}, {M: 2, Rho: 1}},
}

func TestBarriersOfNetworksAreProved(t *testing.T) {
	for i, rings := range barrierMachines {
		t.Run(fmt.Sprint(rings), func(t *testing.T) {
			if i > 1 {
				needs.Time(t)
			}
			p := barrierNetwork(t, rings)
			p.holds(2)
			p.reaches(30)
		})
	}
}

func TestProofOfBarriersFindsFaults(t *testing.T) {
	for name, fault := range map[string][]string{
		"released a tick too soon": {"last = phase_q == LAST", "last = phase_q == LAST - 1'b1"},
		"does not hold":            {"tick = !waits & ~|behind", "tick = ~|behind"},
		"does not wait for others": {"tick = !waits & ~|behind", "tick = !waits"},
		"holds for ever":           {"waits = ~|phase_q & !(barrier_arrive & !barrier_release)", "waits = ~|phase_q"},
	} {
		t.Run(name, func(t *testing.T) {
			needs.Time(t)
			barrierNetwork(t, []hypercycle.Dimension{{M: 3, Rho: 1}, {M: 2, Rho: 1}}, fault...).fails(12)
		})
	}
}
