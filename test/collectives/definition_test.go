// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
)

var machines = []rings{{"4, 1", "4, 1"}, {"2, 1"}, {"3, 1"}, {"4, 2"}, {"5, 1", "3, 1"}, {"2, 1", "2, 1", "2, 1", "2, 1"},
	{"4, 1, 1", "4, 1, 3"}, {"8, 1, 2"}, {"2, 1, 2"}, {"3, 1, 1"}, {"4, 1, 3", "2, 1"}, {"2, 1, 1", "2, 1", "2, 1, 4", "2, 1"}}

// Every network requests, delivers and combines what the operation is defined to, in the cycles of the contract.
// Payloads, operators and latencies change from network to network. A short run has one operation of each kind on a ring of three nodes.
func TestNetworksDoWhatTheirOperationIsDefinedToDo(t *testing.T) {
	count := 0
	for _, r := range machines {
		for _, operation := range operations {
			n := network{rings: r, operation: operation, attributes: fmt.Sprintf("payload_bits = %d\n", []int{8, 1, 33}[count%3])}
			variants := []string{""}
			switch {
			case reduces(operation):
				operator := machine.Operators[count%len(machine.Operators)]
				variants = []string{
					fmt.Sprintf("operator = %q\n", operator),
					module([]int{0, 3}[count/2%2]),
				}
			case operation == "broadcast" || operation == "scatter" || operation == "gather":
				variants = []string{fmt.Sprintf("root = [%s]\n", strings.Join(strings.Split(strings.Repeat("1", len(r)), ""), ", "))}
			}
			for _, v := range variants {
				one := n
				one.attributes += v
				count++
				t.Run(fmt.Sprintf("%s on %s, %s", operation, strings.Join(r, "; "), strings.ReplaceAll(one.attributes, "\n", ", ")), func(t *testing.T) {
					if len(r) > 1 || r[0] != "3, 1" || !slices.Contains([]string{"gather", "total-exchange", "reduce-scatter"}, operation) {
						needs.Time(t)
					}
					c, out := one.generate(t)
					text, err := simulate(t, one, c, out, c.NetworkModule, "definition.cpp")
					require.NoError(t, err, text)
					t.Log(text)
				})
			}
		}
	}
}

// Networks in chunks do so, too, with results that are on their way for fewer cycles than the period, and for many more.
// Machines, operations and forms of words meet each operator in turn. A short run has two networks on rings of three nodes.
func TestNetworksInChunksDoWhatTheirOperationIsDefinedToDo(t *testing.T) {
	small := []rings{{"3, 1"}, {"4, 1"}, {"5, 1, 2"}, {"2, 1", "2, 1, 3"}}
	for i, operator := range machine.Operators {
		for j, form := range []struct {
			bits, chunk int
			machines    []rings
		}{{33, 8, small}, {7, 3, machines}, {33, 1, machines}, {7, 7, small}, {33, 32, machines}, {512, 100, small}, {1, 1, small}, {512, 64, small}, {40, 5, machines}} {
			n := network{
				rings:      form.machines[(i+j)%len(form.machines)],
				operation:  operations[len(operations)-1-(i+j)%3],
				attributes: fmt.Sprintf("operator = %q\npayload_bits = %d\nchunk_bits = %d\n", operator, form.bits, form.chunk),
			}
			t.Run(fmt.Sprintf("%s on %s, %s", n.operation, strings.Join(n.rings, "; "), strings.ReplaceAll(n.attributes, "\n", ", ")), func(t *testing.T) {
				if j > 0 || i%4 > 0 {
					needs.Time(t)
				}
				c, out := n.generate(t)
				require.Equal(t, (form.bits-1)/form.chunk, c.Skew)
				text, err := simulate(t, n, c, out, c.NetworkModule, "definition.cpp")
				require.NoError(t, err, text)
				t.Log(text)
			})
		}
	}
}

// pipelined are networks whose operations take turns, those on rings of two nodes with an operation in every cycle. The links of some have
// registers, of some as many in all dimensions, and of some more in one.
var pipelined = []struct {
	rings
	operation string
	latency   int
}{
	{rings{"3, 1"}, "all-reduce", 2}, {rings{"2, 1"}, "reduce-scatter", 1}, {rings{"4, 1", "4, 1"}, oneWord, 5},
	{rings{"4, 1, 1", "4, 1, 3"}, "all-reduce", 2}, {rings{"2, 1", "3, 1", "2, 1"}, "reduce-scatter", 2}, {rings{"4, 1, 2"}, oneWord, 1},
	{rings{"2, 1, 1"}, oneWord, 2}, {rings{"4, 1", "4, 1"}, "reduce-scatter", 1}, {rings{"5, 2"}, "all-reduce", 5},
	{rings{"2, 1", "3, 1", "2, 1"}, "all-reduce", 1}, {rings{"5, 1, 2", "3, 1"}, "reduce-scatter", 5}, {rings{"3, 1", "4, 1", "2, 1, 1"}, oneWord, 2},
	{rings{"2, 1"}, "all-reduce", 5}, {rings{"8, 1"}, "all-reduce", 1}, {rings{"4, 1, 3", "2, 1"}, "all-reduce", 1},
}

