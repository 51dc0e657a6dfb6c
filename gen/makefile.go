// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/bench"
	"github.com/hcgen/hcgen/gen/formal"
	"github.com/hcgen/hcgen/gen/internal/each"
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
	Routers, Network, Load bool
	Clocks, Chips          bool   // the network has several clocks, and a bench in place of traces
	Collectives, Operators string // the make fragment of collective networks, empty without any; modules of the user
	System                 string // the network with its endpoints, empty without them
	SystemTrace            bool   // it has a golden trace
	Packets                string // hc_packets, which is simulated with these parameters; empty if the folder does not have it
	SourceBits, DepthBits  int
	PayloadBits, Nodes     int
	Claims, Proves         []string // files of the claims about routers, and what they say
	NetworkFlag            string   // "1", "0" or "chip": what synthesis has beside the router
	Regions                int      // of the network
	Runs                   []runView
	Syntheses              []synthesisView
	Placers                string // for the devices
	Takes                  takes
}

// runView is one replay of a golden trace.
type runView struct{ Traffic, Top, Plusargs, Describe string }

type synthesisView struct{ Name, Family, Device, Package, Clock, Seeds string }

func newMakefileView(p *plan.Plan, networks []*plan.Collective) (*makefileView, error) {
	v := &makefileView{
		Routers:    !p.Machine.NoRouters,
		Operators:  strings.Join(rtl.OperatorFiles(networks), " "),
		Header:     p.Notice("#"),
		Machine:    p.Name,
		ConfigHash: p.Machine.Hash,
		Tops:       p.RouterModule,
		Network:    p.HasTrace(),
		Clocks:     bench.HasClocks(p),
		Chips:      bench.HasChips(p),
		Load:       bench.HasLoad(p),
		SourceBits: p.SourceBits, DepthBits: rtl.PacketsDepthBits, PayloadBits: p.PayloadBits, Nodes: p.Nodes,
		NetworkFlag: "0", Regions: p.Regions(),
		Runs: []runView{{
			Traffic: plan.RouterTraffic, Top: "router", Plusargs: " +require-stalls",
			Describe: "one router, driven at all its ports",
		}},
	}
	if v.Routers {
		var err error
		if v.Claims, v.Proves, err = formal.Claims(p); err != nil {
			return nil, err
		}
	}
	top, what := "router", "node 0 under the traffic of the whole network"
	if p.Machine.Network {
		v.Tops += " " + p.NetworkModule
		v.NetworkFlag = "1"
	}
	if p.Chips != nil { // whose network is for simulation
		v.Tops += " " + p.Chips.Module
		v.NetworkFlag = "chip"
	}
	if v.Network {
		top, what = "network", "the whole network"
	}
	if p.Endpoint != nil {
		v.System, v.SystemTrace = p.Endpoint.SystemModule, p.HasSystemTrace()
		v.Tops += " " + v.System
		if p.Chips != nil {
			v.Tops += " " + p.Endpoint.BoardModule
		}
	}
	if rtl.HasPackets(p) {
		v.Packets = p.Library(rtl.PacketsModule)
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
	if p.Endpoint == nil { // else the system contains the networks, and Verilator 5.006 fails if a module contains a top that has parameters
		for _, c := range networks {
			v.Tops = strings.TrimSpace(v.Tops + " " + c.OuterModule())
		}
	}
	v.Placers = strings.Join(each.Of(synth.Families(p), func(f *fpga.Family) string { return f.Placers[0] }), ", ")
	v.Syntheses, v.Takes = newSyntheses(p), newTakes(p)
	return v, nil
}

func newSyntheses(p *plan.Plan) []synthesisView {
	return each.Of(p.Machine.Synthesis, func(s machine.Synthesis) synthesisView {
		return synthesisView{
			Name: s.Name, Family: s.Family, Device: s.Device, Package: s.Package,
			Clock: strconv.FormatFloat(s.ClockMHz, 'f', -1, 64), Seeds: seedList(s),
		}
	})
}
