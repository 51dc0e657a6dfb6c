// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// cableEnd is an end of a cable that is placed alone, and the time of a hop over such a cable.
type cableEnd struct {
	links, linkBits, paceBits int
	cable                     plan.Cable
	chipBits                  int
	hash                      uint32
	made                      synthesis.Measured
}

// cableEnds are those of a ring of chips with one node each, and of the 4x4 torus with a row on each chip.
func cableEnds() (all []cableEnd) {
	for _, title := range []string{"4-ring", "4x4"} {
		for _, wordBits := range []int{8, 32} {
			for _, flight := range []int{2, 16} { // of plain pins, and of transceivers
				all = append(all, newCableEnd(cabled(title, wordBits, flight)))
			}
		}
	}
	return all
}

// newCableEnd takes the sizes of the first cable from the plan, with a payload that makes links of linkBits.
func newCableEnd(m *machine.Machine) cableEnd {
	m.PayloadBits += linkBits - plan.New(m).LinkBits
	p := plan.New(m)
	return cableEnd{links: p.Chips.Places, linkBits: p.LinkBits, paceBits: p.PaceBits, cable: p.Chips.Cables[0], chipBits: p.Chips.Bits, hash: p.Chips.Hash}
}

// task places the end. All its words arrive in the clock in which they leave.
func (e *cableEnd) task(target machine.Synthesis) libraryTask {
	c := e.cable
	return libraryTask{
		Module: "hc_chip_cable", Below: []string{"hc_arbiter", "hc_select", "hc_clock_crossing", "hc_link_clocks", "hc_chip_*"},
		Clocks: []string{"clk", "rx_clk"},
		Parameters: map[string]int{
			"LINKS": e.links, "LINK_BITS": e.linkBits, "PACE_BITS": e.paceBits, "BARRIER": 0, "WORD_BITS": c.WordBits, "FRAME_WORDS": c.Words,
			"NUMBER_BITS": c.NumberBits, "FREED_BITS": c.FreedBits, "SILENCE": c.Silence, "CHIP_BITS": e.chipBits, "PORT": c.Index, "FAR_PORT": c.Opposite,
			"HASH": int(e.hash),
		},
		Options: synthesis.Options{Target: target},
	}
}

// placeCableEnds places all ends of cables, and returns the conditions, too.
func placeCableEnds(ctx context.Context, r *runner, seeds []int) (ends []cableEnd, conditions string, err error) {
	if _, err := synthesis.Versions(ctx, "yosys"); err != nil { // which reads the ports
		return nil, "", err
	}
	ends = cableEnds()
	var units []unit
	for i := range ends {
		e := &ends[i]
		t, err := newLibraryTask(ctx, e.task(synthesis.HX8K(seeds...)))
		if err != nil {
			return nil, "", err
		}
		units = append(units, unit{fmt.Sprintf("links%d.word%d.flight%d", e.links, e.cable.WordBits, e.cable.Flight), task{Library: t}, &e.made})
	}
	if err := r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units); err != nil {
		return nil, "", err
	}
	return ends, r.conditions(seeds), nil
}

var cableEndColumns = []column[cableEnd]{
	{"links", "links", "", "%d", func(e cableEnd) any { return e.links }},
	{"word_bits", "word, bits", "of the cable", "%d", func(e cableEnd) any { return e.cable.WordBits }},
	{"flight", "flight, cycles", "of a word from one chip to the other", "%d", func(e cableEnd) any { return e.cable.Flight }},
	{"frame_words", "K", "words of a frame", "%d", func(e cableEnd) any { return e.cable.Words }},
	{"number_bits", "n", "bits of the number of a word", "%d", func(e cableEnd) any { return e.cable.NumberBits }},
	{"freed_bits", "f", "bits of the count of freed places", "%d", func(e cableEnd) any { return e.cable.FreedBits }},
	{"lut4", "LUT4", "", "%d", func(e cableEnd) any { return e.made.LUT4 }},
	{"ff", "FF", "", "%d", func(e cableEnd) any { return e.made.FF }},
	{"bram", "block RAM", "", "%d", func(e cableEnd) any { return e.made.BRAM }},
	{"clock_mhz", "clock, min / median / max, MHz", "of the seeds, the slower of clk and rx_clk", "%.0f", func(e cableEnd) any { return clocks(e.made.Clock) }},
	{"latency_cycles", "L, cycles", "of a word from one router to the other, if a word of the cable leaves in each cycle", "%d", func(e cableEnd) any { return e.cable.Latency }},
	{"hop_ns", fmt.Sprintf("hop at %d MHz, ns", cableClock), "", "%.0f", func(e cableEnd) any { return e.hop(cableClock) }},
	{"hop_median_ns", "hop at the median clock, ns", "", "%.0f", func(e cableEnd) any {
		if e.made.Clock.Median == 0 {
			return nil
		}
		return e.hop(e.made.Clock.Median)
	}},
}

// hop is the time of a word from one router to the other, in ns.
func (e cableEnd) hop(mhz float64) float64 { return float64(e.cable.Latency) * 1000 / mhz }

// cableEndTables are the cost of ends and the times of hops.
func cableEndTables(ends []cableEnd) (cost, hop table) {
	return tableOf(fmt.Sprintf("an end of a cable with links of %d bits, on the HX8K", linkBits),
			only(cableEndColumns, "links", "word_bits", "flight", "frame_words", "number_bits", "freed_bits", "lut4", "ff", "bram", "clock_mhz"), ends),
		tableOf("hops over cables, with a word of the cable in each cycle",
			only(cableEndColumns, "links", "word_bits", "flight", "latency_cycles", "hop_ns", "hop_median_ns"), ends)
}
