// SPDX-License-Identifier: Apache-2.0

// Package campaign draws machines at random, takes each through generation, lint and
// simulation against the reference model, and shrinks one that fails to the smallest
// that still does.
package campaign

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// Machine is a description, as a user could write it.
type Machine struct {
	Name        string
	Dimensions  []Dimension // dimension 1 first
	PayloadBits int
	SourceID    bool
	Destination bool
	Last        bool
	Barrier     bool
	Preference  string // "" is the default, clockwise
	FIFODepth   int    // 0 is the default
	Stages      int    // 0 is the default
	Delivery    string // "" is the default, merged
	Network     bool   // generate the network top
	Traffic     []Traffic
	Synthesis   []Synthesis

	Programmable *machine.Programmable // nil: specialized routers; not changed in place
}

// Dimension is one ring.
type Dimension struct {
	Name   string
	M, Rho int
}

// Traffic is one workload; it has scheduled messages, random load, or both.
type Traffic struct {
	Name       string
	Cycles     int
	Broadcasts []Broadcast
	Sends      []Send // none without destinations
	Random     *Random
	Stalls     []Stall
}

// Broadcast is one message of a node.
type Broadcast struct {
	Source []int // digits, dimension 1 first
	At     int
}

// Send is one message to a destination.
type Send struct {
	From []int // digits, dimension 1 first
	To   []int // likewise, with hypercycle.All
	At   int
	Last bool
}

// Random is random load; probabilities in percent.
type Random struct {
	Sources     [][]int // digits, dimension 1 first; nil: all nodes
	Rate, Stall int
	Seed        int64
	Pattern     string // "" is the default
	Broadcasts  int    // of another pattern than that of broadcasts
	Hot         []int  // digits, dimension 1 first, of a hot spot; nil is the default
	Share       int    // of a hot spot; 0 is the default
}

// Synthesis is one target.
type Synthesis struct {
	Name, Device, Package string
	ClockMHz              int
	Seeds                 []int
}

// nodes returns N, and the degree of the routers.
func (m *Machine) nodes() (nodes, degree int) {
	nodes = 1
	for _, d := range m.Dimensions {
		nodes *= d.M
		degree += hypercycle.Dimension{M: d.M, Rho: d.Rho}.Degree()
	}
	return nodes, degree
}

func (m *Machine) clone() *Machine {
	c := *m
	c.Dimensions = slices.Clone(m.Dimensions)
	c.Synthesis = slices.Clone(m.Synthesis)
	c.Traffic = slices.Clone(m.Traffic)
	for i := range c.Traffic {
		t := &c.Traffic[i]
		t.Broadcasts = slices.Clone(t.Broadcasts)
		for j := range t.Broadcasts {
			t.Broadcasts[j].Source = slices.Clone(t.Broadcasts[j].Source)
		}
		t.Sends = slices.Clone(t.Sends)
		for j := range t.Sends {
			s := &t.Sends[j]
			s.From, s.To = slices.Clone(s.From), slices.Clone(s.To)
		}
		if t.Random != nil {
			r := *t.Random
			r.Hot = slices.Clone(r.Hot)
			r.Sources = slices.Clone(r.Sources)
			for j := range r.Sources {
				r.Sources[j] = slices.Clone(r.Sources[j])
			}
			t.Random = &r
		}
		t.Stalls = slices.Clone(t.Stalls)
		for j := range t.Stalls {
			t.Stalls[j].Receiver = slices.Clone(t.Stalls[j].Receiver)
		}
	}
	return &c
}

// written is an address or a destination as descriptions have it, highest dimension first.
func written(digits []int) []any {
	var list []any
	for _, d := range slices.Backward(digits) {
		if d == hypercycle.All {
			list = append(list, "*")
		} else {
			list = append(list, d)
		}
	}
	return list
}

