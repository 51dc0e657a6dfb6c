// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// proofTools are what make prove needs.
var proofTools = []string{"yosys", "yosys-smtbmc", "z3"}

// whole is the attribute of reductions whose words are not cut into chunks.
const whole = "chunk_bits = 32\n"

// provable are networks that are proved whole.
var provable = []network{
	{rings{"3, 1"}, "all-gather", ""},
	{rings{"4, 2"}, "total-exchange", ""},
	{rings{"3, 1"}, "broadcast", "root = [1]\n"},
	{rings{"2, 1", "3, 1"}, "scatter", "root = [1, 1]\n"},
	{rings{"2, 1", "3, 1"}, "gather", "root = [1, 1]\n"},
	{rings{"2, 1", "3, 1"}, "reduce-scatter", "operator = \"add\"\n" + whole},
	{rings{"5, 1"}, "reduce-scatter", "operator_module = \"test_operator\"\noperator_latency = 2\n"},
	{rings{"3, 1"}, "all-reduce", "operator = \"min\"\n" + whole},
	{rings{"2, 1", "3, 1"}, "reduce-scatter", "operator = \"signed_max\"\n" + whole},
	{rings{"2, 1"}, "all-reduce", whole},
	{rings{"4, 1", "2, 1"}, oneWord, "operator = \"and\"\n" + whole},
	{rings{"4, 1", "4, 1"}, oneWord, whole},
	{rings{"3, 1"}, oneWord, "operator_module = \"test_operator\"\noperator_latency = 3\n"},
	{rings{"3, 1, 1"}, "all-gather", ""},
	{rings{"2, 1, 2", "3, 1"}, "reduce-scatter", whole},
	{rings{"4, 1, 3"}, oneWord, "operator_module = \"test_operator\"\noperator_latency = 2\n"},
	{rings{"3, 1, 1", "2, 1"}, oneWord, "operator_module = \"test_operator\"\noperator_latency = 1\npipelined = true\n"},
	{rings{"3, 1"}, "all-reduce", "operator_module = \"test_operator\"\noperator_latency = 2\npipelined = true\n"},
	{rings{"2, 1", "2, 1, 2"}, "scatter", "root = [1, 1]\n"},
	{rings{"2, 1", "3, 1"}, "reduce-scatter", "chunk_bits = 5\n"},
	{rings{"2, 1"}, "reduce-scatter", "operator = \"or\"\nchunk_bits = 1\n"}, // three operations are under way
	{rings{"3, 1"}, "all-reduce", "operator = \"signed_min\"\nchunk_bits = 16\n"},
	{rings{"4, 1", "2, 1"}, oneWord, "operator = \"max\"\nchunk_bits = 4\n"},
	{rings{"3, 1, 1"}, "all-reduce", "operator = \"xor\"\nchunk_bits = 8\n"},
}

func (n network) name() string {
	return n.operation + " on " + strings.Join(n.rings, "; ") + ", " + strings.ReplaceAll(n.attributes, "\n", ", ")
}

// The networks do what their operations are defined to do, for all words.
func TestNetworksAreProved(t *testing.T) {
	for i, n := range provable {
		t.Run(n.name(), func(t *testing.T) {
			if i > 1 {
				needs.Time(t)
			}
			needs.Tools(t, proofTools...)
			_, out := n.generate(t)
			assert.Contains(t, harness.Make(t.Context(), t, out, "prove"), "PASS: m__net_network: all is proved")
		})
	}
}

