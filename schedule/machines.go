// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
)

// Machines calls visit for every hypercycle with at most the given nodes and degree,
// once for all orders of its dimensions, until visit returns false.
func Machines(nodes, degree int, visit func(*hypercycle.Graph) bool) {
	var extend func(dims []hypercycle.Dimension, n, ports int) bool
	extend = func(dims []hypercycle.Dimension, n, ports int) bool {
		last := hypercycle.Dimension{M: 2, Rho: 1}
		if len(dims) > 0 {
			g, err := hypercycle.New(dims...)
			if err != nil {
				panic(err) // the dimensions are legal
			}
			if !visit(g) {
				return false
			}
			last = dims[len(dims)-1]
		}
		for m := last.M; n*m <= nodes; m++ {
			for rho := 1; rho <= m/2; rho++ {
				d := hypercycle.Dimension{M: m, Rho: rho}
				if m == last.M && rho < last.Rho || ports+d.Degree() > degree {
					continue
				}
				if !extend(append(slices.Clone(dims), d), n*m, ports+d.Degree()) {
					return false
				}
			}
		}
		return true
	}
	extend(nil, 1, 0)
}
