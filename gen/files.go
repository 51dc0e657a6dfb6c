// SPDX-License-Identifier: Apache-2.0

// Package gen generates the files of a machine from its plan: Verilog, benches, proofs, synthesis
// scripts and a Makefile that does not need hcgen.
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
	"github.com/hcgen/hcgen/templates"
	"github.com/hcgen/hcgen/verilator"
)

// Roles of files, as the manifest names them.
const (
	roleRTL       = "rtl"
	roleBuild     = "build"
	roleBench     = "testbench"
	roleSynthesis = "synthesis"
)

// Files returns the files of the machine. core is the vendor:library:name:version for FuseSoC; empty
// means ::name:0. The contents are made when they are written, and the names of library modules in them
// begin with the name of the machine. An error is a bug in hcgen.
func Files(p *plan.Plan, core string) ([]output.File, error) {
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
	files = append(files, handOverFiles(p, core, rtl, bench)...)
	files = append(files, bench...)
	files = append(files, registerFiles(p)...)
	files = append(files, integrationFiles(p, rtl)...)
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
	files = append(files, output.File{
		Path: "Makefile", Role: roleBuild, Content: render("Makefile.tmpl", newMakefileView(p)),
	})
	return prefixed(p.Name, files), nil
}

// libraryModules lists the hand-written modules a router of the plan is made of,
// used modules before their users.
func libraryModules(p *plan.Plan) []string {
	if p.Programmable != nil {
		return programmableModules(p)
	}
	modules := []string{"hc_tree_arbiter", "hc_output", "hc_pace"}
	if p.Destination == nil {
		modules = append(modules, "hc_local_input", "hc_link_input", "hc_group")
	} else {
		modules = append(modules, "hc_spread", "hc_destination_field", "hc_local_input", "hc_destination_copier", "hc_destination_input",
			"hc_link_input", "hc_destination_link", "hc_entry", "hc_destination_group")
	}
	if p.Machine.Barrier {
		modules = append(modules, "hc_barrier")
	}
	if hasRings(p) {
		modules = append(modules, "hc_arbiter", "hc_select", "hc_ring_mark", "hc_ring_port")
	}
	return append(modules, deliveryModule(p))
}

// hasRings reports whether the router has ring ports.
func hasRings(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Ports, func(q plan.Port) bool { return q.Ring })
}

// packetsModule hands packets to a receiver. It stands behind the network, so no router has it.
const packetsModule = "hc_packets"

// hasPackets reports whether hc_packets fits the machine: a node has one stream of deliveries, and these
// tell their source and where a packet ends.
func hasPackets(p *plan.Plan) bool {
	return p.Machine.Last && p.Machine.SourceID && !p.PerPort() && p.Programmable == nil
}

func rtlFiles(p *plan.Plan) ([]output.File, error) {
	modules := libraryModules(p)
	if hasPackets(p) {
		modules = append(modules, packetsModule)
	}
	var files []output.File
	for _, module := range modules {
		f, err := moduleFile(module, "rtl", roleRTL)
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
			add(p.NetworkModule, "programmable_network.v.tmpl", newNetworkView(p))
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

func synthFiles(p *plan.Plan) ([]output.File, error) {
	script, err := copied(templates.Files, "synth/synth.sh", "synth", roleSynthesis)
	if err != nil {
		return nil, err
	}
	files := []output.File{script, {Path: pinsPath(p), Role: roleSynthesis, Content: render("pins.v.tmpl", newPinsView(p))}}
	if p.Machine.Network {
		files = append(files, output.File{Path: networkPinsPath(p), Role: roleSynthesis, Content: render("pins.v.tmpl", newNetworkPinsView(p))})
	}
	return files, nil
}

// copied puts an embedded file into a folder of the output as it stands.
func copied(from fs.FS, name, folder, role string) (output.File, error) {
	data, err := fs.ReadFile(from, name)
	if err != nil {
		return output.File{}, fmt.Errorf("embedded file: %w", err)
	}
	return output.File{Path: path.Join(folder, path.Base(name)), Role: role, Content: text(string(data))}, nil
}

// moduleFile is a module of the library in a folder.
func moduleFile(module, folder, role string) (output.File, error) {
	source, err := hdl.Source(module)
	if err != nil {
		return output.File{}, err
	}
	return output.File{Path: path.Join(folder, module+".v"), Role: role, Content: text(source)}, nil
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// seedList prints the seeds of a synthesis target, separated by blanks.
func seedList(s machine.Synthesis) string { return strings.Trim(fmt.Sprint(s.Seeds), "[]") }
