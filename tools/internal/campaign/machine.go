// SPDX-License-Identifier: Apache-2.0

// Package campaign draws machines at random, takes each through generation, lint and
// simulation against the reference model, and shrinks a failing machine to the smallest
// that still fails.
package campaign

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	NodeErrors  bool   // of a network top
	Scope       bool   // deliver_destination, of a machine with destinations
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

// Sizes of the machines that are drawn.
const (
	networkNodes = 24    // with a network top,
	networkPorts = 96    // whose bench takes long to compile beyond
	arrayNodes   = 300   // without one, all of it simulated
	aloneNodes   = 40000 // a router alone
)

// names are legal, but a tool could misread them.
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

// pick returns a random value of the list.
func pick[T any](r *rand.Rand, values []T) T { return values[r.IntN(len(values))] }

// draw returns nil if the drawn dimensions make no machine.
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
	m.PayloadBits = pick(r, []int{1, 1 + r.IntN(8), 1 + r.IntN(40), 1 + r.IntN(40), 32, 64, 1 + r.IntN(200)})
	if r.IntN(40) == 0 {
		m.PayloadBits = machine.MaxPayloadBits
	}
	m.SourceID = r.IntN(2) == 0
	m.Preference = pick(r, []string{"", "clockwise", "counterclockwise", "balanced", "balanced"})
	m.FIFODepth = pick(r, []int{0, 0, machine.MinFIFODepth, 3, 4, machine.MaxFIFODepth,
		machine.MinFIFODepth + r.IntN(machine.MaxFIFODepth-machine.MinFIFODepth+1)})
	for range 1 + r.IntN(3) {
		m.Traffic = append(m.Traffic, m.drawTraffic(r))
	}
	m.stallSomewhere(r)
	for range r.IntN(3) {
		device := pick(r, machine.Devices())
		s := Synthesis{Name: unused(r, len(m.Synthesis), func(s string) bool {
			return slices.ContainsFunc(m.Synthesis, func(o Synthesis) bool { return strings.EqualFold(o.Name, s) })
		}), Device: device, Package: pick(r, machine.Packages(device)), ClockMHz: 1 + r.IntN(machine.MaxClockMHz)}
		for i := range 1 + r.IntN(3) {
			s.Seeds = append(s.Seeds, 10*i+r.IntN(10))
		}
		m.Synthesis = append(m.Synthesis, s)
	}
	// last, so that the other draws do not depend on these
	m.Stages = pick(r, []int{0, 0, 1, 2, 2, 2})
	m.Delivery = pick(r, []string{"", "", "merged", "per_port", "per_port", "per_port"})
	m.drawProgrammable(r)
	m.drawAddressed(r)
	m.drawStalls(r)
	m.NodeErrors = m.Network && r.IntN(3) == 0
	m.Scope = m.Destination && r.IntN(2) == 0
	return m
}

func name(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return pick(r, names)
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

// stallSomewhere makes receivers stall in at least one workload: without stalls the simulation tests
// little.
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
			Rate:  pick(r, []int{0, 1 + r.IntN(10), 1 + r.IntN(100), 100}),
			Stall: pick(r, []int{0, r.IntN(100), r.IntN(100), 90 + r.IntN(10)}),
			Seed:  pick(r, []int64{0, r.Int64N(1000), 1<<63 - 1}),
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
