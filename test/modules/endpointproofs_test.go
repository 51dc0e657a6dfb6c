// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// endpointCore is an endpoint of four nodes with memories of 64 words, with the properties of hc_endpoint_core and of a file
// behind them.
func endpointCore(t *testing.T, gets, adds int, file string, faults ...string) *proof {
	t.Helper()
	p := bare(t, []string{
		"hc_endpoint_core", "hc_endpoint_access", "hc_endpoint_memory", "hc_endpoint_receive", "hc_endpoint_registers",
		"hc_endpoint_requests", "hc_endpoint_send", "hc_arbiter",
	}, faults...)
	p.add("hc_endpoint_core.v")
	p.add(file)
	if gets != 0 {
		p.below("hc_endpoint_requests")
	}
	if faults != nil { // a fault must show in the contract
		p.withoutAnyInvariants()
	}
	kind := 2
	if gets == 0 {
		kind = adds
		p.asserts -= 6 // those of gets and replies alone
	}
	p.compile(fmt.Sprintf("-chparam DIMENSIONS 1 -chparam DEST_BITS 3 -chparam ADDRESS_BITS 8 -chparam PAYLOAD_BITS %d -chparam GETS %d -chparam ADDS %d", 42+kind, gets, adds))
	return p
}

// withoutAnyInvariants is withoutInvariants where a module has the properties of several files.
func (p *proof) withoutAnyInvariants() {
	p.t.Helper()
	for _, source := range p.sources {
		file := filepath.Join(p.dir, source)
		text, err := os.ReadFile(file)
		require.NoError(p.t, err)
		parts := strings.Split(string(text), "    // Invariants")
		for i, part := range parts[1:] {
			invariants, next, more := strings.Cut(part, "    // Contract")
			parts[i+1] = asserted.ReplaceAllString(invariants, "")
			if more {
				parts[i+1] += "    // Contract" + next
			}
		}
		require.NoError(p.t, os.WriteFile(file, []byte(strings.Join(parts, "    // Invariants")), 0o644))
	}
	p.asserts = p.count("assert (")
}

func TestBusesOfEndpointsAreProved(t *testing.T) {
	for _, bus := range []string{"hc_endpoint_wishbone", "hc_endpoint_axi4lite"} {
		t.Run(bus, func(t *testing.T) {
			p := prove(t, []string{bus})
			p.compile("-chparam BUS_BITS 8")
			p.holds(2)
			p.reaches(6)
		})
	}
}

// Queues of 1, 3 and 4 gets: with a place more, and without.
func TestRequestsOfEndpointsAreProved(t *testing.T) {
	needs.Time(t)
	for _, nodes := range []string{"2", "4", "5"} {
		t.Run(nodes+" nodes", func(t *testing.T) {
			p := prove(t, []string{"hc_endpoint_requests"})
			p.compile("-chparam NODES " + nodes + " -chparam DEST_BITS 2 -chparam ADDRESS_BITS 8")
			p.holds(2)
			p.reaches(14)
		})
	}
}

// With all pairs of options: every access ends in time, and the receiver stalls at most R cycles, which are reached.
func TestEndsOfAccessesAreProved(t *testing.T) {
	needs.Time(t)
	for gets := range 2 {
		for adds := range 2 {
			t.Run(fmt.Sprintf("gets %d, adds %d", gets, adds), func(t *testing.T) {
				p := endpointCore(t, gets, adds, "hc_endpoint_core_ends.v")
				p.holds(2)
				p.reaches(16)
			})
		}
	}
}

func TestMemoriesOfEndpointsAreProved(t *testing.T) {
	needs.Time(t)
	p := endpointCore(t, 1, 1, "hc_endpoint_core_memory.v")
	p.holds(2)
	p.reaches(12)
}

func TestRegistersOfEndpointsAreProved(t *testing.T) {
	needs.Time(t)
	p := endpointCore(t, 1, 1, "hc_endpoint_core_registers.v")
	p.holds(2)
	p.reaches(10)
}

// lateCore is an endpoint of a machine of several chips.
func lateCore(t *testing.T, faults ...string) *proof {
	t.Helper()
	p := bare(t, []string{
		"hc_endpoint_core", "hc_endpoint_access", "hc_endpoint_late", "hc_endpoint_memory", "hc_endpoint_receive", "hc_endpoint_registers",
		"hc_endpoint_requests", "hc_endpoint_send", "hc_arbiter",
	}, faults...)
	p.add("hc_endpoint_core_late.v")
	if faults != nil {
		p.withoutAnyInvariants()
	}
	p.compile("-chparam DIMENSIONS 1 -chparam DEST_BITS 3 -chparam ADDRESS_BITS 8 -chparam PAYLOAD_BITS 44 -chparam GETS 1 -chparam TIMEOUT 5")
	return p
}

