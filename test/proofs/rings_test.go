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

// ringsProof expresses the holes of a flattened network, free places behind ring ports, by its
// registers: the section "Why it cannot deadlock" of docs/architecture.md.
type ringsProof struct {
	plan    *plan.Plan
	exposed []string // wires of the network that become outputs of it
	wires   []string // their declarations
	holes   []string // an expression for each ring port and the link input behind it
	fits    []string // the registers of this input are consistent
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

// look exposes a register of the network and returns the name of its wire.
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
	pending := r.look(targets, "node%d.in%d.pending_q", to, input)
	free := r.look(p.InputSlots, "node%d.in%d.free_q", to, input)
	holes := []string{"!" + r.look(1, "node%d.out%d.register.full_q", node, port), fmt.Sprintf("!%s[%d]", pending, targets-1)}
	fits := []string{fmt.Sprintf("(%s == 0) == %s[0]", pending, free)}
	if p.InputSlots > 1 {
		word := p.LinkBits - p.WdBits
		slots := r.look((p.InputSlots-1)*word, "node%d.in%d.queue.slots_q", to, input)
		for n := 1; n < p.InputSlots; n++ {
			holes = append(holes, fmt.Sprintf("%s[%d]", free, n), fmt.Sprintf("%s[%d+:%d] == 0", slots, n*word-p.WcBits, p.WcBits))
			fits = append(fits, fmt.Sprintf("(%s[%d] || !%s[%d])", free, n, free, n-1))
		}
	}
	r.fits = append(r.fits, strings.Join(fits, " && "))
	return strings.Join(holes, " || ")
}

// Questions about the rings of a network.
type question int

const (
	staysFull   question = iota // a ring without a hole never has a hole again
	becomesFull                 // a run in which the first ring becomes full; it needs receivers that are not ready
)

// write writes the properties, and returns the script that reads them and the numbers of assertions and covers.
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
	v, err := f.Solve(t.Context(), time.Hour, task) // enough for a busy machine
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

// changed copies an output folder and changes files: the name of a file, a text that occurs once, and its replacement.
func changed(t *testing.T, out string, changes ...[3]string) string {
	t.Helper()
	own := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.CopyFS(own, os.DirFS(out)))
	for _, c := range changes {
		path := harness.File(t, own, c[0])
		good, err := os.ReadFile(path)
		require.NoError(t, err)
		text := harness.Unaligned(string(good), c[1])
		require.Equal(t, 1, strings.Count(text, c[1]), "%q is once in %s", c[1], c[0])
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, c[1], c[2], 1)), 0o644))
	}
	return own
}

// proveRings proves the rings of a router after changes of files.
func proveRings(t *testing.T, out string, changes ...[3]string) (string, bool) {
	t.Helper()
	return proveClaims(t, changed(t, out, changes...), "_rings[0-9]*.sby")
}

// assertRings checks that make prove proves the rings of all ring ports of a machine.
func assertRings(t *testing.T, m *machine.Machine, out string) {
	t.Helper()
	var ports []string
	for _, q := range plan.New(m).Ports {
		if q.Ring {
			ports = append(ports, strconv.Itoa(q.Index))
		}
	}
	if ports == nil {
		assert.NoFileExists(t, filepath.Join(out, "formal", m.Name+"_rings.v"))
		return
	}
	text, ok := proveRings(t, out)
	require.True(t, ok, text)
	assert.NotContains(t, text, "NOT PROVED")
	for _, port := range ports {
		assert.Regexp(t, m.Name+"_rings"+port+`: \d+ assertions, 1 covers\n  behaviour  proved, for runs of any length \(induction\)\n`, text)
	}
}

// The smallest machine in which messages enter a ring, continue and transfer; and the same ring without the bubble rule.
func TestRingsAreProvedToKeepAHole(t *testing.T) {
	t.Parallel()
	m, out := ringMachine(t, 1, "6, 2")
	assertRings(t, m, out)
	text, ok := proveRings(t, out, entersFirst...)
	assert.False(t, ok)
	assert.Contains(t, text, "FAIL: options_rings1: options_rings1: options_rings.v:")
	assert.Contains(t, text, "waves: ")
	assert.Contains(t, text, "Error 3", "the exit code for a check that failed")
}

// The proof of the rings of every example. Programmable routers have none.
func TestRingsOfExamplesAreProvedToKeepAHole(t *testing.T) {
	needs.Time(t)
	for _, config := range harness.Examples(t) {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			m, out := harness.Example(t, config, nil)
			if m.Programmable != nil {
				assert.NoFileExists(t, filepath.Join(out, "formal", m.Name+"_rings.v"))
				return
			}
			assertRings(t, m, out)
		})
	}
}

// Rings of all kinds of routers: no rings, links longer than 1, slots, stages, deliveries, destinations; and the longest ring.
func TestRingsOfOptionsAreProvedToKeepAHole(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		options    harness.Options
		dimensions []string
	}{
		{harness.With(1, machine.Merged, 2, false, true, 1), []string{"3, 1"}},
		{harness.With(1, machine.Merged, 2, false, true, 1), []string{"8, 3"}},
		{harness.With(1, machine.Merged, 2, false, true, 1), []string{"4, 1", "2, 1"}},
		{harness.With(1, machine.PerPort, 3, true, true, 2), []string{"8, 2"}},
		{harness.With(2, machine.Merged, 2, false, true, 1), []string{"6, 2"}},
		{harness.With(2, machine.PerPort, 2, true, true, 2), []string{"4, 1"}},
		{harness.With(2, machine.Merged, 16, false, true, 1), []string{"7, 2"}},
		{harness.With(1, machine.Merged, 2, false, false, 1), []string{"64, 1"}},
	} {
		t.Run(fmt.Sprintf("%s, %d stages, %d slots", strings.Join(c.dimensions, " x "), c.options.Stages, c.options.FifoDepth), func(t *testing.T) {
			t.Parallel()
			m, out := harness.Generate(t, c.options.Machine(t, c.dimensions...), nil)
			assertRings(t, m, out)
		})
	}
	t.Run("destinations", func(t *testing.T) {
		t.Parallel()
		m, out := generateText(t, addressed([][2]int{{7, 2}, {4, 1}}, "    payload_bits = 2\n    source_id = true\n"+last, "    stages = 2\n"))
		assertRings(t, m, out)
	})
}

