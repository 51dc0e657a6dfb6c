// SPDX-License-Identifier: Apache-2.0

package options

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// missing lists the options of the table that none of the machines has.
func missing(plans []*plan.Plan) (list []plan.Option) {
	for _, o := range plan.Options() {
		if !slices.ContainsFunc(plans, func(p *plan.Plan) bool { return p.Has(o) }) {
			list = append(list, o)
		}
	}
	return list
}

func TestEveryOptionHasAPage(t *testing.T) {
	for _, o := range plan.Options() {
		assert.NotPanics(t, func() {
			_, err := os.Stat("../../docs/" + Page(o))
			assert.NoError(t, err, "page of option %q", o)
		})
	}
	assert.Len(t, pages, len(plan.Options()), "a page of an option that is not in the table")
}

// Every port is a port of one of the machines: every option is, alone or with others, and every bus.
func TestMachinesHaveEveryOption(t *testing.T) {
	var plans []*plan.Plan
	buses := map[string]bool{}
	without := map[plan.Option]bool{}
	for _, p := range Machines() {
		plans = append(plans, p)
		if p.Programmable != nil {
			buses[p.Programmable.Bus] = true
		}
		for _, o := range plan.Options() {
			without[o] = without[o] || !p.Has(o)
		}
	}
	assert.Empty(t, missing(plans), "options that no machine of this package has")
	for _, o := range plan.Options() {
		assert.Equal(t, o != plan.Always, without[o], "a machine without option %q", o)
	}
	assert.Equal(t, map[string]bool{machine.Wishbone: true, machine.AXI4Lite: true}, buses)
}

func TestArbitraryMachinesHaveEveryOption(t *testing.T) {
	var plans []*plan.Plan
	for seed := range 200 {
		plans = append(plans, plan.New(machines.Described().Example(seed)))
	}
	assert.Empty(t, missing(plans), "options that no random machine has: internal/arbitrary/machines draws them")
}
