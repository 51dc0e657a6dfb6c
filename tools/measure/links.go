// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// What links writes: the cells and clocks of links with registers, and the rates of networks of them.
var (
	linkCostPlace = place{"docs/links.md", "cost"}
	linkRatePlace = place{"docs/links.md", "rates"}
)

const linksPicture = "docs/links.svg"

// linkBits are those of a link of the 4x4 torus, and linkDegree the links of its routers.
const (
	linkBits   = 36
	linkDegree = 4
)

// links measures links with registers: alone on the HX8K, and in networks in the model.
func links(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	seedList := flags.String("seeds", "1 2 3", "`seeds` of placement, with blanks or commas between them")
	cycles := flags.Int("cycles", 20_000, "`cycles` of each run in the model")
	return func(ctx context.Context) (*report, error) {
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		if *cycles < 1 {
			return nil, &badFlag{fmt.Sprintf("-cycles is %d: give 1 or more", *cycles)}
		}
		if _, err := synthesis.Versions(ctx, "yosys"); err != nil { // which reads the ports
			return nil, err
		}
		designs := linkDesigns()
		var units []unit
		for i := range designs {
			d := &designs[i]
			t, err := newLibraryTask(ctx, libraryTask{Module: d.module, Below: d.below, Clocks: d.clocks, Parameters: d.parameters, Options: synthesis.Options{Target: synthesis.HX8K(seeds...)}})
			if err != nil {
				return nil, err
			}
			units = append(units, unit{fmt.Sprintf("%s.%d", strings.ReplaceAll(d.what, " ", "-"), d.registers), task{Library: t}, &d.made})
		}
		if err := r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units); err != nil {
			return nil, err
		}
		var rates []linkRate
		for _, title := range []string{"4x4", "8-ring"} {
			for _, registers := range []int{0, 1, 2, 4, 8} {
				rates = append(rates, measureLink(title, registers, *cycles))
			}
		}
		return linksReport(designs, rates, r.conditions(seeds)), nil
	}
}

func linksReport(designs []linkDesign, rates []linkRate, conditions string) *report {
	cost := tableOf(fmt.Sprintf("links of %d bits in one direction, and the pace of a router with %d links, on the HX8K", linkBits, linkDegree), linkDesignColumns, designs)
	rate := tableOf("networks whose links all have L registers", linkRateColumns, rates)
	r := &report{
		Tables: []table{cost, rate}, Conditions: conditions,
		pages:    []page{{linkCostPlace, []table{cost}, "On the HX8K with " + conditions}, {linkRatePlace, []table{rate}, ""}},
		pictures: []picture{{linksPicture, drawLinks(rates)}},
	}
	for i := range rates {
		rates[i].check(r)
	}
	return r
}

// linkDesign is a part of a link that is placed alone.
type linkDesign struct {
	what       string
	registers  int
	module     string
	parameters map[string]int
	below      []string // as in libraryTask
	clocks     []string // its ports that are clocks; empty: clk
	made       synthesis.Measured
}

func linkDesigns() (all []linkDesign) {
	delay := []string{"hc_delay"}
	for _, n := range []int{1, 2} {
		all = append(all, linkDesign{what: "slices", registers: n, module: "hc_link_slices", parameters: map[string]int{"WIDTH": linkBits, "STAGES": n}, below: delay})
	}
	for _, n := range []int{3, 4, 8, 16} {
		all = append(all, linkDesign{what: "credits", registers: n, module: "hc_link_credits", parameters: map[string]int{"WIDTH": linkBits, "LATENCY": n}, below: delay})
	}
	all = append(all, linkDesign{what: "clocks", registers: machine.Link{Kind: machine.Clocks}.Latency(0), module: "hc_link_clocks",
		parameters: map[string]int{"WIDTH": linkBits, "PLACES_BITS": plan.ClockPlacesBits}, below: []string{"hc_clock_crossing"}, clocks: []string{"s_clk", "m_clk"}})
	for _, n := range []int{0, 1, 2, 4, 8, 16} {
		all = append(all, linkDesign{what: "pace of a router", registers: n, module: "hc_pace", parameters: map[string]int{"DEGREE": linkDegree, "LEAD": n + 1}, below: delay})
	}
	return all
}

