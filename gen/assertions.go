// SPDX-License-Identifier: Apache-2.0

package gen

// count returns how many assertions and covers the proof of a router has: for each module of
// properties what it has in hdl/router_proof, for each copy of it. Yosys drops in silence
// what it does not understand, so prove.sh compares what was read with these.
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

	add(when(marks > 1, 1), 0)
	if v.Queued {
		add(4*marks*len(v.Inputs)+when(marks > 1, 2), 0)
	}
	for _, in := range v.Inputs {
		if v.Queued {
			add(11+3*in.Continues, 2+when(in.Targets > 1, 1))
		} else {
			add(7, 1+when(in.Targets > 1, 1))
		}
	}
	add(5, 1) // the local input
	for _, g := range v.GroupList {
		add(2, when(g.Ports > 1, 1))
	}
	for _, o := range v.Outputs {
		if o.Silent {
			add(1, 0)
			continue
		}
		ring := o.Ring > 0
		each := o.Slots + 5 + when(ring, 3)
		add(3+marks*each+when(marks > 1, 3)+when(!ring, 1), 1)
		add(when(o.Memory, o.Slots-1+2), 0)
	}
	return assertions, covers
}

// count returns how many assertions and covers the proof of equivalence has.
func (v *equivalenceView) count() (assertions, covers int) {
	assertions = 8 + 2*len(v.Outputs) + len(v.Kept) + len(v.Matches)
	if v.SourceBits > 0 {
		assertions++
	}
	return assertions, 2 + len(v.Covers)
}
