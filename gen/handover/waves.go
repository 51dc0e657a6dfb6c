// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// waveFiles are the views of the waves that the benches of a machine write: of its router, its network and its
// collective networks.
func waveFiles(p *plan.Plan, networks []*plan.Collective) (files []artifact.File) {
	add := func(name string, v *wavesView) {
		files = append(files, artifact.File{Path: "waves/" + name + ".gtkw", Role: artifact.Build, Content: render.Template("waves.gtkw.tmpl", v)})
	}
	if !p.Machine.NoRouters {
		add("router", routerWaves(p))
		if p.HasTrace() {
			add("network", networkWaves(p))
		}
	}
	for _, c := range networks {
		add(c.Name+"_network", collectiveWaves(p, c))
	}
	return files
}

// cycleTime is the length of a cycle in the waves of the benches, in ns. Cycle n begins at n * cycleTime.
const cycleTime = 10

// wavesView is a view of a VCD in GTKWave. It opens at cycle 0.
type wavesView struct {
	Header string
	Marker int // time of the marker in ns; -1: none
	Groups []waveGroup
}

// waveGroup is a group of signals, open or folded.
type waveGroup struct {
	Name    string
	Open    bool
	Signals []waveSignal
}

// waveSignal is a signal of the VCD. A single bit that is no vector has no range. A signal with an alias is shown under it.
type waveSignal struct {
	Name, Range, Alias string
	Decimal            bool
}

// wavesOfBench is the scope of the top module in the VCD of a bench.
const wavesOfBench = "top.bench"

// maxWaveNodes is the number of nodes of a network that are shown.
const maxWaveNodes = 16

// routerWaves shows the streams of a router driven alone.
func routerWaves(p *plan.Plan) *wavesView {
	return &wavesView{Header: p.Notice("[*]"), Marker: -1, Groups: []waveGroup{
		clockWaves(), {Name: "router", Open: true, Signals: waves(wavesOfBench, p.RouterWires())},
	}}
}

// networkWaves shows the deliveries of the first nodes, by which a broadcast is seen to spread, the streams of the
// network and, folded, those of its first routers. The marker is at the injection of the single broadcast.
func networkWaves(p *plan.Plan) *wavesView {
	v := &wavesView{Header: p.Notice("[*]"), Marker: cycleTime * p.Alone(0).Sends[0].At}
	v.Groups = []waveGroup{clockWaves(), {Name: "deliveries", Open: true}, {Name: "network", Open: true, Signals: waves(wavesOfBench, p.NetworkWires())}}
	for n := range min(p.Nodes, maxWaveNodes) {
		node := fmt.Sprintf("node%d", n)
		v.Groups = append(v.Groups, waveGroup{Name: node, Signals: waves(wavesOfBench+"."+node, p.RouterWires())})
		for _, w := range p.RouterWires() {
			if w.Stream == plan.LocalOut && w.Signal == "tvalid" {
				s := newWave(wavesOfBench+"."+node, w)
				s.Alias = node + " " + w.Name // GTKWave shows only what follows the last point
				v.Groups[1].Signals = append(v.Groups[1].Signals, s)
			}
		}
	}
	return v
}

// collectiveWaves shows the streams of a collective network.
func collectiveWaves(p *plan.Plan, c *plan.Collective) *wavesView {
	return &wavesView{Header: p.Notice("[*]"), Marker: -1, Groups: []waveGroup{
		clockWaves(), {Name: "network", Open: true, Signals: waves(wavesOfBench, c.Wires())},
	}}
}

// clockWaves shows the cycle of the golden trace, and the clock.
func clockWaves() waveGroup {
	return waveGroup{Name: "clock", Open: true, Signals: []waveSignal{
		{Name: "trace.cycle", Range: "[63:0]", Decimal: true}, {Name: wavesOfBench + ".clk"}, {Name: wavesOfBench + ".rst"},
	}}
}

// newWave is a port of a module in a scope.
func newWave(scope string, w plan.Wire) waveSignal {
	s := waveSignal{Name: scope + "." + w.Name}
	if w.Vector {
		s.Range = bitsOf(w.Width())
	}
	return s
}

// waves lists the ports of a module in a scope that a view shows, those of the node first.
func waves(scope string, wires []plan.Wire) []waveSignal {
	var local, links, rest []waveSignal
	for _, w := range wires {
		s := newWave(scope, w)
		switch {
		case w.Hidden || w.IsClock():
		case w.Stream == plan.LinkIn || w.Stream == plan.LinkOut:
			links = append(links, s)
		case w.Stream != "":
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
