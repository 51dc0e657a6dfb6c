// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// ringsView is everything the templates of the proof of rings print.
type ringsView struct {
	*plan.Plan
	Header, HeaderHash string // comments
	Module             string
	RTL                []string    // files, without their folders
	Nets               []plan.Wire // of a router, without clk and rst
	Exposed            exposure    // of the router
	Rings              []ringView
	Long               []int // ring ports whose rings are not proved
}

// ProvedPlaces is the largest number of places of a ring that is proved: registers and slots of link inputs.
const ProvedPlaces = 128

// Parts is the number of cells of the router that the proof keeps: a port and a link input for each ring.
func (v *ringsView) Parts() int { return 2 * len(v.Rings) }

// ringView is the proof of the rings of one port.
type ringView struct {
	plan.Port
	Module      string
	Nodes       int                  // in a ring
	Continues   int                  // the bit of pending for the message that continues
	LastSlot    int                  // of its link input
	Exposed     exposure             // of these, the registers of its ring
	Connections []verilog.Connection // of a router in a ring
}

func newRingsView(p *plan.Plan) *ringsView {
	s := specializedSignals{p}
	v := &ringsView{Plan: p, Header: p.Notice("//"), HeaderHash: p.Notice("#"), Module: p.Module("rings"), Nets: plan.InProofOrder(p.RouterWires())[2:]}
	for _, m := range rtl.LibraryModules(p) {
		v.RTL = append(v.RTL, m+".v")
	}
	v.RTL = append(v.RTL, p.RouterModule+".v")
	for _, q := range p.Ports {
		if !q.Ring {
			continue
		}
		nodes := ringNodes(p, q)
		if nodes*(1+p.InputSlots) > ProvedPlaces {
			v.Long = append(v.Long, q.Index)
			continue
		}
		in := p.Ports[q.ContinueFrom]
		r := ringView{Port: q, Module: p.RingModule(q.Index), Nodes: nodes, Continues: in.Targets() - 1, LastSlot: p.InputSlots - 1}
		expose := func(x signal, name string) {
			r.Exposed.add(x, name)
			v.Exposed.add(x, fmt.Sprintf("ring%d_%s", q.Index, name))
		}
		expose(s.output(q).full, "full")
		expose(s.pending(in), "pending")
		expose(s.free(in), "free")
		replaced := map[string]string{
			"s_valid":    splice("s_valid", p.Degree, in.Index, 1, "valid[BEHIND]"),
			"s_data":     splice("s_data", p.Degree, in.Index, p.LinkBits, fmt.Sprintf("data[BEHIND*%d+:%d]", p.LinkBits, p.LinkBits)),
			"link_ready": splice("link_ready", p.Degree, q.Index, 1, "ready[AHEAD]"),
		}
		for _, n := range plan.InProofOrder(p.RouterWires()) {
			value, is := replaced[n.InProof()]
			if !is {
				value = n.InProof()
			}
			r.Connections = append(r.Connections, verilog.To(n.Name, value))
		}
		for _, x := range r.Exposed {
			r.Connections = append(r.Connections, verilog.To(`\`+x.Path+" ", x.Name))
		}
		v.Rings = append(v.Rings, r)
	}
	return v
}

// counted is the port of the ring, with the numbers of assertions and covers in its proof.
func (r ringView) counted() string { return fmt.Sprintf("%d:%d:%d", r.Index, r.Nodes+1, 1) }

// ringNodes is the number of nodes in each ring of a port: m / gcd(m, rho).
func ringNodes(p *plan.Plan, q plan.Port) int {
	m := p.Dims[q.Dimension-1].M
	a, b := m, q.Distance
	for b > 0 {
		a, b = b, a%b
	}
	return m / a
}

// splice prints a vector in which one lane is replaced.
func splice(vector string, lanes, at, width int, replacement string) string {
	var items []string
	if at > 0 {
		items = append(items, vector+verilog.Slice(0, at*width))
	}
	items = append(items, replacement)
	if above := lanes - at - 1; above > 0 {
		items = append(items, vector+verilog.Slice((at+1)*width, above*width))
	}
	return verilog.Concat(items)
}

// ringsFiles returns the files of the proof of rings.
func ringsFiles(p *plan.Plan) []artifact.File {
	v := newRingsView(p)
	if len(v.Rings) == 0 {
		return nil
	}
	return []artifact.File{
		{Path: "formal/" + v.Module + ".v", Role: artifact.Formal, Content: render.Template("rings.v.tmpl", v)},
		{Path: "formal/" + v.Module + ".ys", Role: artifact.Formal, Content: render.Template("rings.ys.tmpl", v)},
	}
}

// Rings lists the ring ports whose rings are proved, with the numbers of assertions and covers of each, and the others.
func Rings(p *plan.Plan) (counted []string, long []int) {
	v := newRingsView(p)
	return each.Of(v.Rings, ringView.counted), v.Long
}
