// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// exampleView is everything the example bench prints: node 0 broadcasts one message, and each collective network carries
// out an operation.
type exampleView struct {
	*plan.Plan
	top
	Header      string
	Payload     string
	Others      int // other nodes
	Lanes       int // streams of deliveries
	Cycles      int // after which the message has arrived
	Connections []verilog.Connection
	BusDone     string // output of the network that ends a write to the configuration bus; empty if it has none

	Clocks  []exampleClock
	Slowest string // clock
	Region  string // of a node, if the nodes have several clocks

	Collectives []*collectiveView
	Barrier     bool        // the barrier starts the collective networks
	Links       []plan.Wire // wires between the collective networks and their nodes
	Period      int         // cycles after which the collective networks have finished
}

// exampleClock is the clock of a region, and its reset.
type exampleClock struct {
	Index    int
	Driver   string // of the clock: Verilator 5.006 does not run bits of a vector that are driven apart as clocks
	Clk, Rst string
	Half     int    // of its period
	Lane     string // variable of a loop over the deliveries
}

func newExampleView(p *plan.Plan, networks []*plan.Collective, t top) *exampleView {
	v := &exampleView{
		Plan: p, top: t, Header: p.Notice("//"), Payload: verilog.Sized(p.PayloadBits, 1), Others: p.Nodes - 1, Lanes: p.Nodes * p.Deliveries,
		Cycles:  broadcastCycles(p),
		Barrier: p.Machine.Barrier && len(networks) > 0,
		Clocks:  []exampleClock{{0, "clk", "clk", "rst", 5, "lane"}}, Slowest: "clk", Region: regionOf(p, "/"),
	}
	if p.Machine.Clocks() {
		v.Clocks = nil
		for c := range p.Regions() {
			v.Clocks = append(v.Clocks, exampleClock{c, fmt.Sprintf("clk%d", c), fmt.Sprintf("clk[%d]", c), fmt.Sprintf("rst[%d]", c), 5 + c, fmt.Sprintf("lane%d", c)})
			v.Slowest = v.Clocks[c].Clk
		}
	}
	if t.Streams {
		for _, w := range p.NetworkWires() {
			value := v.net(w)
			if w.Role == plan.Done {
				v.BusDone = w.Name
			}
			if value == "" && !w.Output {
				value = v.constant(w)
			}
			v.Connections = append(v.Connections, verilog.To(w.Name, value))
		}
	}
	for _, w := range t.Wires[len(v.Connections):] { // of collective networks
		value := w.Name
		switch {
		case w.Role == plan.Start && v.Barrier:
			value = released
		case w.Role == plan.Start:
			value = "operate"
		case w.Role == plan.Operation:
			value = firstOperation(w)
		case !w.IsClock():
			v.Links = append(v.Links, w)
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, value))
	}
	for _, c := range networks {
		v.Collectives = append(v.Collectives, newCollectiveView(p, c))
		v.Period = max(v.Period, v.Collectives[len(v.Collectives)-1].Cycles)
	}
	return v
}

// Drivers are the drivers of the clocks, the highest region first.
func (v *exampleView) Drivers() string {
	var names []string
	for _, c := range slices.Backward(v.Clocks) {
		names = append(names, c.Driver)
	}
	return strings.Join(names, ", ")
}

// net is what the example bench connects to a port of the network, or empty.
func (v *exampleView) net(w plan.Wire) string {
	switch w.Role {
	case plan.Clock, plan.Configured:
		return w.Name
	case plan.Strobe:
		return "bus_write"
	case plan.Address:
		return "bus_address"
	case plan.Data:
		return "bus_data"
	case plan.Done:
		return "bus_ended"
	case plan.Present:
		if v.Barrier {
			return fmt.Sprintf("{%d{arrive}}", w.Lanes)
		}
	case plan.Released:
		if v.Barrier {
			return w.Name
		}
	case plan.Traffic:
		return exampleNets[w.Stream+" "+w.Signal]
	}
	return ""
}

// exampleNets names the wires of the example bench, by stream and signal.
var exampleNets = map[string]string{
	plan.LocalIn + " tvalid": "tx_valid", plan.LocalIn + " tready": "tx_tready",
	plan.LocalOut + " tvalid": "rx_valid", plan.LocalOut + " tdata": "rx_data",
}

// constant is what the example bench drives an input of the network with: messages for all nodes, receivers and bus
// responses that are always accepted, whole words, and no reads.
func (v *exampleView) constant(w plan.Wire) string {
	one := verilog.Sized(w.Bits, 0)
	switch {
	case w.Field == plan.FieldPayload:
		one = v.Payload
	case w.Role == plan.ToAll:
		one = verilog.Sized(w.Bits, rtl.Broadcast(v.Plan))
	case w.Role == plan.Traffic || w.Role == plan.Ones:
		one = fmt.Sprintf("%d'b%s", w.Bits, strings.Repeat("1", w.Bits))
	}
	if w.Lanes == 1 {
		return one
	}
	return fmt.Sprintf("{%d{%s}}", w.Lanes, one)
}
