// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// Figures are the properties of a machine, as hcgen info prints them.
type Figures struct {
	Name            string             `json:"name"`
	Nodes           int                `json:"nodes"`
	Degree          int                `json:"degree"`
	Diameter        int                `json:"diameter"` // also the steps of every broadcast
	AverageDistance float64            `json:"average_distance"`
	Links           int                `json:"links"`                // undirected, full duplex
	Kind            string             `json:"kind"`                 // of the routers
	ConfigBus       string             `json:"config_bus,omitempty"` // only of programmable routers, as the limits
	MaxDimensions   int                `json:"max_dimensions,omitempty"`
	MaxNodes        int                `json:"max_nodes,omitempty"` // of a dimension
	MaxDegree       int                `json:"max_degree,omitempty"`
	Preference      string             `json:"preference"`
	FIFODepth       int                `json:"fifo_depth"` // slots of a hop: the output register and the slots of the link input; with two stages the input has one more
	Stages          int                `json:"stages"`     // cycles per hop
	Delivery        string             `json:"delivery"`   // merged or per_port
	Destination     bool               `json:"destination"`
	Last            bool               `json:"last"`
	Barrier         bool               `json:"barrier"`
	Clocks          int                `json:"clocks,omitempty"` // of the nodes, if they have several
	Chips           *ChipFigures       `json:"chips,omitempty"`  // missing if the machine is on one chip
	Endpoint        *EndpointFigures   `json:"endpoint,omitempty"`
	Lead            int                `json:"lead,omitempty"` // of the pace; only of machines whose links have a latency, as the others of links
	PaceBits        int                `json:"pace_bits,omitempty"`
	NodeErrors      bool               `json:"node_errors"`
	Dimensions      []DimensionFigures `json:"dimensions"`
	Ports           []PortFigures      `json:"ports"`
	TDestBits       int                `json:"tdest_bits"` // of the local input; 0 without destination
	LinkBits        int                `json:"link_bits"`  // the sum of the fields below
	WdBits          int                `json:"wd_bits"`
	WcBits          int                `json:"wc_bits"`
	SpreadBits      int                `json:"spread_bits"` // 0 without destination
	RouteBits       int                `json:"route_bits"`  // 0 without destination, or with one dimension
	ScopeBits       int                `json:"scope_bits"`  // 0 without deliver_destination
	LastBits        int                `json:"last_bits"`   // 0 without tlast
	SourceBits      int                `json:"source_bits"` // 0 without source id
	PayloadBits     int                `json:"payload_bits"`
	RouterModule    string             `json:"router_module"`            // empty with routers = false, as the figures of routers are
	NetworkModule   string             `json:"network_module,omitempty"` // missing if no network is generated
	Traffic         []string           `json:"traffic"`

	Collectives []CollectiveFigures `json:"collectives,omitempty"`

	Synthesis  []string `json:"synthesis"`
	ConfigHash string   `json:"config_hash"`
}

// EndpointFigures are those of the endpoints of a machine.
type EndpointFigures struct {
	Bus         string `json:"bus"`
	BusBits     int    `json:"bus_address_bits"`
	MemoryBytes int    `json:"memory_bytes"` // of a node
	Gets        bool   `json:"gets"`
	Adds        bool   `json:"adds"`
	Module      string `json:"module"`
	System      string `json:"system_module"`
	Timeout     int    `json:"timeout,omitempty"`      // of an access, in cycles; only on several chips
	Board       string `json:"board_module,omitempty"` // alike
}

// ChipFigures are those of the chips of a machine.
type ChipFigures struct {
	Chips  int            `json:"chips"`
	Nodes  int            `json:"nodes"` // of a chip
	Bits   int            `json:"bits"`  // of the input chip
	Hash   string         `json:"hash"`  // of the machine, in hello frames, in hexadecimal digits
	Module string         `json:"module"`
	Cables []CableFigures `json:"cables"` // of a chip
}

