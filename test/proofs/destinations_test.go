// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

// addressed returns the description of a router of the rings, each m and rho, with these options of messages and of
// the router.
func addressed(rings [][2]int, message, router string) string {
	var b strings.Builder
	b.WriteString("machine \"addressed\" {\n  network = false\n")
	for i, r := range rings {
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %d\n    rho = %d\n  }\n", i+1, r[0], r[1])
	}
	fmt.Fprintf(&b, "  message {\n%s  }\n  router {\n%s  }\n}\n", message, router)
	return b.String()
}

const (
	twoBits       = "    payload_bits = 2\n"
	destination   = "    destination = true\n"
	last          = "    last = true\n"
	everyField    = twoBits + destination + last + "    source_id = true\n"
	withBarrier   = "    barrier = true\n"
	withPerPort   = "    delivery = \"per_port\"\n"
	withTwoStages = "    stages = 2\n"
)

// evenAndOdd has distances half round a ring, illegal digits and distances, and all options of messages.
var (
	evenAndOddRings = [][2]int{{4, 1}, {5, 1}}
	evenAndOdd      = addressed(evenAndOddRings, everyField, withBarrier)
)

// Rings with links for both directions, with transfers, of two nodes; FIFOs of several slots, with and without
// bypass; deliveries for each link; one dimension and four; a single tag. And broadcasts with the other
// options. A short run has a ring.
func TestRoutersWithDestinationsAreProved(t *testing.T) {
	torus := [][2]int{{4, 1}, {4, 1}}
	for _, c := range []struct {
		name            string
		rings           [][2]int
		message, router string
	}{
		{"a pair", [][2]int{{2, 1}}, "    payload_bits = 1\n" + destination, ""},
		{"8-ring", [][2]int{{8, 1}}, everyField, ""},
		{"even and odd", evenAndOddRings, everyField, withBarrier},
		{"4-cube", [][2]int{{2, 1}, {2, 1}, {2, 1}, {2, 1}}, everyField, withBarrier},
		{"4x4 torus", torus, twoBits + destination, ""},
		{"4x4 torus, two stages", torus, everyField, withTwoStages},
		{"4x4 torus, per port", torus, everyField, withPerPort},
		{"4x4 torus, both", torus, everyField, withTwoStages + withPerPort + withBarrier},
		{"4x4 torus, three slots", torus, everyField, "    fifo_depth = 4\n"},
		{"5x5x5", [][2]int{{5, 1}, {5, 1}, {5, 1}}, everyField, ""},
		{"transfers", [][2]int{{6, 2}}, everyField, ""},
		{"two ways to transfer", [][2]int{{9, 3}, {3, 1}}, everyField, ""},
		{"a link both ways", [][2]int{{4, 2}, {2, 1}}, everyField, ""},
		{"k6x5, four slots and two stages", [][2]int{{5, 1}, {6, 2}}, everyField, withTwoStages + "    fifo_depth = 4\n"},
		{"to all, barrier", torus, twoBits, withBarrier},
		{"to all, tlast", torus, twoBits + last, withPerPort},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "8-ring" {
				needs.Time(t)
			}
			_, out := generateText(t, addressed(c.rings, c.message, c.router))
			assertProved(t, out, "addressed")
		})
	}
}