// provableByNode are networks whose nodes are proved, and followed through the network.
var provableByNode = []network{
	{rings{"4, 1", "4, 1"}, "total-exchange", ""},
	{rings{"3, 1", "2, 1"}, "all-gather", ""},
	{rings{"4, 1", "2, 1"}, "broadcast", "root = [1, 1]\n"},
	{rings{"3, 1"}, "scatter", "root = [1]\n"},
	{rings{"2, 1", "3, 1"}, "gather", "root = [1, 1]\n"},
	{rings{"6, 1"}, "total-exchange", ""},
	{rings{"4, 1", "3, 1"}, "reduce-scatter", "operator = \"min\"\n" + whole},
	{rings{"4, 1", "3, 1"}, "reduce-scatter", "operator = \"signed_min\"\n" + whole},
	{rings{"5, 1"}, "reduce-scatter", "operator_module = \"test_operator\"\noperator_latency = 2\n"},
	{rings{"3, 1", "3, 1"}, "all-reduce", whole},
	{rings{"4, 1", "2, 1"}, oneWord, whole},
	{rings{"5, 2"}, oneWord, "operator_module = \"test_operator\"\noperator_latency = 3\n"},
	{rings{"4, 1", "4, 1"}, oneWord, "operator_module = \"test_operator\"\noperator_latency = 1\npipelined = true\n"},
	{rings{"3, 1, 1", "4, 2", "2, 1, 2"}, "reduce-scatter", "operator_module = \"test_operator\"\noperator_latency = 2\npipelined = true\n"},
	{rings{"8, 1", "8, 1"}, "total-exchange", ""},
	{rings{"2, 1", "2, 1", "2, 1", "2, 1"}, "total-exchange", ""},
	{rings{"5, 1", "5, 1", "5, 1"}, "all-gather", ""},
	{rings{"5, 1", "5, 1", "5, 1"}, "total-exchange", ""},
	{rings{"4, 1, 1", "4, 1, 3"}, "total-exchange", ""},
	{rings{"8, 1, 2"}, "all-gather", ""},
	{rings{"2, 1, 1", "3, 1"}, "broadcast", "root = [1, 1]\n"},
	{rings{"5, 2, 1", "2, 1, 3"}, oneWord, "operator_module = \"test_operator\"\noperator_latency = 3\n"},
	{rings{"5, 1, 9"}, "reduce-scatter", "operator_module = \"test_operator\"\noperator_latency = 2\n"},
	{rings{"2, 1, 1", "2, 1", "2, 1, 4", "2, 1"}, "all-reduce", whole},
	{rings{"2, 1"}, "reduce-scatter", "operator = \"or\"\nchunk_bits = 1\n"},
	{rings{"3, 1", "3, 1"}, "all-reduce", "chunk_bits = 8\n"},
	{rings{"4, 1", "2, 1"}, oneWord, "operator = \"signed_max\"\nchunk_bits = 5\n"},
	{rings{"4, 1", "3, 1"}, "reduce-scatter", "operator = \"min\"\nchunk_bits = 16\n"},
	{rings{"4, 1", "4, 1"}, "all-reduce", "operator = \"and\"\nchunk_bits = 4\n"},
	{rings{"2, 1, 1", "2, 1", "2, 1, 4", "2, 1"}, "all-reduce", "operator = \"max\"\nchunk_bits = 8\n"},
}

// The proof by node holds for machines of any size.
func TestNetworksAreProvedByNode(t *testing.T) {
	for i, n := range provableByNode {
		t.Run(n.name(), func(t *testing.T) {
			if i > 2 { // the first two have one class of nodes, and the third has several
				needs.Time(t)
			}
			needs.Tools(t, proofTools...)
			_, out := n.generate(t)
			said := harness.Make(t.Context(), t, out, "prove", "PROVE_BY=nodes")
			assert.Contains(t, said, "behaviour  proved, for runs of any length (induction)")
			assert.Contains(t, said, "PASS: m__net_nodes: all is proved")
		})
	}
}