// CableFigures are those of a cable of a chip. docs/chips.md defines them.
type CableFigures struct {
	Index      int `json:"index"` // of the port
	Dimension  int `json:"dimension"`
	Opposite   int `json:"opposite"` // cable of the neighbour
	Step       int `json:"step"`     // to the digit of the neighbour, modulo m
	WordBits   int `json:"word_bits"`
	Flight     int `json:"flight"`
	Silence    int `json:"silence"`
	Words      int `json:"frame_words"` // K
	NumberBits int `json:"number_bits"` // n
	FreedBits  int `json:"freed_bits"`  // f
	Latency    int `json:"latency"`     // in cycles
	Lead       int `json:"lead"`
}

func newChipFigures(c *Chips) *ChipFigures {
	if c == nil {
		return nil
	}
	f := &ChipFigures{Chips: c.Count, Nodes: c.Places, Bits: c.Bits, Hash: fmt.Sprintf("%08x", c.Hash), Module: c.Module}
	for _, q := range c.Cables {
		f.Cables = append(f.Cables, CableFigures{
			Index: q.Index, Dimension: q.Dimension, Opposite: q.Opposite, Step: q.Step, WordBits: q.WordBits, Flight: q.Flight, Silence: q.Silence,
			Words: q.Words, NumberBits: q.NumberBits, FreedBits: q.FreedBits, Latency: q.Latency, Lead: q.Lead,
		})
	}
	return f
}

// CollectiveFigures are those of a collective network.
type CollectiveFigures struct {
	Name          string `json:"name"`
	Operation     string `json:"operation"`
	Words         string `json:"words,omitempty"` // one: an all-reduce of one word per node
	Operator      string `json:"operator,omitempty"`
	PayloadBits   int    `json:"payload_bits"`
	Algorithm     string `json:"algorithm"` // of the schedule, or its file
	Steps         int    `json:"steps"`
	Bound         int    `json:"bound"`                   // no schedule has fewer steps
	Period        int    `json:"period"`                  // cycles from a start to the end of the operation, and to the next start unless operations take turns
	Turns         int    `json:"turns,omitempty"`         // operations that take turns; absent if one ends before the next begins
	Chunk         int    `json:"chunk_bits,omitempty"`    // only of reductions
	Cycles        int    `json:"cycles"`                  // from a start to the last results
	MHz           int    `json:"estimated_mhz,omitempty"` // on an iCE40 HX8K; only of reductions with an operator of hcgen
	NS            int    `json:"estimated_ns,omitempty"`  // of one operation at that clock
	Waiting       int    `json:"waiting"`                 // values that wait in registers of a node, the most of any node
	Sources       []int  `json:"sources"`                 // that a node selects between in front of each port, the most of any node
	NetworkModule string `json:"network_module"`

	Vectors *VectorFigures `json:"vectors,omitempty"`
}

// VectorFigures are those of the memories of a collective network. An operation on vectors of n words takes n CyclesPerWord + MoreCycles.
type VectorFigures struct {
	Words         int    `json:"words"`           // V, the most words of a vector
	Banks         int    `json:"banks"`           // of a node, the most of any node
	MemoryBits    int    `json:"memory_bits"`     // of a node, the most of any node
	CyclesPerWord int    `json:"cycles_per_word"` // P
	MoreCycles    int    `json:"more_cycles"`     // E + 2
	Module        string `json:"module"`
}

// DimensionFigures are the figures of a dimension.
type DimensionFigures struct {
	Name   string `json:"name"`
	M      int    `json:"m"`
	Rho    int    `json:"rho"`
	D      int    `json:"D"`
	A      int    `json:"a"`
	K      int    `json:"k"`
	Degree int    `json:"degree"`

	Link *LinkFigures `json:"link,omitempty"`
}

