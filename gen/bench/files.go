// SPDX-License-Identifier: Apache-2.0

// Package bench makes the benches of routers and networks, the load and the headers that fit them to a machine.
package bench

import (
	"io/fs"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/verilator"
)

// benchOf reports for files of a kind of bench whether a machine needs them. It needs all others.
var benchOf = map[string]func(p *plan.Plan) bool{
	"network_main.cpp": (*plan.Plan).HasTrace,
	"network.vlt":      (*plan.Plan).HasTrace,
	"netlist.vlt":      (*plan.Plan).HasTrace,
	"bus.h":            func(p *plan.Plan) bool { return p.Programmable != nil },
	"speed_main.cpp":   HasLoad,
	"clocks_main.cpp":  HasClocks,
	"chips_main.cpp":   HasChips,
	"cables.h":         HasChips,
	"traffic.h":        func(p *plan.Plan) bool { return HasClocks(p) || HasChips(p) },
	"system_main.cpp":  HasEndpoints,
	"system.h":         HasEndpoints,
	"accesses.h":       HasEndpoints,
	"cuts.h":           func(p *plan.Plan) bool { return HasEndpoints(p) && HasChips(p) },
	CollectiveMain:     func(p *plan.Plan) bool { return len(p.Machine.Collectives) > 0 },
	"packets_main.cpp": rtl.HasPackets,
}

// CollectiveMain names the file that only a collective network needs.
const CollectiveMain = "collective_main.cpp"

// HasClocks reports whether there is a bench of a network with several clocks.
func HasClocks(p *plan.Plan) bool { return p.Machine.Network && p.Machine.Clocks() }

// HasChips reports whether there is a bench of chips with cables between them.
func HasChips(p *plan.Plan) bool { return p.Machine.Network && p.Machine.Chips() }

// HasEndpoints reports whether there is a bench of a network with endpoints at its nodes.
func HasEndpoints(p *plan.Plan) bool { return p.Endpoint != nil }

// Files copies the C++ benches and writes the header that fits them to the
// machine.
func Files(p *plan.Plan, networks []*plan.Collective) ([]artifact.File, error) {
	if p.Machine.NoRouters {
		return nil, nil
	}
	var files []artifact.File
	entries, err := fs.ReadDir(verilator.Files, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if needs := benchOf[e.Name()]; needs != nil && !needs(p) {
			continue
		}
		f, err := artifact.Copied(verilator.Files, e.Name(), "tb", artifact.Bench)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if HasLoad(p) {
		files = append(files, artifact.File{
			Path: "tb/" + loadModule(p) + ".v", Role: artifact.Bench, Content: render.Verilog("load.v.tmpl", newLoadView(p)),
		})
	}
	files = append(files, artifact.File{
		Path: "tb/bench_config.h", Role: artifact.Bench, Content: render.Template("bench_config.h.tmpl", newBenchView(p, networks)),
	})
	return files, nil
}
