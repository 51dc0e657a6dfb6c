// SPDX-License-Identifier: Apache-2.0

package hdl_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/hypercycle"
)

// ringTable is what package hypercycle says of every ring of the prototype, as a
// Verilog function: {k, q} of floor((m-1)/2), {k, q} of floor(m/2), {k, a, D}.
func ringTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("    function [27:0] f_table(input [5:0] nodes, input [5:0] reach);\n        case ({nodes[3:0], reach[3:0]})\n")
	for m := 2; m <= maxNodes; m++ {
		for rho := 1; rho <= m/2; rho++ {
			d := hypercycle.Dimension{M: m, Rho: rho}
			cw, ccw := d.Sides(hypercycle.Balanced)
			near, far := d.Sides(hypercycle.Clockwise)
			require.Equal(t, hypercycle.Side{Q: d.D()}, near)
			require.Equal(t, hypercycle.Side{Q: d.A(), K: d.K()}, far)
			fmt.Fprintf(&b, "            8'h%x%x: f_table = 28'h%x%x%x%x%x%x%x;\n", m, rho, ccw.K, ccw.Q, cw.K, cw.Q, d.K(), d.A(), d.D())
		}
	}
	b.WriteString("            default: f_table = 28'd0;\n        endcase\n    endfunction\n")
	return b.String()
}

// proof is one module with its properties, as a folder of files.
type proof struct {
	t       *testing.T
	dir     string
	top     string
	sources []string
	asserts int
	covers  int
}

// assumedOfUser finds assumptions about who uses a module.
var assumedOfUser = regexp.MustCompile(`assume (\(.*\);  // asserted of )`)

// prove lays out a module, first among sources, with the properties of all sources that
// have some. faults are pairs of texts and what takes their place.
func prove(t *testing.T, sources []string, faults ...string) *proof {
	t.Helper()
	p := &proof{t: t, dir: t.TempDir(), top: sources[0]}
	changed := 0
	for i, s := range sources {
		data, err := fs.ReadFile(hdl.Files, s+".v")
		require.NoError(t, err)
		text := string(data)
		for at := 0; at < len(faults); at += 2 {
			changed += 2 * strings.Count(text, faults[at])
			text = strings.ReplaceAll(text, faults[at], faults[at+1])
		}
		if properties, err := os.ReadFile("proofs/" + s + ".v"); err == nil {
			added := string(properties)
			if i > 0 { // what a module assumes of its user is to be shown of a user
				added = assumedOfUser.ReplaceAllString(added, "assert $1")
			}
			p.asserts += strings.Count(added, "assert (")
			p.covers += strings.Count(added, "cover (")
			text = strings.Replace(text, "\nendmodule\n", "\n"+added+"\nendmodule\n", 1)
		}
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, s+".v"), []byte(text), 0o644))
		p.sources = append(p.sources, s+".v")
	}
	require.Equal(t, len(faults), changed, "each fault is in one place")
	require.Positive(t, p.asserts)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "hc_ring_table.vh"), []byte(ringTable(t)), 0o644))
	return p
}

// instances says how many of a module the top has, if not one.
func (p *proof) instances(module string, n int) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, module+".v"))
	require.NoError(p.t, err)
	p.asserts += (n - 1) * strings.Count(string(text), "assert (")
	p.covers += (n - 1) * strings.Count(string(text), "cover (")
}

func (p *proof) run(tool string, arguments ...string) (string, error) {
	p.t.Helper()
	_, err := exec.LookPath(tool)
	require.NoError(p.t, err, "make setup installs what has %s", tool)
	command := exec.Command(tool, arguments...)
	command.Dir = p.dir
	text, err := command.CombinedOutput()
	return string(text), err
}

// compile makes the formula. Yosys drops what it does not know in silence, so the
// assertions that arrived are counted. Its opt -full is wrong (0.23): in the bound of
// hc_tree_arbiter conditions of sums are lost, and the cover of the bound is not reached.
func (p *proof) compile(parameters ...string) {
	p.t.Helper()
	text, err := p.run("yosys", "-p", "read_verilog -formal "+strings.Join(p.sources, " ")+"; hierarchy -top "+p.top+" "+
		strings.Join(parameters, " ")+"; flatten; prep -top "+p.top+"; memory_map; opt; async2sync; dffunmap; stat; write_smt2 -wires proof.smt2")
	require.NoError(p.t, err, text)
	count := regexp.MustCompile(`\$assert +([0-9]+)`).FindAllStringSubmatch(text, -1)
	require.NotEmpty(p.t, count, "no assertion")
	n, err := strconv.Atoi(count[len(count)-1][1])
	require.NoError(p.t, err)
	require.Equal(p.t, p.asserts, n, "assertions in the formula")
}

