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
//
// With a period above 1, all of this counts periods, and an arrival counts in the next cycle in which clocks may tick. In every
// cycle each node sees the clock of each neighbour any number of cycles late, up to late.
func barrierNetwork(t *testing.T, rings []hypercycle.Dimension, period, late int, faults ...string) *proof {
	t.Helper()
	g, err := hypercycle.New(rings...)
	require.NoError(t, err)
	p := bare(t, []string{"hc_barrier"}, faults...)
	file := filepath.Join(p.dir, "hc_barrier.v")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	show := strings.Replace(string(text), "    output reg                 barrier_release,", "    output wire [7:0]         shown_phase,\n    output wire [7:0]         shown_count,\n    output reg                 barrier_release,", 1)
	count := "8'd0"
	if period > 1 {
		count = `\sometimes_due.count_q `
	}
	show = strings.Replace(show, "\nendmodule\n", "\n    assign shown_phase = phase_q;\n    assign shown_count = "+count+";\n\nendmodule\n", 1)
	require.Equal(t, 4, strings.Count(show, "shown_"))
	require.NoError(t, os.WriteFile(file, []byte(show), 0o644))

	n, d := g.Nodes(), g.Diameter()
	var b strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&b, format+"\n", values...) }
	line("module network (input clk, input rst, input [%d:0] arrive, input [%d:0] age);", n-1, 8*n*g.Degree()-1)
	line("    wire [%d:0] released;\n    wire [%d:0] pace;\n    wire [%d:0] phase, count;", n-1, 2*n-1, 8*n-1)
	line("    reg past = 1'b0;\n    always @(posedge clk) past <= 1'b1;\n    always @* if (!past) assume (rst);")
	line("    reg [%d:0] waiting = 0;\n    always @(posedge clk) waiting <= rst ? 0 : arrive & ~released;\n    always @* assume ((waiting & ~arrive) == 0);", n-1)
	line("    reg [7:0] cycle;  // modulo the period\n    wire due = cycle == 0;\n    always @(posedge clk) cycle <= rst ? 0 : (cycle + 1) %% %d;", period)
	line("    wire [7:0] since = due ? %d : cycle;  // cycles since clocks may have ticked", period)
	line("    reg [7:0] timer;\n    wire [%d:0] bounds;  // the node bounds every phase", n-1)
	for v := range n {
		var links, behind, bounded []string
		for port := g.Degree() - 1; port >= 0; port-- {
			u := g.Neighbor(v, port)
			lane := 8 * (v*g.Degree() + port)
			line("    always @* assume (age[%d+:8] <= %d);", lane, late)
			links = append(links, fmt.Sprintf("seen%d[2*age[%d+:8]+:2]", u, lane))
			behind = append(behind, fmt.Sprintf("(q%d + 1) %% %d == q%d", u, 4*(d+1), v))
		}
		for u := range n {
			bounded = append(bounded, fmt.Sprintf("(phase[%d:%d] <= %d || phase[%d:%d] <= timer)", 8*u+7, 8*u, g.Distance(u, v), 8*u+7, 8*u))
		}
		line("    hc_barrier #(.DEGREE(%d), .DIAMETER(%d), .PERIOD(%d)) node%d (.clk(clk), .rst(rst), .barrier_arrive(arrive[%d]), .shown_phase(phase[%d:%d]), .shown_count(count[%d:%d]), .barrier_release(released[%d]), .barrier_pace(pace[%d:%d]), .link_barrier_pace({%s}));",
			g.Degree(), d, period, v, v, 8*v+7, 8*v, 8*v+7, 8*v, v, 2*v+1, 2*v, strings.Join(links, ", "))
		line("    reg [%d:0] old%d;  // earlier paces, the latest lowest", max(2*late-1, 0), v)
		line("    wire [%d:0] seen%d = {old%d, pace[%d:%d]};\n    always @(posedge clk) old%d <= rst ? 0 : seen%d;", 2*late+1, v, v, 2*v+1, 2*v, v, v)
		line("    reg [7:0] q%d;\n    reg [1:0] done%d;", v, v)
		line("    wire tick%d = due && !(%s) && (q%d %% %d != 0 || arrive[%d] && !released[%d]);", v, strings.Join(behind, " || "), v, d+1, v, v)
		line("    assign bounds[%d] = %s;", v, strings.Join(bounded, " && "))
		line("    always @(posedge clk) begin\n        if (tick%d) q%d <= (q%d + 1) %% %d;\n        done%d <= done%d + released[%d];\n        if (rst) begin q%d <= 0; done%d <= 0; end\n    end", v, v, v, 4*(d+1), v, v, v, v, v)
	}
	line("    // The cycle of the last arrival is cycle 0 of the timer.")
	line("    always @(posedge clk) timer <= rst || |released ? 0 : !due ? timer : &arrive ? timer + 1 : 0;")
	line("    always @* if (past) begin\n        assert (timer <= %d && cycle < %d);", d+1, period)
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
		if period > 1 {
			claim("count[%d:%d] == cycle", 8*u+7, 8*u)
		}
		for j := range late {
			claim("since <= %d || old%d[%d:%d] == pace[%d:%d]", j+1, u, 2*j+1, 2*j, 2*u+1, 2*u)
		}
		for v := range n {
			if v != u {
				dist := g.Distance(u, v)
				claim("(q%d + %d - q%d + %d) %% %d <= %d", u, 4*(d+1), v, dist, 4*(d+1), 2*dist)
			}
		}
	}
	line("    end\n    always @* begin")
	line("        cover (past && &released);\n        cover (past && timer == %d);\n        cover (past && done0 == %d && arrive == 0);\n    end\nendmodule", d, barriers(period))
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

