// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/bench"
	"github.com/hcgen/hcgen/gen/formal"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/gen/synth"
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
	Packets                string // hc_packets, which is simulated with these parameters; empty if the folder does not have it
	SourceBits, DepthBits  int
	PayloadBits, Nodes     int
	Proof, Proves          string               // the kind of proof, and what it proves; empty without a proof
	Assertions, Covers     int                  // numbers that make prove must find
	PacketsProof           *formal.PacketsProof // nil without hc_packets
	Holes, LongRings       string               // ring ports whose rings are proved, with the numbers of assertions and covers; the other ring ports
	MaxPlaces              int                  // in a ring that is proved
	Connections            int                  // number that make prove must compare; 0 without a network
	MaxNodes               int                  // of a programmable router, else 0
	NetworkFlag            string               // "1" or "0"
	Runs                   []runView
	Syntheses              []synthesisView
	Placers                string // for the devices
	Takes                  takes
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
		Operators:  strings.Join(rtl.OperatorFiles(networks), " "),
		Header:     p.Notice("#"),
		Machine:    p.Name,
		ConfigHash: p.Machine.Hash,
		Tops:       p.RouterModule,
		Network:    p.Machine.Network,
		Load:       bench.HasLoad(p),
		SourceBits: p.SourceBits, DepthBits: rtl.PacketsDepthBits, PayloadBits: p.PayloadBits, Nodes: p.Nodes,
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
	case !formal.HasProof(p):
		v.Proof, v.Proves = "", wired+"; its router is not proved"
	case p.Programmable == nil:
		v.Assertions, v.Covers = formal.Count(p)
		v.addRings(formal.Rings(p))
	default:
		v.Proof, v.Proves = "equivalence", "the configured router equals the specialized router"
		v.Assertions, v.Covers = formal.Count(p)
	}
	if v.Network {
		v.Connections = formal.Connections(p)
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
	if rtl.HasPackets(p) {
		v.PacketsProof = formal.NewPacketsProof(p)
		v.Packets = p.Library(rtl.PacketsModule)
		v.Proves += ", and that " + v.Packets + " hands out packets whole and in order"
		v.Tops += " " + v.Packets
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
	v.Placers = strings.Join(each.Of(synth.Families(p), func(f *fpga.Family) string { return f.Placers[0] }), ", ")
	v.Syntheses, v.Takes = newSyntheses(p), newTakes(p)
	return v
}

// addRings lists the ring ports.
func (v *makefileView) addRings(counted []string, long []int) {
	v.Holes = strings.Join(counted, " ")
	v.LongRings = verilog.List(each.Of(long, strconv.Itoa))
	v.MaxPlaces = formal.ProvedPlaces
	if len(counted) > 0 {
		v.Proves += ", that rings keep a hole"
	}
}

func newSyntheses(p *plan.Plan) []synthesisView {
	return each.Of(p.Machine.Synthesis, func(s machine.Synthesis) synthesisView {
		return synthesisView{
			Name: s.Name, Family: s.Family, Device: s.Device, Package: s.Package,
			Clock: strconv.FormatFloat(s.ClockMHz, 'f', -1, 64), Seeds: seedList(s),
		}
	})
}
