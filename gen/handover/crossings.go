// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// crossingsView is everything the constraints of clock crossings print.
type crossingsView struct {
	Header, Module string
	Kind           string // network or chip
	At             string // variable with the path of the instance
	Path, Top      string // the path if the module is inside the one at the top of the folder, and that one; else empty
	Period         string // of all clocks, until the user knows better, in ns
	Periods        []periodOfClock
	Crossings      []rtl.Crossing
}

// periodOfClock is a variable with the period of a clock.
type periodOfClock struct {
	Variable string
	rtl.Clock
}

func newCrossingsView(p *plan.Plan) *crossingsView {
	v := &crossingsView{
		Header: p.Notice("#"), Module: p.NetworkModule, Kind: "network", Crossings: rtl.Crossings(p),
		Period: fmt.Sprintf("%.3f", 1000/p.Machine.Synthesis[0].ClockMHz),
	}
	if p.Chips != nil {
		v.Module, v.Kind = p.Chips.Module, "chip"
		if p.Endpoint != nil {
			v.Path, v.Top = rtl.ChipInstance+"/", p.Endpoint.BoardModule
		}
	}
	v.At = v.Module + "_at"
	v.Periods = each.Of(rtl.Clocks(p), func(c rtl.Clock) periodOfClock { return periodOfClock{v.Of(c), c} })
	return v
}

// Of names the variable of a clock.
func (v *crossingsView) Of(c rtl.Clock) string { return v.Module + "_period_" + c.Name }
