// SPDX-License-Identifier: Apache-2.0

package measure

import "github.com/hcgen/hcgen/sim/internal/cases"

type rings = cases.Rings

var (
	newPlan     = cases.Plan
	corner      = cases.Corner
	shapes      = cases.Shapes
	variants    = cases.Variants
	preferences = cases.Preferences
	random      = cases.Random
	preference  = cases.Preference
	perPort     = cases.PerPort
	fifoDepth   = cases.FIFODepth
	registers   = cases.Registers
	destination = cases.Destination
)

// bit is 1 if a condition holds, else 0.
func bit(set bool) int {
	if set {
		return 1
	}
	return 0
}