// Operations that take turns do so, too, each with words of its own. A short run has the first network.
func TestNetworksInTurnsDoWhatTheirOperationIsDefinedToDo(t *testing.T) {
	for i, p := range pipelined {
		n := network{p.rings, p.operation, fmt.Sprintf("payload_bits = %d\n%s", []int{8, 33, 64}[i%3], inTurns(p.latency))}
		t.Run(n.name(), func(t *testing.T) {
			if i > 0 {
				needs.Time(t)
			}
			c, out := n.generate(t)
			text, err := simulate(t, n, c, out, c.NetworkModule, "definition.cpp")
			require.NoError(t, err, text)
			t.Log(text)
		})
	}
}

// copies are the operations that combine no words, and every all of them, with an all-reduce of one word per node or of one word.
var (
	copies   = strings.Join(operations[:5], ", ")
	every    = strings.Join(operations[:7], ", ")
	everyOne = strings.Join(slices.Concat(operations[:6], operations[7:]), ", ")
)

// several are networks of several operations: with numbers that no operation has, on links with registers, with operators that have a
// latency, and with chunks, also more of them than the shortest period has cycles.
var several = []network{
	{rings{"4, 1"}, "all-gather, reduce-scatter", "payload_bits = 8\noperator = \"add\"\n"},
	{rings{"2, 1", "2, 1"}, "all-reduce, broadcast, scatter", "payload_bits = 13\nchunk_bits = 3\noperator = \"max\"\nroot = [1, 0]\n"},
	{rings{"4, 1", "4, 1"}, "all-gather, reduce-scatter", "payload_bits = 32\n"},
	{rings{"4, 1", "4, 1"}, everyOne, "payload_bits = 33\noperator = \"signed_min\"\nchunk_bits = 8\nroot = [2, 1]\n"},
	{rings{"6, 2"}, every, "payload_bits = 1\noperator = \"xor\"\nroot = [5]\n"},
	{rings{"5, 1", "3, 1"}, "reduce-scatter, all-reduce", "payload_bits = 33\noperator = \"add\"\nchunk_bits = 33\n"},
	{rings{"5, 1", "3, 1"}, "total-exchange, " + oneWord + ", gather", "payload_bits = 8\nroot = [1, 1]\n" + module(2)},
	{rings{"2, 1"}, everyOne, "payload_bits = 9\nchunk_bits = 1\nroot = [1]\n"},
	{rings{"2, 1"}, "reduce-scatter, all-gather", "payload_bits = 7\n" + module(0)},
	{rings{"3, 1"}, every, "payload_bits = 8\nroot = [0]\n" + module(3)},
	{rings{"4, 1, 1", "4, 1, 3"}, every, "payload_bits = 8\nchunk_bits = 2\noperator = \"or\"\nroot = [0, 3]\n"},
	{rings{"8, 1, 2"}, oneWord + ", reduce-scatter, all-gather, broadcast", "payload_bits = 16\nroot = [4]\n" + module(1)},
	{rings{"4, 1, 3", "2, 1"}, copies, "payload_bits = 33\nroot = [1, 1]\n"},
	{rings{"2, 1", "2, 1", "2, 1", "2, 1"}, "gather, all-reduce", "payload_bits = 8\noperator = \"signed_max\"\nroot = [1, 1, 1, 1]\n"},
	{rings{"4, 2"}, "broadcast, " + oneWord, "payload_bits = 65\nchunk_bits = 64\noperator = \"min\"\nroot = [2]\n"},
}

// Networks of several operations carry out each of them after each, as if each had a network of its own. A short run has the first two.
func TestNetworksOfSeveralOperationsDoWhatEachIsDefinedToDo(t *testing.T) {
	for i, n := range several {
		t.Run(n.name(), func(t *testing.T) {
			if i > 1 {
				needs.Time(t)
			}
			c, out := n.generate(t)
			require.True(t, c.Several())
			text, err := simulate(t, n, c, out, c.NetworkModule, "definition.cpp")
			require.NoError(t, err, text)
			t.Log(text)
		})
	}
}

// The bench finds what is wrong in a network in chunks: an entry of its table, a carry, the delay of a control at the last place, a
// straightener, and deliveries or results that come a cycle too late.
func TestDefinitionFindsFaultsOfChunks(t *testing.T) {
	needs.Time(t)
	finds(t, network{rings{"4, 1"}, "all-reduce", "operator = \"add\"\npayload_bits = 13\nchunk_bits = 5\n"}, []fault{
		{"a table entry", "m__net_node.v", "port1_select     <= PORT1_LINK_IN0;\n            end\n            default", "port1_select     <= PORT1_S_DATA1_SKEWED;\n            end\n            default", "a wrong word"},
		{"a carry", "m_hc_chunk_add.v", "carry_q <= sum[SIZE];", "carry_q <= sum[SIZE] & k != 1;", "a wrong "},
		{"a delay of a control", "m_hc_chunk_control.v", "later <= controls[(PLACES-1)*BITS-1:0];", "later <= {(PLACES-1){control}};", "a wrong "},
		{"a straightener", "m_hc_chunk_straighten.v", "TOP_FIRST != 0 ? 0 : 1", "TOP_FIRST != 0 ? 1 : 0", "a wrong "},
		{"a late report", "m__net_node.v", ".CYCLES(SKEW)", ".CYCLES(SKEW+1)", "done"},
	})
}

