// SPDX-License-Identifier: Apache-2.0

// Package gen makes all files of a machine: Verilog, benches, golden traces,
// synthesis scripts and a Makefile that needs no hcgen.
//
// Data flows one way: a validated machine becomes a plan (package plan), the
// plan becomes views that templates print, and the files are written by package
// output.
package gen

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/templates"
	"github.com/hcgen/hcgen/verilator"
)

// Roles of files, as the manifest names them.
const (
	roleRTL       = "rtl"
	roleBuild     = "build"
	roleBench     = "testbench"
	roleGolden    = "golden"
	roleSynthesis = "synthesis"
	roleReport    = "report"
)

// routerSeed is the seed of the traffic in golden/router.trace.
const routerSeed = 1

// Options are what is not about the machine.
type Options struct {
	// Core is the vendor:library:name:version of the core for FuseSoC, if not that of the
	// machine, ::name:0.
	Core string

	// Progress, if not nil, is called now and then while a long file is made:
	// what is made, and how much of it is done.
	Progress func(what string, done, total int)
}

// Files returns every file of the machine. Their contents are made when they
// are written. The error tells of a fault of hcgen itself.
func Files(p *plan.Plan, opts Options) ([]output.File, error) {
	progress := func(what string) func(done, total int) {
		if opts.Progress == nil {
			return nil
		}
		return func(done, total int) { opts.Progress(what, done, total) }
	}

	files, err := rtlFiles(p)
	if err != nil {
		return nil, err
	}
	rtl := files
	files = append(files, output.File{Path: "filelist.f", Role: roleBuild, Content: text(fileList(rtl))})
	bench, err := benchFiles(p)
	if err != nil {
		return nil, err
	}
	files = append(files, handOverFiles(p, opts.Core, rtl, bench)...)
	files = append(files, bench...)
	files = append(files, registerFiles(p)...)
	files = append(files, goldenFiles(p, progress)...)
	synth, err := synthFiles(p)
	if err != nil {
		return nil, err
	}
	files = append(files, synth...)
	formal, err := proofFiles(p)
	if err != nil {
		return nil, err
	}
	files = append(files, formal...)
	report, err := reportFiles(p)
	if err != nil {
		return nil, err
	}
	files = append(files, report...)
	return append(files, output.File{
		Path: "Makefile", Role: roleBuild, Content: render("Makefile.tmpl", newMakefileView(p)),
	}), nil
}

// libraryModules lists the hand-written modules a router of the plan is made of,
// used modules before their users.
func libraryModules(p *plan.Plan) []string {
	if p.Programmable != nil {
		return programmableModules(p)
	}
	modules := []string{"hc_tree_arbiter", "hc_output", "hc_pace", "hc_local_input", "hc_link_input", "hc_group"}
	if slices.ContainsFunc(p.Ports, func(q plan.Port) bool { return q.Ring }) {
		modules = append(modules, "hc_arbiter", "hc_select", "hc_choice", "hc_ring_port")
	}
	return append(modules, deliveryModule(p))
}