// Longer rings are not proved, and make prove says so. 65 nodes are enough.
func TestLongRingsAreNotProved(t *testing.T) {
	t.Parallel()
	_, out := harness.Generate(t, harness.With(1, machine.Merged, 2, false, false, 1).Machine(t, "65, 1", "13, 1"), nil)
	text, err := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "SMTBMC=false").CombinedOutput() // the router takes long
	require.Error(t, err)
	assert.Contains(t, string(text), "  rings      NOT PROVED, because they have more than 128 places: those of these ports: 0, 1\n")
	assert.NoFileExists(t, filepath.Join(out, "formal", "options_rings0.sby"))
	assert.FileExists(t, filepath.Join(out, "formal", "options_rings2.sby"))
}

// Faults of the rings, and proofs that prove nothing.
func TestProofOfRingsFindsFaults(t *testing.T) {
	needs.Time(t)
	_, one := ringMachine(t, 1, "6, 2")
	_, two := ringMachine(t, 2, "4, 1")
	const port, input = "rtl/hc_ring_port.v", "rtl/hc_link_input.v"
	for _, c := range []struct {
		name, out string
		changes   [][3]string
		says      string
	}{
		{"entrants go first, two stages", two, entersFirst, "options_rings0: options_rings.v:"},
		{"a message continues twice", one, [][3]string{{input, "rest   = request & ~grant &", "rest   = request &"}}, "options_rings1: options_rings.v:"},
		{"a message continues twice, two stages", two, [][3]string{{input, "rest   = request & ~grant &", "rest   = request &"}}, "options_rings0: options_rings.v:"},
		{"a full input accepts messages", two, [][3]string{{input, "s_axis_tready = free_q[SLOTS-1]", "s_axis_tready = 1'b1"}}, "options_rings0: options_rings.v:"},
		{"a head stays that needs nothing", two, [][3]string{{input, "stays  = |rest", "stays  = |rest | pending_q[0]"}}, "options_rings0: options_rings.v:"},
		{"a message continues again while others wait to enter", one, [][3]string{{port, "continue_grant = ready;", "continue_grant = ready & ~|enter_request;"}}, "options_rings1: options_rings.v:"},
		{"an assertion is missing", one, [][3]string{{"formal/prove.sh", "    formulas=\n", "    sed -i 's/always @\\* if (live) assert (|{holes});//' options_rings.v\n    formulas=\n"}},
			"Yosys has made the 4 assertions and 1 covers that hcgen has written (Assertion failed: selection contains 3 elements instead of the asserted 4"},
		{"the ring never starts", one, [][3]string{{"formal/prove.sh", "    formulas=\n", "    sed -i 's/if (!live) assume/assume/' options_rings.v\n    formulas=\n"}},
			"0 of 1 covers are reached"},
		{"a part of the router has another name", one, [][3]string{{"formal/options_rings1.sby", "/c:out1\n", "/c:out9\n"}}, "not so: the properties fit the module"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := proveRings(t, c.out, c.changes...)
			assert.False(t, ok, text)
			assert.Contains(t, text, "FAIL: options_ring")
			assert.Contains(t, text, c.says)
			assert.Contains(t, text, "Error 3", "the exit code for a check that failed")
		})
	}
}

// entersFirst breaks the bubble rule of a ring port without losing messages: a message that requests to continue waits.
var entersFirst = [][3]string{
	{"rtl/hc_ring_port.v", "enter_ready   = ready & !continue_request;", "enter_ready  = ready;"},
	{"rtl/hc_ring_port.v", "continue_grant = ready;", "continue_grant = ready & ~|enter_request;"},
	{"rtl/hc_ring_port.v", "(continue_request ? continue_valid : entrant_valid)", "(~|enter_request ? continue_request & continue_valid : entrant_valid)"},
	{"rtl/hc_ring_port.v", "(continue_request ? continue_word : enter_word)", "(~|enter_request ? continue_word : enter_word)"},
}

// The effect of the bubble rule, in the Verilog: if entrants have priority, a ring becomes full a few cycles
// after reset, is proved to stay full forever, and some messages of the run are never delivered, also in a
// simulator. With the right rule the same run delivers every message.
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
			m, good := ringMachine(t, c.stages, c.dimension)
			r := newRingsProof(m)
			out := changed(t, good, entersFirst...)
			assertHolds(t, r.compile(t, out, staysFull))

			v := solve(t, r.compile(t, out, becomesFull), append(smt.Cover(16), "--dump-vlogtb", "run.v"))
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

// replay applies the inputs of a run from the solver to a network, in Icarus Verilog, and then offers nothing
// while every receiver is ready. It returns the numbers of messages that were taken, and that were delivered
// 100 and 2,000 cycles later.
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