// Every access to others ends in its time, whatever the network does, and what it leaves behind harms nothing.
func TestLateAccessesOfEndpointsAreProved(t *testing.T) {
	needs.Time(t)
	p := lateCore(t)
	p.holds(2)
	p.reaches(16)
}

func TestProofsFindFaultsOfEndpoints(t *testing.T) {
	needs.Time(t)
	alone := func(source, parameters string) func(*testing.T, ...string) *proof {
		return func(t *testing.T, faults ...string) *proof {
			p := prove(t, []string{source}, faults...)
			p.withoutInvariants()
			p.compile(parameters)
			return p
		}
	}
	with := func(file string) func(*testing.T, ...string) *proof {
		return func(t *testing.T, faults ...string) *proof { return endpointCore(t, 1, 1, file, faults...) }
	}
	var (
		wishbone  = alone("hc_endpoint_wishbone", "-chparam BUS_BITS 8")
		axi4lite  = alone("hc_endpoint_axi4lite", "-chparam BUS_BITS 8")
		requests  = alone("hc_endpoint_requests", "-chparam DEST_BITS 2 -chparam ADDRESS_BITS 8")
		ends      = with("hc_endpoint_core_ends.v")
		memory    = with("hc_endpoint_core_memory.v")
		registers = with("hc_endpoint_core_registers.v")
	)
	for _, c := range []struct {
		name   string
		prove  func(*testing.T, ...string) *proof
		faults []string
		steps  int
	}{
		{"Wishbone answers twice", wishbone, []string{" & !wb_ack_o & !wb_err_o", ""}, 5},
		{"Wishbone acknowledges what is refused", wishbone, []string{"access & done & !refused", "access & done"}, 5},
		{"AXI4-Lite loses a response", axi4lite, []string{"if (s_axi_bready) s_axi_bvalid <= 1'b0;", "s_axi_bvalid <= 1'b0;"}, 6},
		{"AXI4-Lite overwrites a response", axi4lite, []string{"s_axi_arvalid & read_free", "s_axi_arvalid"}, 8},
		{"the queue forgets the oldest get", requests, []string{"places[out_q];", "places[in_q];"}, 7},
		{"a turn comes without a get", requests, []string{"known_q <= |count_q & !memory_turn", "known_q <= 1'b1"}, 8},
		{"a reply is overwritten", requests, []string{" & !reply_valid;", ";"}, 10},
		{"a place of the queue is missing", requests, []string{"$clog2(NODES - 1)", "$clog2(NODES - 2)"}, 8},
		{"what is refused is sent", ends, []string{"!access_same & !illegal", "!access_same"}, 5},
		{"a get is sent again", ends, []string{"access & in_network & !waits_q", "access & in_network"}, 7},
		{"a reply comes before a message that is offered", ends, []string{".complete(m_axis_tready)", ".complete(1'b1)"}, 9},
		{"a requester keeps the port of the memory", ends, []string{".complete(1'b1)", ".complete(1'b0)"}, 11},
		{"a get waits for the network", ends, []string{"reply)\n    );\n\n    // A read of", "reply & m_axis_tready)\n    );\n\n    // A read of"}, 10},
		{"a sum is overwritten", memory, []string{"held      = sums_q | stores_q", "held      = stores_q"}, 6},
		{"a put ignores strobes", memory, []string{"(strobes & {4{write}});\n            assign mem_addr  = stores_q", "{4{write}};\n            assign mem_addr  = stores_q"}, 4},
		{"an add is a put", memory, []string{"sum_q + mem_rdata : data", "sum_q : data"}, 6},
		{"a reply goes to the destination of the access", memory, []string{"answer ? reply_dest : offer_dest", "offer_dest"}, 9},
		{"an access ends a cycle too late", lateCore, []string{"MOST       = TIMEOUT - 1", "MOST       = TIMEOUT"}, 10},
		{"an access that is done in its last cycle is late", lateCore, []string{"late = over & !answered", "late = over"}, 10},
		{"the message of a late access is taken back", lateCore, []string{"late & offered & !offer_ready", "1'b0"}, 10},
		{"a message that was left behind is not kept", lateCore, []string{"if (!left_q) message_q", "message_q"}, 12},
		{"a get does not wait for the reply that is owed", lateCore, []string{" & (message_write | !owed_q)", ""}, 14},
		{"a message that was left behind ends the next access", lateCore, []string{"!owed_q) & !left_q", "!owed_q)"}, 14},
		{"messages do not wait for cables", lateCore, []string{"message_valid & linked", "message_valid"}, 6},
		{"a clear wins over an event", registers, []string{"(events_q & ~clear_events) | {barrier_release, doorbells}", "(events_q | {barrier_release, doorbells}) & ~clear_events"}, 6},
		{"an access has two errors", registers, []string{"access & !misplaced & !supported", "access & !supported"}, 5},
		{"what is refused writes registers", registers, []string{"in_registers & access_write & !illegal", "in_registers & access_write"}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.prove(t, c.faults...).fails(c.steps)
		})
	}
}
