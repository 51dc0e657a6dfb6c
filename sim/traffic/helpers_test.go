// SPDX-License-Identifier: Apache-2.0

package traffic

import "github.com/hcgen/hcgen/sim/internal/cases"

type rings = cases.Rings

var (
	newPlan     = cases.Plan
	corner      = cases.Corner
	payloadBits = cases.PayloadBits
	sourceID    = cases.SourceID
	fifoDepth   = cases.FIFODepth
	shapes      = cases.Shapes
	variants    = cases.Variants
	random      = cases.Random
	destination = cases.Destination
	last        = cases.Last
)