// Every fault in the logic of destinations has a run from reset that shows it.
func TestProofOfARouterWithDestinationsFindsFaults(t *testing.T) {
	needs.Time(t)
	_, out := generateText(t, evenAndOdd)
	const router = "rtl/addressed_router.v"
	findsFaults(t, out, "addressed_router", []fault{
		// which port, with which weight
		{"the wrong way round", "rtl/hc_entry.v", "side = counterclockwise == (p >= RHO)", "side = counterclockwise != (p >= RHO)"},
		{"the wrong port asked", router, ".enter_request(group2_request[0])", ".enter_request(group2_request[1])"},
		{"the wrong weight on entering", router, ".enter_words({group1_weights[3:2], ", ".enter_words({group1_weights[1:0], "},
		{"a short distance entered with the weight of all", "rtl/hc_entry.v", "weights[p*WC_BITS+:WC_BITS] = spread ? WEIGHT : steps", "weights[p*WC_BITS+:WC_BITS] = WEIGHT"},
		{"spread not reduced", router, "{group2_weights[1:0], group2_spread, ", "{group2_weights[1:0], 1'b1, "},
		{"half round always clockwise", "rtl/hc_destination_field.v", "half & own[0] &", "half & 1'b0 &"},
		{"a field left on the link of its dimension", router, "{2'd1, out0_word[", "{2'd3, out0_word["},
		{"a port takes a message twice", "rtl/hc_destination_group.v", "{PORTS{|request}} & ports & ~done_q", "{PORTS{|request}} & ports"},
		{"a message waits for ports that it does not enter", "rtl/hc_destination_group.v", "&(done_q | port_grant | ~entered)", "&(done_q | port_grant)"},
		// which targets
		{"a message to a digit spreads on its way", "rtl/hc_destination_link.v", "decoded[CARRIED_BITS-1] | head_at_end", "1'b1"},
		{"a message to all does not spread on its way", "rtl/hc_destination_link.v", "decoded[CARRIED_BITS-1] | head_at_end", "head_at_end"},
		{"delivered before the last dimension", "rtl/hc_spread.v", "targets[0] = ~|distance", "targets[0] = 1'b1"},
		{"all does not enter", "rtl/hc_spread.v", "targets[i] = distance[i] | all[i];", "targets[i] = distance[i];"},
		{"a digit does not end the walk", "rtl/hc_spread.v", "(distance[i] | all[i]) & ~|distance[DIMENSIONS:i+1]", "distance[i] | all[i]"},
		{"the node's message enters all dimensions", "rtl/hc_destination_copier.v", "assign request       = copies & targets", "assign request           = copies"},
		// destinations
		{"the wrong digit compared", router, ".node_digits(node_digits)", ".node_digits({node_digits[2:0], node_digits[4:3]})"},
		{"a digit of m is legal", "rtl/hc_destination_field.v", "legal = all | digit < NODES", "legal = all | digit <= NODES"},
		{"the node itself is legal", "rtl/hc_destination_copier.v", "&legal & |elsewhere", "&legal"},
		{"an illegal destination is not flagged", "rtl/hc_destination_copier.v", "destination_error <= s_axis_tvalid & !sound", "destination_error <= s_axis_tvalid & !sound & |elsewhere"},
		{"an illegal destination is not taken", "rtl/hc_destination_copier.v", "s_axis_tvalid & (!sound | ready)", "s_axis_tvalid & ready"},
		{"an illegal destination has copies", "rtl/hc_destination_copier.v", "valid         = s_axis_tvalid & sound", "valid       = s_axis_tvalid"},
		{"a distance on a link may be too large", "rtl/hc_destination_link.v", "assign routable = legal", "assign routable = 1'b1"},
		// pace, barrier, tlast
		{"an offer is ignored", "rtl/hc_pace.v", "done     = !full | !valid", "done = !full"},
		{"a message to one node costs a turn", "rtl/hc_pace.v", "(single ? ONE : ADDED)", "ADDED"},
		{"one for all needs no turn", "rtl/hc_pace.v", "single ? |rest_q : has_turn", "|rest_q"},
		{"a held pace ticks", "rtl/hc_pace.v", " & !hold", ""},
		{"a turn of another length", router, ".TURN(8)", ".TURN(4)"},
		{"the barrier has the paces of messages", router, ".link_barrier_pace(link_barrier_pace)", ".link_barrier_pace(link_pace)"},
		{"a node passes a hold late", router, ".DIAMETER(4)", ".DIAMETER(5)"},
		{"tlast dropped", router, "m_axis_local_tlast = delivery_body[7]", "m_axis_local_tlast = delivery_body[6]"},
		{"tlast not taken in", router, "local_fields, s_axis_local_tlast,", "local_fields, 1'b0,"},
	})
}