// provableSeveral are networks of several operations: with numbers that no operation has, results of all operations, of some or of none, a
// latency, links with registers, and chunks.
var provableSeveral = []network{
	{rings{"3, 1"}, "all-gather, reduce-scatter", whole},
	{rings{"2, 1", "2, 1"}, "total-exchange, all-reduce, broadcast", "root = [1, 1]\n" + whole},
	{rings{"4, 1", "4, 1"}, "all-gather, reduce-scatter", whole},
	{rings{"4, 1"}, "reduce-scatter, all-reduce", whole},
	{rings{"4, 1"}, copies, "root = [1]\n"},
	{rings{"3, 1"}, oneWord + ", broadcast", "root = [2]\n" + whole},
	{rings{"3, 1", "2, 1"}, every, "root = [1, 1]\n" + whole},
	{rings{"5, 1"}, everyOne, "root = [1]\noperator = \"and\"\n" + whole},
	{rings{"6, 1"}, "gather, all-gather, total-exchange, reduce-scatter, all-reduce", "root = [0]\n" + whole},
	{rings{"4, 1", "2, 1"}, oneWord + ", total-exchange, reduce-scatter", module(3)},
	{rings{"4, 1"}, "all-gather, reduce-scatter, all-reduce", module(2)},
	{rings{"5, 1"}, "all-reduce, reduce-scatter", module(0)},
	{rings{"2, 1, 1", "3, 1, 2"}, "all-gather, reduce-scatter, gather", "root = [1, 1]\n" + whole},
	{rings{"3, 1, 1"}, "reduce-scatter, broadcast, all-reduce", "root = [1]\n" + module(2)},
	{rings{"2, 1"}, "reduce-scatter, all-gather", "chunk_bits = 4\n"}, // the chunks of a word are more than an operation has cycles
	{rings{"3, 1"}, "all-gather, reduce-scatter, all-reduce", "chunk_bits = 8\n"},
	{rings{"4, 1"}, oneWord + ", broadcast", "root = [1]\noperator = \"signed_min\"\nchunk_bits = 4\n"},
	{rings{"3, 1, 2"}, "reduce-scatter, all-gather, broadcast", "root = [1]\noperator = \"max\"\nchunk_bits = 8\n"},
	{rings{"4, 1"}, "all-gather, reduce-scatter, all-reduce", "payload_bits = 1\n"},
	{rings{"4, 1"}, "all-gather, reduce-scatter, all-reduce", "payload_bits = 33\nchunk_bits = 8\n"},
	{rings{"8, 1", "8, 1"}, "total-exchange, all-gather, all-reduce", whole}, // no cover reaches the end of the first
}

// Networks of several operations have the proof by node alone.
func TestNetworksOfSeveralOperationsAreProved(t *testing.T) {
	for i, n := range provableSeveral {
		t.Run(n.name(), func(t *testing.T) {
			if i > 1 {
				needs.Time(t)
			}
			needs.Tools(t, proofTools...)
			_, out := n.generate(t)
			said := harness.Make(t.Context(), t, out, "prove")
			assert.Contains(t, said, "results, which are those of the operations\n")
			assert.Contains(t, said, "behaviour  proved, for runs of any length (induction)")
			assert.Contains(t, said, "PASS: m__net_nodes: all is proved")
		})
	}
}

// make prove says that there is no other proof of them.
func TestNetworksOfSeveralOperationsHaveNoProofAsAWhole(t *testing.T) {
	_, out := provableSeveral[0].generate(t)
	assert.NoFileExists(t, filepath.Join(out, "formal/m__net_network.sby"))
	assert.NoFileExists(t, filepath.Join(out, "formal/m__net_network_proof.v"))
	said, err := exec.CommandContext(t.Context(), "make", "-C", out, "--no-print-directory", "prove", "PROVE_BY=network").CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(said), "error: m__net_network carries out several operations, so it has no proof of the network as a whole\nhint: PROVE_BY=nodes proves its nodes")
}