// text prints an address or a destination.
func text(digits []int) string {
	var s []string
	for _, d := range written(digits) {
		s = append(s, fmt.Sprintf("%#v", d))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// fraction prints a percentage as a fraction of 1.
func fraction(percent int) float64 { return float64(percent) / 100 }

// HCL returns the text of the description.
func (m *Machine) HCL() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("machine %q {", m.Name)
	if !m.Network {
		p("  network = false")
	}
	for _, d := range m.Dimensions {
		p("  dimension %q {\n    m   = %d\n    rho = %d\n  }", d.Name, d.M, d.Rho)
	}
	p("  message {\n    payload_bits = %d\n    source_id    = %t\n    destination  = %t\n    last         = %t\n  }",
		m.PayloadBits, m.SourceID, m.Destination, m.Last)
	if m.Preference != "" || m.FIFODepth > 0 || m.Stages > 0 || m.Delivery != "" || m.Barrier || m.Programmable != nil {
		p("  router {")
		if m.Preference != "" {
			p("    preference = %q", m.Preference)
		}
		if m.FIFODepth > 0 {
			p("    fifo_depth = %d", m.FIFODepth)
		}
		if l := m.Programmable; l != nil {
			p("    kind           = \"programmable\"\n    config_bus     = %q\n    max_dimensions = %d\n    max_nodes      = %d\n    max_degree     = %d",
				l.Bus, l.MaxDimensions, l.MaxNodes, l.MaxDegree)
		}
		if m.Stages > 0 {
			p("    stages = %d", m.Stages)
		}
		if m.Delivery != "" {
			p("    delivery = %q", m.Delivery)
		}
		if m.Barrier {
			p("    barrier = true")
		}
		p("  }")
	}
	p("}")
	for _, t := range m.Traffic {
		p("traffic %q {\n  cycles = %d", t.Name, t.Cycles)
		if len(t.Broadcasts) > 0 {
			var sources, at []string
			for _, c := range t.Broadcasts {
				sources, at = append(sources, text(c.Source)), append(at, strconv.Itoa(c.At))
			}
			p("  broadcast {\n    sources = [%s]\n    at      = [%s]\n  }", strings.Join(sources, ", "), strings.Join(at, ", "))
		}
		for _, s := range t.Sends {
			p("  send {\n    from = %s\n    to   = %s\n    at   = %d", text(s.From), text(s.To), s.At)
			if s.Last {
				p("    last = true")
			}
			p("  }")
		}
		if r := t.Random; r != nil {
			p("  random {\n    rate  = %v\n    stall = %v\n    seed  = %d", fraction(r.Rate), fraction(r.Stall), r.Seed)
			if r.Sources != nil {
				var sources []string
				for _, s := range r.Sources {
					sources = append(sources, text(s))
				}
				p("    sources = [%s]", strings.Join(sources, ", "))
			}
			if r.Pattern != "" {
				p("    pattern = %q", r.Pattern)
			}
			if r.Broadcasts > 0 {
				p("    broadcasts = %v", fraction(r.Broadcasts))
			}
			if r.Hot != nil {
				p("    hot = %s", text(r.Hot))
			}
			if r.Share > 0 {
				p("    share = %v", fraction(r.Share))
			}
			p("  }")
		}
		for _, s := range t.Stalls {
			p("  stall {\n    receivers = [%s]\n    at        = %d", text(s.Receiver), s.At)
			if s.Cycles > 0 {
				p("    cycles    = %d", s.Cycles)
			}
			p("  }")
		}
		p("}")
	}
	for _, s := range m.Synthesis {
		p("synthesis %q {\n  device    = %q\n  package   = %q\n  clock_mhz = %d\n  seeds     = %s\n}",
			s.Name, s.Device, s.Package, s.ClockMHz, strings.ReplaceAll(fmt.Sprint(s.Seeds), " ", ", "))
	}
	return b.String()
}

// JSON returns the same description in the JSON variant.
func (m *Machine) JSON() string {
	type object = map[string]any
	body := object{
		"network": m.Network,
		"message": object{"payload_bits": m.PayloadBits, "source_id": m.SourceID, "destination": m.Destination, "last": m.Last},
	}
	var dimensions []object
	for _, d := range m.Dimensions {
		dimensions = append(dimensions, object{d.Name: object{"m": d.M, "rho": d.Rho}})
	}
	body["dimension"] = dimensions
	router := object{}
	if m.Preference != "" {
		router["preference"] = m.Preference
	}
	if m.FIFODepth > 0 {
		router["fifo_depth"] = m.FIFODepth
	}
	if l := m.Programmable; l != nil {
		router["kind"], router["config_bus"] = "programmable", l.Bus
		router["max_dimensions"], router["max_nodes"], router["max_degree"] = l.MaxDimensions, l.MaxNodes, l.MaxDegree
	}
	if m.Stages > 0 {
		router["stages"] = m.Stages
	}
	if m.Delivery != "" {
		router["delivery"] = m.Delivery
	}
	if m.Barrier {
		router["barrier"] = true
	}
	if len(router) > 0 {
		body["router"] = router
	}
	var traffic, synthesis []object
	for _, t := range m.Traffic {
		o := object{"cycles": t.Cycles}
		if len(t.Broadcasts) > 0 {
			var sources [][]any
			var at []int
			for _, c := range t.Broadcasts {
				sources, at = append(sources, written(c.Source)), append(at, c.At)
			}
			o["broadcast"] = object{"sources": sources, "at": at}
		}
		var sends []object
		for _, s := range t.Sends {
			sends = append(sends, object{"from": written(s.From), "to": written(s.To), "at": s.At, "last": s.Last})
		}
		if len(sends) > 0 {
			o["send"] = sends
		}
		if r := t.Random; r != nil {
			random := object{"rate": fraction(r.Rate), "stall": fraction(r.Stall), "seed": r.Seed}
			if r.Sources != nil {
				var sources [][]any
				for _, s := range r.Sources {
					sources = append(sources, written(s))
				}
				random["sources"] = sources
			}
			if r.Pattern != "" {
				random["pattern"] = r.Pattern
			}
			if r.Broadcasts > 0 {
				random["broadcasts"] = fraction(r.Broadcasts)
			}
			if r.Hot != nil {
				random["hot"] = written(r.Hot)
			}
			if r.Share > 0 {
				random["share"] = fraction(r.Share)
			}
			o["random"] = random
		}
		var stalls []object
		for _, s := range t.Stalls {
			stall := object{"receivers": [][]any{written(s.Receiver)}, "at": s.At}
			if s.Cycles > 0 {
				stall["cycles"] = s.Cycles
			}
			stalls = append(stalls, stall)
		}
		if len(stalls) > 0 {
			o["stall"] = stalls
		}
		traffic = append(traffic, object{t.Name: o})
	}
	for _, s := range m.Synthesis {
		synthesis = append(synthesis, object{s.Name: object{"device": s.Device, "package": s.Package, "clock_mhz": s.ClockMHz, "seeds": s.Seeds}})
	}
	whole := object{"machine": object{m.Name: body}}
	if traffic != nil {
		whole["traffic"] = traffic
	}
	if synthesis != nil {
		whole["synthesis"] = synthesis
	}
	text, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		panic(err) // only plain values
	}
	return string(text) + "\n"
}