// smtbmc runs yosys-smtbmc. --unroll and --noincr let z3 work on plain bit vectors.
func (p *proof) smtbmc(arguments ...string) (string, bool) {
	p.t.Helper()
	text, err := p.run("yosys-smtbmc", append(arguments, "--noprogress", "--unroll", "--noincr", "-s", "z3", "proof.smt2")...)
	if err != nil {
		require.Contains(p.t, text, "Status: FAILED", "the solver must have come to a result")
	}
	return text, err == nil
}

// holds proves by induction: no assertion fails in the first steps after reset, nor
// after as many steps without failure.
func (p *proof) holds(steps int) {
	p.t.Helper()
	text, ok := p.smtbmc("-t", strconv.Itoa(steps+2))
	assert.True(p.t, ok, text)
	text, ok = p.smtbmc("-i", "-t", strconv.Itoa(steps))
	assert.True(p.t, ok, text)
	assert.Contains(p.t, text, "Temporal induction successful")
}

// reaches shows that the assumptions leave everything possible that the covers name.
func (p *proof) reaches(steps int) {
	p.t.Helper()
	text, ok := p.smtbmc("-c", "-t", strconv.Itoa(steps))
	assert.True(p.t, ok, text)
	require.Positive(p.t, p.covers)
	assert.Equal(p.t, p.covers, strings.Count(text, "Reached cover statement"))
}

func ringPort() []string {
	return []string{"hc_ring_port", "hc_arbiter", "hc_choice", "hc_select"}
}

func delivery() []string {
	return []string{"hc_delivery", "hc_tree_arbiter", "hc_queue"}
}

func portDelivery() []string { return []string{"hc_port_delivery", "hc_queue"} }

func entryPort() []string { return []string{"hc_entry_port", "hc_queue"} }

func group() []string { return []string{"hc_group", "hc_tree_arbiter"} }

func engine() []string { return []string{"hc_weight_engine", "hc_weight", "hc_node_count"} }

// Whatever machine is loaded: if it is legal, the router opens in a bounded number of
// cycles with the weights of the specification on every port, if not, it stays closed
// and says why.
func TestWeightEngineIsProved(t *testing.T) {
	p := prove(t, engine())
	p.compile()
	p.holds(2)
}

// The situations of the proof exist. They come soon in a small router.
func TestWeightEngineReachesEveryResult(t *testing.T) {
	p := prove(t, engine())
	p.compile("-chparam DIMENSIONS 2", "-chparam NODES 6", "-chparam DEGREE 3")
	p.reaches(45)
}

// add lets the top stand with further properties.
func (p *proof) add(file string) {
	p.t.Helper()
	properties, err := os.ReadFile("proofs/" + file)
	require.NoError(p.t, err)
	name := filepath.Join(p.dir, p.top+".v")
	text, err := os.ReadFile(name)
	require.NoError(p.t, err)
	p.asserts += strings.Count(string(properties), "assert (")
	p.covers += strings.Count(string(properties), "cover (")
	require.NoError(p.t, os.WriteFile(name, []byte(strings.Replace(string(text), "\nendmodule\n", "\n"+string(properties)+"\nendmodule\n", 1)), 0o644))
}

// N is the product of the nodes of all dimensions that are counted.
func TestNodeCountIsProved(t *testing.T) {
	p := prove(t, []string{"hc_node_count"})
	p.add("hc_node_count_product.v")
	p.compile()
	p.holds(1)
	p.reaches(14)
}

func TestNodeCountProofFindsFaults(t *testing.T) {
	p := prove(t, []string{"hc_node_count"}, "product_q + cost + ONE", "product_q + cost")
	p.add("hc_node_count_product.v")
	p.compile()
	_, ok := p.smtbmc("-t", "8")
	assert.False(t, ok)
}

func TestBusesAreProved(t *testing.T) {
	for _, bus := range []string{"hc_wishbone", "hc_axi4lite"} {
		t.Run(bus, func(t *testing.T) {
			p := prove(t, []string{bus})
			p.compile()
			p.holds(4)
			p.reaches(8)
		})
	}
}

