// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/chips"
)

// What chips writes.
var (
	cableRatePlace = place{"docs/chips.md", "rates"}
	residualPlace  = place{"docs/chips.md", "residual"}
	cableCostPlace = place{"docs/chips.md", "cable-cost"}
	cableHopPlace  = place{"docs/chips.md", "cable-hops"}
)

const cablesPicture = "docs/cables.svg"

// cableClock is the frequency of words for which errors per second are computed, in MHz.
const cableClock = 100

var (
	cableFlights = []int{16, 100, 1000}
	cableErrors  = []float64{0, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2} // of bits
)

// onCables measures cables between chips in the model and their ends on the HX8K, and computes the errors that a CRC does not find.
func onCables(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	cycles := flags.Int("cycles", 100_000, "`cycles` of each run, in addition to 20 flights")
	return func(ctx context.Context) (*report, error) {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		if *cycles < 1 {
			return nil, &badFlag{fmt.Sprintf("-cycles is %d: give 1 or more", *cycles)}
		}
		ends, conditions, err := placeCableEnds(ctx, r, seeds)
		if err != nil {
			return nil, err
		}
		var rates []cableRate
		for _, flight := range cableFlights {
			for _, errors := range cableErrors {
				rates = append(rates, measureCable(flight, errors, *cycles))
			}
		}
		return cablesReport(rates, residuals(boards(cableFlights[0])), ends, conditions), nil
	}
}

// boards is the 4x4 torus whose rows are on chips.
func boards(flight int) *plan.Plan { return plan.New(cabled("4x4", 32, flight)) }

// cabled is a machine whose last dimension is between chips.
func cabled(title string, wordBits, flight int) *machine.Machine {
	m := shaped(title)
	m.Dimensions[len(m.Dimensions)-1].Link = machine.Link{Kind: machine.Chips, WordBits: wordBits, Flight: flight, Silence: 4096}
	return m
}

// frameBits is the length of a frame.
func frameBits(p *plan.Plan) int { return p.Chips.Cables[0].Words * p.Chips.Cables[0].WordBits }

// cableRate is what cables do in which bits are wrong with a probability.
type cableRate struct {
	flight int
	errors float64
	loss   float64 // of frames
	words  int     // of a frame
	chips.Rates
	goBack float64 // the rate by the formula
}

func measureCable(flight int, errors float64, cycles int) cableRate {
	p := boards(flight)
	loss := chips.FrameLoss(frameBits(p), errors)
	return cableRate{flight, errors, loss, p.Chips.Cables[0].Words, chips.MeasureRates(p, loss, cycles+20*flight, 1), chips.GoBack(p, loss)}
}

var cableRateColumns = []column[cableRate]{
	{"flight", "flight, cycles", "of a word from one chip to the other", "%d", func(r cableRate) any { return r.flight }},
	{"bit_errors", "bit errors", "the probability that a bit is wrong", "%g", func(r cableRate) any { return r.errors }},
	{"frame_errors", "lost frames", "the share of frames with an error", "%.2g", func(r cableRate) any { return r.loss }},
	{"rate", "rate", "words of links in the time of a frame, if all links always have words", "%.3f", func(r cableRate) any { return r.Words }},
	{"rate_formula", "by the formula", "", "%.3f", func(r cableRate) any { return r.goBack }},
	{"cycles_per_word", "cycles per word", "at this rate", "%.1f", func(r cableRate) any { return float64(r.words) / r.Words }},
	{"latency_cycles", "latency, cycles", "of a word, if words come at a tenth of the rate", "%.0f", func(r cableRate) any { return r.Latency }},
}

// residual is how often frames have an error that is not found.
type residual struct {
	errors       float64 // of bits
	loss         float64 // of frames
	short, whole float64 // frames in a second: with a CRC of 16 bits, and with that of 32
}

func residuals(p *plan.Plan) (list []residual) {
	bits := frameBits(p)
	short, whole := chips.CRC16.Undetected(bits), chips.CRC32C.Undetected(bits)
	frames := cableClock * 1e6 / float64(p.Chips.Cables[0].Words)
	for n := 2; n <= 12; n++ {
		errors := math.Pow(10, -float64(n))
		list = append(list, residual{errors, chips.FrameLoss(bits, errors), frames * chips.Residual(short, errors), frames * chips.Residual(whole, errors)})
	}
	return list
}

