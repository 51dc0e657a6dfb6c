// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"testing"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// rings is the description of a machine in tests: (m, rho) of dimension 1, 2, ..
type rings [][2]int

func (r rings) String() string { return fmt.Sprint([][2]int(r)) }

type option func(*machine.Machine)

func payloadBits(n int) option { return func(m *machine.Machine) { m.PayloadBits = n } }
func sourceID() option         { return func(m *machine.Machine) { m.SourceID = true } }
func preference(p hypercycle.Preference) option {
	return func(m *machine.Machine) { m.Preference = p }
}

func stages(n int) option { return func(m *machine.Machine) { m.Stages = n } }
func perPort() option     { return func(m *machine.Machine) { m.Delivery = machine.PerPort } }

// variant is a combination of the options that change the behaviour of a router in a cycle.
type variant struct {
	name    string
	options []option
}

var variants = []variant{
	{"one stage, merged", nil},
	{"two stages, merged", []option{stages(2)}},
	{"one stage, per port", []option{perPort()}},
	{"two stages, per port", []option{stages(2), perPort()}},
}

// with is the variant with more options.
func (v variant) with(more ...option) []option { return append(more, v.options...) }

// newPlan makes the plan of a machine; payload 32 bits, no source id, clockwise
// unless options say otherwise.
func newPlan(t testing.TB, r rings, options ...option) *plan.Plan {
	t.Helper()
	var dims []hypercycle.Dimension
	for _, d := range r {
		dims = append(dims, hypercycle.Dimension{M: d[0], Rho: d[1]})
	}
	m, err := machine.Bare(dims...)
	if err != nil {
		t.Fatal(err)
	}
	m.Name, m.PayloadBits, m.Hash = "test", 32, "0123456789abcdef"
	for _, o := range options {
		o(m)
	}
	return plan.New(m)
}

// corner lists machines with every special case of the mathematics.
var corner = []rings{
	{{2, 1}},
	{{3, 1}},
	{{4, 1}},
	{{4, 2}},
	{{5, 1}},
	{{6, 2}},
	{{7, 2}},
	{{8, 1}},
	{{8, 3}},
	{{11, 3}},
	{{15, 1}},
	{{4, 1}, {4, 1}},
	{{3, 1}, {5, 1}},
	{{6, 2}, {5, 1}},
	{{2, 1}, {3, 1}, {6, 3}},
	{{2, 1}, {2, 1}, {2, 1}, {2, 1}},
	{{2, 1}, {3, 1}, {4, 2}, {5, 1}},
	{{2, 1}, {2, 1}, {2, 1}, {14, 7}},
	{{9, 4}, {7, 2}},
	{{4, 2}, {4, 2}},
}

var preferences = []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced}

func fifoDepth(n int) option { return func(m *machine.Machine) { m.FIFODepth = n } }
