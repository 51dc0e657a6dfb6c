// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/smt"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// ringsProof says of all ring ports of a network, as it is flattened, whether there are
// holes, places that are not taken: the section "Why it cannot deadlock" of
// docs/architecture.md, from the registers.
type ringsProof struct {
	plan    *plan.Plan
	exposed []string // wires of the network that become outputs of it
	wires   []string // their declarations
	holes   []string // one expression for each ring port and the link input behind it
	fits    []string // that the registers of this input fit each other
	rings   [][]int  // holes of each ring
}

func newRingsProof(m *machine.Machine) *ringsProof {
	p := plan.New(m)
	r := &ringsProof{plan: p}
	at := map[[2]int]int{} // node and port to the hole
	for v := range p.Nodes {
		for q, port := range p.Ports {
			if port.Ring {
				at[[2]int{v, q}] = len(r.holes)
				r.holes = append(r.holes, r.hole(v, q))
			}
		}
	}
	seen := map[int]bool{}
	for v := range p.Nodes {
		for q, port := range p.Ports {
			var ring []int
			for u := v; port.Ring && !seen[at[[2]int{u, q}]]; u = m.Graph.Neighbor(u, q) {
				seen[at[[2]int{u, q}]] = true
				ring = append(ring, at[[2]int{u, q}])
			}
			if ring != nil {
				r.rings = append(r.rings, ring)
			}
		}
	}
	return r
}

// look makes a register of the network visible and returns the name of its wire.
func (r *ringsProof) look(width int, signal string, numbers ...any) string {
	signal = fmt.Sprintf(signal, numbers...)
	r.exposed = append(r.exposed, signal)
	name := strings.ReplaceAll(signal, ".", "_")
	r.wires = append(r.wires, fmt.Sprintf("    wire [%d:0] %s;", width-1, name))
	return name
}

// hole is the condition that a place behind a ring port is a hole: its register, or a slot of
// the input that its link leads to.
func (r *ringsProof) hole(node, port int) string {
	p := r.plan
	q := p.Ports[port]
	to, input := p.Machine.Graph.Neighbor(node, port), q.Opposite
	targets := q.Dimension + 1 // delivery, groups of lower dimensions, continuation
	left := r.look(targets, "node%d.in%d.left_q", to, input)
	room := r.look(p.InputSlots, "node%d.in%d.room_q", to, input)
	holes := []string{"!" + r.look(1, "node%d.out%d.register.full_q", node, port), fmt.Sprintf("!%s[%d]", left, targets-1)}
	fits := []string{fmt.Sprintf("(%s == 0) == %s[0]", left, room)}
	if p.InputSlots > 1 {
		word := p.LinkBits - p.WdBits
		slots := r.look((p.InputSlots-1)*word, "node%d.in%d.queue.slots_q", to, input)
		for n := 1; n < p.InputSlots; n++ {
			holes = append(holes, fmt.Sprintf("%s[%d]", room, n), fmt.Sprintf("%s[%d+:%d] == 0", slots, n*word-p.WcBits, p.WcBits))
			fits = append(fits, fmt.Sprintf("(%s[%d] || !%s[%d])", room, n, room, n-1))
		}
	}
	r.fits = append(r.fits, strings.Join(fits, " && "))
	return strings.Join(holes, " || ")
}

// What is asked about the rings of a network.
type question int

const (
	keepsHole   question = iota // each always has a hole
	staysFull                   // one without a hole never has one again
	becomesFull                 // how the first comes to be without; receivers that are not ready do
)

