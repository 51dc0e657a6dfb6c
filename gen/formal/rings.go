// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"strconv"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// provedPlaces is the largest number of places of a ring that is proved: registers and slots of link inputs.
const provedPlaces = 128 // of a link with registers, one counts

// ringsView is everything the template of the rings of a machine prints.
type ringsView struct {
	*plan.Plan
	Header string // a comment
	Module string
	Nets   []plan.Wire // of a router, without clk and rst
	Rings  []*ringView
}

// ringView is the proof of the rings of one port.
type ringView struct {
	plan.Port
	machine      *ringsView
	HeaderHash   string // a comment
	Module, File string
	RTL          []string // files, without their folders
	RouterModule string
	Nodes        int                  // in a ring
	Continues    int                  // the bit of pending for the message that continues
	LastSlot     int                  // of its link input
	Exposed      exposure             // the registers of the ring
	Connections  []verilog.Connection // of a router in a ring
}

// unprovedRings are the ring ports whose rings are too long for a proof.
type unprovedRings struct {
	Places int // the limit
	Ports  []string
}

func longRings(p *plan.Plan) *unprovedRings {
	long := &unprovedRings{Places: provedPlaces}
	for _, q := range p.Ports {
		if q.Ring && !provedRing(p, q) {
			long.Ports = append(long.Ports, strconv.Itoa(q.Index))
		}
	}
	if long.Ports == nil {
		return nil
	}
	return long
}

func provedRing(p *plan.Plan, q plan.Port) bool {
	return ringNodes(p, q)*(1+p.InputSlots+linkPlaces(q)) <= provedPlaces
}

// linkPlaces is the number of places of a link in the proof: a link with registers is full or has space.
func linkPlaces(q plan.Port) int { return verilog.Int(q.Queue.Places > 0) }

func newRingsView(p *plan.Plan) *ringsView {
	s := specializedSignals{p}
	v := &ringsView{Plan: p, Header: p.Notice("//"), Module: p.Module("rings"), Nets: plan.InProofOrder(p.RouterWires())[2:]}
	var files []string
	for _, m := range rtl.LibraryModules(p) {
		files = append(files, m+".v")
	}
	files = append(files, p.RouterModule+".v")
	for _, q := range p.Ports {
		if !q.Ring || !provedRing(p, q) {
			continue
		}
		in := p.Ports[q.ContinueFrom]
		r := &ringView{
			Port: q, machine: v, HeaderHash: p.Notice("#"), Module: p.RingModule(q.Index), File: v.Module + ".v", RTL: files, RouterModule: p.RouterModule,
			Nodes: ringNodes(p, q), Continues: in.Targets() - 1, LastSlot: p.InputSlots - 1,
		}
		r.Exposed.add(s.output(q).full, "full")
		r.Exposed.add(s.pending(in), "pending")
		r.Exposed.add(s.free(in), "free")
		far, ready := "", "ready[AHEAD]"
		if q.Queue.Places > 0 {
			far, ready = "far_", "near_ready[n]"
		}
		replaced := map[string]string{
			"s_valid":    splice("s_valid", p.Degree, in.Index, 1, far+"valid[BEHIND]"),
			"s_data":     splice("s_data", p.Degree, in.Index, p.LinkBits, fmt.Sprintf("%sdata[BEHIND*%d+:%d]", far, p.LinkBits, p.LinkBits)),
			"link_ready": splice("link_ready", p.Degree, q.Index, 1, ready),
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

// Tasks and Count are printed by the claim.
func (r *ringView) Tasks() proofTasks { return inductive(1) }
func (r *ringView) Count() (properties, error) {
	return countRendered(r.Module, nil, "rings.v.tmpl", r.machine)
}

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

// ringsFiles returns the claims about the rings, and their properties.
func ringsFiles(p *plan.Plan) []artifact.File {
	v := newRingsView(p)
	if len(v.Rings) == 0 {
		return nil
	}
	files := []artifact.File{formalFile(v.Module+".v", "rings.v.tmpl", v)}
	for _, r := range v.Rings {
		files = append(files, formalFile(r.Module+claimEnding, "rings.sby.tmpl", r))
	}
	return files
}