// make prove proves small networks whole, and others by node.
func TestSizeChoosesTheProof(t *testing.T) {
	for _, c := range []struct {
		by string
		network
	}{
		{"network", network{rings{"4, 1", "4, 1"}, "all-gather", ""}},
		{"nodes", network{rings{"8, 1", "8, 1"}, "all-gather", ""}},
		{"network", network{rings{"4, 1", "4, 1"}, "reduce-scatter", whole}},
		{"nodes", network{rings{"4, 1", "4, 1"}, "reduce-scatter", "chunk_bits = 8\n"}},
		{"nodes", provableSeveral[0]},
	} {
		_, out := c.generate(t)
		recipe, err := exec.CommandContext(t.Context(), "make", "-n", "-C", out, "prove").CombinedOutput()
		require.NoError(t, err, string(recipe))
		assert.Contains(t, string(recipe), "formal/m__net_'"+c.by+"'.sby")
	}
}

// selection finds what a port selects in a step.
func selection(step int) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`(// step %d\n(?: .* <= .*;\n)*? *port0_select +<= )(\w+;)`, step))
}

// chunks is a network whose words have four chunks, and chosen one whose highest chunk is first.
var (
	chunks = network{rings{"3, 1"}, "all-reduce", "chunk_bits = 8\n"}
	chosen = network{rings{"3, 1"}, "reduce-scatter", "operator = \"max\"\nchunk_bits = 8\n"}
)

// replaced changes a text in one place.
func replaced(from, to string) func(string) string {
	return func(text string) string { return strings.Replace(harness.Unaligned(text, from), from, to, 1) }
}

