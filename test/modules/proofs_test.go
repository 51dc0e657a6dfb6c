// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

func ringPort() []string {
	return []string{"hc_ring_port", "hc_arbiter", "hc_select", "hc_ring_mark", "hc_output"}
}

func delivery() []string {
	return []string{"hc_delivery", "hc_tree_arbiter", "hc_output"}
}

func portDelivery() []string { return []string{"hc_port_delivery", "hc_output"} }

func group() []string { return []string{"hc_group", "hc_tree_arbiter"} }

func engine() []string { return []string{"hc_weight_engine", "hc_weight", "hc_node_count"} }

// For every machine that is loaded: if it is legal, the router opens in a bounded number of
// cycles with the specified weights on every port; otherwise it stays closed and reports an
// error.
func TestWeightEngineIsProved(t *testing.T) {
	needs.Time(t)
	p := prove(t, engine())
	p.compile()
	p.holds(2)
}

// The situations of the proof are reachable, within few cycles in a small router.
func TestWeightEngineReachesEveryResult(t *testing.T) {
	needs.Time(t)
	p := prove(t, engine())
	p.compile("-chparam DIMENSIONS 2", "-chparam NODES 6", "-chparam DEGREE 3")
	p.reaches(45)
}

// N is the product of the nodes of all dimensions that are counted.
func TestNodeCountIsProved(t *testing.T) {
	needs.Time(t)
	p := prove(t, []string{"hc_node_count"})
	p.add("hc_node_count_product.v")
	p.compile()
	p.holds(1)
	p.reaches(14)
}

func TestNodeCountProofFindsFaults(t *testing.T) {
	needs.Time(t)
	p := prove(t, []string{"hc_node_count"}, "product_q + others + 1'b1", "product_q + others")
	p.add("hc_node_count_product.v")
	p.compile()
	p.fails(8)
}

func TestBusesAreProved(t *testing.T) {
	needs.Time(t)
	for _, bus := range []string{"hc_wishbone", "hc_axi4lite"} {
		t.Run(bus, func(t *testing.T) {
			p := prove(t, []string{bus})
			p.compile()
			p.holds(4)
			p.reaches(8)
		})
	}
}

// Arbiters of a few requesters; the arbiter of a router has one for each input.
func TestArbiterIsProved(t *testing.T) {
	needs.Time(t)
	for _, requesters := range []string{"2", "3", "5", "8"} {
		t.Run(requesters, func(t *testing.T) {
			p := prove(t, []string{"hc_arbiter"})
			p.compile("-chparam REQUESTERS " + requesters)
			p.holds(2)
			p.reaches(10)
		})
	}
}

