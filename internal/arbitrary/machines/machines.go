// SPDX-License-Identifier: Apache-2.0

// Package machines draws random machines with rapid. Zeros are the simplest draws, and what a flag leaves out is
// drawn all the same: rapid shrinks by making numbers smaller, and the others then keep their meaning.
package machines

import (
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/machine"
)

// Draw draws a machine whose messages are broadcasts, with options of its router, and without traffic.
func Draw(t *rapid.T, l arbitrary.Limits) *machine.Machine {
	return options(t, arbitrary.Rings(t, l))
}

// options draws the options of the router of a machine of these rings.
func options(t *rapid.T, rings []hypercycle.Dimension) *machine.Machine {
	m := bare(rings)
	m.PayloadBits = upTo(t, 1, pick(t, "widest", 1, 8, 32, 64, 200, machine.MaxPayloadBits), "payload_bits")
	m.SourceID = rapid.Bool().Draw(t, "source_id")
	m.Preference = pick(t, "preference", hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced)
	m.FIFODepth = upTo(t, machine.MinFIFODepth, pick(t, "deepest", machine.MinFIFODepth, 4, machine.MaxFIFODepth), "fifo_depth")
	m.Stages = arbitrary.Number(t, machine.MinStages, machine.MaxStages, "stages")
	m.Delivery = pick(t, "delivery", machine.Merged, machine.PerPort)
	m.Barrier = rapid.Bool().Draw(t, "barrier")
	return m
}

// Registers draws registers on the way of the links of each dimension.
func Registers(t *rapid.T, m *machine.Machine) {
	for i := range m.Dimensions {
		m.Dimensions[i].Link = wires(t)
	}
}

// Chips draws links between chips for one dimension at least.
func Chips(t *rapid.T, m *machine.Machine) {
	last := len(m.Dimensions) - 1
	for i := range m.Dimensions {
		l := machine.Link{Kind: machine.Chips, WordBits: pick(t, "word_bits", 32, 64, 16, 8), Flight: pick(t, "flight", 16, 0, 1, 100, machine.MaxFlight), Silence: 4096}
		if rapid.Bool().Draw(t, "chips") || i == last && !m.Chips() {
			m.Dimensions[i].Link = l
		}
	}
}

// Endpoints gives a machine endpoints, and returns it as it is loaded.
func Endpoints(t *rapid.T, m *machine.Machine) *machine.Machine {
	withEndpoints(m, endpoint(t, 12))
	label(m, 0, false)
	loaded, _, diags := machine.LoadBytes("machine.hcl", m.HCL(), nil)
	if diags.HasErrors() {
		panic("machines: " + diags.Error()) // the rings and the options are legal
	}
	return loaded
}

// endpoint draws what each node has in place of its streams, with a memory of at most 2^most bytes.
func endpoint(t *rapid.T, most int) *machine.Endpoint {
	return &machine.Endpoint{
		Bus:         pick(t, "bus", machine.Wishbone, machine.AXI4Lite),
		AddressBits: arbitrary.Number(t, machine.MinMemoryBits, most, "address_bits"),
		Gets:        !oneIn(t, 3, "no gets"),
		Adds:        !oneIn(t, 3, "no adds"),
	}
}

// withEndpoints gives a machine endpoints and the options that they need.
func withEndpoints(m *machine.Machine, e *machine.Endpoint) {
	m.Endpoint, m.Network, m.Delivery = e, true, machine.Merged
	m.SourceID, m.Last, m.Scope = false, false, false
	m.Destination, m.Barrier, m.NodeErrors = true, true, true
	e.AddressBits -= max(0, m.BusBits()-machine.BusAddressBits)
	m.PayloadBits = e.PayloadBits()
}

// wires draws links on one clock, most often without registers.
func wires(t *rapid.T) machine.Link {
	return machine.Link{Registers: pick(t, "registers", 0, 0, 0, 1, 2, 3, 8)}
}

func bare(rings []hypercycle.Dimension) *machine.Machine {
	m, err := machine.Bare(rings...)
	if err != nil {
		panic("machines: " + err.Error()) // the rings are legal
	}
	return m
}

