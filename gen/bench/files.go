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

// networkBench names the files that only the bench of the network needs.
var networkBench = map[string]bool{"network_main.cpp": true, "network.vlt": true, "netlist.vlt": true}

// configurationBench names the file that only the bench of a programmable router needs.
const configurationBench = "bus.h"

// speedBench names the file that only a network under load needs.
const speedBench = "speed_main.cpp"

// clocksBench is the bench of networks with several clocks, and trafficHeader its traffic.
const (
	clocksBench   = "clocks_main.cpp"
	trafficHeader = "traffic.h"
)

// CollectiveMain names the file that only a collective network needs.
const CollectiveMain = "collective_main.cpp"

// packetsBench names the file that only a machine with hc_packets needs.
const packetsBench = "packets_main.cpp"

// Files copies the C++ benches and writes the header that fits them to the
// machine.
func Files(p *plan.Plan) ([]artifact.File, error) {
	if p.Machine.NoRouters {
		return nil, nil
	}
	var files []artifact.File
	entries, err := fs.ReadDir(verilator.Files, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !p.HasTrace() && networkBench[e.Name()] || !(p.Machine.Network && p.Machine.Clocks()) && (e.Name() == clocksBench || e.Name() == trafficHeader) || p.Programmable == nil && e.Name() == configurationBench || !HasLoad(p) && e.Name() == speedBench ||
			len(p.Machine.Collectives) == 0 && e.Name() == CollectiveMain ||
			!rtl.HasPackets(p) && e.Name() == packetsBench {
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
		Path: "tb/bench_config.h", Role: artifact.Bench, Content: render.Template("bench_config.h.tmpl", newBenchView(p)),
	})
	return files, nil
}