// The parts of the injection gate follow the contract in every state that they can be in,
// also in those that no trace is long enough to reach.
func TestInjectionGateIsProved(t *testing.T) {
	for _, c := range []struct {
		module     string
		parameters []string
	}{
		{"hc_timer", nil},
		{"hc_congestion", []string{"-chparam LINKS 2"}},
		{"hc_injection_gate", nil},
		{"hc_injection_gate", []string{"-chparam QUOTA_BITS 27"}},
		{"hc_congestion", []string{"-chparam LINKS 2", "-chparam LOCALS 2"}}, // several deliveries in a cycle
		{"hc_injection_gate", []string{"-chparam COUNT_BITS 5"}},
		{"hc_injection_gate", []string{"-chparam QUOTA_BITS 12"}}, // 2 nodes, then up to 4, 8 and 512; without it 16
		{"hc_injection_gate", []string{"-chparam QUOTA_BITS 13"}},
		{"hc_injection_gate", []string{"-chparam QUOTA_BITS 14"}},
		{"hc_injection_gate", []string{"-chparam QUOTA_BITS 20"}},
		{"hc_injection_gate", []string{"-chparam QUOTA_BITS 14", "-chparam COUNT_BITS 2"}},
		{"hc_injection_gate", []string{"-chparam QUOTA_BITS 27", "-chparam COUNT_BITS 5"}},
	} {
		t.Run(strings.Join(append([]string{c.module}, c.parameters...), " "), func(t *testing.T) {
			p := prove(t, []string{c.module})
			p.compile(c.parameters...)
			p.holds(2)
			p.reaches(16)
		})
	}
}

// A router is idle if no slot holds a message; hc_programmable_crossbar looks at two of the
// three of each port.
func TestEmptyPortIsProved(t *testing.T) {
	p := prove(t, []string{"hc_programmable_port"})
	p.compile()
	p.holds(1)
	p.reaches(6)
}

// Arbiters of a few requesters; that of a router is as wide as its inputs.
func TestArbiterIsProved(t *testing.T) {
	for _, requesters := range []string{"2", "3", "5", "8"} { // blocks of four: one and two, the most that a ring port has
		t.Run(requesters, func(t *testing.T) {
			p := prove(t, []string{"hc_arbiter"})
			p.compile("-chparam REQUESTERS " + requesters)
			p.holds(2)
			p.reaches(10)
		})
	}
}

// Trees of all shapes: whole ones, with numbers that are left out at either end, with one
// requester alone, and with one half of one and another of many.
func TestTreeArbiterIsProved(t *testing.T) {
	for _, c := range []struct{ requesters, lowest, alone int }{
		{2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {8, 0, 0}, {3, 5, 0}, {2, 1, 1}, {3, 2, 1}, {4, 1, 1}, {6, 3, 1}, {5, 4, 1},
	} {
		t.Run(fmt.Sprintf("%d from %d, %d alone", c.requesters, c.lowest, c.alone), func(t *testing.T) {
			p := prove(t, []string{"hc_tree_arbiter"})
			p.compile(fmt.Sprintf("-chparam REQUESTERS %d -chparam LOWEST %d -chparam ALONE %d -chparam WIDTH 2", c.requesters, c.lowest, c.alone))
			p.holds(2)
			p.reaches(11) // in a whole tree of eight the longest wait is of 7
		})
	}
}

// choice is a choice with the arbiter that selects.
func choice(t *testing.T, words int, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_choice", "hc_arbiter", "hc_select"}, faults...)
	p.add("hc_choice_of_arbiter.v")
	p.compile(fmt.Sprintf("-chparam WORDS %d -chparam WIDTH 2", words))
	return p
}

// The words that are chosen by comparing pairs, by what is selected, and in blocks.
func TestChoiceIsProved(t *testing.T) {
	for _, words := range []int{2, 3, 4, 5, 8} {
		t.Run(strconv.Itoa(words), func(t *testing.T) {
			p := choice(t, words)
			p.holds(2)
			p.reaches(10)
		})
	}
}

func TestChoiceProofFindsFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		words int
		fault []string
	}{
		{"two words change places", 2, []string{"(request[0] & !turn[1])", "(request[0] & turn[1])"}},
		{"the first of three does not look at turns", 3, []string{"(request[2] & turn[2])", "request[2]"}},
		{"the last of three passes the one before it", 3, []string{"(turn[1] | !turn[2])", "!turn[2]"}},
		{"a block does not look at turns", 5, []string{"some_due[b] ? due[4*b+:3] : asks[4*b+:3]", "asks[4*b+:3]"}},
		{"the third of a block comes as the last", 5, []string{"upper ? !first[2]", "upper ? first[2]"}},
		{"the upper pair of four passes the lower one", 4, []string{"!due_below & (", "("}},
		{"a block is left out", 5, []string{"i + 1 < WORDS", "i + 2 < WORDS"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, ok := choice(t, c.words, c.fault...).smtbmc("-t", "5")
			assert.False(t, ok, text)
			assert.Contains(t, text, "Assert failed in hc_choice: hc_choice.v:")
		})
	}
}