var linkDesignColumns = []column[linkDesign]{
	{"part", "part", "", "%s", func(d linkDesign) any { return d.what }},
	{"registers", "L", "registers on the way, or the latency at equal clocks; of a pace, that of the longest link", "%d", func(d linkDesign) any { return d.registers }},
	{"lut4", "LUT4", "", "%d", func(d linkDesign) any { return d.made.LUT4 }},
	{"ff", "FF", "", "%d", func(d linkDesign) any { return d.made.FF }},
	{"bram", "block RAM", "", "%d", func(d linkDesign) any { return d.made.BRAM }},
	{"clock_mhz", "clock, min / median / max, MHz", "of the seeds", "%.0f", func(d linkDesign) any { return clocks(d.made.Clock) }},
}

// libraryTask synthesizes a module of hdl with parameters, or one of a machine, and places it behind a wrapper.
type libraryTask struct {
	Module      string
	Description string   `json:",omitempty"` // of the machine that has the module; empty: it is one of hdl
	Below       []string // patterns of the files of hdl that have the modules below it, without .v
	Clocks      []string // all connected to one clock, so that the slower side counts; empty: clk
	Parameters  map[string]int
	Files       string // hash
	Options     synthesis.Options
}

func newLibraryTask(ctx context.Context, t libraryTask) (*libraryTask, error) {
	d, err := t.design(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Module, err)
	}
	t.Files = d.Hash()
	return &t, nil
}

func (t *libraryTask) design(ctx context.Context) (*synthesis.Design, error) {
	clocks := t.Clocks
	if len(clocks) == 0 {
		clocks = []string{"clk"}
	}
	files, sources, err := t.sources()
	if err != nil {
		return nil, err
	}
	ports, err := files.Ports(ctx, sources, t.Module, t.Parameters)
	if err != nil {
		return nil, err
	}
	set := otherRouter{Top: t.Module, Parameters: t.Parameters}
	inner, ports, err := set.module(ports, clocks...)
	if err != nil {
		return nil, err
	}
	files["synth/"+otherModule+".v"] = inner
	files["filelist.f"] = strings.Join(append(sources, "synth/"+otherModule+".v"), "\n") + "\n"
	if err := addScript(files, synth.Wrapper("// The module "+t.Module+".", otherModule, ports)); err != nil {
		return nil, err
	}
	return &synthesis.Design{Machine: "library", Collective: "module", Node: otherModule, Files: files}, nil
}

// sources are the files of the module and those below it, in the order in which Yosys reads them.
func (t *libraryTask) sources() (synthesis.Files, []string, error) {
	if t.Description == "" {
		var patterns []string
		for _, name := range append([]string{t.Module}, t.Below...) {
			patterns = append(patterns, "hdl/"+name+".v")
		}
		files, err := modules(patterns...)
		return files, slices.Sorted(maps.Keys(files)), err
	}
	m, err := parseMachine(t.Description)
	if err != nil {
		return nil, nil, err
	}
	d, err := synthesis.Router(m)
	if err != nil {
		return nil, nil, err
	}
	files, read := synthesis.Files{}, strings.Fields(d.Files["filelist.f"])
	for _, path := range read {
		files[path] = d.Files[path]
	}
	return files, read, nil
}

func (t *libraryTask) do(ctx context.Context) (any, error) {
	d, err := t.design(ctx)
	if err != nil {
		return nil, err
	}
	if d.Hash() != t.Files {
		return nil, errOther
	}
	return d.Measure(ctx, t.Options)
}

