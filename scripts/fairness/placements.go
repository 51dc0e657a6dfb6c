// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// placements is the Placements benchmark: columns are the lengths of its runs, cells fewest
// to most injections of the nodes that send, of the least fair placement, the median and the
// fairest, and the smallest of the deliveries, to the bound.
var placements = grid{
	loads: []choice{{"three-quarters", "three quarters"}, {"half", "half"}, {"3", "3"}},
	columns: []choice{
		{"60000", "60,000 cycles"},
		{"120000", "120,000 cycles"},
		{"240000", "240,000 cycles"},
	},
	needs: []string{"least-fairness", "median-fairness", "most-fairness", "least-part"},
	cell: func(m map[string]float64) string {
		return fmt.Sprintf("%.2f, %.2f, %.2f; %.3f",
			m["least-fairness"], m["median-fairness"], m["most-fairness"], m["least-part"])
	},
}