// LinkFigures are the figures of the links of a dimension.
type LinkFigures struct {
	Registers *int   `json:"registers,omitempty"` // on the way; nil between clocks and between chips
	Queue     string `json:"queue"`               // wire, slices, credits, clocks or chips; registers in a machine without routers
	Places    int    `json:"places"`              // words that a link holds in each direction
}

// Count is the number of registers in words, - between clocks and between chips.
func (l *LinkFigures) Count() string {
	if l.Registers == nil {
		return "-"
	}
	return strconv.Itoa(*l.Registers)
}

// PortFigures are the figures of a port of a router.
type PortFigures struct {
	Index     int    `json:"index"`
	Dimension int    `json:"dimension"` // 1..r
	Direction string `json:"direction"`
	Distance  int    `json:"distance"`
	Weight    int    `json:"weight"` // of a broadcast entering the port; 0: none enters
}

// Figures collects the figures of the machine.
func (p *Plan) Figures() *Figures {
	m := p.Machine
	g := m.Graph
	i := &Figures{
		Name: p.Name, Nodes: p.Nodes, Degree: p.Degree, Diameter: g.Diameter(), AverageDistance: g.AverageDistance(), Links: g.Links(),
		Kind: m.Kind(), Preference: m.Preference.String(), FIFODepth: m.FIFODepth, Stages: m.Stages, Delivery: m.Delivery.String(),
		Destination: m.Destination, Last: m.Last, Barrier: m.Barrier, NodeErrors: m.NodeErrors,
		LinkBits: p.LinkBits, WdBits: p.WdBits, WcBits: p.WcBits, ScopeBits: p.ScopeBits, LastBits: p.LastBits, SourceBits: p.SourceBits, PayloadBits: p.PayloadBits,
		RouterModule: p.RouterModule, ConfigHash: m.Hash,
		Traffic: []string{}, Synthesis: []string{},
	}
	if r := m.Programmable; r != nil {
		i.ConfigBus, i.MaxDimensions, i.MaxNodes, i.MaxDegree = r.Bus, r.MaxDimensions, r.MaxNodes, r.MaxDegree
	}
	if d := p.Destination; d != nil {
		i.TDestBits, i.SpreadBits, i.RouteBits = d.TDestBits, 1, d.RouteBits
	}
	if m.Network {
		i.NetworkModule = p.NetworkModule
	}
	latency := p.Latency() > 0
	if m.Clocks() {
		i.Clocks = p.Regions()
	}
	i.Chips = newChipFigures(p.Chips)
	if e := p.Endpoint; e != nil {
		i.Endpoint = &EndpointFigures{e.Bus, e.BusBits, e.MemoryBytes(), e.Gets, e.Adds, e.Module, e.SystemModule, e.Timeout, e.BoardModule}
	}
	if latency {
		i.Lead, i.PaceBits = p.Lead, p.PaceBits
	}
	for _, d := range p.Dims {
		figures := DimensionFigures{Name: d.Name, M: d.M, Rho: d.Rho, D: d.D, A: d.A, K: d.K, Degree: g.Dimension(d.Index).Degree()}
		if latency {
			figures.Link = &LinkFigures{Queue: d.Queue.Kind(), Places: d.Queue.Places}
			if !d.Queue.Crosses() {
				figures.Link.Registers = &m.Dimensions[d.Index-1].Link.Registers
			}
		}
		i.Dimensions = append(i.Dimensions, figures)
	}
	for _, q := range p.Ports {
		i.Ports = append(i.Ports, PortFigures{Index: q.Index, Dimension: q.Dimension, Direction: q.Direction.String(), Distance: q.Distance, Weight: q.First})
	}
	if m.NoRouters {
		i.withoutRouters()
	}
	for _, t := range m.Traffic {
		i.Traffic = append(i.Traffic, t.Name)
	}
	for _, s := range m.Synthesis {
		i.Synthesis = append(i.Synthesis, s.Name)
	}
	return i
}