// linkRate is what a network does whose links all have the same number of registers.
type linkRate struct {
	machine   string
	registers int
	lone      float64 // messages of a lone sender in a cycle
	leadOne   float64 // likewise, if the lead were 1
	fewPlaces float64 // likewise, if links had credits for L + 1 places
	all       float64 // deliveries relative to their bound, if all nodes always send
	allPlaces float64 // likewise, if links had credits for twice as many places
	broadcast int     // cycles from the injection to the last delivery, in an idle network

	rightBroadcast int
}

var linkRateColumns = []column[linkRate]{
	{"machine", "machine", "", "%s", func(r linkRate) any { return r.machine }},
	{"registers", "L", "registers on each link", "%d", func(r linkRate) any { return r.registers }},
	{"broadcast_cycles", "broadcast, cycles", "in an idle network", "%d", func(r linkRate) any { return r.broadcast }},
	{"lone_rate", "lone sender", "messages in a cycle", "%.2f", func(r linkRate) any { return r.lone }},
	{"lone_rate_lead_1", "with a lead of 1", "of a lone sender", "%.2f", func(r linkRate) any { return r.leadOne }},
	{"lone_rate_few_places", "with L + 1 places", "of a lone sender, if links have credits for L + 1 places", "%.2f", func(r linkRate) any { return r.fewPlaces }},
	{"all_rate", "all nodes", "deliveries of the most that is possible", "%.2f", func(r linkRate) any { return r.all }},
	{"all_rate_many_places", "with 4 L + 2 places", "of all nodes, if links have credits for 4 L + 2 places", "%.2f", func(r linkRate) any { return unlessZero(r.allPlaces) }},
}

// measureLink runs a network in the model.
func measureLink(title string, registers, cycles int) linkRate {
	planned := func() *plan.Plan {
		m := shaped(title)
		for i := range m.Dimensions {
			m.Dimensions[i].Link.Registers = registers
		}
		return plan.New(m)
	}
	lone := func(p *plan.Plan) float64 {
		s := measure.Saturate(p, traffic.Load{Rate: 1, Sources: []int{0}}, model.Options{}, cycles)
		return float64(s.Injections) / float64(cycles)
	}
	all := func(p *plan.Plan) float64 {
		s := measure.Saturate(p, traffic.Load{Rate: 1}, model.Options{}, cycles)
		return s.DeliveriesPerNode / s.DeliveryBound
	}
	withPlaces := func(places int) *plan.Plan {
		p := planned()
		for i := range p.Ports {
			p.Ports[i].Queue = plan.Queue{Latency: registers, Places: places}
		}
		return p
	}
	p := planned()
	r := linkRate{
		machine: title, registers: registers, lone: lone(p), all: all(p),
		broadcast: measure.Broadcast(p, 0).Cycles, rightBroadcast: p.Crossing() + 1,
	}
	p = planned()
	p.Lead = 1
	r.leadOne = lone(p)
	if r.fewPlaces = r.lone; registers > 0 {
		r.fewPlaces, r.allPlaces = lone(withPlaces(registers+1)), all(withPlaces(4*registers+2))
	}
	return r
}

// loneRate is the rate of a lone sender by the formula of docs/links.md.
func loneRate(registers float64, lead, places float64) float64 {
	return min(1, places/(2*registers+1), lead/(registers+1))
}

// check adds a broadcast that takes other cycles than the page states, and rates that are not those of the formula, to a report.
func (r *linkRate) check(to *report) {
	if r.broadcast != r.rightBroadcast {
		to.contradict("%s, L = %d: a broadcast takes %d cycles, and the page states %d", r.machine, r.registers, r.broadcast, r.rightBroadcast)
	}
	n := float64(r.registers)
	for _, rate := range []struct {
		what         string
		measured     float64
		lead, places float64
	}{{"", r.lone, n + 1, 2*n + 1}, {" with a lead of 1", r.leadOne, 1, 2*n + 1}, {" with L + 1 places", r.fewPlaces, n + 1, n + 1}} {
		if want := loneRate(n, rate.lead, rate.places); math.Abs(rate.measured-want) > 0.01 {
			to.contradict("%s, L = %d: a lone sender%s injects %.3f messages in a cycle, and the formula gives %.3f", r.machine, r.registers, rate.what, rate.measured, want)
		}
	}
}

