// SPDX-License-Identifier: Apache-2.0

// Package handover makes what other tools and designs read: lists for package managers, views for wave viewers, and
// descriptions of the module that a design instantiates.
package handover

import (
	"path"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/plan"
)

// shim is the header that lets the bench be built by FuseSoC.
const shim = "fusesoc/Vrouter.h"

// Packages returns the files for other tools: the list of the Verilog files for package managers, and
// views of the signals for a wave viewer.
func Packages(p *plan.Plan, core string, networks []*plan.Collective, modules, bench []artifact.File) []artifact.File {
	v := newPackageView(p, networks, modules, bench)
	if core != "" {
		v.Name = core
	}
	views := waveFiles(p, networks)
	if p.Machine.NoRouters {
		return append(views,
			artifact.File{Path: p.Name + ".core", Role: artifact.Build, Content: render.Template("collectives.core.tmpl", v)},
			artifact.File{Path: "Bender.yml", Role: artifact.Build, Content: render.Template("Bender.yml.tmpl", v)})
	}
	return append(views, []artifact.File{
		{Path: p.Name + ".core", Role: artifact.Build, Content: render.Template("machine.core.tmpl", v)},
		{Path: "Bender.yml", Role: artifact.Build, Content: render.Template("Bender.yml.tmpl", v)},
		{Path: shim, Role: artifact.Bench, Content: render.Template("Vrouter.h.tmpl", &shimView{p.Notice("//"), p.RouterModule})},
	}...)
}

// shimView holds the values of the header for FuseSoC.
type shimView struct{ Header, Router string }

// packageView is everything the templates of package managers print.
type packageView struct {
	Header, Machine, Name      string
	Network, Destination       bool
	Top, Router                string
	RTL                        []string // in the order of their dependencies
	Headers, Sources           []string // of the bench of the router
	Trace                      string
	Pins, PinsModule           string
	Bench                      []string // without routers: the files of the bench in the folder integration
	BenchModule                string
	Flow                       string // of FuseSoC, for the first synthesis block
	Buffer                     string // file that the wrapper includes
	SynthOptions, PlaceOptions string // in a list of YAML
}

func newPackageView(p *plan.Plan, networks []*plan.Collective, modules, bench []artifact.File) *packageView {
	s := p.Machine.Synthesis[0]
	family := fpga.Named(s.Family)
	v := &packageView{
		Header: p.Notice("#"), Machine: p.Name, Name: "::" + p.Name + ":0",
		Network: p.Machine.Network, Destination: p.Destination != nil, Top: p.RouterModule, Router: p.RouterModule,
		Headers: []string{shim}, Trace: plan.GoldenPath(plan.RouterTraffic),
		Pins: synth.PinsPath(p), PinsModule: synth.PinsModule(p),
		Flow: family.Flow, Buffer: synth.ClockBuffer(family), SynthOptions: yamlOptions(family.YosysOptions(s.Device)),
		PlaceOptions: yamlOptions(family.PlacerOptions(s.Device, s.Package) + " --timing-allow-fail --freq " + strconv.FormatFloat(s.ClockMHz, 'f', -1, 64)),
	}
	switch {
	case p.Chips != nil && p.Endpoint != nil:
		v.Top = p.Endpoint.BoardModule
	case p.Chips != nil:
		v.Top = p.Chips.Module
	case p.Endpoint != nil:
		v.Top = p.Endpoint.SystemModule
	case v.Network:
		v.Top = p.NetworkModule
	}
	if p.Machine.NoRouters {
		v.Top = networks[0].OuterModule()
		v.PinsModule = networks[0].Module("network_pins")
		v.Pins = "synth/" + v.PinsModule + ".v"
		v.BenchModule = p.Module("bench")
		v.Bench = []string{systemPath(p), "integration/" + v.BenchModule + ".v"}
		for _, c := range networks {
			v.Bench = append(v.Bench, "integration/"+c.Module("example")+".v")
		}
	}
	v.RTL = rtl.OperatorFiles(networks)
	for _, f := range modules {
		v.RTL = append(v.RTL, f.Path)
	}
	for _, f := range bench {
		name := path.Base(f.Path)
		switch {
		case path.Ext(name) == ".h":
			v.Headers = append(v.Headers, f.Path)
		case path.Ext(name) == ".cpp" && (name == "router_main.cpp" || !strings.HasSuffix(name, "_main.cpp")):
			v.Sources = append(v.Sources, f.Path)
		}
	}
	return v
}

// yamlOptions are options of a program in a list of YAML: each with its value.
func yamlOptions(options string) string {
	return strings.ReplaceAll(options, " -", ", -")
}