// pick draws one of several values; the first is the simplest.
func pick[T any](t *rapid.T, label string, values ...T) T {
	return values[arbitrary.Number(t, 0, len(values)-1, label)]
}

// upTo draws a number from lo to hi, more often a small one or hi.
func upTo(t *rapid.T, lo, hi int, label string) int {
	return min(hi, arbitrary.Number(t, lo, hi+(hi-lo)/4, label))
}

// oneIn draws a truth value that is true once in n draws.
func oneIn(t *rapid.T, n int, label string) bool { return arbitrary.Number(t, 0, n-1, label) == n-1 }

// Sizes of the machines that are described. Small and medium machines have a network top, unless its bench takes long to compile.
// The others have none: they are simulated as an array of routers, or are too large for that.
const (
	small = iota
	medium
	routers
	array
	alone
)

// Numbers of nodes, and the largest number of ports of all nodes of a network top.
const (
	NetworkNodes = 24
	ArrayNodes   = 300
	aloneNodes   = 40000
	networkPorts = 96
)

var sizes = [...]arbitrary.Limits{
	small: {Nodes: 12, Degree: 8}, medium: {Nodes: NetworkNodes}, routers: {Nodes: NetworkNodes}, array: {Nodes: ArrayNodes}, alone: {Nodes: aloneNodes, Ring: aloneNodes},
}

// rank is the largest number of dimensions.
const rank = 5

// programmablePorts is the largest number of ports of all nodes of a machine with programmable routers, which take much longer
// to simulate than specialized routers.
const programmablePorts = 48

// Described draws a whole description. The first draws decide the size, because rapid makes them smaller first, and smaller
// machines are checked in less time. A machine without synthesis blocks has the default one once it is loaded.
func Described() *rapid.Generator[*machine.Machine] {
	return rapid.Custom(func(t *rapid.T) *machine.Machine {
		size := pick(t, "size", small, small, small, small, medium, medium, medium, medium, routers, array, array, alone)
		limit := sizes[size]
		limit.Rank = rank
		most := func(label string) bool { return arbitrary.Number(t, 0, 9, label) > 0 }
		optional, stalls, names := most("options"), most("stalls"), most("names")
		rings, drawn := arbitrary.RingsWith(t, limit, link)
		m := options(t, rings)
		m.Network = size <= medium && m.Graph.Nodes()*m.Graph.Degree() <= networkPorts
		messages(t, m)
		links(m, drawn)
		programmable(t, m)
		wanted, e := oneIn(t, 6, "endpoint"), endpoint(t, machine.MaxMemoryBits)
		if wanted && m.Network && m.Programmable == nil && !m.Clocks() {
			withEndpoints(m, e)
		}
		if !optional {
			m = plain(m)
		}
		m.Traffic = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) machine.Traffic { return traffic(t, m) }), 1, 3).Draw(t, "traffic")
		if stalls {
			stall(&m.Traffic[0])
		}
		m.Synthesis = rapid.SliceOfN(rapid.Custom(synthesis), 0, 2).Draw(t, "synthesis")
		label(m, arbitrary.Number(t, 0, len(words)-1, "name"), names)
		return m
	})
}

// messages draws the options of messages and of the network.
func messages(t *rapid.T, m *machine.Machine) {
	m.Destination, m.Last = rapid.Bool().Draw(t, "destination"), oneIn(t, 3, "last")
	m.Scope = rapid.Bool().Draw(t, "deliver_destination") && m.Destination
	m.NodeErrors = oneIn(t, 3, "node_errors") && m.Network
}

// link draws the links of a dimension: on one clock, or now and then between clocks.
func link(t *rapid.T) machine.Link {
	if l := wires(t); !oneIn(t, 12, "clocks") {
		return l
	}
	return machine.Link{Kind: machine.Clocks}
}

// links gives each dimension its links. Only networks have several clocks: a router alone has one, and of the others just the lead.
func links(m *machine.Machine, drawn []machine.Link) {
	for i, l := range drawn {
		if l.Kind != machine.Clocks || m.Network {
			m.Dimensions[i].Link = l
		}
	}
}