// write lays out the properties, and returns the script that reads them and the number of assertions and covers.
func (r *ringsProof) write(t *testing.T, out string, asked question) (script []string, asserts, covers int) {
	t.Helper()
	p := r.plan
	var b strings.Builder
	nodes := p.Nodes - 1
	fmt.Fprintf(&b, "module rings (input clk, input rst, input [%d:0] offer, input [%d:0] payload, input [%d:0] ready);\n", nodes, nodes, nodes)
	fmt.Fprintf(&b, "    wire [%d:0] taken, valid, data;\n    wire error;\n%s\n", nodes, strings.Join(r.wires, "\n"))
	fmt.Fprintf(&b, "    %s network (.clk(clk), .rst(rst), .s_axis_tvalid(offer), .s_axis_tready(taken), .s_axis_tdata(payload),\n", p.NetworkModule)
	fmt.Fprint(&b, "        .m_axis_tvalid(valid), .m_axis_tready(ready), .m_axis_tdata(data), .header_error(error)")
	for _, signal := range r.exposed {
		fmt.Fprintf(&b, ",\n        .\\%s (%s)", signal, strings.ReplaceAll(signal, ".", "_"))
	}
	fmt.Fprint(&b, ");\n    reg live = 0;\n    always @(posedge clk) live <= 1;\n    always @* if (!live) assume (rst);\n")
	fmt.Fprintf(&b, "    wire [%d:0] hole;\n    wire [%d:0] holes;\n", len(r.holes)-1, len(r.rings)-1)
	for i, hole := range r.holes {
		fmt.Fprintf(&b, "    assign hole[%d] = %s;\n", i, hole)
		if asked != becomesFull {
			fmt.Fprintf(&b, "    always @* if (live) assert (%s);\n", r.fits[i])
			asserts++
		}
	}
	for i, ring := range r.rings {
		var slots []string
		for _, n := range ring {
			slots = append(slots, fmt.Sprintf("hole[%d]", n))
		}
		fmt.Fprintf(&b, "    assign holes[%d] = |{%s};\n", i, strings.Join(slots, ", "))
		if asked == keepsHole {
			fmt.Fprintf(&b, "    always @* if (live) assert (holes[%d]);\n", i)
			asserts++
		}
	}
	switch asked {
	case staysFull:
		fmt.Fprintf(&b, "    reg [%d:0] full_q = 0;\n    always @(posedge clk) full_q <= live && !rst ? ~holes : 0;\n", len(r.rings)-1)
		fmt.Fprint(&b, "    always @* assert (!(full_q & holes));\n")
		asserts++
	case becomesFull:
		fmt.Fprintf(&b, "    reg [%d:0] waits_q = 0;\n    always @(posedge clk) waits_q <= rst ? 0 : offer & ~taken;\n", nodes)
		fmt.Fprint(&b, "    always @* assume (!(waits_q & ~offer) && (!ready || &ready) && !payload && rst == !live);\n")
		fmt.Fprint(&b, "    always @* cover (live && !holes[0]);\n")
		covers++
	}
	fmt.Fprint(&b, "endmodule\n")
	require.NoError(t, os.WriteFile(filepath.Join(out, "rings.v"), []byte(b.String()), 0o644))

	script = []string{"read_verilog rtl/*.v", "hierarchy -check -top " + p.NetworkModule, "proc", "memory_collect", "memory_map", "flatten"}
	for _, signal := range r.exposed {
		script = append(script, "select -assert-count 1 w:"+signal)
	}
	script = append(script, "expose w:"+strings.Join(r.exposed, " w:"),
		"read_verilog -formal rings.v", "hierarchy -check -top rings", "flatten", "proc", "opt")
	return script, asserts, covers
}

// compile makes the formula and counts the assertions and covers in it.
func (r *ringsProof) compile(t *testing.T, out string, asked question) smt.Formula {
	t.Helper()
	script, asserts, covers := r.write(t, out, asked)
	f, err := smt.Compile(t.Context(), out, "rings", script...)
	require.NoError(t, err)
	assert.Equal(t, asserts, f.Assertions)
	assert.Equal(t, covers, f.Covers)
	return f
}

func solve(t *testing.T, f smt.Formula, task smt.Task) smt.Verdict {
	t.Helper()
	v, err := f.Solve(t.Context(), time.Hour, task) // however busy the machine is
	require.NoError(t, err)
	return v
}