// Inputs with and without a continuation, with a largest weight that is all ones and one
// that is not.
func TestInputsAreProved(t *testing.T) {
	for _, c := range []struct{ module, parameters string }{
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 3 -chparam DIMENSION 3 -chparam LARGEST 5 -chparam CONTINUES 1 -chparam TARGETS 4"},
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 3 -chparam CONTINUES 1 -chparam TARGETS 3"},
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 1 -chparam TARGETS 2"},
		{"hc_queued_input", "-chparam WD_BITS 2 -chparam WC_BITS 3 -chparam DIMENSION 3 -chparam LARGEST 5 -chparam CONTINUES 1 -chparam TARGETS 4 -chparam BODY_BITS 2"},
		{"hc_queued_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 3 -chparam CONTINUES 1 -chparam TARGETS 3 -chparam BODY_BITS 2"},
		{"hc_queued_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 1 -chparam TARGETS 2 -chparam BODY_BITS 2"},
		{"hc_local_input", "-chparam GROUPS 3"},
	} {
		t.Run(c.module+" "+c.parameters, func(t *testing.T) {
			p := prove(t, []string{c.module})
			p.compile(c.parameters)
			p.holds(2)
			p.reaches(8)
		})
	}
}

// With a group and one transfer, and with transfers alone.
func TestRingPortIsProved(t *testing.T) {
	for _, c := range []struct {
		sources    []string
		parameters string
	}{
		{ringPort(), "-chparam ENTRANTS 2 -chparam WIDTH 3"},
		{ringPort(), "-chparam ENTRANTS 3 -chparam FROM_GROUP 0 -chparam WIDTH 3"},
	} {
		t.Run(c.parameters, func(t *testing.T) {
			p := prove(t, c.sources)
			p.compile(c.parameters)
			p.holds(2)
			p.reaches(10)
		})
	}
}

func TestGroupIsProved(t *testing.T) {
	for _, parameters := range []string{"-chparam SOURCES 2 -chparam PORTS 2 -chparam WIDTH 2", "-chparam SOURCES 3 -chparam PORTS 4 -chparam WIDTH 2", "-chparam SOURCES 4 -chparam LOWEST 1 -chparam PORTS 2 -chparam WIDTH 2"} {
		t.Run(parameters, func(t *testing.T) {
			p := prove(t, group())
			p.compile(parameters)
			p.holds(2)
			p.reaches(10)
		})
	}
}

func TestDeliveryAndEntryPortAreProved(t *testing.T) {
	for _, c := range []struct {
		sources    []string
		parameters string
	}{
		{delivery(), "-chparam SOURCES 3 -chparam WIDTH 2 -chparam DEPTH 2"},
		{entryPort(), "-chparam WIDTH 2 -chparam DEPTH 3"},
	} {
		t.Run(c.sources[0], func(t *testing.T) {
			p := prove(t, c.sources)
			p.compile(c.parameters)
			p.holds(2)
			p.reaches(12)
		})
	}
}

// Each of several links, and one alone; queues of registers and in a memory.
func TestPortDeliveryIsProved(t *testing.T) {
	for _, c := range []struct{ sources, width, depth int }{{1, 2, 2}, {3, 2, 2}, {2, 2, 3}, {1, 16, 8}} {
		t.Run(fmt.Sprintf("%d links, %d slots of %d bits", c.sources, c.depth, c.width), func(t *testing.T) {
			p := prove(t, portDelivery())
			p.instances("hc_queue", c.sources)
			p.compile(fmt.Sprintf("-chparam SOURCES %d -chparam WIDTH %d -chparam DEPTH %d", c.sources, c.width, c.depth))
			p.holds(2)
			p.reaches(2*c.depth + 8)
		})
	}
}

// Faults that queues of two slots do not have.
func TestProofOfPortDeliveryFindsFaultsOfLongerQueues(t *testing.T) {
	for name, faults := range map[string][]string{
		"a slot less":                  {".DEPTH(DEPTH)", ".DEPTH(DEPTH - 1)"},
		"a slot more":                  {".DEPTH(DEPTH)", ".DEPTH(DEPTH + 1)"},
		"the third message is changed": {"? slots_q[(i+1)*WIDTH+:WIDTH] : write_data", "? slots_q[(i+1)*WIDTH+:WIDTH] ^ (i == 1) : write_data"},
	} {
		t.Run(name, func(t *testing.T) {
			p := prove(t, portDelivery(), faults...)
			p.instances("hc_queue", 2)
			p.compile("-chparam SOURCES 2 -chparam WIDTH 2 -chparam DEPTH 3")
			text, ok := p.smtbmc("-t", "8")
			assert.False(t, ok, text)
			assert.Contains(t, text, "Assert failed in hc_port_delivery: hc_port_delivery.v:")
		})
	}
}