// plain returns the machine without options.
func plain(m *machine.Machine) *machine.Machine {
	rings := make([]hypercycle.Dimension, len(m.Dimensions))
	for i, d := range m.Dimensions {
		rings[i] = d.Dimension
	}
	p := bare(rings)
	p.Network = m.Network
	return p
}

// programmable draws a programmable router for some of the machines that can have one, with limits at or a little above what
// they need.
func programmable(t *rapid.T, m *machine.Machine) {
	wanted := oneIn(t, 3, "programmable")
	p := &machine.Programmable{Bus: pick(t, "config_bus", machine.Wishbone, machine.AXI4Lite), MaxDimensions: len(m.Dimensions), MaxNodes: machine.LeastRing}
	for _, d := range m.Dimensions {
		p.MaxNodes = max(p.MaxNodes, d.M)
	}
	fits := p.MaxDimensions <= machine.MostDimensions && p.MaxNodes <= machine.MostRing && m.Graph.Nodes()*m.Graph.Degree() <= programmablePorts
	p.MaxDimensions = min(p.MaxDimensions+arbitrary.Number(t, 0, 1, "more dimensions"), machine.MostDimensions)
	p.MaxNodes = min(p.MaxNodes+arbitrary.Number(t, 0, 2, "more nodes"), machine.MostRing)
	p.MaxDegree = max(m.Graph.Degree(), p.MaxDimensions, min(p.MaxNodes-1, 2)) + arbitrary.Number(t, 0, 3, "more ports")
	p.MaxDegree = min(p.MaxDegree, p.MaxDimensions*(p.MaxNodes-1), machine.MostDegree)
	if wanted && fits {
		m.Programmable, m.FIFODepth, m.Stages, m.Delivery = p, machine.MinFIFODepth, machine.MinStages, machine.Merged
		m.Destination, m.Last, m.Barrier, m.Scope = false, false, false, false
		for i := range m.Dimensions {
			m.Dimensions[i].Link = machine.Link{}
		}
	}
}

// traffic draws a workload without a name.
func traffic(t *rapid.T, m *machine.Machine) machine.Traffic {
	nodes := m.Graph.Nodes()
	longest := 1500
	if nodes > NetworkNodes {
		longest = 300
	}
	if nodes > ArrayNodes {
		longest = 60
	}
	w := machine.Traffic{Cycles: arbitrary.Number(t, 1, longest, "cycles")}
	node := rapid.Custom(func(t *rapid.T) int { return arbitrary.Number(t, 0, nodes-1, "node") })
	w.Sends = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) machine.Send {
		s := machine.Send{From: node.Draw(t, "from"), At: arbitrary.Number(t, 0, w.Cycles-1, "at"), Last: rapid.Bool().Draw(t, "last") && m.Last}
		to := destination(t, m, s.From, node)
		if m.Destination {
			s.To = to
		}
		return s
	}), 0, 8).Draw(t, "sends")
	w.Stalls = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) machine.Stall {
		s := machine.Stall{Receivers: []int{node.Draw(t, "receiver")}, At: arbitrary.Number(t, 0, w.Cycles-1, "at")}
		s.Cycles = min(arbitrary.Number(t, 0, 40, "cycles"), w.Cycles-s.At)
		return s
	}), 0, 3).Draw(t, "stalls")
	slices.SortStableFunc(w.Sends, func(a, b machine.Send) int { return a.At - b.At })
	slices.SortStableFunc(w.Stalls, func(a, b machine.Stall) int { return a.At - b.At })
	some := rapid.Bool().Draw(t, "random")
	if random := random(t, m, node); some {
		w.Random = random
	} else if len(w.Sends) == 0 {
		w.Sends = []machine.Send{{}}
	}
	return w
}

