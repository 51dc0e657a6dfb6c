// SPDX-License-Identifier: Apache-2.0

// Package handover makes what other tools and designs read: lists for package managers, views for wave viewers, and
// descriptions of the module that a design instantiates.
package handover

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/gen/synth"
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
	if p.Machine.NoRouters {
		return []artifact.File{
			{Path: p.Name + ".core", Role: artifact.Build, Content: render.Template("collectives.core.tmpl", v)},
			{Path: "Bender.yml", Role: artifact.Build, Content: render.Template("Bender.yml.tmpl", v)},
		}
	}
	files := []artifact.File{
		{Path: p.Name + ".core", Role: artifact.Build, Content: render.Template("machine.core.tmpl", v)},
		{Path: "Bender.yml", Role: artifact.Build, Content: render.Template("Bender.yml.tmpl", v)},
		{Path: shim, Role: artifact.Bench, Content: render.Template("Vrouter.h.tmpl", &shimView{p.Notice("//"), p.RouterModule})},
		{Path: "waves/router.gtkw", Role: artifact.Build, Content: render.Template("waves.gtkw.tmpl", routerWaves(p))},
	}
	if p.Machine.Network {
		files = append(files, artifact.File{
			Path: "waves/network.gtkw", Role: artifact.Build, Content: render.Template("waves.gtkw.tmpl", networkWaves(p)),
		})
	}
	return files
}

// shimView holds the values of the header for FuseSoC.
type shimView struct{ Header, Router string }

// packageView is everything the templates of package managers print.
type packageView struct {
	Header, Machine, Name          string
	Network, Destination           bool
	Top, Router                    string
	RTL                            []string // in the order of their dependencies
	Headers, Sources               []string // of the bench of the router
	Trace                          string
	Pins, PinsModule               string
	Family, Device, Package, Clock string
}

func newPackageView(p *plan.Plan, networks []*plan.Collective, modules, bench []artifact.File) *packageView {
	s := p.Machine.Synthesis[0]
	v := &packageView{
		Header: p.Notice("#"), Machine: p.Name, Name: "::" + p.Name + ":0",
		Network: p.Machine.Network, Destination: p.Destination != nil, Top: p.RouterModule, Router: p.RouterModule,
		Headers: []string{shim}, Trace: plan.GoldenPath(plan.RouterTraffic),
		Pins: synth.PinsPath(p), PinsModule: synth.PinsModule(p),
		Family: yosysFamily(s.Device), Device: s.Device, Package: s.Package,
		Clock: strconv.FormatFloat(s.ClockMHz, 'f', -1, 64),
	}
	if v.Network {
		v.Top = p.NetworkModule
	}
	if p.Machine.NoRouters {
		v.Top = networks[0].NetworkModule
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

// yosysFamily is the name that synth_ice40 uses for the family of a device, as in synth.sh.
func yosysFamily(device string) string {
	switch {
	case strings.HasPrefix(device, "lp"):
		return "lp"
	case strings.HasPrefix(device, "u"):
		return "u"
	}
	return "hx"
}

// wavesView is a view of a VCD in GTKWave.
type wavesView struct {
	Header string
	Groups []waveGroup
}

// waveGroup is a group of signals, open or folded.
type waveGroup struct {
	Name    string
	Open    bool
	Signals []waveSignal
}

// waveSignal is a signal of the VCD. A single bit that is no vector has no range.
type waveSignal struct{ Name, Range string }

func newWavesView(p *plan.Plan) *wavesView {
	return &wavesView{Header: p.Notice("[*]")}
}

// wavesOfBench is the scope of the top module in the VCD of a bench.
const wavesOfBench = "top.bench"

// maxWaveNodes is the number of nodes of a network that are shown.
const maxWaveNodes = 16

// routerWaves shows the streams of a router driven alone.
func routerWaves(p *plan.Plan) *wavesView {
	v := newWavesView(p)
	v.Groups = []waveGroup{clockWaves(), {Name: "router", Open: true, Signals: waves(wavesOfBench, p.RouterWires())}}
	return v
}

// networkWaves shows the streams of the network, and those of its first routers,
// folded.
func networkWaves(p *plan.Plan) *wavesView {
	v := newWavesView(p)
	v.Groups = []waveGroup{clockWaves(), {Name: "network", Open: true, Signals: waves(wavesOfBench, p.NetworkWires())}}
	for n := range min(p.Nodes, maxWaveNodes) {
		name := fmt.Sprintf("node%d", n)
		v.Groups = append(v.Groups, waveGroup{Name: name, Signals: waves(wavesOfBench+"."+name, p.RouterWires())})
	}
	return v
}

func clockWaves() waveGroup {
	return waveGroup{Name: "clock", Open: true, Signals: []waveSignal{{Name: wavesOfBench + ".clk"}, {Name: wavesOfBench + ".rst"}}}
}

// waves lists the ports of a module in a scope that a view shows, those of the node first. Clock, constants,
// configuration and the paces of neighbours are left out.
func waves(scope string, wires []plan.Wire) []waveSignal {
	var local, links, rest []waveSignal
	for _, w := range wires {
		s := waveSignal{Name: scope + "." + w.Name}
		if w.Vector {
			s.Range = bitsOf(w.Width())
		}
		switch {
		case w.Name == "clk" || w.Name == "rst" || w.Option == plan.OptionProgrammable || w.Network == plan.Constant || strings.HasSuffix(w.Name, "_pace"):
		case strings.Contains(w.Name, "_axis_link_"):
			links = append(links, s)
		case strings.Contains(w.Name, "_axis_"):
			local = append(local, s)
		default:
			rest = append(rest, s)
		}
	}
	return slices.Concat(local, links, rest)
}

// bitsOf is the range of a vector as GTKWave writes it, which is [0] and not [0:0] for one bit.
func bitsOf(width int) string {
	if width == 1 {
		return "[0]"
	}
	return verilog.Range(width)
}