// One bit, a power of two, and what is none.
func TestCountIsProved(t *testing.T) {
	for _, bits := range []string{"1", "4", "7"} {
		t.Run(bits, func(t *testing.T) {
			p := prove(t, []string{"hc_count"})
			p.compile("-chparam BITS " + bits)
			p.holds(1)
			p.reaches(1)
		})
	}
}

// Queues of slots that move and queues in a memory, the numbers of whose places begin
// anew at a power of two or are not all in use.
func TestQueueIsProved(t *testing.T) {
	for _, c := range []struct{ depth, width int }{{2, 3}, {3, 2}, {8, 15}, {8, 16}, {9, 15}} {
		t.Run(fmt.Sprintf("%d slots of %d bits", c.depth, c.width), func(t *testing.T) {
			p := prove(t, []string{"hc_queue"})
			p.compile(fmt.Sprintf("-chparam DEPTH %d -chparam WIDTH %d", c.depth, c.width))
			p.holds(1)
			p.reaches(2*c.depth + 4)
		})
	}
}

func TestQueueProofFindsFaults(t *testing.T) {
	for name, c := range map[string]struct {
		parameters string
		faults     []string
	}{
		"a slot less":                  {"-chparam DEPTH 3", []string{"room          = !level_q[DEPTH-1]", "room          = !level_q[DEPTH-2]"}},
		"a slot keeps what moves":      {"-chparam DEPTH 3", []string{"if (m_axis_tready | !level_q[i])", "if (!level_q[i])"}},
		"the head comes from the end":  {"-chparam DEPTH 8 -chparam WIDTH 16", []string{"words[second_q] : write_data", "words[free_q] : write_data"}},
		"a word passes another":        {"-chparam DEPTH 8 -chparam WIDTH 16", []string{"head_q <= level_q[1] ?", "head_q <= level_q[2] ?"}},
		"the memory is not reset":      {"-chparam DEPTH 8 -chparam WIDTH 16", []string{"free_q   <= {PLACE_BITS{1'b0}};", ""}},
		"too few places in the memory": {"-chparam DEPTH 9 -chparam WIDTH 16", []string{"PLACE_BITS = $clog2(DEPTH)", "PLACE_BITS = $clog2(DEPTH) - 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := prove(t, []string{"hc_queue"}, c.faults...)
			p.compile(c.parameters)
			text, ok := p.smtbmc("-t", "14")
			assert.False(t, ok, text)
		})
	}
}

// faultParameters are those of modules whose faults do not show with the smallest ones.
var faultParameters = map[string][]string{
	"hc_link_input":    {"-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 3 -chparam CONTINUES 1 -chparam TARGETS 3"},
	"hc_queued_input":  {"-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 2 -chparam CONTINUES 1 -chparam TARGETS 3 -chparam BODY_BITS 2"},
	"hc_port_delivery": {"-chparam SOURCES 2 -chparam WIDTH 2"},
	"hc_count":         {"-chparam BITS 5"},
	"hc_local_input":   {"-chparam GROUPS 3"},
	"hc_arbiter":       {"-chparam REQUESTERS 6"},
	"hc_tree_arbiter":  {"-chparam REQUESTERS 6 -chparam LOWEST 3 -chparam ALONE 1 -chparam WIDTH 2"},
	"hc_delivery":      {"-chparam SOURCES 3 -chparam WIDTH 2"},
	"hc_entry_port":    {"-chparam WIDTH 2"},
	"hc_group":         {"-chparam SOURCES 2 -chparam PORTS 2 -chparam WIDTH 2"},
	"hc_ring_port":     {"-chparam ENTRANTS 2 -chparam WIDTH 3"},
}

