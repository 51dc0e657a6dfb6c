// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// streamsView is everything the module with a port for each signal of each stream prints.
type streamsView struct {
	*plan.Plan
	Header      string
	Ports       []plan.Wire
	Connections []verilog.Connection // of the network
}

func newStreamsView(p *plan.Plan) *streamsView {
	v := &streamsView{Plan: p, Header: p.Notice("//")}
	lanes := map[string][]string{} // of a port of the network
	var ports []plan.Wire
	for _, s := range newStreams(p, p.NetworkWires()) {
		for _, w := range s.Wires {
			signal := strings.ToLower(w.Signal)
			name := s.Name + "_" + signal
			lanes[w.Port] = append(lanes[w.Port], name)
			ports = append(ports, plan.Wire{
				Name: name, Output: s.Input == (signal == "tready"), Lanes: 1, Bits: w.Width,
				Vector: signal == "tdata" || signal == "tdest" || signal == "tid",
			})
		}
	}
	for _, w := range p.NetworkWires() {
		value := w.Name
		if lanes[w.Name] != nil {
			value = verilog.Concat(lanes[w.Name])
		} else if byRegion(p, w) {
			var regions []string
			for c := range w.Lanes {
				of := w
				of.Name, of.Lanes, of.Vector = fmt.Sprintf("%s_region%d", w.Name, c), 1, false
				of.Meaning = strings.NewReplacer("[c]: ", "", "clk[c]", fmt.Sprintf("clk_region%d", c), "region c", fmt.Sprintf("region %d", c)).Replace(w.Meaning)
				v.Ports, regions = append(v.Ports, of), append(regions, of.Name)
			}
			value = verilog.Concat(regions)
		} else {
			v.Ports = append(v.Ports, w)
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, value))
	}
	v.Ports = append(v.Ports, ports...)
	return v
}

// byRegion reports whether a port of the network has a lane for each of several regions.
func byRegion(p *plan.Plan, w plan.Wire) bool {
	return p.Machine.Clocks() && (w.Network == plan.Shared || w.Network == plan.Any)
}

// regionOf is the region of a node as an expression of Verilog or Python with this division; empty with one clock.
func regionOf(p *plan.Plan, division string) string {
	if !p.Machine.Clocks() {
		return ""
	}
	var terms []string
	regions := 1
	for _, d := range rtl.Digits(p) {
		if !p.Dims[d.Index-1].Queue.Clocks {
			continue
		}
		term := "node"
		if d.Stride > 1 {
			term += fmt.Sprintf(" %s %d", division, d.Stride)
		}
		term += fmt.Sprintf(" %% %d", d.M)
		if regions > 1 {
			term = fmt.Sprintf("%d * (%s)", regions, term)
		}
		terms = append(terms, term)
		regions *= d.M
	}
	return strings.Join(terms, " + ")
}

// cocotbView is everything the example bench in Python prints: node 0 broadcasts one message.
type cocotbView struct {
	*plan.Plan
	Header    string
	Bus       string     // of the configuration; empty if there is none
	TDest     int        // of a broadcast
	Receivers [][]string // names of the streams of deliveries of nodes 1, 2, .., in quotes
	Idle      []string   // inputs that are 0
	Cycles    int        // after which the message has arrived
	Region    string     // of a node, if the nodes have several clocks
	Slowest   int        // region
}

func newCocotbView(p *plan.Plan) *cocotbView {
	v := &cocotbView{Plan: p, Header: p.Notice("#"), Receivers: make([][]string, p.Nodes-1), Cycles: broadcastCycles(p), Region: regionOf(p, "//"), Slowest: p.Regions() - 1}
	if p.Programmable != nil {
		v.Bus = p.Programmable.Bus
	}
	for _, d := range rtl.Digits(p) {
		v.TDest |= 1 << d.All
	}
	wires, lane := p.NetworkWires(), 0
	for _, s := range newStreams(p, wires) {
		if s.Input {
			continue
		}
		if node := lane / p.Deliveries; node > 0 {
			v.Receivers[node-1] = append(v.Receivers[node-1], fmt.Sprintf("%q", s.Name))
		}
		lane++
	}
	for _, w := range wires {
		if !w.Output && !w.IsClock() && w.Stream == "" && (w.Option != plan.OptionProgrammable || v.Bus == machine.Wishbone) {
			v.Idle = append(v.Idle, w.Name)
		}
	}
	return v
}
