// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// makefileView is everything the template of the generated Makefile prints.
type makefileView struct {
	Header, Machine, Tops  string
	ConfigHash             string
	Routers, Network, Load bool
	Collectives, Operators string // the make fragment of collective networks, empty without any; modules of the user
	Packets                bool   // the folder has hc_packets, which is simulated with these parameters
	SourceBits, DepthBits  int
	PayloadBits, Nodes     int
	Claims                 []string // files of the claims about routers
	Proves                 string   // what they claim
	NetworkFlag            string   // "1" or "0"
	Runs                   []runView
	Syntheses              []synthesisView
}

// runView is one replay of a golden trace.
type runView struct{ Traffic, Top, Plusargs, Describe string }

type synthesisView struct{ Name, Device, Package, Clock, Seeds string }

func newMakefileView(p *plan.Plan, networks []*plan.Collective, proofs []output.File) *makefileView {
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
		NetworkFlag: "0",
		Runs: []runView{{
			Traffic: plan.RouterTraffic, Top: "router", Plusargs: " +require-stalls",
			Describe: "one router, driven at all its ports",
		}},
	}
	if v.Routers {
		v.addClaims(p, proofs)
	}
	top, what := "router", "node 0 under the traffic of the whole network"
	if v.Network {
		v.Tops += " " + p.NetworkModule
		v.NetworkFlag = "1"
		top, what = "network", "the whole network"
	}
	if hasPackets(p) {
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
	return v
}

// addClaims lists the claims about routers among the proofs.
func (v *makefileView) addClaims(p *plan.Plan, proofs []output.File) {
	for _, f := range proofs {
		if strings.HasSuffix(f.Path, claimEnding) {
			v.Claims = append(v.Claims, f.Path)
		}
	}
	var list []string
	switch {
	case !hasProof(p):
	case p.Programmable != nil:
		list = append(list, "the configured router equals the specialized router")
	default:
		list = append(list, "the router makes the right copies, each once, and keeps AXI4-Stream")
		if len(newRingsView(p).Rings) > 0 {
			list = append(list, "rings keep a hole")
		}
	}
	if v.Network {
		list = append(list, "the network is wired as the machine")
	}
	if hasPackets(p) {
		list = append(list, "hc_packets hands out packets whole and in order")
	}
	v.Proves = strings.Join(list, ", and that ")
}

func newSyntheses(p *plan.Plan) []synthesisView {
	return each(p.Machine.Synthesis, func(s machine.Synthesis) synthesisView {
		return synthesisView{
			Name: s.Name, Device: s.Device, Package: s.Package,
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
