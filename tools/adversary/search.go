// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// subject is a machine that is attacked.
type subject struct {
	title string
	plan  *plan.Plan
}

// option changes a machine without options.
type option func(*machine.Machine)

func destinations(m *machine.Machine) { m.Destination = true }
func perPort(m *machine.Machine)      { m.Delivery = machine.PerPort }
func twoStages(m *machine.Machine)    { m.Stages = 2 }
func depth(slots int) option          { return func(m *machine.Machine) { m.FIFODepth = slots } }

// subjects returns the machines that are attacked: both kinds of delivery, one and two stages, several depths, with and without
// destinations, rings with rho of 1 and above.
func subjects() ([]subject, error) {
	var list []subject
	add := func(title string, rings []hypercycle.Dimension, options ...option) error {
		m, err := machine.Bare(rings...)
		if err != nil {
			return fmt.Errorf("%s: %w", title, err)
		}
		for _, o := range options {
			o(m)
		}
		list = append(list, subject{title, plan.New(m)})
		return nil
	}
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
	} {
		if err := add(s.title, s.rings, s.options...); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// attack is the worst scenario that a search has found.
type attack struct {
	scenario
	sim.Summary
}

// search looks for the scenario with the longest time under way. It starts from several random scenarios and keeps each change
// that does not shorten the time. It stops early at a message that is held.
func search(p *plan.Plan, runs, cycles int, seed uint64, run func(*plan.Plan, machine.Traffic) sim.Summary) attack {
	const climb = 40 // runs from one random scenario
	r := rand.New(rand.NewPCG(seed, 1))
	var worst, best attack
	for i := range runs {
		next := draw(p, cycles, r)
		if i%climb != 0 {
			next = best.scenario.change(p, cycles, r)
		}
		found := attack{next, run(p, next.traffic(cycles))}
		if i%climb == 0 || found.MaxTimeUnderWay >= best.MaxTimeUnderWay {
			best = found
		}
		if best.MaxTimeUnderWay > worst.MaxTimeUnderWay || i == 0 {
			worst = best
		}
		if held(worst.Summary, cycles) {
			break
		}
	}
	return worst
}

// held reports whether a message is held. The streams of a scenario last until the run ends, so a message that is under way for
// half of the run, though few nodes send and stalls are short, is held.
func held(s sim.Summary, cycles int) bool { return s.MaxTimeUnderWay > cycles/2 }

// fault reports a message that is held, or a breach of part 4 of the theorem of docs/fairness.md.
func fault(s sim.Summary, cycles int) error {
	if held(s, cycles) {
		return fmt.Errorf("a message is under way for %d of %d cycles", s.MaxTimeUnderWay, cycles)
	}
	if s.MaxPassedTicks > plan.PassedTicks {
		return fmt.Errorf("a waiting message was passed in %d ticks, and the bound is %d", s.MaxPassedTicks, plan.PassedTicks)
	}
	return nil
}
