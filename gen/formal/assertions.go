// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/templates"
)

// proofScripts returns the scripts that run the proof of a router, of either kind, and check the wiring of the network.
func proofScripts() ([]artifact.File, error) {
	var files []artifact.File
	for _, name := range []string{"prove.sh", "cut.awk", "netlist.awk", "wiring.awk"} {
		f, err := artifact.Copied(templates.Files, "formal/"+name, "formal", artifact.Formal)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// count returns the numbers of assertions and covers in the proof of a router: for each instance of a
// module of hdl/proofs/router, those that the module contains. Yosys silently drops statements that it
// does not understand, so prove.sh compares the formulas with these numbers.
func (v *proofView) count() (assertions, covers int) {
	marks := v.TagBits
	add := func(a, c int) {
		assertions += a
		covers += c
	}
	when := func(condition bool, n int) int {
		if condition {
			return n
		}
		return 0
	}

	add(3*marks*len(v.Inputs)+marks+when(marks > 1, 3), 0)
	for _, in := range v.Inputs {
		add(8, 2+when(in.Targets() > 1, 1))
	}
	add(4, 1) // the local input
	add(4, 1) // the pace
	if v.Destination != nil {
		add(2, 1+1) // the destination, and one more cover of the pace
	}
	if v.Machine.Barrier {
		add(3, 1)
	}
	for _, g := range v.Groups {
		add(1+marks, when(len(g.Entered) > 1, 1))
	}
	for _, o := range v.Outputs {
		if o.Silent {
			add(1, 0)
			continue
		}
		add(3+marks*(6+verilog.Int(o.Ring))+when(marks > 1, 2), 1)
		if o.Ring {
			add(5-verilog.Int(o.Passes.Marked), 1)
		}
	}
	return assertions, covers
}

// count returns the numbers of assertions and covers in the proof of equivalence.
func (v *equivalenceView) count() (assertions, covers int) {
	assertions = 8 + 2*len(v.PortList) + len(v.Kept) + len(v.Matches)
	if v.SourceBits > 0 {
		assertions++
	}
	for _, w := range v.Special.OtherWires() {
		assertions += verilog.Int(w.Output)
	}
	return assertions, 2 + len(v.Covers)
}

// Connections counts the connections that prove.sh compares in a network: the bits of the inputs of all
// routers and of the outputs of the network.
func Connections(p *plan.Plan) int {
	n := 0
	for _, w := range p.RouterWires() {
		if !w.Output {
			n += p.Nodes * w.Width()
		}
	}
	for _, w := range p.NetworkWires() {
		if w.Output {
			n += w.Width()
		}
	}
	return n
}

// Count returns the numbers of assertions and covers in the proof of a router.
func Count(p *plan.Plan) (assertions, covers int) {
	if p.Programmable == nil {
		return newProofView(p).count()
	}
	return newEquivalenceView(p, Specialized(p)).count()
}