// barriers is the number of barriers that a cover passes. Longer periods take more cycles for each.
func barriers(period int) int { return 1 + 1/period }

func TestBarriersOfNetworksAreProved(t *testing.T) {
	for i, rings := range barrierMachines {
		t.Run(fmt.Sprint(rings), func(t *testing.T) {
			if i > 1 {
				needs.Time(t)
			}
			p := barrierNetwork(t, rings, 1, 0)
			p.holds(2)
			p.reaches(30)
		})
	}
}

// Clocks that each node sees late, by up to the period less 1 and different from link to link and from cycle to cycle.
func TestBarriersOfNetworksWithLatencyAreProved(t *testing.T) {
	for i, rings := range barrierMachines {
		for _, period := range []int{2, 4} {
			t.Run(fmt.Sprintf("%v, period of %d", rings, period), func(t *testing.T) {
				if i > 0 {
					needs.Time(t)
				}
				p := barrierNetwork(t, rings, period, period-1)
				p.holds(2)
				p.reaches(6 + 5*period)
			})
		}
	}
}

func TestProofOfBarriersFindsFaults(t *testing.T) {
	for name, fault := range map[string][]string{
		"released a tick too soon": {"last = phase_q == LAST", "last = phase_q == LAST - 1'b1"},
		"does not hold":            {"tick = !waits & ~|behind & due", "tick = ~|behind & due"},
		"does not wait for others": {"tick = !waits & ~|behind & due", "tick = !waits & due"},
		"holds for ever":           {"waits = ~|phase_q & !(barrier_arrive & !barrier_release)", "waits = ~|phase_q"},
	} {
		t.Run(name, func(t *testing.T) {
			needs.Time(t)
			barrierNetwork(t, []hypercycle.Dimension{{M: 3, Rho: 1}, {M: 2, Rho: 1}}, 1, 0, fault...).fails(12)
		})
	}
	ring := []hypercycle.Dimension{{M: 3, Rho: 1}}
	for name, fault := range map[string][]string{
		"ticks in all cycles":                  {"tick = !waits & ~|behind & due", "tick = !waits & ~|behind"},
		"the period is not counted to its end": {"count_q == MOST", "count_q == MOST - 1'b1"},
	} {
		t.Run(name, func(t *testing.T) {
			needs.Time(t)
			barrierNetwork(t, ring, 3, 2, fault...).fails(12)
		})
	}
	t.Run("clocks later than the period", func(t *testing.T) {
		needs.Time(t)
		barrierNetwork(t, ring, 2, 2).fails(14)
	})
}