func rtlFiles(p *plan.Plan) ([]output.File, error) {
	var files []output.File
	for _, module := range libraryModules(p) {
		f, err := copied(hdl.Files, module+".v", "rtl", roleRTL)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	add := func(module, template string, view any) {
		files = append(files, output.File{Path: "rtl/" + module + ".v", Role: roleRTL, Content: render(template, view)})
	}
	if p.Programmable != nil {
		add(p.RouterModule, "programmable_router.v.tmpl", newProgrammableView(p))
		if p.Machine.Network {
			add(p.NetworkModule, "programmable_network.v.tmpl", newProgrammableNetworkView(p))
		}
		return files, nil
	}
	add(p.RouterModule, "router.v.tmpl", newRouterView(p))
	if p.Machine.Network {
		add(p.NetworkModule, "network.v.tmpl", newNetworkView(p))
	}
	return files, nil
}

// fileList is the list of the Verilog files, in the order of their dependencies.
func fileList(rtl []output.File) string {
	var b strings.Builder
	for _, f := range rtl {
		b.WriteString(f.Path + "\n")
	}
	return b.String()
}

// networkBench names the files that only the bench of the network needs.
var networkBench = map[string]bool{"network_main.cpp": true, "network.vlt": true, "netlist.vlt": true}

// configurationBench names the file that only the bench of a programmable router needs.
const configurationBench = "bus.h"

// speedBench names the file that only a network with a load around it needs.
const speedBench = "speed_main.cpp"

// benchFiles copies the C++ benches and writes the header that fits them to the
// machine.
func benchFiles(p *plan.Plan) ([]output.File, error) {
	var files []output.File
	entries, err := fs.ReadDir(verilator.Files, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !p.Machine.Network && networkBench[e.Name()] || p.Programmable == nil && e.Name() == configurationBench || !hasLoad(p) && e.Name() == speedBench {
			continue
		}
		f, err := copied(verilator.Files, e.Name(), "tb", roleBench)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if hasLoad(p) {
		files = append(files, output.File{
			Path: "tb/" + loadModule(p) + ".v", Role: roleBench, Content: render("load.v.tmpl", newLoadView(p)),
		})
	}
	files = append(files, output.File{
		Path: "tb/bench_config.h", Role: roleBench, Content: render("bench_config.h.tmpl", newBenchView(p)),
	})
	return files, nil
}

// goldenFiles makes the trace of one router driven at all its ports, and one
// trace for each traffic: of the network, or without a network top of node 0.
func goldenFiles(p *plan.Plan, progress func(string) func(done, total int)) []output.File {
	files := []output.File{{
		Path: goldenPath(sim.RouterTraffic), Role: roleGolden,
		Content: func(w io.Writer) error {
			return sim.WriteRouterTrace(w, p, 0, routerSeed, progress(sim.RouterTraffic))
		},
	}}
	write := sim.WriteNodeTrace
	if p.Machine.Network {
		write = sim.WriteNetworkTrace
	}
	for _, t := range traffics(p) {
		files = append(files, output.File{
			Path: goldenPath(t.Name), Role: roleGolden,
			Content: func(w io.Writer) error {
				_, err := write(w, p, t, progress(t.Name))
				return err
			},
		})
	}
	return files
}

// aloneTraffic is the name of the trace of one broadcast alone in the network.
const aloneTraffic = "alone"

// traffics lists what the network is simulated with: one broadcast from node 0
// alone, which takes D + 1 cycles, or 2 D + 1 with two stages, if there is a network top to measure it in,
// and what the machine describes.
func traffics(p *plan.Plan) []machine.Traffic {
	if !p.Machine.Network {
		return p.Machine.Traffic
	}
	return append([]machine.Traffic{Alone(p, 0)}, p.Machine.Traffic...)
}

// Alone is one broadcast with nothing else in the network.
func Alone(p *plan.Plan, source int) machine.Traffic {
	return machine.Traffic{
		Name:       aloneTraffic,
		Cycles:     p.Stages*p.Machine.Graph.Diameter() + 8, // the broadcast and some silence
		Broadcasts: []machine.Broadcast{{Source: source, At: 2}},
	}
}

func goldenPath(traffic string) string { return "golden/" + traffic + ".trace" }

func synthFiles(p *plan.Plan) ([]output.File, error) {
	script, err := copied(templates.Files, "synth.sh", "synth", roleSynthesis)
	if err != nil {
		return nil, err
	}
	files := []output.File{script, {Path: pinsPath(p), Role: roleSynthesis, Content: render("pins.v.tmpl", newPinsView(p))}}
	if p.Machine.Network {
		files = append(files, output.File{Path: networkPinsPath(p), Role: roleSynthesis, Content: render("pins.v.tmpl", newNetworkPinsView(p))})
	}
	return files, nil
}

// copied returns an embedded file as it stands.
func copied(from fs.FS, name, folder, role string) (output.File, error) {
	data, err := fs.ReadFile(from, name)
	if err != nil {
		return output.File{}, fmt.Errorf("embedded file: %w", err)
	}
	return output.File{Path: path.Join(folder, name), Role: role, Content: text(string(data))}, nil
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// seedList prints the seeds of a synthesis target, separated by blanks.
func seedList(s machine.Synthesis) string { return strings.Trim(fmt.Sprint(s.Seeds), "[]") }