func TestProofsFindFaults(t *testing.T) {
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
		{"a link input is ready without its last copy", []string{"hc_link_input"}, []string{"&(made_q | made | ~wanted)", "|(made_q | made | ~wanted)"}, 4},
		{"a link input asks again", []string{"hc_link_input"}, []string{"& wanted & ~made_q", "& wanted"}, 4},
		{"a link input accepts a weight of 0", []string{"hc_link_input"}, []string{"accept = wd == DIMENSION && wc != {WC_BITS{1'b0}};", "accept = wd == DIMENSION;"}, 4},
		{"a queued input loses what comes while one waits", []string{"hc_queued_input"}, []string{"s_axis_tready = !waits_q", "s_axis_tready = 1'b1"}, 5},
		{"a queued input shows the other slot", []string{"hc_queued_input"}, []string{"head_body     = odd_q ?", "head_body     = !odd_q ?"}, 4},
		{"a queued input mixes weights", []string{"hc_queued_input"}, []string{"if (!waits_q & odd_q) next_wc_even_q", "if (odd_q) next_wc_even_q"}, 6},
		{"a queued input asks again", []string{"hc_queued_input"}, []string{"ask_q & ~made;", "ask_q;"}, 5},
		{"a queued input leaves before the last copy", []string{"hc_queued_input"}, []string{"&(~ask_q | made)", "|(~ask_q | made)"}, 5},
		{"a queued input keeps what is malformed", []string{"hc_queued_input"}, []string{"leave = !accept_q | &(", "leave = &("}, 5},
		{"a queued input accepts what is too heavy", []string{"hc_queued_input"}, []string{"wc != {WC_BITS{1'b0}} && wc <= LARGEST", "wc != {WC_BITS{1'b0}}"}, 4},
		{"a queued input counts what is not there", []string{"hc_queued_input"}, []string{"header_error <= ask_q[0] & !accept_q", "header_error <= !accept_q"}, 4},
		{"a queued input passes the one that waits", []string{"hc_queued_input"}, []string{"accept_q <= waits_q ? waits_accept_q : arrives_accept", "accept_q <= arrives_accept"}, 6},
		{"a queued input keeps one over a reset", []string{"hc_queued_input"}, []string{"            waits_q      <= 1'b0;\n", ""}, 6},
		{"a delivery mixes links", portDelivery(), []string{"bodies[i*WIDTH+:WIDTH]", "bodies[0+:WIDTH]"}, 5},
		{"a delivery of each link writes what is malformed", portDelivery(), []string{"(made[i] & accept[i])", "(made[i])"}, 5},
		{"a delivery of each link waits for all", portDelivery(), []string{"made[i] = ask[i] & room", "made[i] = &ask & room"}, 5},
		{"a delivery of each link has no room", portDelivery(), []string{"made[i] = ask[i] & room", "made[i] = ask[i]"}, 6},
		{"a count leaves out the last", []string{"hc_count"}, []string{"i < BITS; i = i + 1", "i < BITS - 1; i = i + 1"}, 2},
		{"a count overflows", []string{"hc_count"}, []string{"count = count + {{COUNT_BITS - 1{1'b0}}, bits[i]}", "count = count ^ {{COUNT_BITS - 1{1'b0}}, bits[i]}"}, 2},
		{"a local input asks before the gate opens", []string{"hc_local_input"}, []string{"{GROUPS{open_next}}", "{GROUPS{1'b1}}"}, 4},
		{"a local input keeps what it noted", []string{"hc_local_input"}, []string{"waits ? needed_q & ~made : {GROUPS{open_next}}", "needed_q & ~made"}, 4},
		{"a local input forgets what it noted", []string{"hc_local_input"}, []string{"waits ? needed_q & ~made", "waits ? needed_q"}, 4},
		{"a ring port enters past one that asks to continue", ringPort(), []string{"first    = continue_full_q | continue_ask;", "first    = continue_full_q | (continue_ask & continue_accept);"}, 5},
		{"a ring port takes what it has no room for", ringPort(), []string{"continue_made = continue_ask & !continue_full_q", "continue_made = continue_ask"}, 5},
		{"a ring port loses what waits to enter", ringPort(), []string{"enters & (first | !load)", "enters & !load"}, 6},
		{"a group offers again what was taken", group(), []string{"= {PORTS{|ask}} & ~taken_q", "= {PORTS{|ask}}"}, 5},
		{"a group is done before the last port", group(), []string{"&(taken_q | room)", "|(taken_q | room)"}, 5},
		{"a group notes what a malformed message has taken", group(), []string{"(room & {PORTS{offer_accept}})", "room"}, 5},
		{"delivery takes what it has no room for", delivery(), []string{"made = {SOURCES{room}} & select", "made = select"}, 6},
		{"delivery writes what is malformed", delivery(), []string{"completed = room & (|ask) & accepted", "completed = room & (|ask)"}, 5},
		{"delivery writes where there is no room", delivery(), []string{
			"made = {SOURCES{room}} & select", "made = select", "completed = room & (|ask) & accepted", "completed = (|ask) & accepted",
		}, 6},
		{"a delivery of each link loses what comes while one waits", portDelivery(), []string{"(bodies[i*WIDTH+:WIDTH])", "(m_axis_tvalid[i] ? {WIDTH{1'b0}} : bodies[i*WIDTH+:WIDTH])"}, 6},
		{"a delivery of each link changes the second of two", portDelivery(), []string{"? slots_q[(i+1)*WIDTH+:WIDTH] : write_data", "? ~slots_q[(i+1)*WIDTH+:WIDTH] : write_data"}, 6},
		{"delivery loses what comes while one waits", delivery(), []string{".write_data   (body)", ".write_data   (m_axis_tvalid ? {WIDTH{1'b0}} : body)"}, 6},
		{"delivery exchanges bits on the way out", delivery(), []string{".m_axis_tdata (m_axis_tdata)", ".m_axis_tdata ({m_axis_tdata[0], m_axis_tdata[1]})"}, 6},
		{"an entry port loses what comes while one waits", entryPort(), []string{"(offer_body)", "(m_axis_tvalid ? {WIDTH{1'b0}} : offer_body)"}, 6},
		{"an entry port changes the second of two", entryPort(), []string{"(offer_body)", "(m_axis_tvalid & !m_axis_tready ? ~offer_body : offer_body)"}, 6},
		{"an entry port writes where there is no room", entryPort(), []string{"(offer & offer_accept & room)", "(offer & offer_accept)"}, 6},
		{"an entry port writes what is malformed", entryPort(), []string{"(offer & offer_accept & room)", "(offer & room)"}, 5},
		{"an arbiter grants what does not ask", []string{"hc_arbiter"}, []string{"chosen[b] & first[i] & !below", "chosen[b] & !below"}, 3},
		{"an arbiter grants two", []string{"hc_arbiter"}, []string{"chosen[b] & first[i] & !below", "chosen[b] & first[i]"}, 3},
		{"an arbiter grants one in each block", []string{"hc_arbiter"}, []string{"~|some_due & ~|(some & ~({BLOCKS{1'b1}} << b))", "~|some_due"}, 3},
		{"an arbiter grants one in each block that is due", []string{"hc_arbiter"}, []string{"some_due[b] ? ~|(some_due & ~({BLOCKS{1'b1}} << b))", "some_due[b] ? 1'b1"}, 5},
		{"an arbiter passes a block that is due", []string{"hc_arbiter"}, []string{"some[b] & ~|some_due &", "some[b] &"}, 5},
		{"an arbiter lets one pass twice", []string{"hc_arbiter"}, []string{"(first[i] & !completed)", "first[i]"}, 6},
		{"an arbiter changes before it is done", []string{"hc_arbiter"}, []string{"again = select[0] & !completed", "again = 1'b0"}, 6},
		{"an arbiter begins anew when nothing asks", []string{"hc_arbiter"}, []string{"if (|some) turn_q[LOWEST+i]", "turn_q[LOWEST+i]"}, 6},
		{"a tree looks at no turns", []string{"hc_tree_arbiter"}, []string{"(turn_q[n] | !asks[lower(n)])", "!asks[lower(n)]"}, 4},
		{"a tree selects a half that does not ask", []string{"hc_tree_arbiter"}, []string{"asks[n] & (turn_q[n] | !asks[lower(n)])", "turn_q[n] | !asks[lower(n)]"}, 4},
		{"a tree grants what does not ask", []string{"hc_tree_arbiter"}, []string{"select = chosen & request", "select = chosen"}, 3},
		{"a tree grants one in each half", []string{"hc_tree_arbiter"}, []string{"chosen[n]        = reached[n] & upper[n]", "chosen[n]        = upper[n]"}, 3},
		{"a node of a tree gives the word of the other half", []string{"hc_tree_arbiter"}, []string{"upper[n] ? passed[n*WIDTH+:WIDTH] : passed[lower(n)*WIDTH+:WIDTH]", "upper[n] ? passed[lower(n)*WIDTH+:WIDTH] : passed[n*WIDTH+:WIDTH]"}, 3},
		{"a tree changes before it is done", []string{"hc_tree_arbiter"}, []string{"upper[m] ^ completed", "!upper[m]"}, 5},
		{"a tree stays with who is done", []string{"hc_tree_arbiter"}, []string{"upper[m] ^ completed", "upper[m]"}, 5},
		{"nodes of a tree change that did not select", []string{"hc_tree_arbiter"}, []string{"if (reached[m] & some[m])", "if (some[m])"}, 5},
		{"a tree begins anew when nothing asks", []string{"hc_tree_arbiter"}, []string{"if (reached[m] & some[m])", "if (reached[m])"}, 5},
		{"it is the turn of an upper half after reset", []string{"hc_tree_arbiter"}, []string{"if (rst) turn_q <= {REQUESTERS - 1{1'b0}}", "if (rst) turn_q <= {REQUESTERS - 1{1'b1}}"}, 3},
		{"who is alone shares a half with links", []string{"hc_tree_arbiter"}, []string{"ALONE != 0 && node == 1 ? LARGEST :", ""}, 5},
		{"a half begins below the lowest number", []string{"hc_tree_arbiter"}, []string{"node - half(node) < ALONE ? ALONE : node - half(node)", "node - 1"}, 5},
		{"windows end a cycle late", []string{"hc_timer"}, []string{"count_q[1] & !count_q[0]", "count_q[1] & count_q[0]"}, 6},
		{"level 0 rises with the second slow window", []string{"hc_congestion"}, []string{"level[1] ? slow & slow_q : doubt_q & !low", "slow & slow_q"}, 11},
		{"level 0 rises with a window of many messages", []string{"hc_congestion"}, []string{"window_ends & few_q & (level", "window_ends & (level"}, 14},
		{"level 0 rises with a silence", []string{"hc_congestion"}, []string{"doubt_q & !low", "doubt_q"}, 14},
		{"a silence is one where outputs are blocked", []string{"hc_congestion"}, []string{"free_q & calm_q", "calm_q"}, 5},
		{"few messages past what stands still are stuck", []string{"hc_congestion"}, []string{"stuck = sparse_q", "stuck = few_q"}, 9},
		{"balances are filled past a slow receiver", []string{"hc_injection_gate"}, []string{"window_ends & armed_q & !stuck", "window_ends & armed_q"}, 11},
		{"balances seem to be filled after reset", []string{"hc_injection_gate"}, []string{"rests_q     <= 1'b0", "rests_q     <= 1'b1"}, 3},
		{"a filled balance forgets what it has", []string{"hc_injection_gate"}, []string{"quota} | (sum", "quota} & (sum"}, 11},
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
				p.instances("hc_queue", 2)
			}
			p.compile(faultParameters[c.sources[0]]...)
			text, ok := p.smtbmc("-t", strconv.Itoa(c.steps))
			assert.False(t, ok, text)
		})
	}
}