// Trees of all shapes: complete trees, trees without numbers at either end, a single requester, and
// halves of one and of many requesters.
func TestTreeArbiterIsProved(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct{ requesters, lowest, alone int }{
		{2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {8, 0, 0}, {3, 5, 0}, {2, 1, 1}, {3, 2, 1}, {4, 1, 1}, {6, 3, 1}, {5, 4, 1},
	} {
		t.Run(fmt.Sprintf("%d from %d, %d alone", c.requesters, c.lowest, c.alone), func(t *testing.T) {
			p := prove(t, []string{"hc_tree_arbiter"})
			p.compile(fmt.Sprintf("-chparam REQUESTERS %d -chparam LOWEST %d -chparam ALONE %d -chparam WORD_BITS 2", c.requesters, c.lowest, c.alone))
			p.holds(2)
			p.reaches(11) // in a complete tree of eight the longest wait is 7
		})
	}
}

func TestSelectIsProved(t *testing.T) {
	needs.Time(t)
	for _, words := range []int{2, 3, 4, 5, 8} {
		t.Run(strconv.Itoa(words), func(t *testing.T) {
			p := prove(t, []string{"hc_select"})
			p.compile(fmt.Sprintf("-chparam WORDS %d -chparam WORD_BITS 2", words))
			p.holds(1)
			p.reaches(1)
		})
	}
}

func TestWeightStepIsProved(t *testing.T) {
	needs.Time(t)
	for _, bits := range []int{1, 2, 3} {
		t.Run(strconv.Itoa(bits), func(t *testing.T) {
			p := prove(t, []string{"hc_wc_step"})
			p.compile(fmt.Sprintf("-chparam WC_BITS %d", bits))
			p.holds(1)
			p.reaches(1)
		})
	}
}

// Inputs with and without a continuation, with a largest weight of all ones and another, with and
// without bypass, with one slot and several.
func TestInputsAreProved(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct{ module, parameters string }{
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 3 -chparam DIMENSION 3 -chparam LARGEST 5 -chparam CONTINUES 1 -chparam TARGETS 4 -chparam BODY_BITS 2"},
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 3 -chparam CONTINUES 1 -chparam TARGETS 3 -chparam BODY_BITS 2 -chparam SLOTS 2"},
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 3 -chparam CONTINUES 1 -chparam TARGETS 3 -chparam BODY_BITS 2 -chparam SLOTS 2 -chparam BYPASS 0"},
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 2 -chparam CONTINUES 1 -chparam TARGETS 3 -chparam BODY_BITS 2 -chparam SLOTS 4"},
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 1 -chparam TARGETS 2 -chparam BODY_BITS 2"},
		{"hc_link_input", "-chparam WD_BITS 2 -chparam WC_BITS 2 -chparam DIMENSION 2 -chparam LARGEST 1 -chparam TARGETS 2 -chparam BODY_BITS 2 -chparam SLOTS 3"},
		{"hc_local_input", "-chparam DIMENSIONS 1"},
		{"hc_local_input", "-chparam DIMENSIONS 3"},
	} {
		t.Run(c.module+" "+c.parameters, func(t *testing.T) {
			p := prove(t, []string{c.module})
			p.compile(c.parameters)
			p.holds(2)
			p.reaches(12)
		})
	}
}

// An entrant arrives, is passed and is taken, and the router ticks, in any order.
func TestRingMarkIsProved(t *testing.T) {
	p := prove(t, []string{"hc_ring_mark"})
	p.compile()
	p.holds(1)
	p.reaches(6)
}

// With a group and one transfer, and with transfers only.
func TestRingPortIsProved(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		sources    []string
		parameters string
	}{
		{ringPort(), "-chparam ENTRANTS 2 -chparam WORD_BITS 3"},
		{ringPort(), "-chparam ENTRANTS 3 -chparam FROM_GROUP 0 -chparam WORD_BITS 3"},
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
	needs.Time(t)
	for _, parameters := range []string{"-chparam SOURCES 2 -chparam PORTS 2 -chparam BODY_BITS 2", "-chparam SOURCES 3 -chparam PORTS 4 -chparam BODY_BITS 2", "-chparam SOURCES 4 -chparam LOWEST 1 -chparam PORTS 2 -chparam BODY_BITS 2"} {
		t.Run(parameters, func(t *testing.T) {
			p := prove(t, group())
			p.compile(parameters)
			p.holds(2)
			p.reaches(10)
		})
	}
}

func TestOutputAndDeliveryAreProved(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		sources    []string
		parameters string
	}{
		{[]string{"hc_output"}, "-chparam WORD_BITS 2"},
		{delivery(), "-chparam SOURCES 3 -chparam BODY_BITS 2"},
	} {
		t.Run(c.sources[0], func(t *testing.T) {
			p := prove(t, c.sources)
			p.compile(c.parameters)
			p.holds(2)
			p.reaches(12)
		})
	}
}

// Each of several links, and a single link.
func TestPortDeliveryIsProved(t *testing.T) {
	needs.Time(t)
	for _, sources := range []int{1, 3} {
		t.Run(fmt.Sprintf("%d links", sources), func(t *testing.T) {
			p := prove(t, portDelivery())
			p.instances("hc_output", sources)
			p.compile(fmt.Sprintf("-chparam SOURCES %d -chparam BODY_BITS 2", sources))
			p.holds(2)
			p.reaches(8)
		})
	}
}
