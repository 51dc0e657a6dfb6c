// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// makefileView is everything the template of the generated Makefile prints.
type makefileView struct {
	Header, Machine, Tops  string
	ConfigHash             string
	Rings                  string // m and rho of each dimension
	Routers, Network, Load bool
	Collectives, Operators string // the make fragment of collective networks, empty without any; modules of the user
	Packets                bool   // the folder has hc_packets, which is simulated with these parameters
	SourceBits, DepthBits  int
	PayloadBits, Nodes     int
	Proof, Proves          string        // the kind of proof, and what it proves; empty without a proof
	Assertions, Covers     int           // numbers that make prove must find
	PacketsProof           *packetsProof // nil without hc_packets
	Holes, LongRings       string        // ring ports whose rings are proved, with the numbers of assertions and covers; the other ring ports
	MaxPlaces              int           // in a ring that is proved
	Connections            int           // number that make prove must compare; 0 without a network
	MaxNodes               int           // of a programmable router, else 0
	NetworkFlag            string        // "1" or "0"
	Runs                   []runView
	Syntheses              []synthesisView
	Placers                string // for the devices
}

// runView is one replay of a golden trace.
type runView struct{ Traffic, Top, Plusargs, Describe string }

type synthesisView struct{ Name, Family, Device, Package, Clock, Seeds string }

// ringsText lists m and rho of each dimension, as wiring.awk and follow.awk read it.
func ringsText(p *plan.Plan) string {
	var rings []string
	for _, d := range p.Dims {
		rings = append(rings, fmt.Sprintf("%d %d", d.M, d.Rho))
	}
	return strings.Join(rings, " ")
}

func newMakefileView(p *plan.Plan, networks []*plan.Collective) *makefileView {
	v := &makefileView{
		Routers:    !p.Machine.NoRouters,
		Operators:  strings.Join(operatorFiles(networks), " "),
		Header:     p.Notice("#"),
		Machine:    p.Name,
		ConfigHash: p.Machine.Hash,
		Tops:       p.RouterModule,
		Network:    p.Machine.Network,
		Load:       hasLoad(p),
		Packets:    hasPackets(p), SourceBits: p.SourceBits, DepthBits: packetsDepthBits, PayloadBits: p.PayloadBits, Nodes: p.Nodes,
		Proof:       "proof",
		Proves:      "the router makes the right copies, each once, and keeps AXI4-Stream",
		NetworkFlag: "0",
		Runs: []runView{{
			Traffic: plan.RouterTraffic, Top: "router", Plusargs: " +require-stalls",
			Describe: "one router, driven at all its ports",
		}},
	}
	v.Rings = ringsText(p)
	const wired = "the network is wired as the machine"
	switch {
	case p.Machine.NoRouters:
		v.Proof = ""
	case !hasProof(p):
		v.Proof, v.Proves = "", wired+"; its router is not proved"
	case p.Programmable == nil:
		v.Assertions, v.Covers = newProofView(p).count()
		v.addRings(newRingsView(p))
	default:
		v.Proof, v.Proves = "equivalence", "the configured router equals the specialized router"
		v.Assertions, v.Covers = newEquivalenceView(p, specialized(p)).count()
	}
	if v.Network {
		v.Connections = countConnections(p)
		if v.Proof == "" {
			v.Proof = "wiring"
		} else {
			v.Proves += ", and that " + wired
		}
	}
	if p.Programmable != nil {
		v.MaxNodes = p.Programmable.MaxNodes
	}
	top, what := "router", "node 0 under the traffic of the whole network"
	if v.Network {
		v.Tops += " " + p.NetworkModule
		v.NetworkFlag = "1"
		top, what = "network", "the whole network"
	}
	if hasPackets(p) {
		v.PacketsProof = newPacketsProof(p)
		v.Proves += ", and that hc_packets hands out packets whole and in order"
		v.Tops += " " + packetsModule
	}
	for _, t := range p.Traffics() {
		v.Runs = append(v.Runs, runView{Traffic: t.Name, Top: top, Describe: fmt.Sprintf("%s, %d cycles", what, t.Cycles)})
	}
	if !v.Routers {
		v.Tops, v.Runs, v.Network, v.Load = "", nil, false, false
	}
	if len(networks) > 0 {
		v.Collectives = collectiveMake
	}
	for _, c := range networks {
		v.Tops = strings.TrimSpace(v.Tops + " " + c.NetworkModule)
	}
	v.Syntheses = newSyntheses(p)
	v.Placers = commaList(each(targetFamilies(p), func(f *fpga.Family) string { return f.Placers[0] }))
	return v
}

// addRings lists the ring ports.
func (v *makefileView) addRings(r *ringsView) {
	v.Holes = strings.Join(each(r.Rings, ringView.Counted), " ")
	v.LongRings = commaList(each(r.Long, strconv.Itoa))
	v.MaxPlaces = provedPlaces
	if len(r.Rings) > 0 {
		v.Proves += ", that rings keep a hole"
	}
}

func newSyntheses(p *plan.Plan) []synthesisView {
	return each(p.Machine.Synthesis, func(s machine.Synthesis) synthesisView {
		return synthesisView{
			Name: s.Name, Family: s.Family, Device: s.Device, Package: s.Package,
			Clock: strconv.FormatFloat(s.ClockMHz, 'f', -1, 64), Seeds: seedList(s),
		}
	})
}

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
	Reads, Counters                                        []string // name, address and value
}

func newBenchView(p *plan.Plan) *benchView {
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
		DigitBits: strings.Join(slices.Repeat([]string{"0"}, len(p.Dims)), ", "),
	}
	if p.Destination != nil {
		v.SpreadBits, v.RouteBits, v.TDestBits, v.DigitsBits = 1, p.Destination.RouteBits, p.Destination.TDestBits, p.Destination.DigitsBits
		v.DigitBits = strings.Join(each(p.Destination.Fields, func(f plan.DestinationField) string { return strconv.Itoa(f.DigitBits) }), ", ")
	}
	if p.Programmable != nil {
		v.program(p.Programmable)
	}
	return v
}