// What takes more cycles after reset than can be searched is found by the induction.
func TestInductionFindsWhatTakesLong(t *testing.T) {
	for _, c := range []struct {
		name   string
		module string
		faults []string
	}{
		{"level 2 falls with as few messages as level 1", "hc_congestion", []string{"&heard_q[MANY-1:MANY-2] & !level[2]", "&heard_q[MANY-1:MANY-2]"}},
		{"level 1 falls with no fewer messages than level 2", "hc_congestion", []string{"| &heard_q[MANY-1:MANY-2] & !level[2]", ""}},
		{"level 1 falls with too few messages", "hc_congestion", []string{"&heard_q[MANY-1:MANY-2]", "heard_q[MANY-1]"}},
		{"a frame ends right after balances are filled", "hc_injection_gate", []string{"low & !rests_q", "low & !armed_q"}},
		{"levels above 0 rise with the first slow window", "hc_congestion", []string{"level[1] ? slow & slow_q", "level[1] ? slow"}},
		{"what was slow above level 0 raises it", "hc_congestion", []string{"slow & slow_q & !level[1]", "slow & slow_q"}},
		{"quotas begin anew after the first long frame", "hc_injection_gate", []string{"arms & late_q[0])", "arms & (late_q[0] | long_enough))"}},
		{"quotas begin anew after the second long frame", "hc_injection_gate", []string{"{long_enough & ~|late_q, late_q[1]}", "{1'b0, long_enough & ~|late_q}"}},
		{"quotas never begin anew", "hc_injection_gate", []string{"long_enough & ~|late_q", "1'b0"}},
		{"a late frame makes the next ones late", "hc_injection_gate", []string{"long_enough & ~|late_q", "long_enough"}},
		{"few are as many in windows of all lengths", "hc_congestion", []string{"below(heard, span);", "~|heard[MANY:FEW];"}},
		{"next to none is as few", "hc_congestion", []string{"below(heard, span >> 2)", "below(heard, span)"}},
		{"a quarter of a window is not stuck", "hc_congestion", []string{"~(span >> 1)", "~(span >> 2)"}},
		{"windows of level 1 are as short as those of level 0", "hc_timer", []string{"~(window | {4{level[1]}})", "~window"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := prove(t, []string{c.module}, c.faults...)
			p.compile(faultParameters[c.module]...)
			text, ok := p.smtbmc("-i", "-t", "2")
			assert.False(t, ok, text)
		})
	}
}