// Sizes of the machines that are drawn.
const (
	networkNodes = 24    // with a network top,
	networkPorts = 96    // whose bench takes long to compile beyond
	arrayNodes   = 300   // without one, all of it simulated
	aloneNodes   = 40000 // a router alone
)

// names are legal, and what a tool could take for something else.
var names = []string{"a", "Z9_z", "clk1", "router", "network", "node0", "rtl", "all", "clean", "SUFFIXES", "main", "std", "top",
	"x_q", "E", "TOP", "bench", "makefile", "N0", strings.Repeat("long", 16), "i386", "NULL1", "linux", "unix", "errno", "EOF", "assertion"}

// Draw returns the machine with this number of the campaign with this seed.
func Draw(seed, number uint64) *Machine {
	r := rand.New(rand.NewPCG(seed, number))
	for {
		if m := draw(r); m != nil {
			return m
		}
	}
}

// one returns one of the values.
func one[T any](r *rand.Rand, values []T) T { return values[r.IntN(len(values))] }

// draw returns nil if the dimensions that it happens to draw make no machine.
func draw(r *rand.Rand) *Machine {
	m := &Machine{Name: name(r), Network: true}
	limit := networkNodes
	switch k := r.IntN(20); {
	case k < 3:
		m.Network, limit = false, networkNodes
	case k < 6:
		m.Network, limit = false, arrayNodes
	case k < 7:
		m.Network, limit = false, aloneNodes
	}
	for range 1 + r.IntN(5) {
		n, _ := m.nodes()
		if limit/n < 2 {
			break
		}
		size := 2 + min(r.IntN(min(limit/n, 40)-1), r.IntN(min(limit/n, 40)-1)) // small ones are more often
		if limit == aloneNodes && r.IntN(4) == 0 {
			size = 2 + r.IntN(limit/n-1)
		}
		d := Dimension{Name: unused(r, len(m.Dimensions), func(s string) bool {
			return slices.ContainsFunc(m.Dimensions, func(d Dimension) bool { return strings.EqualFold(d.Name, s) })
		}), M: size, Rho: 1}
		if most := min(size/2, hypercycle.MaxDegree/2); r.IntN(3) > 0 {
			d.Rho = 1 + r.IntN(most)
		}
		m.Dimensions = append(m.Dimensions, d)
		if _, degree := m.nodes(); degree > hypercycle.MaxDegree {
			m.Dimensions = m.Dimensions[:len(m.Dimensions)-1]
		}
	}
	if len(m.Dimensions) == 0 {
		return nil
	}
	if n, degree := m.nodes(); m.Network && n*degree > networkPorts {
		m.Network = false
	}
	m.PayloadBits = one(r, []int{1, 1 + r.IntN(8), 1 + r.IntN(40), 1 + r.IntN(40), 32, 64, 1 + r.IntN(200)})
	if r.IntN(40) == 0 {
		m.PayloadBits = machine.MaxPayloadBits
	}
	m.SourceID = r.IntN(2) == 0
	m.Preference = one(r, []string{"", "clockwise", "counterclockwise", "balanced", "balanced"})
	m.FIFODepth = one(r, []int{0, 0, machine.MinFIFODepth, 3, 4, machine.MaxFIFODepth,
		machine.MinFIFODepth + r.IntN(machine.MaxFIFODepth-machine.MinFIFODepth+1)})
	for range 1 + r.IntN(3) {
		m.Traffic = append(m.Traffic, m.drawTraffic(r))
	}
	m.stallSomewhere(r)
	for range r.IntN(3) {
		device := one(r, machine.Devices())
		s := Synthesis{Name: unused(r, len(m.Synthesis), func(s string) bool {
			return slices.ContainsFunc(m.Synthesis, func(o Synthesis) bool { return strings.EqualFold(o.Name, s) })
		}), Device: device, Package: one(r, machine.Packages(device)), ClockMHz: 1 + r.IntN(machine.MaxClockMHz)}
		for i := range 1 + r.IntN(3) {
			s.Seeds = append(s.Seeds, 10*i+r.IntN(10))
		}
		m.Synthesis = append(m.Synthesis, s)
	}
	// last, so that the rest is as it was before there were these
	m.Stages = one(r, []int{0, 0, 1, 2, 2, 2})
	m.Delivery = one(r, []string{"", "", "merged", "per_port", "per_port", "per_port"})
	m.drawProgrammable(r)
	m.drawAddressed(r)
	m.drawStalls(r)
	return m
}

