// SPDX-License-Identifier: Apache-2.0

// Package rtl makes the Verilog of routers, networks and collective networks: what is put into hardware.
package rtl

import (
	"path"
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/prefix"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/plan"
)

// LibraryModules lists the hand-written modules a router of the plan is made of,
// used modules before their users.
func LibraryModules(p *plan.Plan) []string {
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
	if HasRings(p) {
		modules = append(modules, "hc_arbiter", "hc_select", "hc_ring_mark", "hc_ring_port")
	}
	return append(modules, deliveryModule(p))
}

// HasRings reports whether the router has ring ports.
func HasRings(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Ports, func(q plan.Port) bool { return q.Ring })
}

// Files returns the Verilog files of the routers, of their endpoints and of the collective networks, used modules before their users. The
// names of library modules begin with the name of the machine.
func Files(p *plan.Plan, networks []*plan.Collective) (files []artifact.File, err error) {
	if !p.Machine.NoRouters {
		if files, err = routerFiles(p); err != nil {
			return nil, err
		}
	}
	if p.Endpoint != nil {
		more, err := endpointFiles(p, files)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	for _, c := range networks {
		more, err := Collective(c, files)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	if p.Endpoint != nil {
		files = append(files, systemFiles(p, networks)...)
	}
	return prefix.Files(p.Name, files), nil
}

func routerFiles(p *plan.Plan) ([]artifact.File, error) {
	modules := LibraryModules(p)
	for _, module := range LinkModules(p) {
		if !slices.Contains(modules, module) {
			modules = append(modules, module)
		}
	}
	if HasPackets(p) {
		modules = append(modules, PacketsModule)
	}
	var files []artifact.File
	for _, module := range modules {
		f, err := Module(module, "rtl", artifact.RTL)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	add := func(module, template string, view any) {
		files = append(files, artifact.File{Path: "rtl/" + module + ".v", Role: artifact.RTL, Content: render.Verilog(template, view)})
	}
	if p.Programmable != nil {
		add(p.RouterModule, "programmable_router.v.tmpl", newProgrammableView(p))
		if p.Machine.Network {
			add(p.NetworkModule, "programmable_network.v.tmpl", newNetworkView(p))
		}
		return files, nil
	}
	files = append(files, artifact.File{Path: "rtl/" + p.RouterModule + ".v", Role: artifact.RTL, Content: Router(p)})
	if p.Chips != nil {
		add(p.Chips.Module, "chip.v.tmpl", newChipView(p))
	}
	switch {
	case p.Machine.Network && p.Chips != nil:
		add(p.NetworkModule, "chips_network.v.tmpl", newChipsView(p))
	case p.Machine.Network:
		add(p.NetworkModule, "network.v.tmpl", newNetworkView(p))
	}
	return files, nil
}

// Module is a module of the library in a folder.
func Module(module, folder, role string) (artifact.File, error) {
	source, err := hdl.Source(module)
	if err != nil {
		return artifact.File{}, err
	}
	return artifact.File{Path: path.Join(folder, module+".v"), Role: role, Content: artifact.Text(source)}, nil
}