// assertHolds proves by induction with one step.
func assertHolds(t *testing.T, f smt.Formula) {
	t.Helper()
	for _, task := range []smt.Task{smt.Base(2), smt.Induction(1)} {
		v := solve(t, f, task)
		assert.True(t, v.Passed, v.Log)
	}
}

func ringMachine(t *testing.T, stages int, dimensions ...string) (*machine.Machine, string) {
	t.Helper()
	return harness.Generate(t, harness.With(stages, machine.Merged, 2, false, true, 1).Machine(t, dimensions...), nil)
}

// Whatever comes in and however long: every ring of every network of up to 8 nodes in a ring
// keeps a hole, in the Verilog.
func TestRingsOfNetworksAreProvedToKeepAHole(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		stages     int
		dimensions []string
		rings      int
	}{
		{1, []string{"3, 1"}, 0}, // D = 1: there are none
		{1, []string{"4, 1"}, 2},
		{1, []string{"8, 1"}, 2},
		{1, []string{"6, 2"}, 4},
		{1, []string{"8, 2"}, 4},
		{1, []string{"8, 3"}, 2},
		{1, []string{"4, 1", "2, 1"}, 4},
		{2, []string{"4, 1"}, 2},
		{2, []string{"8, 1"}, 2},
		{2, []string{"6, 2"}, 4},
		{2, []string{"8, 2"}, 4},
		{2, []string{"8, 3"}, 2},
	} {
		t.Run(fmt.Sprintf("%s, %d stages", strings.Join(c.dimensions, " x "), c.stages), func(t *testing.T) {
			t.Parallel()
			m, out := ringMachine(t, c.stages, c.dimensions...)
			r := newRingsProof(m)
			require.Len(t, r.rings, c.rings)
			if c.rings > 0 {
				assertHolds(t, r.compile(t, out, keepsHole))
			}
		})
	}
}

// entersFirst breaks the bubble rule of a ring port, so that nothing is lost: what asks to continue waits.
func entersFirst(t *testing.T, out string) {
	t.Helper()
	port := harness.File(t, out, "rtl/hc_ring_port.v")
	text, err := os.ReadFile(port)
	require.NoError(t, err)
	for _, change := range [][2]string{
		{"enter_free  = free & !continue_ask;", "enter_free  = free;"},
		{"continue_made = free;", "continue_made = free & ~|enter_ask;"},
		{"(continue_ask ? continue_accept : enter_valid)", "(~|enter_ask ? continue_ask & continue_accept : enter_valid)"},
		{"(continue_ask ? continue_word : enter_word)", "(~|enter_ask ? continue_word : enter_word)"},
	} {
		require.Equal(t, 1, strings.Count(string(text), change[0]))
		text = []byte(strings.Replace(string(text), change[0], change[1], 1))
	}
	require.NoError(t, os.WriteFile(port, text, 0o644))
}

// What the bubble rule is worth, in the Verilog: if what enters goes first, a ring comes to be full
// a few cycles after reset, is proved to stay so whatever happens, and what the run has put in
// never all comes out, in a simulator too. With the right rule the same run delivers everything.
func TestNetworkThatEntersFirstLocksUp(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name      string
		stages    int
		dimension string
	}{
		{"one stage", 1, "4, 1"},
		{"two stages", 2, "4, 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, out := ringMachine(t, c.stages, c.dimension)
			r := newRingsProof(m)
			good := filepath.Join(t.TempDir(), "good")
			require.NoError(t, os.CopyFS(good, os.DirFS(out)))
			entersFirst(t, out)

			v := solve(t, r.compile(t, out, keepsHole), smt.Induction(1))
			assert.False(t, v.Passed, "the proof notices:\n%s", v.Log)

			assertHolds(t, r.compile(t, out, staysFull))

			v = solve(t, r.compile(t, out, becomesFull), append(smt.Cover(16), "--dump-vlogtb", "run.v"))
			require.True(t, v.Passed, v.Log)
			run, err := os.ReadFile(filepath.Join(out, "run.v"))
			require.NoError(t, err)

			sent, delivered := replay(t, m, out, string(run))
			require.Positive(t, sent)
			assert.Less(t, delivered[0], sent*(m.Graph.Nodes()-1))
			assert.Equal(t, delivered[0], delivered[1], "nothing comes any more")
			sent, delivered = replay(t, m, good, string(run))
			require.Positive(t, sent)
			assert.Equal(t, sent*(m.Graph.Nodes()-1), delivered[0])
		})
	}
}