// destination draws a destination with other nodes than the source; nil is all nodes.
func destination(t *rapid.T, m *machine.Machine, from int, node *rapid.Generator[int]) hypercycle.Destination {
	to, all := m.Graph.To(node.Draw(t, "to")), arbitrary.Number(t, 0, 31, "all")
	for i := range to {
		if all>>i&1 == 1 {
			to[i] = hypercycle.All
		}
	}
	if m.Graph.Nobody(to, from) {
		to[0] = hypercycle.All
	}
	if to.Broadcast() {
		return nil
	}
	return to
}

// random draws random load. Probabilities are in percent.
func random(t *rapid.T, m *machine.Machine, node *rapid.Generator[int]) *machine.Random {
	percent := func(label string, most int) float64 { return float64(arbitrary.Number(t, 0, most, label)) / 100 }
	r := &machine.Random{
		Rate:  percent("rate", pick(t, "load", 100, 10)),
		Stall: percent("stall", 99),
		Seed:  rapid.Int64Min(0).Draw(t, "seed"),
	}
	r.Sources = rapid.SliceOfNDistinct(node, 0, 3, rapid.ID).Draw(t, "sources")
	slices.Sort(r.Sources)
	if n := len(r.Sources); n == 0 || n == m.Graph.Nodes() {
		r.Sources = nil // all
	}
	pattern := pick(t, "pattern", machine.ToUniform, machine.ToAll, machine.ToHotSpot, machine.ToNeighbour, machine.ToRow, machine.ToTranspose)
	broadcasts, hot, share := percent("broadcasts", 100), node.Draw(t, "hot"), percent("share", 100)
	if !m.Destination {
		return r
	}
	if pattern == machine.ToTranspose && len(m.Dimensions) == 1 {
		pattern = machine.ToUniform
	}
	if r.Pattern = pattern; pattern != machine.ToAll {
		r.Broadcasts = broadcasts
	}
	if pattern == machine.ToHotSpot {
		r.Hot, r.Share = hot, share
	}
	return r
}

// stall makes receivers stall often and nodes send often: without stalls the simulation tests little.
func stall(t *machine.Traffic) {
	if t.Random == nil {
		t.Random = &machine.Random{Seed: 1}
	}
	t.Random.Rate, t.Random.Stall = max(t.Random.Rate, 0.1), max(t.Random.Stall, 0.1)
}

// synthesis draws a target without a name.
func synthesis(t *rapid.T) machine.Synthesis {
	family := fpga.Named(pick(t, "family", fpga.Names()...))
	s := machine.Synthesis{Family: family.Name, Device: pick(t, "device", family.DeviceNames()...), ClockMHz: float64(arbitrary.Number(t, 1, machine.MaxClockMHz, "clock_mhz"))}
	packages := family.Packages(s.Device)
	s.Package = packages[arbitrary.Number(t, 0, 10, "package")%len(packages)]
	s.Seeds = rapid.SliceOfNDistinct(rapid.IntRange(0, 1000), 1, 3, rapid.ID).Draw(t, "seeds")
	return s
}

// words are legal names, but a tool could misread them. They differ also for file systems that do not distinguish upper and
// lower case.
var words = []string{"a", "Z9_z", "clk1", "router", "network", "node0", "rtl", "all", "clean", "SUFFIXES", "main", "std", "top",
	"x_q", "E", "bench", "makefile", "N0", strings.Repeat("long", machine.MaxNameLength/4), "i386", "NULL1", "linux", "unix", "errno", "EOF", "assertion"}

// label names the parts of a machine, with words from the given one on, or plainly.
func label(m *machine.Machine, first int, odd bool) {
	name := func(i int) string {
		if odd {
			return words[(first+i)%len(words)]
		}
		return string(rune('a' + i))
	}
	m.Name = name(0)
	for i := range m.Dimensions {
		m.Dimensions[i].Name = name(i)
	}
	for i := range m.Traffic {
		if m.Traffic[i].Name = name(i); m.Traffic[i].Name == "router" { // reserved
			m.Traffic[i].Name = "router" + strconv.Itoa(i)
		}
	}
	for i := range m.Synthesis {
		m.Synthesis[i].Name = name(i)
	}
}