// withoutRouters clears what is about routers.
func (i *Figures) withoutRouters() {
	i.Kind, i.Preference, i.Delivery, i.RouterModule, i.NetworkModule = "", "", "", "", ""
	i.FIFODepth, i.Stages, i.LinkBits, i.WdBits, i.WcBits, i.PayloadBits = 0, 0, 0, 0, 0, 0
	i.Lead, i.PaceBits = 0, 0
	for _, d := range i.Dimensions {
		if q := d.Link; q != nil && *q.Registers > 0 { // those of collective networks
			q.Queue, q.Places = "registers", *q.Registers
		}
	}
	for n := range i.Ports {
		i.Ports[n].Weight = 0
	}
}

// AddCollectives adds the figures of the collective networks of the machine.
func (i *Figures) AddCollectives(networks []*Collective) {
	for _, p := range networks {
		i.Collectives = append(i.Collectives, p.Figures()...)
	}
}

// Row is a property of the machine as a whole: its name and its value.
type Row struct{ Name, Value string }

// Rows lists the figures of the machine as a whole, in words.
func (i *Figures) Rows() []Row {
	var fields []string
	for _, f := range []struct {
		name string
		bits int
	}{{"wd", i.WdBits}, {"wc", i.WcBits}, {"spread", i.SpreadBits}, {"route", i.RouteBits}, {"scope", i.ScopeBits}, {"last", i.LastBits}, {"source", i.SourceBits}, {"payload", i.PayloadBits}} {
		if f.bits > 0 {
			fields = append(fields, fmt.Sprintf("%s %d", f.name, f.bits))
		}
	}
	rows := []Row{
		{"machine", i.Name},
		{"nodes", strconv.Itoa(i.Nodes)},
		{"degree", strconv.Itoa(i.Degree)},
		{"diameter", strconv.Itoa(i.Diameter)},
		{"average distance", fmt.Sprintf("%.4g", i.AverageDistance)},
		{"links", strconv.Itoa(i.Links)},
	}
	if i.ConfigBus != "" {
		rows = append(rows, Row{"router", fmt.Sprintf("%s, %s, at most %d dimensions, %d nodes in each, %d ports",
			i.Kind, i.ConfigBus, i.MaxDimensions, i.MaxNodes, i.MaxDegree)})
	}
	if i.RouterModule == "" {
		return append(rows, Row{"routers", "none"})
	}
	rows = append(rows, Row{"preference", i.Preference}, Row{"fifo depth", strconv.Itoa(i.FIFODepth)},
		Row{"stages", strconv.Itoa(i.Stages)}, Row{"delivery", i.Delivery})
	if i.Destination {
		rows = append(rows, Row{"destination", fmt.Sprintf("tdest of %d bits", i.TDestBits)})
	}
	if i.Last {
		rows = append(rows, Row{"last", "tlast"})
	}
	if i.Barrier {
		rows = append(rows, Row{"barrier", "yes"})
	}
	if i.Clocks > 0 {
		rows = append(rows, Row{"clocks", strconv.Itoa(i.Clocks)})
	}
	if c := i.Chips; c != nil {
		rows = append(rows, Row{"chips", fmt.Sprintf("%d of %d nodes, hash %s", c.Chips, c.Nodes, c.Hash)})
	}
	if e := i.Endpoint; e != nil {
		text := fmt.Sprintf("%s, addresses of %d bits, memories of %d bytes", e.Bus, e.BusBits, e.MemoryBytes)
		if e.Timeout > 0 {
			text += fmt.Sprintf(", timeout of %d cycles", e.Timeout)
		}
		rows = append(rows, Row{"endpoints", text})
	}
	if i.Lead > 0 {
		rows = append(rows, Row{"lead", fmt.Sprintf("%d (pace of %d bits)", i.Lead, i.PaceBits)})
	}
	if i.NodeErrors {
		rows = append(rows, Row{"node errors", "yes"})
	}
	return append(rows, Row{"link bits", fmt.Sprintf("%d (%s)", i.LinkBits, strings.Join(fields, ", "))})
}
