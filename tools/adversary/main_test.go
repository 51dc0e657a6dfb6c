// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

func TestAdversaryHoldsNoMessage(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 20
	}
	var out strings.Builder
	held, err := campaign(&out, runs, 1500, 1)
	require.NoError(t, err)
	require.False(t, held, out.String())
}

// The same search finds held messages if the marks do not hold the clocks.
func TestAdversaryFindsMessagesThatAreHeldWithoutMarks(t *testing.T) {
	list, err := subjects()
	require.NoError(t, err)
	for _, s := range []subject{list[0], list[1], list[5], list[6]} {
		t.Run(s.title, func(t *testing.T) {
			const cycles = 1500
			worst := search(s.plan, 300, cycles, 1, func(p *plan.Plan, traffic machine.Traffic) sim.Summary {
				n := sim.NewNetwork(p, traffic)
				n.IgnoreMarks()
				for n.Cycle() < cycles {
					n.Step()
				}
				return n.Summary()
			})
			require.True(t, held(worst.Summary, cycles), "%d cycles under way\n%v", worst.MaxTimeUnderWay, worst)
			require.Error(t, fault(worst.Summary, cycles))
		})
	}
}
