// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

// destinationCase is a module of routers with destinations, with the modules below it.
type destinationCase struct {
	sources    []string
	parameters string
	covers     int    // steps until all covers are reached
	add        string // properties of a module without registers, which are not proved where other modules use it
}

func (c destinationCase) proof(t *testing.T, faults ...string) *proof {
	t.Helper()
	p := prove(t, c.sources, faults...)
	if c.add != "" {
		p.add(c.add)
	}
	p.compile(c.parameters)
	return p
}

func chparams(values ...string) string {
	text := ""
	for i := 0; i < len(values); i += 2 {
		text += fmt.Sprintf(" -chparam %s %s", values[i], values[i+1])
	}
	return text
}

// A ring with and one without two equally long ways, a number of digits that is no power of two, one port for both ways.
func fieldCases() (cases []destinationCase) {
	for _, c := range []struct{ m, rho, bits, x string }{{"2", "1", "1", "1"}, {"3", "1", "2", "1"}, {"4", "1", "2", "2"}, {"4", "2", "2", "2"}, {"6", "2", "3", "2"}, {"7", "3", "3", "2"}, {"8", "1", "3", "3"}} {
		cases = append(cases, destinationCase{[]string{"hc_destination_field"}, chparams("M", c.m, "RHO", c.rho, "DIGIT_BITS", c.bits, "X_BITS", c.x), 1, "hc_destination_field_way.v"})
	}
	return cases
}

func spreadCases() []destinationCase {
	return []destinationCase{
		{[]string{"hc_spread"}, chparams("DIMENSIONS", "2", "FARTHEST", "32'h00020001", "FIELDS_BITS", "5"), 1, "hc_spread_walk.v"},
		{[]string{"hc_spread"}, chparams("DIMENSIONS", "3", "FARTHEST", "48'h000100050003", "FIELDS_BITS", "9"), 1, "hc_spread_walk.v"},
	}
}

func entryCases() []destinationCase {
	return []destinationCase{
		{[]string{"hc_entry"}, chparams("RHO", "1", "LARGEST", "2", "X_BITS", "2", "PORTS", "2", "WC_BITS", "2", "WEIGHTS", "4'b0110"), 1, "hc_entry_links.v"},
		{[]string{"hc_entry"}, chparams("RHO", "1", "LARGEST", "3", "X_BITS", "2", "PORTS", "2", "WC_BITS", "3", "WEIGHTS", "6'b010011"), 1, "hc_entry_links.v"},
		{[]string{"hc_entry"}, chparams("RHO", "2", "LARGEST", "2", "X_BITS", "2", "PORTS", "4", "WC_BITS", "2", "WEIGHTS", "8'b00011010"), 1, "hc_entry_links.v"},
		{[]string{"hc_entry"}, chparams("RHO", "3", "LARGEST", "2", "X_BITS", "3", "PORTS", "6", "WC_BITS", "2", "WEIGHTS", "12'b010101101010"), 1, "hc_entry_links.v"},
		{[]string{"hc_entry"}, chparams("RHO", "2", "LARGEST", "1", "X_BITS", "2", "PORTS", "3", "WC_BITS", "1", "WEIGHTS", "3'b111"), 1, "hc_entry_links.v"},
	}
}

func destinationGroupCases() []destinationCase {
	sources := []string{"hc_destination_group", "hc_entry", "hc_tree_arbiter"}
	return []destinationCase{
		{sources, chparams("SOURCES", "3", "LOWEST", "2", "RHO", "1", "PORTS", "2", "LARGEST", "2", "X_BITS", "2", "WC_BITS", "2", "WEIGHTS", "4'b0110", "PASSED_BITS", "1"), 10, ""},
		{sources, chparams("SOURCES", "2", "LOWEST", "4", "RHO", "2", "PORTS", "4", "LARGEST", "2", "X_BITS", "2", "WC_BITS", "2", "WEIGHTS", "8'b00011010", "PASSED_BITS", "1"), 10, ""},
	}
}

