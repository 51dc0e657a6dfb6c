// SPDX-License-Identifier: Apache-2.0

package configs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/machine"
)

// ringsProof says of all ring ports of a network, as it is flattened, whether there are
// holes: the section "Why it never locks up" of docs/architecture.md, from the registers.
type ringsProof struct {
	plan    *plan.Plan
	exposed []string // wires of the network that become outputs of it
	wires   []string // their declarations
	holes   []string // one expression for each slot that may be one
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

// hole is the condition that a slot of one ring port is a hole: of its own slots, or of those of
// the input that its link leads to.
func (r *ringsProof) hole(node, port int) string {
	p := r.plan
	q := p.Ports[port]
	to, input := p.Machine.Graph.Neighbor(node, port), q.Opposite
	targets := q.Dimension + 1 // delivery, groups of lower dimensions, continuation
	free := fmt.Sprintf("!%s || !%s", r.look(1, "node%d.out%d.output_full_q", node, port), r.look(1, "node%d.out%d.continue_full_q", node, port))
	if p.Stages == 2 {
		ask := r.look(targets, "node%d.in%d.ask_q", to, input)
		return fmt.Sprintf("%s || !%s || !%s[%d] || !%s", free, r.look(1, "node%d.in%d.waits_q", to, input), ask, targets-1,
			r.look(1, "node%d.in%d.accept_q", to, input))
	}
	width := p.LinkBits - p.WdBits
	word := r.look(width, "node%d.out%d.output_q", node, port)
	wc := fmt.Sprintf("%s[%d:%d]", word, width-1, width-p.WcBits)
	return fmt.Sprintf("%s || %s <= 1 || %s > %d || %s[%d]", free, wc, wc, q.D, r.look(targets, "node%d.in%d.made_q", to, input), targets-1)
}

// What is asked about the rings of a network.
type question int

const (
	keepsHole   question = iota // each always has a hole
	staysFull                   // one without a hole never has one again
	becomesFull                 // how the first comes to be without; receivers that are not ready do
)

// write lays out the script and the properties, and returns the number of assertions and covers.
func (r *ringsProof) write(t *testing.T, out string, asked question) (asserts, covers int) {
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

	var s strings.Builder
	fmt.Fprintf(&s, "read_verilog rtl/*.v\nhierarchy -check -top %s\nproc\nmemory_collect\nmemory_map\nflatten\n", p.NetworkModule)
	for _, signal := range r.exposed {
		fmt.Fprintf(&s, "select -assert-count 1 w:%s\n", signal)
	}
	fmt.Fprintf(&s, "expose w:%s\n", strings.Join(r.exposed, " w:"))
	fmt.Fprint(&s, "read_verilog -formal rings.v\nhierarchy -check -top rings\nflatten\nproc\nopt\nasync2sync\ndffunmap\nwrite_smt2 -wires rings.smt2\n")
	require.NoError(t, os.WriteFile(filepath.Join(out, "rings.ys"), []byte(s.String()), 0o644))
	return asserts, covers
}

// compile makes the formula and counts the assertions and covers in it.
func (r *ringsProof) compile(t *testing.T, out string, asked question) {
	t.Helper()
	asserts, covers := r.write(t, out, asked)
	text, err := runIn(out, "yosys", "-q", "-l", "rings.log", "-s", "rings.ys")
	require.NoError(t, err, text)
	assert.NotContains(t, text, "Resizing cell port", "a register has another width")
	formula, err := os.ReadFile(filepath.Join(out, "rings.smt2"))
	require.NoError(t, err)
	assert.Equal(t, asserts, strings.Count(string(formula), "; yosys-smt2-assert "))
	assert.Equal(t, covers, strings.Count(string(formula), "; yosys-smt2-cover "))
}

func runIn(dir, tool string, arguments ...string) (string, error) {
	command := exec.Command(tool, arguments...)
	command.Dir = dir
	text, err := command.CombinedOutput()
	return string(text), err
}

// smtbmc tells what the solver says of the formula, and whether it holds.
func smtbmc(t *testing.T, out string, arguments ...string) (string, bool) {
	t.Helper()
	text, err := runIn(out, "yosys-smtbmc", append(arguments, "--noprogress", "--unroll", "--noincr", "-s", "z3", "rings.smt2")...)
	if err != nil {
		require.Contains(t, text, "Status: FAILED", "the solver must have come to a result")
	}
	return text, err == nil
}

// assertHolds proves by induction with one step.
func assertHolds(t *testing.T, out string) {
	t.Helper()
	text, ok := smtbmc(t, out, "-t", "2")
	assert.True(t, ok, text)
	text, ok = smtbmc(t, out, "-i", "-t", "1")
	assert.True(t, ok, text)
	assert.Contains(t, text, "Temporal induction successful")
}

func ringMachine(t *testing.T, stages int, dimensions ...string) (*machine.Machine, string) {
	t.Helper()
	return generate(t, optionMachine(t, options{stages, machine.Merged, 2, false, true, 1}, dimensions...), nil)
}

// Whatever comes in and however long: every ring of every network of up to 8 nodes in a ring
// keeps a hole, in the Verilog.
func TestRingsOfNetworksAreProvedToKeepAHole(t *testing.T) {
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
				r.compile(t, out, keepsHole)
				assertHolds(t, out)
			}
		})
	}
}