const secondsOfYear = 365.25 * 24 * 3600

var residualColumns = []column[residual]{
	{"bit_errors", "bit errors", "the probability that a bit is wrong", "%.0e", func(r residual) any { return r.errors }},
	{"frame_errors", "lost frames", "the share of frames with an error", "%.1e", func(r residual) any { return r.loss }},
	{"crc16_per_second", "CRC-16, per second", "frames whose errors a CRC of 16 bits would not find", "%.1e", func(r residual) any { return r.short }},
	{"crc32c_per_second", "CRC-32C, per second", "frames whose errors are not found", "%.1e", func(r residual) any { return r.whole }},
	{"crc32c_years", "years between them", "", "%.1e", func(r residual) any { return 1 / (r.whole * secondsOfYear) }},
}

func cablesReport(rates []cableRate, errors []residual, ends []cableEnd, conditions string) *report {
	rate := tableOf("cables of the 4x4 torus with a row on each chip", cableRateColumns, rates)
	left := tableOf(fmt.Sprintf("errors that are not found, with words at %d MHz", cableClock), residualColumns, errors)
	cost, hop := cableEndTables(ends)
	r := &report{
		Tables: []table{rate, left, cost, hop}, Conditions: conditions,
		pages: []page{
			{cableRatePlace, []table{rate}, ""}, {residualPlace, []table{left}, ""},
			{cableCostPlace, []table{cost}, "On the HX8K with " + conditions}, {cableHopPlace, []table{hop}, ""},
		},
		pictures: []picture{{cablesPicture, drawCables(rates)}},
	}
	for i := range rates {
		rates[i].check(r)
	}
	return r
}

// check adds a rate that is not that of the formula to a report.
func (c *cableRate) check(to *report) {
	if math.Abs(c.Words-c.goBack) > 0.1*c.goBack+0.002 {
		to.contradict("flight %d, bit errors %g: a cable moves %.3f words in the time of a frame, and the formula gives %.3f", c.flight, c.errors, c.Words, c.goBack)
	}
}

var cableColours = []string{"#0072b2", "#e69f00", "#009e73", "#d55e00"}

// drawCables draws the rates of all flights by the errors of bits, and the formula as lines.
func drawCables(rates []cableRate) []byte {
	const (
		width, height          = 480., 200.
		left, top, right, foot = 50., 60., 20., 44.
		radius                 = 4.
		legendEntry            = 150.
		least, most            = 5e-7, 2e-2 // of bit errors; 0 is at the left edge
		steps                  = 100
	)
	p := svg.New(left+width+right, top+height+foot, "Rate of a cable by bit errors",
		"Words of links in the time of a frame by the probability that a bit is wrong, for three flights; lines are the formula, and the figures are in the table")
	rate := axis{low: 0, high: 1.05, from: top + height, to: top}
	along := axis{low: least, high: most, from: left, to: left + width, log: true}
	rate.across(p, left, left+width, "%.1f", 0, 0.2, 0.4, 0.6, 0.8, 1)
	along.below(p, top, top+height, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
	p.Text(svg.Point{X: left + width/2, Y: top + height + 36}, svg.Middle, "", "bit errors")
	colour, seen := "", map[int]bool{}
	for _, r := range rates {
		if !seen[r.flight] {
			colour = cableColours[len(seen)%len(cableColours)]
			key(p, svg.Point{X: left + float64(len(seen))*legendEntry, Y: 24}, radius, colour, fmt.Sprintf("flight %d", r.flight))
			seen[r.flight] = true
			path, planned := "", boards(r.flight)
			for i := range steps + 1 {
				errors := least * math.Pow(most/least, float64(i)/steps)
				path += fmt.Sprintf("L%s %s", svg.N(along.at(errors)), svg.N(rate.at(chips.GoBack(planned, chips.FrameLoss(frameBits(planned), errors)))))
			}
			p.Add(`<path d="M%s" fill="none" stroke="%s" stroke-dasharray="4 3"/>`, path[1:], colour)
		}
		dot(p, svg.Point{X: along.at(max(r.errors, least)), Y: rate.at(r.Words)}, radius, colour, fmt.Sprintf("flight %d, bit errors %g: %.3f", r.flight, r.errors, r.Words))
	}
	return p.Bytes()
}