func destinationLinkCases() (cases []destinationCase) {
	sources := []string{"hc_destination_link", "hc_spread", "hc_link_input"}
	for _, c := range []struct{ slots, bypass string }{{"1", "1"}, {"2", "1"}, {"2", "0"}} {
		cases = append(cases, destinationCase{sources, chparams("WD_BITS", "2", "WC_BITS", "2", "DIMENSION", "3", "LARGEST", "2", "CONTINUES", "1", "TARGETS", "4", "ROUTE_BITS", "5",
			"FARTHEST", "64'h0000000000020001", "CARRIED_BITS", "7", "SLOTS", c.slots, "BYPASS", c.bypass), 12, ""})
	}
	for _, slots := range []string{"1", "2"} {
		cases = append(cases, destinationCase{sources, chparams("WD_BITS", "2", "WC_BITS", "2", "DIMENSION", "2", "LARGEST", "1", "CONTINUES", "0", "TARGETS", "2", "ROUTE_BITS", "3",
			"FARTHEST", "32'h00000002", "CARRIED_BITS", "5", "SLOTS", slots), 12, ""})
	}
	return append(cases, destinationCase{sources, chparams("WD_BITS", "2", "WC_BITS", "2", "DIMENSION", "1", "LARGEST", "3", "CONTINUES", "1", "TARGETS", "2",
		"FARTHEST", "32'h00000000", "CARRIED_BITS", "2"), 12, ""})
}

func destinationInputCases() []destinationCase {
	sources := []string{"hc_destination_input", "hc_destination_field", "hc_destination_copier", "hc_spread", "hc_local_input"}
	return []destinationCase{
		{sources, chparams("DIMENSIONS", "1", "NODES", "32'd5", "RHOS", "32'd1", "DIGITS_BITS", "3", "FIELDS_BITS", "3"), 8, ""},
		{sources, chparams("DIMENSIONS", "2", "NODES", "64'h0000000300000004", "RHOS", "64'h0000000100000001", "DIGITS_BITS", "4", "FIELDS_BITS", "5"), 8, ""},
	}
}

func barrierCases() (cases []destinationCase) {
	for _, c := range []struct{ diameter, period int }{{1, 1}, {3, 1}, {4, 1}, {1, 2}, {2, 3}, {1, 4}} {
		cases = append(cases, destinationCase{[]string{"hc_barrier"}, chparams("DEGREE", "2", "DIAMETER", strconv.Itoa(c.diameter), "PERIOD", strconv.Itoa(c.period)), 16, ""})
	}
	return cases
}

func packetsCases() []destinationCase {
	return []destinationCase{
		{[]string{"hc_packets"}, chparams("SOURCES", "2", "SOURCE_BITS", "1", "DEPTH_BITS", "1", "PACKETS", "2", "WIDTH", "1"), 16, ""},
		{[]string{"hc_packets"}, chparams("SOURCES", "3", "SOURCE_BITS", "2", "DEPTH_BITS", "1", "PACKETS", "1", "WIDTH", "1"), 16, ""},
		{[]string{"hc_packets"}, chparams("SOURCES", "3", "SOURCE_BITS", "2", "DEPTH_BITS", "2", "PACKETS", "3", "WIDTH", "1"), 16, ""},
	}
}

func TestModulesOfDestinationsAreProved(t *testing.T) {
	needs.Time(t)
	for _, cases := range [][]destinationCase{
		fieldCases(), spreadCases(), entryCases(), destinationGroupCases(), destinationLinkCases(), destinationInputCases(),
		barrierCases(), packetsCases(),
	} {
		for _, c := range cases {
			t.Run(c.sources[0]+c.parameters, func(t *testing.T) {
				p := c.proof(t)
				p.holds(2)
				p.reaches(c.covers)
			})
		}
	}
}

