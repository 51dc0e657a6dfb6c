// SPDX-License-Identifier: Apache-2.0

// Package formal makes the proofs of routers, networks and collective networks, and the scripts that run them.
package formal

import (
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/prefix"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/templates"
)

// hasProof reports whether there is a proof of the router. For a programmable router with destinations or
// tlast, only its modules are proved.
func hasProof(p *plan.Plan) bool { return p.Programmable == nil || hasEquivalence(p) }

// Files returns the proofs of the router and of collective networks. The names of library modules begin with the name of
// the machine.
func Files(p *plan.Plan, networks []*plan.Collective) (files []artifact.File, err error) {
	if !p.Machine.NoRouters {
		if files, err = proofFiles(p); err != nil {
			return nil, err
		}
	}
	proofs, err := collectiveProofs(networks, files)
	return prefix.Files(p.Name, append(files, proofs...)), err
}

// claimEnding is the ending of a file that states a claim: what Yosys reads and checks, and what the solver searches. SymbiYosys
// reads it, and so does prove.sh.
const claimEnding = ".sby"

// proofTasks are what the solver searches for a claim. 0 cycles: no such task.
type proofTasks struct {
	Induction, Cover int // cycles
	Bounded          int // cycles that are searched without an induction
	Skip             int // of these: the cycles of reset, in which nothing is claimed
}

// inductive are the tasks of a claim about runs of any length: one step of induction, and cycles that reach all covers.
func inductive(reset int) proofTasks {
	const searched = 12 // cycles after reset
	return proofTasks{Induction: 3, Cover: 14, Bounded: searched + reset, Skip: reset}
}

// proofFiles returns the claims about the network, hc_packets and the router of a machine, those that are checked faster
// first, and the files that they need.
func proofFiles(p *plan.Plan) ([]artifact.File, error) {
	var names []string
	if hasProof(p) || p.Machine.Network {
		names = append(names, "prove.sh", "cut.awk")
	}
	if p.Machine.Network {
		names = append(names, "netlist.awk", "wiring.awk")
	}
	files, err := proofScripts(names)
	if err != nil {
		return nil, err
	}
	if p.Machine.Network {
		files = append(files, formalFile(p.NetworkModule+claimEnding, "network.sby.tmpl", newWiringView(p)))
	}
	if rtl.HasPackets(p) {
		files = append(files, newPacketsProof(p).files()...)
	}
	proof := formalFiles
	switch {
	case !hasProof(p):
		return files, nil
	case p.Programmable != nil:
		proof = equivalenceFiles
	}
	router, err := proof(p)
	return append(files, router...), err
}

// Claims lists the claims about the routers of a machine: their files, in the order in which they are proved, and what they say.
func Claims(p *plan.Plan) (files, said []string, err error) {
	proofs, err := proofFiles(p)
	for _, f := range prefix.Files(p.Name, proofs) {
		if strings.HasSuffix(f.Path, claimEnding) {
			files = append(files, f.Path)
		}
	}
	switch {
	case !hasProof(p):
	case p.Programmable != nil:
		said = append(said, "the configured router equals the specialized router")
	default:
		said = append(said, "the router makes the right copies, each once, and keeps AXI4-Stream")
		if len(newRingsView(p).Rings) > 0 {
			said = append(said, "rings keep a hole")
		}
	}
	if p.Machine.Network {
		said = append(said, "the network is wired as the machine")
	}
	if rtl.HasPackets(p) {
		said = append(said, p.Library(rtl.PacketsModule)+" hands out packets whole and in order")
	}
	return files, said, err
}

// proofScripts returns scripts that do not depend on the machine.
func proofScripts(names []string) (files []artifact.File, err error) {
	for _, name := range names {
		f, err := artifact.Copied(templates.Files, "formal/"+name, "formal", artifact.Formal)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// formalFile is a file that a template of the same folder makes.
func formalFile(name, template string, view any) artifact.File {
	return artifact.File{Path: "formal/" + name, Role: artifact.Formal, Content: render.Template(template, view)}
}

// wiringView is everything the template of the claim about the wiring prints.
type wiringView struct {
	*plan.Plan
	HeaderHash string   // a comment
	RingList   string   // m and rho of each dimension, as wiring.awk reads it
	Registers  string   // of the links of each dimension, alike
	Clocks     string   // 1 for each dimension with clocks, alike; empty without clocks
	Between    string   // 1 for each dimension between chips, alike; empty without chips
	Links      []string // modules of links that are not plain wires, and of the ends of cables and sessions
	Inside     []string // modules of ends of cables
	MaxNodes   int      // of a programmable router, else 0
	Proved     bool     // so is the router
}

func newWiringView(p *plan.Plan) *wiringView {
	v := &wiringView{Plan: p, HeaderHash: p.Notice("#"), RingList: ringList(p.Machine.Graph), Links: rtl.QueueModules(p), Proved: hasProof(p)}
	v.Registers = strings.Join(each.Of(p.Dims, func(d plan.Dim) string { return strconv.Itoa(p.Machine.Dimensions[d.Index-1].Link.Registers) }), ",")
	marks := func(of func(q plan.Queue) bool) string {
		return strings.Join(each.Of(p.Dims, func(d plan.Dim) string {
			if of(d.Queue) {
				return "1"
			}
			return "0"
		}), ",")
	}
	switch {
	case p.Machine.Clocks():
		v.Clocks = marks(func(q plan.Queue) bool { return q.Clocks })
	case p.Chips != nil:
		v.Between = marks(func(q plan.Queue) bool { return q.Chips })
		v.Links = append(v.Links, "hc_chip_cable", "hc_chip_session")
		v.Inside = []string{"hc_chip_transmit", "hc_chip_inbound", "hc_chip_end", "hc_chip_counts"}
	}
	if p.Programmable != nil {
		v.MaxNodes = p.Programmable.MaxNodes
	}
	return v
}

// ringList lists m and rho of each dimension, as netlist.awk reads it.
func ringList(g *hypercycle.Graph) string {
	var rings []string
	for i := range g.Rank() {
		d := g.Dimension(i + 1)
		rings = append(rings, strconv.Itoa(d.M), strconv.Itoa(d.Rho))
	}
	return strings.Join(rings, ",")
}
