// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"

	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// crossingsView is everything the constraints of clock crossings print.
type crossingsView struct {
	Header, Network string
	At              string // variable with the path of the instance
	Period          string // of all clocks, until the user knows better, in ns
	Periods         []periodOfRegion
	Crossings       []rtl.Crossing
}

// periodOfRegion is a variable with the period of the clock of a region.
type periodOfRegion struct {
	Name   string
	Region int
}

func newCrossingsView(p *plan.Plan) *crossingsView {
	v := &crossingsView{
		Header: p.Notice("#"), Network: p.NetworkModule, At: p.NetworkModule + "_at", Crossings: rtl.Crossings(p),
		Period: fmt.Sprintf("%.3f", 1000/p.Machine.Synthesis[0].ClockMHz),
	}
	for c := range p.Regions() {
		v.Periods = append(v.Periods, periodOfRegion{v.Of(c), c})
	}
	return v
}

// Of names the variable of a region.
func (v *crossingsView) Of(region int) string { return fmt.Sprintf("%s_period_%d", v.Network, region) }