// A selection, a request, a link or a deadline that is changed by hand is found.
func TestProofFindsChangedNetworks(t *testing.T) {
	gather := network{rings{"2, 1", "3, 1"}, "all-gather", ""}
	scatter := network{rings{"2, 1", "3, 1"}, "reduce-scatter", whole}
	far := network{rings{"2, 1, 1", "3, 1, 2"}, "all-gather", ""}
	for name, c := range map[string]struct {
		network
		file   string
		change func(text string) string
	}{
		"a register too many on the way": {far, "m__net_network.v", func(text string) string {
			return strings.Replace(text, ".CYCLES(2)", ".CYCLES(3)", 1)
		}},
		"words that leave the nodes a cycle early": {far, "m__net_node.v", early},
		"a selection": {gather, "m__net_node.v", func(text string) string {
			return selection(2).ReplaceAllString(text, "${1}1'b1 ^ $2")
		}},
		"the index of a delivery": {gather, "m__net_node.v", func(text string) string {
			return strings.Replace(text, "delivery0_index <= ", "delivery0_index <= 1'b1 ^ ", 1)
		}},
		"a link": {gather, "m__net_network.v", func(text string) string {
			return strings.Replace(text, "link_out[3*WIDTH+:WIDTH]", "link_out[4*WIDTH+:WIDTH]", 1)
		}},
		"a period": {gather, "m__net_node.v", func(text string) string {
			return regexp.MustCompile(`\.PERIOD\((\d+)\)`).ReplaceAllString(text, ".PERIOD(${1}+1)")
		}},
		"a word that is never awaited": {gather, "m__net_node.v", func(text string) string {
			return strings.Replace(harness.Unaligned(text, ".valid({"), ".valid({", ".valid(~{", 1)
		}},
		"a register that keeps its word": {scatter, "m__net_node.v", func(text string) string {
			return strings.Replace(harness.Unaligned(text, ".load(register0_load)"), ".load(register0_load)", ".load(1'b0)", 1)
		}},
		"a sum without a term": {scatter, "m__net_node.v", func(text string) string {
			return strings.Replace(harness.Unaligned(text, ".b("), ".b(", ".b({WIDTH{1'b0}} & ", 1)
		}},
		"a sum that counts a term twice": {scatter, "m__net_node.v", func(text string) string {
			return regexp.MustCompile(`\.a\(([^\n]*)\),\n        \.b\([^\n]*\),`).ReplaceAllString(harness.Unaligned(text, ".b("), ".a($1),\n        .b($1),")
		}},
		"a network that is done with the first chunks": {chunks, "m__net_node.v", replaced(".CYCLES(SKEW)", ".CYCLES(SKEW - 1)")},
		"words that enter in the wrong order":          {chosen, "m__net_node.v", replaced(".TOP_FIRST(1)", ".TOP_FIRST(0)")},
		"an operator that chooses the smaller word":    {chosen, "m__net_node.v", replaced(".LARGER(1)", ".LARGER(0)")},
	} {
		t.Run(name, func(t *testing.T) {
			needs.Time(t)
			needs.Tools(t, proofTools...)
			_, out := c.generate(t)
			file := filepath.Join(out, "rtl", c.file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			changed := c.change(string(text))
			require.NotEqual(t, string(text), changed)
			require.NoError(t, os.WriteFile(file, []byte(changed), 0o644))
			message, err := exec.Command("make", "-C", out, "--no-print-directory", "prove").CombinedOutput()
			require.Error(t, err, string(message))
			assert.Contains(t, string(message), "FAIL: m__net_network")
			assert.Contains(t, string(message), "waves: build/prove-net/failure.vcd", "an assertion fails")
		})
	}
}

// early makes the words of step 2 leave a node a cycle earlier.
func early(text string) string {
	return regexp.MustCompile(`(\d+'d)3(: step_sends <= 1'b1;)`).ReplaceAllString(text, "${1}2${2}")
}

// What is changed by hand in a node, in the network or in the table is found by node, too.
func TestProofByNodeFindsChanges(t *testing.T) {
	exchange := network{rings{"4, 1", "2, 1"}, "total-exchange", ""}
	scatter := network{rings{"2, 1", "3, 1"}, "reduce-scatter", whole}
	far := network{rings{"2, 1, 1", "3, 1, 2"}, "all-gather", ""}
	two := network{rings{"4, 1"}, "reduce-scatter, all-gather", whole}
	results := network{rings{"4, 1"}, "reduce-scatter, all-reduce", whole}
	three := provableSeveral[1]
	for name, c := range map[string]struct {
		network
		file   string
		change func(text string) string
		says   string
	}{
		"a selection": {exchange, "rtl/m__net_node.v", func(text string) string {
			return selection(2).ReplaceAllString(text, "${1}1'b1 ^ $2")
		}, "waves: build/prove-net/failure.vcd"},
		"a selection of the last step": {exchange, "rtl/m__net_node.v", func(text string) string {
			return selection(4).ReplaceAllString(text, "${1}1'b1 ^ $2")
		}, "waves: build/prove-net/failure.vcd"},
		"a request":                        {exchange, "rtl/m__net_node.v", replaced("assign s_request = request;", "assign s_request = request ^ 1'b1;"), "waves:"},
		"a word that is never awaited":     {exchange, "rtl/m__net_node.v", replaced(".valid({", ".valid(~{"), "waves:"},
		"a sum without a term":             {scatter, "rtl/m__net_node.v", replaced(".b(", ".b({WIDTH{1'b0}} & "), "waves:"},
		"a register that keeps its word":   {scatter, "rtl/m__net_node.v", replaced(".load(register0_load)", ".load(1'b0)"), "waves:"},
		"a link":                           {exchange, "rtl/m__net_network.v", replaced("link_out[3*WIDTH+:WIDTH]", "link_out[4*WIDTH+:WIDTH]"), "expected the word from node"},
		"half of a link":                   {exchange, "rtl/m__net_network.v", replaced("link_out[3*WIDTH+:WIDTH]", "{link_out[4*WIDTH+:WIDTH/2], link_out[3*WIDTH+:WIDTH/2]}"), ": expected link_out["},
		"a delivery of another node":       {exchange, "rtl/m__net_network.v", replaced(".m_valid(m_valid[5:3])", ".m_valid(m_valid[2:0])"), "is also driven by"},
		"a word of another node":           {exchange, "rtl/m__net_network.v", replaced(".s_valid(s_valid[5:3])", ".s_valid(s_valid[2:0])"), "s_valid[0] of node 1: expected s_valid[3] of the network, found s_valid[0] of the network"},
		"a node that starts alone":         {exchange, "rtl/m__net_network.v", replaced(".start(start)", ".start(rst)"), "start[0] of node 0: expected start[0] of the network, found rst[0] of the network"},
		"words that leave the nodes early": {far, "rtl/m__net_node.v", early, "waves:"},
		"a register too many on the way":   {far, "rtl/m__net_network.v", replaced(".CYCLES(2)", ".CYCLES(3)"), "link_in[32] of node 0: expected 2 registers on the way, found none, or another number"},
		"a register too few on the way":    {far, "rtl/m__net_network.v", replaced(".CYCLES(2)", ".CYCLES(1)"), "link_in[32] of node 0: expected 2 registers on the way, found 1"},
		"registers of another lane":        {far, "rtl/m__net_network.v", replaced("lane1_word, ", "lane2_word, "), "expected lane1_link.late[0] of the network, found lane2_link.late[0] of the network"},
		"registers with a reset":           {far, "rtl/m__net_network.v", replaced(".rst(1'b0)", ".rst(rst)"), "expected constant 0, found rst[0] of the network"},
		"registers on a link of wires": {exchange, "rtl/m__net_network.v", func(text string) string {
			text = strings.Replace(text, "    assign ready =", "    reg [WIDTH-1:0] seen;\n    always @(posedge clk) seen <= link_out[3*WIDTH+:WIDTH];\n    assign ready =", 1)
			return strings.Replace(text, "link_out[3*WIDTH+:WIDTH]", "seen", 1)
		}, "the network has only nodes"},
		"a node that is done with the first chunks": {chunks, "rtl/m__net_node.v", replaced(".CYCLES(SKEW)", ".CYCLES(SKEW - 1)"), "waves:"},
		"a place that selects with the place below": {chunks, "rtl/m_hc_chunk_mux.v", replaced("selects[PLACE*BITS+:BITS]", "selects[0+:BITS]"), "waves:"},
		"a word that enters a cycle early":          {chunks, "rtl/m_hc_chunk_skew.v", replaced("parts[PLACE*SIZE+:SIZE]", "parts[(PLACE-1)*SIZE+:SIZE]"), "waves:"},
		"a word that leaves in the wrong order":     {chosen, "rtl/m_hc_chunk_straighten.v", replaced("TOP_FIRST != 0 ? 0 : 1", "TOP_FIRST"), "waves:"},
		"a sum of chunks without a term":            {chunks, "rtl/m__net_node.v", replaced(".b(", ".b({WIDTH{1'b0}} & "), "waves:"},
		"another operator":                          {chosen, "rtl/m__net_node.v", replaced(".LARGER(1)", ".LARGER(0)"), "waves:"},
		"a node with larger chunks":                 {chunks, "rtl/m__net_network.v", replaced(".CHUNK(CHUNK)", ".CHUNK(2*CHUNK)"), "all nodes have words of 32 bits in chunks of 8"},
		"a word of another lane that is delivered":  {chunks, "rtl/m__net_network.v", replaced(".m_data(m_data[2*WIDTH+:2*WIDTH])", ".m_data({m_data[2*WIDTH+:WIDTH], m_data[3*WIDTH+:WIDTH]})"), "expected m_data[0] of node 1, found m_data[32] of node 1"},
		"a selection of the second operation": {two, "rtl/m__net_node.v", replaced("PORT1_LINK_IN0;\n            end\n            default",
			"PORT1_S_DATA1;\n            end\n            default"), "waves:"},
		"a cycle of another operation":      {two, "rtl/m__net_node.v", replaced("3'd3: begin  // all-gather, step 1", "3'd2: begin  // all-gather, step 1"), "waves:"},
		"requests of the step that ends":    {two, "rtl/m__net_node.v", replaced("always @* begin\n        case (at)", "always @* begin\n        case (count)"), "waves:"},
		"deliveries of another operation":   {two, "rtl/m__net_node.v", replaced("3'd4: begin  // all-gather, step 1\n                delivery ", "3'd1: begin  // all-gather, step 1\n                delivery "), "waves:"},
		"own words of another operation":    {two, "rtl/m__net_node.v", replaced("own_starts = start & at == 3'd0", "own_starts = start & ready"), "waves:"},
		"own results of all operations":     {two, "rtl/m__net_node.v", replaced("assign m_own_valid = result;", "assign m_own_valid = done;"), "waves:"},
		"a result of the next operation":    {results, "rtl/m__net_node.v", replaced("result_select;\n    always @(posedge clk) begin\n        case (count)", "result_select;\n    always @(posedge clk) begin\n        case (at)"), "waves:"},
		"a number that no operation has":    {three, "rtl/m_hc_operation_counter.v", replaced("first  = FIRST[(OPERATIONS-1)*BITS+:BITS]", "first  = FIRST[0+:BITS]"), "waves:"},
		"a period of another operation":     {two, "rtl/m__net_node.v", replaced("3'd5, 3'd2", "3'd6, 3'd2"), "waves:"},
		"a node that starts something else": {two, "rtl/m__net_network.v", replaced(".operation(operation)", ".operation(start)"), "operation[0] of node 0: expected operation[0] of the network, found start[0] of the network"},
		"a link of two operations":          {two, "rtl/m__net_network.v", replaced("link_out[3*WIDTH+:WIDTH]", "link_out[4*WIDTH+:WIDTH]"), "FAIL: m__net_nodes: reduce-scatter: step 3: node 0 combines words for"},
		"a number in the table":             {two, "formal/m__net_table.vh", replaced("`OPERATION(1, 3)", "`OPERATION(1, 4)"), "FAIL: m__net_nodes: reduce-scatter: step 3: node 0 requests index 0"},
		"an index in the table":             {exchange, "formal/m__net_table.vh", replaced("`REQUEST(0, 1, 0, ", "`REQUEST(0, 1, 0, 1 + "), "expected the word from node"},
	} {
		t.Run(name, func(t *testing.T) {
			needs.Time(t)
			needs.Tools(t, proofTools...)
			_, out := c.generate(t)
			file := filepath.Join(out, c.file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			changed := c.change(string(text))
			require.NotEqual(t, string(text), changed)
			require.NoError(t, os.WriteFile(file, []byte(changed), 0o644))
			message, err := exec.CommandContext(t.Context(), "make", "-C", out, "--no-print-directory", "prove", "PROVE_BY=nodes").CombinedOutput()
			require.Error(t, err, string(message))
			assert.Contains(t, string(message), "FAIL: m__net_nodes")
			assert.Contains(t, string(message), c.says)
		})
	}
}

// follower generates a network, and follows its words: as the table has them, and as a changed table has them.
func follower(t *testing.T, n network) (table string, follow func(table string) (string, error)) {
	t.Helper()
	needs.Tools(t, "yosys")
	_, out := n.generate(t)
	text, err := os.ReadFile(filepath.Join(out, "formal/m__net_table.vh"))
	require.NoError(t, err)
	script := `sed -n '/^\[script\]/,/^design -reset/p' formal/m__net_nodes.sby | sed '1d' >follow.ys; cp rtl/* formal/* .; yosys follow.ys`
	return string(text), func(table string) (string, error) {
		require.NoError(t, os.WriteFile(filepath.Join(out, "formal/m__net_table.vh"), []byte(table), 0o644))
		command := exec.CommandContext(t.Context(), "sh", "-c", script)
		command.Dir = out
		said, err := command.CombinedOutput()
		return string(said), err
	}
}

// A table and nodes that agree on another operation are found where words are followed.
func TestFollowedWordsAreThoseOfTheOperation(t *testing.T) {
	table, follow := follower(t, network{rings{"4, 1", "2, 1"}, "total-exchange", ""})
	said, err := follow(table)
	require.NoError(t, err, said)
	assert.Regexp(t, `claim: words      the \d+ connections take the words of the table to 56 results, which are those of the operation\n`, said)
	deliver := regexp.MustCompile("`DELIVER\\((.*), (\\d+)\\)\n")
	send := regexp.MustCompile("`SEND\\(0, 2, 0, (.*)\\)\n")
	for says, change := range map[string]func(string) string{
		"delivers 6 words, not 7": func(s string) string { return strings.Replace(s, deliver.FindString(s), "", 1) },
		"expected the word from node": func(s string) string {
			at := deliver.FindAllStringSubmatchIndex(s, 2) // the indices of two deliveries are exchanged
			first, second := s[at[0][4]:at[0][5]], s[at[1][4]:at[1][5]]
			return s[:at[0][4]] + second + s[at[0][5]:at[1][4]] + first + s[at[1][5]:]
		},
		"the table has two rows":         func(s string) string { return s + deliver.FindString(s) },
		"there is no table":              func(string) string { return "" },
		"reads a word that is not there": func(s string) string { return send.ReplaceAllString(s, "`SEND(0, 2, 0, `HELD(0, 0))\n") },
		"delivers index 0":               func(s string) string { return deliver.ReplaceAllString(s, "`DELIVER($1, 0)\n") },
		"combines words for": func(s string) string {
			return regexp.MustCompile("`SEND\\(0, 1, 0, `WORD\\(0, 0\\)\\)").ReplaceAllString(s, "`SEND(0, 1, 0, `SUM(`WORD(0, 0), `OWN(0)))")
		},
		"requests index 0": func(s string) string {
			return regexp.MustCompile("`REQUEST\\(0, 1, 0, \\d+").ReplaceAllString(s, "`REQUEST(0, 1, 0, 0")
		},
	} {
		said, err := follow(change(table))
		assert.Error(t, err, says)
		assert.Contains(t, said, says)
	}
}

// Each of several operations is followed on its own: it uses no word of another one.
func TestWordsOfEachOperationAreFollowed(t *testing.T) {
	table, follow := follower(t, network{rings{"4, 1"}, "reduce-scatter, all-gather, broadcast", "root = [1]\n" + whole})
	said, err := follow(table)
	require.NoError(t, err, said)
	assert.Regexp(t, `claim: words      the \d+ connections take the words of the table to 19 results, which are those of the operations\n`, said)
	for says, change := range map[string]func(string) string{
		"all-gather: step 3: node 0 reads a word that is not there": replaced("`SEND(0, 3, 0, `WORD(0, 0))", "`SEND(0, 3, 0, `HELD(0, 0))"),
		"all-gather: step 3: node 1 reads a word that is not there": replaced("`SEND(1, 3, 1, `WORD(1, 1))", "`SEND(1, 3, 1, `LANE(1, 0))"),
		"all-gather: node 0 delivers 2 words, not 3":                replaced("`DELIVER(0, 4, 0, 2)", ""),
		"broadcast: step 5: node 1 reads a word that is not there":  replaced("`SEND(1, 5, 0, `OWN(1))", "`SEND(1, 5, 0, `WORD(1, 0))"),
		"broadcast: node 0 delivers 0 words, not 1":                 replaced("`DELIVER(0, 5, 0, 1)", ""),
		"reduce-scatter: the table has no result of class 0":        replaced("`RESULT(0, 0, ", "`RESULT(0, 1, "),
		"all-gather: the table has a result of class 0":             replaced("`RESULT(1, 0, ", "`RESULT(0, 1, `HELD(0, 0))\n`RESULT(1, 0, "),
		"the table does not say with which step operation 2 begins": replaced("`OPERATION(2, 5)", ""),
		"the table does not say with which step operation 1 begins": replaced("`OPERATION(1, 3)", "`OPERATION(1, 1)"),
		"all-gather: step 5: node 1 reads a word that is not there": replaced("`OPERATION(2, 5)", "`OPERATION(2, 6)"),
	} {
		said, err := follow(change(table))
		assert.Error(t, err, says)
		assert.Contains(t, said, says)
	}
}