func TestProofsOfDestinationsFindFaults(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name  string
		of    destinationCase
		fault []string
	}{
		{"half of the ring the other way", fieldCases()[2], []string{"(half & own[0] &", "(half & !own[0] &"}},
		{"the longer way", fieldCases()[4], []string{"far = ahead > HALF", "far = ahead >= HALF"}},
		{"a digit of m", fieldCases()[4], []string{"digit < NODES;", "digit <= NODES;"}},
		{"a distance does not end the walk", spreadCases()[1], []string{"~|distance[DIMENSIONS:i+1]", "1'b1"}},
		{"delivery on the way", spreadCases()[0], []string{"targets[0] = ~|distance", "targets[0] = 1'b1"}},
		{"any distance is legal", spreadCases()[1], []string{"fits[i] = x <= MOST", "fits[i] = 1'b1"}},
		{"the other way round", entryCases()[0], []string{"counterclockwise == (p >= RHO)", "counterclockwise != (p >= RHO)"}},
		{"a first link of distance rho is left out", entryCases()[2], []string{"found[(n-1)%RHO]", "found[n%RHO]"}},
		{"a step too few", entryCases()[3], []string{"> n * RHO", "> n * RHO + 1"}},
		{"offers to all ports", destinationGroupCases()[0], []string{"{PORTS{|request}} & ports & ~done_q", "{PORTS{|request}} & ~done_q"}},
		{"waits for ports that it does not enter", destinationGroupCases()[0], []string{"(done_q | port_grant | ~entered)", "(done_q | port_grant)"}},
		{"completed by its first port", destinationGroupCases()[1], []string{"&(done_q | port_grant | ~entered)", "|((done_q | port_grant) & entered)"}},
		{"copies that are not wanted", destinationLinkCases()[0], []string{"request = copies & wanted", "request = copies"}},
		{"waits for copies that are not wanted", destinationLinkCases()[0], []string{"(grant | ~wanted)", "(grant)"}},
		{"spreads on its way", destinationLinkCases()[0], []string{"decoded[CARRIED_BITS-1] | head_at_end", "1'b1"}},
		{"a distance that is too large is not noticed", destinationLinkCases()[0], []string{"assign routable = legal", "assign routable = 1'b1"}},
		{"decodes what is behind the message of the input", destinationLinkCases()[2], []string{"EARLY != 0 ? body : head_body", "body"}},
		{"takes an illegal destination for a legal one", destinationInputCases()[0], []string{"&legal & |elsewhere", "|elsewhere"}},
		{"sends to itself", destinationInputCases()[1], []string{"&legal & |elsewhere", "&legal"}},
		{"keeps what it has to drop", destinationInputCases()[1], []string{"s_axis_tvalid & (!sound | ready)", "s_axis_tvalid & ready"}},
		{"a copy for every group", destinationInputCases()[1], []string{"request       = copies & targets", "request           = copies"}},
		{"a packet goes out before its end", packetsCases()[0], []string{"push = take & ends", "push = take"}},
		{"packets alternate", packetsCases()[0], []string{"source = goes_on ? source_q :", "source = 1'b0 ? source_q :"}},
		{"a full queue takes more", packetsCases()[0], []string{"!stored[DEPTH_BITS] &", ""}},
		{"a long packet is not cut", packetsCases()[0], []string{"ends    = s_axis_tlast | &length", "ends    = s_axis_tlast"}},
		{"does not hold", barrierCases()[1], []string{"tick = !waits & ~|behind", "tick = ~|behind"}},
		{"ticks in every cycle", barrierCases()[3], []string{"~|behind & due", "~|behind"}},
		{"an arrival counts twice", barrierCases()[0], []string{"(barrier_arrive & !barrier_release)", "barrier_arrive"}},
		{"released a tick too soon", barrierCases()[1], []string{"last = phase_q == LAST", "last = phase_q == LAST - 1'b1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.of.proof(t, c.fault...).fails(8)
		})
	}
}