// linkSeries are the figures of the picture.
var linkSeries = []struct {
	text, colour string
	value        func(linkRate) float64
	formula      func(registers float64) float64 // nil: none
}{
	{"lone sender", "#0072b2", func(r linkRate) float64 { return r.lone }, func(n float64) float64 { return loneRate(n, n+1, 2*n+1) }},
	{"lone sender, L + 1 places", "#e69f00", func(r linkRate) float64 { return r.fewPlaces }, func(n float64) float64 { return loneRate(n, n+1, n+1) }},
	{"lone sender, lead 1", "#009e73", func(r linkRate) float64 { return r.leadOne }, func(n float64) float64 { return loneRate(n, 1, 2*n+1) }},
	{"all nodes", "#d55e00", func(r linkRate) float64 { return r.all }, nil},
}

// drawLinks draws a panel for each machine: rates by L, and the formula as lines.
func drawLinks(rates []linkRate) []byte {
	const (
		panelWidth, panelHeight     = 300., 180.
		left, top, gap, right, foot = 50., 70., 60., 20., 44.
		radius                      = 4.
		legendEntry                 = 180.
		step                        = 0.25 // of L, along lines
	)
	var machines []string
	most := 0
	for _, r := range rates {
		if len(machines) == 0 || machines[len(machines)-1] != r.machine {
			machines = append(machines, r.machine)
		}
		most = max(most, r.registers)
	}
	width := left + float64(len(machines))*(panelWidth+gap) - gap + right
	p := svg.New(max(width, left+float64(len(linkSeries))*legendEntry), top+panelHeight+foot, "Rates by registers on links",
		"Rates of a lone sender and of all nodes by the number L of registers on each link; lines are the formula, and the figures are in the table")
	for i, s := range linkSeries {
		key(p, svg.Point{X: left + float64(i)*legendEntry, Y: 24}, radius, s.colour, s.text)
	}
	for i, machine := range machines {
		x := left + float64(i)*(panelWidth+gap)
		rate := axis{low: 0, high: 1.05, from: top + panelHeight, to: top}
		along := axis{low: -0.3, high: float64(most) + 0.3, from: x, to: x + panelWidth}
		p.Text(svg.Point{X: x, Y: top - 12}, svg.Start, "", machine+": rate, 1 is the most that is possible")
		rate.across(p, x, x+panelWidth, "%.1f", 0, 0.2, 0.4, 0.6, 0.8, 1)
		p.Text(svg.Point{X: x + panelWidth/2, Y: top + panelHeight + 34}, svg.Middle, "", "L, registers on each link")
		for _, s := range linkSeries {
			if s.formula == nil {
				continue
			}
			path := ""
			for n := 0.; n <= float64(most); n += step {
				path += fmt.Sprintf("L%s %s", svg.N(along.at(n)), svg.N(rate.at(s.formula(n))))
			}
			p.Add(`<path d="M%s" fill="none" stroke="%s" stroke-dasharray="4 3"/>`, path[1:], s.colour)
		}
		for _, r := range rates {
			if r.machine != machine {
				continue
			}
			p.Text(svg.Point{X: along.at(float64(r.registers)), Y: top + panelHeight + 16}, svg.Middle, "", fmt.Sprint(r.registers))
			for _, s := range linkSeries {
				dot(p, svg.Point{X: along.at(float64(r.registers)), Y: rate.at(s.value(r))}, radius, s.colour, fmt.Sprintf("%s, L = %d, %s: %.3f", r.machine, r.registers, s.text, s.value(r)))
			}
		}
	}
	return p.Bytes()
}