func name(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return one(r, names)
	}
	return fmt.Sprintf("m%d", r.IntN(1000))
}

// unused returns a name that is not in use.
func unused(r *rand.Rand, already int, used func(string) bool) string {
	if s := name(r); !used(s) {
		return s
	}
	return fmt.Sprintf("n%d", already)
}

// stallSomewhere makes receivers stall in one workload at least: without that the
// simulation says little.
func (m *Machine) stallSomewhere(r *rand.Rand) {
	for _, t := range m.Traffic {
		if t.Random != nil && t.Random.Stall >= 10 && t.Random.Rate >= 10 {
			return
		}
	}
	m.Traffic[0].Random = &Random{Rate: 10 + r.IntN(91), Stall: 10 + r.IntN(80), Seed: r.Int64N(1000)}
}

func (m *Machine) drawTraffic(r *rand.Rand) Traffic {
	n, _ := m.nodes()
	longest := 1500
	if n > networkNodes {
		longest = 300
	}
	if n > arrayNodes {
		longest = 60
	}
	t := Traffic{Cycles: 1 + r.IntN(longest), Name: unused(r, len(m.Traffic), func(s string) bool {
		return slices.Contains([]string{"router", "alone", "array"}, strings.ToLower(s)) ||
			slices.ContainsFunc(m.Traffic, func(t Traffic) bool { return strings.EqualFold(t.Name, s) })
	})}
	if r.IntN(2) == 0 {
		t.Random = &Random{
			Rate:  one(r, []int{0, 1 + r.IntN(10), 1 + r.IntN(100), 100}),
			Stall: one(r, []int{0, r.IntN(100), r.IntN(100), 90 + r.IntN(10)}),
			Seed:  one(r, []int64{0, r.Int64N(1000), 1<<63 - 1}),
		}
	}
	for t.Random == nil && len(t.Broadcasts) == 0 || len(t.Broadcasts) < 8 && r.IntN(2) == 0 {
		t.Broadcasts = append(t.Broadcasts, Broadcast{At: r.IntN(t.Cycles), Source: m.drawNode(r)})
	}
	return t
}

// drawNode draws an address.
func (m *Machine) drawNode(r *rand.Rand) (digits []int) {
	for _, d := range m.Dimensions {
		digits = append(digits, r.IntN(d.M))
	}
	return digits
}
