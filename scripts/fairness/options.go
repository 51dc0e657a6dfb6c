// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// options is the Options benchmark: columns are combinations of stages and delivery, cells
// deliveries per node and cycle, these to the bound, and fewest to most injections of the
// nodes that send.
var options = grid{
	loads: []choice{{"all", "all"}, {"half", "half"}, {"3", "3"}, {"1", "1"}},
	columns: []choice{
		{"stages=1,merged", "1 stage, merged"},
		{"stages=2,merged", "2 stages, merged"},
		{"stages=1,per_port", "1 stage, per port"},
		{"stages=2,per_port", "2 stages, per port"},
	},
	needs: []string{"deliveries", "bound", "fairness"},
	cell: func(m map[string]float64) string {
		return fmt.Sprintf("%.3f, %.2f, %.2f", m["deliveries"], m["deliveries"]/m["bound"], m["fairness"])
	},
}
