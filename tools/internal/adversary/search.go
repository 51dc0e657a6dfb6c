// SPDX-License-Identifier: Apache-2.0

// Package adversary searches for traffic that keeps a message under way for long: nodes that send without a pause, single
// stalls, and messages of other nodes. It improves scenarios step by step, by the longest time under way in the reference model
// (docs/fairness.md).
package adversary

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
)

// Subject is a machine that is attacked.
type Subject struct {
	Title string
	Plan  *plan.Plan
}

// option changes a machine without options.
type option func(*machine.Machine)

func destinations(m *machine.Machine) { m.Destination = true }
func perPort(m *machine.Machine)      { m.Delivery = machine.PerPort }
func twoStages(m *machine.Machine)    { m.Stages = 2 }
func depth(slots int) option          { return func(m *machine.Machine) { m.FIFODepth = slots } }

// registers on all links.
func registers(n int) option {
	return func(m *machine.Machine) {
		for i := range m.Dimensions {
			m.Dimensions[i].Link.Registers = n
		}
	}
}

// Subjects returns the machines that are attacked: both kinds of delivery, one and two stages, several depths, with and without
// destinations, rings with rho of 1 and above, links with and without registers.
func Subjects() []Subject {
	var list []Subject
	ring := func(m, rho int) hypercycle.Dimension { return hypercycle.Dimension{M: m, Rho: rho} }
	torus := []hypercycle.Dimension{ring(4, 1), ring(4, 1)}
	for _, s := range []struct {
		title   string
		rings   []hypercycle.Dimension
		options []option
	}{
		{"4x4", torus, nil},
		{"4x4, destinations", torus, []option{destinations}},
		{"4x4, per_port, fifo_depth 3", torus, []option{perPort, depth(3)}},
		{"4x4, fifo_depth 8", torus, []option{depth(8)}},
		{"4x4, destinations, stages 2", torus, []option{destinations, twoStages}},
		{"(8,2), per_port, fifo_depth 4", []hypercycle.Dimension{ring(8, 2)}, []option{perPort, depth(4)}},
		{"(8,2), destinations", []hypercycle.Dimension{ring(8, 2)}, []option{destinations}},
		{"7-ring", []hypercycle.Dimension{ring(7, 1)}, nil},
		{"(9,2)x(4,2), stages 2", []hypercycle.Dimension{ring(9, 2), ring(4, 2)}, []option{twoStages}},
		{"(3,1)x(7,3)x(2,1), destinations, per_port", []hypercycle.Dimension{ring(3, 1), ring(7, 3), ring(2, 1)}, []option{destinations, perPort}},
		{"4x4, registers 1", torus, []option{registers(1)}},
		{"4x4, registers 2", torus, []option{registers(2)}},
		{"8-ring, registers 4", []hypercycle.Dimension{ring(8, 1)}, []option{registers(4)}},
	} {
		m, err := machine.Bare(s.rings...)
		if err != nil {
			panic("adversary: " + err.Error()) // the rings are legal
		}
		for _, o := range s.options {
			o(m)
		}
		list = append(list, Subject{s.title, plan.New(m)})
	}
	return list
}

// Attack is the worst scenario that a search has found.
type Attack struct {
	scenario
	measure.Measurement
	cycles int
}

// Simulate returns the figures of a network under a traffic.
func Simulate(p *plan.Plan, t machine.Traffic) measure.Measurement {
	m, _ := measure.Traffic(p, t, nil) // only progress can return an error
	return m
}

// Search looks for the scenario with the longest time under way. It starts from several random scenarios and keeps each change
// that does not shorten the time. It stops early at a scenario with a fault.
func Search(ctx context.Context, p *plan.Plan, runs, cycles int, seed uint64, run func(*plan.Plan, machine.Traffic) measure.Measurement) (Attack, error) {
	const climb = 40 // runs from one random scenario
	r := rand.New(rand.NewPCG(seed, 1))
	var worst, best Attack
	for i := range runs {
		if err := ctx.Err(); err != nil {
			return worst, err
		}
		next := draw(p, cycles, r)
		if i%climb != 0 {
			next = best.scenario.change(p, cycles, r)
		}
		found := Attack{next, run(p, next.traffic(cycles)), cycles}
		if found.Fault() != nil {
			return found, nil
		}
		if i%climb == 0 || found.MaxTimeUnderWay >= best.MaxTimeUnderWay {
			best = found
		}
		if best.MaxTimeUnderWay > worst.MaxTimeUnderWay || i == 0 {
			worst = best
		}
	}
	return worst, nil
}

// held reports whether a message is held. The streams of a scenario last until the run ends, so a message that is under way for
// half of the run, though few nodes send and stalls are short, is held.
func (a Attack) held() bool { return a.MaxTimeUnderWay > a.cycles/2 }

// Fault reports a message that is held, or a breach of part 3 or 4 of the theorem of docs/fairness.md.
func (a Attack) Fault() error {
	if a.held() {
		return fmt.Errorf("a message is under way for %d of %d cycles", a.MaxTimeUnderWay, a.cycles)
	}
	if a.LongestWait > a.WaitBound {
		return fmt.Errorf("while a node waited, the others injected %d turns, and the bound is %d", a.LongestWait, a.WaitBound)
	}
	if a.MaxPassedTicks > plan.PassedTicks {
		return fmt.Errorf("a waiting message was passed in %d ticks, and the bound is %d", a.MaxPassedTicks, plan.PassedTicks)
	}
	return nil
}