// goFirst changes when a ring port lets what continues go first, so that nothing is lost: what goes
// second waits.
func goFirst(t *testing.T, out, when string) {
	t.Helper()
	port := filepath.Join(out, "rtl", "hc_ring_port.v")
	text, err := os.ReadFile(port)
	require.NoError(t, err)
	for _, change := range [][2]string{
		{"first    = continue_full_q | continue_ask;", "first    = " + when + ";"},
		{"continue_full_q <= continues & !load;", "continue_full_q <= continues & !(load & first);"},
	} {
		require.Equal(t, 1, strings.Count(string(text), change[0]))
		text = []byte(strings.Replace(string(text), change[0], change[1], 1))
	}
	require.NoError(t, os.WriteFile(port, text, 0o644))
}

// Neither half of the bubble rule is enough with one stage: that what enters waits for what waits to
// continue, or for what asks to.
func TestHalfOfTheBubbleRuleIsNotEnough(t *testing.T) {
	for name, when := range map[string]string{
		"what waits to continue goes first": "continue_full_q | (continue_ask & !enter_full_q & !entered)",
		"what asks to continue goes first":  "continue_ask | (continue_full_q & !enter_full_q & !entered)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, out := ringMachine(t, 1, "4, 1")
			r := newRingsProof(m)
			goFirst(t, out, when)
			r.compile(t, out, keepsHole)
			said, ok := smtbmc(t, out, "-i", "-t", "1")
			assert.False(t, ok, "the proof notices:\n%s", said)
			r.compile(t, out, becomesFull)
			said, ok = smtbmc(t, out, "-c", "-t", "16")
			assert.True(t, ok, "and so from reset on:\n%s", said)
		})
	}
}

// What the bubble rule is worth, in the Verilog: if what enters goes first, a ring comes to be full
// a few cycles after reset, is proved to stay so whatever happens, and what the run has put in
// never all comes out, in a simulator too. With the right rule the same run delivers everything.
func TestNetworkThatEntersFirstLocksUp(t *testing.T) {
	for _, c := range []struct {
		name      string
		stages    int
		dimension string
	}{
		{"8 nodes", 1, "8, 1"},
		{"two stages", 2, "4, 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, out := ringMachine(t, c.stages, c.dimension)
			r := newRingsProof(m)
			good := filepath.Join(t.TempDir(), "good")
			require.NoError(t, os.CopyFS(good, os.DirFS(out)))
			goFirst(t, out, "!enter_full_q & (continue_full_q | continue_ask)")

			r.compile(t, out, keepsHole)
			said, ok := smtbmc(t, out, "-i", "-t", "1")
			assert.False(t, ok, "the proof notices:\n%s", said)

			r.compile(t, out, staysFull)
			assertHolds(t, out)

			r.compile(t, out, becomesFull)
			said, ok = smtbmc(t, out, "-c", "-t", "16", "--dump-vlogtb", "run.v")
			require.True(t, ok, said)
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
	text, err := runIn(out, "iverilog", append([]string{"-g2005", "-o", "replay", "replay.v"}, sources...)...)
	require.NoError(t, err, text)
	text, err = runIn(out, "vvp", "replay")
	require.NoError(t, err, text)
	said := counts.FindStringSubmatch(text)
	require.NotNil(t, said, text)
	for i, into := range []*int{&sent, &delivered[0], &delivered[1]} {
		*into, err = strconv.Atoi(said[i+1])
		require.NoError(t, err)
	}
	return sent, delivered
}
