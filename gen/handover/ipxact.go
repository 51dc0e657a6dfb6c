// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"path"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// standard is a version of IP-XACT, with its words for the ends of a bus.
type standard struct{ Year, Slave, Master string }

var standards = []standard{{"2014", "slave", "master"}, {"2022", "target", "initiator"}}

// ipxactView is everything the description in IP-XACT prints.
type ipxactView struct {
	*integrationView
	standard
	Comment string
	Streams []stream
	Sources []string // files, relative to that of the description
}

func newIPXACTView(v *integrationView, s standard) *ipxactView {
	return &ipxactView{
		integrationView: v, standard: s, Comment: v.Notice(" "), Streams: newStreams(v.Plan, v.Wires),
		Sources: each.Of(v.RTL, func(file string) string { return path.Join("..", file) }),
	}
}

// stream is an AXI4-Stream interface: a lane of the ports that begin with the same name.
type stream struct {
	Name  string
	Input bool // of the module
	Wires []streamWire
}

// streamWire is a signal of AXI4-Stream and the bits of the port that carry it, or the whole port if it is no vector.
type streamWire struct {
	Signal, Port string
	Vector       bool
	verilog.Part
}

// Left and Right are the highest and lowest bit.
func (w streamWire) Left() int  { return w.Low + w.Width - 1 }
func (w streamWire) Right() int { return w.Low }

// newStreams lists the streams of a module in the order of its ports.
func newStreams(p *plan.Plan, wires []plan.Wire) []stream {
	var list []stream
	first := map[string]int{} // index of the first lane
	for _, w := range wires {
		if w.Stream == "" {
			continue
		}
		at, known := first[w.Stream]
		if !known {
			at = len(list)
			first[w.Stream] = at
			for i := range w.Lanes {
				list = append(list, stream{Name: strings.TrimSuffix(w.Name, "_"+w.Signal) + laneName(p, w, i), Input: w.Stream == plan.LinkIn || w.Stream == plan.LocalIn})
			}
		}
		for i := range w.Lanes {
			list[at+i].Wires = append(list[at+i].Wires, streamWire{strings.ToUpper(w.Signal), w.Name, w.Vector, verilog.LanePart(i, w.Bits)})
		}
	}
	return list
}

// laneName says which lane of a port it is: of a node, of a port of the router, or of both.
func laneName(p *plan.Plan, w plan.Wire, i int) string {
	nodes := 0
	switch {
	case p.Chips != nil:
		nodes = p.Chips.Places
	case p.Machine.Network:
		nodes = p.Nodes
	}
	switch {
	case w.Network == plan.PerNode && nodes > 0 && w.Lanes > nodes:
		return fmt.Sprintf("_node%d_port%d", i/p.Deliveries, i%p.Deliveries)
	case w.Network == plan.PerNode && nodes > 0:
		return fmt.Sprintf("_node%d", i)
	case w.Lanes > 1:
		return fmt.Sprintf("_port%d", i)
	}
	return ""
}