var (
	runState = regexp.MustCompile(`// state \d+\n`)
	runInput = regexp.MustCompile(`PI_(\w+) <?= (\d+'b[01]+);`)
	counts   = regexp.MustCompile(`sent (\d+), delivered (\d+), later (\d+)`)
)

// replay puts the inputs of a run that the solver has found into a network, in Icarus Verilog, and then
// nothing more while every receiver is ready: how many messages were taken, and delivered 100 and
// 2,000 cycles later.
func replay(t *testing.T, m *machine.Machine, out, run string) (sent int, delivered [2]int) {
	t.Helper()
	var steps strings.Builder
	states := runState.Split(run, -1)[1:]
	require.Greater(t, len(states), 2, run)
	for _, state := range states {
		inputs := map[string]string{}
		for _, in := range runInput.FindAllStringSubmatch(state, -1) {
			inputs[in[1]] = in[2]
		}
		require.Len(t, inputs, 4, state) // all but the clock
		fmt.Fprintf(&steps, "        step(%s, %s, %s, %s);\n", inputs["rst"], inputs["offer"], inputs["payload"], inputs["ready"])
	}
	top := m.Graph.Nodes() - 1
	bench := fmt.Sprintf(`module replay;
    reg clk = 0, rst;
    reg [%[1]d:0] offer, payload, ready, waits = 0;
    wire [%[1]d:0] taken, valid, data;
    wire error;
    integer sent = 0, delivered = 0, first, n;
    %[2]s_network network (.clk(clk), .rst(rst), .s_axis_tvalid(offer), .s_axis_tready(taken), .s_axis_tdata(payload),
        .m_axis_tvalid(valid), .m_axis_tready(ready), .m_axis_tdata(data), .header_error(error));
    task step(input r, input [%[1]d:0] o, input [%[1]d:0] p, input [%[1]d:0] a);
        begin
            rst = r; offer = o | waits; payload = p; ready = a;
            #1 waits = r ? 0 : offer & ~taken;  // what has been offered stays until it is taken
            if (!r) for (n = 0; n <= %[1]d; n = n + 1) begin
                sent = sent + (offer[n] === 1 && taken[n] === 1);
                delivered = delivered + (valid[n] === 1 && ready[n] === 1);
            end
            #1 clk = 1;
            #1 clk = 0;
        end
    endtask
    initial begin
%[3]s        repeat (100) step(0, 0, 0, ~0);
        first = delivered;
        repeat (1900) step(0, 0, 0, ~0);
        $display("sent %%0d, delivered %%0d, later %%0d", sent, first, delivered);
        $finish;
    end
endmodule
`, top, m.Name, steps.String())
	require.NoError(t, os.WriteFile(filepath.Join(out, "replay.v"), []byte(bench), 0o644))
	sources, err := filepath.Glob(filepath.Join(out, "rtl", "*.v"))
	require.NoError(t, err)
	var text []byte
	for _, line := range [][]string{append([]string{"iverilog", "-g2005", "-o", "replay", "replay.v"}, sources...), {"vvp", "replay"}} {
		command := exec.CommandContext(t.Context(), line[0], line[1:]...)
		command.Dir = out
		text, err = command.CombinedOutput()
		require.NoError(t, err, string(text))
	}
	said := counts.FindStringSubmatch(string(text))
	require.NotNil(t, said, string(text))
	for i, into := range []*int{&sent, &delivered[0], &delivered[1]} {
		*into, err = strconv.Atoi(said[i+1])
		require.NoError(t, err)
	}
	return sent, delivered
}
