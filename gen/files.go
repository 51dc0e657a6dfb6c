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

// gitAttributes is the content of .gitattributes.
const gitAttributes = `# Git keeps the line ends of these files, whatever core.autocrlf says: manifest.json has their hashes.
* -text
`

// Files returns the files of the machine. core is the vendor:library:name:version for FuseSoC; empty
// means ::name:0. The contents are made when they are written, and the names of library modules in them
// begin with the name of the machine. networks are the collective networks of the machine. An error is a bug in hcgen.
func Files(p *plan.Plan, networks []*plan.Collective, core string) ([]output.File, error) {
	rtl, bench, err := sources(p, networks)
	if err != nil {
		return nil, err
	}
	files := append(slices.Clone(rtl), output.File{Path: "filelist.f", Role: roleBuild, Content: text(fileList(rtl, networks))})
	files = append(files, handOverFiles(p, core, networks, rtl, bench)...)
	files = append(files, bench...)
	files = append(files, registerFiles(p)...)
	files = append(files, integrationFiles(p, rtl)...)
	benches, err := collectiveBenches(p, networks)
	if err != nil {
		return nil, err
	}
	files = append(files, benches...)
	synth, err := synthFiles(p, networks)
	if err != nil {
		return nil, err
	}
	files = append(files, synth...)
	var proofs []output.File
	if !p.Machine.NoRouters {
		if proofs, err = proofFiles(p); err != nil {
			return nil, err
		}
	}
	files = append(files, proofs...)
	more, err := collectiveProofs(networks, proofs)
	if err != nil {
		return nil, err
	}
	files = append(files, more...)
	if len(networks) > 0 {
		files = append(files, output.File{Path: collectiveMake, Role: roleBuild, Content: render("collective.mk.tmpl", newCollectiveMakeView(p, networks))})
	}
	files = append(files, output.File{Path: ".gitattributes", Role: roleBuild, Content: text(gitAttributes)})
	files = append(files, output.File{
		Path: "Makefile", Role: roleBuild, Content: render("Makefile.tmpl", newMakefileView(p, networks, proofs)),
	})
	return prefixed(p.Name, files), nil
}

// sources are the Verilog files of routers and collective networks, and the benches of routers.
func sources(p *plan.Plan, networks []*plan.Collective) (rtl, bench []output.File, err error) {
	if !p.Machine.NoRouters {
		if rtl, err = rtlFiles(p); err != nil {
			return nil, nil, err
		}
		if bench, err = benchFiles(p); err != nil {
			return nil, nil, err
		}
	}
	for _, c := range networks {
		files, err := collectiveRTL(c, rtl)
		if err != nil {
			return nil, nil, err
		}
		rtl = append(rtl, files...)
	}
	return rtl, bench, nil
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

// fileList is the list of the Verilog files, in the order of their dependencies. Operators of the user come first.
func fileList(rtl []output.File, networks []*plan.Collective) string {
	return strings.Join(append(operatorFiles(networks), each(rtl, func(f output.File) string { return f.Path })...), "\n") + "\n"
}

// networkBench names the files that only the bench of the network needs.
var networkBench = map[string]bool{"network_main.cpp": true, "network.vlt": true, "netlist.vlt": true}

// configurationBench names the file that only the bench of a programmable router needs.
const configurationBench = "bus.h"

// speedBench names the file that only a network under load needs.
const speedBench = "speed_main.cpp"

// collectiveBench names the file that only a collective network needs.
const collectiveBench = "collective_main.cpp"

// packetsBench names the file that only a machine with hc_packets needs.
const packetsBench = "packets_main.cpp"

// benchFiles copies the C++ benches and writes the header that fits them to the
// machine.
func benchFiles(p *plan.Plan) ([]output.File, error) {
	var files []output.File
	entries, err := fs.ReadDir(verilator.Files, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !p.Machine.Network && networkBench[e.Name()] || p.Programmable == nil && e.Name() == configurationBench || !hasLoad(p) && e.Name() == speedBench ||
			len(p.Machine.Collectives) == 0 && e.Name() == collectiveBench ||
			!hasPackets(p) && e.Name() == packetsBench {
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

func synthFiles(p *plan.Plan, networks []*plan.Collective) ([]output.File, error) {
	script, err := copied(templates.Files, "synth/synth.sh", "synth", roleSynthesis)
	if err != nil {
		return nil, err
	}
	files := []output.File{script}
	add := func(v *pinsView) {
		files = append(files, output.File{Path: "synth/" + v.Module + ".v", Role: roleSynthesis, Content: render("pins.v.tmpl", v)})
	}
	if !p.Machine.NoRouters {
		add(newPinsView(p))
		if p.Machine.Network {
			add(newNetworkPinsView(p))
		}
	}
	for _, c := range networks {
		add(newNodePinsView(c))
		add(newCollectivePinsView(c))
	}
	return files, nil
}

// copied puts an embedded file unchanged into a folder of the output.
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
