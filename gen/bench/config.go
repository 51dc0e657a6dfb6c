// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/plan"
)

// benchView holds the constants of the machine for the benches.
type benchView struct {
	Header, Machine, ConfigHash                            string
	Nodes, Degree, PayloadBits, WdBits, WcBits, SourceBits int
	Destination, Last, Barrier, NodeErrors                 bool
	ScopeBits                                              int
	SpreadBits, RouteBits, TDestBits, DigitsBits           int    // 0 without destinations
	DigitBits                                              string // of a digit in each dimension, in C++
	PerPort                                                bool
	Deliveries                                             int
	Rings                                                  string   // m and rho of each dimension, in C++
	Ports                                                  int      // of the router's module
	Bus, Writes                                            string   // of a programmable router: a macro, and address and value of each write; else empty
	Regions                                                int      // that have clocks of their own; 0 with one clock
	Region                                                 string   // of each node, in C++
	ChipLinks, Cables                                      string   // links between chips by dimension, in C++, and the ports of cables as arguments of a macro; empty without chips
	Reads, Counters                                        []string // name, address and value
	Lead, PaceBits                                         int
	Registers                                              string // of the link of each port, in C++
	NodeWires, LinkWires, FarLinkWires                     string // the numbers of nodes, and of nodes and ports, as arguments of a macro; empty without a network
	Endpoint                                               *plan.Endpoint
	SystemClocks                                           int    // of the system: 1, or one for each chip
	EndpointBus, IdleInputs                                string // a macro, and the inputs of collective networks in the system as arguments of a macro
}

func newBenchView(p *plan.Plan, networks []*plan.Collective) *benchView {
	var rings []string
	for _, d := range p.Dims {
		rings = append(rings, fmt.Sprintf("{%d, %d}", d.M, d.Rho))
	}
	v := &benchView{
		Header: p.Notice("//"), Machine: p.Name, ConfigHash: p.Machine.Hash,
		Nodes: p.Nodes, Degree: p.Degree, PayloadBits: p.PayloadBits,
		WdBits: p.WdBits, WcBits: p.WcBits, SourceBits: p.SourceBits,
		PerPort: p.PerPort(), Deliveries: p.Deliveries,
		Rings: strings.Join(rings, ", "), Ports: p.RouterPorts,
		Destination: p.Destination != nil, Last: p.Machine.Last, Barrier: p.Machine.Barrier, NodeErrors: p.Machine.NodeErrors, ScopeBits: p.ScopeBits,
		Lead: p.Lead, PaceBits: p.PaceBits,
		Registers: strings.Join(each.Of(p.Ports, func(q plan.Port) string { return strconv.Itoa(q.Queue.Latency) }), ", "),
		DigitBits: strings.Join(slices.Repeat([]string{"0"}, len(p.Dims)), ", "),
	}
	if p.Destination != nil {
		v.SpreadBits, v.RouteBits, v.TDestBits, v.DigitsBits = 1, p.Destination.RouteBits, p.Destination.TDestBits, p.Destination.DigitsBits
		v.DigitBits = strings.Join(each.Of(p.Destination.Fields, func(f plan.DestinationField) string { return strconv.Itoa(f.DigitBits) }), ", ")
	}
	if p.Programmable != nil {
		v.program(p.Programmable)
	}
	if p.Machine.Clocks() {
		v.Regions = p.Regions()
		var list []string
		for n := range p.Nodes {
			list = append(list, strconv.Itoa(p.Region(n)))
		}
		v.Region = strings.Join(list, ", ")
	}
	if p.Endpoint != nil {
		v.SystemClocks = 1
		if p.Chips != nil {
			v.SystemClocks = p.Chips.Count
		}
		v.Endpoint, v.EndpointBus = p.Endpoint, "HC_"+strings.ToUpper(p.Endpoint.Bus)
		for _, w := range p.SystemWires(networks)[len(p.SystemWires(nil)):] {
			if !w.Output {
				v.IdleInputs += fmt.Sprintf(" INPUT(%s)", w.Name)
			}
		}
	}
	if c := p.Chips; c != nil {
		var links []string
		for i := range p.Dims {
			l := p.Machine.Dimensions[i].Link
			links = append(links, fmt.Sprintf("{%d, %d, %d}", l.WordBits, l.Flight, l.Silence))
		}
		v.ChipLinks = strings.Join(links, ", ")
		for _, q := range c.Cables {
			v.Cables += fmt.Sprintf(" CABLE(%d)", q.Index)
		}
	}
	if p.Machine.Network {
		v.NodeWires = uses(p, func(n int) string { return fmt.Sprintf(" WIRE(%d)", n) })
		v.LinkWires = uses(p, func(n int) (links string) {
			for port := range p.Degree {
				links += fmt.Sprintf(" WIRE(%d, %d)", n, port)
			}
			return links
		})
		if p.Machine.Registers() > 0 {
			v.FarLinkWires = uses(p, func(n int) (links string) {
				for _, q := range p.Ports {
					if q.Queue.Latency > 0 {
						links += fmt.Sprintf(" WIRE(%d, %d)", p.Machine.Graph.Neighbor(n, q.Index), q.Opposite)
					}
				}
				return links
			})
		}
	}
	return v
}

// uses prints the uses of a macro for each node, or for each port of each node, a node on each line.
func uses(p *plan.Plan, ofNode func(n int) string) string {
	var b strings.Builder
	for n := range p.Nodes {
		b.WriteString(" \\\n " + ofNode(n))
	}
	return b.String()
}

// program adds the constants of a programmable router for the benches.
func (v *benchView) program(p *plan.Programmable) {
	v.Bus = strings.ToUpper(p.Bus)
	var writes []string
	for _, w := range p.Writes {
		writes = append(writes, fmt.Sprintf("{0x%02x, 0x%08x}", w.Address, w.Value))
	}
	v.Writes = strings.Join(writes, ", ")
	for _, r := range p.Reads {
		v.Reads = append(v.Reads, fmt.Sprintf(`{"%s", 0x%02x, 0x%08x}`, r.Register, r.Address, r.Value))
	}
	for _, r := range p.Counters {
		v.Counters = append(v.Counters, fmt.Sprintf(`{"%s", 0x%02x, 0}`, r.Register, r.Address))
	}
}
