// SPDX-License-Identifier: Apache-2.0

// Package cases has machines and traffics for the tests of the packages of sim.
package cases

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Rings describes a machine: (m, rho) of dimension 1, 2, ..
type Rings [][2]int

func (r Rings) String() string { return fmt.Sprint([][2]int(r)) }

// Option changes a machine.
type Option func(*machine.Machine)

// PayloadBits sets payload_bits.
func PayloadBits(n int) Option { return func(m *machine.Machine) { m.PayloadBits = n } }

// SourceID sets source_id.
func SourceID() Option { return func(m *machine.Machine) { m.SourceID = true } }

// Preference sets the direction of broadcasts to antipodes.
func Preference(p hypercycle.Preference) Option {
	return func(m *machine.Machine) { m.Preference = p }
}

// Stages sets stages.
func Stages(n int) Option { return func(m *machine.Machine) { m.Stages = n } }

// PerPort gives every link input a delivery register.
func PerPort() Option { return func(m *machine.Machine) { m.Delivery = machine.PerPort } }

// FIFODepth sets fifo_depth.
func FIFODepth(n int) Option { return func(m *machine.Machine) { m.FIFODepth = n } }

// Destination gives messages a destination.
func Destination() Option { return func(m *machine.Machine) { m.Destination = true } }

// Last gives messages tlast.
func Last() Option { return func(m *machine.Machine) { m.Last = true } }

// Barrier adds the barrier.
func Barrier() Option { return func(m *machine.Machine) { m.Barrier = true } }

// Registers puts registers on the links, first for dimension 1; the last number also for all further dimensions.
func Registers(n ...int) Option {
	return func(m *machine.Machine) {
		for i := range m.Dimensions {
			m.Dimensions[i].Link.Registers = n[min(i, len(n)-1)]
		}
	}
}

// Variant is a combination of the options that change the behaviour of a router in a cycle.
type Variant struct {
	Name    string
	Options []Option
}

// Variants are all combinations.
var Variants = []Variant{
	{"one stage, merged", nil},
	{"two stages, merged", []Option{Stages(2)}},
	{"one stage, per port", []Option{PerPort()}},
	{"two stages, per port", []Option{Stages(2), PerPort()}},
}

// With is the variant with more options.
func (v Variant) With(more ...Option) []Option { return append(more, v.Options...) }

// Preferences are all preferences.
var Preferences = []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced}

// Plan makes the plan of a machine; payload 32 bits, no source id, clockwise
// unless options say otherwise.
func Plan(t testing.TB, r Rings, options ...Option) *plan.Plan {
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

// Draw draws the plan of a machine with rings of up to 15 nodes and registers on the way, and with more options.
func Draw(t *rapid.T, nodes int, options ...Option) *plan.Plan {
	m := machines.Draw(t, arbitrary.Limits{Nodes: nodes, Ring: 15})
	machines.Registers(t, m)
	for _, o := range options {
		o(m)
	}
	return plan.New(m)
}

// Corner lists machines with every special case of the mathematics.
var Corner = []Rings{
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

// Shapes have one to three dimensions, equal and different, and ports that lead to the same node.
var Shapes = []Rings{{{2, 1}}, {{7, 2}}, {{4, 1}, {4, 1}}, {{3, 1}, {5, 2}}, {{5, 2}, {3, 1}}, {{2, 1}, {4, 2}, {3, 1}}}

// Random is random traffic.
func Random(rate, stall float64, seed int64) machine.Traffic {
	return machine.Traffic{Name: "random", Random: &machine.Random{Rate: rate, Stall: stall, Seed: seed}}
}

// Stalls overlap at node 6, and the stall of node 9 lasts to the end.
var Stalls = []machine.Stall{
	{Receivers: []int{6}, At: 20, Cycles: 10},
	{Receivers: []int{3, 6}, At: 25, Cycles: 15},
	{Receivers: []int{6}, At: 60, Cycles: 1},
	{Receivers: []int{9}, At: 70},
}

// Stalled is the definition of a stall block, for Stalls.
func Stalled(v, cycle int) bool {
	switch v {
	case 3:
		return cycle >= 25 && cycle < 40
	case 6:
		return cycle >= 20 && cycle < 40 || cycle == 60
	case 9:
		return cycle >= 70
	}
	return false
}
