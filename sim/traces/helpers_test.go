// SPDX-License-Identifier: Apache-2.0

package traces

import "github.com/hcgen/hcgen/sim/internal/cases"

type (
	rings  = cases.Rings
	option = cases.Option
)

var (
	newPlan     = cases.Plan
	corner      = cases.Corner
	variants    = cases.Variants
	random      = cases.Random
	payloadBits = cases.PayloadBits
	sourceID    = cases.SourceID
	preference  = cases.Preference
	stages      = cases.Stages
	perPort     = cases.PerPort
	fifoDepth   = cases.FIFODepth
	registers   = cases.Registers
)
