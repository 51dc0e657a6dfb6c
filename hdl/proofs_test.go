// SPDX-License-Identifier: Apache-2.0

package hdl_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

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

// N is the product of the nodes of all dimensions that are counted.
func TestNodeCountIsProved(t *testing.T) {
	p := prove(t, []string{"hc_node_count"})
	p.add("hc_node_count_product.v")
	p.compile()
	p.holds(1)
	p.reaches(14)
}

func TestNodeCountProofFindsFaults(t *testing.T) {
	p := prove(t, []string{"hc_node_count"}, "product_q + others + 1'b1", "product_q + others")
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

// What takes many messages comes soon with many deliveries in a cycle.
func TestInjectionGateReachesWhatTakesMessages(t *testing.T) {
	for _, c := range []struct {
		module, covers string
		steps          int
	}{
		{"hc_injection_gate", "hc_injection_gate_shorter.v", 36},
		{"hc_congestion", "hc_congestion_falls.v", 16},
	} {
		t.Run(c.module, func(t *testing.T) {
			p := prove(t, []string{c.module})
			p.add(c.covers)
			p.compile("-chparam COUNT_BITS 5")
			p.reaches(c.steps)
		})
	}
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