// The bench finds words of one operation in another that has the next turn, an operation that gets the turn of another or none, and
// what a reset or a late word leaves behind.
func TestDefinitionFindsFaultsOfTurns(t *testing.T) {
	needs.Time(t)
	finds(t, network{rings{"4, 1, 1"}, "all-reduce", "payload_bits = 13\n" + inTurns(2)}, []fault{
		{"a word that waits too long", "m__net_node.v", ".CYCLES(2)\n    ) register0_register", ".CYCLES(3)\n    ) register0_register", "a wrong "},
		{"a word that waits too short", "m__net_node.v", ".CYCLES(4)\n    ) port1_copy_waiting", ".CYCLES(3)\n    ) port1_copy_waiting", "a wrong "},
		{"a link", "m__net_network.v", ".CYCLES(1)\n    ) lane2_link", ".CYCLES(2)\n    ) lane2_link", "a wrong "},
		{"a turn that is not given back", "m_hc_step_turns.v", " || last == LAST", "", "ready"},
		{"a turn that is taken", "m_hc_step_turns.v", "last == {BITS{1'b0}} ||", "last < LAST ||", "ready"},
		{"a reset", "m_hc_step_turns.v", "began_q  <= {(TURNS - 1) * BITS{1'b0}};", "", "ready"},
		{"a start that is refused", "m__net_node.v", "start & ready, s_request", "start, s_request", "late"},
	})
}

// The bench finds an operation that does something of another: in an entry of its table, in what its result is made of while the next
// operation begins, in requests while ready is 1, for a number that no operation has, or with own words and results that it does not have.
func TestDefinitionFindsFaultsOfSeveralOperations(t *testing.T) {
	needs.Time(t)
	finds(t, network{rings{"4, 1"}, "all-gather, reduce-scatter, " + oneWord, "operator = \"add\"\npayload_bits = 8\nchunk_bits = 8\n"}, []fault{
		{"a table entry", "m__net_node.v", "PORT0_PORT0_SUM;\n                port1_select     <= PORT1_S_DATA1;",
			"PORT0_PORT0_SUM;\n                port1_select     <= PORT1_LINK_IN0;", "a wrong result"},
		{"a result of the next operation", "m__net_node.v", "sum_term2_select;\n    always @(posedge clk) begin\n        case (count)",
			"sum_term2_select;\n    always @(posedge clk) begin\n        case (at)", "a wrong result"},
		{"requests of the first operation", "m__net_node.v", "always @* begin\n        case (at)",
			"always @* begin\n        case (ready ? 4'd0 : at)", "a request that the operation does not have"},
		{"no requests before a start", "m__net_node.v", "assign s_request = request;",
			"assign s_request = start | !ready ? request : 2'b00;", "other requests of the first step"},
		{"a number that no operation has", "m_hc_operation_counter.v", "first  = FIRST[(OPERATIONS-1)*BITS+:BITS];",
			"first  = FIRST[0+:BITS];", "a request that the operation does not have"},
		{"a start of another operation", "m_hc_operation_counter.v", "second = FIRST[i*BITS+:BITS] + 1'b1;",
			"second = FIRST[(ready&count!=0?0:i)*BITS+:BITS] + 1'b1;", "a delivery that the operation does not have"},
		{"own words of all operations", "m__net_node.v", "start & (at == 4'd3 | at == 4'd6)", "start", "late"},
		{"no own result", "m__net_node.v", "4'd5: result <= 1'b1;", "4'd5: result <= 1'b0;", "m_own_valid"},
		{"own results of all operations", "m__net_node.v", "assign m_own_valid = result;", "assign m_own_valid = result | done;", "m_own_valid"},
	})
}

// fault is a fault in a file of the Verilog, and the beginning of what the bench says.
type fault struct{ name, file, from, to, seen string }

// finds checks that a network is right, and that the bench finds each fault.
func finds(t *testing.T, n network, faults []fault) {
	t.Helper()
	c, out := n.generate(t)
	text, err := simulate(t, n, c, out, c.NetworkModule, "definition.cpp")
	require.NoError(t, err, text)
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			file := filepath.Join(out, "rtl", fault.file)
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			right := string(data)
			require.Equal(t, 1, strings.Count(right, fault.from), "the place of the fault")
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(right, fault.from, fault.to, 1)), 0o644))
			defer func() { require.NoError(t, os.WriteFile(file, data, 0o644)) }()
			text, err := simulate(t, n, c, out, c.NetworkModule, "definition.cpp")
			require.Error(t, err, text)
			assert.Contains(t, text, ": "+fault.seen)
		})
	}
}
